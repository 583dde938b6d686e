"""A scope in a server for one test, with its own devices and faults, which are removed at its end."""

from __future__ import annotations

import ssl
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional, Union
from urllib.parse import quote

from .clock import Clock
from .control import ANSWER_SECONDS, ControlAPI
from .devices import Device
from .documents import Duration, camel_case, match_document, members, optional_duration, plain, query
from .errors import ControlError
from .expectations import ExpectationResult, ExpectationUnmet
from .faults import Action, Fault, actions_document
from .notifications import Notification, Page

if TYPE_CHECKING:
    from .server import MynahServer

# The most items of one list.
PAGE_MAX = 1000
# The longest `within` and the longest `settle` that the server accepts.
EXPECTATION_SECONDS = 3600.0


class _Own:
    """The default of `scope`: the test's own."""


OWN = _Own()
Scope = Union[str, None, _Own]


class Mynah:
    """A server, and a scope in it.

    Devices and faults made here have the scope; lists, expectations and the clock apply to it, unless `scope=None`
    extends them to the whole server. A push belongs to the scope of its device. As a context manager, it removes at its
    end everything that it has made.
    """

    def __init__(self, server: MynahServer, scope: str) -> None:
        self.server = server
        self.name = scope
        self._shared_faults: list[Fault] = []
        self._log_start = len(server.log_lines)

    def __enter__(self) -> Mynah:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.remove()

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
        """The control API, for calls without a method here."""
        return self.server.control

    def provider_token(self) -> str:
        """A provider token that the server accepts, for `authorization: bearer …`."""
        return self.server.provider_token()

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts only this server, and asks for HTTP/2."""
        return self.server.ssl_context()

    # To arrange

    def device(self, *topics: str, online: bool = True, **settings: Any) -> Device:
        """Makes a device with these apps; `settings` are those of `POST /v1/devices`, like `os_version="18.0"`.

        With `online=False` the device goes offline after its apps have got their tokens.
        """
        registrations = [{"topic": topic} for topic in topics] + list(settings.pop("registrations", []))
        body = {"scope": self.name, "registrations": registrations, **members(settings)}
        made = Device.of(self.control.post("/v1/devices", body), self.control)
        return made if online else made.change(online=False)

    def devices(self) -> Page[Device]:
        """The devices of this scope, at most 1,000."""
        found = self.control.get("/v1/devices", {"scope": self.name, "limit": PAGE_MAX})
        return Page.of(found, lambda device: Device.of(device, self.control))

    def change_devices(self, user: str, **changes: Any) -> int:
        """Changes all devices of a user in this scope, as `Device.change` does one; returns how many."""
        body = {camel_case(name): plain(value) for name, value in changes.items()}
        answer = self.control.patch("/v1/devices", body, {"scope": self.name, "user": user})
        return int(answer["changed"]["devices"])

    def start_activities(
        self, topic: str, attributes_type: str, *, user: Optional[str] = None, **settings: Any
    ) -> Mapping[str, Any]:
        """Starts a Live Activity on each device of this scope, or of a user in it, as `Device.start_activity` does.

        Returns `{"started": {"activities": 2}, "refused": {"devices": 0}, "refusals": []}`.
        """
        body = {camel_case(name): plain(value) for name, value in settings.items()}
        activity = {"topic": topic, "attributesType": attributes_type, **body}
        query = members({"scope": self.name, "user": user})
        answer: Mapping[str, Any] = self.control.call("POST", "/v1/activities", query, body=activity)
        return answer

    def dismiss_activities(self, *, user: Optional[str] = None, channel: Optional[str] = None) -> int:
        """Dismisses the Live Activities of this scope, of a user in it, or on a channel; returns how many."""
        query = members({"scope": self.name, "user": user, "channel": channel})
        return int(self.control.delete("/v1/activities", query)["removed"]["activities"])

    def fault(
        self,
        action: Union[Action, Sequence[Action]],
        *,
        match: Optional[Mapping[str, Any]] = None,
        scope: Scope = OWN,
        times: Optional[int] = None,
        skip: Optional[int] = None,
        every: Optional[int] = None,
        probability: Optional[float] = None,
        then: Optional[str] = None,
        priority: Optional[int] = None,
        name: Optional[str] = None,
        **filters: Any,
    ) -> Fault:
        """Adds a fault rule: `fault(503, times=2, topic="com.example.app")`, `fault("stall")`.

        `action` is a status to answer with its usual reason, an action's name, the API's object, or a sequence of
        these, one after the other. `filters` and `match` select the requests. Connections have no scope, so a rule with
        `match={"event": "accept"}` or `"handshake"` needs `scope=None`; it too is removed at the end of the test, but
        until then it also affects other tests on the same server.
        """
        own = self.name if isinstance(scope, _Own) else scope
        rule = members(
            {
                "scope": own, "times": times, "skip": skip, "every": every, "probability": probability, "then": then,
                "priority": priority, "name": name, "match": {**(match or {}), **match_document(filters)},
            }
        )  # fmt: skip
        made = Fault.of(self.control.post("/v1/faults", {**rule, **actions_document(action)}), self.control)
        if own != self.name:
            self._shared_faults.append(made)
        return made

    def faults(self) -> Page[Fault]:
        """The rules of this scope."""
        found = self.control.get("/v1/faults", {"scope": self.name, "limit": PAGE_MAX})
        return Page.of(found, lambda fault: Fault.of(fault, self.control))

    @property
    def clock(self) -> Clock:
        """The clock of this scope's devices."""
        return Clock(self.control, self.name)

    # To assert

    def notifications(
        self,
        q: Optional[str] = None,
        *,
        scope: Scope = OWN,
        wait: Optional[Duration] = None,
        count: Optional[int] = None,
        after: Optional[int] = None,
        order: Optional[str] = None,
        limit: int = PAGE_MAX,
        cursor: Optional[str] = None,
        **filters: Any,
    ) -> Page[Notification]:
        """The pushes in the journal, oldest first, by filters (`topic="com.example.app"`, `payload={"/aps/badge": 3}`).

        A list matches any of its values, `{"not": value}` all others. With `wait` this returns once `count` match, or
        with `timed_out`.
        """
        page = {"wait": optional_duration(wait), "count": count, "after": after, "limit": limit, "cursor": cursor}
        rest = members({"q": q, "order": order, **page})
        parameters = [*query({**self._of_scope(scope), **filters}), *rest.items()]
        return Page.of(self.control.get("/v1/notifications", parameters), Notification.of)

    def last_sequence(self) -> int:
        """The newest sequence number; as `after`, it selects later pushes."""
        return self.notifications(scope=None, limit=1).last_sequence

    def check(
        self,
        match: Optional[Mapping[str, Any]] = None,
        *,
        in_order: Optional[Sequence[Mapping[str, Any]]] = None,
        scope: Scope = OWN,
        count: Optional[int] = None,
        exactly: Optional[int] = None,
        max: Optional[int] = None,
        within: Optional[Duration] = None,
        settle: Optional[Duration] = None,
        after: Optional[int] = None,
        **filters: Any,
    ) -> ExpectationResult:
        """Waits for pushes like `expect`, but returns the result also if it is unmet."""
        both = {**(match or {}), **match_document(filters)}
        if in_order is not None and (both or count is not None or exactly is not None or max is not None):
            raise TypeError("in_order: leave out filters and counts; each step has its own filters")
        if exactly is not None and (count is not None or max is not None):
            raise TypeError("exactly: leave out count and max")
        what: dict[str, Any] = {"match": both, "count": {"exactly": exactly} if exactly is not None else {}}
        if in_order is not None:
            what = {"in_order": in_order}
        elif exactly is None:
            # "At most two" doesn't require one.
            least = 1 if count is None and max is None else count
            what["count"] = members({"min": least, "max": max})
        limits = {"within": optional_duration(within), "settle": optional_duration(settle), "after": after}
        body = members({**what, **limits, **self._of_scope(scope)})
        answer = self.control.post("/v1/expectations", body, timeout=2 * EXPECTATION_SECONDS + ANSWER_SECONDS)
        return ExpectationResult.of(answer, body)

    def expect(
        self,
        match: Optional[Mapping[str, Any]] = None,
        *,
        in_order: Optional[Sequence[Mapping[str, Any]]] = None,
        scope: Scope = OWN,
        count: Optional[int] = None,
        exactly: Optional[int] = None,
        max: Optional[int] = None,
        within: Optional[Duration] = None,
        settle: Optional[Duration] = None,
        after: Optional[int] = None,
        **filters: Any,
    ) -> ExpectationResult:
        """Waits until pushes match: one, `count` or more, `exactly` or at most `max` of them, `within` 5 s.

        `match` and filters as keywords are those of `POST /v1/expectations`: `topic="com.example.app"`,
        `payload={"/aps/category": {"prefix": "NEWS"}}`, `screen={"/title": "Hello"}`. `settle` waits for further
        pushes, `in_order` is a list of matches. A broadcast is of no scope: `expect(channel=…, scope=None)`. Raises
        `ExpectationUnmet`, an `AssertionError` with the nearest pushes.
        """
        __tracebackhide__ = True
        counts: dict[str, Any] = {"count": count, "exactly": exactly, "max": max}
        times: dict[str, Any] = {"within": within, "settle": settle, "after": after}
        result = self.check(match, in_order=in_order, scope=scope, **counts, **times, **filters)
        if not result.met:
            raise ExpectationUnmet(result)
        return result

    def wait(self, count: int = 1, within: Duration = "5s", **filters: Any) -> tuple[Notification, ...]:
        """Waits for `count` pushes that match; returns at most 100 of them, oldest first.

        Raises `ExpectationUnmet` like `expect`.
        """
        __tracebackhide__ = True
        return self.expect(count=count, within=within, **filters).items

    @property
    def log_lines(self) -> Sequence[str]:
        """The server's log since the beginning of this test, including lines caused by other tests."""
        return self.server.log_lines[self._log_start :]

    # The end

    def remove(self) -> dict[str, int]:
        """Removes everything of this scope; returns how many of each kind."""
        for fault in self._shared_faults:
            try:
                fault.remove()
            except ControlError as error:
                # The test has removed it.
                if error.status != 404:
                    raise
        self._shared_faults = []
        removed: dict[str, int] = self.control.delete(f"/v1/scopes/{quote(self.name, safe='')}")["removed"]
        return removed

    def _of_scope(self, scope: Scope) -> dict[str, str]:
        name = self.name if isinstance(scope, _Own) else scope
        return {} if name is None else {"scope": name}
