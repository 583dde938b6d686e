"""Sockets that talk to the proxy, and a server behind it that is not Mynah."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from server import REPOSITORY, Mynah
from waiting import HANG_SECONDS

ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


@dataclass(frozen=True)
class HeadCase:
    """A case of `fixtures/proxy/heads.json`; `Tests/MynahWireTests/ConnectHeadCase.swift` describes the format."""

    name: str
    head: bytes
    expect: dict[str, Any]


def head_cases() -> list[HeadCase]:
    """All cases, in the order of the file."""

    def bytes_of(piece: Any) -> bytes:
        if isinstance(piece, str):
            return piece.encode()
        if "hex" in piece:
            return bytes.fromhex(piece["hex"])
        return str(piece["text"]).encode() * int(piece["times"])

    cases = json.loads((REPOSITORY / "fixtures" / "proxy" / "heads.json").read_text())
    assert cases
    return [HeadCase(case["name"], b"".join(map(bytes_of, case["head"])), case["expect"]) for case in cases]


@contextmanager
def proxy_socket(mynah: Mynah, sent: bytes = b"") -> Iterator[socket.socket]:
    """A connection to a server's proxy, on which this has been sent."""
    assert mynah.proxy_port is not None, "the server has no proxy"
    with socket.create_connection(("127.0.0.1", mynah.proxy_port), timeout=HANG_SECONDS) as channel:
        channel.sendall(sent)
        yield channel


def connect_line(target: str) -> bytes:
    """A CONNECT without a field."""
    return f"CONNECT {target} HTTP/1.1\r\n\r\n".encode()


def read_exactly(channel: socket.socket, count: int) -> bytes:
    """So many bytes, or fewer when the peer ends its side."""
    data = b""
    while len(data) < count:
        piece = channel.recv(count - len(data))
        if not piece:
            break
        data += piece
    return data


def read_to_end(channel: socket.socket) -> bytes:
    """All that comes until the peer ends its side."""
    data = bytearray()
    while piece := channel.recv(65_536):
        data += piece
    return bytes(data)


@contextmanager
def tunnel(mynah: Mynah, target: str, early: bytes = b"") -> Iterator[socket.socket]:
    """A tunnel that has been established; `early` is sent in the same packet as the CONNECT."""
    with proxy_socket(mynah, connect_line(target) + early) as channel:
        answer = read_exactly(channel, len(ESTABLISHED))
        assert answer == ESTABLISHED, answer + channel.recv(4096)
        yield channel


class Listener:
    """A TCP server whose connections are handled by a function, each in a thread of its own."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.failures: list[str] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def target(self) -> str:
        """What a CONNECT asks for."""
        return f"127.0.0.1:{self.port}"

    def _accept(self) -> None:
        while True:
            try:
                channel, _ = self._socket.accept()
            except OSError:
                return
            channel.settimeout(HANG_SECONDS)
            self._threads.append(threading.Thread(target=self._run, args=(channel,), daemon=True))
            self._threads[-1].start()

    def _run(self, channel: socket.socket) -> None:
        with channel:
            try:
                self._handle(channel)
            except Exception as error:
                self.failures.append(repr(error))

    def close(self) -> None:
        """Ends it, and checks that no handler failed."""
        # A thread that waits in accept does not see a close.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join(timeout=HANG_SECONDS)
        assert not self.failures, self.failures


@contextmanager
def listening(handle: Any) -> Iterator[Listener]:
    """A server for as long as the block lasts."""
    listener = Listener(handle)
    try:
        yield listener
    finally:
        listener.close()
