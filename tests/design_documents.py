"""What the documents show of designs, as the commands print it. `python -m tests.design_documents` writes it anew."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from toki_verify.cli.designs import reviewed
from toki_verify.designs.library import PLACES
from toki_verify.report.designs import letter

ROOT: Final = Path(__file__).resolve().parents[1]
README: Final = ROOT / "README.md"
REVIEW: Final = ROOT / "examples/designs/review"
COLUMNS: Final = ("N1", "N2", "N3", "N3[content]", "N3[source]", "N3[winner]", "N3[decision]")
MATRIX: Final = re.compile(r"(<!-- designs: [^\n]* -->\n)(.*?)(<!-- end -->)", re.DOTALL)
#: Where a shown report leaves something out.
CUT: Final = "…"


def printed(*words: str, directory: Path = ROOT) -> list[str]:
    """The lines that `toki-verify` prints, 100 columns wide, without spaces at their ends."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    environment |= {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "toki_verify", *words],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in (0, 1) or done.stderr:
        raise AssertionError(f"toki-verify {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return [line.rstrip() for line in done.stdout.split("\n")]


def review_of(name: str) -> list[str]:
    """The report of a design of the worked review."""
    return printed("design", f"{name}.py:PromptMemory", directory=REVIEW)


#: Of a shown report: where a piece begins and before which line it ends, by the beginnings of the lines.
Piece = tuple[str, str]
#: What the README shows of the report on its example.
EXAMPLE: Final[tuple[Piece, ...]] = (
    ("LastWriterWins", "  – N2[state]"),
    ("  N3 by facet", "  N1, N1[observed]"),
    ("  N1, N1[observed]", "    N1:"),
    ("    N1[replay]:", "    in short"),
    ("  What would exclude them", "    N3[decision]"),
)
#: What the review shows of the report on the candidate, a block each, and on the repaired design.
FINDINGS: Final[tuple[tuple[Piece, ...], ...]] = (
    (("    N1[replay]:", "    in short"),),
    (("    N2[state]:", "    final-state:"), ("         W1 W2", "    in short")),
    (("    P3, N2, N2[state], final-state", "    N1, N1[observed]"),),
    (("    N3[content], N3[source]", "    in short"),),
)
REPAIRED: Final[tuple[Piece, ...]] = (("PromptMemory", "\0"),)
BLOCKS: Final = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shortened(whole: list[str], pieces: tuple[Piece, ...]) -> str:
    """Pieces of a report, with a mark where something is left out between two of them."""
    found, end = [], 0
    for number, (first, stop) in enumerate(pieces):
        start = next(at for at in range(end, len(whole)) if whole[at].startswith(first))
        if number and start > end:
            found.append(CUT)
        end = next((at for at in range(start + 1, len(whole)) if whole[at].startswith(stop)), len(whole))
        found += whole[start:end]
    return "\n".join(found).rstrip() + "\n"


def example_block() -> str:
    """The session that the README shows."""
    words = ("design", "examples/designs/first.py:LastWriterWins")
    return f"$ toki-verify {' '.join(words)}\n{shortened(printed(*words), EXAMPLE)}"


def finding_blocks(report: list[str]) -> list[str]:
    """What the review shows of the report on the candidate."""
    return [shortened(report, pieces) for pieces in FINDINGS]


def repaired_block(report: list[str]) -> str:
    """What the review shows of the report on the repaired design."""
    return f"$ toki-verify design repaired.py:PromptMemory\n{shortened(report, REPAIRED)}"


def blocks(text: str) -> list[str]:
    """The reports that a document shows."""
    return BLOCKS.findall(text)


def with_blocks(text: str, new: list[str]) -> str:
    """The document with other reports in the place of those that it shows."""
    left = iter(new)
    return BLOCKS.sub(lambda _: f"```text\n{next(left)}```", text)


def matrix_row(entry: dict[str, Any]) -> str:
    """A design of the library as a row of the README's table. Bold is what Table 4 says otherwise."""
    letters = [
        f"**{letter(cell)}**" if cell.get("disagrees") else letter(cell)
        for cell in (entry["cells"][name] for name in COLUMNS)
    ]
    seed = "; ".join(f"{layer}: {' '.join(said.values())}" for layer, said in (entry.get("seed_rows") or {}).items())
    return f"| `{entry['name']}` | {' | '.join(letters)} | {seed} |"


def matrix_rows(slugs: Iterator[str] | list[str]) -> list[str]:
    """The rows of some designs, explored now."""
    return [matrix_row(reviewed(slug, (2, 1, None))) for slug in slugs]


def shown_rows() -> list[str]:
    """The rows that the README shows."""
    found = MATRIX.search(README.read_text(encoding="utf-8"))
    assert found is not None
    return [line for line in found.group(2).split("\n") if line.startswith("| `")]


def matrix_block() -> str:
    """The README's table."""
    heads = ["design", "N1", "N2", "N3", "content", "source", "winner", "decision", "Table 4: N1, N2, N3"]
    rows = matrix_rows(list(PLACES))
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *rows]) + "\n"


def main() -> None:
    """Write the report and the matrix of the README, and the reports of the review."""
    candidate = review_of("candidate")
    (REVIEW / "report.txt").write_text("\n".join(candidate), encoding="utf-8")
    review = REVIEW / "README.md"
    new = [*finding_blocks(candidate), repaired_block(review_of("repaired"))]
    review.write_text(with_blocks(review.read_text(encoding="utf-8"), new), encoding="utf-8")
    text = with_blocks(README.read_text(encoding="utf-8"), [example_block()])
    rows = matrix_block()
    README.write_text(MATRIX.sub(lambda found: found.group(1) + rows + found.group(3), text), encoding="utf-8")


if __name__ == "__main__":
    main()
