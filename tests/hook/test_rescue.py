"""PostCompact's counts: what the summary did not contain and the checkpoint gave back."""

import pytest

from compact_guard.hook import rescue

LAST = "Now look at the tests."


def item(text: str, rank: str = "corrections", is_kept: bool = False) -> dict:
    return {"rank": rank, "text": text, "is_kept": is_kept}


@pytest.mark.parametrize(
    ("said", "summary", "is_rescued"),
    [
        ("Never push to main.", "- User: never push to main", False),
        ("Never push to main.", "The user works on branches.", True),
        ("The timeout is 95 seconds.", "The timeout was set to 95 seconds.", False),
        ("The timeout is 95 seconds.", "The timeout was set to 30 seconds.", True),
        ("Use DuckDB instead of SQLite for the job history.",
         "Storage of the job history:\nDuckDB instead of SQLite, at the user's request", False),
        ("Use DuckDB instead of SQLite for the job history.",
         "SQLite is installed.\n\nHistory of the job.\nOther things.\nDuckDB is fast.", True),
        ("Никогда не пушь в main.", "Просьба пользователя: никогда не пушь в main.", False),
        ("所有时间必须是 UTC。", "约束：所有时间必须是 UTC", False),
        ("所有时间必须是 UTC。", "时间格式待定", True),
    ],
)  # fmt: skip
def test_an_item_is_rescued_if_no_two_lines_of_the_summary_hold_it(said, summary, is_rescued):
    assert rescue.count_rescued([item(said)], summary)["corrections"] == is_rescued


def test_what_the_agent_keeps_verbatim_is_not_rescued():
    assert rescue.count_rescued([item("Never push.", is_kept=True)], "nothing")["corrections"] == 0


def test_the_receipt_counts_per_rank_what_the_summary_lost(guard, conversation):
    conversation.typed("No, the limit is 95 rows, not 50.").answered("I see.").typed(LAST)
    guard.pre_compact(conversation.path, trigger="manual")
    summary = "<analysis>limit is 95 rows, not 50</analysis><summary>Use DuckDB, never SQLite."
    guard.post_compact(conversation.path, compact_summary=summary + "</summary>")

    counts = guard.last()["counts"]
    assert counts["rescued_corrections"] == 1
    assert counts["rescued_constraints"] == 0
    assert counts["summary_characters"] == len(summary) + len("</summary>")


def test_without_a_summary_the_counts_are_null(guard, conversation):
    guard.pre_compact(conversation.path)
    guard.post_compact(conversation.path, compact_summary=None)

    counts = guard.last()["counts"]
    assert counts["rescued_constraints"] is None
