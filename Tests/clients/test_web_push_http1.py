"""Web pushes over HTTP/1.1, byte for byte: what the standard allows, and what isn't a request."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from commands import curl
from h2client import tls_context
from server import Mynah
from transport import everything
from waiting import HANG_SECONDS, until
from web_pushes import VapidKey, WebApp, WebCase, WebRequest, subscribe

Answered = tuple[int, bytes]


@pytest.fixture
def web_mynah(mynah_with: Callable[..., Mynah]) -> Mynah:
    return mynah_with("--web-push-port=0")


class Wire:
    """A connection on which a test writes a push to a web app as it likes."""

    def __init__(self, app: WebApp) -> None:
        self.app = app
        self.port = app.mynah.ready["webPushPort"]
        self.request: WebRequest = WebCase("", {"request": {}}).request(app, app.key, VapidKey())
        context = tls_context(app.mynah, ["http/1.1"])
        plain = socket.create_connection(("localhost", self.port), timeout=HANG_SECONDS)
        self.channel = context.wrap_socket(plain, server_hostname="localhost")

    @property
    def body(self) -> bytes:
        return self.request.body

    def head(
        self, *further: str, target: str = "", method: str = "POST", version: str = "HTTP/1.1", **changed: str | None
    ) -> bytes:
        """A request's head with content-length; a field is changed or left out by its name."""
        fields: dict[str, str | None] = {"host": f"localhost:{self.port}", "content-length": str(len(self.body))}
        fields |= self.request.fields
        fields |= {name.replace("_", "-"): value for name, value in changed.items()}
        lines = [f"{method} {target or self.request.path} {version}"]
        lines += [f"{name}: {value}" for name, value in fields.items() if value is not None]
        return "\r\n".join([*lines, *further, "", ""]).encode()

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.channel.sendall(part)

    def answer(self, method: str = "POST") -> Answered:
        """The next answer: its status and body."""
        response = http.client.HTTPResponse(self.channel, method=method)
        response.begin()
        return response.status, response.read()

    def close(self) -> None:
        self.channel.close()


@pytest.fixture
def wire(web_mynah: Mynah) -> Iterator[Wire]:
    made = Wire(subscribe(web_mynah))
    yield made
    made.close()


def chunked(body: bytes, size: int, extension: str = "") -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(f"{len(part):x}{extension}\r\n".encode() + part + b"\r\n" for part in parts) + b"0\r\n\r\n"


@pytest.mark.parametrize(("size", "extension"), [(4096, ""), (1, ""), (7, ";name=value")])
def test_a_body_in_chunks_is_the_same_push(wire: Wire, size: int, extension: str) -> None:
    wire.send(wire.head("transfer-encoding: chunked", content_length=None), chunked(wire.body, size, extension))
    assert wire.answer() == (201, b"")
    assert [shown["body"] for shown in wire.app.screen()] == ["hello"]


def test_a_client_that_expects_100_is_told_to_continue(wire: Wire) -> None:
    wire.send(wire.head("expect: 100-continue"))
    interim = wire.channel.recv(len(b"HTTP/1.1 100 Continue\r\n\r\n"))
    assert interim == b"HTTP/1.1 100 Continue\r\n\r\n"
    wire.send(wire.body)
    assert wire.answer() == (201, b"")


def test_a_head_and_a_body_byte_by_byte_are_one_push(wire: Wire) -> None:
    wire.send(*(bytes([byte]) for byte in wire.head() + wire.body))
    assert wire.answer() == (201, b"")


def test_many_requests_at_once_are_answered_in_their_order(wire: Wire) -> None:
    """Apple allows 100 that are unanswered."""
    good, bad = wire.head() + wire.body, wire.head(ttl=None) + wire.body
    wire.send((good + bad) * 50)
    answers = [wire.answer() for _ in range(100)]
    assert answers == [(201, b""), (400, b'{"reason":"BadTtl"}')] * 50
    assert len(wire.app.pushes()) == 100


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"])
def test_another_method_is_refused_and_the_connection_goes_on(wire: Wire, method: str) -> None:
    wire.send(wire.head(method=method, content_length="0"), wire.head(), wire.body)
    expected = b"" if method == "HEAD" else b'{"reason":"MethodNotAllowed"}'
    assert wire.answer(method) == (405, expected)
    assert wire.answer() == (201, b"")


@pytest.mark.parametrize("scheme", ["https", "HTTPS", "http"])
def test_a_target_with_scheme_and_host_is_the_same_path(wire: Wire, scheme: str) -> None:
    target = f"{scheme}://localhost:{wire.port}{wire.request.path}"
    # The target's host counts in place of the header's.
    wire.send(wire.head(target=target, host="other.example"), wire.body)
    assert wire.answer() == (201, b"")
    (push,) = wire.app.pushes()
    assert push["warnings"] == []


def test_a_target_without_a_path_is_no_subscription(wire: Wire) -> None:
    wire.send(wire.head(target=f"https://localhost:{wire.port}"), wire.body)
    assert wire.answer() == (404, b'{"reason":"BadPath"}')


