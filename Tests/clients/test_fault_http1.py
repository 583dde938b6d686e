"""What faults come to where HTTP/1.1 is spoken, which has neither streams nor frames."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from conftest import unique_token
from http1client import HTTP1Connection
from server import Mynah
from transport import assert_reset, assert_silent, everything, fault, fired, request
from waiting import LONGEST_WAIT, until


@pytest.mark.parametrize(
    "action",
    [
        {"type": "settings", "maxConcurrentStreams": 1},
        {"type": "withholdWindow"},
        {"type": "ignorePing"},
        {"type": "pass", "delay": "100ms"},
    ],
    ids=lambda action: action["type"],
)
def test_what_http1_does_not_know_changes_nothing(mynah: Mynah, token: str, action: dict[str, Any]) -> None:
    with fault(mynah, action, match={"token": token}), HTTP1Connection(mynah.cleartext_port) as connection:
        for _ in range(2):
            assert connection.exchange("POST", request(mynah, token)).status == 200


@pytest.mark.parametrize("kind", ["malformedFrame", "oversizedFrame"])
def test_a_broken_frame_is_an_end_in_http1(mynah: Mynah, token: str, kind: str) -> None:
    with fault(mynah, {"type": kind}, match={"token": token}), HTTP1Connection(mynah.cleartext_port) as connection:
        connection.channel.sendall(request(mynah, token))
        assert everything(connection.channel) == b""


@pytest.mark.parametrize("when", ["beforeHeaders", "afterHeaders"])
def test_a_reset_stream_is_a_reset_connection_in_http1(mynah: Mynah, token: str, when: str) -> None:
    action = {"type": "resetStream", "when": when}
    with fault(mynah, action, match={"token": token}), HTTP1Connection(mynah.cleartext_port) as connection:
        connection.channel.sendall(request(mynah, token))
        received = assert_reset(connection.channel)
        assert received.startswith(b"HTTP/1.1 200 ") == (when == "afterHeaders")


def test_a_truncated_reply_is_a_head_without_its_body_in_http1(mynah: Mynah, token: str) -> None:
    with fault(mynah, {"type": "truncate"}, match={"token": token}):
        with HTTP1Connection(mynah.cleartext_port) as connection:
            connection.channel.sendall(request(mynah, token))
            received = b""
            while b"\r\n\r\n" not in received:
                received += connection.channel.recv(4096)
            assert b"content-length: 1\r\n" in received and received.endswith(b"\r\n\r\n")
            assert_silent(connection.channel)


def test_goaway_closes_behind_the_reply_in_http1(mynah: Mynah, token: str) -> None:
    with fault(mynah, {"type": "goaway", "reason": "Shutdown"}, match={"token": token}):
        with HTTP1Connection(mynah.cleartext_port) as connection:
            response = connection.exchange("POST", request(mynah, token))
            assert (response.status, response.closes) == (200, True)
            assert connection.channel.recv(1) == b""


def test_an_answer_of_the_rules_own_goes_out_in_http1(mynah: Mynah, token: str) -> None:
    action = {
        "type": "respond",
        "status": 502,
        "body": "<html></html>",
        "answerHeaders": {"content-type": "text/html", "apns-id": None},
        "delay": "50ms",
    }
    with fault(mynah, action, match={"token": token}), HTTP1Connection(mynah.cleartext_port) as connection:
        response = connection.exchange("POST", request(mynah, token))
        assert (response.status, response.body) == (502, b"<html></html>")
        names = dict(response.fields)
        assert names["content-type"] == "text/html" and "apns-id" not in names
        assert connection.exchange("POST", request(mynah, unique_token())).status == 200


def test_a_stalled_request_is_never_answered_in_http1(mynah: Mynah, token: str) -> None:
    with fault(mynah, {"type": "stall"}, match={"token": token}):
        with HTTP1Connection(mynah.cleartext_port) as connection:
            connection.channel.sendall(request(mynah, token))
            assert_silent(connection.channel)
    query = {"token": token, "outcome": "unanswered", "wait": LONGEST_WAIT}
    assert mynah.control.get("/v1/notifications", query)["items"]


def test_a_client_that_has_gone_is_not_open_while_its_answer_is_delayed(mynah: Mynah, token: str) -> None:
    def connections() -> set[int]:
        return {one["id"] for one in mynah.control.get("/v1/connections")["items"]}

    # Of which some may be about to end.
    others = connections()
    with fault(mynah, {"type": "pass", "delay": "10m"}, match={"token": token}) as rule:
        with HTTP1Connection(mynah.cleartext_port) as connection:
            connection.channel.sendall(request(mynah, token))
            until(lambda: fired(mynah, rule) == 1, "the answer to be delayed")
            assert len(connections() - others) == 1
        until(lambda: connections() <= others, "the connection to be closed")


def test_a_client_that_has_only_closed_its_side_still_gets_its_answer(mynah: Mynah, token: str) -> None:
    # Longer than the server takes to find out whether the client is there.
    with fault(mynah, {"type": "pass", "delay": "5s"}, match={"token": token}):
        with HTTP1Connection(mynah.cleartext_port) as connection:
            connection.channel.sendall(request(mynah, token))
            connection.channel.shutdown(socket.SHUT_WR)
            received = everything(connection.channel)
            interim, _, answer = received.rpartition(b"HTTP/1.1 200 ")
            assert answer and set(interim.split(b"\r\n")) == {b"HTTP/1.1 100 Continue", b""}
