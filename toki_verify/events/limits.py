"""The stated limits on input. Each is named in the message that enforces it."""

from __future__ import annotations

from typing import Final

#: Characters in one name: an item, table, partition part, predicate, transaction, version label or key.
NAME_LENGTH: Final = 1_024
#: Events one schedule may have, in text or in JSON (larger histories are for the columnar reading).
EVENTS: Final = 5_000
#: Schedules one text file may hold.
SCHEDULES: Final = 5_000
#: Accesses (item reads, writes, rows seen by predicate reads) one schedule may unfold to.
ACCESSES: Final = 6_000
#: Nesting of arrays and objects in a JSON text or value.
JSON_DEPTH: Final = 64
#: Digits of one number in JSON or in a value.
NUMBER_DIGITS: Final = 1_000
#: Characters in one line of a text file or of a JSON Lines file.
LINE_LENGTH: Final = 1_000_000
#: Bytes in one input file.
FILE_BYTES: Final = 64_000_000
#: Problems reported for one file before the rest is only counted.
PROBLEMS: Final = 50
#: Problems after which the rest of a file is not read.
GIVE_UP: Final = 20_000
