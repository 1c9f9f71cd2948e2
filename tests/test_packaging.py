"""What the packaging files promise: a hash-pinned lock, two runtime packages, no registry host."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Spelled as patterns, so that this file does not hold the names it looks for.
REGISTRY_HOST = re.compile(
    r"\bpy(?:pi)\.(?:org|io)\b|\bpython(?:hosted)\.|\bregistry\.(?:npm)|\bconda\.(?:anaconda)\.|\bdeb\.(?:debian)\.",
    re.IGNORECASE,
)


def project_files() -> list[Path]:
    """The files git tracks or would track; outside a git tree (an unpacked sdist), all but hidden folders' files."""
    git = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        check=False,
        text=True,
    )
    if git.returncode == 0:
        return [ROOT / name for name in git.stdout.split("\0") if name and (ROOT / name).is_file()]
    return [p for p in ROOT.rglob("*") if p.is_file() and not p.relative_to(ROOT).parts[0].startswith(".")]


def lock_entries() -> list[tuple[str, list[str]]]:
    """Each requirement line of the lock (name, pin and marker) with its hashes; comments dropped."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#")).replace("\\\n", " ")
    entries = []
    for line in filter(None, map(str.strip, text.splitlines())):
        requirement, *hashes = re.split(r"\s+--hash=", line)
        entries.append((requirement.strip(), [h.strip() for h in hashes]))
    return entries


def test_no_file_names_a_registry_host() -> None:
    files = project_files()
    assert ROOT / "requirements.lock" in files
    named = [
        str(path.relative_to(ROOT))
        for path in files
        if REGISTRY_HOST.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert named == []


def test_every_locked_requirement_is_pinned_and_hashed_without_a_url() -> None:
    entries = lock_entries()
    assert len(entries) > 10
    for requirement, hashes in entries:
        assert re.match(r"[a-z0-9][a-z0-9._-]*==[^\s;]+(\s*;.*)?$", requirement), requirement
        assert "http" not in requirement and "//" not in requirement, requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", h) for h in hashes), requirement


def test_lock_holds_every_direct_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + [r for extra in project["optional-dependencies"].values() for r in extra]
    locked = {requirement.split("==")[0] for requirement, _ in lock_entries()}
    assert {re.split(r"[\s\[<>=!~;]", w, maxsplit=1)[0].lower() for w in wanted} <= locked


def test_runtime_dependencies_are_exactly_networkx_and_rich() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[\s\[<>=!~;]", d, maxsplit=1)[0].lower() for d in project["dependencies"]}
    assert names == {"networkx", "rich"}


def test_ci_script_is_executable_and_ends_with_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    commands = [line for line in script.read_text(encoding="utf-8").splitlines() if line.startswith("make ")]
    assert commands[-1].split()[0] == "make" and commands[-1].split()[-1] == "test"
