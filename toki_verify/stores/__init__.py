"""Where facts are kept: the dual-row table over three engines, the durable judge log, and Algorithm 1's write path."""

from .duckdb import DuckdbStore
from .errors import (
    ConstraintViolated,
    EngineMissing,
    NewerVersion,
    NoOpenRow,
    NotAStore,
    StoreClosed,
    StoreError,
    StoreFailed,
    StoreFull,
    StoreLocked,
    UnknownMode,
)
from .memory import MemoryStore
from .protocol import CONSTRAINTS, MODES, JudgeKey, JudgeLog, LogEntry, Store, Transaction
from .sqlite import SqliteStore
from .write_path import Step, WritePath, Written, identities

__all__ = [
    "CONSTRAINTS",
    "MODES",
    "ConstraintViolated",
    "DuckdbStore",
    "EngineMissing",
    "JudgeKey",
    "JudgeLog",
    "LogEntry",
    "MemoryStore",
    "NewerVersion",
    "NoOpenRow",
    "NotAStore",
    "SqliteStore",
    "Step",
    "Store",
    "StoreClosed",
    "StoreError",
    "StoreFailed",
    "StoreFull",
    "StoreLocked",
    "Transaction",
    "UnknownMode",
    "WritePath",
    "Written",
    "identities",
]
