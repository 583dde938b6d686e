"""What `Sources/python` reads of HTTP/1.1 and event streams, in whatever pieces it arrives."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import mynah as package
from mynah.exchange import BrokenAnswer, EventReader, ResponseReader, request
from server import Mynah

WHOLE = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}"
CHUNKED = (
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    b"3;x=y\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n"
)
UNTIL_THE_END = b"HTTP/1.0 200 OK\r\n\r\n{\"a\":1}"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("data", [WHOLE, CHUNKED, UNTIL_THE_END], ids=["length", "chunks", "end"])
def test_an_answer_arrives_in_pieces(data: bytes, size: int) -> None:
    reader = ResponseReader("GET")
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    body = b"".join(reader.feed(piece) for piece in pieces)
    assert reader.is_complete == (data != UNTIL_THE_END)
    if not reader.is_complete:
        body += reader.feed(b"")
    assert (reader.status, json.loads(body), reader.is_complete) == (200, {"a": 1}, True)


@pytest.mark.parametrize(
    "head", ["HEAD / 200\r\ncontent-length: 5", "GET / 204", "GET / 304\r\ncontent-length: 5"], ids=lambda one: one[:9]
)
def test_an_answer_without_a_body_ends_with_its_head(head: str) -> None:
    method, _, rest = head.partition(" / ")
    reader = ResponseReader(method)
    assert reader.feed(f"HTTP/1.1 {rest}\r\n\r\n".encode()) == b"" and reader.is_complete


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the connection ended before the answer did"),
        (WHOLE[:-1], "the connection ended before the answer did"),
        (CHUNKED[:-9], "the connection ended before the answer did"),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "the answer is not HTTP/1.1"),
        (b"x" * 100_000, "the answer is not HTTP/1.1"),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n", "the answer has a wrong chunk"),
    ],
)
def test_a_broken_answer_is_told(data: bytes, message: str) -> None:
    reader = ResponseReader("GET")
    with pytest.raises(BrokenAnswer, match=message):
        if data:
            reader.feed(data)
        reader.feed(b"")


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_events_arrive_in_pieces(size: int) -> None:
    told = ": hello\n\nevent: fault\nid: 7\ndata: {\"a\":\"ä: b\"}\n\n: \nid: 8\n\ndata: 1\n\nevent: cut".encode()
    reader = EventReader()
    events = [event for start in range(0, len(told), size) for event in reader.feed(told[start : start + size])]
    assert events == [package.Event("fault", 7, {"a": "ä: b"}), package.Event("message", None, 1)]


def test_a_request_cannot_be_split() -> None:
    assert request("POST", "/v1/reset", {"Host": "a"}, None).endswith(b"host: a\r\ncontent-length: 0\r\n\r\n")
    for path, headers in [("/a b", {}), ("/\r\nx: y", {}), ("/", {"x": "a\r\nb: c"}), ("/", {"x y": "a"})]:
        with pytest.raises(package.ArgumentError, match="wrong path|wrong header"):
            request("GET", path, headers, None)


def test_a_stream_that_is_refused_is_told(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--control-token", "secret")
    with pytest.raises(package.ControlError, match="GET /v1/events was answered 401"):
        next(mynah.control.events("/v1/events"))
    api = package.ControlAPI(mynah.control_url, "secret")
    with pytest.raises(package.ControlError, match="GET /v1/events was answered 400.*tpoic"):
        next(api.events("/v1/events", {"tpoic": "x"}))
    assert api.call("GET", "/metrics").startswith("# HELP")


def test_a_stream_ends_with_its_server(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    scoped = mynah.scope("t1")
    events = scoped.events(after=0)
    scoped.device("com.example.app")
    assert next(events).event == "device"
    mynah.process.kill()
    with pytest.raises(package.UnavailableError, match="no mynah at http://127.0.0.1:"):
        list(events)
