"""Web apps with their subscriptions, and the requests of `fixtures/web-push`, whose README describes the format."""

from __future__ import annotations

import base64
import http.client
import json
import re
import secrets
import ssl
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import http_ece
import yaml
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from devices import unique_id
from h2client import connect
from server import REPOSITORY, Mynah
from waiting import HANG_SECONDS

FOLDER = REPOSITORY / "fixtures" / "web-push"
MESSAGES = FOLDER / "messages.yaml"
SUBJECT = "mailto:push@example.com"
# A point that is on no curve.
OFF_CURVE = b"\x04" + b"\x01" * 64
# The header of `aes128gcm`, its delimiter and its tag.
OVERHEAD_BYTES = 103


def base64url(data: bytes) -> str:
    """Base64url without padding, as all of Web Push writes bytes."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class VapidKey:
    """An application server key."""

    def __init__(self) -> None:
        self.private_key = ec.generate_private_key(ec.SECP256R1())
        self.point = self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.text = base64url(self.point)

    def number(self) -> str:
        """The private number in base64url, as pywebpush takes it."""
        return base64url(self.private_key.private_numbers().private_value.to_bytes(32, "big"))

    def pem(self) -> bytes:
        return self.private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def public_pem(self) -> bytes:
        return self.private_key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def token(
        self,
        claims: dict[str, Any],
        algorithm: str = "ES256",
        signature: str = "raw",
        header: dict[str, Any] | None = None,
    ) -> str:
        """A JSON Web Token, maybe with a signature in another form, or further members of its header."""
        members = {"typ": "JWT", "alg": algorithm} | (header or {})
        members = {name: value for name, value in members.items() if value is not None}
        signed = ".".join(base64url(json.dumps(part).encode()) for part in (members, claims))
        der = self.private_key.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        raw = b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(der))
        if signature == "changed":
            raw = bytes([raw[0] ^ 1]) + raw[1:]
        padding = "==" if signature == "padded" else ""
        return f"{signed}.{base64url(der if signature == 'der' else raw)}{padding}"


@dataclass
class WebApp:
    """A web app on a device of this test's own, with what its browser has handed out."""

    mynah: Mynah
    device: str
    origin: str
    key: VapidKey
    registration: dict[str, Any]

    @property
    def subscription(self) -> dict[str, Any]:
        """What `JSON.stringify(subscription)` prints."""
        return self.registration["webPush"]

    @property
    def endpoint(self) -> str:
        return self.subscription["endpoint"]

    @property
    def path(self) -> str:
        """Where the control API has the registration."""
        return f"/v1/devices/{self.device}/registrations/{quote(self.origin, safe='')}"

    def pushes(self) -> list[dict[str, Any]]:
        """What the journal has of it, oldest first."""
        return self.mynah.control.pushes(self.registration["token"])

    def screen(self) -> list[dict[str, Any]]:
        """The notifications on its device, newest first."""
        found: list[dict[str, Any]] = self.mynah.control.get(f"/v1/devices/{self.device}/screen")["notifications"]
        return found

    def patch(self, **members: Any) -> None:
        """Changes the registration."""
        answer = self.mynah.control.ask("PATCH", self.path, body=members)
        assert answer.status == 200, answer

    def set_online(self, online: bool) -> None:
        answer = self.mynah.control.ask("PATCH", f"/v1/devices/{self.device}", body={"online": online})
        assert answer.status == 200, answer

    def remove(self) -> None:
        answer = self.mynah.control.ask("DELETE", self.path)
        assert answer.status in (200, 204), answer


def subscribe(mynah: Mynah, key: VapidKey | None = None, device: str | None = None, **members: Any) -> WebApp:
    """Subscribes a web app on a new device, or on the named one."""
    key = key or VapidKey()
    origin = f"https://shop-{uuid.uuid4().hex[:8]}.example"
    if device is None:
        device = unique_id("phone")
        mynah.control.post("/v1/devices", {"id": device})
    asked = {"topic": origin, "kind": "web", "applicationServerKey": key.text} | members
    registration = mynah.control.post(f"/v1/devices/{device}/registrations", asked)
    return WebApp(mynah, device, origin, key, registration)


@dataclass(frozen=True)
class WebReply:
    """What the service answered."""

    status: int
    fields: dict[str, str]
    body: bytes

    @property
    def reason(self) -> str | None:
        return json.loads(self.body)["reason"] if self.body else None


@dataclass(frozen=True)
class WebRequest:
    """A push as it goes over the wire."""

    method: str
    path: str
    fields: dict[str, str]
    body: bytes

    def over_http1(self, mynah: Mynah) -> WebReply:
        context = ssl.create_default_context(cafile=str(mynah.ca_file))
        port = mynah.ready["webPushPort"]
        connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=HANG_SECONDS)
        try:
            connection.request(self.method, self.path, self.body, self.fields)
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            return WebReply(response.status, fields, response.read())
        finally:
            connection.close()

    def over_http2(self, mynah: Mynah) -> WebReply:
        port = mynah.ready["webPushPort"]
        pseudo = [
            (":method", self.method),
            (":scheme", "https"),
            (":path", self.path),
            (":authority", f"localhost:{port}"),
        ]
        fields = [(name.lower(), value) for name, value in self.fields.items()]
        with connect(mynah, port=port) as connection:
            reply = connection.reply(connection.request([*pseudo, *fields], self.body))
        assert reply.is_ended
        return WebReply(reply.status, dict(reply.fields), reply.body)


