"""Histories in the formats of other testers. What a form cannot hold is refused, with the reason.

Reading what was written gives the same sessions, outcomes, operations and reads-from, up to this: a transaction of no
session is written as a session of its own; Plume and AWDIT text leave out transactions without operations; AWDIT
text has a first transaction that writes the initial versions that are read; where Jepsen's forms say that a
transaction failed, its reads of initial versions are nil, which tells nothing. Jepsen's forms order operations in real
time; for a history without one it is the order of the transactions. Reads of 0 and nil must mean what the policy
`auto` takes them for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from .columns import ABORTED, COMMITTED, NOBODY, UNKNOWN, WRITE, History
from .readers.table import WORD, word
from .without_unknown import first_unknown

_WORD: Final = re.compile(WORD, re.ASCII)
_BARE: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false")
_KEYWORD: Final = re.compile(r':[^\s,;"\[\](){}\\]+')
#: Garbage of lists that a version does not say.
_LISTS: Final = ("duplicate-element", "incompatible-order", "own-write-unseen")


class UnknownOutcome(ValueError):
    """A form holds no transaction of unknown outcome, and there is one (`without_unknown` makes a history of none)."""


@dataclass(frozen=True)
class Said:
    """An operation as it is written: whether it writes, its key, and the value or the list; None: nil."""

    writes: bool
    key: str
    shown: str | list[str] | None


def write_history(history: History, format: str) -> Iterator[str]:
    """The history in a format (`plume`, `awdit`, `jepsen-edn`, `elle-json`, `dbcop-json` or `timekiller`), in pieces.

    Raises ValueError for another format, and for what the form cannot hold.
    """
    writers: dict[str, Callable[[Teller], Iterator[str]]] = {
        "plume": _plume,
        "awdit": _awdit,
        "jepsen-edn": _edn,
        "elle-json": _elle,
        "dbcop-json": _dbcop,
        "timekiller": _timekiller,
    }
    if format not in writers:
        raise ValueError(f"no history can be written as {format!r}, but as {', '.join(writers)}")
    teller = Teller(history)
    _CHECKS[format](teller)
    return writers[format](teller)


class Teller:
    """Goes through a history and says its operations. Raises ValueError for what no form can hold."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.kinds, self.keys = history.kind.tolist(), history.key.tolist()
        self.versions, self.first = history.version.tolist(), history.first.tolist()
        self.outcomes: list[int] = history.outcome.tolist()
        sessions: list[int] = history.session.tolist()
        fresh = iter(range(len(history.sessions), len(history.sessions) + len(sessions)))
        #: The session of each transaction; one of its own for each transaction of none.
        self.sessions = [next(fresh) if session < 0 else session for session in sessions]
        self.ranks, self.writers = history.rank.tolist(), history.writer.tolist()
        self.lists = history.model == "append"
        count = len(history.keys)
        zeros = [
            place for place, writer in enumerate(self.writers) if writer == NOBODY and history.values[place] == "0"
        ]
        if zeros and not self.lists:
            name = history.keys[int(history.version_key[zeros[0]])]
            raise ValueError(f"a read of 0 of {name}, which nobody wrote: readers take it for the initial version")
        for kind, version in zip(self.kinds, self.versions, strict=True):
            if kind == WRITE and version < count:
                name = history.keys[version]
                raise ValueError(f"a write of the initial version of {name}")
        if self.lists:
            self._chains()

    def _chains(self) -> None:
        """The longest list of each key, and which own append a read must show that was left out in reading."""
        history = self.history
        if any(garbage.kind in _LISTS for garbage in history.garbage):
            raise ValueError("its lists contradict each other, so they cannot be told from their last elements")
        self.chains: list[list[int]] = [[] for _ in history.keys]
        for version in sorted((v for v, rank in enumerate(self.ranks) if rank > 0), key=self.ranks.__getitem__):
            self.chains[int(history.version_key[version])].append(version)
        read = [0] * len(history.keys)
        own: dict[tuple[int, int], int] = {}
        txns = history.txn_of().tolist()
        for txn, kind, key, version in zip(txns, self.kinds, self.keys, self.versions, strict=True):
            if kind == WRITE:
                own[txn, key] = own.get((txn, key), 0) + 1
                continue
            if self.ranks[version] < 0:
                raise ValueError(f"a read of a list of {history.keys[key]} whose beginning is not known")
            read[key] = max(read[key], self.ranks[version] + own.get((txn, key), 0))
        self.witnesses = {
            self.writers[chain[-1]] for chain, most in zip(self.chains, read, strict=True) if len(chain) > most
        }

    def operations(self, txn: int) -> list[Said]:
        """The operations of a transaction, in order."""
        said = []
        keys, values = self.history.keys, self.history.values
        own: dict[int, list[str]] = {}
        for at in range(self.first[txn], self.first[txn + 1]):
            key, version, writes = self.keys[at], self.versions[at], self.kinds[at] == WRITE
            name = keys[key]
            if not self.lists:
                said.append(Said(writes, name, None if version < len(keys) else values[version]))
            elif writes:
                own.setdefault(key, []).append(values[version])
                said.append(Said(True, name, values[version]))
                if at in self.witnesses:
                    said.append(Said(False, name, [values[one] for one in self.chains[key]]))
            else:
                before = [values[one] for one in self.chains[key][: self.ranks[version]]]
                said.append(Said(False, name, before + own.get(key, [])))
        return said

    def by_session(self) -> list[list[int]]:
        """The transactions of each session, sessions in the order in which they begin."""
        found: dict[int, list[int]] = {}
        for txn, session in enumerate(self.sessions):
            found.setdefault(session, []).append(txn)
        return list(found.values())


