"""`GET /v1/devices/{id}/stream` on raw connections (`ControlAPI`)."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from devices import EventStream, add_device, token_of
from h2client import connect
from pushes import push_steadily
from server import Mynah
from waiting import measured, stopwatch, until

# By its end alone: the next comment, which would find the connection broken too, comes after 15 s.
AT_ONCE_SECONDS = 10
# More than the buffers of two sockets hold, in payloads as large as they may be.
LARGE_PUSHES, LARGE_PAYLOAD = 3000, b'{"aps":{"alert":"' + b"x" * 4050 + b'"}}'


def is_online(mynah: Mynah, device: str) -> bool:
    return bool(mynah.control.get(f"/v1/devices/{device}")["online"])


def until_offline(mynah: Mynah, device: str) -> None:
    """Waits until the device is offline."""
    until(lambda: not is_online(mynah, device), f"{device} to be offline")


def test_the_stream_is_server_sent_events(mynah: Mynah) -> None:
    device = add_device(mynah)
    with EventStream(mynah, f"/v1/devices/{device['id']}/stream") as stream, connect(mynah) as connection:
        assert stream.response.status == 200
        assert stream.response.headers["content-type"] == "text/event-stream"
        assert stream.response.headers["cache-control"] == "no-store"
        assert stream.response.headers["transfer-encoding"] == "chunked"
        connection.push(token_of(device)).assert_accepted()
        (event,) = stream.next()
        (item,) = mynah.control.get(f"/v1/devices/{device['id']}/inbox")["items"]
        assert (event.name, event.id, event.data) == ("notification", str(item["sequence"]), item)


@pytest.mark.measures
def test_a_device_is_online_while_somebody_listens(mynah: Mynah) -> None:
    device = add_device(mynah, online=False)
    path = f"/v1/devices/{device['id']}/stream?connect=true"
    with connect(mynah) as connection:
        connection.push(token_of(device)).assert_accepted()
        with EventStream(mynah, path) as stream:
            assert is_online(mynah, device["id"])
            connection.push(token_of(device)).assert_accepted()
            first, second = stream.next(2)
            assert int(first.id or 0) < int(second.id or 0)
        until_offline(mynah, device["id"])
        connection.push(token_of(device)).assert_accepted()
    assert mynah.control.pushes(token_of(device))[-1]["outcome"] == "stored"
    with EventStream(mynah, path, headers={"last-event-id": first.id or ""}) as stream:
        assert [event.id for event in stream.next(2)] == [
            second.id,
            str(mynah.control.pushes(token_of(device))[-1]["sequence"]),
        ]


@pytest.mark.parametrize("resets", [False, True], ids=["FIN", "RST"])
@pytest.mark.measures
def test_a_reader_that_leaves_takes_the_device_offline_at_once(mynah: Mynah, resets: bool) -> None:
    def seconds_until_offline() -> float:
        device = add_device(mynah, online=False)
        stream = EventStream(mynah, f"/v1/devices/{device['id']}/stream?connect=true")
        assert is_online(mynah, device["id"])
        if resets:
            stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        elapsed = stopwatch()
        stream.close()
        until_offline(mynah, device["id"])
        return elapsed()

    measured(seconds_until_offline, lambda seconds: seconds < AT_ONCE_SECONDS)


@pytest.mark.measures
def test_a_reader_that_does_not_read_is_cut_off_and_holds_no_memory(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--retain-bytes", "8MB")
    device = add_device(mynah, online=False)
    path = f"/v1/devices/{device['id']}/stream?connect=true"
    with EventStream(mynah, path, receive_buffer=4096), connect(mynah) as connection:
        connection.push(token_of(device)).assert_accepted()
        push_steadily(connection, token_of(device), LARGE_PAYLOAD, LARGE_PUSHES // 3)
        before = mynah.anonymous_bytes()
        push_steadily(connection, token_of(device), LARGE_PAYLOAD, LARGE_PUSHES * 2 // 3)
        until(lambda: mynah.anonymous_bytes() - before < 24 << 20, "that what nobody reads is not kept")
        until_offline(mynah, device["id"])


@pytest.mark.measures
def test_hundreds_of_streams_at_once(mynah: Mynah) -> None:
    devices = [add_device(mynah) for _ in range(300)]
    streams = [EventStream(mynah, f"/v1/devices/{device['id']}/stream?connect=true") for device in devices]
    try:
        with connect(mynah) as connection:
            for device in devices:
                connection.push(token_of(device)).assert_accepted()
        for stream, device in zip(streams, devices, strict=True):
            (event,) = stream.next()
            assert event.data["sequence"] == mynah.control.push(token_of(device))["sequence"]
    finally:
        for stream in streams:
            stream.close()
    for device in devices:
        until_offline(mynah, device["id"])


@pytest.mark.measures
def test_streams_end_when_the_server_stops(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    device = add_device(mynah)
    with EventStream(mynah, f"/v1/devices/{device['id']}/stream?connect=true") as stream:
        mynah.stop()
        # The last chunk, not a broken connection: reading to the end does not throw.
        assert [event for event in stream.events() if event.name] == []
