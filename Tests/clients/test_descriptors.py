"""A server that is short of file descriptors."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from mynah import MynahError

from conftest import unique_token
from h2client import connect
from server import Mynah, binary, clean_environment
from waiting import RUN_SECONDS, measured, until

# Fewer than this test opens connections.
LIMIT = 128
CONNECTIONS = 160


@pytest.fixture
def scarce(own_mynah: Callable[..., Mynah], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mynah:
    """A server that may have few file descriptors."""
    script = tmp_path / "mynah.sh"
    script.write_text(f'#!/bin/sh\nulimit -n {LIMIT}\nexec "{binary()}" "$@"\n')
    script.chmod(0o700)
    monkeypatch.setenv("MYNAH_BINARY", str(script))
    return own_mynah("--proxy-port", "0")


def processor_seconds(mynah: Mynah) -> float:
    """How much processor time a server has used."""
    fields = Path(f"/proc/{mynah.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processor_seconds_of_a_wait(mynah: Mynah) -> float:
    """How much processor time a server uses within a second in which nobody asks it for anything."""
    before = processor_seconds(mynah)
    idle = {"wait": "1s", "count": 10**6, "after": mynah.control.last_sequence(), "limit": 1}
    assert mynah.control.get("/v1/notifications", idle)["timedOut"]
    return processor_seconds(mynah) - before


def assert_said_once(mynah: Mynah) -> None:
    """Waits for a log line about the limit, and checks that it is the only one and says what to do."""
    mynah.process.wait_for_error("file descriptors")
    said, _ = mynah.process.said("file descriptors")
    assert f"the {LIMIT} file descriptors" in said[0] and "ulimit -n" in said[0], said


def push_once_there_is_room(mynah: Mynah, token: str) -> dict[str, Any]:
    """A token's push, once the server has seen that other connections to its control API were closed."""

    def look() -> dict[str, Any] | None:
        try:
            return mynah.control.push(token)
        except (MynahError, OSError):
            return None

    found = until(look, "room for a call")
    assert found is not None
    return found


@pytest.mark.parametrize("flooded", ["port", "cleartext_port", "proxy_port"])
@pytest.mark.measures
def test_connections_of_providers_leave_descriptors_to_the_control_api(scarce: Mynah, flooded: str) -> None:
    with connect(scarce) as connection, ExitStack() as stack:
        connection.push(unique_token()).assert_accepted()
        address = ("127.0.0.1", getattr(scarce, flooded))
        for _ in range(CONNECTIONS):
            stack.enter_context(socket.create_connection(address))
        scarce.process.wait_for_error("file descriptors")
        # Accepting over and over takes all of each second, and a server that idles sometimes seems busy where others are.
        measured(lambda: processor_seconds_of_a_wait(scarce), lambda used: used < 0.5)
        connection.push(unique_token()).assert_accepted()
        assert_said_once(scarce)
    with connect(scarce) as connection:
        connection.push(unique_token()).assert_accepted()


@pytest.mark.measures
def test_a_control_api_that_was_out_of_descriptors_comes_back(scarce: Mynah) -> None:
    with connect(scarce) as connection:
        with ExitStack() as stack:
            for _ in range(CONNECTIONS):
                stack.enter_context(socket.create_connection(("127.0.0.1", scarce.control_port)))
            assert_said_once(scarce)
            connection.push(unique_token()).assert_accepted()
        token = unique_token()
        connection.push(token).assert_accepted()
        assert push_once_there_is_room(scarce, token)["status"] == 200


def test_the_soft_limit_is_raised_and_not_for_the_command_of_exec(tmp_path: Path) -> None:
    # The parent raises its own limit again once it has started the command, which may be faster.
    raised = 'until grep "open files *$hard *$hard" /proc/$PPID/limits; do :; done'
    command = f"ulimit -Sn; ulimit -Hn; hard=$(ulimit -Hn); {raised}"
    script = f'ulimit -Sn 256; exec "{binary()}" exec --state-dir state -- sh -c \'{command}\''
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=tmp_path,
        env=clean_environment(HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=True,
    )
    soft, hard, *limits = done.stdout.split()
    assert (soft, limits) == ("256", ["Max", "open", "files", hard, hard, "files"]), done
