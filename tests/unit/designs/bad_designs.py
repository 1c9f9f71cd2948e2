"""Designs that are wrong, each with the words that must be said of it; the line is one of those that end in `# HERE`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

HEAD: Final = """\
import collections, functools, itertools, os, random, secrets, sys, time, uuid
import datetime as dates
from datetime import date, datetime
from toki_verify.designs import *

GLOBAL = []
CHANCE = itertools.count()
NUMBER = 0

class Bad(Design):
    def setup(self):
        return [row("facts", "m0", subject="alice", predicate="lives_in", object="Lyon", n=0, prov="p0")]
"""


class Case(NamedTuple):
    """A wrong design: its name, the writer's body or a whole class body, and what must be said."""

    name: str
    body: str
    says: str
    writer: bool = True

    @property
    def source(self) -> str:
        """The design's file."""
        if not self.writer:
            return HEAD + self.body
        body = "\n".join("        " + line for line in self.body.splitlines())
        return f"{HEAD}\n    @writer\n    def remember(self, me):\n{body}\n"

    @property
    def lines(self) -> list[int]:
        """The lines of which one must be named; none where it is of no account."""
        return [number for number, line in enumerate(self.source.splitlines(), 1) if line.endswith("# HERE")]

    def matches(self, text: str) -> bool:
        """Whether a message says it."""
        return re.search(self.says, text) is not None


