from toki_verify.designs import Design, Table, commit, insert, judge, row, select, update, writer


class LastWriterWins(Design):
    """One memory row per partition; a judge says whether a new fact replaces it."""

    tables = {"facts": Table(partition=("subject", "predicate"))}
    isolation = "RC"
    surface = ("current",)  # nothing but the rows themselves is kept

    def setup(self):
        return [row("facts", "m0", subject="alice", predicate="lives_in", object="Lyon", prov="p0")]

    @writer
    def remember(self, me):
        new = f"place {me}"
        found = yield from select("facts", subject="alice", predicate="lives_in")
        for old in found:
            if (yield from judge((old["object"], new), "replaces?")):
                yield from update("facts", old, object=new, prov=f"p{me}")
        if not found:
            yield from insert("facts", subject="alice", predicate="lives_in", object=new, prov=f"p{me}")
        yield from commit()
