"""`python -m toki_verify`: the program, which Ctrl-C ends quietly while its modules are being imported, too."""

import os
from typing import NoReturn


def command() -> NoReturn:
    """Run the command line and end the process (`cli.main.command`)."""
    try:
        from .cli.main import command

        command()
    except KeyboardInterrupt:
        _interrupted()


def _interrupted() -> NoReturn:
    os.write(2, b"interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    try:
        command()
    except KeyboardInterrupt:  # before its first line
        _interrupted()
