"""Faults of TLS and TCP, seen byte by byte and by the errors of the system (`models.md`, `tls` to `refuse`)."""

from __future__ import annotations

import contextlib
import errno
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conftest import unique_token
from h2client import FrameConnection, connect, connect_cleartext, tls_channel, tls_context
from http1client import READ_SECONDS, HTTP1Connection
from server import Mynah

PAYLOAD = b'{"aps":{"alert":"mind the gap"}}'
# Long enough for anything that is to come on a machine that has other things to do.
SILENCE_SECONDS = 1.0
VERSIONS = pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
PROTOCOLS = pytest.mark.parametrize("protocol", ["tls", "h2c", "http1"])


@contextlib.contextmanager
def fault(mynah: Mynah, action: dict[str, Any], **rule: Any) -> Iterator[str]:
    """A rule that is there for a while; its id."""
    made = mynah.control.post("/v1/faults", {"action": action, **rule})
    identifier = (made[0] if isinstance(made, list) else made.get("items", [made])[0])["id"]
    try:
        yield identifier
    finally:
        assert mynah.control.ask("DELETE", f"/v1/faults/{identifier}").status in (200, 204)


def fired(mynah: Mynah, identifier: str) -> int:
    return mynah.control.get(f"/v1/faults/{identifier}")["fired"]


def context_of(mynah: Mynah, version: ssl.TLSVersion) -> ssl.SSLContext:
    context = tls_context(mynah, ["h2"])
    context.minimum_version = context.maximum_version = version
    return context


def plain_channel(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=READ_SECONDS)


