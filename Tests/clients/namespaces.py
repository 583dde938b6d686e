"""Network namespaces of Linux, joined by cables that a test can cut; made by iproute2, which root alone may do."""

from __future__ import annotations

import ctypes
import os
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

CLONE_NEWNET = 0x4000_0000
# Nobody has it, so what is sent to it is dropped on the way.
NOBODYS_MAC = "02:00:00:00:00:01"

_libc = ctypes.CDLL(None, use_errno=True)


def ip(*arguments: str) -> None:
    """Runs iproute2's `ip`."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


class Namespace:
    """A network namespace; without iproute2, or where root may not make one, the test is skipped."""

    def __init__(self) -> None:
        self.name = f"mynah-{uuid.uuid4().hex[:8]}"
        try:
            ip("netns", "add", self.name)
        except FileNotFoundError:
            pytest.skip("iproute2 is missing")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"a network namespace can't be made: {error.stderr.strip()}")
        self.ip("link", "set", "lo", "up")

    def ip(self, *arguments: str) -> None:
        """Runs `ip` in the namespace."""
        ip("-n", self.name, *arguments)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """In it are the sockets that this thread opens, and the processes that it starts."""
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        try:
            _enter(os.open(f"/run/netns/{self.name}", os.O_RDONLY), closes=True)
            try:
                yield
            finally:
                _enter(before)
        finally:
            os.close(before)

    def remove(self) -> None:
        """Removes it, and the cables that end in it."""
        ip("netns", "delete", self.name)


def _enter(descriptor: int, closes: bool = False) -> None:
    try:
        if _libc.setns(descriptor, CLONE_NEWNET) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        if closes:
            os.close(descriptor)


class Cable:
    """The way between two namespaces, of which each has one end with an address."""

    def __init__(self, near: Namespace, far: Namespace, number: int) -> None:
        self.near, self.far = near, far
        self.device = f"cable{number}"
        self.near_address, self.far_address = f"10.0.{number}.1", f"10.0.{number}.2"
        near.ip("link", "add", self.device, "type", "veth", "peer", "name", self.device, "netns", far.name)
        for namespace, address in ((near, self.near_address), (far, self.far_address)):
            namespace.ip("address", "add", f"{address}/30", "dev", self.device)
            namespace.ip("link", "set", self.device, "up")

    def pull(self) -> None:
        """Takes the near end down, of which its processes are told when they send."""
        self.near.ip("link", "set", self.device, "down")

    def plug(self) -> None:
        self.near.ip("link", "set", self.device, "up")

    def drop_from_near(self) -> None:
        """Drops what the near end sends, of which neither is told."""
        self._drop(self.near, self.far_address)

    def drop_from_far(self) -> None:
        self._drop(self.far, self.near_address)

    def carry(self) -> None:
        """Ends the drops."""
        for namespace, other in ((self.near, self.far_address), (self.far, self.near_address)):
            namespace.ip("neighbour", "flush", "to", other, "dev", self.device, "nud", "all")

    def _drop(self, sender: Namespace, address: str) -> None:
        # As a filter would, but with nothing that a kernel may lack.
        sender.ip("neighbour", "replace", address, "lladdr", NOBODYS_MAC, "dev", self.device, "nud", "permanent")
