"""Fault rules (`/v1/faults`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Optional, Union
from urllib.parse import quote

from .control import ControlAPI
from .documents import Duration, camel_case, compact_json, duration, plain, read, time

# A status to answer with its usual reason, the name of an action without fields, or the API's object.
Action = Union[int, str, Mapping[str, Any]]


def action_document(action: Action) -> dict[str, Any]:
    """An action in the API's form."""
    if isinstance(action, int):
        return {"type": "respond", "status": action}
    if isinstance(action, str):
        return {"type": action}
    document: dict[str, Any] = plain(action)
    return document


def actions_document(action: Union[Action, Sequence[Action]]) -> dict[str, Any]:
    """One action, or several in sequence, as members of a rule."""
    if isinstance(action, (int, str, Mapping)):
        return {"action": action_document(action)}
    return {"actions": [action_document(one) for one in action]}


@dataclass(frozen=True)
class Fault:
    """A snapshot of a fault rule."""

    id: str
    name: Optional[str]
    scope: Optional[str]
    enabled: bool
    priority: int
    match: Mapping[str, Any]
    skip: int
    times: Optional[int]
    every: int
    probability: float
    action: Optional[Mapping[str, Any]]
    actions: Optional[Sequence[Mapping[str, Any]]]
    then: Optional[str]
    # How many requests matched, how often it fired, how often it will still fire.
    matched: int
    fired: int
    remaining: Optional[int]
    created_at: datetime
    # The complete answer of the server.
    document: Mapping[str, Any] = field(repr=False, compare=False)
    _control: ControlAPI = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any], control: ControlAPI) -> Fault:
        """Reads the server's JSON."""
        created = time(document["createdAt"])
        return read(cls, document, created_at=created, document=document, _control=control)

    def refresh(self) -> Fault:
        """A new snapshot of the rule."""
        return Fault.of(self._control.get(self._path), self._control)

    def wait(self, hits: int = 1, within: Duration = "5s") -> Fault:
        """The rule once it has fired `hits` times in all; an `AssertionError` if that takes longer than `within`."""
        document = self._control.get(self._path, {"wait": duration(within), "hits": hits})
        if document["timedOut"]:
            raise AssertionError(
                f"fault {self.id} fired {document['fired']} times within {duration(within)}, expected {hits}; "
                f"{document['matched']} requests matched {compact_json(document['match'])}"
            )
        return Fault.of(document, self._control)

    def change(self, **changes: Any) -> Fault:
        """Changes members of the rule, like `enabled=False`; returns the changed rule."""
        members = {camel_case(name): plain(value) for name, value in changes.items()}
        return Fault.of(self._control.patch(self._path, members), self._control)

    def remove(self) -> None:
        """Removes the rule."""
        self._control.delete(self._path)

    @property
    def _path(self) -> str:
        return f"/v1/faults/{quote(self.id, safe='')}"
