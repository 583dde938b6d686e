"""A TCP connection, blocking; `mynah.aio.transport` is the same for asyncio."""

from __future__ import annotations

import socket

from .errors import hides_frames

__tracebackhide__ = hides_frames

READ_BYTES = 64 * 1024


class Connection:
    """A connection to a control API; each of its steps may take as long as its timeout."""

    def __init__(self, socket: socket.socket) -> None:
        self._socket = socket

    @classmethod
    def open(cls, host: str, port: int, timeout: float) -> Connection:
        """Connects; raises `OSError`, or `TimeoutError` like the other methods."""
        try:
            return cls(socket.create_connection((host, port), timeout))
        except socket.timeout:
            raise TimeoutError from None

    def send(self, data: bytes) -> None:
        """Sends all of it."""
        try:
            self._socket.sendall(data)
        except socket.timeout:
            raise TimeoutError from None

    def receive(self) -> bytes:
        """What has arrived, at least one byte; none at the end."""
        try:
            return self._socket.recv(READ_BYTES)
        except socket.timeout:
            raise TimeoutError from None

    def close(self) -> None:
        """Closes it."""
        self._socket.close()
