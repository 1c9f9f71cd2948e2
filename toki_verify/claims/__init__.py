"""The claims of the seed papers, encoded literally first: one module a theorem (SEMANTICS §8)."""
