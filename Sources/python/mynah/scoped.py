"""A server as one test sees it: what the test makes is its own, and goes with it."""

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
from .documents import Duration, match_document, members, optional_duration, query
from .errors import ControlError
from .expectations import ExpectationResult, ExpectationUnmet
from .faults import Action, Fault, actions_document
from .notifications import Notification, Page

if TYPE_CHECKING:
    from .server import MynahServer

# The most that a list answers at once, and that an expectation and its settling may take on the server, each.
PAGE_MAX = 1000
EXPECTATION_SECONDS = 3600.0


class _Own:
    """The mark of a scope that nobody named: the test's own."""


OWN = _Own()
Scope = Union[str, None, _Own]


class Mynah:
    """A server, and a scope in it.

    Devices and faults that are made here carry the scope; lists, expectations and the clock keep to it, unless
    `scope=None` widens them to the whole server. A push belongs to the scope of the device that its token names. As a
    context manager it removes at its end what it has made.
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

    # What the code under test has to know

    @property
    def host(self) -> str:
        """Where pushes go."""
        return self.server.host

    @property
    def port(self) -> int:
        """Where pushes go."""
        return self.server.port

    @property
    def apns_url(self) -> str:
        """Where pushes go: `https://localhost:2197`."""
        return self.server.apns_url

    @property
    def ca_file(self) -> Path:
        """What is to be trusted, PEM."""
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
        """The control API, for what has no method here."""
        return self.server.control

    def provider_token(self) -> str:
        """A provider token that the server takes, for `authorization: bearer …`."""
        return self.server.provider_token()

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts the server, and nobody else, and asks for HTTP/2."""
        return self.server.ssl_context()

    # What a test arranges

    def device(self, *topics: str, online: bool = True, **settings: Any) -> Device:
        """Makes a device with these apps; `settings` as `POST /v1/devices` takes them, `os_version="18.0"`.

        An app gets its token also on a device that is made offline; without that it would have none before the
        device was online once.
        """
        registrations = [{"topic": topic} for topic in topics] + list(settings.pop("registrations", []))
        body = {"scope": self.name, "registrations": registrations, **members(settings)}
        made = Device.of(self.control.post("/v1/devices", body), self.control)
        return made if online else made.change(online=False)

    def devices(self) -> Page[Device]:
        """The devices of this scope, at most 1,000 of them."""
        found = self.control.get("/v1/devices", {"scope": self.name, "limit": PAGE_MAX})
        return Page.of(found, lambda device: Device.of(device, self.control))

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
        """Adds a rule of what goes wrong: `fault(503, times=2, topic="com.example.app")`, `fault("stall")`.

        `action` is a status to answer with its usual reason, an action's name, the API's object, or a sequence of
        these that come one after the other. `filters` and `match` say for which requests. A connection belongs to no
        scope, so that a rule with `match={"event": "accept"}` or `"handshake"` needs `scope=None`; it is removed at
        the end of the test, too, but others on the same server see it until then.
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

    # What a test asserts

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
        """What the journal has, oldest first, by filters (`topic="com.example.app"`, `payload={"/aps/badge": 3}`).

        A list is any of its values, `{"not": value}` none. With `wait` the answer comes once `count` match, or with
        `timed_out`.
        """
        page = {"wait": optional_duration(wait), "count": count, "after": after, "limit": limit, "cursor": cursor}
        rest = members({"q": q, "order": order, **page})
        parameters = [*query({**self._of_scope(scope), **filters}), *rest.items()]
        return Page.of(self.control.get("/v1/notifications", parameters), Notification.of)

    def last_sequence(self) -> int:
        """The number of the newest thing, to ask with `after` for what comes behind it."""
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
        """Waits for pushes, and says whether they came, as `expect` without an error."""
        both = {**(match or {}), **match_document(filters)}
        if in_order is not None and (both or count is not None or exactly is not None or max is not None):
            raise TypeError("in_order goes without filters and counts; each of its steps has its own filters")
        if exactly is not None and (count is not None or max is not None):
            raise TypeError("exactly goes without count and max")
        what: dict[str, Any] = {"match": both, "count": {"exactly": exactly} if exactly is not None else {}}
        if in_order is not None:
            what = {"in_order": in_order}
        elif exactly is None:
            # "At most two" does not ask for one.
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

        `match` and filters as keywords may be anything that `POST /v1/expectations` takes: `topic="com.example.app"`,
        `payload={"/aps/category": {"prefix": "NEWS"}}`, `screen={"/title": "Hello"}`. `settle` waits whether more
        come, `in_order` takes a list of such matches. Raises `ExpectationUnmet`, an `AssertionError` that says which
        pushes came close.
        """
        __tracebackhide__ = True
        counts: dict[str, Any] = {"count": count, "exactly": exactly, "max": max}
        times: dict[str, Any] = {"within": within, "settle": settle, "after": after}
        result = self.check(match, in_order=in_order, scope=scope, **counts, **times, **filters)
        if not result.met:
            raise ExpectationUnmet(result)
        return result

    def wait(self, count: int = 1, within: Duration = "5s", **filters: Any) -> tuple[Notification, ...]:
        """The pushes that match, oldest first and at most 100 of them, once there are `count`.

        `ExpectationUnmet` when there are not.
        """
        __tracebackhide__ = True
        return self.expect(count=count, within=within, **filters).items

    @property
    def log_lines(self) -> Sequence[str]:
        """What the server has logged since this began; of what other tests made it log, too."""
        return self.server.log_lines[self._log_start :]

    # The end

    def remove(self) -> dict[str, int]:
        """Removes everything of this scope, and says how much that was."""
        for fault in self._shared_faults:
            try:
                fault.remove()
            except ControlError as error:
                # The test has done it itself.
                if error.status != 404:
                    raise
        self._shared_faults = []
        removed: dict[str, int] = self.control.delete(f"/v1/scopes/{quote(self.name, safe='')}")["removed"]
        return removed

    def _of_scope(self, scope: Scope) -> dict[str, str]:
        name = self.name if isinstance(scope, _Own) else scope
        return {} if name is None else {"scope": name}
