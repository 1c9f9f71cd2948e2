"""Where facts are kept: the dual-row table over three engines, the durable judge log, and Algorithm 1's write path."""

from .duckdb import DuckdbStore
from .errors import StoreError
from .memory import MemoryStore
from .protocol import CONSTRAINTS, MODES, JudgeKey, JudgeLog, LogEntry, Store, Transaction
from .sqlite import SqliteStore
from .write_path import Step, WritePath, Written, identities

__all__ = [
    "CONSTRAINTS",
    "MODES",
    "DuckdbStore",
    "JudgeKey",
    "JudgeLog",
    "LogEntry",
    "MemoryStore",
    "SqliteStore",
    "Step",
    "Store",
    "StoreError",
    "Transaction",
    "WritePath",
    "Written",
    "identities",
]
