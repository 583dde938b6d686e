"""Connections that push in batches of a fixed size: a small HTTP/2 client whose bytes are the same in every run.

A batch is written at once and small enough for one segment on the loopback interface, so that the server finds all of it
in its socket; the next one follows when all of it is answered.
"""

import contextlib
import socket
import ssl
import struct
from typing import Self

from .processes import BenchmarkError

ANSWER_SECONDS_MAX = 300
# No batch needs more than half of HTTP/2's initial window of a connection: the other half may not have been given back.
BATCH_BYTES_MAX = 65_535 // 2
BATCH_PUSHES_MAX = 100

DATA, HEADERS, SETTINGS, GOAWAY = 0x0, 0x1, 0x4, 0x7
END_STREAM, ACK, END_HEADERS = 0x1, 0x1, 0x4
# Entries of the static table (RFC 7541, appendix A), and the first one of the dynamic table.
METHOD_POST, SCHEME_HTTPS, STATUS_200 = 0x83, 0x87, 0x88
PATH, FIRST_DYNAMIC = 4, 62
# The Huffman codes (RFC 7541, appendix B) of all characters of a path.
CODES = {
    **{character: f"{code:05b}" for code, character in enumerate("012aceiost")},
    **{character: f"{code:06b}" for code, character in enumerate(" %-./3456789=A_bdfghlmnpru", 0b010100)},
    **{character: f"{code:07b}" for code, character in enumerate("jkqvwxyz", 0b1110100)},
    "?": "1111111100",
}


def batch_size(payload_size: int) -> int:
    """How many pushes with such a payload one batch holds."""
    return max(1, min(BATCH_PUSHES_MAX, BATCH_BYTES_MAX // payload_size))


def device_paths(separator: str, tokens: list[str]) -> list[str]:
    """The paths of pushes to devices."""
    return [f"/3/device{separator}{token}" for token in tokens]


class Connections:
    """So many open connections to a server on localhost; closes them at the end of a `with` block.

    The requests are those of h2load: all header fields but the path are in HPACK's dynamic table from the second one on.
    """

    def __init__(self, port: int, count: int, headers: list[str], paths: list[str]) -> None:
        self._headers = [":authority: localhost", *headers]
        self._paths = paths
        self._sent = 0
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        with contextlib.ExitStack() as opened:
            self._connections = [
                opened.enter_context(_Connection(context, port, self._headers)) for _ in range(count)
            ]
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def push(self, count: int, body: bytes, batch: int) -> None:
        """Sends that many pushes in batches, each on the next connection, each push to the next path."""
        for first in range(0, count, batch):
            paths = [self._next_path() for _ in range(min(batch, count - first))]
            self._connections[first // batch % len(self._connections)].push(paths, body)

    def push_one(self, body: bytes) -> None:
        """Sends one push to the next path, on the next connection."""
        path = self._next_path()
        self._connections[self._sent % len(self._connections)].push([path], body)

    def _next_path(self) -> str:
        self._sent += 1
        return self._paths[(self._sent - 1) % len(self._paths)]


class _Connection:
    def __init__(self, context: ssl.SSLContext, port: int, headers: list[str]) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS_MAX)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._headers = headers
        self._is_indexed = False
        self._stream = -1
        self._unread = b""
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname="localhost")
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self._exchange()
        self._write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(SETTINGS, 0, 0, b""))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def push(self, paths: list[str], body: bytes) -> None:
        """Sends a push to each path and waits for the answers, which must be 200."""
        frames: list[bytes] = []
        waiting: set[int] = set()
        for path in paths:
            self._stream += 2
            waiting.add(self._stream)
            frames.append(_frame(HEADERS, END_HEADERS, self._stream, self._block(path)))
            frames.append(_frame(DATA, END_STREAM, self._stream, body))
        self._write(b"".join(frames))
        while waiting:
            kind, flags, stream, payload = self._next_frame()
            if kind == SETTINGS and not flags & ACK:
                self._write(_frame(SETTINGS, ACK, 0, b""))
            elif kind == GOAWAY or (kind == HEADERS and payload[0] != STATUS_200):
                raise BenchmarkError(f"a request was not answered with 200 but a frame of type {kind}: {payload!r}")
            elif flags & END_STREAM and kind in (HEADERS, DATA):
                waiting.remove(stream)

    def _block(self, path: str) -> bytes:
        """The header block of a request; the first one adds the fields to the dynamic table."""
        block = bytes([METHOD_POST, SCHEME_HTTPS, PATH]) + _huffman(path)
        if self._is_indexed:
            # The entry that was added last has the lowest number.
            return block + bytes(0x80 | FIRST_DYNAMIC + index for index in reversed(range(len(self._headers))))
        self._is_indexed = True
        for header in self._headers:
            name, value = header.split(": ", 1)
            block += b"\x40" + _length(len(name), 0) + name.encode() + _length(len(value), 0) + value.encode()
        return block

    def _write(self, data: bytes) -> None:
        self._tls.write(data)
        self._send()

    def _send(self) -> None:
        data = self._outgoing.read()
        if data and self._socket.send(data) != len(data):
            raise BenchmarkError(f"the socket took only a part of a batch of {len(data)} bytes")

    def _exchange(self) -> None:
        self._send()
        received = self._socket.recv(65_536)
        if not received:
            raise BenchmarkError("the server closed a connection before it answered")
        self._incoming.write(received)

    def _next_frame(self) -> tuple[int, int, int, bytes]:
        length, kind, flags, stream = struct.unpack(">IBBI", b"\0" + self._take(9))
        return kind, flags, stream, self._take(length)

    def _take(self, count: int) -> bytes:
        while len(self._unread) < count:
            try:
                self._unread += self._tls.read(65_536)
            except ssl.SSLWantReadError:
                self._exchange()
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _huffman(text: str) -> bytes:
    """A string literal in Huffman's code, filled up with ones."""
    bits = "".join(CODES[character] for character in text)
    bits += "1" * (-len(bits) % 8)
    return _length(len(bits) // 8, 0x80) + int(bits, 2).to_bytes(len(bits) // 8, "big")


def _length(length: int, flag: int) -> bytes:
    """An integer of HPACK with a prefix of 7 bits (RFC 7541 §5.1)."""
    if length < 127:
        return bytes([flag | length])
    length -= 127
    encoded = bytes([flag | 127])
    while length >= 128:
        encoded += bytes([length & 127 | 128])
        length >>= 7
    return encoded + bytes([length])
