"""Simulated devices, what arrived on them, and what their users see (`/v1/devices`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Optional, Union
from urllib.parse import quote

from .control import ControlAPI
from .documents import Duration, camel_case, duration, members, optional_duration, optional_time, plain, read, time
from .notifications import Arrival, Page


@dataclass(frozen=True)
class Registration:
    """An app on a device, and its token, if it has one."""

    topic: str
    token: Optional[str]
    environment: str
    state: str
    since: datetime
    unregistered_at: Optional[datetime]
    app_state: str
    permissions: Mapping[str, Any]
    document: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Registration:
        """Reads the server's JSON."""
        return read(
            cls,
            document,
            since=time(document["since"]),
            unregistered_at=optional_time(document["unregisteredAt"]),
            document=document,
        )


@dataclass(frozen=True)
class ShownNotification:
    """A notification as the user sees it."""

    sequence: int
    apns_id: str
    # The collapse id, without one the apns-id.
    identifier: str
    topic: str
    title: Optional[str]
    subtitle: Optional[str]
    body: Optional[str]
    # Whether title, subtitle and body are hidden.
    preview_hidden: bool
    # What was heard.
    sound: Optional[Mapping[str, Any]]
    thread_id: Optional[str]
    category: Optional[str]
    actions: Sequence[Mapping[str, Any]]
    # The button that opens the app, by action-loc-key.
    action_title: Optional[str]
    interruption_level: str
    relevance_score: Optional[float]
    collapse_id: Optional[str]
    mutable_content: str
    # "banner" or "alert"; None without a banner.
    alert_style: Optional[str]
    lock_screen: bool
    notification_center: bool
    # Whether its banner is on the paired watch instead of the phone.
    on_watch: bool
    # Who sent it, in place of the app's name.
    sender: Optional[str]
    shown_at: datetime
    document: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ShownNotification:
        """Reads the server's JSON."""
        return read(cls, document, shown_at=time(document["shownAt"]), document=document)


@dataclass(frozen=True)
class Activity:
    """A Live Activity on a device."""

    id: str
    topic: str
    environment: str
    # "active", "stale", "ended" or "dismissed".
    state: str
    # None, like `attributes`, if a push to an unknown token told of it.
    attributes_type: Optional[str]
    attributes: Optional[Mapping[str, Any]]
    content_state: Mapping[str, Any]
    started_at: datetime
    # That of the newest message applied.
    timestamp: Optional[datetime]
    stale_date: Optional[datetime]
    ended_at: Optional[datetime]
    # When it leaves the lock screen, or left it.
    dismissal_date: Optional[datetime]
    relevance_score: Optional[float]
    # With which it is updated.
    token: Optional[str]
    # The broadcast channel that it follows.
    channel: Optional[str]
    # Its newest content states, oldest first: "event", "at", "sequence", "contentState".
    history: Sequence[Mapping[str, Any]]
    document: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Activity:
        """Reads the server's JSON."""
        return read(
            cls,
            document,
            started_at=time(document["startedAt"]),
            timestamp=optional_time(document["timestamp"]),
            stale_date=optional_time(document["staleDate"]),
            ended_at=optional_time(document["endedAt"]),
            dismissal_date=optional_time(document["dismissalDate"]),
            document=document,
        )


@dataclass(frozen=True)
class Screen:
    """What the user sees: the top of the screen first, and the numbers on the icons by topic."""

    at: datetime
    badges: Mapping[str, int]
    notifications: tuple[ShownNotification, ...]
    # The Live Activities, the most relevant first; those that are dismissed are not there.
    activities: tuple[Activity, ...]
    # The stacks: "topic", "threadId", "count", "sequences", and "summary", the line below.
    groups: Sequence[Mapping[str, Any]]
    # What came in a scheduled summary, by sequence, the most relevant first; and what waits for the next one.
    summary: Sequence[int]
    held: Sequence[Mapping[str, Any]]
    # What was heard, the first first: "sequence", "topic", "at", "sound".
    sounds: Sequence[Mapping[str, Any]]
    document: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Screen:
        """Reads the server's JSON."""
        shown = tuple(ShownNotification.of(one) for one in document["notifications"])
        activities = tuple(Activity.of(one) for one in document["activities"])
        return read(
            cls, document, at=time(document["at"]), notifications=shown, activities=activities, document=document
        )


