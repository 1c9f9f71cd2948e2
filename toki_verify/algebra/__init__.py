"""The operator algebra of TOKI, executable: facts and time, carriers of provenance, operators, pipelines.

Pure: nothing here does input or output, or imports anything outside the standard library. Where facts are kept is
`toki_verify.stores`.
"""

from .audit import AuditTuple
from .facts import ALL_COLUMNS, COLUMNS, Fact, asof, contradicts
from .operators import AWAIT, EVIDENCE, LWW, OPERATORS, RULE, Operator, Resolution, operator
from .periods import SENTINEL_END, Period
from .pipeline import Pipeline, fold
from .preconditions import Precondition
from .semiring import Semiring

__all__ = [
    "ALL_COLUMNS",
    "AWAIT",
    "COLUMNS",
    "EVIDENCE",
    "LWW",
    "OPERATORS",
    "RULE",
    "SENTINEL_END",
    "AuditTuple",
    "Fact",
    "Operator",
    "Period",
    "Pipeline",
    "Precondition",
    "Resolution",
    "Semiring",
    "asof",
    "contradicts",
    "fold",
    "operator",
]
