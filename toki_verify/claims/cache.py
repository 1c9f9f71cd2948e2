"""Rows of the ledger, kept between runs: a file a state of the code, the solvers and the proofs, by their hash.

A file that cannot be read, that was damaged or whose rows are not those of its digest is as good as none, and is
written anew. The digest stops damage and edits by hand. It has no secret: who can write the file can write a digest,
too, so what has to be sure (`claims --check`, `prove --recheck`) reads no cache.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from .files import CERTIFICATES, OBLIGATIONS, versions
from .ledger import Row, from_plain
from .manifest import ManifestError, read_regular

FORMAT: Final = "toki-ledger/2"
_PACKAGE: Final = Path(__file__).resolve().parents[1]
#: The parts of a directory of proofs.
_PROOFS: Final = ("manifest.toml", f"{OBLIGATIONS}/*", f"{CERTIFICATES}/**/*")


def default_directory() -> Path:
    """Where a user's caches are."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(home) / "toki-verify"


def state(settings: Mapping[str, object], proofs: Iterable[Path] = ()) -> str:
    """A hash of everything that rows depend on: the sources, the versions, how it is decided, directories of proofs."""
    found = sha256()
    said = {"format": FORMAT, "python": platform.python_version(), **versions(), **settings}
    found.update(json.dumps(said, sort_keys=True, default=str).encode())
    sources = [path for path in _PACKAGE.rglob("*") if "__pycache__" not in path.parts]
    for root, paths in [(_PACKAGE, sources), *((at, [p for part in _PROOFS for p in at.glob(part)]) for at in proofs)]:
        for path in sorted(path for path in paths if path.is_file()):
            found.update(f"\0{path.relative_to(root).as_posix()}\0".encode(errors="surrogateescape"))
            found.update(sha256(path.read_bytes()).digest())
    return found.hexdigest()


class Cache:
    """The rows of one state in one directory."""

    def __init__(self, directory: Path, key: str) -> None:
        self.path = directory / f"ledger-{key[:32]}.json"
        self.key = key

    def read(self) -> dict[str, Row]:
        """The rows that are there, by id; none where the file is missing, damaged or of another state."""
        try:
            data = json.loads(read_regular(self.path))
            if data["format"] != FORMAT or data["key"] != self.key or data["digest"] != _digest(data["rows"]):
                return {}
            rows = [from_plain(entry) for entry in data["rows"]]
        except (OSError, ManifestError, ValueError, TypeError, KeyError, RecursionError):
            return {}
        return {row.id: row for row in rows}

    def write(self, rows: Iterable[Row]) -> None:
        """Keep these rows. A reader sees the old file or the new one, never half of it. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        plain = [row.plain() for row in rows]
        data = {"format": FORMAT, "key": self.key, "digest": _digest(plain), "rows": plain}
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        with NamedTemporaryFile("w", encoding="utf-8", dir=self.path.parent, suffix=".tmp", delete=False) as file:
            written = Path(file.name)
        try:
            written.write_text(text, encoding="utf-8")
            written.replace(self.path)
        except BaseException:
            written.unlink(missing_ok=True)
            raise


def _digest(rows: object) -> str:
    """The hash of rows as JSON; lists and tuples are the same. Raises ValueError, TypeError."""
    return sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
