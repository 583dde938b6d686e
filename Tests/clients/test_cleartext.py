"""The cleartext port: HTTP/2 by prior knowledge and HTTP/1.1, through the same rules."""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Callable

import httpx
import pytest

from commands import curl
from conftest import unique_token
from h2client import PROTOCOL_ERROR, connect_cleartext, trusted
from http1client import HTTP1Connection
from server import Mynah
from waiting import HANG_SECONDS

PAYLOAD = '{"aps":{"alert":"in the clear"}}'


def headers(mynah: Mynah) -> dict[str, str]:
    return {"authorization": mynah.authorization(), "apns-topic": "com.example.app", "apns-push-type": "alert"}


def curl_headers(mynah: Mynah) -> list[str]:
    return [part for name, value in headers(mynah).items() for part in ("--header", f"{name}: {value}")]


def url(mynah: Mynah, token: str) -> str:
    return f"http://localhost:{mynah.cleartext_port}/3/device/{token}"


@pytest.mark.parametrize(
    ("option", "version"),
    [("--http2-prior-knowledge", "HTTP/2"), ("--http1.1", "HTTP/1.1"), ("--http2", "HTTP/1.1")],
    ids=["h2c", "http1", "upgrade"],
)
def test_curl_pushes(mynah: Mynah, token: str, option: str, version: str) -> None:
    reply = curl(option, *curl_headers(mynah), "--data", PAYLOAD, url(mynah, token))
    assert (reply.version, reply.status, reply.body) == (version, 200, b"")
    assert mynah.control.push(token)["apnsId"] == reply.headers["apns-id"]
    # An upgrade is declined, and what would follow it could not be read.
    assert (reply.headers.get("connection") == "close") == (option == "--http2")


@pytest.mark.parametrize("option", ["--http2-prior-knowledge", "--http1.1"], ids=["h2c", "http1"])
def test_curl_is_refused(mynah: Mynah, token: str, option: str) -> None:
    reply = curl(option, "--data", PAYLOAD, url(mynah, token))
    assert (reply.status, reply.body) == (403, b'{"reason":"MissingProviderToken"}')
    assert "content-type" not in reply.headers


@pytest.mark.parametrize("http2", [False, True], ids=["http1", "h2c"])
def test_httpx_pushes(mynah: Mynah, token: str, http2: bool) -> None:
    with httpx.Client(http1=not http2, http2=http2) as client:
        for _ in range(3):
            reply = client.post(url(mynah, token), headers=headers(mynah), content=PAYLOAD)
            assert (reply.status_code, reply.content) == (200, b"")
            assert reply.http_version == ("HTTP/2" if http2 else "HTTP/1.1")
        reply = client.post(url(mynah, token), headers=headers(mynah) | {"apns-priority": "7"}, content=PAYLOAD)
        assert (reply.status_code, reply.json()) == (400, {"reason": "BadPriority"})
    pushes = mynah.control.pushes(token)
    assert [push["status"] for push in pushes] == [200, 200, 200, 400]
    assert len({push["connection"] for push in pushes}) == 1


@pytest.mark.parametrize("http2", [False, True], ids=["http1", "h2c"])
def test_the_answer_to_head_has_no_content(mynah: Mynah, token: str, http2: bool) -> None:
    with httpx.Client(http1=not http2, http2=http2) as client:
        reply = client.head(url(mynah, token), headers=headers(mynah))
        assert (reply.status_code, reply.content) == (405, b"")
        # The connection is as good as before.
        assert client.post(url(mynah, token), headers=headers(mynah), content=PAYLOAD).status_code == 200
    assert [push["reason"] for push in mynah.control.pushes(token)] == ["MethodNotAllowed", None]


def test_http2_in_the_clear_behaves_as_over_tls(mynah: Mynah, token: str) -> None:
    with connect_cleartext(mynah) as connection:
        assert connection.wait_for_settings() == {1: 4096, 3: 1, 5: 16_384, 6: 8000}
        trusted(connection, token)
        assert connection.settings[1] == {3: 1000}
        connection.push("zz").assert_refused(400, "BadDeviceToken")


