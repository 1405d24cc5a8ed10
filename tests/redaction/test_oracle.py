"""Nothing that the guard leaves on disk holds anything that gitleaks calls a secret."""

import pytest

from tests.redaction.corpus import HALVES, records
from tests.redaction.oracle import findings

MESSAGES_PER_COMPACTION = 80


def test_gitleaks_finds_what_we_plant(tmp_path):
    planted = [record.text for half in HALVES for record in records(half) if record.secrets]
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "raw.txt").write_text("\n".join(planted), encoding="utf-8")

    assert len(findings(tmp_path / "kept", tmp_path)) > 100


@pytest.mark.parametrize("are_secret", [True, False], ids=["secrets", "look-alikes"])
def test_gitleaks_finds_nothing_in_what_is_kept_of_a_conversation(
    guard, transcript, tmp_path, are_secret
):
    """Apart, for gitleaks calls every git hash a token in a file that names Sourcegraph."""
    both = [record for half in HALVES for record in records(half)]
    texts = [record.text for record in both if bool(record.secrets) == are_secret]
    for start in range(0, len(texts), MESSAGES_PER_COMPACTION):
        for text in texts[start : start + MESSAGES_PER_COMPACTION]:
            transcript.typed(f"We decided: {text}")
        assert guard.pre_compact(transcript.path).returncode == 0

    assert {row["outcome"] for row in guard.rows()} == {"saved"}
    assert (sum(row["counts"]["redactions"] for row in guard.rows()) > 100) == are_secret
    assert findings(guard.home, tmp_path) == []
