"""Readers of the field's formats, a file each."""
