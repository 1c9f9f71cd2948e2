"""The partition of each item: an attribute that must agree at every mention that states one (SEMANTICS §1)."""

from __future__ import annotations

from ..events import Item, Partition, Problem
from .names import partition_text


class PartitionBook:
    """Collects the partitions that references state."""

    def __init__(self) -> None:
        self.partitions: dict[Item, Partition] = {}

    def mention(self, item: Item, partition: Partition | None) -> Problem | None:
        """Note a mention; the problem if an earlier one states another partition. None states nothing."""
        if partition is None:
            return None
        known = self.partitions.setdefault(item, partition)
        if known == partition:
            return None
        return Problem(
            f"{item.name} in partition {partition_text(partition)}",
            f"partition {partition_text(known)}, as at its first mention",
            "partition",
        )
