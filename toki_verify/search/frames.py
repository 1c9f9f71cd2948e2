"""The unknown schedules of one frame as a circuit: its inputs, what makes them well-formed, and symmetry breaking.

Up to renaming every schedule is represented once: transactions of one size are numbered by their first events, items,
predicates and keys by comparing what every slot does with them, lexicographically (a static lex-leader over slots,
Crawford et al. 1996), so that no two numberings of one schedule are both models.
"""

from __future__ import annotations

from itertools import combinations, permutations

from ..events import DEFAULT_TABLE, Surface
from ..relations.booleans import Circuit
from ..relations.formulas import Region
from ..relations.surface import recovery
from ..relations.unknown import INITIAL_VERSION, Unknown, Values
from .features import Features, Frame
from .frame_erasure import require_erasure
from .frame_log import require_log


class FrameCircuit:
    """An unknown schedule over circuit inputs. `rules` are literals that every well-formed schedule makes true.

    `surface` is what the store keeps; None: that is unknown, too.
    """

    def __init__(
        self,
        frame: Frame,
        items: int,
        features: Features,
        regions: frozenset[Region] = frozenset(),
        surface: tuple[Surface, ...] | None = None,
    ) -> None:
        self.frame, self.items, self.features = frame, items, features
        self.circuit = Circuit()
        slots = frame.slots
        self.unknown = Unknown(self.circuit, slots, len(frame.sizes), items)
        self.rules: list[int] = []
        self.begin = [0] * len(slots)
        self.partial = [0] * len(slots)
        self.stated = 0
        self._interleave()
        self._ends()
        self._kinds()
        self._attributes(regions, recovery(surface or ()).no_facts if features.erasure else frozenset())
        self._versions()
        self._predicates()
        if features.judge_log:
            require_log(self)
        if features.erasure:
            require_erasure(self, surface)
        self._orders()
        self._sessions()
        self._symmetry()

    def _require(self, *any_of: int) -> None:
        """At least one of these holds."""
        self.rules.append(self.circuit.any(any_of))

    def _implies(self, one: int, *any_of: int) -> None:
        self._require(one ^ 1, *any_of)

    def _one_of(self, values: list[int], when: int) -> None:
        """At most one ever, and exactly one when `when`."""
        self._require(when ^ 1, *values)
        for one, other in combinations(values, 2):
            self._require(one ^ 1, other ^ 1)

    def soft(self) -> list[int]:
        """Literals beside the inputs that preferences may ask for."""
        from .preferences import coarse

        return [literal for wish in coarse() for literal in wish(self)]

    # -- the order of events -----------------------------------------------------------------------------------------
    def _interleave(self) -> None:
        """A total order of all moments (slots and ends) that keeps every transaction's own order."""
        unknown, frame = self.unknown, self.frame
        moments: list[tuple[int, int]] = [(t, place) for t, size in enumerate(frame.sizes) for place in range(size)]
        self.moments = moments
        fresh = self.circuit.fresh
        order = [[0] * len(moments) for _ in moments]
        for one, other in combinations(range(len(moments)), 2):
            same = moments[one][0] == moments[other][0]
            order[one][other] = 1 if same else fresh()
            order[other][one] = order[one][other] ^ 1
        for a, b, c in combinations(range(len(moments)), 3):
            if moments[a][0] != moments[c][0]:
                # Of three moments, neither direction of the cycle.
                self._require(order[a][b] ^ 1, order[b][c] ^ 1, order[a][c])
                self._require(order[a][b], order[b][c], order[a][c] ^ 1)
        self.order = order
        slot = 0
        self.moment_of: list[int] = []
        self.end_moment: list[int | None] = [None] * len(frame.sizes)
        for moment, (t, place) in enumerate(moments):
            if frame.ended[t] and place == frame.sizes[t] - 1:
                self.end_moment[t] = moment
            else:
                self.moment_of.append(moment)
                slot += 1
        for one in range(slot):
            for other in range(slot):
                if one != other:
                    unknown.before[one][other] = order[self.moment_of[one]][self.moment_of[other]]
        for t, end in enumerate(self.end_moment):
            if end is not None:
                for other in range(slot):
                    if unknown.txn_of[other] != t:
                        unknown.end_before[t][other] = order[end][self.moment_of[other]]

    def _ends(self) -> None:
        unknown = self.unknown
        for t, ended in enumerate(self.frame.ended):
            if not ended:
                continue
            unknown.committed[t] = self.circuit.fresh() if self.features.aborts else 1
            unknown.aborted[t] = unknown.committed[t] ^ 1

    # -- what events are ---------------------------------------------------------------------------------------------
    def _kinds(self) -> None:
        unknown, features, fresh = self.unknown, self.features, self.circuit.fresh
        items = range(self.items)
        for slot in range(len(unknown.txn_of)):
            kinds: list[int] = []
            if features.reads:
                unknown.read[slot] = {item: fresh() for item in items}
                kinds += unknown.read[slot].values()
            if features.writes:
                unknown.write[slot] = {item: fresh() for item in items}
                kinds += unknown.write[slot].values()
            if features.predicates:
                unknown.predicate[slot] = {name: fresh() for name in range(features.predicates)}
                kinds += unknown.predicate[slot].values()
            if features.keys:
                unknown.judge[slot] = fresh()
                kinds.append(unknown.judge[slot])
                unknown.key[slot] = {key: fresh() for key in range(features.keys)}
                self._one_of(list(unknown.key[slot].values()), unknown.judge[slot])
                unknown.vote[slot] = {vote: fresh() for vote in range(features.votes)}
                voted = unknown.judge[slot] if not features.unknown_votes else 0
                self._one_of(list(unknown.vote[slot].values()), voted)
                for value in (*unknown.key[slot].values(), *unknown.vote[slot].values()):
                    self._implies(value, unknown.judge[slot])
            if features.callbacks:
                unknown.callback[slot] = fresh()
                kinds.append(unknown.callback[slot])
                unknown.by_await[slot] = fresh()
                self._implies(unknown.by_await[slot], *unknown.write[slot].values())
            if features.begins and slot == unknown.slots_of[unknown.txn_of[slot]][0]:
                self.begin[slot] = fresh()
                kinds.append(self.begin[slot])
            self._one_of(kinds, 1)

    def _attributes(self, regions: frozenset[Region], apart: frozenset[str]) -> None:
        """Tables and partitions of items: those that pinned levels name, the default table and one that no level names,
        those apart from facts, and partitions without a name."""
        unknown, fresh = self.unknown, self.circuit.fresh
        named_tables = {region.table for region in regions if region.table is not None} | apart
        tables = sorted(named_tables - {DEFAULT_TABLE})
        if named_tables:
            other = next(
                name for name in ("other", *(f"other{n}" for n in range(len(tables) + 2))) if name not in tables
            )
            tables = [DEFAULT_TABLE, *tables, other]
        unknown.tables = tables
        named = sorted({region.partition for region in regions if region.partition is not None})
        unknown.partitions = named
        self.table_given: list[int] = []
        self.predicate_table: list[Values] = []
        for _ in range(self.features.predicates):
            chosen = [fresh() for _ in tables]
            if chosen:
                self._one_of(chosen, 1)
            self.predicate_table.append(dict(enumerate(chosen)))
        labels = len(named) + (self.items if self.features.partitions else 0)
        for item in range(self.items):
            if tables:
                found = [fresh() for _ in tables]
                self._one_of(found, 0)
                self.table_given.append(self.circuit.any(found))
                unknown.table[item] = dict(enumerate(found))
            if labels:
                found = [fresh() for _ in range(labels)]
                self._one_of(found, 0)
                unknown.partition[item] = dict(enumerate(found))
        for label in range(len(named), labels):
            for item in range(self.items):
                # Partitions without a name are numbered by their first item, and items without use have none.
                if label > len(named):
                    earlier = [unknown.partition[other][label - 1] for other in range(item)]
                    self._implies(unknown.partition[item][label], *earlier)

    # -- versions ----------------------------------------------------------------------------------------------------
    def _versions(self) -> None:
        unknown, circuit = self.unknown, self.circuit
        if self.features.predicates:
            for slot in range(len(unknown.txn_of)):
                unknown.matched[slot] = {item: circuit.fresh() for item in range(self.items)}
                unknown.unmatched[slot] = {item: circuit.fresh() for item in range(self.items)}
        for item in range(self.items):
            unknown.stated[item] = circuit.fresh() if self.features.erasure else 0
            accesses = [
                table[slot].get(item, 0)
                for slot in range(len(unknown.txn_of))
                for table in (unknown.read, unknown.write, unknown.matched, unknown.unmatched)
            ]
            unknown.present[item] = circuit.any((*accesses, unknown.stated[item]))
            for value in (*unknown.table[item].values(), *unknown.partition[item].values()):
                self._implies(value, unknown.present[item])
            if self.table_given:
                self._implies(unknown.present[item], self.table_given[item])
        for slot in range(len(unknown.txn_of)):
            for item in range(self.items):
                self._sources(slot, item)

    def _sources(self, slot: int, item: int) -> None:
        """What an access to an item saw: one version, written earlier; its own latest one if there is one."""
        unknown, circuit = self.unknown, self.circuit
        access = [table[slot].get(item, 0) for table in (unknown.read, unknown.matched, unknown.unmatched)]
        sees = circuit.any(access)
        if not sees:
            return
        own = [s for s in unknown.slots_of[unknown.txn_of[slot]] if s < slot]
        seen: Values = {INITIAL_VERSION: circuit.fresh()}
        if self.features.writes:
            for source in range(len(unknown.txn_of)):
                if source in own or unknown.txn_of[source] != unknown.txn_of[slot]:
                    seen[source] = circuit.fresh()
                    self._implies(seen[source], unknown.write[source][item])
                    self._implies(seen[source], unknown.before[source][slot])
        unknown.seen[slot][item] = seen
        self._one_of(list(seen.values()), sees)
        for value in seen.values():
            self._implies(value, sees)
        for earlier in own:
            wrote = unknown.write[earlier].get(item, 0)
            later = [seen[s] for s in own if s >= earlier and s in seen]
            self._implies(circuit.both(wrote, sees), *later)

    def _predicates(self) -> None:
        unknown, circuit, features = self.unknown, self.circuit, self.features
        if not features.predicates:
            return
        names, items, slots = range(features.predicates), range(self.items), range(len(unknown.txn_of))
        read = [circuit.any(unknown.predicate[slot][name] for slot in slots) for name in names]
        for item in items:
            unknown.initial_matches[item] = {name: circuit.fresh() for name in names}
            for name in names:
                self._implies(unknown.initial_matches[item][name], read[name])
                self._implies(unknown.initial_matches[item][name], unknown.present[item])
                self._implies(unknown.initial_matches[item][name], self._fits(item, name))
        for slot in slots:
            unknown.in_predicate[slot] = {name: circuit.fresh() for name in names}
            for name in names:
                self._implies(unknown.in_predicate[slot][name], read[name])
                writes = [circuit.both(unknown.write[slot].get(item, 0), self._fits(item, name)) for item in items]
                self._implies(unknown.in_predicate[slot][name], *writes)
        for slot in slots:
            reads = circuit.any(unknown.predicate[slot].values())
            if features.partial:
                self.partial[slot] = circuit.fresh()
                self._implies(self.partial[slot], reads)
            left_out = [self._row(slot, item) for item in items]
            if features.partial:
                # A read that leaves out no row is not partial.
                self._implies(self.partial[slot], *left_out)

    def _fits(self, item: int, name: int) -> int:
        """The item is of the table of the predicate."""
        circuit = self.circuit
        pairs = [(self.unknown.table[item][t], of) for t, of in self.predicate_table[name].items()]
        return circuit.all(circuit.either(circuit.both(one, of), circuit.both(one ^ 1, of ^ 1)) for one, of in pairs)

    def _row(self, slot: int, item: int) -> int:
        """A predicate read sees every row of its table, as matching or not, as its version does; a partial read may
        leave the row out, and whether it does is returned."""
        unknown, circuit = self.unknown, self.circuit
        matched, unmatched = unknown.matched[slot][item], unknown.unmatched[slot][item]
        self._require(matched ^ 1, unmatched ^ 1)
        of_table = circuit.any(circuit.both(at, self._fits(item, name)) for name, at in unknown.predicate[slot].items())
        self._implies(matched, of_table)
        self._implies(unmatched, of_table)
        whole = circuit.both(of_table, self.partial[slot] ^ 1)
        self._implies(circuit.both(whole, unknown.present[item]), matched, unmatched)
        for name, at in unknown.predicate[slot].items():
            for source, seen in unknown.seen[slot][item].items():
                of = unknown.initial_matches[item] if source == INITIAL_VERSION else unknown.in_predicate[source]
                both = circuit.both(at, seen)
                self._implies(circuit.both(both, matched), of[name])
                self._implies(circuit.both(both, unmatched), of[name] ^ 1)
        return circuit.all((of_table, unknown.present[item], matched ^ 1, unmatched ^ 1))

    def _orders(self) -> None:
        """≪: the order of the writes, or, where two installed versions meet, any other total order."""
        unknown, circuit = self.unknown, self.circuit
        slots = range(len(unknown.txn_of))
        if not self.features.orders:
            unknown.order = {(f, g): unknown.before[f][g] for f in slots for g in slots if f != g}
            return
        meets: dict[tuple[int, int], int] = {}
        installed = [{item: unknown.installed(slot, item) for item in range(self.items)} for slot in slots]
        for f, g in combinations(slots, 2):
            if unknown.txn_of[f] == unknown.txn_of[g]:
                continue
            meet = unknown.same(installed[f], installed[g])
            meets[f, g] = meets[g, f] = meet
            order = circuit.fresh()
            unknown.order[f, g], unknown.order[g, f] = order, order ^ 1
            differs = circuit.both(order, unknown.before[g][f])
            differs = circuit.either(differs, circuit.both(order ^ 1, unknown.before[f][g]))
            self._require(meet, differs ^ 1)
            self.stated = circuit.either(self.stated, differs)
        for f, g, h in combinations(slots, 3):
            if all(pair in meets for pair in ((f, g), (g, h), (f, h))):
                apart = circuit.both(meets[f, g], meets[g, h]) ^ 1
                self._require(apart, unknown.order[f, g] ^ 1, unknown.order[g, h] ^ 1, unknown.order[f, h])
                self._require(apart, unknown.order[f, g], unknown.order[g, h], unknown.order[f, h] ^ 1)

    def _sessions(self) -> None:
        """Sessions order some of the committed transactions in chains; `unreal` where one contradicts real time."""
        unknown, circuit = self.unknown, self.circuit
        self.unreal = 0
        if not self.features.sessions:
            return
        txns = range(unknown.txns)
        after = unknown.session
        for t in txns:
            for u in txns:
                if t != u:
                    after[t, u] = circuit.fresh()
                    self._implies(after[t, u], unknown.committed[t])
                    self._implies(after[t, u], unknown.committed[u])
                    over = unknown.end_before[t][unknown.slots_of[u][0]]
                    self.unreal = circuit.either(self.unreal, circuit.both(after[t, u], over ^ 1))
        for t, u in combinations(txns, 2):
            self._require(after[t, u] ^ 1, after[u, t] ^ 1)
        for t, u, v in permutations(txns, 3):
            self._require(after[t, u] ^ 1, after[u, v] ^ 1, after[t, v])
            if u < v:
                self._require(after[t, u] ^ 1, after[t, v] ^ 1, after[u, v], after[v, u])
                self._require(after[u, t] ^ 1, after[v, t] ^ 1, after[u, v], after[v, u])

    # -- symmetry ----------------------------------------------------------------------------------------------------
    def _symmetry(self) -> None:
        unknown, frame = self.unknown, self.frame
        for t in range(len(frame.sizes) - 1):
            if (frame.sizes[t], frame.ended[t]) == (frame.sizes[t + 1], frame.ended[t + 1]):
                one, other = (self.moments.index((s, 0)) for s in (t, t + 1))
                self._require(self.order[one][other])
        slots = range(len(unknown.txn_of))
        for item in range(self.items - 1):
            self._not_before(self._column(item), self._column(item + 1))
        for name in range(self.features.predicates - 1):
            self._not_before(
                [unknown.predicate[slot][name] for slot in slots], [unknown.predicate[slot][name + 1] for slot in slots]
            )
        for key in range(self.features.keys - 1):
            self._not_before([unknown.key[slot][key] for slot in slots], [unknown.key[slot][key + 1] for slot in slots])

    def _column(self, item: int) -> list[int]:
        unknown = self.unknown
        tables = (unknown.read, unknown.write, unknown.matched, unknown.unmatched)
        bits = [table[slot][item] for slot in range(len(unknown.txn_of)) for table in tables if table[slot]]
        bits += [*unknown.table[item].values(), *unknown.initial_matches[item].values()]
        return [*bits, unknown.stated[item]] if self.features.erasure else bits

    def _not_before(self, one: list[int], other: list[int]) -> None:
        """The one column is lexicographically at least the other."""
        circuit = self.circuit
        equal = 1
        for a, b in zip(one, other, strict=True):
            self._require(equal ^ 1, a, b ^ 1)
            equal = circuit.both(equal, circuit.either(circuit.both(a, b), circuit.both(a ^ 1, b ^ 1)))
