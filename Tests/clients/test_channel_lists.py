"""Lists of many channels for clients that read nothing: the server stays small, its neighbours fast, its stop short."""

from __future__ import annotations

import base64
import json
import signal
import socket
from collections.abc import Callable
from pathlib import Path

from h2client import FrameConnection, trusted
from server import Mynah
from waiting import HANG_SECONDS, until

APP = "com.example.app"
CHANNELS = 5000
LISTS = 500


def with_channels(start: Callable[..., Mynah], folder: Path, *flags: str, apps: tuple[str, ...] = (APP,)) -> Mynah:
    channels = [
        {"id": base64.b64encode(number.to_bytes(16)).decode(), "bundleId": app, "messageStoragePolicy": 0}
        for index, app in enumerate(apps, 1)
        for number in range(index << 64, (index << 64) + CHANNELS)
    ]
    file = folder / "channels.json"
    file.write_text(json.dumps({"channels": channels}))
    return start("--fixtures", str(file), "--cleartext-port", "0", *flags)


def resident(mynah: Mynah) -> int:
    size: int = mynah.control.get("/v1/status")["memory"]["resident"]
    return size


def test_lists_wait_for_a_client_that_reads_nothing(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    mynah = with_channels(own_mynah, tmp_path)
    list_size = CHANNELS * 27
    before = resident(mynah)
    fields = [(":method", "GET"), (":scheme", "http"), (":path", f"/1/apps/{APP}/all-channels")]
    fields += [(":authority", "localhost"), ("authorization", mynah.authorization())]
    channel = socket.create_connection(("127.0.0.1", mynah.cleartext_port), timeout=HANG_SECONDS)
    # SETTINGS_INITIAL_WINDOW_SIZE 0; and one accepted push has the stream limit raised.
    with trusted(FrameConnection(channel, mynah, scheme="http").start({4: 0}), "ab" * 32) as connection:
        for _ in range(LISTS):
            # Each list is made anew.
            mynah.control.post("/v1/channels", {"bundleId": "com.example.other"})
            connection.request(fields, b"")
        # A PING is answered after what came before it.
        connection.ping(b"all-read")
        until(lambda: resident(mynah) - before < LISTS * list_size / 2, "that lists nobody reads are not made")
        # Nor were they made for a connection that has ended.
        connection.ping(b"all-kept")
        mynah.process.signal(signal.SIGTERM)
    assert mynah.process.wait() == 0


def test_lists_of_one_batch_wait_for_a_client_that_reads_nothing(
    own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    apps = (APP, "com.example.other")
    mynah = with_channels(own_mynah, tmp_path, "--data", str(tmp_path / "data"), apps=apps)
    before = resident(mynah)
    channel = socket.create_connection(("127.0.0.1", mynah.cleartext_port), timeout=HANG_SECONDS)
    with trusted(FrameConnection(channel, mynah, scheme="http").start({4: 0}), "ab" * 32) as connection:
        for number in range(LISTS):
            # Of two apps in turn, so that each list is made anew.
            fields = [(":method", "GET"), (":scheme", "http"), (":path", f"/1/apps/{apps[number % 2]}/all-channels")]
            connection.request([*fields, (":authority", "localhost"), ("authorization", mynah.authorization())], b"")
        connection.ping(b"all-read")
        # What has been answered is in the journal's place in the order before this.
        mynah.control.post("/v1/channels", {"bundleId": "com.example.third"})
        until(lambda: resident(mynah) - before < LISTS * CHANNELS * 27 / 2, "that lists nobody reads are not made")
        # Nor were they made for a connection that has ended.
        connection.ping(b"all-kept")


def test_pipelined_lists_wait_for_a_client_that_reads_nothing(
    own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    mynah = with_channels(own_mynah, tmp_path)
    before = resident(mynah)
    request = f"GET /1/apps/{APP}/all-channels HTTP/1.1\r\nhost: a\r\nauthorization: {mynah.authorization()}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", mynah.cleartext_port)) as client:
        client.sendall(request.encode() * LISTS)
        mynah.control.get("/v1/status")
        until(lambda: resident(mynah) - before < LISTS * CHANNELS * 27 / 2, "that lists nobody reads are not made")
        # All come to a client that reads.
        received, wanted = 0, LISTS * CHANNELS * 27
        while received < wanted:
            data = client.recv(1 << 20)
            assert data
            received += len(data)
