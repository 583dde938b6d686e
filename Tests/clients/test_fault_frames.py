"""Faults at the level of HTTP/2, frame by frame (`Documents#Actions`; `ProviderAPI#Connections`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hyperframe.frame import (
    DataFrame,
    Frame,
    GoAwayFrame,
    HeadersFrame,
    PingFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from conftest import unique_token
from h2client import (
    CANCEL,
    DEFAULT_BODY,
    FLOW_CONTROL_ERROR,
    NO_ERROR,
    REFUSED_STREAM,
    FrameConnection,
    connect,
    trusted,
)
from server import Mynah
from waiting import HANG_SECONDS, LONGEST_WAIT, SILENCE_SECONDS, takes_at_least

INTERNAL_ERROR = 2
HIGHEST_STREAM = 2**31 - 1
MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE = 3, 4


def fault(mynah: Mynah, token: str, action: dict[str, Any], **rule: Any) -> str:
    """Makes a rule for one device token and answers its id."""
    return mynah.control.post("/v1/faults", {"match": {"token": token}, "action": action} | rule)["id"]


def frames_since(connection: FrameConnection, count: int) -> list[Frame]:
    """What has come after the first so many frames."""
    return list(connection.history)[count:]


def open_trusted(mynah: Mynah) -> FrameConnection:
    """A connection that may have many streams."""
    return trusted(connect(mynah), unique_token())


def is_silent(connection: FrameConnection, seconds: float = SILENCE_SECONDS) -> bool:
    """Whether nothing comes for so long, not even the connection's end."""
    connection.channel.settimeout(seconds)
    try:
        connection.channel.recv(1)
        return False
    except TimeoutError:
        return True
    finally:
        connection.channel.settimeout(HANG_SECONDS)


# No answer, and late ones


def test_a_stalled_push_is_never_answered_and_the_others_are(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "stall"})
    with open_trusted(mynah) as connection:
        stalled = connection.start_push(token)
        connection.push(unique_token()).assert_accepted()
        connection.ping()
        assert not connection.reply_so_far(stalled).frames and not connection.reply_so_far(stalled).is_over
        assert mynah.control.push(token)["outcome"] == "pending"
        connection.send(RstStreamFrame(stalled, error_code=CANCEL))
        connection.ping()
        assert mynah.control.push(token)["outcome"] == "unanswered"
        connection.push(unique_token()).assert_accepted()


@pytest.mark.measures
def test_a_delayed_answer_comes_on_its_stream_behind_later_ones(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "pass", "delay": "300ms"})
    with takes_at_least(0.3), open_trusted(mynah) as connection:
        late, other = connection.start_pushes(token, unique_token())
        connection.reply(other).assert_accepted()
        assert not connection.reply_so_far(late).is_over
        connection.reply(late).assert_accepted()
        assert mynah.control.push(token)["status"] == 200


@pytest.mark.measures
def test_a_stream_that_is_reset_while_its_answer_waits_gets_none(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "pass", "delay": "200ms"})
    with open_trusted(mynah) as connection:
        late = connection.new_stream()
        connection.send(
            connection.headers_frame(late, connection.push_fields(token)),
            DataFrame(late, data=DEFAULT_BODY, flags=["END_STREAM"]),
            RstStreamFrame(late, error_code=CANCEL),
        )
        other = unique_token()
        fault(mynah, other, {"type": "pass", "delay": "400ms"})
        connection.push(other).assert_accepted()
        assert not connection.reply_so_far(late).frames
        assert mynah.control.push(token)["outcome"] == "unanswered"


# RST_STREAM and truncated replies


@pytest.mark.parametrize(("code", "number"), [("REFUSED_STREAM", 7), ("INTERNAL_ERROR", 2), (0xABCD, 0xABCD)])
def test_rst_stream_before_headers(mynah: Mynah, token: str, code: str | int, number: int) -> None:
    fault(mynah, token, {"type": "resetStream", "code": code, "when": "beforeHeaders"})
    with open_trusted(mynah) as connection:
        reply = connection.push(token)
        assert reply.reset_code == number and not reply.frames
        connection.push(unique_token()).assert_accepted()


def test_rst_stream_behind_headers_that_do_not_end_the_stream(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "resetStream", "code": "INTERNAL_ERROR", "when": "afterHeaders"})
    with open_trusted(mynah) as connection:
        reply = connection.push(token)
        assert reply.reset_code == INTERNAL_ERROR and reply.status == 200
        assert [type(frame) for frame in reply.frames] == [HeadersFrame]
        assert "END_STREAM" not in reply.frames[0].flags
        connection.push(unique_token()).assert_accepted()


