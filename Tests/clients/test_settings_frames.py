"""SETTINGS, the stream limit and its rules, PING, PRIORITY, GOAWAY (`ProviderAPI#Stream-limits`,
`ProviderAPI#GOAWAY`)."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from hyperframe.frame import DataFrame, HeadersFrame, PingFrame, PriorityFrame, SettingsFrame

from conftest import unique_token
from h2client import DEFAULT_BODY, NO_ERROR, REFUSED_STREAM, FrameConnection, connect, trusted
from server import Mynah
from waiting import HANG

MAX_CONCURRENT_STREAMS = 3


def open_half(connection: FrameConnection) -> int:
    """Opens a stream and leaves its request unfinished."""
    return connection.open(connection.push_fields(unique_token()))


def finish(connection: FrameConnection, stream: int) -> None:
    """Finishes a request that was left unfinished; it must be accepted."""
    connection.send_body(stream, DEFAULT_BODY)
    connection.reply(stream).assert_accepted()


# SETTINGS


def test_the_first_frame_is_settings_as_apns_sends_them(mynah: Mynah) -> None:
    with connect(mynah, start=False) as connection:
        connection.start()
        frame = connection.read_frame()
        assert isinstance(frame, SettingsFrame) and "ACK" not in frame.flags
        assert connection.settings == [{1: 4096, 3: 1, 5: 16_384, 6: 8000}]


def test_settings_come_before_the_client_has_sent_anything(mynah: Mynah) -> None:
    with connect(mynah, start=False) as connection:
        connection.acknowledges_settings = False
        connection.wait_for_settings()


def test_the_clients_settings_are_acknowledged(connection: FrameConnection) -> None:
    connection.read_until(lambda: connection.settings_acks == 1, "the ACK of SETTINGS")
    connection.send(SettingsFrame(0, settings={4: 100_000}))
    connection.read_until(lambda: connection.settings_acks == 2, "the second ACK")


def test_the_stream_limit_rises_to_1000_with_the_first_accepted_push(connection: FrameConnection, token: str) -> None:
    connection.push(token).assert_accepted()
    assert connection.wait_for_settings(2) == {MAX_CONCURRENT_STREAMS: 1000}
    connection.push(token).assert_accepted()
    connection.ping()
    assert len(connection.settings) == 2


def test_the_stream_limit_stays_at_1_while_pushes_are_refused_for_other_reasons(connection: FrameConnection) -> None:
    connection.push("zz").assert_refused(400, "BadDeviceToken")
    connection.ping()
    assert len(connection.settings) == 1


def test_the_stream_limit_falls_back_to_1_after_a_rejected_credential(connection: FrameConnection, token: str) -> None:
    trusted(connection, token)
    connection.push(token, authorization=None).assert_refused(403, "MissingProviderToken")
    assert connection.wait_for_settings(3) == {MAX_CONCURRENT_STREAMS: 1}
    connection.push(token).assert_accepted()
    assert connection.wait_for_settings(4) == {MAX_CONCURRENT_STREAMS: 1000}


def test_the_stream_limit_stays_at_1000_after_other_refusals(connection: FrameConnection, token: str) -> None:
    trusted(connection, token)
    connection.push("zz").assert_refused(400, "BadDeviceToken")
    connection.push(token, topic=None).assert_refused(400, "MissingTopic")
    connection.push(token, method="GET").assert_refused(405, "MethodNotAllowed")
    connection.push(token, path="/nope").assert_refused(404, "BadPath")
    connection.push(token, b"x" * 4097).assert_refused(413, "PayloadTooLarge")
    connection.ping()
    assert len(connection.settings) == 2


# The limit binds from its acknowledgement on


def test_streams_opened_before_the_acknowledgement_are_served(mynah: Mynah) -> None:
    """node-apn lost 49 of 50 pushes, and aioapns hung, where a server refused them."""
    with connect(mynah) as connection:
        connection.acknowledges_settings = False
        tokens = [unique_token() for _ in range(50)]
        frames = []
        for token in tokens:
            stream = connection.new_stream()
            frames.append(connection.headers_frame(stream, connection.push_fields(token)))
            frames.append(DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM"]))
        connection.send(*frames)
        for index in range(50):
            connection.reply(1 + 2 * index).assert_accepted()
        assert not connection.goaways


def test_unfinished_streams_opened_before_the_acknowledgement_are_served(mynah: Mynah) -> None:
    with connect(mynah) as connection:
        connection.acknowledges_settings = False
        streams = [open_half(connection) for _ in range(50)]
        connection.wait_for_settings()
        connection.acknowledge_settings()
        connection.ping()
        assert all(connection.reply_so_far(stream).reset_code is None for stream in streams)
        for stream in streams:
            finish(connection, stream)
        assert not connection.goaways


def test_after_the_acknowledgement_the_excess_is_refused_and_the_connection_lives_on(
    connection: FrameConnection, token: str
) -> None:
    connection.wait_for_settings()
    first = open_half(connection)
    excess = [connection.start_push(unique_token()) for _ in range(3)]
    for stream in excess:
        assert connection.reply(stream).reset_code == REFUSED_STREAM
    finish(connection, first)
    connection.push(token).assert_accepted()
    assert not connection.goaways


def test_a_refused_stream_is_in_no_journal(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    connection.wait_for_settings()
    first = open_half(connection)
    assert connection.reply(connection.start_push(token)).reset_code == REFUSED_STREAM
    finish(connection, first)
    assert mynah.control.pushes(token) == []


def test_a_thousand_streams_may_be_open_after_the_first_accepted_push(connection: FrameConnection, token: str) -> None:
    trusted(connection, token)
    streams = [open_half(connection) for _ in range(1000)]
    excess = connection.start_push(unique_token(), b"")
    assert connection.reply(excess).reset_code == REFUSED_STREAM
    for stream in streams:
        finish(connection, stream)
    connection.push(token).assert_accepted()
    assert not connection.goaways


def test_no_more_than_1000_streams_may_be_open_before_the_acknowledgement(mynah: Mynah) -> None:
    with connect(mynah) as connection:
        connection.acknowledges_settings = False
        streams = [open_half(connection) for _ in range(1000)]
        assert connection.reply(connection.start_push(unique_token(), b"")).reset_code == REFUSED_STREAM
        for stream in (streams[0], streams[-1]):
            finish(connection, stream)
        assert not connection.goaways


def test_a_lowered_limit_binds_from_its_acknowledgement_on(connection: FrameConnection, token: str) -> None:
    trusted(connection, token)
    connection.acknowledges_settings = False
    open_streams = [open_half(connection) for _ in range(10)]
    connection.push(token, authorization=None).assert_refused(403, "MissingProviderToken")
    connection.wait_for_settings(3)
    open_streams += [open_half(connection) for _ in range(10)]
    connection.acknowledge_settings()
    assert connection.reply(connection.start_push(unique_token())).reset_code == REFUSED_STREAM
    for stream in open_streams:
        finish(connection, stream)
    assert not connection.goaways


# PING, PRIORITY


def test_a_ping_comes_back_with_its_eight_bytes(connection: FrameConnection) -> None:
    data = os.urandom(8)
    connection.ping(data)
    assert connection.pongs == [data]


def test_many_pings_are_answered_in_order(connection: FrameConnection) -> None:
    sent = [number.to_bytes(8, "big") for number in range(200)]
    connection.send(*(PingFrame(0, opaque_data=data) for data in sent))
    connection.read_until(lambda: len(connection.pongs) == len(sent), "200 answers")
    assert connection.pongs == sent


def test_a_ping_is_answered_while_a_request_is_unfinished(connection: FrameConnection) -> None:
    connection.wait_for_settings()
    stream = open_half(connection)
    connection.ping()
    finish(connection, stream)


def test_priority_frames_are_ignored(connection: FrameConnection, token: str) -> None:
    connection.send(*(PriorityFrame(number, depends_on=0, stream_weight=200) for number in (3, 5, 7, 101)))
    connection.push(token).assert_accepted()
    connection.send(PriorityFrame(1, depends_on=3, stream_weight=1, exclusive=True))
    connection.push(token).assert_accepted()


def test_a_priority_inside_headers_is_ignored(connection: FrameConnection, token: str) -> None:
    stream = connection.new_stream()
    frame = connection.headers_frame(stream, connection.push_fields(token), flags=["END_HEADERS", "PRIORITY"])
    frame.depends_on, frame.stream_weight, frame.exclusive = 0, 15, True
    connection.send(frame)
    connection.send_body(stream, DEFAULT_BODY)
    connection.reply(stream).assert_accepted()


def test_a_frame_of_an_unknown_type_is_ignored(connection: FrameConnection, token: str) -> None:
    connection.send_bytes(b"\x00\x00\x04\xfa\x00\x00\x00\x00\x00abcd")
    connection.push(token).assert_accepted()


# Shutdown


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
@pytest.mark.measures
def test_shutdown_says_so_and_finishes_what_has_begun(
    own_mynah: Callable[..., Mynah], token: str, number: signal.Signals
) -> None:
    mynah = own_mynah("--shutdown-grace", HANG)
    with connect(mynah) as connection:
        trusted(connection, token)
        unfinished = [open_half(connection) for _ in range(3)]
        connection.ping()
        mynah.process.signal(number)
        goaway = connection.wait_for_goaway()
        assert goaway.error_code == NO_ERROR
        assert bytes(goaway.additional_data) == b'{"reason":"Shutdown"}'
        assert goaway.last_stream_id == unfinished[-1]
        for stream in unfinished:
            finish(connection, stream)
        connection.read_until_closed()
    assert mynah.process.wait() == 0
    assert len(connection.goaways) == 1


@pytest.mark.measures
def test_an_idle_connection_is_closed_at_shutdown_after_goaway(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--shutdown-grace", "10m")
    with connect(mynah) as connection:
        connection.ping()
        mynah.process.signal(signal.SIGTERM)
        goaway = connection.wait_for_goaway()
        assert (goaway.error_code, goaway.last_stream_id) == (NO_ERROR, 0)
        connection.read_until_closed()
        assert mynah.process.wait() == 0


@pytest.mark.measures
def test_a_request_that_never_ends_does_not_hold_up_shutdown_for_longer_than_the_grace(
    own_mynah: Callable[..., Mynah], token: str
) -> None:
    mynah = own_mynah("--shutdown-grace", "200ms")
    with connect(mynah) as connection:
        trusted(connection, token)
        open_half(connection)
        connection.ping()
        mynah.stop()
        connection.wait_for_goaway()
        connection.read_until_closed()


@pytest.mark.measures
def test_the_exact_last_stream_is_named_when_pushes_have_been_answered(
    own_mynah: Callable[..., Mynah], token: str
) -> None:
    mynah = own_mynah()
    with connect(mynah) as connection:
        for _ in range(5):
            last = connection.start_push(token)
            connection.reply(last).assert_accepted()
        mynah.process.signal(signal.SIGTERM)
        assert connection.wait_for_goaway().last_stream_id == last
        connection.read_until_closed()
    assert mynah.process.wait() == 0


@pytest.mark.measures
def test_nobody_is_answered_on_a_stream_above_the_last_one(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah("--shutdown-grace", HANG)
    with connect(mynah) as connection:
        trusted(connection, token)
        unfinished = open_half(connection)
        connection.ping()
        mynah.process.signal(signal.SIGTERM)
        connection.wait_for_goaway()
        late = connection.start_push(token)
        finish(connection, unfinished)
        connection.read_until_closed()
        assert not any(isinstance(frame, HeadersFrame) for frame in connection.reply_so_far(late).frames)
    assert mynah.process.wait() == 0
