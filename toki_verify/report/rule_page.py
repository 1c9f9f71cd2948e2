"""Rule pages: one set of data, as text for the terminal and as Markdown for the docs."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import indent, wrap
from typing import Any

from ..phenomena.catalogue import Phenomenon
from ..phenomena.implications import IMPLICATIONS
from ..phenomena.pages import page
from ..relations.edges import EDGES, anti, dep, dsg
from ..relations.formulas import Formula, children
from ..relations.printing import formula_text, term_text
from ..relations.terms import Definition, Term


def definitions_of(formula: Formula) -> list[Definition]:
    """The named relations a formula speaks of, outermost first, each once."""
    found: dict[str, Definition] = {}

    def visit(node: Term | Formula) -> None:
        if isinstance(node, Definition) and node.name not in found:
            found[node.name] = node
        for child in children(node):
            visit(child)

    visit(formula)
    return list(found.values())


def page_data(entry: Phenomenon) -> dict[str, Any]:
    """Everything a page says."""
    prose = page(entry.id) or {}
    return {
        "id": entry.id,
        "title": entry.title,
        "aliases": list(entry.aliases),
        "formula": formula_text(entry.formula),
        "where": {d.name: term_text(d, expand=True) for d in definitions_of(entry.formula)},
        "meaning": prose.get("meaning", ""),
        "hurts": prose.get("hurts", ""),
        "example": prose.get("example", ""),
        "clean": prose.get("clean", ""),
        "guard": prose.get("guard", "-"),
        "guard_note": prose.get("guard_note", ""),
        "pattern": entry.pattern,
        "implies": [f"{i.implied}" + (f" at {i.at}" if i.at else "") for i in IMPLICATIONS if i.present == entry.id],
        "implied_by": [f"{i.present}" + (f" at {i.at}" if i.at else "") for i in IMPLICATIONS if i.implied == entry.id],
        "relatives": list(prose.get("relatives", [])),
        "source": entry.source,
        "references": list(prose.get("references", [])),
    }


def _also(data: dict[str, Any]) -> list[str]:
    """The aliases that say something else than the title."""
    return [alias for alias in data["aliases"] if alias.casefold() != data["title"].casefold()]


def _references(data: dict[str, Any]) -> list[str]:
    """Each work and place once: what another reference says, too, and more exactly, is left out."""
    found = dict.fromkeys(part for text in [*data["references"], data["source"]] for part in text.split("; "))
    return [text for text in found if not any(other.startswith((f"{text} ", f"{text},")) for other in found)]


def _guard(data: dict[str, Any]) -> str:
    guard = "no level of the default family excludes it" if data["guard"] == "-" else f"{data['guard']} excludes it"
    return f"{guard}. {data['guard_note']}".strip()


def page_text(entry: Phenomenon, width: int = 100) -> str:
    """The page for the terminal."""
    data = page_data(entry)
    lines = [f"{data['id']}  {data['title']}"]
    if _also(data):
        lines.append(f"also: {', '.join(_also(data))}")
    if data["pattern"]:
        lines.append("a pattern: also occurs in serializable schedules; reported, not judged by itself")

    def section(title: str, text: str) -> None:
        if text:
            lines.append("")
            lines.append(title)
            lines.extend(wrap(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))

    lines += ["", "formula", f"  {data['formula']}"]
    lines += [f"    {name} = {text}" for name, text in data["where"].items()]
    section("meaning", data["meaning"])
    section("why it hurts an agent memory", data["hurts"])
    if data["example"]:
        lines += ["", "example", indent(data["example"], "  ")]
        lines += ["without it", indent(data["clean"], "  ")] if data["clean"] else []
    section("guard", _guard(data))
    section("implies", ", ".join(data["implies"]))
    section("implied by", ", ".join(data["implied_by"]))
    section("relatives", ", ".join(data["relatives"]))
    lines += ["", "references"]
    lines += [f"  {reference}" for reference in _references(data)]
    return "\n".join(lines) + "\n"


def page_markdown(entry: Phenomenon) -> str:
    """The page for the docs."""
    data = page_data(entry)
    lines = [f"## {data['id']}: {data['title']}", ""]
    if _also(data):
        lines += [f"Also: {', '.join(_also(data))}.", ""]
    if data["pattern"]:
        lines += ["A pattern: it also occurs in serializable schedules; it is reported and not judged by itself.", ""]
    lines += [data["meaning"], "", "```", data["formula"]]
    lines += [f"  where {name} = {text}" for name, text in data["where"].items()]
    lines += ["```", "", f"**Why it hurts an agent memory.** {data['hurts']}", ""]
    if data["example"]:
        lines += ["```", f"{data['example']}    # shows it", f"{data['clean']}    # does not", "```", ""]
    lines += [f"**Guard.** {_guard(data)}", ""]
    for title, key in (("Implies", "implies"), ("Implied by", "implied_by"), ("Relatives", "relatives")):
        if data[key]:
            lines += [f"**{title}.** {', '.join(data[key])}", ""]
    lines += ["**References.** " + "; ".join(_references(data)), ""]
    return "\n".join(lines)


def listing(entries: Iterable[Phenomenon]) -> str:
    """One line a phenomenon: id, guard, title."""
    rows = [
        (e.id, (page(e.id) or {}).get("guard", "-"), e.title + ("  (pattern)" if e.pattern else "")) for e in entries
    ]
    wide = max(len(row[0]) for row in rows)
    return "".join(f"{name.ljust(wide)}  {guard.ljust(3)}  {title}\n" for name, guard, title in rows)


def docs(entries: Iterable[Phenomenon]) -> str:
    """The generated document of every phenomenon."""
    head = [
        "# Phenomena",
        "",
        "Generated by `make docs` from the catalogue; a test keeps it so. `toki-verify rule ID` prints one page.",
        "",
        "Relations between accesses and transactions (SEMANTICS §2), as the formulas use them:",
        "",
        "```",
    ]
    head += [f"{name} = {term_text(edge, expand=True)}" for name, edge in EDGES.items()]
    head += [f"{d.name} = {term_text(d, expand=True)}" for d in (dep, anti, dsg)]
    return "\n".join([*head, "```", "", *map(page_markdown, entries)])
