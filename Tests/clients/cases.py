"""The table of cases in `fixtures/provider-api`, one object per file.

Each file states only its difference from an accepted push:

- `name`: a sentence, unique. `source`: where the rule is written, and its mark of evidence. `rule`: which rule it
  belongs to.
- `settings`: flags of `serve` by name: `payload-check`, `push-type-check`, `error-content-type`,
  `documented-reasons`, `token-length`, `devices`, `auth`, `environment`.
- Times are given for a case that starts on 2026-01-01 at 00:00:00Z, and move with its start.
- `state`: `{"devices": [{"token", "topic", "environment", "unregisteredAt", "expiredAt"}], "keys": [key]}`, known
  beforehand. A key is `{"name", "team", "environment", "topics", "related", "revoked"}`: `name` is what credentials and
  other keys of the case call it; `team` is `other` for the other known team; without `environment` it is good in both,
  without `topics` for the whole team; `related` is another key's name.
  Also `"channels": [{"id", "bundleId", "environment", "policy", "deleted", "count"}]`: `com.example.app` in the sandbox
  with policy 0 unless they say otherwise; `count` makes several with generated ids.
- `service`: `channels` if the requests go to channel management.
- `certificate`: the connection's client certificate, `{"subjectId", "topics", "environment", "validFor"}`: without
  `subjectId` the UID is the first topic, `validFor` (a year) counts from the start. Its requests have no credential
  unless they say so.
- `before`: earlier requests on the same connection, each `{"at", "keys", "revoke", "request", "expect"}`.
- `keys`, `revoke`: what happens before the request: keys that are put in the place of those of their names; names of
  keys that are revoked, or `certificate`.
- `at`: the clock's offset from the start (`1200s`).
- `request`: `method` (POST); `path`, or `token` for the part behind `/3/device/`; `credential`; `headers`, merged over
  `apns-topic: com.example.app` and `apns-push-type: alert`, where `null` leaves a header out and an array sends it
  more than once; one of `body` (JSON), `bodyText`, `bodySize` (valid JSON padded to so many bytes), by default
  `{"aps":{"alert":"hi"}}`. A request for a broadcast or for channel management (`/4/`, `/apps`) has other fields and
  another body by default: those of a good one.
- `credential`: `null` for none, `{"raw": value}`, or how the provider token is made: `age` (`3600s`, negative for the
  future; counted back from the request's `at`), `key` (`known`, `unknown`, `other-team`: a known key of another team,
  or a key's name), `signature` (`raw`, `der`, `bad`), `algorithm`, `iat` (`integer`, `float`, `string`, `missing`),
  `base64` (`url`, `standard`), `scheme`, `claims` and `header` (further members), `kid`, `iss`, `newlines`, `variant`.
  Two credentials of one case with the same members and the same `iat` are the same bytes; another `variant` is a token
  of other bytes.
- `expect`: `status`; `reason` and `timestamp` (milliseconds), which make the whole body; `headers`: a value,
  `{"pattern": regular expression}`, or `null` for absent; `warnings`: exactly those of the journal, in any order;
  `body`: the JSON that channel management answers.
"""

from __future__ import annotations

import datetime
import json
import re
import ssl
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from provider_certificates import Authority, OrderedCertificate, environments_of, topics_by_kind
from provider_token import Form, SigningKey, authorization
from server import REPOSITORY, Mynah

FOLDER = REPOSITORY / "fixtures" / "provider-api"
DEFAULT_TOKEN = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
DEFAULT_HEADERS = {"apns-topic": "com.example.app", "apns-push-type": "alert"}
OTHER_TEAM = "OTHERTEAM1"
DEFAULT_BODY = {"aps": {"alert": "hi"}}
DEFAULT_CHANNEL = "tvI2UK0vEfEAAA6GFnjo2Q=="
BROADCAST_HEADERS = {"apns-channel-id": DEFAULT_CHANNEL, "apns-push-type": "liveactivity", "apns-expiration": "0"}
BROADCAST_BODY = {"aps": {"timestamp": 1767225600, "event": "update", "content-state": {"score": 1}}}
CHANNEL_BODY = {"message-storage-policy": 0, "push-type": "LiveActivity"}
# A clock that runs can not be exact to the second: it goes on while the request travels.
AGE_LIMIT_SECONDS, AGE_MARGIN_SECONDS = 3600, 60
# When the times of the table say that a case starts, in milliseconds.
TABLE_START = 1_767_225_600_000