def client_hello(mynah: Mynah, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> bytes:
    """The first bytes of a TLS client."""
    outgoing = ssl.MemoryBIO()
    session = context_of(mynah, version).wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost")
    with contextlib.suppress(ssl.SSLWantReadError):
        session.do_handshake()
    return outgoing.read()


def everything(channel: socket.socket) -> bytes:
    """All that comes until the server's FIN."""
    received = b""
    while part := channel.recv(65_536):
        received += part
    return received


def assert_reset(channel: socket.socket) -> bytes:
    """Reads until the connection is reset; what came before."""
    received = b""
    with pytest.raises(ConnectionResetError) as caught:
        while part := channel.recv(65_536):
            received += part
    assert caught.value.errno == errno.ECONNRESET
    return received


def assert_silent(channel: socket.socket) -> None:
    """Nothing comes, not even an end."""
    channel.settimeout(SILENCE_SECONDS)
    with pytest.raises(TimeoutError):
        channel.recv(1)
    channel.settimeout(READ_SECONDS)


def request(mynah: Mynah, token: str) -> bytes:
    lines = [
        f"POST /3/device/{token} HTTP/1.1",
        "host: localhost",
        f"authorization: {mynah.authorization()}",
        "apns-topic: com.example.app",
        "apns-push-type: alert",
        f"content-length: {len(PAYLOAD)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + PAYLOAD


class Sender:
    """One connection that pushes over a protocol; its socket below TLS."""

    def __init__(self, mynah: Mynah, protocol: str) -> None:
        self.mynah = mynah
        self.frames: FrameConnection | None = None
        self.http1: HTTP1Connection | None = None
        if protocol == "http1":
            self.http1 = HTTP1Connection(mynah.cleartext_port)
            self.channel: Any = self.http1.channel
        else:
            self.frames = connect(mynah) if protocol == "tls" else connect_cleartext(mynah)
            self.channel = self.frames.channel
            if isinstance(self.channel, ssl.SSLSocket):
                self.channel.suppress_ragged_eofs = False
            self.frames.wait_for_settings()
            self.frames.ping()

    def push(self, token: str) -> None:
        if self.http1:
            self.http1.channel.sendall(request(self.mynah, token))
        elif self.frames:
            self.frames.start_push(token, PAYLOAD)

    def close(self) -> None:
        self.channel.close()


@pytest.fixture
def sender(mynah: Mynah) -> Iterator[Callable[[str], Sender]]:
    senders: list[Sender] = []

    def make(protocol: str) -> Sender:
        senders.append(Sender(mynah, protocol))
        return senders[-1]

    yield make
    for one in senders:
        one.close()


# --- tls


@VERSIONS
@pytest.mark.parametrize(
    ("name", "number"),
    [("handshake_failure", 40), ("certificate_expired", 45), ("unknown_ca", 48), ("internal_error", 80)],
)
def test_an_alert_answers_the_client_hello(mynah: Mynah, version: ssl.TLSVersion, name: str, number: int) -> None:
    with fault(mynah, {"type": "tls", "alert": name}) as rule, plain_channel(mynah.port) as channel:
        channel.sendall(client_hello(mynah, version))
        assert everything(channel) == bytes([21, 3, 3, 0, 2, 2, number])
        assert fired(mynah, rule) == 1


@VERSIONS
@pytest.mark.parametrize("name", ["certificate_expired", "unknown_ca", "certificate_revoked", "access_denied"])
def test_an_alert_comes_when_the_client_believes_itself_connected(
    mynah: Mynah, version: ssl.TLSVersion, name: str
) -> None:
    with fault(mynah, {"type": "tls", "alert": name, "when": "afterHandshake"}):
        with tls_channel(mynah, context=context_of(mynah, version)) as channel:
            assert channel.version() == {"TLSv1_2": "TLSv1.2", "TLSv1_3": "TLSv1.3"}[version.name]
            with pytest.raises(ssl.SSLError, match="(?i)alert." + name.replace("_", ".")):
                channel.recv(1)


@VERSIONS
@pytest.mark.parametrize(
    ("certificate", "code"), [("expired", 10), ("wrongHost", 62), ("untrusted", 20)], ids=["expired", "host", "ca"]
)
def test_another_certificate_is_refused_for_its_own_reason(
    mynah: Mynah, token: str, version: ssl.TLSVersion, certificate: str, code: int
) -> None:
    with fault(mynah, {"type": "tls", "certificate": certificate}):
        with pytest.raises(ssl.SSLCertVerificationError) as caught:
            tls_channel(mynah, context=context_of(mynah, version))
        assert caught.value.verify_code == code, caught.value
        careless = context_of(mynah, version)
        careless.check_hostname = False
        careless.verify_mode = ssl.CERT_NONE
        with connect(mynah, context=careless) as connection:
            connection.push(token).assert_accepted()
    with connect(mynah, context=context_of(mynah, version)) as connection:
        connection.push(unique_token()).assert_accepted()


def test_a_stalled_handshake_ends_with_the_server(own_mynah: Callable[..., Mynah]) -> None:
    server = own_mynah()
    server.control.post("/v1/faults", {"action": {"type": "tls", "stall": True}})
    with plain_channel(server.port) as channel:
        channel.sendall(client_hello(server))
        assert_silent(channel)
        channel.sendall(b"more")
        server.stop()
        assert channel.recv(1) == b""


def test_a_stalled_connection_ends_with_the_client(own_mynah: Callable[..., Mynah]) -> None:
    server = own_mynah()
    with fault(server, {"type": "tls", "stall": True}) as rule:
        with plain_channel(server.port) as channel:
            channel.sendall(client_hello(server))
            wait_for_connections(server, 1)
        wait_for_connections(server, 0)
        assert fired(server, rule) == 1


def wait_for_connections(server: Mynah, count: int) -> None:
    deadline = time.monotonic() + READ_SECONDS
    while server.control.get("/v1/status")["counts"]["connections"] != count:
        assert time.monotonic() < deadline, server.control.get("/v1/status")
        time.sleep(0.01)


def test_a_slow_handshake_is_completed(mynah: Mynah, token: str) -> None:
    with fault(mynah, {"type": "tls", "slow": "800ms"}):
        start = time.monotonic()
        with connect(mynah) as connection:
            assert time.monotonic() - start >= 0.8
            connection.push(token).assert_accepted()


def test_without_tls_its_faults_end_the_connection(mynah: Mynah, token: str) -> None:
    with fault(mynah, {"type": "tls", "alert": "internal_error"}), plain_channel(mynah.cleartext_port) as channel:
        channel.sendall(request(mynah, token))
        assert everything(channel) == b""
    with fault(mynah, {"type": "tls", "stall": True}), plain_channel(mynah.cleartext_port) as channel:
        channel.sendall(request(mynah, token))
        assert_silent(channel)
    with fault(mynah, {"type": "tls", "slow": "500ms"}), HTTP1Connection(mynah.cleartext_port) as connection:
        start = time.monotonic()
        assert connection.exchange("POST", request(mynah, token)).status == 200
        assert time.monotonic() - start >= 0.5


# --- close


@PROTOCOLS
def test_fin_ends_the_connection_without_a_word(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    with fault(mynah, {"type": "close", "how": "fin"}, match={"token": token}):
        one.push(token)
        if protocol == "tls":
            # No close_notify.
            with pytest.raises(ssl.SSLEOFError):
                one.channel.recv(1)
        else:
            assert everything(one.channel) == b""
    push = mynah.control.push(token)
    assert (push["status"], push["outcome"]) == (None, "unanswered")


@PROTOCOLS
def test_rst_resets_the_connection(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    with fault(mynah, {"type": "close", "how": "rst"}, match={"token": token}):
        one.push(token)
        assert assert_reset(one.channel) == b""


@PROTOCOLS
def test_a_half_open_connection_takes_everything_and_says_nothing(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    with fault(mynah, {"type": "close", "how": "halfOpen"}, match={"token": token}):
        one.push(token)
        assert_silent(one.channel)
        # Much more than any buffer between has room for.
        for _ in range(100):
            one.channel.sendall(b"x" * 100_000)
        number = mynah.control.push(token)["connection"]
        assert mynah.control.get(f"/v1/connections/{number}")["id"] == number
        assert mynah.control.ask("DELETE", f"/v1/connections/{number}", {"abort": "true"}).status in (200, 204)
        assert_reset(one.channel)


@PROTOCOLS
def test_a_connection_ends_in_the_middle_of_a_reply(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    # Below TLS, to count what is on the wire.
    below = socket.socket(fileno=socket.dup(one.channel.fileno()))
    below.settimeout(READ_SECONDS)
    with below, fault(mynah, {"type": "close", "how": "fin", "afterBytes": 13}, match={"token": token}):
        one.push(token)
        assert len(everything(below)) == 13
    assert mynah.control.push(token)["status"] == 200


@pytest.mark.parametrize("how", ["fin", "rst"])
@pytest.mark.parametrize("count", [1, 100, 1500])
def test_a_handshake_is_cut_at_the_byte(mynah: Mynah, how: str, count: int) -> None:
    with fault(mynah, {"type": "close", "how": how, "afterBytes": count}, match={"event": "accept"}):
        with plain_channel(mynah.port) as channel:
            # The server's flight fits no 100 bytes, and ends before the client's: 1500 come with what is behind it.
            session, incoming, outgoing = memory_session(mynah)
            received = b""
            with contextlib.suppress(ssl.SSLWantReadError):
                session.do_handshake()
            channel.sendall(outgoing.read())
            is_done = False
            try:
                while part := channel.recv(65_536):
                    received += part
                    incoming.write(part)
                    with contextlib.suppress(ssl.SSLWantReadError):
                        if not is_done:
                            session.do_handshake()
                            is_done = True
                            session.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
                    channel.sendall(outgoing.read())
                assert how == "fin"
            except ConnectionError as error:
                assert how == "rst" and error.errno in (errno.ECONNRESET, errno.EPIPE), error
            assert len(received) == count


def memory_session(mynah: Mynah) -> tuple[ssl.SSLObject, ssl.MemoryBIO, ssl.MemoryBIO]:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = context_of(mynah, ssl.TLSVersion.TLSv1_3)
    return context.wrap_bio(incoming, outgoing, server_hostname="localhost"), incoming, outgoing


def test_a_connection_ends_behind_so_many_pushes(mynah: Mynah) -> None:
    with fault(mynah, {"type": "close", "how": "fin", "afterPushes": 2}, match={"event": "handshake"}):
        with connect_cleartext(mynah) as connection:
            connection.push(unique_token()).assert_accepted()
            connection.push(unique_token()).assert_accepted()
            connection.read_until_closed()
            assert not connection.goaways


# --- throttle


@PROTOCOLS
def test_a_throttled_reply_arrives_whole(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    with fault(mynah, {"type": "throttle", "bytesPerSecond": 100, "chunk": 1}, match={"token": token}):
        start = time.monotonic()
        one.push(token)
        if one.frames:
            one.frames.reply(1).assert_accepted()
        else:
            assert b"200 OK" in one.channel.recv(15, socket.MSG_WAITALL)
        # The reply has more than 15 bytes, whatever the protocol; the first is sent at once.
        assert time.monotonic() - start >= 0.14


def test_bytes_come_no_faster_than_the_rule_says(mynah: Mynah) -> None:
    rule = {"type": "throttle", "bytesPerSecond": 40, "chunk": 1}
    with fault(mynah, rule, match={"event": "accept"}), connect_cleartext(mynah) as connection:
        start = time.monotonic()
        # 9 bytes of head and six for each of five values.
        assert len(connection.wait_for_settings()) == 5
        assert time.monotonic() - start >= 38 / 40


# --- refuse, and the end of it all


def test_connections_are_refused_while_the_rule_is_there(own_mynah: Callable[..., Mynah], token: str) -> None:
    server = own_mynah()
    with connect(server) as before:
        before.push(token).assert_accepted()
        with fault(server, {"type": "refuse"}):
            for port in (server.port, server.cleartext_port):
                with pytest.raises((ConnectionResetError, ConnectionRefusedError)):
                    with plain_channel(port) as channel:
                        channel.recv(1)
            before.ping()
    with connect(server) as after:
        after.push(unique_token()).assert_accepted()


@pytest.mark.parametrize(
    "action",
    [
        {"type": "close", "how": "halfOpen"},
        {"type": "throttle", "bytesPerSecond": 1, "chunk": 1},
        {"type": "stall"},
        {"type": "truncate"},
    ],
    ids=lambda action: action["type"],
)
@PROTOCOLS
def test_the_server_ends_in_time_whatever_its_connections_do(
    own_mynah: Callable[..., Mynah], token: str, action: dict[str, Any], protocol: str
) -> None:
    server = own_mynah("--shutdown-grace", "500ms")
    one = Sender(server, protocol)
    server.control.post("/v1/faults", {"action": action, "match": {"token": token}})
    one.push(token)
    deadline = time.monotonic() + READ_SECONDS
    while not server.control.pushes(token):
        assert time.monotonic() < deadline
    server.stop()
    one.close()


# --- HTTP/1.1


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
        "headers": {"content-type": "text/html", "apns-id": None},
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
    assert mynah.control.get("/v1/notifications", {"token": token, "outcome": "unanswered", "wait": "5s"})["items"]
