"""`mynah exec` when something goes wrong around it: a dump that can't be written, and its own sudden end."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from commandline import FINE, Command, Serve

# Says when it runs and by which signal it ends.
CHILD = (
    "import signal, sys\n"
    "signal.signal(signal.SIGTERM, lambda *_: (print('ended', flush=True), sys.exit(0)))\n"
    "print('started', flush=True)\n"
    "signal.pause()\n"
)


@pytest.mark.parametrize("path", ["missing/journal.jsonl", "folder"])
def test_the_commands_code_counts_though_the_journal_cant_be_written(
    mynah_command: Command, tmp_path: Path, path: str
) -> None:
    (tmp_path / "folder").mkdir()
    done = mynah_command("exec", "--dump", path, "--", "sh", "-c", "exit 5")
    assert done.returncode == 5, done
    assert f"can't write {path}" in done.stderr


def test_the_command_of_an_exec_that_is_killed_ends_with_it(serve: Serve) -> None:
    process = serve("exec", "--", sys.executable, "-c", CHILD)
    process.wait_for_line("started")
    process.signal(signal.SIGKILL)
    process.wait_for_line("ended")


def test_the_folder_of_an_exec_that_was_killed_goes_at_the_next_start(
    serve: Serve, mynah_command: Command, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    # A folder of another program's, and one that somebody else could have put there.
    (temporary / "mynah-0").mkdir(mode=0o700)
    (temporary / "mynah-exec-foreign").mkdir(mode=0o755)
    others = set(temporary.iterdir())
    killed, running = (
        serve("exec", "--intercept", "--", sys.executable, "-c", CHILD, TMPDIR=str(temporary)) for _ in range(2)
    )
    for process in (killed, running):
        process.wait_for_line("started")
    assert len(set(temporary.iterdir()) - others) == 2
    killed.signal(signal.SIGKILL)
    killed.wait_for_line("ended")
    assert killed.wait() == -signal.SIGKILL
    assert mynah_command("exec", "--", "true", TMPDIR=str(temporary)).returncode == FINE
    [left] = set(temporary.iterdir()) - others
    assert (left / "ca.pem").exists()
    running.signal(signal.SIGTERM)
    running.wait_for_line("ended")
    assert running.wait() == FINE
    assert set(temporary.iterdir()) == others
