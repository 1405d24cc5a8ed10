"""What English speakers say when they correct, decide, demand or put off. Data, no rules.

Words and phrases parted by `|`; `*` ends a stem of six letters. The number is the weight.
"""

RANKS = {
    "corrections": (
        (3, "wrong|incorrect|misread|misunderstood|i said|i told you|i meant|not what i|as i said"
            "|not quite|that's not|that is not|correction|you keep|quit|stop using|stop doing"
            "|i asked for|asked you|nope|undo|revert|scrap|changed my mind|change of plan"
            "|never mind"
            "|on second thought|no longer|not anymore|any more|instead of|rather than what"),
        (2, "actually|instead|but not|and not|roll back|put it back|should have been|supposed to"
            "|forget the|forget about|forget what|drop the|again, |isn't|wasn't|aren't|has to be"),
        (1, "not|no|don't"),
    ),
    "decisions": (
        (3, "we decided|i decided|decision|decide*|let's go with|go with|going with|we chose"
            "|i chose"
            "|we picked|i picked|settled|we agreed|agreed to|agreed on|ruled out|rejected|reject*"
            "|final answer|we'll go|we are going to|we're going to|stick to|stick with|opted"
            "|option a"
            "|option b|option c|rather than|in favor of|in favour of|over the alternatives"
            "|the plan is|turned down|trade-off|tradeoff"),
        (2, "because|since it|since the|since we|due to|on account of|so that|we will|we'll|we use"
            "|we keep|we drop|prefer|chose|chosen|pick|picked|discard*|abandon*|too slow|too much"
            "|too expensive|too heavy|as the|revisit|until we"),
        (1, "for now|later|first|plan|approach"),
    ),
    "constraints": (
        (3, "never|always|must|must not|mustn't|do not|don't|only|at most|at least|no more than"
            "|no less than|forbidden|banned|mandatory|required|not allowed|may not|cannot|can't"
            "|from now on|constraint|rule|hard limit|budget|deadline|needs to|need to be|has to"
            "|have to|without asking|before you|under no circumstances|require*|prohibited"
            "|not permitted|escalate|consent|approval|no new|make sure|ensure|guarantee*"
            "|compatible"),
        (2, "should|shouldn't|should not|keep|stay|stays|limit|maximum|minimum|max|min|below|above"
            "|within|every|no|without|unless|even if|exactly|avoid|everywhere|allowed|may|needs"
            "|prefer|prefers|preference|wants|by law|contract|policy|still|safe*|private|public"
            "|read-only|immutable|support"),
        (1, "all|any|each|before|until|whole|like|want"),
    ),
    "tasks": (
        (3, "todo|to do|still open|still have to|still need|still needs|next step|next steps"
            "|remaining|what's left|left to do|remind me|follow-up|follow up|backlog|goal state"
            "|current task|awaiting|blocked on|not done yet|unfinished|open question"),
        (2, "before the release|after this|later on|pending|when we are done|when done|next up"
            "|in progress|fix first|must stay"),
    ),
    "evidence": (
        (2, "error|exception|failed|fails|failing|crash*|traceback|assert*|econnreset|timeout"
            "|timed out|measured|profiling|profiler|benchmark|load test|peaked|query plan|took"
            "|root cause|regression|leak|climbs|p50|p95|p99|rps|expected|sentry|stack trace"
            "|commit"),
        (1, "ms|seconds|percent|mb|gb|rows|bytes"),
    ),
}  # fmt: skip

# A reply that begins so corrects what the model has just said.
OPENERS = "no|nope|wrong|not|actually|stop|don't|nah|that's|it's not|you|i said|i told|but"

# A later statement that carries one of these takes the place of an earlier one on its subject.
UPDATES = (
    "now|actually|instead|no longer|changed|change|changes|correction|moved|scrap|forget|drop"
    "|from today|gone|never mind|update|updated|new|switch|switched|replaced|replace|not|only|no"
    "|on second thought|on reflection|after all|don't|do not|should|has to|have to|make|let|rather"
    "|must|as of|anymore|any longer|dropped|dropping|scrapped|ditched|abandoned|retired|removed|rid"
    "|away|off|migrated|migrating|killed|stopped|stop|obsolete|renamed|rename|from now on|swap"
    "|swapped|bump|raise|raised|lower|lowered|reduce|reduced|increase|increased|cut|halved|doubled"
    "|shorten|extend|extended|shift|shifted|push|pushed|postponed|wants|asked|insists|requires"
    "|decided|agreed|turns out|turned out|i meant|i was wrong|mistaken|can go"
)