@pytest.mark.parametrize(
    ("further", "word", "answer"),
    [
        ("ttl: abc", "ttl", (201, b"")),
        ("urgency: high", "", (201, b"")),
        ("authorization: Bearer x", "authorization", (201, b"")),
        ("content-encoding: gzip", "content-encoding", (201, b"")),
        ("x-other: 1\r\nx-other: 2", "", (201, b"")),
        # A list, whose parts may be in several fields.
        ("crypto-key: a=1\r\ncrypto-key: b=2", "", (201, b"")),
    ],
)
def test_of_a_field_that_comes_twice_the_first_counts_with_a_warning(
    wire: Wire, further: str, word: str, answer: Answered
) -> None:
    wire.send(wire.head(further), wire.body)
    assert wire.answer() == answer
    (push,) = wire.app.pushes()
    assert [word in warning and "more than once" in warning for warning in push["warnings"]] == [True] * bool(word)


@pytest.mark.parametrize(
    "changes",
    [
        # A line that continues the one before it (RFC 9112 §5.2), and a blank before the colon (§5.1).
        {"further": "ttl:\r\n 60", "ttl": None},
        {"further": "ttl : 60", "ttl": None},
        {"further": "content-length: 3"},
        {"further": "transfer-encoding: chunked"},
        {"content_length": "-3"},
        {"content_length": "1e2"},
        {"version": "HTTP/3.0"},
        {"further": "topic: ab\0d"},
        {"method": "FROM"},
        {"method": "post"},
        {"target": "/\u00e9"},
    ],
    ids=str,
)
def test_what_is_no_request_ends_the_connection_and_is_no_push(wire: Wire, changes: dict[str, Any]) -> None:
    further = [changes.pop("further")] if "further" in changes else []
    wire.send(wire.head(*further, **changes), wire.body)
    status, body = wire.answer()
    assert status == 400
    known = {"method": b"HTTP/1.1 has no such method: expected POST", "target": b"the target has a character that no"}
    told = next((known[name] for name in changes if name in known), b"no request of HTTP/1.1: ")
    assert body.startswith(told) and body.endswith(b")\n"), body
    assert wire.channel.recv(1) == b""
    assert wire.app.pushes() == []


def test_a_web_push_without_tls_is_told_to_use_https_alone(web_mynah: Mynah) -> None:
    """The cleartext port takes no web pushes."""
    with socket.create_connection(("127.0.0.1", web_mynah.ready["webPushPort"]), timeout=HANG_SECONDS) as channel:
        channel.sendall(b"POST /QA HTTP/1.1\r\nhost: localhost\r\n\r\n")
        peer = "127.0.0.1:%d" % channel.getsockname()[1]
        everything(channel)

    def failures() -> list[dict[str, Any]]:
        """What the list has of it, as soon as the server has heard of its own end."""
        return [item for item in web_mynah.control.get("/v1/failed-handshakes")["items"] if item["peer"] == peer]

    (failed,) = until(failures, "the failed handshake")
    assert (failed["cause"], failed["reason"].partition("; ")[2]) == ("notTLS", "the client speaks no TLS: use https")


def test_header_fields_that_are_too_large_are_answered_431(wire: Wire) -> None:
    wire.send(wire.head(f"topic: {'a' * 10_000}"), wire.body)
    assert wire.answer() == (431, b"")
    assert wire.channel.recv(1) == b""


def test_a_body_that_is_too_large_is_refused_before_its_end(wire: Wire) -> None:
    wire.send(wire.head(content_length="10000000"), b"x" * 10_000)
    assert wire.answer() == (413, b'{"reason":"PayloadTooLarge"}')
    (push,) = wire.app.pushes()
    assert "the body has" in push["webPush"]["refusals"][0]["cause"]


@pytest.mark.parametrize("version", ["--http1.1", "--http2", "--no-alpn"])
def test_curl_sends_a_web_push(web_mynah: Mynah, tmp_path: Any, version: str) -> None:
    app = subscribe(web_mynah)
    request = WebCase("", {"request": {}}).request(app, app.key, VapidKey())
    (tmp_path / "body").write_bytes(request.body)
    fields = [word for name, value in request.fields.items() for word in ("--header", f"{name}: {value}")]
    options = ["--cacert", str(web_mynah.ca_file), *fields, "--data-binary", f"@{tmp_path / 'body'}"]
    reply = curl(version, *options, app.endpoint)
    assert (reply.version, reply.status, reply.body) == ("HTTP/2" if version == "--http2" else "HTTP/1.1", 201, b"")
    assert [shown["body"] for shown in app.screen()] == ["hello"]


@pytest.mark.parametrize(
    ("host", "further"),
    [(None, ()), ("", ()), ("a b", ()), ("a/b@c", ()), ("localhost", ("Host: localhost",)), ("a", ("host: b",))],
    ids=["none", "empty", "blank", "path", "the same twice", "two"],
)
def test_a_request_says_once_which_host_it_is_for(wire: Wire, host: str | None, further: tuple[str, ...]) -> None:
    wire.send(wire.head(*further, host=host), wire.body)
    status, body = wire.answer()
    assert (status, body.startswith(b"HTTP/1.1 needs one Host")) == (400, True)


def test_http_1_0_may_leave_the_host_out(wire: Wire) -> None:
    wire.send(wire.head(version="HTTP/1.0", host=None), wire.body)
    assert wire.answer()[0] == 201
