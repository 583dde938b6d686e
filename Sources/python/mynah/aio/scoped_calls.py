"""The calls of a scope that are one request each."""

# Made by generate.py: change that, or the document.
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Union
from urllib.parse import quote

from .. import schemas
from ..documents import changes_document, checked, members, query
from ..errors import hides_frames
from ..keywords import ActivitySettings
from ..notifications import Notification
from .control import ControlAPI
from .devices import Device
from .faults import Fault

if TYPE_CHECKING:
    from typing_extensions import Unpack

__tracebackhide__ = hides_frames


class MynahCalls:
    """The calls of a scope that are one request each."""

    name: str

    if TYPE_CHECKING:

        @property
        def control(self) -> ControlAPI: ...

    async def find_device(self, id: str) -> Device:
        """The device with this id, in whatever scope; an error with status 404 for an unknown one."""
        return Device.of(await self.control.get(f"/v1/devices/{quote(id, safe='')}"), self.control)

    async def start_activities(
        self,
        topic: str,
        attributes_type: str,
        *,
        user: Union[str, Sequence[str], None] = None,
        **settings: Unpack[ActivitySettings],
    ) -> schemas.StartedActivities:
        """Starts a Live Activity on each device of this scope, or of a `user` in it, as `start_activity` does on one.

        `settings` are members of `POST /v1/activities`.
        """
        given = changes_document(checked(self.start_activities, settings, ActivitySettings))
        body = {"topic": topic, "attributesType": attributes_type, **given}
        parameters = list(query(members({"scope": self.name, "user": user})))
        answer: schemas.StartedActivities = await self.control.post("/v1/activities", body, parameters)
        return answer

    async def dismiss_activities(
        self, *, user: Union[str, Sequence[str], None] = None, channel: Union[str, Sequence[str], None] = None
    ) -> int:
        """Dismisses the Live Activities of this scope, of a `user` in it, or on a `channel`; returns how many."""
        parameters = list(query(members({"scope": self.name, "user": user, "channel": channel})))
        answer = await self.control.delete("/v1/activities", parameters)
        return int(answer["removed"]["activities"])

    async def find_fault(self, id: str) -> Fault:
        """The rule with this id, in whatever scope; an error with status 404 for an unknown one."""
        return Fault.of(await self.control.get(f"/v1/faults/{quote(id, safe='')}"), self.control)

    async def notification(self, id: Union[int, str]) -> Notification:
        """A push by its sequence number, its apns-id (the latest one that has it) or its apns-unique-id."""
        return Notification.of(await self.control.get(f"/v1/notifications/{quote(str(id), safe='')}"))

    async def remove_notification(self, id: Union[int, str]) -> None:
        """Removes a push, by what `notification` takes; an error with status 404 if the journal hasn't got it."""
        await self.control.delete(f"/v1/notifications/{quote(str(id), safe='')}")
