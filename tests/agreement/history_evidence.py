"""Evidence for a *no*, checked against the history: every edge is there, every cycle is one that the level forbids, and
every order of the versions closes one of the cycles."""

from __future__ import annotations

from itertools import permutations, product

from toki_verify.histories.columns import READ, WRITE, History
from toki_verify.histories.sessions.edges import Edge
from toki_verify.histories.sessions.verdict import LevelOutcome

Pair = tuple[int, int, int]


def objections(history: History, outcome: LevelOutcome, realtime: bool = False) -> list[str]:
    """What is wrong with the evidence that refutes a level; nothing: it does."""
    facts = _Facts(history)
    if outcome.lost:
        return _lost(facts, outcome)
    found = []
    needed: list[frozenset[Pair]] = []
    for case in outcome.cases:
        if not case:
            found.append("an empty cycle")
            continue
        for edge, following in zip(case, [*case[1:], case[0]], strict=True):
            if edge.target != following.source:
                found.append(f"{edge} and {following} do not meet")
        needed.append(frozenset(pair for edge in case for pair in facts.edge(edge, outcome.of, realtime, found)))
        if not _forbidden([edge.kind for edge in case], outcome.of):
            found.append(f"{outcome.of} allows the cycle {[edge.kind for edge in case]}")
    keys = sorted({key for pairs in needed for key, _, _ in pairs})
    for orders in product(*(facts.version_orders(key, outcome.of) for key in keys)):
        place = {(key, t): at for key, order in zip(keys, orders, strict=True) for at, t in enumerate(order)}
        if not any(all(place[key, a] < place[key, b] for key, a, b in pairs) for pairs in needed):
            found.append(f"the order {dict(zip(keys, orders, strict=True))} closes none of the cycles")
            break
    return found


def _forbidden(kinds: list[str], level: str) -> bool:
    before = [kinds[-1], *kinds[:-1]]
    if level in ("RC", "RA", "CC"):
        return "rw" not in kinds
    if level == "PC":
        return all(one != "rw" or other in ("so", "wr", "rt") for other, one in zip(before, kinds, strict=True))
    if level == "PSI":
        return kinds.count("rw") <= 1
    return level == "SER" or all((other, one) != ("rw", "rw") for other, one in zip(before, kinds, strict=True))


