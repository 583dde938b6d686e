"""The clock of a scope or of the server (`/v1/clock`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Optional

from ..documents import Duration, Time, members, optional_duration, time
from ..errors import hides_frames
from ..records import ClockReport
from .control import ControlAPI

__tracebackhide__ = hides_frames


class Clock:
    """The clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's."""

    def __init__(self, control: ControlAPI, scope: Optional[str]) -> None:
        """Without a scope, the server's clock, which all tests share."""
        self._control = control
        self._scope = scope

    @property
    async def now(self) -> datetime:
        """The present time."""
        read = await self._read()
        return time(read["now"])

    @property
    async def mode(self) -> str:
        """`real`, `offset` or `frozen`."""
        read = await self._read()
        return str(read["mode"])

    async def advance(self, by: Optional[Duration] = None, *, to: Optional[Time] = None) -> ClockReport:
        """Advances by a duration, to a time, or to `"next"`, the next event due.

        Everything due is in journals and inboxes when this returns.
        """
        return await self._change("POST", "/v1/clock/advance", by=optional_duration(by), to=to)

    async def freeze(self, at: Optional[Time] = None) -> ClockReport:
        """Freezes the clock, now or at a time."""
        return await self._change("PUT", "/v1/clock", mode="frozen", now=at)

    async def run(self) -> ClockReport:
        """Lets the clock run again from its present time."""
        return await self._change("PUT", "/v1/clock", mode="offset")

    async def _read(self) -> dict[str, Any]:
        answer: dict[str, Any] = await self._control.get("/v1/clock", members({"scope": self._scope}))
        return answer

    async def _change(self, method: str, path: str, **change: Any) -> ClockReport:
        change["scope"] = self._scope
        return ClockReport.of(await self._control.call(method, path, body=members(change)))
