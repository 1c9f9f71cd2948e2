"""The bridge of the seed (Lemma 1; SEMANTICS §6): judge calls as accesses to a log."""
