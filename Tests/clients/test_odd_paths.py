"""Files and folders at odd places, or that mean harm: a command ends with a sentence about them, soon and small."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commandline import CONFIGURATION, FREE_PORTS, UNAVAILABLE, USAGE, Command, Serve
from server import binary, clean_environment
from waiting import HANG_SECONDS

TOKEN = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
SERVE = ["serve", *FREE_PORTS, "--state-dir", "state"]
SEND = ["send", "--url", "http://127.0.0.1:1", "--host", "localhost", "--port", "1", "--to", TOKEN, "--topic", "a.b"]
COMPARE = ["compare", "--host", "localhost:1", "--topic", "a.b"]
# Each with the path at its end.
READING = {
    "config": [*SERVE, "--config"],
    "fixtures": [*SERVE, "--fixtures"],
    "scenario": [*SERVE, "--scenario"],
    "auth-key": [*SERVE, "--auth-key"],
    "provider-ca": [*SERVE, "--provider-ca"],
    "open": ["open"],
    "dump": ["dump", "--file"],
    "expect": ["expect", "--url", "http://127.0.0.1:1", "--file"],
    "body": [*SEND, "--ca-file", "/etc/hostname", "--provider-token", "x", "--body"],
    "ca-file": [*SEND, "--alert", "hi", "--provider-token", "x", "--ca-file"],
    "certificate": [*SEND, "--alert", "hi", "--ca-file", "/etc/hostname", "--certificate"],
    "key": [*SEND, "--alert", "hi", "--ca-file", "/etc/hostname", "--key-id", "A", "--team-id", "B", "--key"],
    "compare-ca": [*COMPARE, "--key", "/etc/hostname", "--key-id", "A", "--team-id", "B", "--ca-file"],
    "ready-file": ["dump", "--ready-file"],
}
WRITING = {
    "data": [*SERVE, "--data"],
    "new-ready-file": [*SERVE, "--ready-file"],
    "export-dir": [*SERVE, "--export-dir"],
}
# What is read as a text with ever deeper values.
NESTED = ["brackets", "members"]
ENDS = {USAGE, CONFIGURATION, UNAVAILABLE, 66}


@pytest.fixture
def odd(tmp_path: Path) -> dict[str, str]:
    """Odd places by name."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("nothing of use\n")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    (tmp_path / "brackets").write_text("[" * 1_000_000)
    (tmp_path / "members").write_text('{"a":' * 200_000)
    return {
        "brackets": "brackets",
        "members": "members",
        "absent": "absent/file",
        "proc": "/proc/x/y",
        "full": "/dev/full",
        "zero": "/dev/zero",
        "folder": "folder",
        "in a file": "file/x",
        "loop": "loop",
        "long": "n" * 300,
        "pipe": "pipe",
        "sparse": "sparse",
    }


def assert_said(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode in ENDS, done
    assert done.stderr.strip() and "Fatal" not in done.stderr and "Crash" not in done.stderr, done
    assert len(done.stderr) < 2000, done


@pytest.mark.parametrize("place", ["proc", "full", "zero", "in a file", "loop", "long", "pipe", "sparse", *NESTED])
@pytest.mark.parametrize("setting", READING)
def test_what_can_not_be_read_is_said(
    setting: str, place: str, odd: dict[str, str], mynah_command: Command
) -> None:
    path = odd[place] if setting != "body" else f"@{odd[place]}"
    # Made-up content of a device is no reason to wait or to grow either.
    assert_said(mynah_command(*READING[setting], path))


# A link in place of the ready file is replaced, wherever it leads.
UNWRITABLE = [
    (setting, place)
    for setting in WRITING
    for place in ("proc", "full", "in a file", "loop", "long")
    if (setting, place) != ("new-ready-file", "loop")
]


@pytest.mark.parametrize(("setting", "place"), UNWRITABLE)
def test_what_can_not_be_written_is_said(
    setting: str, place: str, odd: dict[str, str], mynah_command: Command
) -> None:
    assert_said(mynah_command(*WRITING[setting], odd[place]))
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("place", ["pipe", "folder"])
def test_a_ready_file_that_can_not_be_is_said(place: str, odd: dict[str, str], mynah_command: Command) -> None:
    assert_said(mynah_command(*WRITING["new-ready-file"], odd[place]))


def test_a_ready_file_does_not_replace_a_device(serve: Serve, tmp_path: Path) -> None:
    process = serve(*SERVE, "--ready-file", "/dev/null")
    process.wait_for_line("mynah ready")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("setting", ["data", "export-dir", "new-ready-file"])
def test_a_working_folder_that_was_removed_is_said(setting: str, tmp_path: Path) -> None:
    command = " ".join([str(binary()), *WRITING[setting], "new"])
    done = subprocess.run(
        ["sh", "-c", f"mkdir gone && cd gone && rmdir ../gone && exec {command}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=clean_environment(HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path)),
        timeout=HANG_SECONDS,
        check=False,
    )
    assert_said(done)


def test_a_pipe_with_a_writer_is_read(mynah_command: Command, tmp_path: Path) -> None:
    script = f"{binary()} {' '.join(SEND)} --provider-token x --ca-file <(cat /etc/hostname) --alert hi"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=clean_environment(HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path)),
        timeout=HANG_SECONDS,
        check=False,
    )
    assert "is not PEM: it has no BEGIN line" in done.stderr, done


# The files of a run

HEADER = b"mynahlog" + (1).to_bytes(4, "little") + bytes([1, 0, 0, 0])


def record(position: int, count: int) -> bytes:
    """The header of a batch whose checksum is wrong."""
    numbers = [(position, 8), (1_700_000_000_000, 8), (1, 4), (count, 4), (7, 4)]
    return b"".join(number.to_bytes(size, "little") for number, size in numbers)


@pytest.fixture
def run(mynah_command: Command, tmp_path: Path) -> Path:
    """The folder of a run."""
    done = mynah_command("exec", "--data", "run", "--state-dir", "state", "--", "true")
    assert done.returncode == 0, done
    return tmp_path / "run"


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.write(HEADER)
        file.truncate(1 << 40)


def overlapping(path: Path) -> None:
    """Batches that begin everywhere and have all that follows."""
    size = 8 << 20
    records = size // 28
    rest = b"".join(record(5 + number, size - 28 * (number + 2)) for number in range(records - 2))
    path.write_bytes(HEADER + record(1, 28) + rest + bytes(100))


@pytest.mark.parametrize("command", [["open"], [*SERVE, "--data"]], ids=["open", "serve"])
@pytest.mark.parametrize("name", ["run.mynah", "run.mynah-00", "run.mynah-wal", "lock"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "circle", "link to nothing"])
def test_what_is_no_plain_file_in_a_run_is_said(
    kind: str, name: str, command: list[str], run: Path, mynah_command: Command
) -> None:
    path = run / name
    path.unlink(missing_ok=True)
    links = {"device": "/dev/zero", "circle": path.name, "link to nothing": "nothing"}
    if kind in links:
        path.symlink_to(links[kind])
    else:
        {"pipe": os.mkfifo, "folder": os.mkdir}[kind](path)
    done = mynah_command(*command, "run")
    assert done.returncode == CONFIGURATION, done
    assert f"run/{name}: it is not a plain file: a plain file was expected" in done.stderr


@pytest.mark.parametrize("command", [["open"], [*SERVE, "--data"]], ids=["open", "serve"])
@pytest.mark.parametrize("make", [huge, overlapping])
def test_batches_that_were_made_to_take_long_are_said(
    make: Callable[[Path], None], command: list[str], run: Path, mynah_command: Command
) -> None:
    make(run / "run.mynah-00")
    done = mynah_command(*command, "run")
    assert done.returncode == CONFIGURATION, done
    assert "run.mynah-00: " in done.stderr and "expected" in done.stderr or "not what was written" in done.stderr


def test_a_start_that_takes_long_is_ended_by_a_signal(serve: Serve, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "slow.yaml")
    process = serve(*SERVE, "--fixtures", "slow.yaml")
    # Waits until the start reads it; then nothing is written.
    writer = os.open(tmp_path / "slow.yaml", os.O_WRONLY)
    process.signal(signal.SIGTERM)
    assert process.wait() == 0
    assert "during the start" in process.log()
    os.close(writer)
