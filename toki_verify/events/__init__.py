"""Events and schedules: the data everything else is about. Imports nothing else of ours."""

from .kinds import (
    DEFAULT_TABLE,
    INITIAL,
    OPERATORS,
    SURFACE_PARTS,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Expectation,
    InitialVersion,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Surface,
    Write,
    WriteKind,
)
from .problems import Problem, ScheduleError
from .resolve import INIT, Resolved, RowSeen
from .schedule import Schedule

__all__ = [
    "DEFAULT_TABLE", "INIT", "INITIAL", "OPERATORS", "SURFACE_PARTS", "Abort", "Begin", "Callback", "Commit", "Event",
    "Expectation", "InitialVersion", "Item", "Judge", "Partition", "Predicate", "PredicateRead", "Problem", "Read",
    "Resolved", "Row", "RowSeen", "Schedule", "ScheduleError", "Surface", "Write", "WriteKind",
]