@dataclass(frozen=True)
class Case:
    """One file of the table."""

    file: str
    content: dict[str, Any]

    @property
    def steps(self) -> list[dict[str, Any]]:
        """All requests in order, the one that the case is about last."""
        last = {
            "at": self.content.get("at", "0s"),
            "keys": self.content.get("keys", []),
            "revoke": self.content.get("revoke", []),
            "request": self.content["request"],
            "expect": self.content["expect"],
        }
        return [*self.content.get("before", []), last]

    @property
    def settings(self) -> dict[str, str]:
        """Flags of `serve` by name."""
        return self.content.get("settings", {})

    @property
    def devices(self) -> list[dict[str, Any]]:
        """The devices known beforehand."""
        return self.content.get("state", {}).get("devices", [])

    @property
    def keys(self) -> list[dict[str, Any]]:
        """The signing keys known beforehand, beside the server's own."""
        return self.content.get("state", {}).get("keys", [])

    @property
    def certificate(self) -> dict[str, Any] | None:
        """The connection's client certificate."""
        return self.content.get("certificate")

    @property
    def channels(self) -> list[dict[str, Any]]:
        """The channels known beforehand."""
        return self.content.get("state", {}).get("channels", [])

    @property
    def is_for_channels(self) -> bool:
        """Whether the requests go to channel management."""
        return self.content.get("service") == "channels"

    @property
    def needs_many_channels(self) -> bool:
        """Whether the case needs more channels than a client would like to make one by one."""
        return any("count" in channel for channel in self.channels)

    @property
    def needs_authority(self) -> bool:
        """Whether the certificate is one that Mynah's own CA does not issue: it counts validity by days."""
        own = {"validFor", "subjectId"}
        return self.certificate is not None and not own.isdisjoint(self.certificate)

    @property
    def needs_frozen_clock(self) -> bool:
        """Whether the case says what time it is, to the second."""
        if any(seconds(step.get("at", "0s")) != 0 for step in self.steps):
            return True
        if any(device.get("unregisteredAt") or device.get("expiredAt") for device in self.devices):
            return True
        ages = [seconds((step["request"].get("credential") or {}).get("age", "0s")) for step in self.steps]
        return any(abs(abs(age) - AGE_LIMIT_SECONDS) <= AGE_MARGIN_SECONDS for age in ages)

    @property
    def is_for_http1(self) -> bool:
        """Whether HTTP/1.1 without TLS can carry it: no client certificate, and a method that its parsers know."""
        path = self.content["request"].get("path", "")
        # Without TLS one port serves everything, so nothing comes to the wrong one.
        is_elsewhere = is_about_management(path) != self.is_for_channels
        return self.certificate is None and not is_elsewhere and not any(
            step["request"].get("method", "POST").islower() for step in self.steps
        )


def seconds(text: str) -> int:
    """A number of seconds as the table writes it."""
    match = re.fullmatch(r"(-?\d+)s", text)
    assert match, f"{text!r} is no number of seconds"
    return int(match[1])


def is_about_management(path: str) -> bool:
    """Whether a path is one of channel management, or meant to be."""
    return path.startswith("/1/")


def all_cases() -> list[Case]:
    """The whole table; an empty one is an error."""
    cases = [Case(path.stem, json.loads(path.read_text())) for path in sorted(FOLDER.glob("*.json"))]
    assert cases, f"{FOLDER} has no case"
    return cases


@dataclass(frozen=True)
class WireRequest:
    """A case's request as it goes out."""

    method: str
    path: str
    fields: list[tuple[str, str]]
    body: bytes


