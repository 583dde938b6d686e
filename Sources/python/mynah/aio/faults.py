"""Fault rules (`/v1/faults`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Optional
from urllib.parse import quote

from .. import schemas
from ..documents import Duration, compact_json, duration, read
from ..errors import UnmetError, hides_frames
from .control import ControlAPI
from .fault_calls import FaultCalls

__tracebackhide__ = hides_frames


@dataclass(frozen=True)
class Fault(FaultCalls):
    """A snapshot of a fault rule."""

    id: str
    name: Optional[str]
    scope: Optional[str]
    enabled: bool
    rule_priority: int
    match: Mapping[str, Any]
    skip: int
    times: Optional[int]
    every: int
    probability: float
    # {"first", "every", "count"}: of the connections, or of the signing keys, in the order in which the rule met them.
    connections: Optional[Mapping[str, Any]]
    keys: Optional[Mapping[str, Any]]
    # {"count", "per", "by"}: fires for what exceeds this rate.
    rate_over: Optional[Mapping[str, Any]]
    active_from: Optional[datetime]
    active_until: Optional[datetime]
    action: Optional[Mapping[str, Any]]
    actions: Optional[Sequence[Mapping[str, Any]]]
    then: Optional[str]
    # How many requests matched, how often it fired, how often it will still fire.
    matched: int
    fired: int
    remaining: Optional[int]
    created_at: datetime
    # {"does", "matches", "fires"}: what it does, to which requests or connections, and on which of these it acts.
    words: Mapping[str, Sequence[str]]
    # The complete answer of the server.
    document: schemas.Fault = field(repr=False, compare=False)
    _control: ControlAPI = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any], control: ControlAPI) -> Fault:
        """Reads the server's JSON."""
        return read(cls, document, _control=control)

    async def wait(self, hits: int = 1, within: Duration = "5s") -> Fault:
        """The rule once it has fired `hits` times in all; an `AssertionError` if that takes longer than `within`."""
        document = await self._control.get(self._path, {"wait": duration(within), "hits": hits})
        if document["timedOut"]:
            raise UnmetError(
                f"fault {self.id} fired {document['fired']} times within {duration(within)}, expected {hits}; "
                f"{document['matched']} requests matched {compact_json(document['match'])}"
            )
        return self._now(document)

    def _now(self, document: Mapping[str, Any]) -> Fault:
        return Fault.of(document, self._control)

    @property
    def _path(self) -> str:
        return f"/v1/faults/{quote(self.id, safe='')}"
