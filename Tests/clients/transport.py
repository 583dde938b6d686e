"""What tests of faults below HTTP/2 need: rules for a while, sockets as they are, and what comes out of them."""

from __future__ import annotations

import contextlib
import errno
import socket
import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from h2client import FrameConnection, connect, connect_cleartext, tls_context
from http1client import HTTP1Connection
from server import Mynah
from waiting import HANG_SECONDS, SILENCE_SECONDS, until

PAYLOAD = b'{"aps":{"alert":"mind the gap"}}'


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
    return socket.create_connection(("127.0.0.1", port), timeout=HANG_SECONDS)


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


def below_tls(channel: socket.socket) -> socket.socket:
    """The same connection as bytes; Python's `ssl` calls every end that is none of TLS the same."""
    below = socket.socket(fileno=socket.dup(channel.fileno()))
    below.settimeout(HANG_SECONDS)
    return below


def assert_reset(channel: socket.socket) -> bytes:
    """Reads until the connection is reset; what came before, as it lay on the wire."""
    received = b""
    if isinstance(channel, ssl.SSLSocket):
        with below_tls(channel) as below:
            return assert_reset(below)
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
    channel.settimeout(HANG_SECONDS)


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


def memory_session(mynah: Mynah) -> tuple[ssl.SSLObject, ssl.MemoryBIO, ssl.MemoryBIO]:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = context_of(mynah, ssl.TLSVersion.TLSv1_3)
    return context.wrap_bio(incoming, outgoing, server_hostname="localhost"), incoming, outgoing


def wait_for_connections(server: Mynah, count: int) -> None:
    until(lambda: server.control.get("/v1/status")["counts"]["connections"] == count, f"{count} connections")
