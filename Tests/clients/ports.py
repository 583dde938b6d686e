"""Ports of loopback that are known before somebody listens on them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager


class HeldPort:
    """A port that the kernel gives to nobody else until it is released.

    It is bound, and nobody listens on it, so connections are refused. Who asks for it by its number and reuses
    addresses, as servers do, can listen on it all the same.
    """

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        while not self._sockets:
            self._sockets = self._bind()
        self.number: int = self._sockets[0].getsockname()[1]

    @staticmethod
    def _bind() -> list[socket.socket]:
        first = _bound(socket.AF_INET, "127.0.0.1", 0)
        if not has_ipv6():
            return [first]
        try:
            return [first, _bound(socket.AF_INET6, "::1", first.getsockname()[1])]
        except OSError:
            # Somebody has the number on the other address.
            first.close()
            return []

    def release(self) -> None:
        """Gives it back to the kernel."""
        for each in self._sockets:
            each.close()


@contextmanager
def held_port() -> Iterator[int]:
    """The number of a port that is held for as long as the block lasts."""
    port = HeldPort()
    try:
        yield port.number
    finally:
        port.release()


def has_ipv6() -> bool:
    """Whether this machine has the loopback of IPv6."""
    try:
        _bound(socket.AF_INET6, "::1", 0).close()
    except OSError:
        return False
    return True


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound
