"""Cases that take seconds and have quicker ones of the same test, or of the same kind, in the fast suites or in
`make recheck`.

They are marked heavy when tests are collected; `make test-all` runs them. `test_heavy_cases.py` says which entries name
nothing.
"""

from __future__ import annotations

from typing import Final

#: By file: the tests, with their parameters where only those cases are meant.
HEAVY: Final[dict[str, tuple[str, ...]]] = {
    "tests/agreement/test_bounded.py": (
        "test_models_are_the_schedules_that_generate_and_test_finds[5]",
        "test_the_circuit_says_what_the_concrete_reading_says[Frame(sizes=(3, 3), ended=(True, True))]",
        "test_the_circuit_says_what_the_concrete_reading_says[Frame(sizes=(3, 2), ended=(True, True))]",
        "test_every_phenomenon_is_seen_true_and_false_in_some_frame",
        "test_the_circuit_says_what_the_concrete_reading_says[Frame(sizes=(4, 3), ended=(True, False))]",
        "test_models_with_predicates_judges_and_orders_are_each_made_once",
    ),
    "tests/agreement/test_census.py": (
        "test_every_cell_is_that_of_generate_and_test[3-3-2]",
        "test_every_cell_is_that_of_generate_and_test[3-3-3]",
    ),
    "tests/agreement/test_columnar_counts.py": ("test_no_product_of_places_overflows",),
    "tests/agreement/test_designs.py": ("test_three_writers",),
    "tests/agreement/test_erasure.py": (
        "test_mutants_of_erasure_are_found[deletes are facts]",
        "test_mutants_of_erasure_are_found[every initial version is a fact]",
        "test_mutants_of_erasure_are_found[initial versions are no facts]",
        "test_mutants_of_erasure_are_found[neither version need be installed]",
    ),
    "tests/agreement/test_judge_log.py": ("test_both_deciders_agree[own-asked]",),
    "tests/agreement/test_level_definitions.py": (
        "test_session_levels_are_the_axioms_of_biswas_and_enea[5]",
        "test_si_and_sr_are_the_existence_of_timestamps_and_of_a_serial_order[5]",
        "test_families_are_ordered_as_they_say",
    ),
    "tests/agreement/test_engine.py": ("test_pairs_of_three_and_two_operations_over_items",),
    "tests/agreement/test_mutants.py": (
        "test_mutant_is_found[OTV in any order]",
        "test_mutant_is_found[P2[G-single] on two items]",
        "test_mutant_is_found[read dependencies without pwr]",
        "test_mutant_is_found[pwr from the version seen only]",
        "test_mutant_is_found[dep without pwr]",
        "test_mutant_is_found[A5B[event] on one item]",
    ),
    "tests/agreement/test_oracle.py": (
        "test_census[predicates]",
        "test_census[classical]",
        "test_census[two transactions in one partition]",
        "test_census[deletes, stated rows, aborts]",
        "test_census[deletes, stated rows, a partition]",
        "test_random_schedules_reach_every_answer",
    ),
    "tests/bench/test_census_ratio.py": ("test_eight_events_cost_less_per_schedule_than_seven",),
    "tests/bench/test_design_ratios.py": ("test_the_library[mem0-v2]",),
    "tests/bench/test_search_ratios.py": (
        "test_the_encoding_against_generate_and_test",
        "test_a_search_of_nine_events_costs_little_more_than_one_of_seven",
        "test_distinguishing_si_from_sr_costs_as_much_as_its_witness",
    ),
    "tests/bench/test_store_ratios.py": (
        "test_a_write_is_no_slower_among_many_facts[memory-1.5-400]",
        "test_a_write_is_no_slower_among_many_facts[sqlite-file-1.5-150]",
        "test_a_write_is_no_slower_among_many_facts[sqlite-memory-1.5-400]",
    ),
    "tests/cli/test_attacks.py": ("test_a_result_that_nobody_can_get_is_an_error[prove --list]",),
    "tests/cli/test_searching.py": ("test_witness_that_bounds_do_not_reach_is_undecided",),
    "tests/cli/test_traces.py": ("test_ctrl_c_while_a_trace_is_read_or_explained",),
    "tests/laws/test_axioms.py": (
        "test_wrong_axioms_are_caught[vote]",
        "test_axioms_hold_of_every_small_schedule[predicates-4-complete]",
        "test_axioms_hold_of_every_small_schedule[classical-5-complete]",
        "test_axioms_hold_of_every_small_schedule[classical-4-orders]",
        "test_axioms_hold_of_every_small_schedule[predicates-3]",
    ),
    "tests/laws/test_crashes.py": (
        "test_a_broken_store_is_caught[lazy-acknowledged]",
        "test_the_last_writes_may_be_missing_from_the_disk[duckdb]",
        "test_killed_at_any_time[sqlite]",
        "test_killed_at_any_time[duckdb]",
        "test_killed_everywhere[duckdb-step-3]",
    ),
    "tests/laws/test_fuzz_readers.py": ("test_large_json[init]",),
    "tests/laws/test_implications.py": (
        "test_no_small_schedule_refutes_an_implication[classical-4-orders]",
        "test_false_implications_are_refuted[PMP-G-single-None-None]",
        "test_false_implications_are_refuted[G1c-G0-None-None]",
    ),
    "tests/laws/test_strategies.py": (
        "test_a_lost_update_shrinks_to_two_transactions_without_extras[classical]",
        "test_a_judge_that_changes_its_mind_shrinks",
        "test_a_write_skew_at_si_shrinks",
        "test_pairs_shrink_to_the_smallest_schedule[A5A-w1[x1] w1[y1] c1 r2[x0] r2[y1] c2]",
        "test_a_lost_update_shrinks_to_two_transactions_without_extras[all]",
    ),
    "tests/laws/test_suites.py": (
        "test_the_reference_keeps_every_law[log-duckdb]",
        "test_the_reference_keeps_every_law[operators-multilinear]",
        "test_the_reference_keeps_every_law[carrier-multidegree]",
        "test_every_mutant_is_caught_by_the_law_named_for_it[ingest-acts-on-answer]",
        "test_every_mutant_is_caught_by_the_law_named_for_it[ingest-reads-first]",
        "test_the_reference_keeps_every_law[store-duckdb]",
        "test_the_reference_keeps_every_law[operators-multidegree]",
    ),
    "tests/laws/test_unbounded_models.py": (
        "test_small_schedules_are_models_of_what_they_satisfy[classical]",
        "test_small_schedules_are_models_of_what_they_satisfy[predicates]",
        "test_small_schedules_are_models_of_what_they_satisfy[judges]",
        "test_schedules_are_models_within_a_region[y]",
        "test_schedules_are_models_within_a_region[z]",
    ),
    "tests/second/test_agreement.py": (
        "test_both_ways_agree[T5.bound.replay]",
        "test_both_ways_agree[Tab4]",
        "test_both_ways_agree[T1.sound]",
        "test_both_ways_agree[T1.tight]",
        "test_both_ways_agree[T5.bound]",
        "test_both_ways_agree[T1.reading]",
    ),
    "tests/second/test_mutants.py": (
        "test_a_second_way_that_is_broken_disagrees[multilinear that keeps powers]",
        "test_a_second_way_that_is_broken_disagrees[a derivative without factors]",
        "test_a_second_way_that_is_broken_disagrees[every call is logged]",
        "test_a_second_way_that_is_broken_disagrees[a shift by two]",
        "test_a_second_way_that_is_broken_disagrees[A2 that is P0]",
        "test_a_second_way_that_is_broken_disagrees[later calls of which nothing is asked]",
        "test_a_second_way_that_is_broken_disagrees[a loser that keeps its vote]",
        "test_a_second_way_that_is_broken_disagrees[rows that are passed by unseen]",
        "test_a_second_way_that_is_broken_disagrees[PL-SI that is PL-2]",
    ),
    "tests/unit/proofs/test_attacks.py": (
        "test_terms_made_deep_by_definitions_are_no_danger",
        "test_unbounded_work_is_refused[shadows]",
    ),
    "tests/unit/proofs/test_mutations.py": (
        "test_changed_proofs_are_refused[write_skew]",
        "test_dropping_a_command_is_refused_unless_nothing_refers_to_it[write_skew]",
        "test_changed_proofs_are_refused[serial]",
        "test_dropping_a_command_is_refused_unless_nothing_refers_to_it[serial]",
    ),
    "tests/test_examples.py": ("test_the_memory_has_the_profile_that_the_command_line_names",),
    "tests/unit/report/test_html.py": ("test_the_whole_library",),
    "tests/unit/search/test_prove.py": (
        "test_a_level_holds_within_every_region[SR-SR-judge_log]",
        "test_a_level_holds_within_every_region[SR-SI-judge_log]",
        "test_a_level_holds_within_every_region[SR-SR-partition(a,b)]",
        "test_inclusions_of_session_levels_are_proved[SI-PC]",
        "test_wrong_definitions_break_the_proof[P2 at SI without P1]",
        "test_wrong_definitions_break_the_proof[SR of dependencies alone]",
        "test_wrong_definitions_break_the_proof[SI without the anti-dependency]",
        "test_cycles_outside_a_region_close_none_inside",
        "test_what_is_not_excluded_stays_undecided[A5B-SI]",
        "test_inclusions_of_levels_are_proved[SI-adya:PL-2+]",
        "test_inclusions_of_session_levels_are_proved[PSI-CC]",
        "test_inclusions_of_session_levels_are_proved[SER-SI]",
        "test_inclusions_of_session_levels_are_proved[SI-PSI]",
        "test_the_excluded_cells_of_the_core_are_proved[P2-SI]",
        "test_the_excluded_cells_of_the_core_are_proved[P2-SR]",
        "test_the_hypotheses_hold_of_schedules",
        "test_wrong_definitions_break_the_proof[A5B of the transactions of any session]",
        "test_wrong_definitions_break_the_proof[SR without predicate anti-dependencies]",
        "test_wrong_definitions_break_the_proof[ww of any two writes of an item]",
        *(
            f"test_a_level_holds_within_every_region[{pair}-partition(a,b)]"
            for pair in ("RC-RC", "SI-SI", "SR-SI", "SI-RC")
        ),
    ),
    "tests/unit/search/test_witness.py": tuple(
        f"test_a_partition_of_the_search_takes_no_name_that_a_level_pins[{text}-{level}]"
        for text in ("r1[s.p/z0]", "r1[s.p3/x0]")
        for level in ("RC+SR@partition(s,p)", "SI+SR@partition(s,p)+SR@partition(s,p2)")
        if (text, level[:2]) != ("r1[s.p3/x0]", "RC")
    ),
    "tests/unit/search/test_smtlib.py": ("test_all_that_is_printed_is_read",),
    "tests/unit/stores/test_asof.py": ("test_asof_is_what_the_model_says[duckdb-file]",),
    "tests/unit/stores/test_threads.py": ("test_a_session_is_shut_while_another_thread_uses_it[duckdb-file-8]",),
    "tests/unit/testing/test_suites_use.py": (
        "test_a_writer_that_has_only_ingest",
        "test_a_broken_write_path_is_told_as_a_schedule_that_parses[ingest-reads-first]",
    ),
    "tests/unit/testing/test_plugin_docs.py": tuple(
        f"test_a_broken_law_is_told_in_every_style[{style}]" for style in ("long", "line", "native", "no")
    ),
    "tests/unit/claims/test_weakenings.py": (
        "test_what_the_rows_say[W.EVI-RC-depends]",
        "test_the_solver_finds_the_phantom_of_a_third_that_only_reads",
        "test_what_the_rows_say[W.RULE-SI-depends]",
    ),
    "tests/unit/testing/test_plugin_projects.py": ("test_the_entry_point_loads_it_once[entry point and -p]",),
    "tests/test_ledger.py": (
        "test_the_ledger_says_what_the_code_says",
        "test_what_is_slow_says_what_the_manifest_says",
    ),
    "tests/unit/claims/test_lemma_1.py": (
        "test_both_ways_answer_every_question_alike[calls and a predicate]",
        "test_both_ways_answer_every_question_alike[calls and an item]",
        "test_both_ways_answer_every_question_alike[unknown votes]",
    ),
    "tests/agreement/test_bridge.py": (
        "test_both_agree_on_every_small_schedule[calls-5]",
        "test_both_agree_on_every_small_schedule[calls-and-items-4]",
    ),
    "tests/laws/test_bridge_claims.py": (
        "test_under_h1_two_are_gained_all_the_same[P3]",
        "test_verdicts_on_all_tables_are_gained[P2]",
    ),
    "tests/cli/test_histories.py": (
        "test_ctrl_c_keeps_what_follows_from_what_is_known",
        "test_a_reader_that_goes_away_does_not_change_the_exit_code[json]",
        "test_a_reader_that_goes_away_does_not_change_the_exit_code[markdown]",
        "test_ctrl_c_while_something_smaller_is_looked_for_or_the_second_file_is_read",
    ),
    "tests/cli/test_mixed_inputs.py": ("test_a_directory_of_histories_is_checked_by_several_processes",),
    "tests/cli/test_following.py": ("test_a_reader_that_has_gone_changes_no_exit_code",),
}


def is_heavy(nodeid: str) -> bool:
    """Whether a collected test is one of these cases."""
    file, _, name = nodeid.partition("::")
    return name in HEAVY.get(file, ())
