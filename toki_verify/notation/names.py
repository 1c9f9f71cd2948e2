"""Names in text: when a name needs quotes, and how references to items, partitions and tables are written."""

from __future__ import annotations

import json
import re
import unicodedata

from ..events import DEFAULT_TABLE, Item, Partition, Predicate

#: Words that begin a clause of a write; as names they are quoted.
CLAUSES = ("in", "prov", "by")
_MARKS = "_.-"
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*")
#: A run of those name characters that are ASCII.
ASCII_RUN = re.compile(r"[A-Za-z0-9_.\-]*")


def is_name_character(character: str) -> bool:
    """Letters, combining marks, decimal digits, and `_ . -`."""
    if character.isascii():
        return character.isalnum() or character in _MARKS
    return character.isalpha() or character.isdecimal() or unicodedata.category(character)[0] == "M"


def is_plain(name: str) -> bool:
    """Whether a name can stand without quotes: not only digits, not beginning with `-`, `.` or a combining mark."""
    if name.isascii():
        return _PLAIN.fullmatch(name) is not None and not name.isdecimal()
    return (
        all(map(is_name_character, name))
        and name[0] not in "-."
        and unicodedata.category(name[0])[0] != "M"
        and not all(character.isdecimal() for character in name)
    )


def quoted(name: str) -> str:
    """The name as a JSON string; every character that could break a line is escaped."""
    text = json.dumps(name, ensure_ascii=False)
    return "".join(f"\\u{ord(c):04x}" if c in "\u2028\u2029\ufeff" or "\x7f" <= c <= "\x9f" else c for c in text)


def name_text(name: str) -> str:
    """A name as printed: quoted where it must be."""
    return name if is_plain(name) and name not in CLAUSES else quoted(name)


def label_text(label: str) -> str:
    """A version label as printed behind `@`: digits without leading zeros stand plain."""
    if label.isascii() and label.isdigit() and (label == "0" or label[0] != "0"):
        return label
    return name_text(label)


def txn_text(txn: str) -> str:
    """A transaction id as printed behind the letter of the event."""
    if txn.isascii() and txn.isdigit() and (txn == "0" or txn[0] != "0"):
        return txn
    return "T" + (name_text(txn) if not txn.isdigit() else quoted(txn))


def partition_text(partition: Partition) -> str:
    """`subject.predicate`; a subject with a dot is quoted, since the first dot splits."""
    subject = name_text(partition.subject)
    if "." in partition.subject and not subject.startswith('"'):
        subject = quoted(partition.subject)
    return f"{subject}.{name_text(partition.predicate)}"


def _prefix(item: Item, partition: Partition | None, with_table: bool) -> str:
    table = "" if not with_table or item.table == DEFAULT_TABLE else name_text(item.table) + ":"
    return table + ("" if partition is None else partition_text(partition) + "/")


def item_text(item: Item, partition: Partition | None = None) -> str:
    """A reference to an item without a version, as in `order` lines and JSON keys."""
    return _prefix(item, partition, True) + name_text(item.name)


def version_text(
    item: Item,
    label: str | None,
    partition: Partition | None = None,
    *,
    with_table: bool = True,
    force_quotes: bool = False,
) -> str:
    """A reference to a version: `x0`, `m0@1`, `"user 7"@a`, or without label `x`, `"m0"`."""
    prefix = _prefix(item, partition, with_table)
    name = name_text(item.name)
    ends_in_digit = item.name[-1] in "0123456789"
    if label is None:
        # A plain name that ends in digits would be read as a name and a version.
        bare = not name.startswith('"') and (ends_in_digit or force_quotes)
        return prefix + (quoted(item.name) if bare else name)
    digits = label.isascii() and label.isdigit() and (label == "0" or label[0] != "0")
    if digits and not ends_in_digit and not name.startswith('"'):
        return prefix + name + label
    return f"{prefix}{name}@{label_text(label)}"


def predicate_text(predicate: Predicate) -> str:
    """A predicate with its table, if that is not the default one."""
    table = "" if predicate.table == DEFAULT_TABLE else name_text(predicate.table) + ":"
    return table + name_text(predicate.name)
