"""A TCP connection for asyncio; `mynah.transport` is the same, blocking."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

from ..errors import hides_frames
from ..transport import READ_BYTES

__tracebackhide__ = hides_frames

_Result = TypeVar("_Result")


class Connection:
    """A connection to a control API; each of its steps may take as long as its timeout."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, timeout: float) -> None:
        self._reader, self._writer, self._timeout = reader, writer, timeout

    @classmethod
    async def open(cls, host: str, port: int, timeout: float) -> Connection:
        """Connects; raises `OSError`, or `TimeoutError` like the other methods."""
        return cls(*await _within(timeout, asyncio.open_connection(host, port)), timeout)

    async def send(self, data: bytes) -> None:
        """Sends all of it."""
        self._writer.write(data)
        await _within(self._timeout, self._writer.drain())

    async def receive(self) -> bytes:
        """What has arrived, at least one byte; none at the end."""
        return await _within(self._timeout, self._reader.read(READ_BYTES))

    async def close(self) -> None:
        """Closes it."""
        self._writer.close()
        # The other end may have reset it.
        with suppress(OSError):
            await self._writer.wait_closed()


async def _within(timeout: float, step: Awaitable[_Result]) -> _Result:
    try:
        return await asyncio.wait_for(step, timeout)
    except asyncio.TimeoutError:
        # Before Python 3.11 that is another one.
        raise TimeoutError from None