VERSIONS: dict[str, Callable[[WebRequest, Mynah], WebReply]] = {
    "http1": WebRequest.over_http1,
    "http2": WebRequest.over_http2,
}


def encrypted(app: WebApp, text: bytes, encoding: str = "aes128gcm") -> tuple[bytes, dict[str, str]]:
    """A body for a subscription, and the fields that go with it."""
    sender = ec.generate_private_key(ec.SECP256R1())
    keys = app.subscription["keys"]
    salt = secrets.token_bytes(16)
    body = http_ece.encrypt(
        text,
        salt=salt,
        private_key=sender,
        dh=decoded(keys["p256dh"]),
        auth_secret=decoded(keys["auth"]),
        version=encoding,
    )
    fields = {"content-encoding": encoding}
    if encoding == "aesgcm":
        point = sender.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        fields |= {"encryption": f"salt={base64url(salt)}", "crypto-key": f"dh={base64url(point)}"}
    return body, fields


@dataclass(frozen=True)
class WebCase:
    """A case of the fixtures that is a request."""

    file: str
    content: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.content["name"])

    @property
    def subscriber(self) -> str:
        """Whose key the subscription has."""
        endpoint = self.content.get("endpoint")
        return endpoint.get("key", "own") if isinstance(endpoint, dict) else "own"

    @property
    def is_gone(self) -> bool:
        return self.content.get("endpoint") == "gone"

    def request(self, app: WebApp, own: VapidKey, other: VapidKey) -> WebRequest:
        """The request to a web app's endpoint, by its own key or the other one."""
        given = self.content.get("request", {})
        url = urlsplit(app.endpoint)
        key = named_key(given.get("key", "own"), own, other)
        token = token_of(given, url.hostname or "", url.port or 443, own, other)
        body, fields = body_of(given.get("body", {"text": "hello"}), app)
        fields = {"ttl": "60"} | fields
        if given.get("form") == "webpush":
            named = [fields.get("crypto-key"), f"p256ecdsa={key}" if key else None]
            fields["authorization"] = f"WebPush {token}"
            fields["crypto-key"] = ";".join(part for part in named if part)
        else:
            fields["authorization"] = f"vapid t={token}" + (f", k={key}" if key else "")
        for name, value in given.get("headers", {}).items():
            fields.pop(name.lower(), None)
            if value is not None:
                fields[name] = value.replace("{token}", token).replace("{key}", key or "")
        return WebRequest(given.get("method", "POST"), given.get("path", url.path), fields, body)


def all_web_cases() -> list[WebCase]:
    """The cases of all files but that of messages."""
    files = sorted(path for path in FOLDER.glob("*.yaml") if path != MESSAGES)
    cases = [WebCase(path.stem, content) for path in files for content in yaml.safe_load(path.read_text())]
    assert cases
    return cases


def named_key(name: str, own: VapidKey, other: VapidKey) -> str | None:
    keys = {
        "own": own.text,
        "other": other.text,
        "missing": None,
        "compressed": base64url(b"\x02" + own.point[1:33]),
        "offcurve": base64url(OFF_CURVE),
    }
    return keys.get(name, name)


def body_of(given: dict[str, Any], app: WebApp) -> tuple[bytes, dict[str, str]]:
    standard = {"content-encoding": "aes128gcm"}
    if "empty" in given:
        return b"", standard
    if "raw" in given:
        return given["raw"].encode(), standard
    if "bytes" in given:
        return decoded(given["bytes"]), standard
    text = b"x" * (given["size"] - OVERHEAD_BYTES) if "size" in given else given["text"].encode()
    body, fields = encrypted(app, text, given.get("encoding", "aes128gcm"))
    if "base64" in given:
        body = base64url(body).encode() + (b"\r\n" if given["base64"] == "line" else b"")
    return body, fields


def token_of(given: dict[str, Any], host: str, port: int, own: VapidKey, other: VapidKey) -> str:
    form = given.get("token", {})
    if "raw" in form:
        return str(form["raw"])
    claims: dict[str, Any] = {"aud": "{origin}", "exp": "{now+43200}", "sub": SUBJECT}
    claims = {name: value for name, value in (claims | given.get("claims", {})).items() if value is not None}
    filled = {name: filled_claim(value, host, port) for name, value in claims.items()}
    signer = other if form.get("key") == "other" else own
    return signer.token(filled, form.get("algorithm", "ES256"), form.get("signature", "raw"), form.get("header"))


def filled_claim(value: Any, host: str, port: int) -> Any:
    if not isinstance(value, str):
        return value
    moment = re.fullmatch(r"\{(text:|half:)?now([+-]\d+)\}", value)
    if moment:
        seconds = int(time.time()) + int(moment[2])
        return {"text:": str(seconds), "half:": seconds + 0.5}.get(moment[1], seconds)
    places = {"{origin}": f"https://{host}:{port}", "{host}": host, "{HOST}": host.upper(), "{port}": str(port)}
    for place, text in places.items():
        value = value.replace(place, text)
    return value

