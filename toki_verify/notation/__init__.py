"""Text <-> Schedule (NOTATION)."""

from .files import parse_one, parse_text, read_text
from .printer import event_text, print_events, print_schedule

__all__ = ["event_text", "parse_one", "parse_text", "print_events", "print_schedule", "read_text"]
