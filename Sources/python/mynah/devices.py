"""Simulated devices, what arrived on them, and what their users see (`/v1/devices`)."""

# Made from aio/devices.py by generate.py: change that.

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union
from urllib.parse import quote

from . import schemas
from .documents import Duration, checked, duration, members, optional_duration, query, read
from .errors import MissingError, UnmetError, hides_frames
from .exchange import Event
from .keywords import AppSettings, InboxFilters
from .notifications import Arrival, Page
from .snapshots import DeviceMembers
from .screens import Registration
from .control import ControlAPI
from .device_calls import DeviceCalls

if TYPE_CHECKING:
    from typing_extensions import Unpack

__tracebackhide__ = hides_frames


@dataclass(frozen=True)
class Device(DeviceCalls, DeviceMembers):
    """A snapshot of a device; methods that change the device return a new one."""

    registrations: tuple[Registration, ...]
    # The complete answer of the server.
    document: schemas.Device = field(repr=False, compare=False)
    _control: ControlAPI = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any], control: ControlAPI) -> Device:
        """Reads the server's JSON."""
        apps = tuple(map(Registration.of, document["registrations"]))
        return read(cls, document, registrations=apps, _control=control)

    @property
    def token(self) -> str:
        """The token of its only app; for several, see `token_of`."""
        topics = {app.topic for app in self.registrations}
        if len(topics) != 1:
            raise MissingError(f"device {self.id} has {len(topics)} apps, use token_of() with one of {sorted(topics)}")
        return self.token_of(topics.pop())

    def token_of(self, topic: str) -> str:
        """The present token of an app."""
        apps = [app for app in self.registrations if app.topic == topic]
        tokens = [app.token for app in apps if app.token is not None]
        if not tokens:
            why = f"its app {topic} is {apps[-1].state}" if apps else f"it has no app {topic}"
            raise MissingError(f"device {self.id} has no token: {why}")
        return tokens[-1]

    def events(self, *, connect: bool = False, after: Optional[int] = None) -> Generator[Event, None, None]:
        """What arrives on the device, and what changes on it, as it happens.

        With `connect` the device is online until this is closed. `after` is the `id` of the last event that is known, 0
        for everything in the inbox.
        """
        parameters = members({"connect": "true" if connect else None, "lastEventId": after})
        return self._control.events(f"{self._path}/stream", parameters)

    # Apps

    def install(self, topic: str, **settings: Unpack[AppSettings]) -> Device:
        """Installs an app, or launches it again; `settings` are those of `POST …/registrations`."""
        body = {"topic": topic, **members(checked(self.install, settings, AppSettings))}
        self._control.post(f"{self._path}/registrations", body)
        return self.refresh()

    # The inbox

    def inbox(
        self,
        q: Optional[str] = None,
        *,
        kind: Union[str, Sequence[str], None] = None,
        wait: Optional[Duration] = None,
        count: Optional[int] = None,
        after: Optional[int] = None,
        order: Optional[schemas.Order] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **filters: Unpack[InboxFilters],
    ) -> Page[Arrival]:
        """The arrivals in the order of delivery; with `wait`, once `count` arrived or with `timed_out`."""
        page = {"wait": optional_duration(wait), "count": count, "after": after, "limit": limit, "cursor": cursor}
        rest = members({"q": q, "kind": kind, "order": order, **page})
        parameters = [*query(checked(self.inbox, filters, InboxFilters)), *query(rest)]
        return Page.of(self._control.get(f"{self._path}/inbox", parameters), Arrival.of)

    def wait(self, count: int = 1, within: Duration = "5s", *, kind: Optional[str] = None) -> Page[Arrival]:
        """The arrivals, once there are `count`; an `AssertionError` if that takes longer than `within`."""
        page = self.inbox(kind=kind, wait=within, count=count)
        if page.timed_out:
            what = "pushes" if kind is None else f"pushes of kind {kind}"
            raise UnmetError(
                f"{page.matched} {what} arrived on {self.id} within {duration(within)}, expected {count}: "
                f"{[arrival.sequence for arrival in page]}"
            )
        return page

    # The screen

    def clear(self, topic: Optional[str] = None, *, identifiers: Optional[Sequence[str]] = None) -> int:
        """Removes the notifications of all apps, or of one, as that app or the user does, and returns how many.

        With `identifiers`, collapse ids or apns-ids, only those.
        """
        if identifiers is not None and not identifiers:
            return 0
        query = members({"topic": topic, "identifier": identifiers})
        answer = self._control.delete(f"{self._path}/screen", query)
        return int(answer["removed"]["notifications"])

    def set_badge(self, topic: str, badge: int) -> None:
        """Sets the number on an app's icon, as the app does; 0 removes it."""
        self._control.patch(f"{self._path}/screen", {"badges": {topic: badge}})

    def _now(self, document: Mapping[str, Any]) -> Device:
        return Device.of(document, self._control)

    @property
    def _path(self) -> str:
        return f"/v1/devices/{quote(self.id, safe='')}"
