"""How much memory the server's process holds (`Architecture#Memory-and-latency`)."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from h2client import connect
from pushes import push_steadily
from server import Mynah
from waiting import HANG_SECONDS, until

pytestmark = pytest.mark.measures

TOKEN = "5eed" * 16
LARGE_PAYLOAD = b'{"aps":{"alert":"' + b"x" * 4050 + b'"}}'
RETAINED_MEGABYTES = 24
# More than fit into the journal.
PUSHES = 6000
IDLE_BYTES_MAX = 30_000_000
# A first snapshot is due at 128 MB.
PUSHES_MAX = 40_000
RESET_BYTES_MAX = 50_000_000
# Readers of events that take nothing, and what each of them may hold.
READERS = 100
READER_BYTES_MAX = 256 * 1024


def test_an_idle_server_gives_up_the_code_that_only_its_start_needed(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    # It is unmapped right after the ready line.
    until(lambda: mynah.resident_bytes() <= IDLE_BYTES_MAX, f"an idle server to hold at most {IDLE_BYTES_MAX} bytes")


def test_a_full_journal_does_not_grow_when_pushes_come_on_another_event_loop(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--retain-bytes", f"{RETAINED_MEGABYTES}MB")
    before = 0
    # Connections are spread over the event loops in turn.
    for _ in range(4):
        with connect(mynah) as connection:
            push_steadily(connection, TOKEN, LARGE_PAYLOAD, PUSHES)
        before = before or mynah.anonymous_bytes()
    assert mynah.control.get("/v1/status")["journal"]["evicted"] > 3 * PUSHES
    more = RETAINED_MEGABYTES * 1_000_000 // 2
    until(lambda: mynah.anonymous_bytes() - before <= more, "that the memory of evicted pushes is given back")


def test_a_reset_gives_back_what_an_unfinished_snapshot_holds(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    mynah = own_mynah("--data", str(tmp_path / "data"))
    before, log = mynah.anonymous_bytes(), tmp_path / "data" / "run.mynah-wal"
    begun = log.stat().st_size
    with connect(mynah) as connection:
        for _ in range(PUSHES_MAX // 500):
            push_steadily(connection, TOKEN, LARGE_PAYLOAD, 500)
            if log.stat().st_size > begun:
                break
    assert log.stat().st_size > begun, "no snapshot was begun"
    mynah.control.post("/v1/reset", {})
    until(
        lambda: mynah.anonymous_bytes() - before <= RESET_BYTES_MAX,
        f"at most {RESET_BYTES_MAX} bytes more than the {before} at first",
    )


def test_readers_of_events_that_take_nothing_hold_little(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--retain-bytes", f"{RETAINED_MEGABYTES}MB")
    with connect(mynah) as connection:
        push_steadily(connection, TOKEN, LARGE_PAYLOAD, PUSHES)
        before = mynah.anonymous_bytes()
        with ExitStack() as stack:
            for _ in range(READERS):
                channel = socket.socket()
                channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                channel.settimeout(HANG_SECONDS)
                channel.connect(("127.0.0.1", mynah.control_port))
                stack.enter_context(channel).sendall(b"GET /v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n")
                assert channel.recv(12) == b"HTTP/1.1 200"
            push_steadily(connection, TOKEN, LARGE_PAYLOAD, PUSHES // 2)
            until(
                lambda: mynah.anonymous_bytes() - before < READERS * READER_BYTES_MAX,
                f"{READERS} readers to hold at most {READER_BYTES_MAX} bytes each",
            )