def test_a_chunked_body_is_read(mynah: Mynah, token: str) -> None:
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers(mynah).items())
    request = (
        f"POST /3/device/{token} HTTP/1.1\r\nHost: localhost\r\n{fields}Transfer-Encoding: chunked\r\n\r\n"
        f"5\r\n{PAYLOAD[:5]}\r\n{len(PAYLOAD) - 5:x}\r\n{PAYLOAD[5:]}\r\n0\r\n\r\n"
    )
    with HTTP1Connection(mynah.cleartext_port) as connection:
        assert connection.exchange("POST", request.encode()).status == 200
    assert mynah.control.push(token)["payload"] == json.loads(PAYLOAD)


def test_a_request_may_come_byte_by_byte(mynah: Mynah, token: str) -> None:
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers(mynah).items())
    request = f"POST /3/device/{token} HTTP/1.1\r\nHost: x\r\n{fields}Content-Length: {len(PAYLOAD)}\r\n\r\n{PAYLOAD}"
    with HTTP1Connection(mynah.cleartext_port) as connection:
        connection.channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in request[:-1].encode():
            connection.channel.sendall(bytes([byte]))
        assert connection.exchange("POST", request[-1:].encode()).status == 200


@pytest.mark.parametrize(
    "hosts", [[], ["a b"], ["localhost", "localhost"], ["a", "b"], [""]], ids=["none", "blank", "the same", "two", "empty"]
)
def test_a_request_says_once_which_host_it_is_for(mynah: Mynah, token: str, hosts: list[str]) -> None:
    lines = [f"Host: {host}" for host in hosts] + [f"{name}: {value}" for name, value in headers(mynah).items()]
    request = "\r\n".join([f"POST /3/device/{token} HTTP/1.1", *lines, f"Content-Length: {len(PAYLOAD)}", "", PAYLOAD])
    with HTTP1Connection(mynah.cleartext_port) as connection:
        response = connection.exchange("POST", request.encode())
        assert response.status == 400 and response.body.startswith(b"HTTP/1.1 needs one Host"), response
    assert mynah.control.pushes(token) == []


def test_http_1_0_may_leave_the_host_out(mynah: Mynah, token: str) -> None:
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers(mynah).items())
    request = f"POST /3/device/{token} HTTP/1.0\r\n{fields}Content-Length: {len(PAYLOAD)}\r\n\r\n{PAYLOAD}"
    with HTTP1Connection(mynah.cleartext_port) as connection:
        assert connection.exchange("POST", request.encode()).status == 200


def test_a_client_that_breaks_http_1_1_is_told_so(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    with socket.create_connection(("127.0.0.1", mynah.cleartext_port), timeout=HANG_SECONDS) as channel:
        channel.sendall(b"POST / HTTP/9.9.9\r\n\r\n")
        while channel.recv(4096):
            pass
    said = mynah.process.wait_for_error("connection closed: the client broke ")
    assert "the client broke HTTP/1.1: " in said and "HTTP/2" not in said


def test_requests_sent_at_once_are_answered_in_order(mynah: Mynah) -> None:
    tokens = [unique_token(), "zz", unique_token()]
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers(mynah).items())
    requests = "".join(
        f"POST /3/device/{token} HTTP/1.1\r\nHost: x\r\n{fields}Content-Length: {len(PAYLOAD)}\r\n\r\n{PAYLOAD}"
        for token in tokens
    )
    with socket.create_connection(("127.0.0.1", mynah.cleartext_port), timeout=HANG_SECONDS) as channel:
        channel.sendall(requests.encode())
        received = b""
        while received.count(b"HTTP/1.1 ") < 3 or not received.endswith(b"\r\n\r\n"):
            part = channel.recv(4096)
            assert part, received
            received += part
    assert re.findall(rb"HTTP/1\.1 (\d+)", received) == [b"200", b"400", b"200"]


