"""A night of a memory service, simulated: four agents revise beliefs, and a judge says which of two facts stays.

    python examples/04_a_night.py > night.jsonl
    toki-verify check night.jsonl

An agent reads what is believed of a person at home and at work, asks the judge, and replaces one of the two if it says
so. Nothing holds two agents apart that revise one person at once, a judge that is asked the same again says something
else now and then, and an overwritten belief is kept only where the new one says where it came from.
"""

import json
import random
from collections.abc import Iterator
from itertools import count

AGENTS, REQUESTS, PEOPLE = 4, 1_500, 120
rng = random.Random(7)
versions = count(1)
#: What is believed of a person's place: the version, and the messages that it comes from.
believed: dict[str, tuple[str, str]] = {}
verdicts: dict[str, int] = {}


def emit(event: dict[str, object]) -> None:
    print(json.dumps(event, separators=(",", ":")))


def row(person: str, place: str) -> dict[str, object]:
    return {"table": "beliefs", "item": f"{person}-{place}", "partition": f"{person}.lives_in"}


def revise(number: int) -> Iterator[None]:
    """One request, event by event."""
    txn, person = f"q{number}", f"p{rng.randrange(PEOPLE)}"
    emit({"op": "b", "txn": txn, "session": f"agent-{number % AGENTS}"})
    seen = {}
    for place in ("home", "work"):
        seen[place] = believed[person + place]
        emit({"op": "r", "txn": txn, **row(person, place), "version": seen[place][0]})
        yield
    question = f"{person}@{seen['home'][0]},{seen['work'][0]}"
    verdict = verdicts.setdefault(question, rng.randrange(2))
    verdict = verdict if rng.random() < 0.95 else 1 - verdict
    emit({"op": "j", "txn": txn, "R": question, "theta": "t=0.7", "vote": verdict})
    yield
    place = ("home", "work")[number % 2]
    replaced = {}
    if verdict:
        sources = f"{seen[place][1]}+m{number}" if rng.random() < 0.7 else f"m{number}"
        replaced[person + place] = version, _ = str(next(versions)), sources
        emit({"op": "w", "txn": txn, **row(person, place), "version": version, "prov": sources})
        yield
    emit({"op": "c", "txn": txn})
    believed.update(replaced)


def load() -> None:
    """What is believed in the evening."""
    emit({"op": "b", "txn": "evening"})
    for number, person in enumerate(f"p{number}" for number in range(PEOPLE)):
        for place in ("home", "work"):
            version, source = believed[person + place] = str(next(versions)), f"old{number}"
            emit({"op": "w", "txn": "evening", **row(person, place), "version": version, "prov": source})
    emit({"op": "c", "txn": "evening"})


load()
running = [revise(0)]
for request in range(1, REQUESTS):
    running.append(revise(request))
    # Mostly one request is done before the next one comes; now and then agents work at once.
    while len(running) >= AGENTS or (running and rng.random() < 0.9):
        one = rng.choice(running)
        if next(one, "done") == "done":
            running.remove(one)
for one in running:
    list(one)
