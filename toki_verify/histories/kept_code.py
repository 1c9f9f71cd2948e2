"""Compiled code on disk that several processes may write at once.

numba numbers the files of one function's versions, and looks for a free number in an index: two processes that compile
two versions at the same time can choose one number, and the index then calls the code of one the code of the other,
for good. Called from compiled code it writes over memory. So here a file is named by what it holds, and written before
the index names it; at worst an entry of the index is lost and made again.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any


def name_by_content(dispatcher: object) -> None:
    """Let a compiled function keep its versions in files of their own, where numba keeps any of it."""
    file: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if any(not hasattr(file, name) for name in ("_data_name_pattern", "_load_index", "_save_index", "_save_data")):
        return
    base = file._data_name_pattern.partition(".{number")[0]

    def save(key: object, data: object) -> None:
        name = f"{base}.{sha256(repr(key).encode()).hexdigest()[:20]}.nbc"
        file._save_data(name, data)
        file._save_index({**file._load_index(), key: name})

    file.save = save


__all__ = ["name_by_content"]
