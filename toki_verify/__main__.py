"""`python -m toki_verify`."""

from .cli.main import command

command()
