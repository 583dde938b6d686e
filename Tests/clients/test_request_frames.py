"""How a request may be cut into frames, bodies at their limits, and flow control (`ProviderAPI#Requests`,
`ProviderAPI#Responses`)."""

from __future__ import annotations

import base64

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
from h2client import CANCEL, DEFAULT_BODY, NO_ERROR, FrameConnection, connect, trusted
from provider_token import Form
from server import Mynah

TOO_LARGE = (413, "PayloadTooLarge")
VOIP = {"topic": "com.example.app.voip", "push_type": "voip"}


def json_of(size: int) -> bytes:
    """A payload of exactly so many bytes."""
    empty = b'{"aps":{"alert":""}}'
    return empty[:-3] + b"x" * (size - len(empty)) + empty[-3:]


# Header blocks


def test_a_header_block_may_go_on_in_continuation_frames(connection: FrameConnection, token: str) -> None:
    stream = connection.new_stream()
    block = connection.encoder.encode(connection.push_fields(token))
    third = len(block) // 3
    connection.send(
        HeadersFrame(stream, data=block[:third]),
        ContinuationFrame(stream, data=block[third : 2 * third]),
        ContinuationFrame(stream, data=b""),
        ContinuationFrame(stream, data=block[2 * third :], flags=["END_HEADERS"]),
        DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM"]),
    )
    connection.reply(stream).assert_accepted()


def test_headers_may_be_padded(connection: FrameConnection, token: str) -> None:
    stream = connection.new_stream()
    frame = connection.headers_frame(stream, connection.push_fields(token), flags=["END_HEADERS", "PADDED"])
    frame.pad_length = 200
    connection.send(frame)
    connection.send_body(stream, DEFAULT_BODY)
    connection.reply(stream).assert_accepted()


