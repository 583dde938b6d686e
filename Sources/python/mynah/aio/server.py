"""A server: what it is to the code under test, and what belongs to no scope."""

from __future__ import annotations

import ssl
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional, TypeVar, Union
from urllib.parse import quote

from .. import schemas
from ..documents import Duration, checked, members, optional_duration, query, time
from ..errors import MynahError, hides_frames
from ..keywords import CertificateSettings, ChannelSettings, ConnectionFilters, KeySettings
from ..notifications import Page
from ..place import Place
from ..records import Certificate, Channel, Connection, Key, Scenario
from ..signing import SigningKey
from .clock import Clock
from .control import ControlAPI
from .scoped import PAGE_MAX, Mynah
from .server_calls import MynahServerCalls

if TYPE_CHECKING:
    from typing_extensions import Unpack

__tracebackhide__ = hides_frames

_Self = TypeVar("_Self", bound="MynahServer")

# The most pages of a list that is read whole, from a server that may be none of Mynah's and give pages for ever.
PAGES_MAX = 10_000


class MynahServer(MynahServerCalls):
    """A server, for the code under test and its tests."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.control = self.open_control(place.url, place.token)

    def open_control(self, url: str, token: Optional[str]) -> ControlAPI:
        """Makes the value of `control`; for subclasses."""
        return ControlAPI(url, token)

    # For the code under test

    @property
    def url(self) -> str:
        """The URL of the control API."""
        return self.place.url

    @property
    def host(self) -> str:
        """The host for pushes."""
        return self.place.host

    @property
    def port(self) -> int:
        """The port for pushes."""
        return self.place.port

    @property
    def apns_url(self) -> str:
        """The URL for pushes: `https://localhost:2197`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}:{self.port}"

    @property
    def ca_file(self) -> Path:
        """The CA to trust, PEM."""
        return self.place.ca_file

    @property
    def signing_key(self) -> SigningKey:
        """The development key; an error if the server uses its user's own keys (`--auth-key`)."""
        return self.place.own_key

    @property
    def key_file(self) -> Path:
        """The development key as an `AuthKey_<KEYID>.p8`."""
        return self.place.own_key_file

    @property
    def key_id(self) -> str:
        """The id of the development key."""
        return self.signing_key.key_id

    @property
    def team_id(self) -> str:
        """The team of the development key."""
        return self.signing_key.team_id

    async def provider_token(self) -> str:
        """A provider token that this server accepts, for `authorization: bearer …`.

        It stays the same for 50 minutes of the server's clock, as APNs requires.
        """
        status = await self.status()
        return self.place.provider_token(int(time(status["now"]).timestamp()))

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts only this server, and asks for HTTP/2."""
        return self.place.ssl_context()

    # The server itself

    async def probe(self, name: str = "readyz") -> str:
        """`starting`, `ready` or `stopping`, by a probe: `livez`, `healthz` or `readyz`.

        `readyz` raises `ControlError` with status 503 unless it is ready.
        """
        answer = await self.control.get(f"/{quote(name, safe='')}")
        return str(answer["status"])

    async def openapi(self) -> Mapping[str, Any]:
        """The OpenAPI document of the control API."""
        answer: Mapping[str, Any] = await self.control.get("/openapi.json")
        return answer

    async def reset(self, only: Optional[Sequence[str]] = None, *, scope: Optional[str] = None) -> dict[str, int]:
        """Returns to the state of the start, of everything or of some kinds (`["faults", "clock"]`), or of a scope.

        Returns how many of each kind were removed.
        """
        answer = await self.control.post("/v1/reset", members({"only": only, "scope": scope}))
        removed: dict[str, int] = answer["removed"]
        return removed

    @property
    def clock(self) -> Clock:
        """The server's clock, which all tests share."""
        return Clock(self.control, None)

    @property
    def log_lines(self) -> Sequence[str]:
        """The server's log; empty for a server that was not started here."""
        return self.place.log_lines

    # Scopes

    def scope(self, name: str) -> Mynah:
        """The server as one test sees it; a context manager that removes the test's devices and faults."""
        return Mynah(self, name)

    # Broadcast channels

    async def create_channel(self, bundle_id: str, **settings: Unpack[ChannelSettings]) -> Channel:
        """Creates a broadcast channel, as a provider does, but with an `id` of one's choice if that is given."""
        body = members({"bundle_id": bundle_id, **checked(self.create_channel, settings, ChannelSettings)})
        return Channel.of(await self.control.post("/v1/channels", body))

    async def channels(
        self, *, bundle_id: Optional[str] = None, environment: Optional[str] = None
    ) -> list[Channel]:
        """All broadcast channels, of an app or an environment; those of providers too, in the order of creation."""
        channels: list[Channel] = []
        query = members({"bundle_id": bundle_id, "environment": environment, "limit": PAGE_MAX})
        for _ in range(PAGES_MAX):
            page = Page.of(await self.control.get("/v1/channels", query), Channel.of)
            channels += page
            if page.next_cursor is None:
                return channels
            if not page:
                raise MynahError("the control API names a next page after an empty one: expected the end of the list")
            if page.next_cursor == query.get("cursor"):
                raise MynahError("the control API names the same next page again: expected another one")
            query["cursor"] = page.next_cursor
        raise MynahError(f"the control API has listed {PAGES_MAX} pages of channels: expected an end")

    async def channel(self, channel_id: str) -> Channel:
        """One broadcast channel; a `ControlError` with status 404 for an unknown one."""
        return Channel.of(await self.control.get(f"/v1/channels/{quote(channel_id, safe='')}"))

    async def delete_channel(self, channel_id: str) -> Channel:
        """Deletes a broadcast channel: a broadcast to it is ChannelNotRegistered from then on."""
        return Channel.of(await self.control.delete(f"/v1/channels/{quote(channel_id, safe='')}"))

    # Keys and certificates

    async def add_key(self, **settings: Unpack[KeySettings]) -> Key:
        """Adds a key; without a `public_key` or `private_key`, a new one, whose `private_key` is in the result."""
        body = members(checked(self.add_key, settings, KeySettings))
        return Key.of(await self.control.post("/v1/keys", body))

    async def put_key(self, key_id: str, /, **settings: Unpack[KeySettings]) -> Key:
        """Adds a key with this id, or replaces the one that has it."""
        body = members(checked(self.put_key, settings, KeySettings))
        return Key.of(await self.control.put(f"/v1/keys/{quote(key_id, safe='')}", body))

    async def issue_certificate(self, *topics: str, **settings: Unpack[CertificateSettings]) -> Certificate:
        """Issues a provider certificate for topics, with its private key."""
        body = members({"topics": topics, **checked(self.issue_certificate, settings, CertificateSettings)})
        return Certificate.of(await self.control.post("/v1/certificates", body))

    # Connections

    async def connections(
        self,
        *,
        wait: Optional[Duration] = None,
        count: Optional[int] = None,
        order: Optional[schemas.Order] = None,
        limit: int = PAGE_MAX,
        cursor: Optional[str] = None,
        **filters: Unpack[ConnectionFilters],
    ) -> Page[Connection]:
        """The open connections of providers by filters; with `wait`, once `count` match or with `timed_out`."""
        page = {"wait": optional_duration(wait), "count": count, "order": order, "limit": limit, "cursor": cursor}
        found = query(checked(self.connections, filters, ConnectionFilters))
        answer = await self.control.get("/v1/connections", [*found, *members(page).items()])
        return Page.of(answer, Connection.of)

    # Scenarios

    async def start_scenario(
        self, scenario: Union[str, schemas.ScenarioSpecification], *, scope: Optional[str] = None
    ) -> Scenario:
        """Starts a scenario of the program by its name, or one of one's own, for the whole server or a scope.

        In a scope its rules touch only pushes to devices of the scope, and its steps follow the scope's clock.
        """
        body = {"name": scenario} if isinstance(scenario, str) else scenario
        return Scenario.of(await self.control.post("/v1/scenarios", {**body, **members({"scope": scope})}))

    # The end

    async def close(self) -> None:
        """Stops the server if it was started here."""

    async def __aenter__(self: _Self) -> _Self:
        return self

    async def __aexit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