class _Facts:
    def __init__(self, history: History) -> None:
        self.history = history
        self.txn = history.txn_of().tolist()
        self.last = {}
        for at, kind in enumerate(history.kind.tolist()):
            if kind == WRITE:
                self.last[self.txn[at], int(history.key[at])] = at

    def source(self, read: int) -> int:
        writer = int(self.history.writer[self.history.version[read]])
        return -1 if writer < 0 else int(self.txn[writer])

    def external(self, t: int) -> list[int]:
        """The external reads of a transaction."""
        found, own = [], set()
        for at in range(int(self.history.first[t]), int(self.history.first[t + 1])):
            if self.history.kind[at] == WRITE:
                own.add(int(self.history.key[at]))
            elif int(self.history.key[at]) not in own or (self.history.model == "append" and self.source(at) != t):
                found.append(at)
        return found

    def rank(self, write: int) -> int:
        return int(self.history.rank[self.history.version[write]])

    def edge(self, edge: Edge, level: str, realtime: bool, found: list[str]) -> list[Pair]:
        """The pairs of version orders that an edge needs; what is wrong with it goes to `found`."""
        history, a, b = self.history, edge.source, edge.target
        good, pairs = False, []
        if edge.kind == "so":
            good = history.session[a] == history.session[b] >= 0 and a < b
        elif edge.kind == "rt":
            assert history.begun is not None and history.ended is not None
            good = realtime and bool(-1 < history.ended[a] < history.begun[b])
        elif edge.kind == "initial":
            good = a == -1
        elif edge.kind == "wr":
            write, read = edge.operations
            good = history.writer[history.version[read]] == write and (self.txn[write], self.txn[read]) == (a, b)
        elif edge.kind == "forced":
            read = edge.operations[0]
            reader = self.txn[read]
            good = self.source(read) == b and (a, edge.key) in self.last and a in self.observed(reader, read, level)
        elif edge.kind == "ww":
            one, two = edge.operations[:2]
            good = history.kind[one] == history.kind[two] == WRITE and (self.txn[one], self.txn[two]) == (a, b)
            if edge.chosen or not self.before(one, two, level):
                good, pairs = good and edge.chosen, [(edge.key, a, b)]
        elif edge.kind == "rw":
            read, write = edge.operations[:2]
            seen = self.source(read)
            good = history.kind[read] == READ and read in self.external(a) and self.last[b, edge.key] == write
            good = good and a != b and history.key[read] == edge.key and seen != b
            if edge.chosen:
                pairs = [(edge.key, seen, b)]
            elif seen >= 0:
                good = good and self.before(self.last[seen, edge.key], write, level)
        if not good:
            found.append(f"no such edge: {edge}")
        return pairs

    def before(self, one: int, two: int, level: str) -> bool:
        """Whether the first write is certainly before the other: by known order, or read and overwritten."""
        first, second = self.rank(one), self.rank(two)
        if first >= 0 and (first < second or (second < 0 and self.history.model == "append")):
            return True
        if level == "PC":
            return False
        follows: dict[int, int] = {}  # of a transaction that overwrites what it read, whose version that was
        key = int(self.history.key[one])
        for t in range(len(self.history.session)):
            if (t, key) in self.last and self.history.outcome[t] != 0:
                for read in self.external(t):
                    if self.history.key[read] == key:
                        follows[t] = self.source(read)
        at, seen = self.txn[two], {self.txn[two]}
        while at in follows and follows[at] not in seen:
            at = follows[at]
            seen.add(at)
            if at == self.txn[one]:
                return True
        # What follows from the last version of known place, or else from the initial one, is before all others.
        placed = [t for t, k in self.last if k == key and self.rank(self.last[t, k]) >= 0]
        lists = placed and self.history.model == "append"
        root = max(placed, key=lambda t: self.rank(self.last[t, key])) if lists else -1

        def descends(t: int) -> bool:
            passed = {t}
            while t != root and t in follows and follows[t] not in passed:
                t = follows[t]
                passed.add(t)
            return t == root

        return descends(int(self.txn[one])) and not descends(int(self.txn[two]))

    def observed(self, reader: int, read: int, level: str) -> set[int]:
        """What the axiom lets a read see."""
        history = self.history
        reads = self.external(reader)
        if level == "RC":
            return {self.source(other) for other in reads if other < read}

        def direct(t: int) -> set[int]:
            back = {u for u in range(t) if history.session[u] == history.session[t] >= 0 and history.outcome[u] != 0}
            return back | {self.source(other) for other in self.external(t)} - {-1}

        if level == "RA":
            return direct(reader)
        seen: set[int] = set()
        todo = [reader]
        while todo:
            for u in direct(todo.pop()) - seen:
                seen.add(u)
                todo.append(u)
        return seen

    def version_orders(self, key: int, level: str) -> list[tuple[int, ...]]:
        """The orders of the writers of a key that fit what is known, and lose no update where the level forbids it."""
        writers = [t for t, k in self.last if k == key and self.history.outcome[t] != 0]
        fits = []
        for order in permutations(writers):
            if all(
                not self.before(self.last[b, key], self.last[a, key], "PC")
                for at, b in enumerate(order)
                for a in order[:at]
            ) and (level == "PC" or self._keeps_updates(key, order)):
                fits.append(order)
        return fits

    def _keeps_updates(self, key: int, order: tuple[int, ...]) -> bool:
        for at, t in enumerate(order):
            for read in self.external(t):
                if self.history.key[read] == key and self.source(read) != (order[at - 1] if at else -1):
                    return False
        return True


def _lost(facts: _Facts, outcome: LevelOutcome) -> list[str]:
    one, two = outcome.lost
    good = (
        outcome.of in ("PSI", "SI", "SER")
        and facts.txn[one] != facts.txn[two]
        and facts.history.version[one] == facts.history.version[two]
        and all(at in facts.external(facts.txn[at]) for at in (one, two))
        and all((facts.txn[at], int(facts.history.key[at])) in facts.last for at in (one, two))
    )
    return [] if good else [f"no lost update: {outcome.lost}"]
