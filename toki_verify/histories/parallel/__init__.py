"""Many histories, and the independent parts of one, in several processes: the results are those of one process."""