STEPS: Final = [
    Case("a loop", "yield from read('facts', 'm0')\nwhile True:\n    pass  # HERE", "step 2: it ran 100000 lines"),
    Case("a loop in a comprehension", "x = [i for i in itertools.count()]  # HERE\nyield from commit()", "100000 lines|5 s"),
    Case("a call of C with Python in it", "x = list(iter(lambda: 1, 2))  # HERE\nyield from commit()", "step 1: it ran 100000"),
    Case("recursion", "def f(n):\n    return f(n + 1)  # HERE\nf(0)\nyield from commit()", "raised RecursionError"),
    Case("recursive writer", "yield from self.remember(me)  # HERE", "raised RecursionError"),
    Case(
        "a loop that swallows",
        "while True:  # HERE\n    try:  # HERE\n        x = 1  # HERE\n    except BaseException:\n        pass\nyield from commit()",
        "it ran 100000 lines",
    ),
    Case(
        "a loop in a function that swallows",
        "def f():\n    while True:  # HERE\n        try:  # HERE\n            x = 1  # HERE\n        except:\n            continue\nf()\n"
        "yield from commit()",
        "it ran 100000 lines",
    ),
    Case("operations for ever", "while True:\n    yield from read('facts', 'm0')  # HERE", "64 operations in one attempt"),
    Case(
        "a retry for ever",
        "while True:\n    try:\n        yield from begin('SI')  # HERE\n        raise Aborted('again')\n"
        "    except Aborted:\n        yield from abort()  # HERE",
        "64 operations in one attempt",
    ),
    Case("a computed column that loops", "yield from update('facts', 'm0', n=lambda row: [1 for _ in iter(int, 1)])  # HERE", "column 'n': it ran 100000 lines"),
    Case("a computed column that raises", "yield from update('facts', 'm0', n=lambda row: row['nope'])  # HERE\nyield from commit()", "step 1: column 'n': raised KeyError"),
    Case("a computed column of chance", "yield from update('facts', 'm0', n=lambda row: random.random())  # HERE", r"column 'n': it calls Random.random|column 'n': it calls random"),
    Case("a computed column that counts", "c = itertools.count()\nyield from update('facts', 'm0', n=lambda row: next(c))  # HERE", "column 'n': it is another value each time"),
    Case("a computed column that is no value", "yield from update('facts', 'm0', n=lambda row: object())  # HERE", "column 'n': object"),
    Case("an insert of a function", "yield from insert('facts', n=lambda row: 1)  # HERE", "only an update has a row"),
    Case("random.random", "x = random.random()  # HERE\nyield from commit()", "it calls .*random.*no clock, no randomness"),
    Case("random.choice", "x = random.choice([1, 2])  # HERE\nyield from commit()", "it calls .*no randomness"),
    Case("random.Random", "x = random.Random().random()  # HERE\nyield from commit()", "it calls .*no randomness"),
    Case("secrets", "x = secrets.token_hex()  # HERE\nyield from commit()", "it calls .*urandom"),
    Case("uuid4", "x = uuid.uuid4()  # HERE\nyield from commit()", "it calls .*urandom"),
    Case("uuid1", "x = uuid.uuid1()  # HERE\nyield from commit()", "it calls "),
    Case("os.urandom", "x = os.urandom(4)  # HERE\nyield from commit()", "it calls urandom"),
    Case("hash", "x = hash('a')  # HERE\nyield from commit()", "it calls hash"),
    Case("id", "x = id(self)  # HERE\nyield from commit()", "it calls id"),
    Case("time.time", "x = time.time()  # HERE\nyield from commit()", "step 1: it calls time"),
    Case("time.perf_counter", "x = time.perf_counter()  # HERE\nyield from commit()", "it calls perf_counter"),
    Case("time.monotonic_ns", "x = time.monotonic_ns()  # HERE\nyield from commit()", "it calls monotonic_ns"),
    Case("time.sleep", "x = time.sleep(100)  # HERE\nyield from commit()", "it calls sleep"),
    Case("datetime.now", "x = datetime.now()  # HERE\nyield from commit()", "it calls .*now"),
    Case("datetime.now of a module", "x = dates.datetime.now(dates.UTC)  # HERE\nyield from commit()", "it calls .*now"),
    Case("date.today", "x = date.today()  # HERE\nyield from commit()", "it calls .*today"),
    Case("input", "x = input()  # HERE\nyield from commit()", "it calls input"),
    Case("swallowed clock", "try:\n    x = time.time()  # HERE\nexcept BaseException:\n    x = 0\nyield from commit()", "it calls time"),
    Case(
        "chance that is not seen",
        "yield from update('facts', 'm0', n=next(CHANCE))  # HERE\n",
        "run twice with the same answers it did two things",
    ),
    Case("state on self", "self.n = getattr(self, 'n', 0) + 1\nyield from read('facts', 'm0')  # HERE\nyield from commit()", r"it changes self\.n"),
    Case("state in a global list", "GLOBAL.append(me)\nyield from read('facts', 'm0')  # HERE\nyield from commit()", "it changes GLOBAL"),
    Case("state in a global", "global NUMBER\nNUMBER += 1\nyield from read('facts', 'm0')  # HERE\nyield from commit()", "it changes NUMBER"),
    Case("state on the class", "Bad.seen = getattr(Bad, 'seen', 0) + 1\nyield from read('facts', 'm0')  # HERE\nyield from commit()", r"it changes Bad\.seen"),
    Case("yield None", "yield None  # HERE", "step 1: yielded None, expected an operation"),
    Case("bare yield", "yield  # HERE", "yielded None"),
    Case("yield of a generator", "def f():\n    yield from read('facts', 'm0')\nyield f()  # HERE", "yielded <generator.*`yield from` performs"),
    Case("yield of a number", "yield from read('facts', 'm0')\nyield 5  # HERE", "step 2: yielded 5, expected an operation"),
    Case("yield of what has a broken repr", "class X:\n    def __repr__(self):\n        raise ValueError\nyield X()  # HERE", "yielded <X>"),
    Case("operations from a list", "yield from [read('facts', 'm0'), commit()]  # HERE", "raised AttributeError|raised TypeError"),
    Case("no commit", "yield from update('facts', 'm0', n=1)", "it ends with an open transaction: end it with"),
    Case("return before the commit", "yield from update('facts', 'm0', n=1)\nreturn\nyield from commit()", "it ends with an open transaction"),
    Case("raises", "yield from commit()\nraise ValueError('what now')  # HERE", "step 2: raised ValueError: what now"),
    Case("raises what has a broken text", "class E(Exception):\n    def __str__(self):\n        raise ValueError\nyield from commit()\nraise E()  # HERE", "raised E: .its text cannot be made"),
    Case("sys.exit", "sys.exit(0)  # HERE\nyield from commit()", "raised SystemExit"),
    Case("assert", "old = yield from read('facts', 'nope')\nassert old  # HERE\nyield from commit()", "step 2: raised AssertionError"),
    Case("forgotten yield from", "row = read('facts', 'm0')\nx = row['n']  # HERE\nyield from commit()", "raised TypeError"),
    Case("an aborted without reason", "raise Aborted  # HERE\nyield from commit()", "raised TypeError"),
    Case(
        "goes on when it is ended",
        "while True:\n    try:\n        yield from read('facts', 'm0')  # HERE\n    except:\n        pass",
        "a bare `except:` swallows GeneratorExit",
    ),
    Case("loops when it is ended", "try:\n    yield from read('facts', 'm0')\nfinally:\n    while True:\n        pass  # HERE", "it ran 100000 lines"),
    Case("undeclared table", "yield from read('memories', 'm0')  # HERE", "touches table 'memories', which `tables` does not declare"),
    Case("undeclared table, nearly", "yield from read('fact', 'm0')  # HERE", "did you mean 'facts'"),
    Case("table of a number", "yield from read(3, 'm0')  # HERE", "touches table 3, expected the name of a table"),
    Case("key None", "yield from read('facts', None)  # HERE", "the key is None"),
    Case("empty key", "yield from read('facts', '')  # HERE", "the key '' is empty"),
    Case("key with NUL", "yield from read('facts', 'a\\0')  # HERE", "NUL character"),
    Case("key with a surrogate", "yield from read('facts', '\\ud800')  # HERE", "lone surrogate"),
    Case("long key", "yield from read('facts', 'x' * 2000)  # HERE", "2000 characters, more than the limit of 1024"),
    Case("key of an object", "yield from read('facts', object())  # HERE", "step 1: object .*a value is text"),
    Case("key of NaN", "yield from read('facts', float('nan'))  # HERE", "nan is no number that JSON has"),
    Case("deep key", "x = []\nfor _ in range(99):\n    x = [x]\nyield from judge(x)  # HERE", "nested more than 16"),
    Case("expect of a number", "yield from update('facts', 'm0', expect=5)  # HERE", "expects version 5, expected a row that was read"),
    Case("undeclared predicate", "yield from select('facts', 'open')  # HERE", "selects by 'open', which table 'facts' does not declare"),
    Case("top of zero", "yield from select('facts', top=0)  # HERE", "top is 0, expected a number from 1"),
    Case("select by a function", "yield from select('facts', object=lambda row: 1)  # HERE", "function .*a value is text"),
    Case("a wrong operator", "yield from update('facts', 'm0', operator='max')  # HERE", "operator 'max', expected one of lww, evi, await, rule"),
    Case("a wrong provenance", "yield from update('facts', 'm0', prov='p 1')  # HERE", "prov.*polynomial"),
    Case("a provenance of a number", "yield from update('facts', 'm0', prov=1)  # HERE", "prov is 1, expected a polynomial"),
    Case("judge of an object", "yield from judge(self)  # HERE", "Bad .*: a value is text"),
    Case("judge of a set of objects", "yield from judge({object()})  # HERE", "a value is text"),
    Case("judge of nothing", "yield from judge('')  # HERE", "the read set R is empty"),
    Case("judge of much", "yield from judge('x' * 5000)  # HERE", "read set R has 5000 characters"),
    Case("equal votes", "yield from judge('R', votes=(0, False))  # HERE", "votes 0 and False are equal"),
    Case("many votes", "yield from judge('R', votes=range(1000))  # HERE", "1000 votes, more than the limit of 16"),
    Case("a vote of NaN", "yield from judge('R', votes=(float('inf'),))  # HERE", "inf is no number"),
    Case("votes of a number", "yield from judge('R', votes=5)  # HERE", "raised TypeError"),
    Case("winners of text", "yield from callback('R', 'h', winners=('a',))  # HERE", "winners are .*expected indices"),
    Case("an empty request", "yield from callback('R', '')  # HERE", "the request is empty"),
    Case("a lock without a name", "yield from lock(3)  # HERE", "takes the lock 3, expected a name"),
    Case("a lock twice", "yield from lock('a')\nyield from lock('a')  # HERE", "takes the lock 'a' that it holds already"),
    Case("a lock not held", "yield from unlock('a')  # HERE", "gives back the lock 'a', which it does not hold"),
    Case("a level that there is not", "yield from begin('RR')  # HERE\nyield from commit()", "isolation 'RR', expected one of none, RU"),
    Case("a level of a number", "yield from begin(3)  # HERE", "isolation 3, expected the name of a level"),
    Case("begin within", "yield from read('facts', 'm0')\nyield from begin('SI')  # HERE", "begin within an open transaction"),
    Case("a giant value", "yield from update('facts', 'm0', object='x' * 100000)  # HERE", "column 'object': a value of 100002 characters, more than the limit of 10000"),
    Case("a giant number", "yield from update('facts', 'm0', n=10 ** 2000)  # HERE", "column 'n': a number of more than 1000 digits"),
    Case("a value of bytes", "yield from update('facts', 'm0', object=b'x')  # HERE", "bytes b'x': a value is text"),
    Case("many columns", "yield from update('facts', 'm0', **{f'c{i}': 1 for i in range(200)})  # HERE", "a row of 200 columns, more than the limit"),
    Case("a row that moves", "yield from update('facts', 'm0', subject='bob')  # HERE\nyield from commit()", "moves row 'm0' to another partition"),
    Case("a partition without a name", "yield from insert('facts', subject='', predicate='p')  # HERE", "column 'subject' is part of the partition's name and is empty"),
    Case("its own lock", "yield from update('facts', 'm0', n=1)\nyield from alone(update('facts', 'm0', n=2))  # HERE\nyield from commit()", "waits for its own transaction"),
]

