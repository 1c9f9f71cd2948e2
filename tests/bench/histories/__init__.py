"""Large histories for the benchmarks: made, written as files, and what it costs to read and decide them."""
