"""The manifest of a directory of proofs: what was proved, by whom, and the hash of every file (`manifest.toml`)."""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any, TypeVar

from ..events import Problem

FORMAT = "toki-proofs/1"
NAME = "manifest.toml"
#: Bytes that one file of a directory of proofs may have.
LARGEST = 64 * 1024 * 1024

_Entry = TypeVar("_Entry")


class ManifestError(ValueError):
    """A directory of proofs that cannot be read; `problem` says where and what was expected."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.what}, expected {problem.expected}")

    def __reduce__(self) -> tuple[type[ManifestError], tuple[Problem]]:
        # From another process it comes with its problem, not with its message.
        return ManifestError, (self.problem,)


def digest(text: str) -> str:
    """The SHA-256 of a text in UTF-8."""
    return sha256(text.encode()).hexdigest()


@dataclass
class File:
    """A file of the directory, by its path in it, and its hash."""

    path: str
    sha256: str


@dataclass
class ObligationEntry:
    """An obligation: its text, who answered unsat (solver and version), and the certificate that the kernel accepts."""

    id: str
    role: str
    lemma: str
    file: str
    sha256: str
    answers: list[str]
    certificate: str = ""
    certificate_sha256: str = ""
    steps: int = 0


@dataclass
class ProofEntry:
    """A proof for schedules of every size. `instances` are schedules that show that its hypotheses can be met."""

    id: str
    statement: str
    definitions: str
    stage: str
    axioms: list[str]
    seconds: float
    instances: list[str]
    obligations: list[ObligationEntry] = field(default_factory=list)


@dataclass
class EquationEntry:
    """A statement about every carrier. `models` are carriers that show that its hypotheses can be met."""

    id: str
    statement: str
    models: list[str]
    obligations: list[ObligationEntry] = field(default_factory=list)


@dataclass
class MinimalEntry:
    """A smallest schedule: `cnf` and `drat` show per smaller frame that it has none."""

    id: str
    statement: str
    definitions: str
    schedule: str
    events: int
    transactions: int
    items: int
    cnf: list[File] = field(default_factory=list)
    drat: list[File] = field(default_factory=list)


@dataclass
class ClaimEntry:
    """A claim, its verdict and what shows it: ids of proofs, smallest schedules, schedules."""

    id: str
    where: str
    statement: str
    reading: str
    verdict: str
    method: str
    detail: str
    proofs: list[str]
    witnesses: list[str]
    counterexample: str
    repair: str
    seconds: float
    bound: str = ""
    evidence: list[str] = field(default_factory=list)
    equations: list[str] = field(default_factory=list)


@dataclass
class Manifest:
    """Everything that a directory of proofs says of itself."""

    versions: dict[str, str] = field(default_factory=dict)
    claims: dict[str, ClaimEntry] = field(default_factory=dict)
    proofs: dict[str, ProofEntry] = field(default_factory=dict)
    equations: dict[str, EquationEntry] = field(default_factory=dict)
    minimal: dict[str, MinimalEntry] = field(default_factory=dict)

    def text(self) -> str:
        """The manifest as TOML, entries in the order of their ids."""
        lines = [f"format = {_value(FORMAT)}", "", "[versions]"]
        lines += [f"{name} = {_value(version)}" for name, version in sorted(self.versions.items())]
        tables = [("claim", id, asdict(claim)) for id, claim in sorted(self.claims.items())]
        tables += [("proof", id, asdict(proof)) for id, proof in sorted(self.proofs.items())]
        tables += [("equation", id, asdict(equation)) for id, equation in sorted(self.equations.items())]
        tables += [("minimal", id, asdict(minimal)) for id, minimal in sorted(self.minimal.items())]
        for key, _, table in tables:
            lines += ["", *_table(key, table)]
        return "\n".join(lines) + "\n"

    @classmethod
    def read(cls, directory: Path) -> Manifest:
        """The manifest of a directory. Raises ManifestError, OSError."""
        path = directory / NAME
        text = read_regular(path)
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            what = "nesting too deep" if isinstance(error, RecursionError) else str(error)
            raise ManifestError(Problem(what, "TOML", "manifest", file=str(path))) from None
        if data.get("format") != FORMAT:
            what = f"format {data.get('format')!r}"
            raise ManifestError(Problem(what, f"{FORMAT!r}", "manifest", file=str(path), line=1))
        try:
            return _manifest(data)
        except (TypeError, KeyError, AttributeError) as error:
            what = f"an entry that does not fit ({str(error)[:200]})"
            raise ManifestError(Problem(what, "what `toki-verify prove` writes", "manifest", file=str(path))) from None


def read_regular(path: Path) -> str:
    """The text of a regular file of at most `LARGEST` bytes. Raises ManifestError, FileNotFoundError."""
    try:
        found = path.stat()
        if not S_ISREG(found.st_mode):
            raise ManifestError(Problem("it is no regular file", "a text file", "manifest", file=str(path)))
        if found.st_size > LARGEST:
            what = f"a file of {found.st_size} bytes"
            raise ManifestError(Problem(what, f"at most {LARGEST}", "manifest", file=str(path)))
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise ManifestError(Problem(str(error), "a text in UTF-8", "manifest", file=str(path))) from None


def _manifest(data: dict[str, Any]) -> Manifest:
    out = Manifest(versions={str(k): str(v) for k, v in data.get("versions", {}).items()})
    for entry in data.get("claim", []):
        out.claims[entry["id"]] = _entry(ClaimEntry, entry)
    for entry in data.get("proof", []):
        obligations = [_entry(ObligationEntry, part) for part in entry.pop("obligations", [])]
        out.proofs[entry["id"]] = _entry(ProofEntry, entry, obligations=obligations)
    for entry in data.get("equation", []):
        obligations = [_entry(ObligationEntry, part) for part in entry.pop("obligations", [])]
        out.equations[entry["id"]] = _entry(EquationEntry, entry, obligations=obligations)
    for entry in data.get("minimal", []):
        cnf = [_entry(File, part) for part in entry.pop("cnf", [])]
        drat = [_entry(File, part) for part in entry.pop("drat", [])]
        out.minimal[entry["id"]] = _entry(MinimalEntry, entry, cnf=cnf, drat=drat)
    return out


_TYPES: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (int, float), "list[str]": (list,)}


def _entry(kind: type[_Entry], data: dict[str, Any], **tables: Any) -> _Entry:
    """An entry whose values are of the types of its fields. Raises TypeError."""
    wanted = {entry.name: str(entry.type) for entry in fields(kind)}  # type: ignore[arg-type]
    for name, value in data.items():
        types = _TYPES.get(wanted.get(name, ""))
        strings = wanted.get(name) != "list[str]" or (
            isinstance(value, list) and all(isinstance(part, str) for part in value)
        )
        if types is None or not isinstance(value, types) or isinstance(value, bool) or not strings:
            raise TypeError(f"{name} = {str(value)[:60]!r} in an entry of {kind.__name__}")
    return kind(**data, **tables)


def _table(key: str, entry: dict[str, Any]) -> list[str]:
    plain = {name: value for name, value in entry.items() if not _is_tables(value)}
    # What only some entries have is left out of the others.
    plain = {name: value for name, value in plain.items() if name not in ("bound", "evidence", "equations") or value}
    lines = [f"[[{key}]]", *(f"{name} = {_value(value)}" for name, value in plain.items())]
    for name, value in entry.items():
        if _is_tables(value):
            for part in value:
                lines += [f"[[{key}.{name}]]", *(f"{inner} = {_value(v)}" for inner, v in part.items())]
    return lines


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _value(value: object) -> str:
    """A TOML value: strings and numbers are written as in JSON, which TOML reads, without DEL."""
    if isinstance(value, list):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
