"""The style sheet of the pictures: light, and dark where the reader's system is."""

from __future__ import annotations

#: Class, light and dark declarations.
_COLOURS = (
    (".tv-page", "fill:#ffffff", "fill:#15181e"),
    (".tv-lane", "fill:#f4f6f9", "fill:#1e232b"),
    (".tv-life", "stroke:#c3cad5", "stroke:#46505f"),
    (".tv-text", "fill:#1b2330", "fill:#e7ebf2"),
    (".tv-dim", "fill:#6a7485", "fill:#98a3b5"),
    (".tv-alarm", "fill:#c01f2e", "fill:#ff7b82"),
    (".tv-read", "fill:#dcebfd;stroke:#5b93d6", "fill:#1c3554;stroke:#6ba2e6"),
    (".tv-write", "fill:#ffe9c7;stroke:#cf9230", "fill:#4a3713;stroke:#d9a448"),
    (".tv-predicate", "fill:#d9f3ea;stroke:#2f9c79", "fill:#14402f;stroke:#46b790"),
    (".tv-callback", "fill:#eee3fb;stroke:#8e63c7", "fill:#38254f;stroke:#b18ce4"),
    (".tv-judge", "fill:#8e63c7;stroke:#8e63c7", "fill:#b18ce4;stroke:#b18ce4"),
    (".tv-begin", "fill:#ffffff;stroke:#6a7485", "fill:#15181e;stroke:#98a3b5"),
    (".tv-commit", "fill:#33805a;stroke:#33805a", "fill:#5fbf8e;stroke:#5fbf8e"),
    (".tv-abort", "fill:none;stroke:#6a7485", "fill:none;stroke:#98a3b5"),
    (".tv-edge", "stroke:#97a1b1", "stroke:#6c7789"),
    (".tv-tip", "fill:#97a1b1", "fill:#6c7789"),
    (".tv-hot", "stroke:#d3222f", "stroke:#ff6a72"),
    (".tv-hot-tip", "fill:#d3222f", "fill:#ff6a72"),
)
_SHAPES = (
    ".tv-title{font:600 16px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
    ".tv-head{font:600 13px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
    ".tv-prose{font:13px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
    ".tv-small{font:11px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
    ".tv-event{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    ".tv-note{font:10px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    ".tv-label{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    ".tv-strong{font-weight:700}"
    ".tv-mid{text-anchor:middle}"
    ".tv-life{stroke-width:2}"
    ".tv-edge{fill:none;stroke-width:1.3}"
    ".tv-hot{stroke-width:2.2}"
    ".tv-anti{stroke-dasharray:5 3}"
    ".tv-abort{stroke-width:2.6}"
)


def _rules(which: int) -> str:
    return "".join(f"{row[0]}{{{row[which]}}}" for row in _COLOURS)


STYLE = f"{_SHAPES}{_rules(1)}@media (prefers-color-scheme:dark){{{_rules(2)}}}"
