"""The table of cases in `fixtures/provider-api`, one object per file.

Each file states only its difference from an accepted push:

- `name`: a sentence, unique. `source`: where the rule is written. `rule`: which rule it belongs to.
- `settings`: flags of `serve` by name: `payload-check`, `push-type-check`, `error-content-type`,
  `documented-reasons`, `token-length`, `devices`, `auth`, `environment`.
- `state`: `{"devices": [{"token", "topic", "environment", "unregisteredAt", "expiredAt"}], "keys": [key]}`, known
  beforehand. A key is `{"name", "team", "environment", "topics", "related", "revoked"}`: `name` is what credentials and
  other keys of the case call it; `team` is `other` for the other known team; without `environment` it is good in both,
  without `topics` for the whole team; `related` is another key's name.
- `certificate`: the connection's client certificate, `{"subjectId", "topics", "environment", "validFor"}`: without
  `subjectId` the UID is the first topic, `validFor` (a year) counts from the start. Its requests have no credential
  unless they say so.
- `before`: earlier requests on the same connection, each `{"at", "keys", "revoke", "request", "expect"}`.
- `keys`, `revoke`: what happens before the request: keys that are put in the place of those of their names; names of
  keys that are revoked, or `certificate`.
- `at`: the clock's offset from the start (`1200s`); other than zero it needs a clock that can be moved.
- `request`: `method` (POST); `path`, or `token` for the part behind `/3/device/`; `credential`; `headers`, merged over
  `apns-topic: com.example.app` and `apns-push-type: alert`, where `null` leaves a header out and an array sends it
  more than once; one of `body` (JSON), `bodyText`, `bodySize` (valid JSON padded to so many bytes), by default
  `{"aps":{"alert":"hi"}}`.
- `credential`: `null` for none, `{"raw": value}`, or how the provider token is made: `age` (`3600s`, negative for the
  future; counted back from the request's `at`), `key` (`known`, `unknown`, `other-team`: a known key of another team, or a key's name),
  `signature` (`raw`, `der`, `bad`), `algorithm`, `iat` (`integer`, `float`, `string`, `missing`), `base64` (`url`,
  `standard`), `scheme`, `claims` and `header` (further members), `kid`, `iss`, `newlines`, `variant`. Two credentials
  of one case with the same members and the same `iat` are the same bytes; another `variant` is a token of other bytes.
- `expect`: `status`; `reason` and `timestamp` (milliseconds), which make the whole body; `headers`: a value,
  `{"pattern": regular expression}`, or `null` for absent; `warnings`: exactly those of the journal, in any order.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from typing import Any

from provider_token import Form, SigningKey, authorization
from server import REPOSITORY, Mynah

FOLDER = REPOSITORY / "fixtures" / "provider-api"
DEFAULT_TOKEN = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
DEFAULT_HEADERS = {"apns-topic": "com.example.app", "apns-push-type": "alert"}
OTHER_TEAM = "OTHERTEAM1"
DEFAULT_BODY = {"aps": {"alert": "hi"}}
# A test over the wire can not be exact to the second: the server's clock runs while the request travels.
AGE_LIMIT_SECONDS, AGE_MARGIN_SECONDS = 3600, 5


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

    def obstacle(self) -> str | None:
        """Why the case can not be played against a server in another process, or `None`."""
        # The one place that keeps cases with a client certificate off the wire.
        if "certificate" in self.content:
            return "needs a client certificate"
        if any(seconds(step.get("at", "0s")) != 0 for step in self.steps):
            return "needs a clock that can be moved"
        for step in self.steps:
            credential = step["request"].get("credential") or {}
            distance = abs(abs(seconds(credential.get("age", "0s"))) - AGE_LIMIT_SECONDS)
            if distance <= AGE_MARGIN_SECONDS:
                return "needs a clock that stands still"
        if any(device.get("unregisteredAt") or device.get("expiredAt") for device in self.devices):
            return "needs a device that is unregistered or expired"
        if self.devices and self.settings.get("devices") == "strict":
            return "needs a device that was registered before a push"
        return None


def seconds(text: str) -> int:
    """A number of seconds as the table writes it."""
    match = re.fullmatch(r"(-?\d+)s", text)
    assert match, f"{text!r} is no number of seconds"
    return int(match[1])


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

    def __init__(self, mynah: Mynah, token: str) -> None:
        self.mynah = mynah
        self.token = token
        self.start = int(time.time())
        self.stranger = SigningKey.stranger(mynah.team_id)
        # By their names in the case; ids are the playing's own, because servers are shared.
        self.keys: dict[str, SigningKey] = {}

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
        """Revokes keys of the case."""
        for name in names:
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
        """What to send for a step, once the credentials are as it wants them."""
        self.make_keys(step.get("keys", []))
        self.revoke(step.get("revoke", []))
        request = step["request"]
        path = self.replace_token(request.get("path", "/3/device/" + request.get("token", DEFAULT_TOKEN)))
        fields: list[tuple[str, str]] = []
        value = self.authorization(request.get("credential", {}))
        if value is not None:
            fields.append(("authorization", value))
        for name, values in (DEFAULT_HEADERS | request.get("headers", {})).items():
            for single in values if isinstance(values, list) else [values]:
                if single is not None:
                    fields.append((name, single))
        return WireRequest(request.get("method", "POST"), path, fields, body_of(request))

    def authorization(self, credential: dict[str, Any] | None) -> str | None:
        """The `authorization` value of a step."""
        if credential is None:
            return None
        if "raw" in credential:
            return credential["raw"]
        members = dict(credential)
        issued_at = self.start - seconds(members.pop("age", "0s"))
        key = self.signing_key(members.pop("key", "known"))
        for name in ("claims", "header"):
            members[name] = tuple(members.get(name, {}).items())
        return authorization(key, Form(**members), issued_at)


def body_of(request: dict[str, Any]) -> bytes:
    """The body of a request of the table."""
    if "bodyText" in request:
        return request["bodyText"].encode()
    if "bodySize" in request:
        empty = b'{"aps":{"alert":""}}'
        return empty[:-3] + b"x" * (request["bodySize"] - len(empty)) + empty[-3:]
    return json.dumps(request.get("body", DEFAULT_BODY), separators=(",", ":")).encode()


def check_reply(expect: dict[str, Any], status: int, fields: list[tuple[str, str]], body: bytes) -> None:
    """Compares a reply with what a case expects."""
    assert status == expect["status"], f"{status} {body!r}, expected {expect}"
    if "reason" in expect:
        wanted = {"reason": expect["reason"]} | ({"timestamp": expect["timestamp"]} if "timestamp" in expect else {})
        assert body == json.dumps(wanted, separators=(",", ":")).encode()
    else:
        assert body == b""
    for name, wanted in ({"apns-id": {"pattern": "."}} | expect.get("headers", {})).items():
        values = [value for field, value in fields if field == name]
        if wanted is None:
            assert not values, f"{name}: {values}"
            continue
        assert len(values) == 1, f"{name} came {len(values)} times: {fields}"
        if isinstance(wanted, dict):
            assert re.search(wanted["pattern"], values[0]), f"{name}: {values[0]}"
        else:
            assert values[0] == wanted, f"{name}: {values[0]}"
