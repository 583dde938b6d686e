"""What a server has besides pushes and devices: channels, keys, certificates, connections, scenarios and others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Optional, TypeVar

from . import schemas
from .documents import Record, read
from .notifications import Credential

_Connection = TypeVar("_Connection", bound="Connection")


@dataclass(frozen=True)
class Channel(Record):
    """A broadcast channel of an app."""

    # 16 bytes in standard base64, as `apns-channel-id` has it.
    id: str
    bundle_id: str
    environment: str
    # 0: it stores nothing; 1: it stores the most recent message.
    message_storage_policy: int
    created_at: datetime
    # The number of accepted broadcasts.
    broadcasts: int
    # The running Live Activities that follow it, on all devices.
    followers: int
    # Until when it keeps its most recent message; `None` if it keeps none.
    stored_until: Optional[datetime]


@dataclass(frozen=True)
class Key(Record):
    """A key that signs provider tokens."""

    key_id: str
    team: str
    # PEM.
    public_key: str
    # "sandbox", "production" or "both".
    environment: str
    # The only topics that it signs for; `None` for all of its team.
    topics: Optional[Sequence[str]]
    related: Optional[str]
    revoked_at: Optional[datetime]
    can_sign: bool
    # PEM, in the answer that made it alone.
    private_key: Optional[str] = field(repr=False)


@dataclass(frozen=True)
class Certificate(Record):
    """A provider certificate that the server issued."""

    # Hexadecimal digits.
    serial_number: str
    subject: str
    # "topic" and "kind".
    topics: Sequence[Mapping[str, Any]]
    environment: str
    not_before: datetime
    not_after: datetime
    issued_at: datetime
    revoked_at: Optional[datetime]
    # PEM.
    certificate: str
    # Only in the answer that issued it: the CA, PEM; then, unless a signing request was given, the private key, PEM, and
    # certificate and key as PKCS #12 in base64, with its password.
    authority: Optional[str] = field(repr=False)
    private_key: Optional[str] = field(repr=False)
    pkcs12: Optional[str] = field(repr=False)
    password: Optional[str] = field(repr=False)


@dataclass(frozen=True)
class Connection:
    """A provider's connection, as it was when it was asked for."""

    id: int
    peer: str
    opened_at: datetime
    # "TLSv1.2" or "TLSv1.3"; `None`, like the next three, without TLS.
    tls: Optional[str]
    cipher: Optional[str]
    sni: Optional[str]
    alpn: Optional[str]
    environment: str
    credential: Optional[Credential]
    # "open", "limit" and "total".
    streams: schemas.ConnectionStreams
    pushes: int
    pings: int
    bytes_in: int
    bytes_out: int
    # The name of its server in a cluster.
    server: Optional[str]
    document: schemas.Connection = field(repr=False, compare=False)

    @classmethod
    def of(cls: type[_Connection], document: Mapping[str, Any]) -> _Connection:
        """Reads the server's JSON."""
        credential = document["credential"]
        return read(cls, document, credential=None if credential is None else Credential.of(credential))


@dataclass(frozen=True)
class ClosedConnection(Connection):
    """A connection that has closed, as it was at its end."""

    closed_at: datetime
    # Of the GOAWAY that the server sent, or why else it ended it.
    reason: Optional[str]
    document: schemas.ClosedConnection = field(repr=False, compare=False)


@dataclass(frozen=True)
class FailedHandshake(Record):
    """A connection that ended before its first request."""

    id: int
    at: datetime
    peer: str
    sni: Optional[str]
    environment: str
    # "serverNotTrusted", "notTLS", "noHTTP2", "tlsVersion" and others.
    cause: str
    reason: str
    # How many of the same have followed each other.
    count: int


@dataclass(frozen=True)
class MagicToken(Record):
    """A device token, a channel's id, or the segment of a web push's endpoint, that is always answered the same."""

    token: str
    channel: str
    segment: str
    does: str
    status: Optional[int]
    reason: Optional[str]


@dataclass(frozen=True)
class Scenario(Record):
    """A script of faults: one that runs, or one that is part of the program."""

    name: str
    description: Optional[str]
    # `None` for the whole server.
    scope: Optional[str]
    seed: Optional[int]
    # "after", "add", "remove".
    steps: Sequence[Mapping[str, Any]]
    # `None`, like what follows, for one that doesn't run.
    started_at: Optional[datetime]
    steps_done: Optional[int]
    # The step that is due next; `None` after the last one.
    next: Optional[Mapping[str, Any]]
    # The ids of its rules that are in force.
    rules: Optional[Sequence[str]]
    # Why it stopped early.
    problem: Optional[str]


@dataclass(frozen=True)
class ScopeUse(Record):
    """A scope, and how much is in it."""

    name: str
    devices: int
    faults: int


@dataclass(frozen=True)
class Fleet(Record):
    """The devices that were made together, by `count`."""

    # The id that was given with `count`.
    id: str
    devices: int
    # The sequence number of the push that arrived last on one of them.
    last_push: Optional[int]


@dataclass(frozen=True)
class SentNotification(Record):
    """What came of a push that the server sent to itself."""

    # `None` if APNs gave no answer; `problem` says why.
    status: Optional[int]
    reason: Optional[str]
    apns_id: str
    # Its number in the journal; `None` if it is not there.
    sequence: Optional[int]
    problem: Optional[str]


@dataclass(frozen=True)
class ClockReport(Record):
    """The effects of a change of the clock."""

    # "real", "offset" or "frozen".
    mode: str
    now: datetime
    last_sequence: int
    delivered: int
    expired: int
    coalesced: int
