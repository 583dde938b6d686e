"""Frames that break HTTP/2, replies that APNs does not give, and faults by magic tokens (`Documents`)."""

from __future__ import annotations

import pytest
from hyperframe.exceptions import InvalidFrameError
from hyperframe.frame import SettingsFrame

from conftest import unique_token
from faults import add_fault
from h2client import REFUSED_STREAM, FrameConnection, connect, connect_cleartext, trusted
from server import Mynah

INTERNAL_ERROR = 2


def raw_frame(connection: FrameConnection) -> tuple[int, int, int, bytes]:
    """The next frame as type, flags, stream and payload, however broken it is."""
    header = connection._read_exactly(9)
    assert header is not None, "closed where a frame was expected"
    length = int.from_bytes(header[:3])
    payload = connection._read_exactly(length) if length else b""
    assert payload is not None, "closed in the middle of a frame"
    return header[3], header[4], int.from_bytes(header[5:9]), payload


def test_a_malformed_frame_and_the_end(mynah: Mynah, token: str) -> None:
    add_fault(mynah, {"type": "malformedFrame"}, match={"token": token})
    with trusted(connect(mynah), unique_token()) as connection:
        connection.start_push(token)
        kind, flags, stream, payload = raw_frame(connection)
        assert (kind, flags, stream, len(payload)) == (SettingsFrame.type, 0, 0, 5)
        with pytest.raises(InvalidFrameError):
            SettingsFrame(0).parse_body(memoryview(payload))
        assert connection._read_exactly(1) is None


@pytest.mark.parametrize("allowed", [None, 50_000])
def test_an_oversized_frame_and_the_end(mynah: Mynah, token: str, allowed: int | None) -> None:
    add_fault(mynah, {"type": "oversizedFrame"}, match={"token": token})
    with connect(mynah, settings={5: allowed} if allowed else None) as connection:
        trusted(connection, unique_token())
        connection.start_push(token)
        kind, flags, stream, payload = raw_frame(connection)
        assert (kind, flags, stream) == (SettingsFrame.type, 0, 0)
        assert 0 < len(payload) - (allowed or 16_384) <= 6
        assert connection._read_exactly(1) is None


# Replies of any form


def test_a_reply_with_a_status_and_fields_that_apns_does_not_have(mynah: Mynah, token: str) -> None:
    action = {
        "type": "respond",
        "status": 502,
        "body": "<html>",
        "answerHeaders": {"content-type": "text/html", "via": "1.1 proxy", "apns-id": None},
    }
    add_fault(mynah, action, match={"token": token})
    with trusted(connect(mynah), unique_token()) as connection:
        reply = connection.push(token)
        assert reply.status == 502 and reply.body == b"<html>" and reply.is_ended
        assert sorted(reply.fields[1:]) == [("content-type", "text/html"), ("via", "1.1 proxy")]
        connection.push(unique_token()).assert_accepted()


# Without TLS, and by magic tokens

MAGIC = "badc0ffee0ddf00d" * 3


def magic(number: int) -> str:
    """The magic token of a fault."""
    return MAGIC + f"fa17{number:012d}"


def test_magic_tokens_act_without_tls_too(mynah: Mynah) -> None:
    with connect_cleartext(mynah) as connection:
        assert connection.push(magic(3)).reset_code == INTERNAL_ERROR
        assert connection.push(magic(4)).reset_code == REFUSED_STREAM
        reply = connection.push(magic(5))
        assert reply.reset_code == INTERNAL_ERROR and reply.status == 200
        assert connection.push(magic(19)).status == 503
        connection.push(unique_token()).assert_accepted()


def test_a_magic_token_denies_its_own_push_by_goaway(mynah: Mynah) -> None:
    with trusted(connect(mynah), unique_token()) as connection:
        stream = connection.start_push(magic(7))
        connection.read_until_closed()
        assert connection.goaways[0].last_stream_id == stream - 2
        assert not connection.reply_so_far(stream).frames