def test_a_body_over_the_limit_is_refused_before_its_end(mynah: Mynah, token: str) -> None:
    fields = [f"{name}: {value}" for name, value in headers(mynah).items()]
    head = "\r\n".join([f"POST /3/device/{token} HTTP/1.1", "Host: x", *fields, "Content-Length: 1000000", "", ""])
    with HTTP1Connection(mynah.cleartext_port) as connection:
        response = connection.exchange("POST", head.encode() + b"x" * 6000)
        assert (response.status, response.body) == (413, b'{"reason":"PayloadTooLarge"}')
        assert response.closes


def test_a_client_that_expects_100_gets_it_before_it_sends_the_body(mynah: Mynah, token: str) -> None:
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers(mynah).items())
    head = (
        f"POST /3/device/{token} HTTP/1.1\r\nHost: x\r\n{fields}Expect: 100-Continue\r\n"
        f"Content-Length: {len(PAYLOAD)}\r\n\r\n"
    )
    with HTTP1Connection(mynah.cleartext_port) as connection:
        for _ in range(2):
            connection.channel.sendall(head.encode())
            assert connection.channel.recv(4096) == b"HTTP/1.1 100 Continue\r\n\r\n"
            assert connection.exchange("POST", PAYLOAD.encode()).status == 200
    assert len(mynah.control.pushes(token)) == 2


def test_nobody_is_told_to_continue_with_a_request_that_is_refused(mynah: Mynah, token: str) -> None:
    with HTTP1Connection(mynah.cleartext_port) as connection:
        fields = [("expect", "100-continue"), *((f"x-{number}", "l" * 1000) for number in range(12))]
        assert connection.ask("POST", f"/3/device/{token}", fields, b"").status == 431


def test_http10_is_answered_and_closed(mynah: Mynah, token: str) -> None:
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers(mynah).items())
    request = f"POST /3/device/{token} HTTP/1.0\r\n{fields}Content-Length: {len(PAYLOAD)}\r\n\r\n{PAYLOAD}"
    with HTTP1Connection(mynah.cleartext_port) as connection:
        assert connection.exchange("POST", request.encode()).status == 200
        assert connection.channel.recv(1) == b""


def test_a_broken_request_is_closed(mynah: Mynah) -> None:
    with socket.create_connection(("127.0.0.1", mynah.cleartext_port), timeout=HANG_SECONDS) as channel:
        channel.sendall(b"what is this?\r\n\r\n")
        received = b""
        while part := channel.recv(4096):
            received += part
        assert received == b"" or received.startswith(b"HTTP/1.1 400 ")


def test_headers_over_8000_bytes_are_refused(mynah: Mynah, token: str) -> None:
    with HTTP1Connection(mynah.cleartext_port) as connection:
        fields = [*headers(mynah).items(), *((f"x-{number}", "l" * 1000) for number in range(12))]
        assert connection.ask("POST", f"/3/device/{token}", fields, PAYLOAD.encode()).status == 431


def test_tls_on_the_cleartext_port_fails_at_once(mynah: Mynah) -> None:
    with socket.create_connection(("127.0.0.1", mynah.cleartext_port), timeout=HANG_SECONDS) as channel:
        context = ssl.create_default_context(cafile=str(mynah.ca_file))
        with pytest.raises((ssl.SSLError, ConnectionError)):
            context.wrap_socket(channel, server_hostname="localhost")


def test_a_wrong_frame_after_the_preface_is_a_protocol_error(mynah: Mynah) -> None:
    with connect_cleartext(mynah) as connection:
        connection.send_bytes(b"\x00\x00\x01\x00\x00\x00\x00\x00\x00x")
        assert connection.wait_for_goaway().error_code == PROTOCOL_ERROR
