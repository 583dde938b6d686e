"""What is against HTTP/2: the stream or the connection ends as RFC 9113 says, and nobody else is harmed."""

from __future__ import annotations

import os
import re
import socket
import struct
from collections.abc import Callable, Iterator

import pytest
from hyperframe.frame import (
    ContinuationFrame,
    DataFrame,
    HeadersFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from conftest import unique_token
from devices import EventStream
from h2client import (
    DEFAULT_BODY,
    FLOW_CONTROL_ERROR,
    PROTOCOL_ERROR,
    REFUSED_STREAM,
    STREAM_CLOSED,
    FrameConnection,
    connect,
    connect_cleartext,
    tls_channel,
    trusted,
)
from http1client import HTTP1Connection
from server import Mynah
from waiting import HANG_SECONDS, until

MEGABYTE = 1024 * 1024


@pytest.fixture
def neighbour(mynah: Mynah) -> Iterator[FrameConnection]:
    """A well-behaved connection that must still work when the test is over."""
    with connect(mynah) as connection:
        trusted(connection, unique_token())
        yield connection
        connection.push(unique_token()).assert_accepted()
        assert not connection.goaways


def error_of(connection: FrameConnection, stream: int) -> int:
    """The error code by which a stream or its connection ended."""

    def is_over() -> bool:
        return connection.reply_so_far(stream).reset_code is not None or bool(connection.goaways)

    connection.read_until(is_over, "RST_STREAM or GOAWAY")
    reset = connection.reply_so_far(stream).reset_code
    return connection.goaways[0].error_code if reset is None else reset


def assert_grows_less(mynah: Mynah, before: int, bytes_max: int) -> None:
    """Waits until the server holds less than so much more memory than before."""
    until(lambda: mynah.anonymous_bytes() - before < bytes_max, f"less than {bytes_max} bytes more than {before}")


@pytest.mark.usefixtures("neighbour")
class TestAgainstTheProtocol:
    """Each on a connection of its own beside a neighbour."""

    def test_a_second_headers_in_the_middle_is_an_error(self, connection: FrameConnection, token: str) -> None:
        stream = connection.open(connection.push_fields(token))
        connection.send(DataFrame(stream, data=DEFAULT_BODY[:3]))
        connection.send(connection.headers_frame(stream, [("x-more", "1")]))
        assert error_of(connection, stream) == PROTOCOL_ERROR

    def test_data_on_a_half_closed_stream_is_an_error(self, mynah: Mynah, token: str) -> None:
        # The refusal's body waits for a window, so the stream stays half closed.
        with connect(mynah, settings={4: 0}) as connection:
            stream = connection.start_push("zz")
            connection.read_until(lambda: connection.reply_so_far(stream).fields, "the head of the refusal")
            connection.send(DataFrame(stream, data=b"more"))
            assert error_of(connection, stream) == STREAM_CLOSED

    def test_headers_on_a_half_closed_stream_are_an_error(self, mynah: Mynah, token: str) -> None:
        with connect(mynah, settings={4: 0}) as connection:
            stream = connection.start_push("zz")
            connection.read_until(lambda: connection.reply_so_far(stream).fields, "the head of the refusal")
            connection.send(connection.headers_frame(stream, connection.push_fields(token)))
            assert error_of(connection, stream) == STREAM_CLOSED

    def test_data_on_a_stream_that_was_never_opened_is_an_error(self, connection: FrameConnection) -> None:
        connection.send(DataFrame(99, data=b"hello"))
        assert connection.wait_for_goaway().error_code == PROTOCOL_ERROR

    def test_data_on_stream_0_is_an_error(self, connection: FrameConnection) -> None:
        connection.send_bytes(b"\x00\x00\x01\x00\x00\x00\x00\x00\x00x")
        assert connection.wait_for_goaway().error_code == PROTOCOL_ERROR

    def test_a_stream_of_even_number_is_an_error(self, connection: FrameConnection, token: str) -> None:
        connection.send(connection.headers_frame(2, connection.push_fields(token)))
        assert connection.wait_for_goaway().error_code == PROTOCOL_ERROR

    def test_a_frame_larger_than_allowed_is_an_error(self, connection: FrameConnection, token: str) -> None:
        stream = connection.open(connection.push_fields(token))
        connection.send(DataFrame(stream, data=b"x" * 16_385))
        assert error_of(connection, stream) == 6  # FRAME_SIZE_ERROR

    def test_header_compression_that_makes_no_sense_is_an_error(self, connection: FrameConnection) -> None:
        connection.send(HeadersFrame(1, data=b"\xff\xff\xff\xff\xff\xff\xff", flags=["END_HEADERS"]))
        assert connection.wait_for_goaway().error_code == 9  # COMPRESSION_ERROR

    def test_a_window_beyond_its_maximum_is_an_error(self, connection: FrameConnection) -> None:
        connection.send(WindowUpdateFrame(0, window_increment=2**31 - 1))
        assert connection.wait_for_goaway().error_code == FLOW_CONTROL_ERROR

    def test_a_stream_without_a_path_is_refused_alone(self, connection: FrameConnection, token: str) -> None:
        fields = [field for field in connection.push_fields(token) if field[0] != ":path"]
        stream = connection.open(fields, end_stream=True)
        assert connection.reply(stream).reset_code == PROTOCOL_ERROR
        connection.push(token).assert_accepted()

    def test_a_field_name_in_upper_case_is_refused_alone(self, connection: FrameConnection, token: str) -> None:
        stream = connection.open(connection.push_fields(token, further=[("Apns-Priority", "5")]), end_stream=True)
        assert connection.reply(stream).reset_code == PROTOCOL_ERROR
        connection.push(token).assert_accepted()

    def test_a_content_length_that_is_wrong_is_refused_alone(self, connection: FrameConnection, token: str) -> None:
        stream = connection.start_push(token, further=[("content-length", "7")])
        assert connection.reply(stream).reset_code == PROTOCOL_ERROR
        connection.push(unique_token()).assert_accepted()

    def test_http1_on_the_tls_port_gets_settings_then_goaway(self, mynah: Mynah) -> None:
        with connect(mynah, alpn=None, start=False) as connection:
            connection.acknowledges_settings = False
            connection.send_bytes(b"POST /3/device/00 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            frame = connection.read_frame()
            assert isinstance(frame, SettingsFrame)
            assert connection.wait_for_goaway().error_code == PROTOCOL_ERROR
            connection.read_until_closed()

    def test_garbage_inside_tls_is_answered_with_a_close(self, mynah: Mynah) -> None:
        with connect(mynah, start=False) as connection:
            connection.acknowledges_settings = False
            connection.send_bytes(os.urandom(4096))
            connection.read_until_closed()
            assert connection.goaways[0].error_code == PROTOCOL_ERROR

    def test_a_connection_cut_in_the_middle_of_a_frame_is_forgotten(self, mynah: Mynah, token: str) -> None:
        for length in (1, 9, 20, 60):
            connection = connect(mynah)
            frame = connection.headers_frame(1, connection.push_fields(token)).serialize()
            connection.send_bytes(frame[:length])
            connection.close()
        assert mynah.control.pushes(token) == []

    @pytest.mark.measures
    def test_endless_continuation_is_cut_off(self, mynah: Mynah, token: str) -> None:
        with connect(mynah) as connection:
            connection.send(HeadersFrame(1, data=connection.encoder.encode(connection.push_fields(token))))
            filler = ContinuationFrame(1, data=b"\x00\x01x\x7f\xc1\x7d" + b"y" * 16_000).serialize()
            before = mynah.anonymous_bytes()
            with pytest.raises((ConnectionError, OSError)):
                for _ in range(4000):
                    connection.send_bytes(filler)
            assert_grows_less(mynah, before, 64 * MEGABYTE)

    @pytest.mark.measures
    def test_a_flood_of_resets_harms_nobody(self, mynah: Mynah, token: str) -> None:
        with connect(mynah) as connection:
            before = mynah.anonymous_bytes()
            try:
                for _ in range(5000):
                    stream = connection.open(connection.push_fields(token))
                    connection.send(RstStreamFrame(stream, error_code=8))
            except OSError:
                pass  # Being cut off for it is as good as being borne.
            assert_grows_less(mynah, before, 64 * MEGABYTE)

    @pytest.mark.measures
    def test_ten_thousand_open_streams_harm_nobody(self, mynah: Mynah, neighbour: FrameConnection) -> None:
        before = mynah.anonymous_bytes()
        with connect(mynah) as greedy:
            greedy.acknowledges_settings = False
            refused = 0
            try:
                for number in range(10_000):
                    greedy.open(greedy.push_fields(unique_token()))
                    if number % 1000 == 0:
                        neighbour.push(unique_token()).assert_accepted()
                while refused < 9000:
                    frame = greedy.read_frame()
                    assert not isinstance(frame, RstStreamFrame) or frame.error_code == REFUSED_STREAM
                    refused += isinstance(frame, RstStreamFrame)
                    if frame is None:
                        break
            except OSError:
                pass  # Cut off while writing, which is as good.
            assert refused == 9000 or greedy.goaways or greedy.is_closed
            neighbour.push(unique_token()).assert_accepted()
            assert_grows_less(mynah, before, 200 * MEGABYTE)


# Before HTTP/2


@pytest.mark.usefixtures("neighbour")
@pytest.mark.parametrize(
    "data",
    [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x00" * 100, b"SSH-2.0-OpenSSH\r\n", b"\x16\x03\x01\xff\xff"],
    ids=["http", "zeros", "ssh", "a-record-that-lies"],
)
def test_a_client_that_speaks_no_tls_is_closed(mynah: Mynah, data: bytes) -> None:
    with socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS) as channel:
        channel.sendall(data)
        channel.shutdown(socket.SHUT_WR)
        received = b""
        while part := read_or_reset(channel):
            received += part
        # An alert at most: a record of type 21.
        assert received == b"" or received[0] == 21


def read_or_reset(channel: socket.socket) -> bytes:
    """What comes next, nothing when the connection is closed or reset."""
    try:
        return channel.recv(4096)
    except ConnectionResetError:
        return b""


@pytest.mark.measures
def test_stalled_handshakes_harm_nobody(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    stalled = [socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS) for _ in range(200)]
    try:
        # Half of them say nothing, half begin a ClientHello and stop.
        for channel in stalled[::2]:
            channel.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        with connect(mynah) as connection:
            for _ in range(20):
                connection.push(unique_token()).assert_accepted()
        mynah.stop()
        assert [read_or_reset(channel) for channel in stalled] == [b""] * len(stalled)
    finally:
        for channel in stalled:
            channel.close()


@pytest.mark.measures
def test_a_stalled_handshake_is_closed_in_the_end(mynah: Mynah) -> None:
    with socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS) as channel:
        channel.sendall(b"\x16\x03\x01")
        while read_or_reset(channel):
            pass


@pytest.mark.parametrize("open_connection", [connect, connect_cleartext], ids=["tls", "cleartext"])
def test_connections_reset_while_replies_are_written_harm_nobody(
    own_mynah: Callable[..., Mynah], open_connection: Callable[[Mynah], FrameConnection]
) -> None:
    """The server writes to a connection that is gone while there is still something to read from it."""
    mynah = own_mynah()
    for number in range(200):
        connection = open_connection(mynah)
        try:
            for _ in range(1 + number % 5):
                connection.start_push("zz")
        finally:
            if number % 2:
                connection.channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
    with open_connection(mynah) as connection:
        connection.push(unique_token()).assert_accepted()
    mynah.stop()


def test_http1_connections_reset_while_replies_are_written_harm_nobody(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    request = b"POST /3/device/zz HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
    for number in range(200):
        with HTTP1Connection(mynah.cleartext_port) as connection:
            for _ in range(1 + number % 5):
                connection.channel.sendall(request)
            if number % 2:
                connection.channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with HTTP1Connection(mynah.cleartext_port) as connection:
        assert connection.exchange("POST", request).status == 403
    mynah.stop()


def test_a_client_that_connects_and_leaves_is_forgotten(mynah: Mynah, token: str) -> None:
    for _ in range(100):
        socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS).close()
        tls_channel(mynah, alpn=["h2"]).close()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()


# What the operator learns


VIOLATIONS: dict[str, tuple[bytes, str]] = {
    "data-on-stream-0": (b"\x00\x00\x01\x00\x00\x00\x00\x00\x00x", "PROTOCOL_ERROR"),
    "data-on-an-idle-stream": (DataFrame(99, data=b"hello").serialize(), "PROTOCOL_ERROR"),
    "a-window-that-overflows": (WindowUpdateFrame(0, window_increment=2**31 - 1).serialize(), "FLOW_CONTROL_ERROR"),
    "bad-compression": (HeadersFrame(1, data=b"\xff" * 7, flags=["END_HEADERS"]).serialize(), "COMPRESSION_ERROR"),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_log_and_events_say_why_a_connection_was_closed(own_mynah: Callable[..., Mynah], name: str) -> None:
    mynah = own_mynah()
    sent, error = VIOLATIONS[name]
    with EventStream(mynah, "/v1/events?event=connection") as stream:
        with connect(mynah) as connection:
            connection.send_bytes(sent)
            connection.wait_for_goaway()
            opened, closed = stream.next(2)
    assert (opened.data["change"], closed.data["change"]) == ("opened", "closed")
    assert "reason" not in opened.data
    assert f"the client broke HTTP/2: {error}" in closed.data["reason"]
    mynah.stop()
    said = [line for line in mynah.process.errors if "broke HTTP/2" in line]
    assert len(said) == 1 and closed.data["reason"] in said[0], said


@pytest.mark.parametrize("service", ["apns", "webPush"])
def test_log_says_which_request_broke_http2_and_by_which_field(own_mynah: Callable[..., Mynah], service: str) -> None:
    mynah = own_mynah("--web-push-port=0")
    port = mynah.port if service == "apns" else mynah.ready["webPushPort"]
    with connect(mynah, port=port) as connection:
        fields = connection.push_fields(unique_token(), further=[("Ttl", "secret")])
        streams = [connection.open(fields, end_stream=True) for _ in range(3)]
        assert {connection.reply(stream).reset_code for stream in streams} == {PROTOCOL_ERROR}
    mynah.stop()
    said, count = mynah.process.said("RST_STREAM")
    assert count == 3, said
    assert re.search(r"Invalid HTTP header field was received, named Ttl connection=\d+ .*stream=1", said[0]), said
    assert "secret" not in "".join(said)


@pytest.mark.measures
def test_a_client_that_is_refused_all_the_time_does_not_fill_the_log(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    count = 300
    with connect(mynah) as connection:
        trusted(connection, unique_token())
        fields = connection.push_fields(unique_token(), further=[("x-long", "l" * 9000)])
        for _ in range(count):
            stream = connection.open(fields, end_stream=True)
            connection.reply(stream)
        connection.push(unique_token()).assert_accepted()
    mynah.stop()
    said = [line for line in mynah.process.errors if "refused with 431" in line]
    assert len(said) < 10, f"{len(said)} lines"
    # Nothing is left out silently: each is a line of its own or counted in one.
    counted = [re.search(r"(\d+) more within", line) for line in said]
    assert sum(int(match.group(1)) if match else 1 for match in counted) == count
