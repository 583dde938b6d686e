"""Pushes in the journal (`/v1/notifications`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Generic, Optional, TypeVar, Union, overload

from . import schemas
from .documents import Record, read, time
from .snapshots import NotificationMembers

Item = TypeVar("Item")


@dataclass(frozen=True)
class Credential(Record):
    """The proven identity of a provider: a team's key, or a certificate's subject."""

    kind: str
    team: Optional[str]
    key_id: Optional[str]
    subject: Optional[str]


@dataclass(frozen=True)
class TimelineEvent(Record):
    """One step in the life of a push."""

    at: datetime
    event: str
    detail: Optional[str]


@dataclass(frozen=True)
class Notification(NotificationMembers):
    """A push, accepted or refused, with its outcome.

    `document` is the complete answer of the server.
    """

    credential: Optional[Credential]
    # A time, or 0 if that was sent.
    expiration: Union[datetime, int, None]
    headers: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    timeline: tuple[TimelineEvent, ...]
    document: schemas.Notification = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Notification:
        """Reads the server's JSON."""
        credential, expiration = document["credential"], document["expiration"]
        return read(
            cls,
            document,
            credential=None if credential is None else Credential.of(credential),
            expiration=time(expiration) if isinstance(expiration, str) else expiration,
            headers=tuple((name, value) for name, value in document["headers"]),
            warnings=tuple(document["warnings"]),
            timeline=tuple(map(TimelineEvent.of, document["timeline"])),
        )

    def header(self, name: str) -> Optional[str]:
        """The first value of a header, by its name in lower case."""
        return next((value for one, value in self.headers if one == name), None)


@dataclass(frozen=True)
class Arrival(Record):
    """A push that arrived on a device (`…/inbox`)."""

    sequence: int
    apns_id: Optional[str]
    topic: Optional[str]
    push_type: Optional[str]
    kind: Optional[str]
    payload: Any
    # The body if it is not JSON.
    payload_base64: Optional[str]
    delivered_at: datetime
    evicted: bool


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A part of a list: a sequence of items."""

    items: tuple[Item, ...]
    # The number of matches on all pages.
    matched: int
    # The beginning of the next page; `None` on the last one.
    next_cursor: Optional[str]
    # Whether a wait ended without enough items.
    timed_out: bool
    # The number of items that were removed to make room.
    evicted: int
    # As `after`, it selects later items.
    last_sequence: int

    @classmethod
    def of(cls, document: Mapping[str, Any], item: Callable[[Mapping[str, Any]], Item]) -> Page[Item]:
        """Reads the server's JSON."""
        page: Page[Item] = read(cls, document, items=tuple(item(one) for one in document["items"]))
        return page

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Item, tuple[Item, ...]]:
        return self.items[index]
