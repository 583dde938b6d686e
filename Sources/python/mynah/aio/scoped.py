"""A scope in a server for one test, with its own devices and faults, which are removed at its end."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional, Union
from urllib.parse import quote

from .. import schemas
from ..actions import Action, actions_document
from ..documents import (
    OWN, Duration, Own, Scope, changes_document, checked, explaining_scope, match_document, members, optional_duration,
    query
)  # fmt: skip
from ..errors import ArgumentError, ControlError, hides_frames
from ..exchange import ANSWER_SECONDS, Event
from ..expectations import ExpectationResult, ExpectationUnmet
from ..keywords import (
    DeviceChanges, DeviceFilters, DeviceSettings, FaultFilters, FaultKeywords, FaultListFilters, FaultOptions,
    FaultSettings, Filters, ListFilters, PushSettings
)  # fmt: skip
from ..notifications import Notification, Page
from ..records import Scenario, SentNotification
from .clock import Clock
from .control import ControlAPI
from .devices import Device
from .faults import Fault
from .scoped_calls import MynahCalls

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .server import MynahServer

__tracebackhide__ = hides_frames

# The most items of one list.
PAGE_MAX = 1000
# The longest `within` and the longest `settle` that the server accepts.
EXPECTATION_SECONDS = 3600.0


class Mynah(MynahCalls):
    """A server, and a scope in it.

    Devices and faults made here have the scope; lists, removals, expectations and the clock apply to it, unless
    `scope=None` extends them to the whole server. A push belongs to the scope of its device. As a context manager, it
    removes at its end everything that it has made.
    """

    def __init__(self, server: MynahServer, scope: str, *, shared_faults: Optional[list[str]] = None) -> None:
        """`shared_faults` are ids of rules outside the scope that are removed with it; more are added."""
        self.server = server
        self.name = scope
        self.shared_faults: list[str] = [] if shared_faults is None else shared_faults
        self._log_start = len(server.log_lines)

    async def __aenter__(self) -> Mynah:
        return self

    async def __aexit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.remove()

    # For the code under test

    @property
    def host(self) -> str:
        """The host for pushes."""
        return self.server.host

    @property
    def port(self) -> int:
        """The port for pushes."""
        return self.server.port

    @property
    def apns_url(self) -> str:
        """The URL for pushes: `https://localhost:2197`."""
        return self.server.apns_url

    @property
    def ca_file(self) -> Path:
        """The CA to trust, PEM."""
        return self.server.ca_file

    @property
    def key_file(self) -> Path:
        """The development key that signs provider tokens, an `AuthKey_<KEYID>.p8`."""
        return self.server.key_file

    @property
    def key_id(self) -> str:
        """The id of the development key."""
        return self.server.key_id

    @property
    def team_id(self) -> str:
        """The team of the development key."""
        return self.server.team_id

    @property
    def control(self) -> ControlAPI:
        """The control API itself."""
        return self.server.control

    async def provider_token(self) -> str:
        """A provider token that the server accepts, for `authorization: bearer …`."""
        return await self.server.provider_token()

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts only this server, and asks for HTTP/2."""
        return self.server.ssl_context()

    # To arrange: devices

    async def device(self, *topics: str, online: bool = True, **settings: Unpack[DeviceSettings]) -> Device:
        """Makes a device with these apps; `settings` are those of `POST /v1/devices`, like `os_version="18.0"`.

        With `online=False` the device goes offline after its apps have got their tokens.
        """
        body = self._new_device(topics, checked(self.device, settings, DeviceSettings))
        made = Device.of(await self.control.post("/v1/devices", body), self.control)
        return made if online else await made.change(online=False)

    async def add_devices(
        self, id: str, count: int, /, *topics: str, **settings: Unpack[DeviceSettings]
    ) -> Page[Device]:
        """Makes many devices of a kind, with numbers behind `id`; returns the first 1,000."""
        body = self._new_device(topics, checked(self.add_devices, settings, DeviceSettings))
        return self._devices(await self.control.post("/v1/devices", {**body, "id": id, "count": count}))

    async def put_device(self, id: str, /, *topics: str, **settings: Unpack[DeviceSettings]) -> Device:
        """Makes a device with this id, in place of the one that has it."""
        body = self._new_device(topics, checked(self.put_device, settings, DeviceSettings))
        return Device.of(await self.control.put(f"/v1/devices/{quote(id, safe='')}", body), self.control)

    async def devices(
        self,
        *,
        scope: Scope = OWN,
        sort: Optional[schemas.DeviceSort] = None,
        after: Optional[str] = None,
        order: Optional[schemas.Order] = None,
        limit: int = PAGE_MAX,
        cursor: Optional[str] = None,
        **filters: Unpack[DeviceFilters],
    ) -> Page[Device]:
        """The devices by filters (`user="kim"`, `online=False`): by id, or by `sort="lastPush"`."""
        found = self._filtered(scope, checked(self.devices, filters, DeviceFilters))
        page = members({"sort": sort, "after": after, "order": order, "limit": limit, "cursor": cursor})
        return self._devices(await self.control.get("/v1/devices", [*found, *page.items()]))

    async def change_devices(
        self, user: Optional[str] = None, /, *, scope: Scope = OWN, **changes: Unpack[DeviceChanges]
    ) -> int:
        """Changes all devices, or those of a user, as `Device.change` does one; returns how many."""
        body = changes_document(checked(self.change_devices, changes, DeviceChanges))
        of_user = {} if user is None else {"user": user}
        answer = await self.control.patch("/v1/devices", body, self._filtered(scope, of_user))
        return int(answer["changed"]["devices"])

    async def remove_devices(self, *, scope: Scope = OWN, **filters: Unpack[DeviceFilters]) -> int:
        """Removes devices by filters; returns how many."""
        found = self._filtered(scope, checked(self.remove_devices, filters, DeviceFilters))
        answer = await self.control.delete("/v1/devices", found)
        return int(answer["removed"]["devices"])

    # To arrange: faults and time

    async def fault(
        self,
        action: Union[Action, Sequence[Action]],
        *,
        match: Optional[Mapping[str, Any]] = None,
        scope: Scope = OWN,
        **settings: Unpack[FaultKeywords],
    ) -> Fault:
        """Adds a fault rule: `fault("slow", delay="5s")`, `fault(403, reason="ExpiredProviderToken", times=2)`.

        `action` is a status to answer with its usual reason, a preset or a reason by the names of `mynah fault add`,
        the API's object, or a sequence of these, one after the other. Keyword arguments are members of the action
        (`delay`, `reason`, `answer_headers={"retry-after": "5"}`, …), of the rule (`times`, `skip`, `every`, …) and filters (`topic`, `payload`, …);
        `match` has filters too. Connections have no scope, so a rule with an action on connections or handshakes, like
        `"refuse"` or `"tls-expired"`, needs `scope=None`; it too is removed at the end of the test, but until then it
        also affects other tests on the same server.
        """
        rule = self._rule(action, match, scope, checked(self.fault, settings, FaultKeywords))
        with explaining_scope(scope):
            made = Fault.of(await self.control.post("/v1/faults", rule), self.control)
        return self._kept(made)

    async def put_fault(
        self,
        id: str,
        /,
        action: Union[Action, Sequence[Action]],
        *,
        match: Optional[Mapping[str, Any]] = None,
        scope: Scope = OWN,
        **settings: Unpack[FaultKeywords],
    ) -> Fault:
        """Makes a fault rule with this id, in place of the one that has it; otherwise like `fault`."""
        rule = self._rule(action, match, scope, checked(self.put_fault, settings, FaultKeywords))
        with explaining_scope(scope):
            made = Fault.of(await self.control.put(f"/v1/faults/{quote(id, safe='')}", rule), self.control)
        return self._kept(made)

    async def faults(
        self,
        *,
        scope: Scope = OWN,
        order: Optional[schemas.Order] = None,
        limit: int = PAGE_MAX,
        cursor: Optional[str] = None,
        **filters: Unpack[FaultListFilters],
    ) -> Page[Fault]:
        """The rules in force by filters (`enabled=True`, `action="respond"`)."""
        found = self._filtered(scope, checked(self.faults, filters, FaultListFilters))
        page = members({"order": order, "limit": limit, "cursor": cursor})
        answer = await self.control.get("/v1/faults", [*found, *page.items()])
        return Page.of(answer, lambda fault: Fault.of(fault, self.control))

    async def remove_faults(self, *, scope: Scope = OWN, **filters: Unpack[FaultListFilters]) -> int:
        """Removes rules by filters; returns how many."""
        found = self._filtered(scope, checked(self.remove_faults, filters, FaultListFilters))
        answer = await self.control.delete("/v1/faults", found)
        return int(answer["removed"]["faults"])

    async def start_scenario(self, scenario: Union[str, schemas.ScenarioSpecification]) -> Scenario:
        """Starts a scenario for this scope: one that is part of the program by its name, or one of one's own.

        Its rules touch only pushes to devices of the scope, and its steps follow the scope's clock. One with rules of
        connections or handshakes needs a whole server: `server.start_scenario`.
        """
        return await self.server.start_scenario(scenario, scope=self.name)

    async def remove_scenario(self, name: str) -> dict[str, int]:
        """Ends a scenario of this scope, and removes its rules; returns how many of each kind."""
        return await self.server.remove_scenario(name, scope=self.name)

    @property
    def clock(self) -> Clock:
        """The clock of this scope's devices."""
        return Clock(self.control, self.name)

    # To act

    async def send(self, **push: Unpack[PushSettings]) -> SentNotification:
        """Sends a push to a device or a channel over TLS and HTTP/2, as a provider does, and returns its answer.

        `send(token=phone.token, topic="com.example.app", payload={"aps": {"alert": "hi"}})`: the arguments are the
        members of `POST /v1/notifications`.
        """
        body = changes_document(checked(self.send, push, PushSettings))
        return SentNotification.of(await self.control.post("/v1/notifications", body))

    # To assert

    async def notifications(
        self,
        q: Optional[str] = None,
        *,
        scope: Scope = OWN,
        wait: Optional[Duration] = None,
        count: Optional[int] = None,
        after: Optional[int] = None,
        order: Optional[schemas.Order] = None,
        limit: int = PAGE_MAX,
        cursor: Optional[str] = None,
        **filters: Unpack[ListFilters],
    ) -> Page[Notification]:
        """The pushes in the journal, oldest first, by filters (`topic="com.example.app"`, `payload={"/aps/badge": 3}`).

        A list matches any of its values, `{"not": value}` all others, `{"contains": text}` a part of a text. With
        `wait` this returns once `count` match, or with `timed_out`.
        """
        page = {"wait": optional_duration(wait), "count": count, "after": after, "limit": limit, "cursor": cursor}
        rest = members({"q": q, "order": order, **page})
        found = self._filtered(scope, checked(self.notifications, filters, ListFilters))
        answer = await self.control.get("/v1/notifications", [*found, *rest.items()])
        return Page.of(answer, Notification.of)

    async def remove_notifications(
        self, q: Optional[str] = None, *, scope: Scope = OWN, **filters: Unpack[ListFilters]
    ) -> int:
        """Removes pushes from the journal by filters; returns how many."""
        found = self._filtered(scope, checked(self.remove_notifications, filters, ListFilters))
        answer = await self.control.delete("/v1/notifications", [*found, *members({"q": q}).items()])
        return int(answer["removed"]["notifications"])

    async def last_sequence(self) -> int:
        """The newest sequence number; as `after`, it selects later pushes."""
        page = await self.notifications(scope=None, limit=1)
        return page.last_sequence

    def events(
        self,
        q: Optional[str] = None,
        *,
        scope: Scope = OWN,
        event: Union[str, Sequence[str], None] = None,
        after: Optional[int] = None,
        **filters: Unpack[ListFilters],
    ) -> AsyncGenerator[Event, None]:
        """What happens, as it happens: pushes, outcomes, devices, faults and others, by filters.

        `event` selects kinds (`"notification"`, `"device"`, …); with `after` earlier events with higher numbers come
        first. It has no end; closing it closes the connection.
        """
        found = self._filtered(scope, checked(self.events, filters, ListFilters))
        rest = query(members({"q": q, "event": event, "after": after}))
        return self.control.events("/v1/events", [*found, *rest])

    async def check(
        self,
        match: Optional[Mapping[str, Any]] = None,
        *,
        in_order: Optional[Sequence[Mapping[str, Any]]] = None,
        other_than: Optional[Sequence[Mapping[str, Any]]] = None,
        scope: Scope = OWN,
        count: Optional[int] = None,
        exactly: Optional[int] = None,
        max: Optional[int] = None,
        within: Optional[Duration] = None,
        settle: Optional[Duration] = None,
        after: Optional[int] = None,
        **filters: Unpack[Filters],
    ) -> ExpectationResult:
        """Waits for pushes like `expect`, but returns the result also if it is unmet."""
        both = {**(match or {}), **match_document(checked(self.check, filters, Filters))}
        if in_order is not None and (both or count is not None or exactly is not None or max is not None):
            raise ArgumentError("in_order: leave out filters and counts; each step has its own filters")
        if exactly is not None and (count is not None or max is not None):
            raise ArgumentError("exactly: leave out count and max")
        what: dict[str, Any] = {"match": both, "count": {"exactly": exactly} if exactly is not None else {}}
        if in_order is not None:
            what = {"in_order": in_order}
        elif exactly is None:
            # "At most two" doesn't require one.
            least = 1 if count is None and max is None else count
            what["count"] = members({"min": least, "max": max})
        if other_than is not None:
            if in_order is not None:
                raise ArgumentError("other_than: leave it out, because in_order lets others come in between")
            what["other_than"] = other_than
        limits = {"within": optional_duration(within), "settle": optional_duration(settle), "after": after}
        body = members({**what, **limits, **self._of_scope(scope)})
        answer = await self.control.post("/v1/expectations", body, timeout=2 * EXPECTATION_SECONDS + ANSWER_SECONDS)
        return ExpectationResult.of(answer, body)

    async def expect(
        self,
        match: Optional[Mapping[str, Any]] = None,
        *,
        in_order: Optional[Sequence[Mapping[str, Any]]] = None,
        other_than: Optional[Sequence[Mapping[str, Any]]] = None,
        scope: Scope = OWN,
        count: Optional[int] = None,
        exactly: Optional[int] = None,
        max: Optional[int] = None,
        within: Optional[Duration] = None,
        settle: Optional[Duration] = None,
        after: Optional[int] = None,
        **filters: Unpack[Filters],
    ) -> ExpectationResult:
        """Waits until pushes match: one, `count` or more, `exactly` or at most `max` of them, `within` 5 s.

        `match` and filters as keywords are those of `POST /v1/expectations`: `topic="com.example.app"`,
        `payload={"/aps/category": {"prefix": "NEWS"}}`, `screen={"/title": "Hello"}`. `settle` waits for further
        pushes, `in_order` is a list of matches; `max=0, other_than=[…]` says that no push comes but those that these
        matches select. A broadcast is of no scope: `expect(channel=…, scope=None)`. Raises
        `ExpectationUnmet`, an `AssertionError` with the nearest pushes.
        """
        checked(self.expect, filters, Filters)
        counts: dict[str, Any] = {"count": count, "exactly": exactly, "max": max}
        times: dict[str, Any] = {"within": within, "settle": settle, "after": after}
        others: dict[str, Any] = {"in_order": in_order, "other_than": other_than}
        result = await self.check(match, **others, scope=scope, **counts, **times, **filters)
        if not result.met:
            raise ExpectationUnmet(result)
        return result

    async def wait(
        self, count: int = 1, within: Duration = "5s", *, scope: Scope = OWN, **filters: Unpack[Filters]
    ) -> tuple[Notification, ...]:
        """Waits for `count` pushes that match; returns at most 100 of them, oldest first.

        Raises `ExpectationUnmet` like `expect`.
        """
        checked(self.wait, filters, Filters)
        result = await self.expect(count=count, within=within, scope=scope, **filters)
        return result.items

    @property
    def log_lines(self) -> Sequence[str]:
        """The server's log since the beginning of this test, including lines caused by other tests."""
        return self.server.log_lines[self._log_start :]

    # The end

    async def remove(self) -> dict[str, int]:
        """Removes everything of this scope; returns how many of each kind."""
        while self.shared_faults:
            try:
                await self.control.delete(f"/v1/faults/{self.shared_faults.pop()}")
            except ControlError as error:
                # The test has removed it.
                if error.status != 404:
                    raise
        answer = await self.control.delete(f"/v1/scopes/{quote(self.name, safe='')}")
        removed: dict[str, int] = answer["removed"]
        return removed

    # Parts of calls

    def _of_scope(self, scope: Scope) -> dict[str, str]:
        name = self.name if isinstance(scope, Own) else scope
        return {} if name is None else {"scope": name}

    def _filtered(self, scope: Scope, filters: Mapping[str, Any]) -> list[tuple[str, str]]:
        return list(query({**self._of_scope(scope), **filters}))

    def _new_device(self, topics: Sequence[str], settings: dict[str, Any]) -> dict[str, Any]:
        apps = [{"topic": topic} for topic in topics] + list(settings.pop("registrations", None) or [])
        return {"scope": self.name, **members({"registrations": apps, **settings})}

    def _devices(self, document: Mapping[str, Any]) -> Page[Device]:
        return Page.of(document, lambda device: Device.of(device, self.control))

    def _rule(
        self,
        action: Union[Action, Sequence[Action]],
        match: Optional[Mapping[str, Any]],
        scope: Scope,
        settings: Mapping[str, Any],
    ) -> dict[str, Any]:
        def of(kind: type) -> dict[str, Any]:
            return {name: value for name, value in settings.items() if name in kind.__annotations__}

        matched = {**(match or {}), **match_document(of(FaultFilters))}
        rule = members({**self._of_scope(scope), **of(FaultSettings), "match": matched})
        return {**rule, **actions_document(action, members(of(FaultOptions)))}

    def _kept(self, fault: Fault) -> Fault:
        if fault.scope != self.name:
            self.shared_faults.append(fault.id)
        return fault
