"""Loading a design by name: what is found, and what is said where there is none."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from toki_verify.designs import Design, DesignError
from toki_verify.designs.limits import FILE_BYTES
from toki_verify.designs.loading import load
from toki_verify.designs.model import describe

from .declared_designs import COMPARE_AND_SET

ONE = """\
from toki_verify.designs import *

class {name}(Design):
    @writer
    def go(self):
        yield from commit()
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text, encoding="utf-8")


def message(text: str) -> str:
    with pytest.raises(DesignError) as caught:
        load(text)
    return str(caught.value)


def test_a_class_of_a_file() -> None:
    write("mine.py", ONE.format(name="One") + ONE.format(name="Two").split("\n", 1)[1])
    assert [load(f"mine.py:{name}").__name__ for name in ("One", "Two")] == ["One", "Two"]
    assert message("mine.py") == "mine.py: it defines 2 designs, name one: One, Two"
    assert message("mine.py:On") == "mine.py: there is no class 'On' in it; did you mean 'One'?"
    assert message("mine.py:Zebra") == "mine.py: there is no class 'Zebra' in it (it has One, Two)"
    assert message("mine.py:commit").startswith("mine.py: commit is no subclass of toki_verify.designs.Design")
    assert message("mine.py:Design").startswith("mine.py: Design is no subclass")
    assert message("mine.py:").startswith("mine.py: the name of a class is missing behind the colon")


def test_the_only_class_of_a_file() -> None:
    write("mine.py", ONE.format(name="One"))
    assert issubclass(load("mine.py"), Design)
    assert describe(load("mine.py")).file == "mine.py"
    write("none.py", "from toki_verify.designs import Design\n")
    assert message("none.py") == "none.py: it defines no design: a subclass of toki_verify.designs.Design"


def test_a_changed_file_is_read_anew_and_nothing_is_left_beside_it(here: Path) -> None:
    for name in ("One", "Two"):
        write("mine.py", ONE.format(name=name))
        os.utime("mine.py", (0, 0))
        assert load("mine.py").__name__ == name
    assert [path.name for path in here.iterdir()] == ["mine.py"]


def test_imports_come_from_the_directory_of_the_file() -> None:
    for directory, level in (("a", "SI"), ("b", "SR")):
        write(f"{directory}/helper_of_mine.py", f"LEVEL = {level!r}\n")
        write(f"{directory}/mine.py", ONE.format(name="One") + "    isolation = helper_of_mine.LEVEL\n")
        text = Path(f"{directory}/mine.py").read_text(encoding="utf-8")
        write(f"{directory}/mine.py", f"import helper_of_mine\n{text}")
    before = list(sys.path)
    assert [load(f"{directory}/mine.py").isolation for directory in ("a", "b")] == ["SI", "SR"]
    assert sys.path == before
    assert "helper_of_mine" not in sys.modules


def test_what_a_file_prints_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    write("mine.py", "print('hello')\n" + ONE.format(name="One"))
    load("mine.py")
    assert capsys.readouterr() == ("", "hello\n")


def test_files_that_cannot_be_read(here: Path) -> None:
    assert message("nowhere.py:One").startswith("nowhere.py: there is no such file, expected FILE.py:Class, FILE.toml")
    assert message("nowhere.toml").startswith("nowhere.toml: there is no such file")
    (here / "directory.py").mkdir()
    assert message("directory.py").startswith("directory.py: it is a directory")
    assert "there is no such file" in message("a\0.py")
    Path("large.py").write_bytes(b"#" * (FILE_BYTES + 1))
    assert message("large.py") == "large.py: it has 1000001 bytes, more than the limit of 1000000"


def test_files_that_are_no_python() -> None:
    write("mine.py", "\nclass X(:\n")
    assert message("mine.py").startswith("mine.py:2:9: ")
    Path("mine.py").write_bytes(b"x = '\xff'\n")
    assert "utf-8" in message("mine.py")
    Path("mine.py").write_bytes(b"x = 1\0\n")
    assert "null" in message("mine.py")
    write("helper_of_mine.py", "\n\nx = = 1\n")
    write("mine.py", "import helper_of_mine\n")
    assert "helper_of_mine.py:3:5: " in message("mine.py")


def test_a_toml_file() -> None:
    write("mine.toml", COMPARE_AND_SET)
    assert load("mine.toml").name() == "compare and set"
    assert load("mine.toml:CompareAndSet").__name__ == "CompareAndSet"
    assert message("mine.toml:Other") == "mine.toml: there is no design 'Other': it is 'compare and set'"


def test_a_design_of_a_module_and_of_the_library() -> None:
    assert load(f"{__package__}.declared_designs:KeyedLog").__name__ == "KeyedLog"
    assert message("no_such_module_here:X").startswith(
        "there is no module 'no_such_module_here', expected FILE.py:Class"
    )
    assert message(f"{__package__}.declared_designs:Nope").endswith("CompareAndSet, Everything)")
    assert issubclass(load("library:last-writer-wins"), Design)
    assert message("library:last-writer-win") == (
        "there is no design 'last-writer-win' in the library; did you mean 'last-writer-wins'?"
    )


@pytest.mark.parametrize("text", ["", ":", "mine", "mine.txt", "a b:C", "3:C"])
def test_names_of_no_form(text: str) -> None:
    assert message(text) == (
        f"{text!r} names no design, expected FILE.py:Class, FILE.toml, library:NAME or package.module:Class"
    )
