"""JSON <-> Schedule (NOTATION, "JSON")."""

from .files import read_json, read_json_lines
from .writer import FORMAT, event_object, schedule_object, trace_objects

__all__ = ["FORMAT", "event_object", "read_json", "read_json_lines", "schedule_object", "trace_objects"]
