"""What the agents run: `python -I -S …/compact_guard/hook/__main__.py AGENT EVENT`.

Exits 0 whatever happens: a guard that stops a compaction does more harm than a missing checkpoint.
"""

import gc
import os
import sys

# The process ends before its garbage could matter; looking for it costs 3 ms of a save.
gc.disable()
# Appended, never prepended, so that nothing beside the package can shadow the standard library.
sys.path.append(os.path.abspath(f"{__file__}/../../.."))

if __name__ == "__main__":
    try:
        from compact_guard.hook.run import main

        main(sys.argv[1:])
    except BaseException:
        os.write(2, b"compact-guard: the hook cannot start\n")
    finally:
        # Nothing is left to flush, and the interpreter's own end can still fail or cost time.
        os._exit(0)
