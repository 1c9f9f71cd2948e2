"""Commands in a process of their own that are interrupted where they wait."""

from __future__ import annotations

import signal
import subprocess
import sys

from .conftest import Outcome


def interrupted(arguments: list[str], patch: str) -> Outcome:
    """`check` with these arguments in a process of its own, which is interrupted where it waits; `patch` is code that
    calls `wait()` there."""
    code = (
        "import sys, time\n"
        "from toki_verify.cli.main import main\n"
        "def wait():\n"
        "    print('waiting', file=sys.stderr, flush=True)\n"
        "    time.sleep(60)\n"
        f"{patch}\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", code, "check", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            assert process.stderr.readline() == "waiting\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert "Traceback" not in err
    return Outcome(process.returncode, out, err)