def _registers(form: str) -> Callable[[Teller], None]:
    def check(teller: Teller) -> None:
        if teller.lists:
            raise ValueError(f"{form} holds no lists")
        _known(teller, form)

    return check


def _known(teller: Teller, form: str) -> None:
    """Raise UnknownOutcome where there is one."""
    first = first_unknown(teller.history)
    if first is not None:
        raise UnknownOutcome(f"{form} holds no transaction whose outcome is not known, and that of {first} is not")


def _check_plume(teller: Teller) -> None:
    _registers("Plume text")(teller)
    aborted: dict[int, bool] = {}
    for txn, session in enumerate(teller.sessions):
        if teller.first[txn] == teller.first[txn + 1]:
            continue
        lost = teller.outcomes[txn] == ABORTED
        if lost and aborted.get(session):
            raise ValueError("two aborted transactions of a session in a row, which Plume text makes one")
        aborted[session] = lost
    zeros = _zeros(teller)
    for version in teller.versions:
        if version in zeros:
            name = teller.history.keys[version]
            raise ValueError(f"the initial version of {name}, which Plume text calls 0, and a write of 0")
    _check_words(teller, "Plume text")


def _check_awdit(teller: Teller) -> None:
    _registers("AWDIT test text")(teller)
    if ABORTED in teller.outcomes:
        raise ValueError("AWDIT test text holds no aborted transaction")
    _check_words(teller, "AWDIT test text")


def _check_timekiller(teller: Teller) -> None:
    history = teller.history
    _known(teller, "TimeKiller JSON")
    if any(outcome != COMMITTED for outcome in teller.outcomes):
        raise ValueError("TimeKiller JSON holds committed transactions only")
    if history.begun is None or history.ended is None:
        raise ValueError("TimeKiller JSON needs timestamps, and this history has none")
    if (history.ended < history.begun).any():
        raise ValueError("TimeKiller JSON needs the end of each transaction, and one is not known")


def _check_jepsen(teller: Teller) -> None:
    events_of(teller)


_CHECKS: Final[dict[str, Callable[[Teller], None]]] = {
    "plume": _check_plume,
    "awdit": _check_awdit,
    "jepsen-edn": _check_jepsen,
    "elle-json": _check_jepsen,
    "dbcop-json": _registers("dbcop JSON"),
    "timekiller": _check_timekiller,
}


def _zeros(teller: Teller) -> set[int]:
    """The initial versions (keys) of which a version is called 0."""
    history, count = teller.history, len(teller.history.keys)
    return {int(history.version_key[at]) for at in range(count, len(history.values)) if history.values[at] == "0"}


def _check_words(teller: Teller, form: str) -> None:
    count = len(teller.history.keys)
    for name in teller.history.keys:
        _word(name, form)
    for version in set(teller.versions):
        if version >= count:
            _word(teller.history.values[version], form)


def _word(name: str, form: str) -> str:
    """The name as a word of Plume or AWDIT text. Raises ValueError."""
    text = json.loads(name) if name.startswith('"') else name
    if not _WORD.fullmatch(text) or word(text, 0) != name or text == "nil":
        raise ValueError(f"{form} holds integers and words, and {name} is none")
    return str(text)


def _plume(teller: Teller) -> Iterator[str]:
    for txn, session in enumerate(teller.sessions):
        number = -1 if teller.outcomes[txn] == ABORTED else txn
        for one in teller.operations(txn):
            value = "0" if one.shown is None else _word(str(one.shown), "Plume text")
            yield f"{'w' if one.writes else 'r'}({_word(one.key, 'Plume text')},{value},{session},{number})\n"


def _awdit(teller: Teller) -> Iterator[str]:
    history = teller.history
    taken: dict[int, set[str]] = {}
    for key, value in zip(history.version_key.tolist(), history.values, strict=True):
        taken.setdefault(key, set()).add(value)
    names: dict[str, str] = {}
    for key in sorted({version for version in teller.versions if version < len(history.keys)}):
        value = next(str(number) for number in range(len(taken[key]) + 1) if str(number) not in taken[key])
        names[history.keys[key]] = value
        yield f"w {_word(history.keys[key], '')} {value}\n"
    between = "=====\n" if names else ""
    for session in teller.by_session():
        for txn in session:
            operations = teller.operations(txn)
            if operations:
                yield between
            for one in operations:
                value = names[one.key] if one.shown is None else _word(str(one.shown), "")
                yield f"{'w' if one.writes else 'r'} {_word(one.key, '')} {value}\n"
            between = "-----\n" if operations else between
        between = "=====\n" if between else ""


