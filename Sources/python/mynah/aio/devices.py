"""Simulated devices, what arrived on them, and what their users see (`/v1/devices`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union
from urllib.parse import quote

from .. import schemas
from ..documents import Duration, changes_document, checked, duration, members, optional_duration, query, read
from ..errors import MissingError, UnmetError, hides_frames
from ..exchange import Event
from ..keywords import (
    ActivityChanges, ActivitySettings, AppChanges, AppSettings, DeviceChanges, InboxFilters, SubscriptionSettings,
)
from ..notifications import Arrival, Page
from ..snapshots import DeviceMembers
from ..screens import Activity, Registration, Screen, ShownNotification
from .control import ControlAPI

if TYPE_CHECKING:
    from typing_extensions import Unpack

__tracebackhide__ = hides_frames


@dataclass(frozen=True)
class Device(DeviceMembers):
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

    async def refresh(self) -> Device:
        """A new snapshot of the device."""
        return self._now(await self._control.get(self._path))

    async def change(self, **changes: Unpack[DeviceChanges]) -> Device:
        """Changes the device: `online`, `power`, `focus`, `languages` and the others of `PATCH /v1/devices/{id}`.

        Stored pushes are delivered when `change(online=True)` returns.
        """
        body = changes_document(checked(self.change, changes, DeviceChanges))
        return self._now(await self._control.patch(self._path, body))

    async def remove(self) -> None:
        """Removes the device."""
        await self._control.delete(self._path)

    def events(self, *, connect: bool = False, after: Optional[int] = None) -> AsyncGenerator[Event, None]:
        """What arrives on the device, and what changes on it, as it happens.

        With `connect` the device is online until this is closed. `after` is the `id` of the last event that is known, 0
        for everything in the inbox.
        """
        parameters = members({"connect": "true" if connect else None, "lastEventId": after})
        return self._control.events(f"{self._path}/stream", parameters)

    # Apps

    async def apps(self) -> tuple[Registration, ...]:
        """Its apps as they are now."""
        found = await self._control.get(f"{self._path}/registrations")
        return tuple(map(Registration.of, found["items"]))

    async def app(self, topic: str, *, environment: Optional[str] = None) -> Registration:
        """An app as it is now; `environment` is by default the device's."""
        query = members({"environment": environment})
        return Registration.of(await self._control.get(self._app_path(topic), query))

    async def install(self, topic: str, **settings: Unpack[AppSettings]) -> Device:
        """Installs an app, or launches it again; `settings` are those of `POST …/registrations`."""
        body = {"topic": topic, **members(checked(self.install, settings, AppSettings))}
        await self._control.post(f"{self._path}/registrations", body)
        return await self.refresh()

    async def change_app(
        self, topic: str, *, environment: Optional[str] = None, **changes: Unpack[AppChanges]
    ) -> Device:
        """Changes an app: `app_state`, `permissions` and others of `PATCH …/registrations/{topic}`."""
        body = changes_document(checked(self.change_app, changes, AppChanges))
        await self._control.patch(self._app_path(topic), body, members({"environment": environment}))
        return await self.refresh()

    async def uninstall(self, topic: str, *, environment: Optional[str] = None) -> Device:
        """Removes an app; its token is Unregistered from then on."""
        await self._control.delete(self._app_path(topic), members({"environment": environment}))
        return await self.refresh()

    # The inbox

    async def inbox(
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
        return Page.of(await self._control.get(f"{self._path}/inbox", parameters), Arrival.of)

    async def wait(self, count: int = 1, within: Duration = "5s", *, kind: Optional[str] = None) -> Page[Arrival]:
        """The arrivals, once there are `count`; an `AssertionError` if that takes longer than `within`."""
        page = await self.inbox(kind=kind, wait=within, count=count)
        if page.timed_out:
            what = "pushes" if kind is None else f"pushes of kind {kind}"
            raise UnmetError(
                f"{page.matched} {what} arrived on {self.id} within {duration(within)}, expected {count}: "
                f"{[arrival.sequence for arrival in page]}"
            )
        return page

    # The screen

    async def screen(self) -> Screen:
        """What the user sees."""
        return Screen.of(await self._control.get(f"{self._path}/screen"))

    async def act(
        self, notification: Union[int, ShownNotification], action: str = "default", text: Optional[str] = None
    ) -> None:
        """Opens a notification, or chooses one of its actions, as the user does."""
        path = f"{self._path}/screen/{_sequence(notification)}/actions"
        await self._control.post(path, members({"action": action, "text": text}))

    async def clear(self, topic: Optional[str] = None, *, identifiers: Optional[Sequence[str]] = None) -> int:
        """Removes the notifications of all apps, or of one, as that app or the user does, and returns how many.

        With `identifiers`, collapse ids or apns-ids, only those.
        """
        if identifiers is not None and not identifiers:
            return 0
        query = members({"topic": topic, "identifier": identifiers})
        answer = await self._control.delete(f"{self._path}/screen", query)
        return int(answer["removed"]["notifications"])

    async def set_badge(self, topic: str, badge: int) -> None:
        """Sets the number on an app's icon, as the app does; 0 removes it."""
        await self._control.patch(f"{self._path}/screen", {"badges": {topic: badge}})

    async def dismiss(self, notification: Union[int, ShownNotification]) -> None:
        """Clears a notification, as the user does."""
        await self._control.delete(f"{self._path}/screen/{_sequence(notification)}")

    # Live Activities

    async def activities(self) -> tuple[Activity, ...]:
        """Its Live Activities, newest first, with those that are dismissed."""
        found = await self._control.get(f"{self._path}/activities")
        return tuple(map(Activity.of, found["items"]))

    async def activity(self, activity: Union[str, Activity]) -> Activity:
        """A Live Activity as it is now."""
        return Activity.of(await self._control.get(self._activity_path(activity)))

    async def start_activity(
        self, topic: str, attributes_type: str, **settings: Unpack[ActivitySettings]
    ) -> Activity:
        """Starts a Live Activity as its app does.

        `settings` are those of `POST …/activities`: `attributes`, `content_state`, `stale_date`, `relevance_score`, and
        `push_type`: "token", `{"channel": id}`, or None.
        """
        body = changes_document(checked(self.start_activity, settings, ActivitySettings))
        activity = {"topic": topic, "attributesType": attributes_type, **body}
        return Activity.of(await self._control.post(f"{self._path}/activities", activity))

    async def update_activity(
        self, activity: Union[str, Activity], **changes: Unpack[ActivityChanges]
    ) -> Activity:
        """Changes what a Live Activity shows, as its app does: `content_state`, `stale_date`, `relevance_score`."""
        body = changes_document(checked(self.update_activity, changes, ActivityChanges))
        return Activity.of(await self._control.patch(self._activity_path(activity), body))

    async def end_activity(self, activity: Union[str, Activity], **changes: Unpack[ActivityChanges]) -> Activity:
        """Ends a Live Activity as its app does, by default with four hours on the lock screen (`dismissal_date`)."""
        body = changes_document({**checked(self.end_activity, changes, ActivityChanges), "state": "ended"})
        return Activity.of(await self._control.patch(self._activity_path(activity), body))

    async def dismiss_activity(self, activity: Union[str, Activity]) -> None:
        """Takes a Live Activity off the screen, as the user does."""
        await self._control.delete(self._activity_path(activity))

    async def subscriptions(self) -> tuple[Activity, ...]:
        """Its running Live Activities that follow channels, newest first."""
        found = await self._control.get(f"{self._path}/subscriptions")
        return tuple(map(Activity.of, found["items"]))

    async def subscribe(self, channel: str, **settings: Unpack[SubscriptionSettings]) -> Activity:
        """Subscribes the device to a channel, by a Live Activity that its app starts.

        `settings` are those of `POST …/subscriptions`: `content_state`, `attributes_type` and others.
        """
        body = changes_document(checked(self.subscribe, settings, SubscriptionSettings))
        return Activity.of(await self._control.post(f"{self._path}/subscriptions", {"channel": channel, **body}))

    async def unsubscribe(self, channel: str) -> int:
        """Dismisses the Live Activities that follow a channel, as the user does; returns how many."""
        answer = await self._control.delete(f"{self._path}/subscriptions/{quote(channel, safe='')}")
        return int(answer["removed"]["activities"])

    def _activity_path(self, activity: Union[str, Activity]) -> str:
        return f"{self._path}/activities/{activity if isinstance(activity, str) else activity.id}"

    def _app_path(self, topic: str) -> str:
        return f"{self._path}/registrations/{quote(topic, safe='')}"

    def _now(self, document: Mapping[str, Any]) -> Device:
        return Device.of(document, self._control)

    @property
    def _path(self) -> str:
        return f"/v1/devices/{quote(self.id, safe='')}"


def _sequence(notification: Union[int, ShownNotification]) -> int:
    return notification if isinstance(notification, int) else notification.sequence