WHOLE: Final = [
    Case("no writer", "", "it has no writer", False),
    Case("a writer that yields nothing", "    @writer  # HERE\n    def w(self, me):\n        return None\n", "a writer is a generator function", False),
    Case("an async writer", "    @writer\n    async def w(self, me):\n        pass\n", "this is an async one", False),
    Case("an async generator", "    @writer\n    async def w(self, me):\n        yield 1\n", "this is an async one", False),
    Case("wrong parameters", "    @writer\n    def w(self, me, you):\n        yield from commit()\n", "takes self and at most `me`, this one takes self, me, you", False),
    Case("any parameters", "    @writer\n    def w(self, *me):\n        yield from commit()\n", r"takes self, \*me", False),
    Case("no self", "    @writer\n    def w():\n        yield from commit()\n", "takes nothing", False),
    Case("a static method", "    @staticmethod\n    @writer\n    def w(self, me):\n        yield from commit()\n", "a writer takes self", False),
    Case("a class that raises", "    raise ValueError('no')  # HERE\n", "importing it: raised ValueError: no", False),
    Case("a file that loops", "    pass\n\nx = 1 / 0  # HERE\n", "importing it: raised ZeroDivisionError", False),
    Case("a file that exits", "    pass\n\nsys.exit()  # HERE\n", "importing it: raised SystemExit", False),
    Case("no Python", "    def w(self:  # HERE\n", "it is no Python", False),
    Case("a missing import", "    pass\n\nimport nowhere_at_all  # HERE\n", "ModuleNotFoundError: No module named 'nowhere_at_all'", False),
    Case("an __init__ that raises", "    def __init__(self):\n        raise ValueError('no')  # HERE\n", "making it: raised ValueError", False),
    Case("an __init__ with parameters", "    def __init__(self, x):\n        self.x = x\n", "making it: raised TypeError", False),
    Case("an __init__ that loops", "    def __init__(self):\n        while True:  # HERE\n            pass  # HERE\n", "making it: it ran 100000 lines", False),
    Case("a setup that loops", "    def setup(self):\n        while True:  # HERE\n            pass  # HERE\n", "setup: it ran 100000 lines", False),
    Case("a setup without end", "    def setup(self):\n        return (row('facts', f'm{i}') for i in itertools.count())\n", "setup has more than 1000 rows", False),
    Case("a setup that raises", "    def setup(self):\n        return [row('facts')]  # HERE\n", "setup: raised TypeError", False),
    Case("a setup by the clock", "    def setup(self):\n        return [row('facts', 'm0', at=time.time())]  # HERE\n", "setup: it calls time", False),
    Case("a setup of nothing", "    def setup(self):\n        pass\n", "setup: raised TypeError: it returned None", False),
    Case("a setup of text", "    def setup(self):\n        return ['m0']\n", "setup gave 'm0', expected row", False),
    Case("a setup of another table", "    def setup(self):\n        return [row('memories', 'm0')]\n", "row of table 'memories', which `tables` does not declare", False),
    Case("two rows of a key", "    def setup(self):\n        return [row('facts', 'm0'), row('facts', 'm0')]\n", "two rows of one key", False),
    Case("two rows of a key in NFC", "    def setup(self):\n        return [row('facts', '\\u00e9'), row('facts', 'e\\u0301')]\n", "two rows of one key", False),
    Case("an empty key at first", "    def setup(self):\n        return [row('facts', '')]\n", "whose key is empty", False),
    Case("a key of an object", "    def setup(self):\n        return [row('facts', object())]  # HERE\n", "setup: object .*a value is text", False),
    Case("a wrong provenance at first", "    def setup(self):\n        return [row('facts', 'm0', prov='p 0')]  # HERE\n", "prov 'p 0': .*polynomial", False),
    Case("an initial row by hand", "    def setup(self):\n        return [Initial('facts', 5, {})]\n", "whose key is not a string", False),
    Case("tables of nothing", "    tables = None\n", "tables is None, expected a dict", False),
    Case("tables of names", "    tables = {'facts'}\n", "tables is {'facts'}, expected a dict", False),
    Case("a table that is none", "    tables = {'facts': None}\n", r"tables\['facts'\] is None, expected a Table", False),
    Case("a table without a name", "    tables = {3: Table()}\n", "tables has the name 3", False),
    Case("a table in no NFC", "    tables = {'e\\u0301': Table()}\n", "not in Unicode normal form C", False),
    Case("a partition of one", "    tables = {'facts': Table(('subject',))}\n", "has partition .*two names of columns", False),
    Case("a part that there is not", "    tables = {'facts': Table(part='now')}\n", "has part 'now', expected one of current", False),
    Case("a table's level", "    tables = {'facts': Table(isolation='RR')}\n", "has isolation 'RR'", False),
    Case("a pin's level", "    tables = {'facts': Table(pins={('a', 'b'): ['SR']})}\n", "at isolation .*SR", False),
    Case("a pin of one", "    tables = {'facts': Table(pins={'a': 'SR'})}\n", r"expected a \(subject, predicate\) pair", False),
    Case("a predicate that is none", "    tables = {'facts': Table(predicates={'open': 1})}\n", "the predicate 'open' 1, expected a function", False),
    Case("a level that there is none", "    isolation = 'serializable'\n", "isolation is 'serializable', expected one of none, RU, RC, SI, SR, 2PL", False),
    Case("a level that is a list", "    isolation = ['SI']\n", "isolation is", False),
    Case("retries of text", "    retries = 'often'\n", "retries is 'often', expected a number from 0 to 9", False),
    Case("retries of a boolean", "    retries = True\n", "retries is True", False),
    Case("no votes", "    votes = ()\n", "votes are .*at least one", False),
    Case("votes that are equal", "    votes = (0, False)\n", "votes 0 and False are equal", False),
    Case("votes of objects", "    votes = (object(),)\n", "votes are .*a value is text", False),
    Case("votes of a number", "    votes = 2\n", "votes are 2, expected a tuple", False),
    Case("surface of text", "    surface = 'current'\n", "surface is 'current', expected some of", False),
    Case("surface of what is no part", "    surface = ('logs',)\n", "surface is .*expected some of current, closed", False),
]

#: Said while the design runs, of functions that are not the writer's.
ELSEWHERE: Final = [
    Case(
        f"a predicate that {what}",
        f"    tables = {{'facts': Table(predicates={{'p': lambda row: {body}}})}}  # HERE\n"
        "    @writer\n    def w(self):\n        yield from select('facts', 'p')\n        yield from commit()\n",
        f"predicate 'p': {says}",
        False,
    )
    for what, body, says in (
        ("loops", "[1 for _ in iter(int, 1)]", "it ran 100000 lines"),
        ("raises", "row['nope']", "raised KeyError"),
        ("looks at the clock", "time.time()", "it calls time"),
        ("is chance", "random.random() < 0.5", "it calls .*random"),
    )
]