class Play:
    """One playing of a case against a server: its own device token, its own start of time."""

    def __init__(self, mynah: Mynah, token: str, *, freezes_clock: bool = False) -> None:
        self.mynah = mynah
        self.token = token
        self.freezes_clock = freezes_clock
        # In Unix seconds.
        self.start = self.freeze() if freezes_clock else int(time.time())
        self.has_certificate = False
        self.certificate: OrderedCertificate | None = None
        self.stranger = SigningKey.stranger(mynah.team_id)
        # By their names in the case; ids are the playing's own, because servers are shared.
        self.keys: dict[str, SigningKey] = {}

    # Time

    def freeze(self) -> int:
        """Lets the clock stand on the next whole second, since it can not go back to an earlier case's start."""
        # Frozen first, so that the second doesn't pass meanwhile.
        frozen = self.mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
        start = int(datetime.datetime.fromisoformat(frozen.json()["now"]).timestamp()) + 1
        answer = self.mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen", "now": rfc3339(start * 1000)})
        assert answer.status == 200, answer
        return start

    def move_to(self, milliseconds: int) -> None:
        """Moves the clock on to a moment in Unix milliseconds."""
        now = datetime.datetime.fromisoformat(self.mynah.control.get("/v1/clock")["now"])
        if milliseconds > round(now.timestamp() * 1000):
            assert self.freezes_clock, "the server is shared by tests that count on its clock"
            self.mynah.control.post("/v1/clock/advance", {"to": rfc3339(milliseconds)})

    def own_time(self, milliseconds: int) -> int:
        """A time of the table's, moved with the start."""
        return milliseconds - TABLE_START + self.start * 1000

    # What is there beforehand

    def make_devices(self, devices: list[dict[str, Any]]) -> None:
        """Makes the devices of the case known, and lets happen to them what ends their tokens."""
        for device in devices:
            app = {"topic": device["topic"], "token": self.replace_token(device["token"])}
            document = {"id": f"case-{uuid.uuid4().hex}", "environment": device["environment"], "registrations": [app]}
            self.mynah.control.post("/v1/devices", document)
            apps = f"/v1/devices/{document['id']}/registrations"
            if unregistered_at := device.get("unregisteredAt"):
                self.move_to(self.own_time(unix_milliseconds(unregistered_at)))
                answer = self.mynah.control.ask("DELETE", f"{apps}/{device['topic']}")
                assert answer.status == 200, answer
            if expired_at := device.get("expiredAt"):
                self.move_to(self.own_time(unix_milliseconds(expired_at)))
                self.mynah.control.post(apps, {"topic": device["topic"], "rotate": "osReinstall"})

    def make_channels(self, channels: list[dict[str, Any]]) -> None:
        """Makes the channels of the case known, and no others."""
        self.mynah.control.ask("DELETE", "/v1/channels")
        for channel in channels:
            document = {
                "id": channel["id"],
                "bundleId": channel.get("bundleId", "com.example.app"),
                "environment": channel.get("environment", "sandbox"),
                "messageStoragePolicy": channel.get("policy", 0),
            }
            self.mynah.control.post("/v1/channels", document)
            if channel.get("deleted"):
                answer = self.mynah.control.ask("DELETE", f"/v1/channels/{quote(channel['id'], safe='')}")
                assert answer.status == 200, answer

    def tls_context(
        self, case: Case, authority: Authority, folder: Path, version: ssl.TLSVersion | None
    ) -> ssl.SSLContext | None:
        """A client's TLS settings with the case's certificate: of Mynah's CA, or of one that it was told to believe."""
        certificate = case.certificate
        if certificate is None:
            return None
        self.has_certificate = True
        topics, environment = certificate["topics"], certificate.get("environment", "both")
        if case.needs_authority:
            ends = self.start + seconds(certificate.get("validFor", "31536000s"))
            identity = authority.issue(
                certificate.get("subjectId", topics[0]),
                topics=topics_by_kind(topics),
                environments=environments_of(environment),
                not_after=datetime.datetime.fromtimestamp(ends, datetime.UTC),
            )
            return identity.context(folder, self.mynah.ca_file, version)
        self.certificate = OrderedCertificate(self.mynah, folder, topics=topics, environment=environment)
        return self.certificate.context(version)

    def make_keys(self, keys: list[dict[str, Any]]) -> None:
        """Makes keys of the case known, or puts them in the place of those of their names."""
        for key in keys:
            team = OTHER_TEAM if key.get("team") == "other" else self.mynah.team_id
            self.keys.setdefault(key["name"], SigningKey.stranger(team))
        # A key that names another comes after it.
        for key in sorted(keys, key=lambda key: "related" in key):
            signing_key = self.keys[key["name"]]
            document = {"team": signing_key.team_id, "publicKey": signing_key.public_pem().decode()}
            document |= {name: key[name] for name in ("environment", "topics") if name in key}
            if "related" in key:
                document["related"] = self.keys[key["related"]].key_id
            answer = self.mynah.control.ask("PUT", f"/v1/keys/{signing_key.key_id}", body=document)
            assert answer.status in (200, 201), answer
            if key.get("revoked"):
                self.revoke([key["name"]])

    def revoke(self, names: list[str]) -> None:
        """Revokes keys of the case, or its certificate."""
        for name in names:
            if name == "certificate":
                assert self.certificate is not None, "only Mynah's own certificates can be revoked"
                self.certificate.revoke()
                continue
            answer = self.mynah.control.ask("DELETE", f"/v1/keys/{self.keys[name].key_id}")
            assert answer.status == 200 and answer.json()["revokedAt"], answer

    def signing_key(self, name: str) -> SigningKey:
        """Whose key signs a token."""
        if name == "other-team" and name not in self.keys:
            self.make_keys([{"name": name, "team": "other"}])
        return {"known": self.mynah.key, "unknown": self.stranger, **self.keys}[name]

    def replace_token(self, text: str) -> str:
        """The table's default device token becomes the playing's own, in the case in which it is written."""

        def own(match: re.Match[str]) -> str:
            written = match[0]
            return "".join(
                digit.upper() if half.isupper() else digit
                for half, part in ((written[:32], self.token[:32]), (written[32:], self.token[32:]))
                for digit in part
            )

        return re.sub(DEFAULT_TOKEN, own, text, flags=re.IGNORECASE)

    def request(self, step: dict[str, Any]) -> WireRequest:
        """What to send for a step, once the clock and the credentials are as it wants them."""
        at = seconds(step.get("at", "0s"))
        if at:
            self.move_to((self.start + at) * 1000)
        self.make_keys(step.get("keys", []))
        self.revoke(step.get("revoke", []))
        request = step["request"]
        path = self.replace_token(request.get("path", "/3/device/" + request.get("token", DEFAULT_TOKEN)))
        fields: list[tuple[str, str]] = []
        value = self.authorization(request.get("credential", None if self.has_certificate else {}), at)
        if value is not None:
            fields.append(("authorization", value))
        usual: dict[str, Any] = DEFAULT_HEADERS
        if path.startswith("/4/"):
            usual = BROADCAST_HEADERS
        elif "/apps" in path:
            usual = {}
        for name, values in (usual | request.get("headers", {})).items():
            for single in values if isinstance(values, list) else [values]:
                if single is not None:
                    fields.append((name, single))
        return WireRequest(request.get("method", "POST"), path, fields, body_of(request))

    def authorization(self, credential: dict[str, Any] | None, at: int) -> str | None:
        """The `authorization` value of a step that comes so many seconds after the start."""
        if credential is None:
            return None
        if "raw" in credential:
            return credential["raw"]
        members = dict(credential)
        issued_at = self.start + at - seconds(members.pop("age", "0s"))
        key = self.signing_key(members.pop("key", "known"))
        for name in ("claims", "header"):
            members[name] = tuple(members.get(name, {}).items())
        return authorization(key, Form(**members), issued_at)

    def check_reply(
        self, expect: dict[str, Any], status: int, fields: list[tuple[str, str]], body: bytes
    ) -> None:
        """Compares a reply with what a case expects."""
        if "timestamp" in expect:
            expect = expect | {"timestamp": self.own_time(expect["timestamp"])}
        check_reply(expect, status, fields, body)


