"""The relational language and its readings."""
