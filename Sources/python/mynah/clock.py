"""The clock of a scope or of the server (`/v1/clock`)."""

# Made from aio/clock.py by generate.py: change that.

from __future__ import annotations

from datetime import datetime
from typing import Any, Optional

from .documents import Duration, Time, members, optional_duration, time
from .errors import hides_frames
from .records import ClockReport
from .control import ControlAPI

__tracebackhide__ = hides_frames


class Clock:
    """The clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's."""

    def __init__(self, control: ControlAPI, scope: Optional[str]) -> None:
        """Without a scope, the server's clock, which all tests share."""
        self._control = control
        self._scope = scope

    @property
    def now(self) -> datetime:
        """The present time."""
        read = self._read()
        return time(read["now"])

    @property
    def mode(self) -> str:
        """`real`, `offset` or `frozen`."""
        read = self._read()
        return str(read["mode"])

    def advance(self, by: Optional[Duration] = None, *, to: Optional[Time] = None) -> ClockReport:
        """Advances by a duration, to a time, or to `"next"`, the next event due.

        Everything due is in journals and inboxes when this returns.
        """
        return self._change("POST", "/v1/clock/advance", by=optional_duration(by), to=to)

    def freeze(self, at: Optional[Time] = None) -> ClockReport:
        """Freezes the clock, now or at a time."""
        return self._change("PUT", "/v1/clock", mode="frozen", now=at)

    def run(self) -> ClockReport:
        """Lets the clock run again from its present time."""
        return self._change("PUT", "/v1/clock", mode="offset")

    def _read(self) -> dict[str, Any]:
        answer: dict[str, Any] = self._control.get("/v1/clock", members({"scope": self._scope}))
        return answer

    def _change(self, method: str, path: str, **change: Any) -> ClockReport:
        change["scope"] = self._scope
        return ClockReport.of(self._control.call(method, path, body=members(change)))