def test_a_truncated_reply_has_headers_and_no_end(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "truncate"})
    with open_trusted(mynah) as connection:
        stream = connection.start_push(token)
        connection.read_until(lambda: connection.reply_so_far(stream).frames, "HEADERS")
        connection.push(unique_token()).assert_accepted()
        connection.ping()
        reply = connection.reply_so_far(stream)
        assert reply.status == 200 and not reply.is_over
        assert [type(frame) for frame in reply.frames] == [HeadersFrame]


# GOAWAY


def test_goaway_goes_before_the_answer_and_the_connection_ends(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "goaway", "reason": "Shutdown"})
    with open_trusted(mynah) as connection:
        count = len(connection.history)
        stream = connection.start_push(token)
        connection.reply(stream).assert_accepted()
        connection.read_until_closed()
        assert [type(frame) for frame in frames_since(connection, count)] == [GoAwayFrame, HeadersFrame]
        goaway = connection.goaways[0]
        assert (goaway.last_stream_id, goaway.error_code) == (stream, NO_ERROR)
        assert bytes(goaway.additional_data) == b'{"reason":"Shutdown"}'


def test_two_frames_the_second_without_the_reason(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "goaway", "reason": "BadCertificateEnvironment", "frames": 2})
    with open_trusted(mynah) as connection:
        stream = connection.start_push(token)
        connection.read_until_closed()
        first, second = connection.goaways
        assert len(first.additional_data) == 38 and not second.additional_data
        assert first.last_stream_id == second.last_stream_id == stream


def test_raw_text_and_any_code(mynah: Mynah, token: str) -> None:
    text = "Maximum active streams violated for this endpoint."
    fault(mynah, token, {"type": "goaway", "code": 7, "debug": text, "close": "now"})
    with open_trusted(mynah) as connection:
        stream = connection.start_push(token)
        connection.read_until_closed()
        goaway = connection.goaways[0]
        assert goaway.error_code == REFUSED_STREAM and bytes(goaway.additional_data) == text.encode()
        assert not connection.reply_so_far(stream).frames


def test_a_lower_last_stream_loses_what_is_in_flight(mynah: Mynah, token: str) -> None:
    stalled = unique_token()
    fault(mynah, stalled, {"type": "stall"})
    fault(mynah, token, {"type": "goaway", "lastStreamId": "lower"})
    with open_trusted(mynah) as connection:
        first = connection.start_push(stalled)
        connection.ping()
        second, third = connection.start_pushes(token, unique_token())
        connection.read_until_closed()
        assert connection.goaways[0].last_stream_id < first
        assert not any(connection.reply_so_far(stream).frames for stream in (first, second, third))
        # The server may hear of the end later than the client.
        unanswered = {"token": stalled, "outcome": "unanswered", "wait": LONGEST_WAIT}
        assert mynah.control.get("/v1/notifications", unanswered)["items"]


@pytest.mark.parametrize("number", [0, 2, HIGHEST_STREAM])
def test_the_last_stream_may_be_any_number(mynah: Mynah, token: str, number: int) -> None:
    fault(mynah, token, {"type": "goaway", "lastStreamId": number, "close": "now"})
    with open_trusted(mynah) as connection:
        connection.start_push(token)
        connection.read_until_closed()
        assert connection.goaways[0].last_stream_id == number


def test_two_steps_with_a_round_trip_between_them(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "goaway", "reason": "Shutdown", "twoStep": True})
    with open_trusted(mynah) as connection:
        count = len(connection.history)
        connection.push(token).assert_accepted()
        connection.read_until_closed()
        kinds = [type(frame) for frame in frames_since(connection, count)]
        assert kinds == [GoAwayFrame, PingFrame, HeadersFrame, GoAwayFrame]
        assert [frame.last_stream_id for frame in connection.goaways] == [HIGHEST_STREAM, connection.next_stream - 2]


@pytest.mark.measures
def test_a_connection_that_never_closes_answers_no_request(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "goaway", "close": "never"})
    with open_trusted(mynah) as connection:
        streams = [connection.start_push(token)]
        connection.wait_for_goaway()
        streams.append(connection.start_push(unique_token()))
        connection.send(PingFrame(0, opaque_data=b"are you?"))
        assert is_silent(connection)
        assert not any(connection.reply_so_far(stream).frames for stream in streams)


# SETTINGS


def test_settings_go_before_the_answer(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "settings", "maxConcurrentStreams": 1})
    with open_trusted(mynah) as connection:
        count = len(connection.history)
        connection.push(token).assert_accepted()
        frames = frames_since(connection, count)
        assert [type(frame) for frame in frames] == [SettingsFrame, HeadersFrame]
        assert frames[0].settings == {MAX_CONCURRENT_STREAMS: 1}
        connection.ping()
        held = connection.open(connection.push_fields(unique_token()))
        assert connection.push(unique_token()).reset_code == REFUSED_STREAM
        connection.send_body(held, DEFAULT_BODY)
        connection.reply(held).assert_accepted()


