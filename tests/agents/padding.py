"""Make a hook's context longer than any agent takes: `HOOK | python padding.py`.

The agents then write it to files of their own, as they did with longer texts of other guards.
"""

import json
import sys

PADDING = " padding" * 4_000


def main() -> None:
    reply = sys.stdin.read()
    if not reply:
        return
    said = json.loads(reply)
    said["hookSpecificOutput"]["additionalContext"] += PADDING
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
