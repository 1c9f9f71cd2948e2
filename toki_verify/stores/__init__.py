"""Where facts are kept: the dual-row table over three engines, the durable judge log, and Algorithm 1's write path."""

from .errors import StoreError
from .memory import MemoryStore
from .protocol import CONSTRAINTS, MODES, JudgeKey, JudgeLog, LogEntry, Store, Transaction
from .write_path import Step, WritePath, Written

__all__ = [
    "CONSTRAINTS",
    "MODES",
    "JudgeKey",
    "JudgeLog",
    "LogEntry",
    "MemoryStore",
    "Step",
    "Store",
    "StoreError",
    "Transaction",
    "WritePath",
    "Written",
]
