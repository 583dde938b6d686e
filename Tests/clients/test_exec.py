"""`mynah exec` when something goes wrong around it: a dump that can't be written, and its own sudden end."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from commandline import CONFIGURATION, FINE, FREE_PORTS, UNAVAILABLE, Command, Serve
from server import binary

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


@pytest.mark.parametrize("command", ["exec", "serve"])
def test_the_ready_file_that_commands_read_is_left_alone(
    mynah_command: Command, serve: Serve, tmp_path: Path, command: str
) -> None:
    (tmp_path / "ready.json").write_text("another server's")
    if command == "exec":
        # The command reaches the server of exec all the same.
        sends = "mynah send --to $(printf %064d 7) --topic com.example.app --alert hi"
        path = f"{binary().parent}:{os.environ['PATH']}"
        done = mynah_command("exec", "--", "sh", "-c", sends, MYNAH_READY_FILE="ready.json", PATH=path)
        assert (done.returncode, done.stdout.split("\n")[0]) == (FINE, "200 accepted"), done
    else:
        serve("serve", *FREE_PORTS, MYNAH_READY_FILE="ready.json").wait_for_line("mynah ready")
    assert (tmp_path / "ready.json").read_text() == "another server's"


@pytest.mark.measures
def test_the_command_of_an_exec_that_is_killed_ends_with_it(serve: Serve) -> None:
    process = serve("exec", "--", sys.executable, "-c", CHILD)
    process.wait_for_line("started")
    process.signal(signal.SIGKILL)
    process.wait_for_line("ended")


@pytest.mark.measures
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


# What `mynah exec` ran finds the server by its environment, and no folder that the server has.
SENDS = 'test -z "$MYNAH_DATA" && mynah send --to $(printf %064d 7) --topic com.example.app --alert hi >&2; exit 3'


def kept_topics(mynah_command: Command, folder: str) -> list[str]:
    return [json.loads(line)["topic"] for line in mynah_command("dump", "--file", folder).stdout.splitlines()]


@pytest.mark.parametrize("named_by", ["flag", "variable", "file"])
def test_the_run_of_an_exec_is_kept(mynah_command: Command, tmp_path: Path, named_by: str) -> None:
    flags, environment = [], {"PATH": f"{binary().parent}:{os.environ['PATH']}"}
    if named_by == "flag":
        flags = ["--data", "runs/first"]
    elif named_by == "variable":
        environment["MYNAH_DATA"] = "runs/first"
    else:
        (tmp_path / "mynah.yaml").write_text("data: runs/first\n")
    for count in (1, 2):
        done = mynah_command("exec", *flags, "--", "sh", "-c", SENDS, **environment)
        assert done.returncode == 3, done
        assert done.stderr.splitlines()[-1] == "mynah: the run was kept: look at it with mynah open runs/first"
        assert ("the run in runs/first goes on where the last one ended" in done.stderr) == (count > 1)
        assert kept_topics(mynah_command, "runs/first") == ["com.example.app"] * count, done.stderr


@pytest.mark.parametrize(("code", "expected"), [(7, 7), (0, CONFIGURATION)])
def test_a_failed_command_counts_more_than_a_run_that_cant_be_kept(
    mynah_command: Command, code: int, expected: int
) -> None:
    done = mynah_command("exec", "--data", "run", "--", "sh", "-c", f"rm -rf run; exit {code}")
    assert done.returncode == expected, done
    assert "run" in done.stderr and "mynah open" not in done.stderr, done


def test_an_exec_whose_folder_is_taken_does_not_run_its_command(
    serve: Serve, mynah_command: Command, tmp_path: Path
) -> None:
    process = serve("exec", "--data", "run", "--", sys.executable, "-c", CHILD)
    process.wait_for_line("started")
    done = mynah_command("exec", "--data", "run", "--", "touch", "ran")
    assert done.returncode == UNAVAILABLE and f"process {process.child.pid}" in done.stderr, done
    assert not (tmp_path / "ran").exists()
    process.signal(signal.SIGTERM)
    assert process.wait() == FINE
