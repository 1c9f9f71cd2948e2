"""The columnar reading of phenomena and levels: arrays over a sequenced trace (`histories/trace.py`).

`index.py`, `status.py` and `edges.py` make arrays of it, `graphs.py` decides cycles and paths, `missed.py` unfolds what
a pattern needs of anti-dependencies, and the other modules decide phenomena and levels. `decide.py` is the entrance.
What is linear and what is not stands in `missed.py`, `graphs.py`, `forks.py` and `rows.py`.
"""
