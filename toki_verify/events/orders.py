"""Version orders and session orders: the default, and the stated ones checked (SEMANTICS §1)."""

from __future__ import annotations

from collections.abc import Mapping

from .kinds import INITIAL, Event, Item, Write
from .problems import Problem
from .resolve import Resolved


def resolve_orders(
    events: tuple[Event, ...],
    order: Mapping[Item, tuple[str, ...]],
    sessions: Mapping[str, tuple[str, ...]],
    out: Resolved,
) -> list[Problem]:
    """Fill `out.order` (installed writes per item, in ≪) and report stated orders that do not fit."""
    problems: list[Problem] = []
    for item, writes in out.writes.items():
        out.order[item] = [w for w in writes if w in out.final and events[w].txn in out.committed]
    for item, stated in order.items():
        installed = out.order.get(item, [])
        by_label = {}
        for write in installed:
            event = events[write]
            assert isinstance(event, Write)
            if event.version is None:
                problems.append(
                    Problem(
                        f"a version order is stated for {item.name}, but T{event.txn} writes it without a label",
                        "a label on every installed version of the item",
                        "order-labels",
                        write,
                    )
                )
            else:
                by_label[event.version] = write
        if len(by_label) != len(installed):
            continue
        expected = f"exactly the installed versions: {_listed([INITIAL, *by_label])}"
        if len(set(stated)) != len(stated):
            problems.append(
                Problem(f"the order of {item.name} lists a version twice", expected, "order", part=("order", item))
            )
        elif set(stated) != set(by_label):
            named = set(stated)
            wrong = [label for label in stated if label not in by_label]
            lacks = [label for label in by_label if label not in named]
            what = f"which is not installed: {_listed(wrong)}" if wrong else f"without {_listed(lacks)}"
            problems.append(
                Problem(
                    f"the order of {item.name} is stated {'with a version ' if wrong else ''}{what}",
                    expected,
                    "order",
                    part=("order", item),
                )
            )
        else:
            out.order[item] = [by_label[label] for label in stated]
    seen: dict[str, str] = {}
    for session, txns in sessions.items():
        for txn in txns:
            if txn in seen:
                problems.append(
                    Problem(
                        f"T{txn} stands in session {seen[txn]} and again in session {session}",
                        "each transaction in at most one session, once",
                        "session",
                        part=("session", session),
                    )
                )
            elif txn not in out.start:
                problems.append(
                    Problem(
                        f"session {session} names T{txn}, which has no event",
                        "transactions of the schedule",
                        "session",
                        part=("session", session),
                    )
                )
            seen[txn] = session
    return problems


def _listed(labels: list[str]) -> str:
    """Version labels for a message: the first ten."""
    return " ".join(labels[:10]) + (" …" if len(labels) > 10 else "")