def rfc3339(milliseconds: int) -> str:
    """A time as the control API writes it."""
    moment = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def unix_milliseconds(text: str) -> int:
    """A time of the table's."""
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def body_of(request: dict[str, Any]) -> bytes:
    """The body of a request of the table."""
    if "bodyText" in request:
        return request["bodyText"].encode()
    if "bodySize" in request:
        empty = b'{"aps":{"alert":""}}'
        return empty[:-3] + b"x" * (request["bodySize"] - len(empty)) + empty[-3:]
    usual: Any = DEFAULT_BODY
    path = request.get("path", "")
    if path.startswith("/4/"):
        usual = BROADCAST_BODY
    elif "/apps" in path:
        usual = CHANNEL_BODY
        if request.get("method", "POST") not in ("POST", "PUT"):
            return b""
    return json.dumps(request.get("body", usual), separators=(",", ":")).encode()


def check_reply(expect: dict[str, Any], status: int, fields: list[tuple[str, str]], body: bytes) -> None:
    """Compares a reply with what a case expects."""
    assert status == expect["status"], f"{status} {body!r}, expected {expect}"
    if "reason" in expect:
        wanted = {"reason": expect["reason"]} | ({"timestamp": expect["timestamp"]} if "timestamp" in expect else {})
        assert body == json.dumps(wanted, separators=(",", ":")).encode()
    elif "body" in expect:
        assert body == json.dumps(expect["body"], separators=(",", ":")).encode()
    else:
        assert body == b""
    # Requests that concern channels have another id.
    own_id = "apns-request-id" if any(name == "apns-request-id" for name, _ in fields) else "apns-id"
    for name, wanted in ({own_id: {"pattern": "."}} | expect.get("headers", {})).items():
        values = [value for field, value in fields if field == name]
        if wanted is None:
            assert not values, f"{name}: {values}"
            continue
        assert len(values) == 1, f"{name} came {len(values)} times: {fields}"
        if isinstance(wanted, dict):
            assert re.search(wanted["pattern"], values[0]), f"{name}: {values[0]}"
        else:
            assert values[0] == wanted, f"{name}: {values[0]}"
