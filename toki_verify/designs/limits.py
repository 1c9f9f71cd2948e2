"""The stated limits on designs. Each is named in the message that enforces it."""

from __future__ import annotations

from typing import Final

#: Operations that a writer may do in one attempt.
STEPS: Final = 64
#: Lines of Python that an author's function may run: a writer between two operations, a predicate, an invariant, …
LINES: Final = 100_000
#: Seconds of wall clock that it may take.
SECONDS: Final = 5.0
#: Seconds that importing a design's file may take.
IMPORT_SECONDS: Final = 60.0
#: Rows of the initial state.
ROWS: Final = 1_000
#: Characters of one value as JSON, and of a read set R or decoder θ.
VALUE: Final = 10_000
#: Columns of a row.
COLUMNS: Final = 100
#: Votes that a judge may answer, and winners of a callback.
VOTES: Final = 16
#: Bytes of a design's file.
FILE_BYTES: Final = 1_000_000
