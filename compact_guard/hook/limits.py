"""Every bound of the hot path, each with its reason."""

VERSION = "0.1.0"  # equal to pyproject.toml's, by test: importlib.metadata would cost 30 ms

# --- time ---
DEADLINE_SECONDS = (
    5.0  # the agent kills us after the 30 s that install writes; a person waits for us
)
STDIN_SECONDS_MAX = 2.0  # some agents leave stdin open and silent for ever
# The agent writes its transcript every 100 ms: 250 ms in all, short steps first.
FLUSH_STEPS_MS = (10, 20, 30, 40, 50, 50, 50)

# --- what is read ---
PAYLOAD_BYTES_MAX = 16 << 20  # a payload carries the native summary, at most some 100 kB so far
CHUNK_BYTES = 256 << 10  # fits the processor's cache, few system calls
LINE_BYTES_MAX = 8 << 20  # a pasted image makes a line of some MB; longer ones hold no typed words
FIRST_LINE_BYTES_MAX = 64 << 20  # hashed as a stream; the first line is a few hundred bytes
LAST_LINE_BYTES_MAX = 64 << 20  # searched for the last line end; a longer half line is damage
MESSAGE_BYTES_MAX = 8 << 20  # read back for messages: beyond it, the tail is all tool output
MESSAGE_LINES_MAX = 40_000  # a tail of empty lines must not cost a second
PROMPT_TAIL_BYTES = 1 << 20  # where the newest prompt is looked for before waiting for it
VERSION_TAIL_BYTES = 64 << 10  # where the agent's version is looked for: every row carries it
BOUNDARY_BYTES_MAX = (
    64 << 20
)  # searched per run, 15 ms; the next run goes on where this one stopped
BOUNDARY_CANDIDATES_MAX = 200  # lines that only quote the mark must not cost a parse each for ever
CONFIG_BYTES_MAX = 64 << 10  # a settings file of ours is a few hundred bytes

# --- what is kept ---
ITEM_UNITS_MAX = 3_000  # one message may take a third of the room, so one paste cannot take it all
ITEM_UNITS_MIN = 300  # less room than this is not worth a stump of a message
LABEL_UNITS = 1_100  # label, hash, fences and closing line, by test
ITEM_HEAD_UNITS = 80  # speaker, time and the mark of a cut, by test
MESSAGE_CHARS_MAX = 256 << 10  # redacted whole up to here; a cut that far is never in what is kept
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