# What follows one of these, up to a comma or the end, is what no longer holds.
REFUTERS = (
    "instead of|rather than|forget|forget about|forget the|forget what i said about|scrap|drop"
    "|never mind|no longer|stop|stop using|don't use|do not use|no more|replace|ditch|dropped"
    "|dropping|scrapped|ditched|abandoned|retired|removed|get rid of|got rid of|away from|unpin"
    "|moved off|migrated from|replaced|killed|not using|stopped using|take back|i take back|ignore"
    "|disregard|swap|swap out|swapped|renamed|rename|deprecate|unlike|over|rejected|reject"
    "|turned down|ruled out|gave up|gave up on"
)
# The same of those that deny, too: what they deny need not have been said.
NEGATIONS = (
    "not|no|without|isn't|is not|aren't|are not|don't|do not|doesn't|does not|shouldn't|should not"
    "|wasn't|was not"
)
REFUTED_BEFORE = (
    "is gone|are gone|is out|are out|no longer|is dead|is cancelled|is scrapped|was dropped"
    "|was removed|were dropped|were removed|is replaced|was replaced|does not exist"
    "|is obsolete|are obsolete|is retired|is not used|falls away|is history|are history|can go"
    "|can be removed|can be deleted|can be dropped|is deprecated|are deprecated|was deprecated"
    "|is being|are being|was decommissioned|was shut down|is outdated|was renamed|is renamed"
)
# What precedes one of these is in doubt: it no longer holds if the statement names something else.
DOUBTED_BEFORE = (
    "was|were|has been|turned out|keeps|is too|are too|too|is overkill|is not|are not|isn't|aren't"
    "|doesn't|does not|didn't|did not|won't work|confuses|confuse|breaks|is taken|is reserved"
    "|is a pain|is broken"
)
# "From X to Y", "swap X for Y": what stands between them is left behind.
LEAVES = "from|off|away from"
# A refuting phrase reaches forwards no further than to these,
REACH_ENDS = "to|for|with|by|as|in favor|in favour|due|confuses|confuse"
# and neither way beyond these.
JOINERS = "until|unless|because|since|so|when|if|before|after|while|but|except"

# "Scrap that": of what was typed just before.
ELLIPSES = (
    "scrap that|scratch that|forget that|forget it|forget this|never mind that|never mind this"
    "|nevermind|ignore my last|ignore that|disregard that|strike that|undo that|i take that back"
    "|take that back|changed my mind about that|on second thought"
)
# "Make it 3": so is what begins with one of these and says little more.
BARE_CORRECTIONS = (
    "make that|make it|call it|i meant|sorry|no wait|wait no|changed my mind|correction|not that"
    "|better|rather"
)

# Sentences made of these alone say nothing that lasts.
ACKNOWLEDGEMENTS = (
    "ok|okay|yes|yep|yeah|no|nope|go|on|ahead|continue|thanks|thank|you|please|sure|fine|great"
    "|perfect|good|nice|cool|looks|look|well|done|next|one|now|and|again|try|it|do|that|this|so"
    "|hm|hmm|wait|stop|right|correct|exactly|yet|not|worries|alright|let's|lgtm|push|proceed|the"
    "|same|interesting|strange|weird|awesome|love|a|moment|second|minute|retry|run|keep|going|job"
    "|work|works|i|see|got|agreed|sounds|too|more|all|then|just"
)

# A sentence that begins so asks for something at this moment only.
REQUESTS = (
    "run|show|check|look|open|print|list|read|explain|continue|commit|push|try|grep|find|search"
    "|tell|see|rerun|restart|start|fix|format|rename|update|can|could|would|what|why|how|where"
    "|when|which|who|is|are|does|did|should|shall|will|please|let|give|have|investigate|debug"
    "|build|compile|test|summarize|describe|compare|review|clean|rebase|merge|pull|add|create"
    "|remove|delete|move|copy|install|yes|ok|okay|wait|hm|hmm|great|thanks|now|also"
    "|i don't understand"
)

# Too common to tell one subject from another.
STOPWORDS = (
    "a|an|the|and|or|but|of|to|in|on|at|for|with|from|by|as|is|are|was|were|be|been|it|its|it's"
    "|this|that|these|those|we|i|you|they|he|she|our|your|my|their|us|me|do|does|did|has|have|had"
    "|will|would|can|could|should|must|may|not|no|so|if|then|than|there|here|just|only|also|all"
    "|any|some|let|let's|make|use|using|get|go|up|out|about|into|over|after|before|when|what|which"
    "|who|how|why|now|instead|actually|please|never|always|keep|still|we'll|don't|rather|new|old"
    "|correction|changed|mind|forget|scrap|drop|longer|moved|gone|be|call|should|idea|thing|sorry|meant"
)

NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|once|twice|thrice|dozen|hundred|thousand"
    "|january|february|april|june|july|august|september|october|november|december"
    "|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
)
