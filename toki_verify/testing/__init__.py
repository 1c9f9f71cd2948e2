"""Property tests for operators, carriers, stores, judge logs, write paths and pipelines of your own; tests of designs.

Each suite is a class that pytest collects, one test method a law; a failure names the law, where the paper has it, and
the smallest counterexample as a table of facts or as a schedule (docs/your-own.md has an example of each):

    from toki_verify.testing import operator_suite

    TestMyOperators = operator_suite(lambda: {"lww": MyLastWriterWins()})

The names are imported when they are first used, since pytest imports this package in every run (its plugin lives here).
The first use of a suite registers the Hypothesis profiles `toki-ci` and `toki-nightly`; without Hypothesis it raises
ImportError. `assert_design(MyMemory).excludes("N1", "N3")` needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

_HOMES = {
    "LAWS": "laws",
    "Law": "laws",
    "LawBroken": "failures",
    "PROFILES": "profiles",
    "Pair": "cases",
    "Untestable": "protocols",
    "assert_design": "designs",
    "carrier_suite": "carrier_laws",
    "compatible_pairs": "strategies",
    "conflict_sets": "strategies",
    "contradicting_pairs": "strategies",
    "elements": "strategies",
    "facts": "strategies",
    "judge_log_suite": "log_laws",
    "operator_suite": "operator_laws",
    "pipeline_suite": "pipeline_laws",
    "store_suite": "store_laws",
    "write_path_machine": "write_machine",
}
#: Names that need no Hypothesis.
_PLAIN = frozenset({"assert_design"})

if TYPE_CHECKING:
    from .carrier_laws import carrier_suite as carrier_suite
    from .cases import Pair as Pair
    from .designs import assert_design as assert_design
    from .failures import LawBroken as LawBroken
    from .laws import LAWS as LAWS
    from .laws import Law as Law
    from .log_laws import judge_log_suite as judge_log_suite
    from .operator_laws import operator_suite as operator_suite
    from .pipeline_laws import pipeline_suite as pipeline_suite
    from .profiles import PROFILES as PROFILES
    from .protocols import Untestable as Untestable
    from .store_laws import store_suite as store_suite
    from .strategies import compatible_pairs as compatible_pairs
    from .strategies import conflict_sets as conflict_sets
    from .strategies import contradicting_pairs as contradicting_pairs
    from .strategies import elements as elements
    from .strategies import facts as facts
    from .write_machine import write_path_machine as write_path_machine

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if name not in _PLAIN:
        try:
            import hypothesis as hypothesis
        except ImportError as error:
            raise ImportError(
                f"toki_verify.testing.{name} needs Hypothesis: pip install 'toki-verify[testing]'"
            ) from error
        import_module(".profiles", __name__)
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
