"""Hypothesis strategies: names, values, events and well-formed schedules of everything the model has.

A schedule is built from left to right: a list of small independent steps is drawn, and each is fitted to the state that
the steps before it left (a step that fits nothing is dropped). So nothing is filtered, and a counterexample shrinks by
deleting steps. Every feature beyond `r w c` is switched on by a number that shrinks to 0.

`programs` are what transactions do before they are interleaved, `interleavings` the schedules that a store makes of
them; `conflict_pairs` and `at_level` are schedules by what they show. `st.from_type(Schedule)` is `schedules()`.
"""

try:
    import hypothesis as hypothesis
except ImportError as error:  # pragma: no cover - the lock of this repository has it
    raise ImportError("toki_verify.search.strategies needs Hypothesis: pip install 'toki-verify[testing]'") from error

from .atoms import events, json_values, names
from .programs import at_level, conflict_pairs, interleavings, programs
from .schedules import schedules

__all__ = ["at_level", "conflict_pairs", "events", "interleavings", "json_values", "names", "programs", "schedules"]