@dataclass(frozen=True)
class Device:
    """A snapshot of a device; methods that change the device return a new one."""

    id: str
    scope: Optional[str]
    name: str
    model: str
    platform: str
    os_version: str
    environment: str
    locale: str
    # The user's preferred languages; empty for the locale's.
    languages: Sequence[str]
    online: bool
    power: str
    # A name, or {"name", "apps", "people"} with whom it lets through.
    focus: Union[str, Mapping[str, Any], None]
    # The label of its owner's devices.
    user: Optional[str]
    locked: bool
    # Whether only critical sounds are heard.
    muted: bool
    # The paired watch, {"worn", "locked"}.
    watch: Optional[Mapping[str, bool]]
    # The scheduled summary, {"times", "apps"}.
    summary: Optional[Mapping[str, Any]]
    registrations: tuple[Registration, ...]
    # The number of pushes that wait for it.
    stored: int
    # The complete answer of the server.
    document: Mapping[str, Any] = field(repr=False, compare=False)
    _control: ControlAPI = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any], control: ControlAPI) -> Device:
        """Reads the server's JSON."""
        apps = tuple(Registration.of(one) for one in document["registrations"])
        return read(cls, document, registrations=apps, document=document, _control=control)

    @property
    def token(self) -> str:
        """The token of its only app; for several, see `token_of`."""
        topics = {app.topic for app in self.registrations}
        if len(topics) != 1:
            raise LookupError(f"device {self.id} has {len(topics)} apps, use token_of() with one of {sorted(topics)}")
        return self.token_of(topics.pop())

    def token_of(self, topic: str) -> str:
        """The present token of an app."""
        apps = [app for app in self.registrations if app.topic == topic]
        tokens = [app.token for app in apps if app.token is not None]
        if not tokens:
            why = f"its app {topic} is {apps[-1].state}" if apps else f"it has no app {topic}"
            raise LookupError(f"device {self.id} has no token: {why}")
        return tokens[-1]

    def refresh(self) -> Device:
        """A new snapshot of the device."""
        return self._now(self._control.get(self._path))

    def change(self, **changes: Any) -> Device:
        """Changes the device: `online`, `power`, `focus`, `languages` and the others of `PATCH /v1/devices/{id}`.

        Stored pushes are delivered when `change(online=True)` returns.
        """
        body = {camel_case(name): plain(value) for name, value in changes.items()}
        return self._now(self._control.patch(self._path, body))

    def install(self, topic: str, **settings: Any) -> Device:
        """Installs an app, or launches it again; `settings` are those of `POST …/registrations`."""
        self._control.post(f"{self._path}/registrations", {"topic": topic, **members(settings)})
        return self.refresh()

    def change_app(self, topic: str, **changes: Any) -> Device:
        """Changes an app: `app_state`, `permissions` and others of `PATCH …/registrations/{topic}`."""
        body = {camel_case(name): plain(value) for name, value in changes.items()}
        self._control.patch(f"{self._path}/registrations/{quote(topic, safe='')}", body)
        return self.refresh()

    def uninstall(self, topic: str) -> Device:
        """Removes an app; its token is Unregistered from then on."""
        self._control.delete(f"{self._path}/registrations/{quote(topic, safe='')}")
        return self.refresh()

    def remove(self) -> None:
        """Removes the device."""
        self._control.delete(self._path)

    def inbox(
        self,
        *,
        kind: Optional[str] = None,
        wait: Optional[Duration] = None,
        count: Optional[int] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Page[Arrival]:
        """The arrivals in the order of delivery; with `wait`, once `count` arrived or with `timed_out`."""
        query = members({"kind": kind, "wait": optional_duration(wait), "count": count, "after": after, "limit": limit})
        return Page.of(self._control.get(f"{self._path}/inbox", query), Arrival.of)

    def wait(self, count: int = 1, within: Duration = "5s", *, kind: Optional[str] = None) -> Page[Arrival]:
        """The arrivals, once there are `count`; an `AssertionError` if that takes longer than `within`."""
        page = self.inbox(kind=kind, wait=within, count=count)
        if page.timed_out:
            what = "pushes" if kind is None else f"pushes of kind {kind}"
            raise AssertionError(
                f"{page.matched} {what} arrived on {self.id} within {duration(within)}, expected {count}: "
                f"{[arrival.sequence for arrival in page]}"
            )
        return page

    def screen(self) -> Screen:
        """What the user sees."""
        return Screen.of(self._control.get(f"{self._path}/screen"))

    def act(
        self, notification: Union[int, ShownNotification], action: str = "default", text: Optional[str] = None
    ) -> None:
        """Opens a notification, or chooses one of its actions, as the user does."""
        path = f"{self._path}/screen/{_sequence(notification)}/actions"
        self._control.post(path, members({"action": action, "text": text}))

    def clear(self, topic: Optional[str] = None, *, identifiers: Optional[Sequence[str]] = None) -> int:
        """Removes the notifications of all apps, or of one, as that app or the user does, and returns how many.

        With `identifiers`, collapse ids or apns-ids, only those.
        """
        if identifiers is not None and not identifiers:
            return 0
        query = members({"topic": topic, "identifier": identifiers})
        removed: int = self._control.delete(f"{self._path}/screen", query)["removed"]["notifications"]
        return removed

    def set_badge(self, topic: str, badge: int) -> None:
        """Sets the number on an app's icon, as the app does; 0 removes it."""
        self._control.patch(f"{self._path}/screen", {"badges": {topic: badge}})

    def dismiss(self, notification: Union[int, ShownNotification]) -> None:
        """Clears a notification, as the user does."""
        self._control.delete(f"{self._path}/screen/{_sequence(notification)}")

    def activities(self) -> tuple[Activity, ...]:
        """Its Live Activities, newest first, with those that are dismissed."""
        return tuple(Activity.of(one) for one in self._control.get(f"{self._path}/activities")["items"])

    def activity(self, activity: Union[str, Activity]) -> Activity:
        """A Live Activity as it is now."""
        return Activity.of(self._control.get(self._activity_path(activity)))

    def start_activity(self, topic: str, attributes_type: str, **settings: Any) -> Activity:
        """Starts a Live Activity as its app does.

        `settings` are those of `POST …/activities`: `attributes`, `content_state`, `stale_date`, `relevance_score`, and
        `push_type`: "token", `{"channel": id}`, or None.
        """
        body = {camel_case(name): plain(value) for name, value in settings.items()}
        activity = {"topic": topic, "attributesType": attributes_type, **body}
        return Activity.of(self._control.post(f"{self._path}/activities", activity))

    def update_activity(self, activity: Union[str, Activity], **changes: Any) -> Activity:
        """Changes what a Live Activity shows, as its app does: `content_state`, `stale_date`, `relevance_score`."""
        body = {camel_case(name): plain(value) for name, value in changes.items()}
        return Activity.of(self._control.patch(self._activity_path(activity), body))

    def end_activity(self, activity: Union[str, Activity], **changes: Any) -> Activity:
        """Ends a Live Activity as its app does, by default with four hours on the lock screen (`dismissal_date`)."""
        return self.update_activity(activity, state="ended", **changes)

    def dismiss_activity(self, activity: Union[str, Activity]) -> None:
        """Takes a Live Activity off the screen, as the user does."""
        self._control.delete(self._activity_path(activity))

    def _activity_path(self, activity: Union[str, Activity]) -> str:
        return f"{self._path}/activities/{activity if isinstance(activity, str) else activity.id}"

    def _now(self, document: Mapping[str, Any]) -> Device:
        return Device.of(document, self._control)

    @property
    def _path(self) -> str:
        return f"/v1/devices/{quote(self.id, safe='')}"


def _sequence(notification: Union[int, ShownNotification]) -> int:
    return notification if isinstance(notification, int) else notification.sequence
