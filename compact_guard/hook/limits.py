"""Every bound of the hot path, each with its reason."""

VERSION = "0.1.0"  # equal to pyproject.toml's, by test: importlib.metadata would cost 30 ms

# --- time ---
DEADLINE_SECONDS = (
    5.0  # the agent kills us after the 30 s that install writes; a person waits for us
)
STDIN_SECONDS_MAX = 2.0  # some agents leave stdin open and silent for ever
# The agent writes its transcript every 100 ms: 250 ms in all, short steps first.
FLUSH_STEPS_MS = (10, 20, 30, 40, 50, 50, 50)

# Two runs of ours for one compaction start together and end within their deadlines.
SAME_COMPACTION_SECONDS_MAX = 2 * DEADLINE_SECONDS

# For another registration's run, which may fail: it takes a twentieth of that, or has given up.
OTHER_RUN_SECONDS_MAX = 2.0

# --- what is read ---
PAYLOAD_BYTES_MAX = 16 << 20  # a payload carries the native summary, at most some 100 kB so far
CHUNK_BYTES = 256 << 10  # fits the processor's cache, few system calls
LINE_BYTES_MAX = 8 << 20  # a pasted image makes a line of some MB; longer ones hold no typed words
FIRST_LINE_BYTES_MAX = 64 << 20  # hashed as a stream; the first line is a few hundred bytes
LAST_LINE_BYTES_MAX = 64 << 20  # searched for the last line end; a longer half line is damage
UNSAID_BYTES_MAX = 64 << 10  # no word in so few bytes of a transcript: it may be in memory still
PROMPT_TAIL_BYTES = 1 << 20  # where the newest prompt is looked for before waiting for it
VERSION_TAIL_BYTES = 64 << 10  # where the agent's version is looked for: every row carries it
# Searched per run, 20 ms; the next run goes on where this one stopped. Agents compact every few MB.
BOUNDARY_BYTES_MAX = 64 << 20
ARRIVAL_BYTES_MAX = 64 << 20  # searched for a text whose hook died, which hardly ever happens
AUDIT_DAY_BYTES_MAX = 8 << 20  # the rows of a day, looked through where a delivery was killed
BOUNDARY_CANDIDATES_MAX = 200  # lines that only quote the mark must not cost a parse each for ever
CONFIG_BYTES_MAX = 64 << 10  # a settings file of ours is a few hundred bytes

STRETCH_BYTES_MAX = 40 << 20  # since the last checkpoint: several long compactions, 20 ms
STRETCH_LINES_MAX = 200_000  # lines in it that are no tool's output
TYPED_MAX = 6_000  # typed messages: nobody types more between two compactions
ANSWERED_MAX = 200  # newest answers: the user's words matter more, and are read further back
PASTE_CHARS_MIN = 1_500  # a longer message is mostly pasted: only its cued sentences count
STRETCH_CHARS_MAX = 140_000  # different texts redacted and ranked, 70 ms; pastes give way first

COMPARED_MAX = 300  # best items compared with each other: three times what the room holds
RECENT_COMPARED_MAX = 60  # newest of what ranks as nothing: more than the room holds
# --- what is kept ---
ITEM_UNITS_MAX = 3_000  # one message may take a third of the room, so one paste cannot take it all
LABEL_UNITS = 1_200  # label, hash, fences, headings and closing lines, by test
ITEM_HEAD_UNITS = 80  # speaker, time and the mark of a cut, by test
SHORT_MESSAGE_CHARS = 280  # quoted whole: what stands beside a statement explains it
SENTENCE_UNITS_MAX = 600  # longer than any sentence that somebody speaks
SENTENCES_PER_MESSAGE_MAX = 60  # of a paste, its first and its last lines
RESERVE_UNITS_MAX = 6_000  # kept for later compactions though it does not fit now
SHARE_OF_ANSWERED_DECISIONS = 0.06  # of the room: the user's words come first
SHARE_OF_TASKS = SHARE_OF_EVIDENCE = 0.07  # of the room, so that rules cannot crowd them out
SHARE_OF_RECENT = 0.12  # what was said last is likely in the summary too
MESSAGE_CHARS_MAX = 64 << 10  # redacted whole up to here; a cut that far is never in what is kept
# After a typed compaction the agent repeats what hooks printed in the next context, too.
PRESERVE_CHARS_MAX = 800
NOTICE_BYTES_MAX = 1_000  # six ranks with their numbers take 200
CHECKPOINT_BYTES_MAX = 256 << 10  # twenty times what the largest injection needs

# --- what stays on disk ---
CHECKPOINTS_PER_SESSION_MAX = 20  # eight compactions are a long session
CHECKPOINT_FOLDER_BYTES_MAX = 50 << 20  # four thousand checkpoints
CHECKPOINT_AGE_SECONDS_MAX = 30 * 86_400  # nobody looks back further than a month
DELIVERY_AGE_SECONDS_MAX = 7 * 86_400  # a laptop may sleep over a holiday between save and delivery
SWEEP_SECONDS = 3_600  # other sessions' folders are swept at most once an hour: it costs a walk
AUDIT_ROW_BYTES_MAX = 4_000  # the contract's: one write of that size is not torn on local disks

FILE_MODE = 0o600
FOLDER_MODE = 0o700
