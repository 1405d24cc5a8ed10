"""`python -m compact_guard` is the `compact-guard` command."""

import sys

from compact_guard.cli import main

sys.exit(main())
