"""Simulated devices over the control API, and a reader of server-sent events on a raw socket."""

from __future__ import annotations

import http.client
import json
import socket
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from server import Mynah
from waiting import HANG_SECONDS, stopwatch

TOPIC = "com.example.app"

# The largest segment to a reader that is slow.
SEGMENT_BYTES = 536


def unique_id(name: str = "device") -> str:
    """An id that no other test has."""
    return f"{name}-{uuid.uuid4().hex[:12]}"


def add_device(mynah: Mynah, **members: Any) -> dict[str, Any]:
    """Makes a device with one app, and what else is named; the app has a token also when the device is offline."""
    is_online = members.pop("online", True)
    device = {"id": unique_id(), "registrations": [{"topic": TOPIC}]} | members
    made: dict[str, Any] = mynah.control.post("/v1/devices", device)
    if is_online:
        return made
    # Without network an app would have to wait for its token.
    answer = mynah.control.ask("PATCH", f"/v1/devices/{made['id']}", body={"online": False})
    assert answer.status == 200, answer
    changed: dict[str, Any] = answer.json()
    return changed


def token_of(device: dict[str, Any], topic: str = TOPIC) -> str:
    """The token of a device's app."""
    found = [app["token"] for app in device["registrations"] if app["topic"] == topic]
    assert found and found[-1], device
    return str(found[-1])


@dataclass(frozen=True)
class Event:
    """One server-sent event; a comment has no name."""

    name: str
    id: str | None
    data: Any


class EventStream:
    """`GET …/stream`, read line by line as it comes."""

    def __init__(
        self, mynah: Mynah, path: str, *, headers: dict[str, str] | None = None, receive_buffer: int | None = None
    ) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", mynah.control_port, timeout=HANG_SECONDS)
        if receive_buffer is None:
            self.connection.connect()
        else:
            channel = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            # The server's kernel buffers some segments at first; those of loopback have 64 KiB each.
            channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT_BYTES)
            channel.settimeout(HANG_SECONDS)
            channel.connect(("127.0.0.1", mynah.control_port))
            self.connection.sock = channel
        # The response takes the socket over when the connection is to be closed after it.
        self.socket = self.connection.sock
        self.connection.request("GET", path, headers={"accept": "text/event-stream", **(headers or {})})
        self.response = self.connection.getresponse()

    def __enter__(self) -> EventStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Goes away."""
        self.response.close()
        self.connection.close()

    def events(self) -> Iterator[Event]:
        """Every event, comments too, until the stream ends; fails when no event but comments comes for long."""
        name, number, data = "", None, None
        elapsed = stopwatch()
        while line := self.response.readline():
            text = line.decode().rstrip("\n")
            if not text:
                # A comment every 15 s keeps the socket from timing out.
                assert name or elapsed() < HANG_SECONDS, f"no event came for {HANG_SECONDS} s"
                yield Event(name, number, data)
                elapsed = stopwatch() if name else elapsed
                name, number, data = "", None, None
            elif text.startswith("event: "):
                name = text.removeprefix("event: ")
            elif text.startswith("id: "):
                number = text.removeprefix("id: ")
            elif text.startswith("data: "):
                data = json.loads(text.removeprefix("data: "))

    def next(self, count: int = 1) -> list[Event]:
        """The next events that are no comments."""
        found: list[Event] = []
        for event in self.events():
            if event.name:
                found.append(event)
            if len(found) == count:
                return found
        raise AssertionError(f"the stream ended after {found}: expected {count} events")
