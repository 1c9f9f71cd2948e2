"""N3 as it is reported: evidence that names what was lost and who overwrote it, and when it counts."""

from __future__ import annotations

import json

import pytest

from toki_verify.checker import check
from toki_verify.cli.main import main
from toki_verify.events import Schedule, Surface
from toki_verify.relations.surface import NO_FACTS, recovery, speaks_of_recovery

LOST = "w1[x1 prov p] c1 w2[x2 prov q] c2"


def told(text: str, name: str = "N3") -> tuple[str, tuple[int, ...]]:
    evidence = check(Schedule.parse(text)).findings[name].evidence
    assert evidence is not None and evidence.phenomenon == name
    return evidence.text, evidence.events


@pytest.mark.parametrize(
    ("text", "says", "events"),
    [
        (LOST, "T2 overwrote x@1 (provenance p), and no row that the store keeps has a provenance ⪰ its own.", (0, 2)),
        ("w1[x1] c1 w2[-x2] c2", "T2 deleted x@1 (no provenance stated), and no row", (0, 2)),
        ("init x0 prov p\nw1[x1] c1", "T1 overwrote x@0 (provenance p), and no row", (0,)),
        # The read says that version 0 was a row, so it belongs to the evidence.
        ("r2[x0] w1[x1] c1 r2[x0]", "T1 overwrote x@0 (no provenance stated)", (0, 1)),
        ("r2{P: x0} w1[x1] c1", "T1 overwrote x@0", (0, 1)),
        # Of two versions the one whose loss is shown by fewer and earlier events.
        ("w1[y1 prov p] c1 w2[x1 prov p] c2 w3[x2 prov q] w3[y2 prov q] c3", "T3 overwrote", (2, 4)),
    ],
)
def test_evidence(text: str, says: str, events: tuple[int, ...]) -> None:
    words, found = told(text)
    assert says in words and found == events


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("N3[current]", "no current row has"),
        ("N3[closed]", "no current or closed row has"),
        ("N3[history]", "no current or closed row and no entry of the history log has"),
        ("N3[audit]", "no row that the store keeps has"),
    ],
)
def test_evidence_names_the_surface(name: str, says: str) -> None:
    assert says in told(LOST, name)[0]


def test_no_evidence_of_what_is_absent() -> None:
    finding = check(Schedule.parse("w1[x1 prov p] c1 w2[x2 prov p+q] c2")).findings["N3"]
    assert finding.present is False and finding.evidence is None


def test_it_counts_only_where_the_schedule_speaks_of_recovery() -> None:
    plain = "w1[x1] c1 w2[x2] c2"
    silent = check(Schedule.parse(plain))
    assert silent.findings["N3"].present and silent.ok is True and not silent.anomalies()
    for text in (LOST, f"surface current\n{plain}", f"init y0 prov p\n{plain}"):
        spoken = check(Schedule.parse(text))
        assert spoken.ok is False and [f.phenomenon.id for f in spoken.anomalies()] == ["N3"]
    assert not speaks_of_recovery(Schedule.parse("w1[x1] c1 w2[x2] w2[+history:h1] c2"))
    # Expectations and absences name it whatever the schedule says.
    assert check(Schedule.parse(f"{plain}\nexpect not N3")).ok is False
    assert check(Schedule.parse(plain), absent=["audit erasure"]).ok is False
    assert check(Schedule.parse(LOST), level="SR").ok is True


def test_reports_show_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-e", LOST, "-o", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["phenomena"]["N3"]["present"] is True
    assert found["phenomena"]["N3"]["evidence"]["text"].startswith("T2 overwrote x@1")
    assert main(["check", "-e", LOST]) == 1
    out = capsys.readouterr().out
    assert "audit erasure" in out and "N3[current]" not in out
    assert main(["check", "-e", LOST + " w3[+audit:e1 prov p] c3"]) == 0
    assert "N3[current], N3[closed], N3[history]" in capsys.readouterr().out
    assert main(["rule", "N3"]) == 0
    assert "⪰" in capsys.readouterr().out


def test_surface_lines() -> None:
    parts = ("current", "closed", "history", "audit")

    def kept(surface: tuple[Surface, ...], table: str) -> set[str]:
        return {part for part in parts if recovery(surface).keeps(part, table)}

    assert kept((), "facts") == {"current"} and kept((), "any") == {"current"}
    assert kept((), "history") == {"history"} and kept((), "audit") == {"audit"}
    only = (Surface("current"),)
    assert kept(only, "facts") == {"current"} and kept(only, "history") == kept(only, "audit") == set()
    named = (Surface("closed", "facts"), Surface("history", "log"), Surface("audit"), Surface("audit", "trail"))
    assert kept(named, "facts") == {"current", "closed"} and kept(named, "memories") == {"current"}
    assert kept(named, "log") == {"history"} and kept(named, "audit") == kept(named, "trail") == {"audit"}
    assert kept(named, "history") == set()
    assert recovery(named).no_facts == NO_FACTS | {"log", "trail"}
    both = (Surface("current", "a"), Surface("current"), Surface("history", "t"), Surface("audit", "t"))
    assert kept(both, "b") == {"current"} and kept(both, "t") == {"history", "audit"}
    assert kept((Surface("current", "a"),), "b") == set()
    assert kept((Surface("audit", "judge_log"),), "judge_log") == set()  # votes have no provenance
