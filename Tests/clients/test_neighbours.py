"""What one client asks of the server keeps no other client waiting for all of it."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPConnection
from typing import Any

from hyperframe.frame import DataFrame

from conftest import unique_token
from faults import BUSY
from h2client import DEFAULT_BODY, REFUSED_STREAM, FrameConnection, connect, trusted
from server import Mynah
from test_descriptors import CONNECTIONS, assert_said_once, processor_seconds, scarce
from test_regular_expressions import VICTIM, hostile

__all__ = ["scarce"]

MEBIBYTE = 1024 * 1024
CLOSED_SECONDS = 60


def test_costly_pushes_of_one_connection_are_answered_between_those_of_others(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    rules = [{"match": hostile(number), "action": BUSY} for number in range(1000)]
    assert mynah.control.post("/v1/faults", rules)["matched"] == 1000
    with ExitStack() as stack:
        costly = trusted(stack.enter_context(connect(mynah)), unique_token())
        # Some of them are on the same event loop.
        others = [trusted(stack.enter_context(connect(mynah)), unique_token()) for _ in range(4)]
        token = unique_token()
        fields = costly.push_fields(token)
        streams = [costly.new_stream() for _ in range(200)]
        costly.send(
            *(
                frame
                for stream in streams
                for frame in (
                    costly.headers_frame(stream, fields),
                    DataFrame(stream, data=VICTIM, flags=["END_STREAM"]),
                )
            )
        )
        costly.reply(streams[0]).assert_accepted()
        tokens = [unique_token() for _ in others]
        for other, other_token in zip(others, tokens, strict=True):
            other.push(other_token).assert_accepted()
        for stream in streams:
            costly.reply(stream).assert_accepted()
        last = max(push["sequence"] for push in mynah.control.pushes(token))
        for other_token in tokens:
            assert mynah.control.push(other_token)["sequence"] < last


def test_connections_without_an_accepted_push_hold_so_much_of_unfinished_requests_together(
    own_mynah: Callable[..., Mynah],
) -> None:
    mynah = own_mynah("--stream-limits", "999,1000")
    loops = len(os.sched_getaffinity(0))
    body = b" " * 4000

    def hold(connection: FrameConnection) -> int:
        """How many bytes of bodies a connection holds when it has opened as many requests as it may."""
        connection.wait_for_settings()
        streams: list[int] = []
        refused = 0
        while not refused and len(streams) < 900:
            # As many as fit in the window.
            for _ in range(10):
                streams.append(connection.open(connection.push_fields(unique_token(), authorization=None)))
                connection.send(DataFrame(streams[-1], data=body))
            connection.ping()
            refused = sum(connection.reply_so_far(stream).reset_code == REFUSED_STREAM for stream in streams)
        assert refused and not connection.goaways
        return (len(streams) - refused) * len(body)

    before = mynah.resident_bytes()
    with ExitStack() as stack:
        held = [hold(stack.enter_context(connect(mynah))) for _ in range(6 * loops)]
        # 2 MiB on one connection, 8 MiB on those of one event loop.
        assert MEBIBYTE < max(held) < 2 * MEBIBYTE, held
        assert 4 * MEBIBYTE * loops < sum(held) < 8 * MEBIBYTE * loops, held
        assert mynah.resident_bytes() - before < 32 * MEBIBYTE * loops
        # A request that comes in one piece needs none of it.
        with connect(mynah) as connection:
            stream = connection.new_stream()
            connection.send(
                connection.headers_frame(stream, connection.push_fields(unique_token())),
                DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM"]),
            )
            connection.reply(stream).assert_accepted()
    with connect(mynah) as connection:
        assert hold(connection) > MEBIBYTE


# The control API


def test_compiling_the_largest_patterns_leaves_threads_to_other_calls(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    calls = 2 * len(os.sched_getaffinity(0))

    lengths = "|".join("a" * length for length in range(1, 40))

    def rules(call: int) -> list[dict[str, Any]]:
        patterns = (f"({lengths})*x{call}y{number}" for number in range(200))
        return [{"match": {"topic": {"regex": pattern}}, "action": BUSY} for pattern in patterns]

    with ExitStack() as stack:
        connections = []
        for call in range(calls):
            connection = HTTPConnection("127.0.0.1", mynah.control_port, timeout=120)
            stack.callback(connection.close)
            connection.request("POST", "/v1/faults", json.dumps(rules(call)))
            connections.append(connection)
        for _ in range(3):
            assert mynah.control.ask("GET", "/livez").status == 200
        # None of them was waited for.
        for connection in connections:
            connection.sock.setblocking(False)
            try:
                assert connection.sock.recv(1, socket.MSG_PEEK) is None, "a call was answered before the probe"
            except BlockingIOError:
                pass
            connection.sock.setblocking(True)
        for connection in connections:
            assert connection.getresponse().status == 201
    expectation = {"match": {"topic": {"regex": "a"}}, "within": "0s"}
    assert not mynah.control.post("/v1/expectations", expectation)["met"]


def test_a_long_list_whose_caller_goes_is_made_no_further(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    body = json.dumps({"aps": {"alert": "word " * 600}}).encode()
    # More than a list is made of without looking for the caller.
    count, part = 12_000, 15
    with connect(mynah) as connection:
        token = unique_token()
        trusted(connection, token)
        fields = connection.push_fields(token)
        for _ in range(count // part):
            streams = [connection.new_stream() for _ in range(part)]
            for stream in streams:
                connection.send(
                    connection.headers_frame(stream, fields), DataFrame(stream, data=body, flags=["END_STREAM"])
                )
            for stream in streams:
                connection.reply(stream).assert_accepted()
    resident = mynah.resident_bytes()
    idle = {"wait": "1s", "count": 10**6, "after": mynah.control.last_sequence(), "limit": 1}

    def seconds_used() -> float:
        before = processor_seconds(mynah)
        assert mynah.control.get("/v1/notifications", idle)["timedOut"]
        return processor_seconds(mynah) - before

    assert seconds_used() < 0.5
    before = processor_seconds(mynah)
    # As many as would go on for several seconds.
    waiting = []
    for _ in range(24):
        connection = HTTPConnection("127.0.0.1", mynah.control_port)
        connection.request("GET", "/v1/notifications?text=other")
        waiting.append(connection)
    while processor_seconds(mynah) - before < 0.3:
        assert mynah.control.ask("GET", "/livez").status == 200
    for connection in waiting:
        connection.close()
    # What was begun is ended within a second.
    seconds_used()
    assert seconds_used() < 0.5
    assert mynah.resident_bytes() - resident < 32 * MEBIBYTE


def test_a_flood_of_the_control_api_leaves_descriptors_to_providers(scarce: Mynah) -> None:
    with ExitStack() as stack:
        flood = [
            stack.enter_context(socket.create_connection(("127.0.0.1", scarce.control_port)))
            for _ in range(CONNECTIONS)
        ]
        assert_said_once(scarce)
        for _ in range(3):
            with connect(scarce) as connection:
                connection.push(unique_token()).assert_accepted()
        # Those that are refused are told so.
        flood[40].settimeout(10)
        assert flood[40].recv(1000).startswith(b"HTTP/1.1 503 ")
    token = unique_token()
    with connect(scarce) as connection:
        connection.push(token).assert_accepted()
    # The server may not have seen yet that the others have closed.
    deadline = time.monotonic() + CLOSED_SECONDS
    while scarce.control.ask("GET", "/livez").status == 503:
        assert time.monotonic() < deadline
    assert scarce.control.push(token)["status"] == 200
