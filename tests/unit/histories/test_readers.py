"""Histories in the formats of testers are read as they are meant."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from toki_verify.histories.builder import Initial
from toki_verify.histories.columns import ABORTED, COMMITTED, INITIAL, NOBODY, READ, UNKNOWN, WRITE, History
from toki_verify.histories.formats import FORMATS, detect, read_history

SHARED = Path("../shared/histories")

#: Format, operations, transactions, sessions and model of each shared file.
COUNTS = {
    "awdit/causal-fully-ser.txt": ("awdit", 5, 4, 3, "register"),
    "awdit/causal-long-fork.txt": ("awdit", 8, 5, 3, "register"),
    "awdit/none-hb-cycle.txt": ("awdit", 4, 4, 2, "register"),
    "awdit/read-atomic-biswas-enea.txt": ("awdit", 6, 4, 3, "register"),
    "awdit/read-committed-l100e1000sqrt.txt": ("awdit", 1_100, 242, 33, "register"),
    "awdit/read-committed-test-rc.txt": ("awdit", 14, 8, 5, "register"),
    "plume/galera-galera.txt": ("plume", 14, 7, 2, "register"),
    "plume/maria-galera-lost-update.txt": ("plume", 62, 21, 3, "register"),
    "plume/pg_ser_bug.txt": ("plume", 50, 21, 21, "register"),
    "elle/paper-example.edn": ("jepsen-edn", 19, 4, 0, "append"),
    "elle/paper-example.json": ("elle-json", 19, 4, 1, "append"),
    "elle/rw-register.edn": ("jepsen-edn", 3, 3, 1, "register"),
    "elle/rw-register.json": ("elle-json", 3, 3, 1, "register"),
    "elle/si-without-g-single.edn": ("jepsen-edn", 8, 4, 4, "append"),
}


def read(text: str | bytes, form: str | None = None, initial: Initial = "auto", *, skip_bad: bool = False) -> History:
    data = text.encode() if isinstance(text, str) else text
    history, problems = read_history(data, source="f", format=form, initial=initial, skip_bad=skip_bad)
    assert history is not None, [str(problem) for problem in problems]
    assert problems == []
    return history


def told(history: History) -> list[tuple[str, str | None, int, list[str]]]:
    """Of each transaction name, session, outcome, and operations: `r x 1`, `r x nil`, `r x 1?` if nobody wrote it."""
    said = []
    for txn, session in enumerate(history.session.tolist()):
        operations = []
        for at in range(int(history.first[txn]), int(history.first[txn + 1])):
            version = int(history.version[at])
            odd = "?" if history.writer[version] == NOBODY else ""
            kind = "w" if history.kind[at] == WRITE else "r"
            operations.append(f"{kind} {history.keys[int(history.key[at])]} {history.values[version]}{odd}")
        home = None if session < 0 else history.sessions[session]
        said.append((history.transactions[txn], home, int(history.outcome[txn]), operations))
    return said


def ranks(history: History) -> dict[str, int]:
    """The place of each list in the order of its key, by key and last element."""
    names = [
        f"{history.keys[int(key)]} {value}" for key, value in zip(history.version_key, history.values, strict=True)
    ]
    return dict(zip(names, history.rank.tolist(), strict=True))


@pytest.mark.skipif(not SHARED.exists(), reason="the shared histories are not here")
@pytest.mark.parametrize("name", COUNTS)
def test_shared_histories_have_the_counts_of_their_files(name: str) -> None:
    form, operations, transactions, sessions, model = COUNTS[name]
    data = (SHARED / name).read_bytes()
    assert detect(data, name) == form
    history = read(data)
    assert (history.size, len(history.session), len(history.sessions)) == (operations, transactions, sessions)
    assert history.model == model and history.format == form and not history.garbage
    assert history.txn_of().tolist() == sorted(history.txn_of().tolist())


@pytest.mark.skipif(not SHARED.exists(), reason="the shared histories are not here")
def test_all_shared_histories_are_counted() -> None:
    files = {file.relative_to(SHARED).as_posix() for file in SHARED.glob("*/*") if file.parent.name != "isolde"}
    assert files == set(COUNTS)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared histories are not here")
def test_the_same_history_in_edn_and_in_json_differs_in_the_names_of_keywords_only() -> None:
    edn = told(read((SHARED / "elle/rw-register.edn").read_bytes()))
    json = told(read((SHARED / "elle/rw-register.json").read_bytes()))
    assert edn == [(name, home, outcome, [one.replace("x", ":x") for one in ops]) for name, home, outcome, ops in json]


def test_plume_text_has_sessions_transactions_and_runs_of_aborted_lines() -> None:
    history = read("w(1,1,0,0)\nr(1,1,1,-1)\nw(1,2,1,-1)\nr(1,1,0,3)\nr(2,0,1,5)\nr(1,9,1,-1)\n")
    assert told(history) == [
        ("0", "0", COMMITTED, ["w 1 1"]),
        ("-1 (line 2)", "1", ABORTED, ["r 1 1", "w 1 2"]),
        ("3", "0", COMMITTED, ["r 1 1"]),
        ("5", "1", COMMITTED, ["r 2 nil"]),
        ("-1 (line 6)", "1", ABORTED, ["r 1 9?"]),
    ]
    assert history.line.tolist() == [1, 2, 3, 4, 5, 6] and history.begun is None


def test_plume_text_may_have_words_blank_lines_and_nil() -> None:
    history = read("\nw(x,a,s,0)\r\n r ( x , a , t , 1 )\nr(y,nil,t,1)\nr(007,-0,t,2)")
    assert told(history) == [
        ("0", "s", COMMITTED, ["w x a"]),
        ("1", "t", COMMITTED, ["r x a", "r y nil"]),
        ("2", "t", COMMITTED, ["r 7 nil"]),
    ]
    assert history.line.tolist() == [2, 3, 4, 5]


@pytest.mark.parametrize("word", ["1", "x"])
def test_a_transaction_that_goes_on_after_another_of_its_session_is_warned_of(word: str) -> None:
    history = read(f"w({word},1,0,0)\nw(1,2,0,1)\nw(1,3,0,0)\n")
    assert [len(ops) for _, _, _, ops in told(history)] == [2, 1]
    assert history.warnings == (
        "a transaction goes on after another one of the same session has begun; "
        "session order is that of their first lines",
    )


def test_awdit_text_has_sessions_of_transactions() -> None:
    history = read("-----\nw 0 1\n-----\n-----\nr 0 1\n=====\n=====\nr 1 0\nr x 5\n")
    assert told(history) == [
        ("0.0", "0", COMMITTED, ["w 0 1"]),
        ("0.1", "0", COMMITTED, ["r 0 1"]),
        ("1.0", "1", COMMITTED, ["r 1 nil", "r x 5?"]),
    ]
    assert told(read("w 0 1\n-----\nr 0 1\n=====\n\nr 1 0\nr 2 5"))[2] == ("1.0", "1", COMMITTED, ["r 1 nil", "r 2 5?"])


@pytest.mark.parametrize(
    ("initial", "seen"),
    [
        ("auto", ["w 1 0", "r 1 0", "r 2 nil"]),
        ("nil", ["w 1 0", "r 1 0", "r 2 0?"]),
        ("zero", ["w 1 nil", "r 1 nil", "r 2 nil"]),
        ("written", ["w 1 0", "r 1 0", "r 2 0?"]),
    ],
)
def test_the_policy_says_what_a_read_of_0_saw(initial: Initial, seen: list[str]) -> None:
    history = read("w(1,0,0,0)\nr(1,0,1,1)\nr(2,0,1,1)\n", initial=initial)
    assert [one for _, _, _, ops in told(history) for one in ops] == seen


def test_dbcop_text_has_sessions_between_dashes_and_transactions_that_did_not_commit() -> None:
    history = read("// c\n[x:=1 y:=2] [y==2 z==?]!\n\n---\n---\n  [ x==1 y:=4 ]\n", "dbcop-text")
    assert told(history) == [
        ("0.0", "0", COMMITTED, ["w x 1", "w y 2"]),
        ("0.1", "0", ABORTED, ["r y 2", "r z nil"]),
        ("1.0", "1", COMMITTED, ["r x 1", "w y 4"]),
    ]
    assert detect(b"// c\n[x:=1]\n") == detect(b"---\n[x==1]") == detect(b"", "a.hist") == "dbcop-text"


DBCOP = '{"events":[{"Write":{"variable":0,"version":1}},{"Read":{"variable":1,"version":null}}],"committed":true}'


def test_dbcop_json_is_read_in_its_three_forms_with_and_without_the_object_around() -> None:
    compact = '{"events":[["w",0,1],["r",1,null]],"committed":true}'
    old = (
        '{"events":[{"write":true,"variable":0,"value":1,"success":true},{"write":true,"variable":0,"value":2,'
        '"success":false},{"write":false,"variable":1,"value":0,"success":true}],"success":true}'
    )
    expected = [("0.0", "0", COMMITTED, ["w 0 1", "r 1 nil"])]
    for one in (DBCOP, compact, old):
        for text in (f"[[{one}]]", f'{{"params":{{"id":0}},"info":"x","data":[\n[{one}]]}}'):
            history = read(text)
            assert told(history) == expected and history.format == "dbcop-json"
            assert set(history.line.tolist()) == {text.count("\n") + 1}
    assert read(f"[[{old}]]").warnings == ("1 event without success left out",)
    assert told(read(f"[[],[{DBCOP.replace('true', 'false')}]]"))[0][:3] == ("1.0", "1", ABORTED)
    both = DBCOP.replace('"committed"', '"success":true,"committed"')
    assert told(read(f"[[{both}]]")) == expected


_ESCAPED = '"\\u0065vents"'
#: Files of two transactions, in lines 2 and 3, where the word "events" alone does not tell where they are.
EVENTS_ELSEWHERE = {
    "around": f'{{"params":{{"events":2}},"data":[\n[{DBCOP}],\n[{DBCOP}]]}}',
    "behind": f'{{"data":[\n[{DBCOP}],\n[{DBCOP}]],"events":[]}}',
    "within": f'[\n[{DBCOP.replace("{", """{"id":{"events":2},""", 1)}],\n[{DBCOP}]]',
    "escaped": f"[\n[{DBCOP.replace(chr(34) + 'events' + chr(34), _ESCAPED)}],\n[{DBCOP}]]",
    "as many, but others": f'{{"events":0,"data":[\n[{DBCOP.replace(chr(34) + "events" + chr(34), _ESCAPED)}],'
    f"\n[{DBCOP}]]}}",
    "in a string": f'{{"info":"\\"events\\":","\\"events":0,"data":[\n[{DBCOP}],\n[{DBCOP}]]}}',
    "as deep": f'{{"more":[[{{"events":0}}]],"data":[\n[{DBCOP}],\n[{DBCOP}]]}}',
}


@pytest.mark.parametrize("name", EVENTS_ELSEWHERE)
def test_lines_of_dbcop_transactions_are_right_wherever_else_events_stand(name: str) -> None:
    history = read(EVENTS_ELSEWHERE[name], "dbcop-json")
    assert history.line.tolist() == [2] * 2 + [3] * 2


def test_timekiller_json_has_timestamps() -> None:
    text = (
        '[{"tid":1,"sid":2,"sts":{"p":5,"l":1},"cts":{"p":6,"l":0},"ops":[{"t":"W","k":7,"v":2},{"t":"read","k":8}]},\n'
        '{"tid":"b","sid":2,"sts":{"p":6,"l":0},"cts":{"p":6},"ops":[{"t":"r","k":7,"v":2}]}]'
    )
    history = read(text)
    assert told(history) == [("1", "2", COMMITTED, ["w 7 2", "r 8 nil"]), ("b", "2", COMMITTED, ["r 7 2"])]
    assert history.begun is not None and history.begun.tolist() == [0, 1]
    assert history.ended is not None and history.ended.tolist() == [1, 1]
    plain = read('{"tid":1,"sid":0,"sts":10,"cts":20,"ops":[{"t":"a","k":1,"v":2},{"t":"r","k":1,"v":[2]}]}\n')
    assert plain.begun is not None and plain.begun.tolist() == [10] and plain.model == "append"


def test_jepsen_pairs_invocations_and_completions_of_processes() -> None:
    history = read(
        """; a comment
        {:type :invoke, :process 0, :f :txn, :value [[:w :x 1] [:r "y" nil]], :index 5}
        {:type :invoke, :process 1, :f :txn, :value [[:w :x 2] [:r :x nil]], :index 6}
        {:type :info, :process :nemesis, :f :kill, :value {:a [1 2]}}
        {:type :ok, :process 0, :f :txn, :value [[:w :x 1] [:r "y" nil]], :index 8}
        {:type :fail, :process 1, :f :txn, :value [[:w :x 2] [:r :x nil]], :index 9, :error [:a "b\\n" #{1} 'c \\d]}
        #jepsen.history.Op{:type :invoke, :process 2, :f :txn, :value [[:w :x 3] [:r :x nil]], :index 10}
        {:type :info :process 2 :f :txn :value nil :index 11}
        {:type :invoke, :process 0, :f :txn, :value [[:r :x nil]], :index 12} #_ {:left out}
        """
    )
    assert told(history) == [
        ("8", "0", COMMITTED, ["w :x 1", "r y nil"]),
        ("9", "1", ABORTED, ["w :x 2"]),
        ("10", "2", UNKNOWN, ["w :x 3"]),
        ("12", "0", UNKNOWN, []),
    ]
    assert history.begun is not None and history.begun.tolist() == [0, 1, 5, 7]
    assert history.ended is not None and history.ended.tolist() == [3, 4, -1, -1]
    assert history.line.tolist() == [5, 5, 6, 7]


def test_strings_and_maps_may_go_over_lines_that_begin_as_operations_do() -> None:
    text = '{:type :ok :error "a\n{:b" :value [[:w 1 1]]}\n{:type :ok :error\n{:c 1}, :value [[:r 1 1]]}\n'
    assert [one for _, _, _, ops in told(read(text)) for one in ops] == ["w 1 1", "r 1 1"]


def test_jepsen_operations_without_processes_are_of_no_session() -> None:
    history = read("[{:type :invoke :value [[:w 1 1]]}\n{:type :ok :value [[:w 1 1]]},{:type :invoke :value []}]")
    assert told(history) == [("#1", None, COMMITTED, ["w 1 1"]), ("#2", None, UNKNOWN, [])]
    assert [name for name, _, _, _ in told(read("{:index 7 :type :ok :value [[:w 1 1]]}"))] == ["7"]


def test_completions_without_any_invocation_stand_for_themselves() -> None:
    history = read("{:type :ok, :process 3, :value [[:append 1 1] [:r 1 [1]]]}\n{:type :fail, :value [[:append 1 2]]}")
    assert [outcome for _, _, outcome, _ in told(history)] == [COMMITTED, ABORTED]
    assert history.begun is None
    assert history.warnings == ("no operation is an invocation, so nothing is known of real time",)


def test_strings_numbers_and_keywords_are_different_keys() -> None:
    text = '{:type :ok :value [[:w 1 1] [:w "1" 1] [:w :k 1] [:w "k" 1] [:w ":k" 1] [:w "nil" 1] [:w 1.5 1] [:w 1N 2]]}'
    assert list(read(text).keys) == ["1", '"1"', ":k", "k", '":k"', '"nil"', "1.5"]
    long = "12345678901234567890123"
    history = read(
        '{"type":"ok","value":[["w",1,1],["w","1",1],["w",":k",1],["w","k",1],["w","nil",1],["w",true,' + long + "]]}"
    )
    assert list(history.keys) == ["1", '"1"', ":k", "k", '"nil"', "true"]
    assert history.values[len(history.values) - 1] == long


def ok(value: str) -> str:
    return f"{{:type :ok :value [{value}]}}\n"


def test_list_reads_are_reads_of_their_last_element_and_give_the_order() -> None:
    history = read(
        ok("[:append 1 5] [:append 1 6]")
        + ok("[:r 1 [5 6 9]] [:r 2 []] [:r 2 nil]")
        + ok("[:append 1 7]")
        + ok("[:r 1 [5]]")
    )
    assert told(history)[1] == ("#1", None, COMMITTED, ["r 1 9?", "r 2 nil", "r 2 nil"])
    assert told(history)[3][3] == ["r 1 5"]
    assert ranks(history) == {"1 nil": 0, "2 nil": 0, "1 5": 1, "1 6": 2, "1 9": 3, "1 7": -1}
    writers = {history.values[v]: int(history.writer[v]) for v in range(len(history.values))}
    assert (writers["9"], writers["5"], writers["nil"]) == (NOBODY, 0, INITIAL)


def test_a_list_read_behind_own_appends_is_a_read_of_what_stands_before_them() -> None:
    history = read(
        ok("[:append 1 5]") + ok("[:append 1 6] [:append 1 7] [:r 1 [5 6 7]] [:append 1 8] [:r 1 [5 6 7 8]]")
    )
    assert told(history)[1][3] == ["w 1 6", "w 1 7", "r 1 5", "w 1 8"]
    assert ranks(history) == {"1 nil": 0, "1 5": 1, "1 6": 2, "1 7": 3, "1 8": 4}
    again = read(ok("[:append 1 5]") + ok("[:r 1 [5]] [:append 1 6] [:r 1 [5 6]]"))
    assert told(again)[1][3] == ["r 1 5", "w 1 6"]
    moved = read(ok("[:append 1 5]") + ok("[:r 1 nil] [:append 1 6] [:r 1 [5 6]]"))
    assert told(moved)[1][3] == ["r 1 nil", "w 1 6", "r 1 5"]
    assert not history.garbage and not again.garbage and not moved.garbage


def test_lists_that_a_failed_transaction_saw_say_nothing_of_the_order() -> None:
    texts = (ok("[:append 1 5] [:r 1 [5]]").replace(":ok", ":fail"), ok("[:append 1 6] [:r 1 [6]]"), ok("[:r 1 [6]]"))
    history = read("".join(texts))
    assert not history.garbage
    assert told(history)[0][2:] == (ABORTED, ["w 1 5"]) and ranks(history)["1 5"] == -1


@pytest.mark.parametrize(
    ("texts", "kind", "said"),
    [
        (["[:append 1 5] [:r 1 [4]]"], "own-write-unseen", "1 = [4], read behind own appends of [5]"),
        (["[:append 1 5] [:r 1 nil]"], "own-write-unseen", "1 = [], read behind own appends of [5]"),
        (
            ["[:append 1 5]", "[:append 1 6] [:r 1 [6 5]]"],
            "own-write-unseen",
            "1 = [6 5], read behind own appends of [6]",
        ),
        (["[:append 1 5] [:append 1 6] [:r 1 [6]]"], "own-write-unseen", "1 = [6], read behind own appends of [5 6]"),
        (["[:r 1 [1 2 1]]"], "duplicate-element", "1 = [1 2 1] has 1 twice"),
        (
            ["[:r 1 [1 2]]", "[:r 1 [2]]"],
            "incompatible-order",
            "1 = [2], and [1 2]: neither is a beginning of the other",
        ),
        (["[:append 1 5]", "[:append 1 5]"], "duplicate-write", "5 is appended to 1 twice"),
    ],
)
def test_lists_that_no_store_can_have_shown_are_garbage(texts: list[str], kind: str, said: str) -> None:
    history = read("".join(map(ok, texts)))
    (garbage,) = history.garbage
    assert (garbage.kind, garbage.text.removesuffix(", does not end in them")) == (kind, said)
    assert all(0 <= operation < history.size for operation in garbage.operations)
    assert all(history.key[operation] == garbage.key for operation in garbage.operations)


def test_an_incompatible_read_is_named_with_the_read_of_the_longest_list() -> None:
    history = read(ok("[:r 1 [2]]") + ok("[:r 1 [1 2]]"))
    (garbage,) = history.garbage
    assert garbage.operations == (1, 0) and (history.kind == READ).all()
    assert "…" in read(ok(f"[:r 1 [{' '.join(map(str, range(40)))}]]") + ok("[:r 1 [7]]")).garbage[0].text


def test_gzip_is_unpacked_and_its_members_joined() -> None:
    parts = [b"w(1,1,0,0)\n", b"r(1,1,1,1)\n"]
    packed = b"".join(gzip.compress(part) for part in parts)
    assert detect(packed) == "plume"
    assert read(packed).size == 2


def test_schedules_and_traces_of_our_own_are_no_histories() -> None:
    for text in (
        "r1[x0] w1[x1] c1\n",
        "# c\nschedule a\nw1[x1] c1\n",
        '{"op":"b","txn":"1"}\n{"op":"r","txn":"1","item":"x"}\n',
        '{"schedules":[{"name":"a","events":[{"op":"w","txn":1}]}]}',
        '[{"name":"a","events":[{"op":"w","txn":1,"type":"x","value":1}]}]',
        "",
        "[]",
        "[[1]]",
        "read x",
    ):
        assert detect(text.encode()) is None


def test_the_name_of_a_file_tells_its_format_where_its_beginning_does_not() -> None:
    assert detect(b"???", "a.EDN") == "jepsen-edn" and detect(b"???", "a.hist.gz") == "dbcop-text"
    assert detect(b"???", "a.txt") is None and set(FORMATS) == {
        "plume", "awdit", "jepsen-edn", "elle-json", "dbcop-json", "dbcop-text", "timekiller",
    }  # fmt: skip
