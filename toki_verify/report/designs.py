"""The library's matrix beside the paper's Table 4: every design, every cell, every disagreement with what shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from ..designs.facets import FACETS
from .line import Line, line
from .markdown import cell_text
from .plain import columns

Json = dict[str, Any]
#: The columns: cells, and what stands above them.
COLUMNS = (
    *(("N1", "N1"), ("N1[observed]", "N1o"), ("N1[replay]", "N1r"), ("N2", "N2"), ("N2[state]", "N2s"), ("N3", "N3")),
    *((f"N3[{facet}]", facet) for facet in FACETS),
    *((name, name) for name in ("P0", "P1", "P2", "P3", "P4", "A5A", "A5B", "CB")),
    ("final-state", "final"),
)
LETTERS = {"admits": "A", "excludes": "X", "undefined": "–", "undecided": "?"}
COLOURS = {"A": "red", "X": "green", "(X)": "dim", "–": "dim", "?": "yellow"}
LEGEND = (
    "A admits, X excludes, (X) excludes vacuously, – undefined, ? undecided. N1o N1[observed], N1r N1[replay], N2s "
    "N2[state]; content, source, winner, decision: N3 by facet, on all rows that are kept; final: a final state that "
    "no serial execution has. Table 4: Claim/Wire, of the transcribed logic (T) and of the shipped code (I)."
)


def letter(cell: Mapping[str, Any] | None) -> str:
    """A cell as a letter."""
    if cell is None:
        return " "
    return "(X)" if cell.get("vacuous") else LETTERS[cell["verdict"]]


def designs_lines(found: list[Json], width: int = 100) -> Iterator[Line]:
    """The matrix, the seed's letters, the disagreements."""
    names = max((int(columns(entry["design"])) for entry in found), default=0)
    wide = [max(3, len(head)) for _, head in COLUMNS]
    heads = " ".join(f"{head:<{size}}" for (_, head), size in zip(COLUMNS, wide, strict=True))
    yield line((f"{'':{names}}  {heads}  Table 4: N1, N2, N3", "bold"))
    for entry in found:
        pieces: list[tuple[str, str] | str] = [entry["design"] + " " * (names - int(columns(entry["design"]))) + "  "]
        for (name, _), size in zip(COLUMNS, wide, strict=True):
            text = letter(entry["cells"].get(name))
            pieces.append((f"{text:<{size}} ", COLOURS.get(text, "")))
        pieces.append((" " + _seed(entry), "dim"))
        yield line(*pieces)
    yield line()
    yield from (line((row, "dim")) for row in wrap(LEGEND, max(width, 60)))
    yield from _disagreements(found, width)


def _seed(entry: Json) -> str:
    rows = entry.get("seed_rows") or {}
    return "; ".join(
        f"{layer}: {' '.join(letters[name] for name in ('N1', 'N2', 'N3'))}" for layer, letters in rows.items()
    )


def _disagreements(found: list[Json], width: int) -> Iterator[Line]:
    count = sum(len(cell.get("disagrees", ())) > 0 for entry in found for cell in entry["cells"].values())
    if not count:
        return
    yield line()
    yield line(("Where Table 4 says something else", "bold"), (f"  {count} cells", "dim"))
    for entry in found:
        for name, cell in entry["cells"].items():
            if not cell.get("disagrees"):
                continue
            yield line()
            yield line(
                "  ", (f"{entry['design']} {cell['verdict']} {name}", "bold"), f": {'; '.join(cell['disagrees'])}"
            )
            text = cell["evidence"]["text"] if "evidence" in cell else cell.get("note", "")
            yield from (line(row) for row in wrap(text, width, initial_indent="    ", subsequent_indent="    "))
            if "text" in cell:
                rows = wrap(cell["text"], width, initial_indent="    ", subsequent_indent="      ")
                yield from (line((row, "dim")) for row in rows)


def designs_markdown(found: list[Json]) -> str:
    """The matrix as a table, and the disagreements as a list."""
    heads = ["design", *(head for _, head in COLUMNS), "Table 4: N1, N2, N3"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for entry in found:
        cells = [cell_text(entry["design"]), *(letter(entry["cells"].get(name)) for name, _ in COLUMNS), _seed(entry)]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", LEGEND, ""]
    for entry in found:
        for name, cell in entry["cells"].items():
            if cell.get("disagrees"):
                text = cell["evidence"]["text"] if "evidence" in cell else cell.get("note", "")
                shown = f" `{cell['text']}`" if "text" in cell else ""
                said = "; ".join(cell["disagrees"])
                lines.append(
                    f"- **{cell_text(entry['design'])} {cell['verdict']} {name}** ({said}): {cell_text(text)}{shown}"
                )
    return "\n".join(lines) + "\n"