def test_settings_are_sent_once_for_each_value(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "settings", "maxConcurrentStreams": 2})
    with open_trusted(mynah) as connection:
        count = len(connection.settings)
        for _ in range(20):
            connection.push(token).assert_accepted()
        assert connection.settings[count:] == [{MAX_CONCURRENT_STREAMS: 2}]
        fault(mynah, token, {"type": "settings", "maxConcurrentStreams": 3, "headerTableSize": 4096})
        for _ in range(20):
            connection.push(token).assert_accepted()
        assert connection.settings[count + 1 :] == [{MAX_CONCURRENT_STREAMS: 3}]


def test_a_limit_of_0_refuses_every_stream(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "settings", "maxConcurrentStreams": 0})
    with open_trusted(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.ping()
        assert connection.push(unique_token()).reset_code == REFUSED_STREAM


def test_a_window_of_0_holds_bodies_back_and_takes_what_came_before_its_acknowledgement(
    mynah: Mynah, token: str
) -> None:
    fault(mynah, token, {"type": "settings", "initialWindowSize": 0})
    with open_trusted(mynah) as connection:
        connection.acknowledges_settings = False
        count = len(connection.settings)
        connection.push(token).assert_accepted()
        connection.wait_for_settings(count + 1)
        assert connection.settings[-1] == {INITIAL_WINDOW_SIZE: 0}
        early = connection.open(connection.push_fields(unique_token()))
        connection.send(DataFrame(early, data=DEFAULT_BODY, flags=["END_STREAM"]))
        connection.reply(early).assert_accepted()
        connection.acknowledge_settings()
        connection.ping()
        late = connection.open(connection.push_fields(unique_token()))
        connection.ping()
        assert not any(isinstance(frame, WindowUpdateFrame) and frame.stream_id == late for frame in connection.history)
        connection.send(DataFrame(late, data=DEFAULT_BODY, flags=["END_STREAM"]))
        assert connection.reply(late).reset_code == FLOW_CONTROL_ERROR
        assert not connection.goaways


def test_a_connection_without_any_settings(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    mynah.control.post(
        "/v1/faults", {"match": {"event": "handshake"}, "action": {"type": "settings", "withhold": True}}
    )
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.ping()
        assert not any(isinstance(frame, SettingsFrame) for frame in connection.history)


def test_settings_of_a_rule_in_the_first_frame(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.post(
        "/v1/faults", {"match": {"event": "handshake"}, "action": {"type": "settings", "maxConcurrentStreams": 1000}}
    )
    with connect(mynah) as connection:
        assert connection.wait_for_settings() == {1: 4096, 3: 1000, 5: 16_384, 6: 8000}
        connection.ping()
        assert len(connection.settings) == 1


def test_goaway_as_soon_as_the_connection_is_open(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.post(
        "/v1/faults", {"match": {"event": "handshake"}, "action": {"type": "goaway", "reason": "Shutdown"}}
    )
    with connect(mynah) as connection:
        connection.read_until_closed()
        assert [type(frame) for frame in connection.history][:2] == [SettingsFrame, GoAwayFrame]
        assert connection.goaways[0].last_stream_id == 0


# Silence


def test_no_window_update_comes_any_more(mynah: Mynah, token: str) -> None:
    def updates(connection: FrameConnection) -> set[int]:
        connection.push(unique_token(), b" " * 40_000).assert_refused(413, "PayloadTooLarge")
        # The answer to a PING overtakes what waits to be sent; that to another one comes behind it.
        connection.ping()
        connection.ping()
        return {frame.stream_id for frame in connection.history if isinstance(frame, WindowUpdateFrame)}

    with open_trusted(mynah) as connection:
        assert 0 in updates(connection)
    fault(mynah, token, {"type": "withholdWindow"})
    with open_trusted(mynah) as connection:
        connection.push(token).assert_accepted()
        assert not updates(connection)
        assert not connection.goaways


def test_no_ping_is_answered_any_more(mynah: Mynah, token: str) -> None:
    fault(mynah, token, {"type": "ignorePing"})
    with open_trusted(mynah) as connection:
        connection.ping()
        count = len(connection.pongs)
        connection.push(token).assert_accepted()
        connection.send(PingFrame(0, opaque_data=b"are you?"))
        connection.push(unique_token()).assert_accepted()
        assert len(connection.pongs) == count
