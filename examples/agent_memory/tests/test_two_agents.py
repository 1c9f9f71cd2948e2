"""Two agents meet one contradiction; the second asks while the judge still thinks about the question of the first."""

from __future__ import annotations

from pathlib import Path

import beliefs


def test_two_agents_settle_one_contradiction(toki, tmp_path: Path) -> None:
    path = str(tmp_path / "beliefs.db")
    recording = toki.recorder("two-agents")

    def of_two(first: str, second: str) -> str:
        return second

    def of_one(first: str, second: str) -> str:
        # A judge takes seconds: meanwhile the other agent settles the same contradiction.
        with recording.begin("2") as transaction:
            two.settle("rome", "paris", transaction.note)
        return first

    log = beliefs.open_log(path)
    one, two = beliefs.Memory(path, log, of_one), beliefs.Memory(path, log, of_two)
    one.add("paris", "Alice lives in Paris")
    one.add("rome", "Alice lives in Rome")
    with recording.begin("1") as transaction:
        one.settle("paris", "rome", transaction.note)

    toki.check(recording)
    assert one.held() == {"rome": "Alice lives in Rome"}
