"""The calls of a device that are one request each."""

# Made from aio/device_calls.py by generate.py: change that.

# Made by generate.py: change that, or the document.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional, Union
from urllib.parse import quote

from . import schemas
from .documents import changes_document, checked, members
from .errors import hides_frames
from .keywords import ActivityChanges, ActivitySettings, AppChanges, DeviceChanges, SubscriptionSettings
from .screens import Activity, Registration, Screen, ShownNotification
from .control import ControlAPI

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from .devices import Device

__tracebackhide__ = hides_frames


class DeviceCalls:
    """The calls of a device that are one request each."""

    if TYPE_CHECKING:

        @property
        def _control(self) -> ControlAPI: ...

        @property
        def _path(self) -> str: ...

        def _now(self, document: Mapping[str, Any]) -> Device: ...

    def refresh(self) -> Device:
        """A new snapshot of the device."""
        return self._now(self._control.get(self._path))

    def change(self, **changes: Unpack[DeviceChanges]) -> Device:
        """Changes the device; stored pushes have been delivered when a change to `online` is answered.

        `changes` are members of `PATCH /v1/devices/{id}`.
        """
        body = changes_document(checked(self.change, changes, DeviceChanges))
        return self._now(self._control.patch(self._path, body))

    def remove(self) -> None:
        """Removes the device."""
        self._control.delete(self._path)

    def apps(self) -> tuple[Registration, ...]:
        """Its apps as they are now."""
        answer = self._control.get(f"{self._path}/registrations")
        return tuple(map(Registration.of, answer["items"]))

    def app(self, topic: str, *, environment: Optional[schemas.Environment] = None) -> Registration:
        """An app as it is now; `environment` is by default the device's."""
        parameters = members({"environment": environment})
        path = f"{self._path}/registrations/{quote(topic, safe='')}"
        return Registration.of(self._control.get(path, parameters))

    def change_app(
        self, topic: str, *, environment: Optional[schemas.Environment] = None, **changes: Unpack[AppChanges]
    ) -> Device:
        """Changes an app.

        `changes` are members of `PATCH /v1/devices/{id}/registrations/{topic}`.
        """
        body = changes_document(checked(self.change_app, changes, AppChanges))
        parameters = members({"environment": environment})
        self._control.patch(f"{self._path}/registrations/{quote(topic, safe='')}", body, parameters)
        return self.refresh()

    def uninstall(self, topic: str, *, environment: Optional[schemas.Environment] = None) -> Device:
        """Removes an app; its token is Unregistered from then on."""
        parameters = members({"environment": environment})
        self._control.delete(f"{self._path}/registrations/{quote(topic, safe='')}", parameters)
        return self.refresh()

    def screen(self) -> Screen:
        """What the user sees."""
        return Screen.of(self._control.get(f"{self._path}/screen"))

    def act(
        self, notification: Union[int, ShownNotification], action: str = "default", text: Optional[str] = None
    ) -> None:
        """Opens a notification, or chooses one of its actions, as the user does."""
        notification_sequence = notification if isinstance(notification, int) else notification.sequence
        path = f"{self._path}/screen/{notification_sequence}/actions"
        self._control.post(path, members({"action": action, "text": text}))

    def dismiss(self, notification: Union[int, ShownNotification]) -> None:
        """Clears a notification, as the user does."""
        notification_sequence = notification if isinstance(notification, int) else notification.sequence
        self._control.delete(f"{self._path}/screen/{notification_sequence}")

    def activities(self) -> tuple[Activity, ...]:
        """Its Live Activities, newest first, with those that are dismissed."""
        answer = self._control.get(f"{self._path}/activities")
        return tuple(map(Activity.of, answer["items"]))

    def activity(self, activity: Union[str, Activity]) -> Activity:
        """A Live Activity as it is now."""
        activity_id = activity if isinstance(activity, str) else activity.id
        return Activity.of(self._control.get(f"{self._path}/activities/{quote(activity_id, safe='')}"))

    def start_activity(self, topic: str, attributes_type: str, **settings: Unpack[ActivitySettings]) -> Activity:
        """Starts a Live Activity as its app does.

        `settings` are members of `POST /v1/devices/{id}/activities`.
        """
        given = changes_document(checked(self.start_activity, settings, ActivitySettings))
        body = {"topic": topic, "attributesType": attributes_type, **given}
        return Activity.of(self._control.post(f"{self._path}/activities", body))

    def update_activity(self, activity: Union[str, Activity], **changes: Unpack[ActivityChanges]) -> Activity:
        """Changes what a Live Activity shows, as its app does.

        `changes` are members of `PATCH /v1/devices/{id}/activities/{activity}`.
        """
        activity_id = activity if isinstance(activity, str) else activity.id
        body = changes_document(checked(self.update_activity, changes, ActivityChanges))
        return Activity.of(self._control.patch(f"{self._path}/activities/{quote(activity_id, safe='')}", body))

    def end_activity(self, activity: Union[str, Activity], **changes: Unpack[ActivityChanges]) -> Activity:
        """Ends a Live Activity as its app does, by default with four hours on the lock screen.

        `changes` are members of `PATCH /v1/devices/{id}/activities/{activity}`.
        """
        activity_id = activity if isinstance(activity, str) else activity.id
        given = changes_document(checked(self.end_activity, changes, ActivityChanges))
        body = {"state": "ended", **given}
        return Activity.of(self._control.patch(f"{self._path}/activities/{quote(activity_id, safe='')}", body))

    def dismiss_activity(self, activity: Union[str, Activity]) -> None:
        """Takes a Live Activity off the screen, as the user does."""
        activity_id = activity if isinstance(activity, str) else activity.id
        self._control.delete(f"{self._path}/activities/{quote(activity_id, safe='')}")

    def subscriptions(self) -> tuple[Activity, ...]:
        """Its running Live Activities that follow channels, newest first."""
        answer = self._control.get(f"{self._path}/subscriptions")
        return tuple(map(Activity.of, answer["items"]))

    def subscribe(self, channel: str, **settings: Unpack[SubscriptionSettings]) -> Activity:
        """Subscribes the device to a channel, by a Live Activity that its app starts.

        `settings` are members of `POST /v1/devices/{id}/subscriptions`.
        """
        given = changes_document(checked(self.subscribe, settings, SubscriptionSettings))
        body = {"channel": channel, **given}
        return Activity.of(self._control.post(f"{self._path}/subscriptions", body))

    def unsubscribe(self, channel: str) -> int:
        """Dismisses the Live Activities that follow a channel, as the user does; returns how many."""
        answer = self._control.delete(f"{self._path}/subscriptions/{quote(channel, safe='')}")
        return int(answer["removed"]["activities"])
