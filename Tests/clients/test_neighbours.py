"""What one client asks of the server keeps no other client waiting for all of it."""

from __future__ import annotations

import itertools
import json
import select
import socket
from collections.abc import Callable
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from hyperframe.frame import DataFrame

from conftest import unique_token
from faults import BUSY
from h2client import DEFAULT_BODY, REFUSED_STREAM, FrameConnection, connect, trusted
from server import Mynah
from test_descriptors import CONNECTIONS, assert_said_once, processor_seconds, processor_seconds_of_a_wait, scarce
from test_regular_expressions import VICTIM, hostile
from transport import wait_for_connections
from waiting import HANG_SECONDS, RUN_SECONDS, measured, until

pytestmark = pytest.mark.measures

__all__ = ["scarce"]

MEBIBYTE = 1024 * 1024
# The names of the threads that run event loops.
LOOP_THREAD = "NIO-ELT-"
# How often the same is tried where the machine can spoil it.
TRIES = 20


def event_loops(mynah: Mynah) -> int:
    """How many event loops a server has: one for each core that it may use."""
    names = [path.read_text() for path in Path(f"/proc/{mynah.pid}/task").glob("*/comm")]
    count = sum(name.startswith(LOOP_THREAD) for name in names)
    assert count, names
    return count


def test_costly_pushes_of_one_connection_are_answered_between_those_of_others(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    rules = [{"match": hostile(number), "action": BUSY} for number in range(1000)]
    assert mynah.control.post("/v1/faults", rules)["matched"] == 1000

    def are_answered_between() -> bool:
        """Whether all of the others' pushes come before the last one of the costly ones."""
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
            return all(mynah.control.push(other_token)["sequence"] < last for other_token in tokens)

    # While this process does not run, the costly ones may all be answered.
    measured(are_answered_between, bool, TRIES)


def test_connections_without_an_accepted_push_hold_so_much_of_unfinished_requests_together(
    own_mynah: Callable[..., Mynah],
) -> None:
    mynah = own_mynah("--stream-limits", "999,1000")
    loops = event_loops(mynah)
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

    before = mynah.anonymous_bytes()
    with ExitStack() as stack:
        held = [hold(stack.enter_context(connect(mynah))) for _ in range(6 * loops)]
        # 2 MiB on one connection, 8 MiB on those of one event loop.
        assert MEBIBYTE < max(held) < 2 * MEBIBYTE, held
        assert 4 * MEBIBYTE * loops < sum(held) < 8 * MEBIBYTE * loops, held
        until(lambda: mynah.anonymous_bytes() - before < 32 * MEBIBYTE * loops, f"less than {32 * loops} MiB more")
        # A request that comes in one piece needs none of it.
        with connect(mynah) as connection:
            stream = connection.new_stream()
            connection.send(
                connection.headers_frame(stream, connection.push_fields(unique_token())),
                DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM"]),
            )
            connection.reply(stream).assert_accepted()
    # What they held is free when the server knows that they are closed.
    wait_for_connections(mynah, 0)
    with connect(mynah) as connection:
        assert hold(connection) > MEBIBYTE


# The control API


def test_compiling_the_largest_patterns_leaves_threads_to_other_calls(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    calls = 2 * event_loops(mynah)
    lengths = "|".join("a" * length for length in range(1, 40))

    def rules(call: int) -> str:
        patterns = (f"({lengths})*x{call}y{number}" for number in range(200))
        return json.dumps([{"match": {"topic": {"regex": pattern}}, "action": BUSY} for pattern in patterns])

    bodies = (rules(call) for call in itertools.count())

    def answered_before_the_probes() -> int:
        """How many calls with patterns were answered before others that came after them."""
        with ExitStack() as stack:
            connections = []
            for body in list(itertools.islice(bodies, calls)):
                connection = HTTPConnection("127.0.0.1", mynah.control_port, timeout=RUN_SECONDS)
                stack.callback(connection.close)
                connection.request("POST", "/v1/faults", body)
                connections.append(connection)
            for _ in range(3):
                assert mynah.control.ask("GET", "/livez").status == 200
            answered = select.select([connection.sock for connection in connections], [], [], 0)[0]
            for connection in connections:
                assert connection.getresponse().status == 201
        return len(answered)

    # None of them is waited for; a client that doesn't run for as long as one takes finds it answered all the same.
    measured(answered_before_the_probes, lambda count: count == 0, TRIES)
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
    resident = mynah.anonymous_bytes()
    callers = 24

    def wait_until_idle() -> None:
        measured(lambda: processor_seconds_of_a_wait(mynah), lambda used: used < 0.5, times=HANG_SECONDS)

    def ask() -> HTTPConnection:
        connection = HTTPConnection("127.0.0.1", mynah.control_port, timeout=RUN_SECONDS)
        connection.request("GET", "/v1/notifications?text=other")
        return connection

    wait_until_idle()
    before = processor_seconds(mynah)
    with closing(ask()) as connection:
        assert connection.getresponse().read()
    whole = processor_seconds(mynah) - before

    def used_after_all_have_gone() -> float:
        before = processor_seconds(mynah)
        waiting = [ask() for _ in range(callers)]
        # So that at least one has been begun.
        until(lambda: processor_seconds(mynah) - before > whole / 2, "that the lists are begun")
        for connection in waiting:
            connection.close()
        wait_until_idle()
        return processor_seconds(mynah) - before

    # In processor time, of which each machine needs its own amount: far less than all of the lists take. A client that
    # does not run for a while closes them late.
    measured(used_after_all_have_gone, lambda used: used < callers * whole / 2, TRIES)
    until(lambda: mynah.anonymous_bytes() - resident < 32 * MEBIBYTE, "less than 32 MiB more")


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
        flood[40].settimeout(HANG_SECONDS)
        assert flood[40].recv(1000).startswith(b"HTTP/1.1 503 ")
    token = unique_token()
    with connect(scarce) as connection:
        connection.push(token).assert_accepted()
    # The server may not have seen yet that the others have closed.
    until(lambda: scarce.control.ask("GET", "/livez").status != 503, "the places of closed connections to be free")
    assert scarce.control.push(token)["status"] == 200
