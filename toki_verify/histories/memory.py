"""Memory for large arrays: kept by the C library between uses, and not given back to the system after each."""

from __future__ import annotations

import ctypes
from typing import Final

#: Bytes of a file from which on this is worth it.
LARGE: Final = 1 << 26
#: `mallopt` of glibc (malloc.h): no blocks of their own for large requests, and no giving back of what is free.
_MMAP_MAX: Final = -4
_TRIM_THRESHOLD: Final = -1


def keep_freed_memory() -> bool:
    """Let this process keep what it frees. Whether the C library can be told so (glibc can).

    Arrays of a hundred megabytes come and go while a large trace is decided. Each would be mapped anew and its pages
    cleared at their first use, which is a fifth of the processor time.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_MMAP_MAX, 0)) and bool(mallopt(_TRIM_THRESHOLD, (1 << 31) - 1))