def test_the_header_table_may_be_used_or_not(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    """Apple's advice on indexing contradicts itself, so any encoding must do."""
    fields = connection.push_fields(token)
    for huffman in (True, False):
        stream = connection.new_stream()
        never_indexed = [(name, value, True) for name, value in fields]
        block = connection.encoder.encode(never_indexed, huffman=huffman)
        connection.send(HeadersFrame(stream, data=block, flags=["END_HEADERS"]))
        connection.send_body(stream, DEFAULT_BODY)
        connection.reply(stream).assert_accepted()
    for _ in range(3):
        connection.push(token).assert_accepted()
    assert len(mynah.control.pushes(token)) == 5


@pytest.mark.parametrize("size", [8_001, 12_000, 40_000])
def test_a_header_list_over_8000_bytes_refuses_its_stream_alone(
    connection: FrameConnection, token: str, size: int
) -> None:
    trusted(connection, token)
    neighbour = connection.open(connection.push_fields(token))
    long_fields = connection.push_fields(token, further=[("x-long", "l" * 2000)] * (size // 2000) + [("x-marker", "m")])
    stream = connection.new_stream()
    block = connection.encoder.encode(long_fields)
    parts = [block[start : start + 16_000] for start in range(0, len(block), 16_000)]
    frames = [HeadersFrame(stream, data=parts[0])] + [ContinuationFrame(stream, data=part) for part in parts[1:]]
    frames[-1].flags.add("END_HEADERS")
    connection.send(*frames)
    connection.read_until(
        lambda: connection.reply_so_far(stream).is_over or connection.reply_so_far(stream).fields, "the refusal"
    )
    reply = connection.reply_so_far(stream)
    assert reply.reset_code is not None or reply.status == 431
    connection.send_body(neighbour, DEFAULT_BODY)
    connection.reply(neighbour).assert_accepted()
    # What the refused block put into the header table is used by the next one.
    connection.push(token, further=[("x-marker", "m")]).assert_accepted()
    assert not connection.goaways


def test_a_header_list_just_under_8000_bytes_is_read(connection: FrameConnection, token: str) -> None:
    fields = connection.push_fields(token)
    used = sum(len(name) + len(value) + 32 for name, value in fields)
    filler = 8000 - used - len("x-filler") - 32
    connection.push(token, further=[("x-filler", "f" * filler)]).assert_accepted()


def test_a_provider_token_longer_than_any_library_sends_is_invalid(connection: FrameConnection, token: str) -> None:
    form = Form().with_claims(padding="p" * 3200)
    connection.push(token, form=form).assert_refused(403, "InvalidProviderToken")


def test_an_authorization_sent_twice_is_refused(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    twice = [("authorization", mynah.authorization())]
    connection.push(token, further=twice).assert_refused(400, "DuplicateHeaders")


# DATA


def test_data_may_be_padded_and_the_padding_is_given_back(connection: FrameConnection, token: str) -> None:
    for _ in range(300):
        stream = connection.open(connection.push_fields(token))
        connection.send(DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM", "PADDED"], pad_length=255))
        connection.reply(stream).assert_accepted()


def test_padding_does_not_count_for_the_payload_limit(connection: FrameConnection, token: str) -> None:
    stream = connection.open(connection.push_fields(token))
    connection.send(DataFrame(stream, data=json_of(4096), flags=["END_STREAM", "PADDED"], pad_length=255))
    connection.reply(stream).assert_accepted()


def test_empty_data_frames_change_nothing(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    stream = connection.open(connection.push_fields(token))
    connection.send(
        DataFrame(stream),
        DataFrame(stream, data=DEFAULT_BODY[:5]),
        DataFrame(stream),
        DataFrame(stream, data=DEFAULT_BODY[5:]),
        DataFrame(stream, flags=["END_STREAM"]),
    )
    connection.reply(stream).assert_accepted()
    assert mynah.control.push(token)["payload"] == {"aps": {"alert": "hi"}}


def test_a_body_may_come_byte_by_byte(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    stream = connection.open(connection.push_fields(token))
    for byte in DEFAULT_BODY:
        connection.send(DataFrame(stream, data=bytes([byte])))
    connection.send(DataFrame(stream, flags=["END_STREAM"]))
    connection.reply(stream).assert_accepted()
    assert mynah.control.push(token)["payloadSize"] == len(DEFAULT_BODY)


def test_headers_that_end_the_stream_are_an_empty_payload(connection: FrameConnection, token: str) -> None:
    connection.push(token, b"").assert_refused(400, "PayloadEmpty")


def test_an_empty_body_of_data_is_an_empty_payload(connection: FrameConnection, token: str) -> None:
    stream = connection.open(connection.push_fields(token))
    connection.send(DataFrame(stream, flags=["END_STREAM"]))
    connection.reply(stream).assert_refused(400, "PayloadEmpty")


def test_trailers_are_accepted(connection: FrameConnection, token: str) -> None:
    stream = connection.open(connection.push_fields(token))
    connection.send(DataFrame(stream, data=DEFAULT_BODY))
    connection.send(connection.headers_frame(stream, [("x-checksum", "1")], flags=["END_HEADERS", "END_STREAM"]))
    connection.reply(stream).assert_accepted()


def test_trailers_do_not_stand_in_for_headers(connection: FrameConnection, token: str) -> None:
    stream = connection.open(connection.push_fields(token, topic=None))
    connection.send(DataFrame(stream, data=DEFAULT_BODY))
    trailers = [("apns-topic", "com.example.app")]
    connection.send(connection.headers_frame(stream, trailers, flags=["END_HEADERS", "END_STREAM"]))
    connection.reply(stream).assert_refused(400, "MissingTopic")


# Limits of the payload


@pytest.mark.parametrize(
    ("size", "options", "expected"),
    [(4096, {}, None), (4097, {}, TOO_LARGE), (5120, VOIP, None), (5121, VOIP, TOO_LARGE)],
    ids=["4096", "4097", "voip-5120", "voip-5121"],
)
def test_payload_limit(
    connection: FrameConnection, token: str, size: int, options: dict, expected: tuple[int, str] | None
) -> None:
    reply = connection.push(token, json_of(size), **options)
    reply.assert_refused(*expected) if expected else reply.assert_accepted()


def test_a_body_over_the_limit_is_refused_before_its_end(connection: FrameConnection, token: str) -> None:
    trusted(connection, token)
    stream = connection.open(connection.push_fields(token))
    connection.send(DataFrame(stream, data=json_of(4097)))
    reply = connection.reply(stream).assert_refused(*TOO_LARGE)
    # What is on its way already must do no harm.
    connection.send(DataFrame(stream, data=b"x" * 10_000), DataFrame(stream, data=b"x", flags=["END_STREAM"]))
    connection.push(token).assert_accepted()
    resets = [f for f in connection.history if isinstance(f, RstStreamFrame) and f.stream_id == stream]
    assert all(reset.error_code == NO_ERROR for reset in resets)
    assert reply.is_ended and not connection.goaways


def test_exactly_the_limit_is_not_refused_before_its_end(connection: FrameConnection, token: str) -> None:
    stream = connection.open(connection.push_fields(token))
    connection.send(DataFrame(stream, data=json_of(4096)))
    connection.ping()
    assert connection.reply_so_far(stream).frames == []
    connection.send(DataFrame(stream, flags=["END_STREAM"]))
    connection.reply(stream).assert_accepted()


def test_bodies_over_the_limit_give_the_connections_window_back(connection: FrameConnection, token: str) -> None:
    trusted(connection, token)
    for _ in range(20):
        connection.push(token, json_of(40_000)).assert_refused(*TOO_LARGE)
    connection.push(token).assert_accepted()
    assert not connection.goaways


def test_a_body_over_the_limit_is_in_the_journal(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    connection.push(token, json_of(9000)).assert_refused(*TOO_LARGE)
    push = mynah.control.push(token)
    assert (push["status"], push["reason"], push["outcome"]) == (413, "PayloadTooLarge", "refused")
    assert (push["payload"], len(base64.b64decode(push["payloadBase64"]))) == (None, 4096)
    assert not [warning for warning in push["warnings"] if "JSON" in warning]


@pytest.mark.parametrize("declares", [True, False], ids=["content-length", "no content-length"])
def test_a_body_over_the_limit_has_its_size(
    connection: FrameConnection, mynah: Mynah, token: str, declares: bool
) -> None:
    body = json_of(5022)
    further = [("content-length", str(len(body)))] if declares else []
    stream = connection.open(connection.push_fields(token, further=further))
    # In two frames, of which the first is over the limit: with no length declared, that is all there is to count.
    connection.send(DataFrame(stream, data=body[:4500]))
    connection.reply(stream).assert_refused(*TOO_LARGE)
    connection.send(DataFrame(stream, data=body[4500:], flags=["END_STREAM"]))
    assert mynah.control.push(token)["payloadSize"] == (5022 if declares else 4500)


def test_an_earlier_check_wins_over_a_body_that_never_ends(connection: FrameConnection, token: str) -> None:
    stream = connection.open(connection.push_fields(token, authorization=None))
    connection.send(DataFrame(stream, data=json_of(6000)))
    connection.reply(stream).assert_refused(403, "MissingProviderToken")


# Flow control


def test_refusals_wait_for_the_clients_window(mynah: Mynah) -> None:
    with connect(mynah, settings={4: 0}) as connection:
        stream = connection.start_push("zz")
        connection.read_until(lambda: connection.reply_so_far(stream).fields, "the head of the refusal")
        connection.ping()
        assert connection.reply_so_far(stream).body == b""
        connection.send(WindowUpdateFrame(stream, window_increment=1000))
        connection.reply(stream).assert_refused(400, "BadDeviceToken")


def test_a_window_smaller_than_the_refusal_still_brings_all_of_it(mynah: Mynah) -> None:
    with connect(mynah, settings={4: 0}) as connection:
        stream = connection.start_push("zz")
        while not connection.reply_so_far(stream).is_over:
            connection.send(WindowUpdateFrame(stream, window_increment=5))
            connection.ping()
        assert connection.replies[stream].body == b'{"reason":"BadDeviceToken"}'


def test_a_window_opened_by_settings_lets_waiting_refusals_go(mynah: Mynah) -> None:
    with connect(mynah, settings={4: 0}) as connection:
        stream = connection.start_push("zz")
        connection.ping()
        connection.send(SettingsFrame(0, settings={4: 65_535}))
        connection.reply(stream).assert_refused(400, "BadDeviceToken")


def test_an_accepted_push_needs_no_window(mynah: Mynah, token: str) -> None:
    with connect(mynah, settings={4: 0}) as connection:
        connection.push(token).assert_accepted()


def test_a_client_that_cancels_a_waiting_refusal_does_no_harm(mynah: Mynah, token: str) -> None:
    with connect(mynah, settings={4: 0}) as connection:
        stream = connection.start_push("zz")
        connection.read_until(lambda: connection.reply_so_far(stream).fields, "the head of the refusal")
        connection.send(RstStreamFrame(stream, error_code=CANCEL))
        connection.push(token).assert_accepted()


def test_the_widest_window_and_frame_size_are_accepted(mynah: Mynah, token: str) -> None:
    with connect(mynah, settings={4: 2**31 - 1, 5: 2**24 - 1}) as connection:
        connection.push(token).assert_accepted()
        connection.push("zz").assert_refused(400, "BadDeviceToken")


# Cancelling


def test_a_request_cancelled_in_the_middle_leaves_the_connection_alone(
    connection: FrameConnection, mynah: Mynah, token: str
) -> None:
    trusted(connection, unique_token())
    for _ in range(20):
        stream = connection.open(connection.push_fields(token))
        connection.send(DataFrame(stream, data=DEFAULT_BODY[:5]), RstStreamFrame(stream, error_code=CANCEL))
    connection.push(token).assert_accepted()
    assert mynah.control.push(token)["status"] == 200
    assert not connection.goaways


def test_a_cancelled_stream_makes_room_under_the_limit(connection: FrameConnection, token: str) -> None:
    connection.wait_for_settings()
    for _ in range(5):
        stream = connection.open(connection.push_fields(token))
        connection.send(RstStreamFrame(stream, error_code=CANCEL))
    connection.push(token).assert_accepted()
