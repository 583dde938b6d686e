"""Frames on streams that are over (RFC 9113 §5.1, §5.1.1): an error of the connection, unless they were under way when
the server reset the stream."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from hyperframe.frame import DataFrame, HeadersFrame, PriorityFrame, RstStreamFrame, WindowUpdateFrame

from conftest import unique_token
from h2client import (
    CANCEL,
    PROTOCOL_ERROR,
    STREAM_CLOSED,
    FrameConnection,
    connect,
    connect_cleartext,
)
from server import Mynah
from transport import fault

Open = Callable[[], FrameConnection]


@pytest.fixture(params=[connect, connect_cleartext], ids=["tls", "cleartext"])
def start(request: pytest.FixtureRequest, mynah: Mynah) -> Iterator[Open]:
    """Opens connections, over TLS or not."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(request.param(mynah))


def a_closed_stream(connection: FrameConnection) -> int:
    """The stream of a push that has its reply."""
    stream = connection.start_push(unique_token())
    connection.reply(stream).assert_accepted()
    return stream


def a_cancelled_stream(connection: FrameConnection) -> int:
    """A stream that the client has reset."""
    stream = connection.open(connection.push_fields(unique_token()))
    connection.send(RstStreamFrame(stream, error_code=CANCEL))
    return stream


def a_half_closed_stream(connection: FrameConnection) -> int:
    """A stream that the client has ended, and that may have its reply already."""
    return connection.start_push("zz")


def data(connection: FrameConnection, stream: int) -> DataFrame:
    return DataFrame(stream, data=b"more", flags=["END_STREAM"])


def empty_data(connection: FrameConnection, stream: int) -> DataFrame:
    return DataFrame(stream, data=b"")


def headers(connection: FrameConnection, stream: int) -> HeadersFrame:
    return connection.headers_frame(stream, connection.push_fields(unique_token()), flags=["END_HEADERS", "END_STREAM"])


@pytest.mark.parametrize("frame", [data, empty_data, headers], ids=["data", "empty-data", "headers"])
@pytest.mark.parametrize(
    "over",
    [a_closed_stream, a_cancelled_stream, a_half_closed_stream],
    ids=["closed", "reset-by-the-client", "half-closed"],
)
@pytest.mark.parametrize("streams_behind", [0, 2])
def test_a_frame_on_a_stream_that_the_client_has_ended_ends_the_connection(
    start: Open,
    over: Callable[[FrameConnection], int],
    frame: Callable[[FrameConnection, int], DataFrame | HeadersFrame],
    streams_behind: int,
) -> None:
    connection = start()
    stream = over(connection)
    for _ in range(streams_behind):
        connection.push(unique_token()).assert_accepted()
    connection.send(frame(connection, stream))
    goaway = connection.wait_for_goaway()
    assert goaway.error_code == STREAM_CLOSED
    # nghttp2's own words where it still knows the stream.
    assert b"closed" in goaway.additional_data
    connection.read_until_closed()


def test_the_frame_may_come_in_one_piece_with_what_closed_its_stream(start: Open) -> None:
    connection = start()
    stream = connection.new_stream()
    connection.send(
        connection.headers_frame(stream, connection.push_fields(unique_token())),
        RstStreamFrame(stream, error_code=CANCEL),
        data(connection, stream),
    )
    assert connection.wait_for_goaway().error_code == STREAM_CLOSED


def test_the_frame_may_come_byte_by_byte(start: Open) -> None:
    connection = start()
    stream = a_closed_stream(connection)
    # The server may end the connection before the last byte.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLError):
        for byte in data(connection, stream).serialize():
            connection.send_bytes(bytes([byte]))
    assert connection.wait_for_goaway().error_code == STREAM_CLOSED


def test_a_lower_stream_than_the_last_is_a_protocol_error(start: Open) -> None:
    connection = start()
    connection.next_stream = 5
    a_closed_stream(connection)
    connection.send(headers(connection, 3))
    goaway = connection.wait_for_goaway()
    assert goaway.error_code == PROTOCOL_ERROR
    assert goaway.additional_data == b"HEADERS on stream 3 after stream 5: a higher stream was expected"


def test_frames_under_way_when_the_server_resets_a_stream_are_ignored(mynah: Mynah, start: Open) -> None:
    token = unique_token()
    connection = start()
    with fault(mynah, {"type": "resetStream", "code": "CANCEL"}, match={"token": token}):
        # The fault acts on a body over the limit, before the client has ended the stream.
        stream = connection.open(connection.push_fields(token))
        connection.send(DataFrame(stream, data=b"x" * 6000))
        assert connection.reply(stream).reset_code == CANCEL
    a_closed_stream(connection)
    connection.send(
        DataFrame(stream, data=b"x" * 100),
        connection.headers_frame(stream, [("x-trailer", "1")], flags=["END_HEADERS", "END_STREAM"]),
    )
    # HPACK is in step, and the connection as good as before.
    a_closed_stream(connection)
    assert not connection.goaways


def test_frames_that_may_come_late_are_ignored(start: Open) -> None:
    connection = start()
    stream = a_closed_stream(connection)
    connection.send(
        WindowUpdateFrame(stream, window_increment=1),
        RstStreamFrame(stream, error_code=CANCEL),
        PriorityFrame(stream, depends_on=0, stream_weight=1),
    )
    a_closed_stream(connection)
    assert not connection.goaways


def test_streams_may_be_fed_in_any_order(start: Open) -> None:
    connection = start()
    a_closed_stream(connection)
    connection.wait_for_settings(2)
    streams = [connection.open(connection.push_fields(unique_token())) for _ in range(20)]
    for stream in streams[1::2] + streams[::2]:
        connection.send(DataFrame(stream, data=b'{"aps":'))
    for stream in reversed(streams):
        connection.send(DataFrame(stream, data=b"{}}", flags=["END_STREAM"]))
    for stream in streams:
        connection.reply(stream).assert_accepted()
