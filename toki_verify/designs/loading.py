"""Loading the design that a user names: `FILE.py:Class`, `FILE.toml`, `library:NAME` or `package.module:Class`.

A design in Python is code that the user names on purpose, as pytest's tests are: it is imported, which runs it. Nothing
else that the toolkit reads (schedules, traces, TOML) is ever run. No bytecode is written beside the file.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from .checks import near
from .faults import DesignError
from .guard import Guard, saying
from .limits import FILE_BYTES, IMPORT_SECONDS
from .model import Design

FORMS = "FILE.py:Class, FILE.toml, library:NAME or package.module:Class"


def load(text: str) -> type[Design]:
    """The design of a name. Raises DesignError where there is none, with what there is."""
    place, colon, name = text.rpartition(":") if ":" in text else (text, "", "")
    if place.endswith((".py", ".toml")) or (not colon and text.endswith((".py", ".toml"))):
        pass
    elif text.endswith((".py", ".toml")):  # a colon of the path, as in C:\x.py
        place, colon, name = text, "", ""
    elif place == "library":
        return _of_library(name)
    elif colon and all(part.isidentifier() for part in place.split(".")):
        return _chosen(_imported(place), name, place)
    else:
        raise DesignError(f"{text!r} names no design, expected {FORMS}")
    path = Path(place)
    _readable(path, place)
    if place.endswith(".toml"):
        from .declarative import load_toml

        found = load_toml(path.read_bytes(), place)
        if name not in ("", found.name(), found.__name__):
            raise DesignError(f"there is no design {name!r}: it is {found.name()!r}", file=place)
        return found
    if colon and not name:
        raise DesignError(f"the name of a class is missing behind the colon, expected {FORMS}", file=place)
    return _chosen(module_of(path, place), name, place)


def _readable(path: Path, place: str) -> None:
    try:
        if not path.is_file():
            what = "it is a directory" if path.is_dir() else "there is no such file"
            raise DesignError(f"{what}, expected {FORMS}", file=place)
        if path.stat().st_size > FILE_BYTES:
            raise DesignError(f"it has {path.stat().st_size} bytes, more than the limit of {FILE_BYTES}", file=place)
        with path.open("rb"):
            pass
    except (OSError, ValueError) as error:
        raise DesignError(f"it cannot be read: {getattr(error, 'strerror', None) or error}", file=place) from None


class _Loader(SourceFileLoader):
    """Compiles the source each time: a cached file may be of an older text."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        code = self.source_to_code(self.get_data(path), path)
        assert isinstance(code, CodeType)
        return code


def module_of(path: Path, place: str) -> ModuleType:
    """A file as a module of its own name. While it is imported, its directory is the first to import from."""
    directory = str(path.resolve().parent)
    name = f"toki_design_{sha256(str(path.resolve()).encode()).hexdigest()[:8]}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, place, loader=_Loader(name, place))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = place  # as it was named, and so in messages
    with _importing(place, directory):
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
    return module


@contextlib.contextmanager
def _importing(place: str, directory: str | None) -> Iterator[None]:
    """What import may do: take its time, but not for ever, and be wrong. Modules that it takes from the directory are
    forgotten afterwards, since the next design's may have the same names."""

    def fault(problem: str, line: int | None) -> DesignError:
        return DesignError(f"importing it: {problem}", file=place, line=line)

    before, kept = set(sys.modules), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    if directory is not None:
        sys.path.insert(0, directory)
    try:
        with Guard(fault, place, traced=False, seconds=IMPORT_SECONDS):
            try:
                yield
            except SyntaxError as error:
                problem = f"{error.msg}: it is no Python"
                where = place if error.filename in (None, place) else error.filename
                raise DesignError(problem, file=where, line=error.lineno, column=error.offset) from None
    finally:
        sys.dont_write_bytecode = kept
        if directory is not None:
            with contextlib.suppress(ValueError):
                sys.path.remove(directory)
            for name in set(sys.modules) - before:
                file = getattr(sys.modules[name], "__file__", None)
                if file and not name.startswith("toki_") and str(Path(file).resolve()).startswith(directory):
                    del sys.modules[name]


def _imported(place: str) -> ModuleType:
    with _importing(place, None):
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            if error.name is None or not (place == error.name or place.startswith(f"{error.name}.")):
                raise
            raise DesignError(f"there is no module {error.name!r}, expected {FORMS}") from None


def _chosen(module: ModuleType, name: str, place: str) -> type[Design]:
    """The design of a module: the named one, or the only one that it defines."""
    there = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Design) and value.__module__ == module.__name__
    }
    if not name:
        if len(there) == 1:
            return next(iter(there.values()))
        if there:
            raise DesignError(f"it defines {len(there)} designs, name one: {', '.join(there)}", file=place)
        raise DesignError("it defines no design: a subclass of toki_verify.designs.Design", file=place)
    found: Any = module
    for part in name.split("."):
        found = vars(found).get(part) if isinstance(found, (type, ModuleType)) else None
    if isinstance(found, type) and issubclass(found, Design) and found is not Design:
        return found
    if found is None:
        raise DesignError(f"there is no class {name!r} in it{near(name, there)}", file=place)
    raise DesignError(f"{name} is no subclass of toki_verify.designs.Design{near(name, there)}", file=place)


def _of_library(name: str) -> type[Design]:
    try:
        library = importlib.import_module(f"{__package__}.library")
    except ImportError as error:
        raise DesignError(f"the library cannot be imported: {saying(error)}") from error
    found: dict[str, type[Design]] = library.designs()
    if name not in found:
        raise DesignError(f"there is no design {name!r} in the library{near(name, found)}")
    return found[name]
