"""Which second way each claim has: a decider here, or a test elsewhere that compares its two ways (`POINTERS`)."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase

from .model import Decider, Found

DECIDERS: dict[str, Decider] = {}


def second(*patterns: str) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Register a decider for the claims of some globs; it is given the id."""

    def register(decider: Callable[..., Found]) -> Callable[..., Found]:
        for pattern in patterns:
            assert pattern not in DECIDERS, pattern
            DECIDERS[pattern] = decider
        return decider

    return register


def decider_of(id: str) -> Decider | None:
    """The decider of a claim: that of its own id, or of the longest pattern that fits."""
    load()
    fitting = [pattern for pattern in DECIDERS if fnmatchcase(id, pattern)]
    return DECIDERS[max(fitting, key=lambda pattern: (pattern == id, len(pattern)))] if fitting else None


def load() -> None:
    """Register every decider."""
    from . import (  # noqa: F401
        algebra_claims,
        algorithm_claims,
        bridge_claims,
        composition_claims,
        conflict_claims,
        design_claims,
        draw_claims,
        grid_claims,
        level_claims,
        lift_claims,
        log_claims,
        recovery_claims,
        schedule_claims,
        summand_claims,
        vote_claims,
    )


#: Claims whose two ways are compared by a test elsewhere: glob of ids, file of the test, name of the test.
_MAINTENANCE = "tests/unit/claims/test_lemma_1_maintenance.py"
_WIRE = "tests/unit/claims/test_configurations.py"
POINTERS: dict[str, str] = {
    "C1.n2": "tests/unit/claims/test_belief_drift.py::test_final_states_agree_with_an_operational_store",
    "Grid.bridge": "tests/unit/claims/test_bridge_grid.py::test_both_ways_of_judging_a_drawn_schedule_agree",
    "L1.graph": "tests/unit/claims/test_lemma_1.py::test_both_ways_answer_every_question_alike",
    "L1.transfer*": "tests/unit/claims/test_lemma_1.py::test_both_ways_answer_every_question_alike",
    "L1.n1.maintenance": f"{_MAINTENANCE}::test_a_walk_says_the_same_of_every_small_schedule",
    "L1.n1*": "tests/unit/claims/test_lemma_1.py::test_both_ways_answer_every_question_alike",
    "Grid.n2": "tests/unit/claims/test_partition_grid.py::test_every_interleaving_is_as_the_census_has_it",
    "W.N1-*": "tests/unit/claims/test_printed_agent.py::test_both_ways_of_finding_n1_agree",
    "W.LWW-RU": "tests/unit/claims/test_weakenings.py::test_the_solver_finds_histories_of_the_same_size",
    "W.EVI-RC": "tests/unit/claims/test_weakenings.py::test_the_solver_finds_histories_of_the_same_size",
    "W.AWAIT-NOCB": "tests/unit/claims/test_weakenings.py::test_the_solver_finds_histories_of_the_same_size",
    "W.RULE-SI": "tests/unit/claims/test_weakenings.py::test_the_solver_finds_the_phantom_that_the_pin_leaves",
    "C2.n1*": "tests/agreement/test_judge_log.py::test_both_deciders_agree",
    "Grid.oracle": "tests/unit/claims/test_oracle_grid.py::test_counts_at_the_size_of_the_grid_two_ways",
    "L3.cross": "tests/unit/claims/test_prompt_sensitivity.py::test_divergence_by_a_second_count",
    "L4.read": "tests/unit/claims/test_configurations.py::test_dependence_by_a_second_way",
    "L4.write": "tests/unit/claims/test_configurations.py::test_dependence_by_a_second_way",
    "Prop4": "tests/unit/claims/test_prompt_sensitivity.py::test_small_families_and_families_of_every_size_agree",
    "Prop6": "tests/unit/claims/test_configurations.py::test_attribution_by_a_second_way",
    "Prop7": f"{_WIRE}::test_a_knob_changes_verdicts_exactly_where_it_reaches_something",
}

#: Claims without a second way, with the reason.
NONE_YET: dict[str, str] = {}
