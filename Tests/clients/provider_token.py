"""Provider tokens in every form that libraries send, signed with `cryptography` (`ProviderAPI#Provider-tokens`)."""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac
import json
import secrets
import string
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature


@dataclass(frozen=True)
class SigningKey:
    """A signing key with the ids that go into the tokens it signs."""

    key_id: str
    team_id: str
    private_key: ec.EllipticCurvePrivateKey = field(hash=False, compare=False)

    @classmethod
    def load(cls, path: Path, key_id: str, team_id: str) -> SigningKey:
        """The key of an `AuthKey_<KEYID>.p8`."""
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return cls(key_id, team_id, key)

    @classmethod
    def stranger(cls, team_id: str = "STRANGER01") -> SigningKey:
        """A key that no server knows."""
        return cls(random_identifier(), team_id, ec.generate_private_key(ec.SECP256R1()))

    def pem(self) -> bytes:
        """The key as a `.p8` file holds it."""
        return self.private_key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    def public_pem(self) -> bytes:
        """The public half, PEM."""
        return self.private_key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )


@dataclass(frozen=True)
class Form:
    """How a provider token is written; the default is Apple's own form.

    Two tokens of the same form, key and `iat` are the same bytes unless `variant` differs.
    """

    signature: str = "raw"
    algorithm: str = "ES256"
    iat: str = "integer"
    base64: str = "url"
    scheme: str = "bearer"
    claims: tuple[tuple[str, Any], ...] = ()
    header: tuple[tuple[str, Any], ...] = ()
    kid: str | None = None
    iss: str | None = None
    newlines: bool = False
    variant: int = 1

    def with_claims(self, **claims: Any) -> Form:
        """This form with further claims."""
        return replace(self, claims=tuple(claims.items()))


APPLE = Form()


def authorization(key: SigningKey, form: Form = APPLE, issued_at: float | None = None) -> str:
    """The value of an `authorization` field: scheme and token."""
    return f"{form.scheme} {provider_token(key, form, issued_at)}"


def provider_token(key: SigningKey, form: Form = APPLE, issued_at: float | None = None) -> str:
    """A provider token; `issued_at` in Unix seconds, by default those of the present half hour's token."""
    return _sign(key, form, _usual_time() if issued_at is None else int(issued_at))


def random_identifier() -> str:
    """Ten characters like those of key and team ids."""
    return "".join(secrets.choice(string.ascii_uppercase + string.digits) for _ in range(10))


# Connections do not change their token from one push to the next, and no token gets old, however long a run takes.
_PROCESS_START = time.time()
_REFRESH_SECONDS = 1800


def _usual_time() -> int:
    periods = int((time.time() - _PROCESS_START) / _REFRESH_SECONDS)
    return int(_PROCESS_START + periods * _REFRESH_SECONDS)


@functools.cache
def _sign(key: SigningKey, form: Form, issued_at: int) -> str:
    header = {"alg": form.algorithm, "kid": form.kid or key.key_id} | dict(form.header)
    claims: dict[str, Any] = {"iss": form.iss or key.team_id}
    match form.iat:
        case "integer":
            claims["iat"] = issued_at
        case "float":
            claims["iat"] = issued_at + 0.25
        case "string":
            claims["iat"] = str(issued_at)
        case "missing":
            pass
        case other:
            raise ValueError(f"unknown form of iat: {other}")
    claims |= dict(form.claims)
    signed = f"{_encode_json(header, form)}.{_encode_json(claims, form)}"
    return f"{signed}.{_encode(_signature(key, form, signed.encode()), form)}"


def _signature(key: SigningKey, form: Form, message: bytes) -> bytes:
    if form.algorithm == "none":
        return b""
    if form.algorithm == "HS256":
        return hmac.digest(b"a shared secret", message, hashlib.sha256)
    if form.signature == "bad":
        message += b"!"
    digest = hashes.SHA512() if form.algorithm == "ES512" else hashes.SHA256()
    der = key.private_key.sign(message, ec.ECDSA(digest))
    if form.signature == "der":
        return der
    width = 66 if form.algorithm == "ES512" else 32
    first, second = decode_dss_signature(der)
    return first.to_bytes(width, "big") + second.to_bytes(width, "big")


def _encode_json(value: dict[str, Any], form: Form) -> str:
    text = json.dumps(value, indent=2) if form.newlines else json.dumps(value, separators=(",", ":"))
    return _encode(text.encode(), form)


def _encode(data: bytes, form: Form) -> str:
    if form.base64 == "standard":
        return base64.b64encode(data).decode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