def events_of(teller: Teller) -> list[tuple[int, bool]]:
    """Invocations and completions (True) of transactions, in the order of real time. Raises ValueError."""
    history = teller.history
    count = len(teller.sessions)
    if history.begun is None or history.ended is None:
        return [(txn, done) for txn in range(count) for done in (False, True)]
    begun, ended = history.begun.tolist(), history.ended.tolist()
    last = max([0, *ended, *begun]) + 1
    events: list[tuple[int, int, int, bool]] = []
    for txn in range(count):
        begins = begun[txn]
        ends = ended[txn] if ended[txn] >= 0 else begins if teller.outcomes[txn] == UNKNOWN else last
        events.append((begins, 1, txn, False))
        events.append((ends, int(begins >= ends), txn, True))
    order = [(txn, done) for _, _, txn, done in sorted(events)]
    under_way: dict[int, int] = {}
    latest: dict[int, int] = {}
    for txn, done in order:
        session = teller.sessions[txn]
        if done:
            del under_way[session]
        elif session in under_way or latest.get(session, -1) > txn:
            name = history.transactions[txn]
            raise ValueError(
                f"transaction {name} begins before another of its session ends; a process has one at a time"
            )
        else:
            under_way[session] = latest[session] = txn
    return order


_TYPES: Final = {COMMITTED: "ok", ABORTED: "fail", UNKNOWN: "info"}


def _jepsen(teller: Teller) -> Iterator[tuple[int, str, int, list[Said]]]:
    """Index, type, process and micro-operations of each operation."""
    for index, (txn, done) in enumerate(events_of(teller)):
        said = teller.operations(txn)
        if not done or teller.outcomes[txn] == UNKNOWN:
            said = [one if one.writes else Said(False, one.key, None) for one in said]
        yield index, _TYPES[teller.outcomes[txn]] if done else "invoke", teller.sessions[txn], said


def _edn(teller: Teller) -> Iterator[str]:
    write = "append" if teller.lists else "w"
    for index, kind, process, said in _jepsen(teller):
        micros = []
        for one in said:
            shown = "nil" if one.shown is None else _edn_name(one.shown) if isinstance(one.shown, str) else None
            shown = shown or f"[{' '.join(map(_edn_name, one.shown or ()))}]"
            micros.append(f"[:{write if one.writes else 'r'} {_edn_name(one.key)} {shown}]")
        value = " ".join(micros)
        yield f"{{:index {index}, :type :{kind}, :process {process}, :f :txn, :value [{value}]}}\n"


def _edn_name(name: str) -> str:
    return name if _BARE.fullmatch(name) or _KEYWORD.fullmatch(name) else _json_name(name)


def _elle(teller: Teller) -> Iterator[str]:
    write = "append" if teller.lists else "w"
    for index, kind, process, said in _jepsen(teller):
        value = ",".join(f'["{write if one.writes else "r"}",{_json_name(one.key)},{_json(one.shown)}]' for one in said)
        yield f'{{"index":{index},"type":"{kind}","process":{process},"f":"txn","value":[{value}]}}\n'


def _json(shown: str | list[str] | None) -> str:
    if shown is None:
        return "null"
    return _json_name(shown) if isinstance(shown, str) else f"[{','.join(map(_json_name, shown))}]"


def _json_name(name: str) -> str:
    """A name as JSON: a number, or a string."""
    if _BARE.fullmatch(name) or name.startswith('"'):
        return name
    return json.dumps(name, ensure_ascii=False)


def _dbcop(teller: Teller) -> Iterator[str]:
    names = ("Read", "Write")
    yield "["
    for number, session in enumerate(teller.by_session()):
        yield ",\n[" if number else "["
        for place, txn in enumerate(session):
            events = ",".join(
                f'{{"{names[one.writes]}":{{"variable":{_json_name(one.key)},"version":{_json(one.shown)}}}}}'
                for one in teller.operations(txn)
            )
            committed = json.dumps(teller.outcomes[txn] == COMMITTED)
            mark = ",\n" if place else ""
            yield f'{mark}{{"events":[{events}],"committed":{committed}}}'
        yield "]"
    yield "]\n"


def _timekiller(teller: Teller) -> Iterator[str]:
    history = teller.history
    assert history.begun is not None and history.ended is not None
    write = "a" if teller.lists else "w"
    for txn, session in enumerate(teller.sessions):
        ops = ",".join(
            f'{{"t":"{write if one.writes else "r"}","k":{_json_name(one.key)},"v":{_json(one.shown)}}}'
            for one in teller.operations(txn)
        )
        begun, ended = int(history.begun[txn]), int(history.ended[txn])
        mark = ",\n" if txn else "["
        yield f'{mark}{{"tid":{txn},"sid":{session},"sts":{begun},"cts":{ended},"ops":[{ops}]}}'
    yield "]\n"
