"""The clock of a scope or of the server (`/v1/clock`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Optional, Union

from .control import ControlAPI
from .documents import Duration, members, optional_duration, read, time


@dataclass(frozen=True)
class ClockReport:
    """The effects of a change of the clock."""

    mode: str
    now: datetime
    last_sequence: int
    delivered: int
    expired: int
    coalesced: int


class Clock:
    """The clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's."""

    def __init__(self, control: ControlAPI, scope: Optional[str]) -> None:
        """Without a scope, the server's clock, which all tests share."""
        self._control = control
        self._scope = scope

    @property
    def now(self) -> datetime:
        """The present time."""
        return time(self._read()["now"])

    @property
    def mode(self) -> str:
        """`real`, `offset` or `frozen`."""
        return str(self._read()["mode"])

    def advance(self, by: Optional[Duration] = None, *, to: Union[datetime, str, None] = None) -> ClockReport:
        """Advances by a duration, to a time, or to `"next"`, the next event due.

        Everything due is in journals and inboxes when this returns.
        """
        return self._change("POST", "/v1/clock/advance", by=optional_duration(by), to=to)

    def freeze(self, at: Optional[datetime] = None) -> ClockReport:
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
        answer: Mapping[str, Any] = self._control.call(method, path, body=members(change))
        return read(ClockReport, answer, now=time(answer["now"]))
