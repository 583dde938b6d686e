"""Requests that never end, and clients that have said their last."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Callable

import pytest
from hyperframe.frame import DataFrame

from conftest import unique_token
from h2client import CANCEL, PREFACE, REFUSED_STREAM, FrameConnection, connect, connect_cleartext, trusted
from http1client import HTTP1Connection
from server import Mynah
from transport import everything, fault, memory_session, plain_channel, request
from waiting import HANG_SECONDS, LONGEST_WAIT, until

MEBIBYTE = 1024 * 1024


@pytest.mark.parametrize("open_connection", [connect, connect_cleartext], ids=["tls", "cleartext"])
@pytest.mark.measures
def test_a_request_that_takes_too_long_is_reset_alone(
    mynah_with: Callable[..., Mynah], open_connection: Callable[[Mynah], FrameConnection], token: str
) -> None:
    mynah = mynah_with("--request-timeout", "300ms")
    with open_connection(mynah) as connection:
        trusted(connection, token)
        slow = connection.open(connection.push_fields(token))
        assert connection.reply(slow).reset_code == CANCEL
        # What comes of it all the same is ignored.
        connection.send(DataFrame(slow, data=b"{}", flags=["END_STREAM"]))
        connection.push(token).assert_accepted()
    assert len(mynah.control.pushes(token)) == 2


@pytest.mark.parametrize("length", [10, 60, -3], ids=["request-line", "fields", "body"])
@pytest.mark.measures
def test_an_http1_request_that_takes_too_long_is_answered_408(
    mynah_with: Callable[..., Mynah], token: str, length: int
) -> None:
    mynah = mynah_with("--request-timeout", "300ms")
    with HTTP1Connection(mynah.cleartext_port) as connection:
        assert connection.exchange("POST", request(mynah, token)).status == 200
        response = connection.exchange("POST", request(mynah, token)[:length])
        assert (response.status, response.closes) == (408, True)
        assert connection.channel.recv(1) == b""
    assert len(mynah.control.pushes(token)) == 1


@pytest.mark.measures
def test_a_connection_holds_so_much_of_unfinished_requests(mynah: Mynah, token: str) -> None:
    with connect(mynah) as connection:
        trusted(connection, token)
        before = mynah.anonymous_bytes()
        body = b" " * 4000
        streams: list[int] = []
        refused: set[int] = set()
        while not refused:
            assert len(streams) < 900
            streams.append(connection.open(connection.push_fields(unique_token())))
            connection.send(DataFrame(streams[-1], data=body))
            connection.ping()
            refused = {stream for stream in streams if connection.reply_so_far(stream).reset_code is not None}
        assert {connection.replies[stream].reset_code for stream in refused} == {REFUSED_STREAM}
        until(lambda: mynah.anonymous_bytes() - before < 16 * MEBIBYTE, "less than 16 MiB more")
        # The others may end, and then there is room.
        connection.ping()
        refused = {stream for stream in streams if connection.reply_so_far(stream).reset_code is not None}
        for stream in set(streams) - refused:
            connection.send(DataFrame(stream, data=b"{}", flags=["END_STREAM"]))
            connection.reply(stream).assert_accepted()
        connection.push(token).assert_accepted()
        assert not connection.goaways


def delayed(mynah: Mynah, token: str) -> contextlib.AbstractContextManager[str]:
    """A rule that holds answers back for an hour of the clock."""
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    return fault(mynah, {"type": "pass", "delay": "1h", "clock": "virtual"}, match={"token": token})


@pytest.mark.parametrize("open_connection", [connect, connect_cleartext], ids=["tls", "cleartext"])
def test_an_answer_that_is_held_back_comes_after_the_clients_fin(
    own_mynah: Callable[..., Mynah], open_connection: Callable[[Mynah], FrameConnection], token: str
) -> None:
    mynah = own_mynah()
    with delayed(mynah, token), open_connection(mynah) as connection:
        streams = [connection.start_push(token)]
        connection.ping()
        fin(connection.channel)
        # When it answers, the server has had the FIN for long.
        with connect(mynah) as other:
            other.push(unique_token()).assert_accepted()
        mynah.control.post("/v1/clock/advance", {"by": "1h"})
        for stream in streams:
            connection.reply(stream).assert_accepted()
        connection.acknowledges_settings = False
        connection.read_until_closed()
    assert mynah.control.push(token)["status"] == 200


def test_an_answer_that_is_held_back_comes_after_close_notify(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    with delayed(mynah, token), plain_channel(mynah.port) as channel:
        session, incoming, outgoing = memory_session(mynah)

        def exchange() -> None:
            channel.sendall(outgoing.read())
            part = channel.recv(65_536)
            assert part, "the server has closed"
            incoming.write(part)

        while True:
            try:
                session.do_handshake()
                break
            except ssl.SSLWantReadError:
                exchange()
        frames = Recorder(mynah)
        session.write(frames.push(token))
        channel.sendall(outgoing.read())
        mynah.control.get("/v1/notifications", {"token": token, "wait": LONGEST_WAIT})
        with contextlib.suppress(ssl.SSLError):
            session.unwrap()
        channel.sendall(outgoing.read())
        mynah.control.post("/v1/clock/advance", {"by": "1h"})
        channel.settimeout(HANG_SECONDS)
        while part := channel.recv(65_536):
            incoming.write(part)
        received = b""
        with contextlib.suppress(ssl.SSLError):
            while part := session.read(65_536):
                received += part
        # HEADERS with END_STREAM and END_HEADERS, on stream 1.
        assert b"\x01\x05\x00\x00\x00\x01" in received
    assert mynah.control.push(token)["status"] == 200


def test_an_http1_answer_that_is_held_back_comes_after_the_clients_fin(
    own_mynah: Callable[..., Mynah], token: str
) -> None:
    mynah = own_mynah()
    with delayed(mynah, token), HTTP1Connection(mynah.cleartext_port) as connection:
        connection.channel.sendall(request(mynah, token))
        connection.channel.shutdown(socket.SHUT_WR)
        mynah.control.get("/v1/notifications", {"token": token, "wait": LONGEST_WAIT})
        mynah.control.post("/v1/clock/advance", {"by": "1h"})
        assert everything(connection.channel).startswith(b"HTTP/1.1 200 OK\r\n")
    assert mynah.control.push(token)["status"] == 200


def test_a_client_that_leaves_a_stalled_push_is_let_go(mynah: Mynah, token: str) -> None:
    with fault(mynah, {"type": "stall"}, match={"token": token}):
        with connect(mynah) as connection:
            connection.start_push(token)
            connection.ping()
            fin(connection.channel)
            connection.read_until_closed()
    ended = mynah.control.get("/v1/notifications", {"token": token, "outcome": "unanswered", "wait": LONGEST_WAIT})
    assert len(ended["items"]) == 1


def fin(channel: socket.socket) -> None:
    """Ends the client's side of TCP, and of nothing above."""
    with socket.socket(fileno=socket.dup(channel.fileno())) as below:
        below.shutdown(socket.SHUT_WR)


class Recorder(FrameConnection):
    """Makes the bytes of a push without sending them."""

    def __init__(self, mynah: Mynah) -> None:
        super().__init__(socket.socket(), mynah)
        self.channel.close()
        self.sent = b""

    def send_bytes(self, data: bytes) -> None:
        self.sent += data

    def push(self, token: str) -> bytes:  # type: ignore[override]
        self.start()
        self.start_push(token)
        assert self.sent.startswith(PREFACE)
        return self.sent
