"""What a Jepsen history means, in EDN or in JSON: operations of processes, invoked and completed (Kingsbury and Alvaro
2020; jepsen.history).

A process is a session. An invocation and the next completion of its process are one transaction: `ok` commits, `fail`
aborts (so that a read of what it wrote is an aborted read), `info` or no completion: nobody knows, and only what it
meant to write is known of it. Without any :process, an invocation and the next completion belong together, and each
transaction is of no session. A completion has the micro-operations of its invocation, with what was read filled in; one
with others is refused. A file without a single invocation holds completions that stand for themselves.
Of what a failed transaction read, nil and lists are left out: nil may be what was to be read, and a list may end in its
own appends. Operations of the nemesis are left out. An operation begins and ends at its places among the operations of
the file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..builder import Initial
from ..columns import ABORTED, COMMITTED, UNKNOWN, History, Model
from .completions import EXPECTED as AGREEMENT
from .completions import RULE as CONTRADICTION
from .completions import contradiction, same_micros, shaped
from .edn import Exact, Keyword, Symbol, Tagged, scalar_name
from .faults import Fault, Faults, Text, empty
from .gather import Gather, Shown
from .numbers import INTEGER

EXPECTED: Final = (
    "Jepsen operations with :type, :f :txn and :value [[:append k v] [:r k [v …]] …] or [[:w k v] [:r k v] …]"
)
_OUTCOMES: Final = {"ok": COMMITTED, "fail": ABORTED, "info": UNKNOWN}
_FIELDS: Final = tuple((name, f":{name}") for name in ("type", "process", "f", "index", "value"))
DUPLICATE: Final = "duplicate-key"
_NAMES: Final = ("append", "r", "w")
_INTEGERS: Final = frozenset([int])
#: A micro-operation: append, w or r; key; what it wrote or showed.
Micro = tuple[str, str, Shown]
Path = tuple[str | int, ...]


class Misfit(Exception):
    """A fault somewhere in an operation: the path to it. `kept`: the transaction of the operation is kept all the same,
    where faults are to be left out."""

    def __init__(self, path: Path, what: str, expected: str, rule: str, *, kept: bool = False) -> None:
        super().__init__(what)
        self.path, self.what, self.expected, self.rule, self.kept = path, what, expected, rule, kept


@dataclass(slots=True)
class Operation:
    """An operation of a file. `value` is for `micros` of the reader to look into, when it is needed."""

    at: int
    line: int
    type: str | None
    process: str | None
    f: str | None
    index: str | None
    value: object


def operation(at: int, line: int, plain: object, named: type[str] = Keyword) -> Operation:
    """The operation that a map holds. `named`: what a keyword is in the file, `str` in JSON. Raises Misfit."""
    if not isinstance(plain, dict):
        raise Misfit((), f"{kind_of(plain)}", "an operation, a map", "operation")
    for name, keyword in _FIELDS:
        if name in plain and keyword in plain:
            raise Misfit((name,), f"{name!r} next to {keyword!r}, which is the same field", "one of them", DUPLICATE)
    names = (_get(plain, "type"), _get(plain, "process"), _get(plain, "f"), _get(plain, "index"))
    who = names[1]
    if who is not None and type(who) is not int and (not isinstance(who, named) or INTEGER.fullmatch(who)):
        expected = "an integer, or a name such as :nemesis"
        raise Misfit(("process",), f"{kind_of(who)} as a process", expected, "process")
    kind, process, f, index = (None if one is None else str(one) for one in names)
    return Operation(at, line, kind, process, f, index, _get(plain, "value"))


def _get(plain: dict[str, object], name: str) -> object:
    return plain.get(":" + name, plain.get(name))


def micros(value: object) -> list[Micro]:
    """The micro-operations of the :value of a transaction. Raises Misfit."""
    if not isinstance(value, list):
        raise Misfit(("value",), kind_of(value), "a vector of micro-operations", "micro-operation")
    found: list[Micro] = []
    for place, one in enumerate(value):
        # What nearly all are, without a function call.
        if type(one) is list and len(one) == 3 and type(one[1]) is int and one[0] in _NAMES:
            name, key, shown = one
            if type(shown) is int:
                found.append((name, str(key), str(shown)))
                continue
            if name == "r" and type(shown) is list and _INTEGERS.issuperset(map(type, shown)):
                found.append((name, str(key), tuple(map(str, shown))))
                continue
        found.append(_micro(one, ("value", place)))
    return found


def _micro(one: object, path: Path) -> Micro:
    if not isinstance(one, list) or len(one) != 3:
        what = kind_of(one) if not isinstance(one, list) else f"a vector of {len(one)}"
        raise Misfit(path, what, "a micro-operation such as [:r k v]", "micro-operation")
    name, key, value = one
    if name not in _NAMES:
        raise Misfit((*path, 0), f"the micro-operation {_word(name)}", ":append, :w or :r", "micro-operation")
    key_name = scalar_name(key)
    if key_name is None:
        raise Misfit((*path, 1), f"{kind_of(key)} as a key", "an integer, a string or a keyword", "micro-operation")
    if name == "r" and value is None:
        return "r", key_name, None
    if name == "r" and isinstance(value, list):
        return "r", key_name, tuple(_scalar(element, (*path, 2, at)) for at, element in enumerate(value))
    return str(name), key_name, _scalar(value, (*path, 2))


def _scalar(value: object, path: Path) -> str:
    name = scalar_name(value)
    if name is None:
        raise Misfit(path, f"{kind_of(value)} as a value", "an integer, a string or a keyword", "micro-operation")
    return name


def kind_of(value: object) -> str:
    """What a value of EDN or JSON is, in words."""
    if value is None:
        return "nil"
    kinds = (
        (dict, "a map"),
        (list, "a vector"),
        (Keyword, "a keyword"),
        (Exact, "a number"),
        (Tagged, "a tagged form"),
        (Symbol, "a symbol or a set"),
        (str, "a string"),
        (bool, "a boolean"),
    )
    return next((words for kind, words in kinds if isinstance(value, kind)), "a number")


def _word(name: object) -> str:
    return f":{name}"[:40] if isinstance(name, str) else kind_of(name)


@dataclass
class Pairing:
    """Takes operations in the order of the file and makes transactions of them.

    `look` finds the micro-operations in the :value of an operation (Misfit where it is none); `locate` the offset of a
    path in it; `same` whether two values certainly agree (`completions.same_micros`).
    """

    format: str
    text: Text
    faults: Faults
    look: Callable[[object], Sequence[Micro]]
    locate: Callable[[Operation, Path], int]
    invoked: bool
    same: Callable[[object, object], bool] = same_micros
    gather: Gather = field(default_factory=Gather)
    pending: dict[str | None, tuple[int, Operation]] = field(default_factory=dict)
    model: Model | None = None
    place: int = -1
    others: dict[str, Operation] = field(default_factory=dict)
    count_others: int = 0
    names: set[str] = field(default_factory=set)

    def take(self, operation: Operation) -> None:
        """The next operation; a fault in it is collected."""
        self.place += 1
        try:
            self._take(operation)
        except Misfit as misfit:
            self.bad(operation, misfit)

    def bad(self, operation: Operation, misfit: Misfit) -> None:
        """Collect what is wrong with an operation."""
        at = self.locate(operation, misfit.path)
        self.faults.add(Fault(at, misfit.what, misfit.expected, misfit.rule), kept=misfit.kept)

    def _take(self, operation: Operation) -> None:
        kind, process = operation.type, operation.process
        if process == "nemesis":
            return
        if operation.f not in (None, "txn"):
            self.others.setdefault(str(operation.f), operation)
            self.count_others += 1
            return
        if kind == "invoke":
            self._invoke(operation)
        elif kind in _OUTCOMES:
            self._complete(operation, _OUTCOMES[kind])
        else:
            what = "an operation without :type" if kind is None else f":type :{kind[:40]}"
            raise Misfit(() if kind is None else ("type",), what, ":invoke, :ok, :fail or :info", "type")

    def _invoke(self, operation: Operation) -> None:
        process = operation.process
        before = self.pending.pop(process, None)
        number = self.gather.transaction(process, UNKNOWN, self._name(operation), self.place)
        self.pending[process] = (number, operation)
        if before is not None:
            self._unknown(*before)
            who, its = ("an invocation", "that") if process is None else (f"process {process} invokes", "its operation")
            what = f"{who} while {its} of line {before[1].line} is under way"
            expected = (
                "its completion" if process else "its completion (without :process, operations follow each other)"
            )
            raise Misfit((), what, expected, "invoke-twice", kept=True)

    def _name(self, operation: Operation) -> str:
        name = operation.index
        if name is None or name in self.names:
            name = f"#{self.place}"
        self.names.add(name)
        return name

    def _complete(self, operation: Operation, outcome: int) -> None:
        process = operation.process
        if not self.invoked:
            number, invocation = self.gather.transaction(process, outcome, self._name(operation)), operation
        elif process not in self.pending:
            what = f":type :{operation.type} of " + ("no process" if process is None else f"process {process}")
            raise Misfit(("type",), f"{what}, which has invoked nothing", "an :invoke before it", "completion")
        else:
            number, invocation = self.pending.pop(process)
        if outcome == UNKNOWN:
            self._agree_unknown(operation, invocation, self._unknown(number, invocation))
            return
        value = invocation.value if outcome == ABORTED and operation.value is None else operation.value
        try:
            found = self._look(operation, value)
            if invocation is not operation and value is not invocation.value:
                self._agree(operation, found, invocation)
        except Misfit:
            if invocation is not operation:
                self._unknown(number, invocation)
            raise
        self.gather.outcome[number] = outcome
        self.gather.ended[number] = self.place
        if invocation is not operation:
            self.gather.transactions[number] = self._name(operation)
        if outcome == ABORTED:
            # Nil is what was to be read. A list may end in own appends, which then never were in the list of others.
            found = [one for one in found if one[0] != "r" or isinstance(one[2], str)]
        self.gather.add(number, found, operation.line)

    def _look(self, operation: Operation, value: object) -> Sequence[Micro]:
        found = self.look(value)
        for place, (name, _, shown) in enumerate(found):
            if name == "append" or isinstance(shown, tuple):
                model: Model = "append"
            elif shown is not None:
                model = "register"
            else:
                continue
            if self.model is None:
                self.model = model
            elif self.model != model:
                what = {"append": "a list", "register": "a register"}
                raise Misfit(
                    ("value", place), what[model], f"{what[self.model]}, as in the transactions before", "mixed"
                )
        return found

    def _agree(self, operation: Operation, found: Sequence[Micro], invocation: Operation) -> None:
        """See that a completion has the micro-operations of its invocation, where that has any. Raises Misfit."""
        if not shaped(invocation.value) or self.same(operation.value, invocation.value):
            return
        try:
            invoked = self.look(invocation.value)
        except Misfit as misfit:
            misfit.kept = True  # the completion says what was done
            self.bad(invocation, misfit)
            return
        self._compare(operation, found, invocation, invoked)

    def _compare(
        self, operation: Operation, found: Sequence[Micro], invocation: Operation, invoked: Sequence[Micro]
    ) -> None:
        wrong = contradiction(found, invoked, operation.line, invocation.line)
        if wrong is not None:
            path: Path = ("value",) if wrong[0] is None else ("value", wrong[0])
            raise Misfit(path, wrong[1], AGREEMENT, CONTRADICTION)

    def _agree_unknown(self, operation: Operation, invocation: Operation, invoked: Sequence[Micro] | None) -> None:
        """The same of a completion that does not know its outcome. What it has instead of micro-operations, such as the
        words of an error, contradicts nothing. Raises Misfit."""
        if invoked is None or operation is invocation or not shaped(operation.value):
            return
        try:
            found = self.look(operation.value)
        except Misfit:
            return
        self._compare(operation, found, invocation, invoked)

    def _unknown(self, number: int, invocation: Operation) -> Sequence[Micro] | None:
        """A transaction of which nobody knows the outcome: it has what it meant to write. All that it meant to do, or
        None where that is at fault."""
        try:
            found = self._look(invocation, invocation.value)
        except Misfit as misfit:
            self.bad(invocation, misfit)
            return None
        self.gather.add(number, [one for one in found if one[0] != "r"], invocation.line)
        return found

    def history(self, initial: Initial) -> History | None:
        """The history, or None with faults."""
        for number, invocation in self.pending.values():
            self._unknown(number, invocation)
        if not self.gather.transactions and not self.faults.found:
            if self.others:
                name, first = next(iter(self.others.items()))
                fault = Fault(
                    self.locate(first, ("f",)),
                    f"operations :f :{name[:40]}",
                    ":f :txn, of list-append or rw-register",
                    "workload",
                )
            else:
                fault = empty(self.text, EXPECTED)
            self.faults.add(fault, fatal=True)
        if self.faults.found:
            return None
        warnings = list(self.faults.warnings())
        if self.others:
            names = ", ".join(f":{name[:40]}" for name in list(self.others)[:3])
            count = self.count_others
            which = (
                "1 operation that is no transaction is"
                if count == 1
                else f"{count} operations that are no transactions are"
            )
            warnings.append(f"{which} left out (:f {names})")
        if not self.invoked:
            warnings.append("no operation is an invocation, so nothing is known of real time")
        return self.gather.history(
            format=self.format,
            source=self.text.source,
            model=self.model or "register",
            initial=initial,
            timed=self.invoked,
            warnings=tuple(warnings),
        )
