"""The calls of a server that are one request each."""

# Made from aio/server_calls.py by generate.py: change that.

# Made by generate.py: change that, or the document.
from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Union
from urllib.parse import quote

from . import schemas
from .documents import checked, members
from .errors import hides_frames
from .keywords import Paging
from .notifications import Page
from .records import (
    Certificate, ClosedConnection, Connection, FailedHandshake, Fleet, Key, MagicToken, Scenario, ScopeUse
)  # fmt: skip
from .control import ControlAPI

if TYPE_CHECKING:
    from typing_extensions import Unpack

__tracebackhide__ = hides_frames


class MynahServerCalls:
    """The calls of a server that are one request each."""

    control: ControlAPI

    def status(self) -> schemas.Status:
        """What it is and does: version, ports, clock, counts."""
        answer: schemas.Status = self.control.get("/v1/status")
        return answer

    def metrics(self) -> str:
        """Its counters, in Prometheus's text format."""
        return str(self.control.get("/metrics"))

    def index(self) -> schemas.Index:
        """The paths of the control API."""
        answer: schemas.Index = self.control.get("/v1/")
        return answer

    def fixtures(self, *, scope: Optional[schemas.Scope] = None) -> schemas.Fixtures:
        """What is there now, or in a `scope`, as a document for `mynah serve --fixtures`."""
        parameters = members({"scope": scope})
        answer: schemas.Fixtures = self.control.get("/v1/fixtures", parameters)
        return answer

    def credentials(self) -> schemas.Credentials:
        """The CA, and the development key with its ids."""
        answer: schemas.Credentials = self.control.get("/v1/credentials")
        return answer

    def certificate_authority(self) -> str:
        """The CA, PEM."""
        return str(self.control.get("/ca.pem"))

    def scopes(self, **page: Unpack[Paging]) -> Page[ScopeUse]:
        """The scopes in use."""
        parameters = members(checked(self.scopes, page, Paging))
        return Page.of(self.control.get("/v1/scopes", parameters), ScopeUse.of)

    def fleets(self, **page: Unpack[Paging]) -> Page[Fleet]:
        """The fleets of devices, of all scopes."""
        parameters = members(checked(self.fleets, page, Paging))
        return Page.of(self.control.get("/v1/fleets", parameters), Fleet.of)

    def delete_channels(self) -> int:
        """Deletes all broadcast channels; returns how many."""
        answer = self.control.delete("/v1/channels")
        return int(answer["removed"]["channels"])

    def keys(self, **page: Unpack[Paging]) -> Page[Key]:
        """The keys of provider tokens that the server accepts, and those that were revoked."""
        parameters = members(checked(self.keys, page, Paging))
        return Page.of(self.control.get("/v1/keys", parameters), Key.of)

    def key(self, key_id: str) -> Key:
        """One key."""
        return Key.of(self.control.get(f"/v1/keys/{quote(key_id, safe='')}"))

    def revoke_key(self, key_id: str) -> Key:
        """Revokes a key: its tokens are InvalidProviderToken from then on."""
        return Key.of(self.control.delete(f"/v1/keys/{quote(key_id, safe='')}"))

    def certificates(self, **page: Unpack[Paging]) -> Page[Certificate]:
        """The provider certificates that the server issued."""
        parameters = members(checked(self.certificates, page, Paging))
        return Page.of(self.control.get("/v1/certificates", parameters), Certificate.of)

    def certificate(self, serial_number: str) -> Certificate:
        """One provider certificate."""
        return Certificate.of(self.control.get(f"/v1/certificates/{quote(serial_number, safe='')}"))

    def revoke_certificate(self, serial_number: str) -> Certificate:
        """Revokes a provider certificate: a handshake with it fails from then on."""
        return Certificate.of(self.control.delete(f"/v1/certificates/{quote(serial_number, safe='')}"))

    def connection(self, id: int) -> Connection:
        """One open connection, by the number that pushes have as `connection`."""
        return Connection.of(self.control.get(f"/v1/connections/{id}"))

    def close_connection(self, connection: Union[int, Connection], *, abort: bool = False) -> None:
        """Closes a connection with GOAWAY, or with `abort` resets it."""
        connection_id = connection if isinstance(connection, int) else connection.id
        parameters = members({"abort": "true" if abort else None})
        self.control.delete(f"/v1/connections/{connection_id}", parameters)

    def failed_handshakes(self, **page: Unpack[Paging]) -> Page[FailedHandshake]:
        """The newest connections that ended before their first request, and why."""
        parameters = members(checked(self.failed_handshakes, page, Paging))
        return Page.of(self.control.get("/v1/failed-handshakes", parameters), FailedHandshake.of)

    def closed_connections(self, **page: Unpack[Paging]) -> Page[ClosedConnection]:
        """The latest connections of providers that have closed."""
        parameters = members(checked(self.closed_connections, page, Paging))
        return Page.of(self.control.get("/v1/closed-connections", parameters), ClosedConnection.of)

    def scenarios(
        self, *, shipped: bool = False, scope: Optional[schemas.Scope] = None, **page: Unpack[Paging]
    ) -> Page[Scenario]:
        """The scenarios that run, all or those of a `scope`, or with `shipped` those that are part of the program."""
        own = members({"shipped": "true" if shipped else None, "scope": scope})
        parameters = {**own, **members(checked(self.scenarios, page, Paging))}
        return Page.of(self.control.get("/v1/scenarios", parameters), Scenario.of)

    def scenario(self, name: str, *, scope: Optional[schemas.Scope] = None) -> Scenario:
        """A scenario that runs, for the whole server or in a `scope`."""
        parameters = members({"scope": scope})
        return Scenario.of(self.control.get(f"/v1/scenarios/{quote(name, safe='')}", parameters))

    def remove_scenario(self, name: str, *, scope: Optional[schemas.Scope] = None) -> dict[str, int]:
        """Ends a scenario, and removes its rules; returns how many of each kind."""
        parameters = members({"scope": scope})
        answer = self.control.delete(f"/v1/scenarios/{quote(name, safe='')}", parameters)
        counts: dict[str, int] = answer["removed"]
        return counts

    def remove_scenarios(self, *, scope: Optional[schemas.Scope] = None) -> dict[str, int]:
        """Ends all scenarios, or those of a `scope`, and removes their rules; returns how many of each kind."""
        parameters = members({"scope": scope})
        answer = self.control.delete("/v1/scenarios", parameters)
        counts: dict[str, int] = answer["removed"]
        return counts

    def magic_tokens(self, **page: Unpack[Paging]) -> Page[MagicToken]:
        """The device tokens and channels that are always answered the same."""
        parameters = members(checked(self.magic_tokens, page, Paging))
        return Page.of(self.control.get("/v1/magic-tokens", parameters), MagicToken.of)
