"""Signs provider tokens with Python's standard library alone (ES256: RFC 7518 §3.4, nonces as in RFC 6979).

Takes some milliseconds and isn't protected against timing attacks, so it is only for development keys.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from dataclasses import dataclass, field

# P-256, FIPS 186-4 D.1.2.3.
_P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
_BYTES = 32
# The object identifier of P-256, 1.2.840.10045.3.1.7, as DER.
_CURVE = bytes.fromhex("06082a8648ce3d030107")
_SEQUENCE, _INTEGER, _OCTET_STRING = 0x30, 0x02, 0x04
# A private key in PEM, with any line ends or none, and anything around it: PKCS #8 as Apple's, or SEC 1.
_BLOCK = re.compile(r"-----BEGIN (EC )?PRIVATE KEY-----([^-]*)-----END (?:EC )?PRIVATE KEY-----")


@dataclass(frozen=True)
class SigningKey:
    """An `AuthKey_<KEYID>.p8` with the ids for its tokens."""

    key_id: str
    team_id: str
    pem: str = field(repr=False)

    def __post_init__(self) -> None:
        self._number()

    def provider_token(self, issued_at: int) -> str:
        """A provider token in Apple's form; `issued_at` is in seconds since 1970."""
        header = _encoded({"alg": "ES256", "kid": self.key_id})
        claims = _encoded({"iss": self.team_id, "iat": issued_at})
        signed = f"{header}.{claims}"
        return f"{signed}.{_base64(sign(self._number(), signed.encode()))}"

    def _number(self) -> int:
        try:
            block = _BLOCK.search(self.pem)
            if block is None:
                raise ValueError("no BEGIN and END line of a PRIVATE KEY")
            der = base64.b64decode("".join(block[2].split()), validate=True)
            if _CURVE not in der:
                raise ValueError("another curve")
            number = _number_in(der) if block[1] else _private_number(der)
        except (ValueError, IndexError) as error:
            raise ValueError(f"wrong key {self.key_id}: expected a P-256 key in PKCS #8, PEM ({error})") from error
        return number


def sign(key: int, message: bytes) -> bytes:
    """The signature of a message: both numbers, one after the other."""
    digest = hashlib.sha256(message).digest()
    value = int.from_bytes(digest, "big")
    for nonce in _Nonces(key, digest):
        first = _multiply(nonce) % _N
        second = pow(nonce, -1, _N) * (value + first * key) % _N
        if first and second:
            return first.to_bytes(_BYTES, "big") + second.to_bytes(_BYTES, "big")
    raise AssertionError("nonces do not end")


class _Nonces:
    """RFC 6979 §3.2."""

    def __init__(self, key: int, digest: bytes) -> None:
        reduced = int.from_bytes(digest, "big") % _N
        seed = key.to_bytes(_BYTES, "big") + reduced.to_bytes(_BYTES, "big")
        self._key, self._value = b"\0" * 32, b"\1" * 32
        for step in (b"\0", b"\1"):
            self._turn(step + seed)

    def _turn(self, further: bytes) -> None:
        self._key = hmac.digest(self._key, self._value + further, "sha256")
        self._value = hmac.digest(self._key, self._value, "sha256")

    def __iter__(self) -> _Nonces:
        return self

    def __next__(self) -> int:
        while True:
            self._value = hmac.digest(self._key, self._value, "sha256")
            nonce = int.from_bytes(self._value, "big")
            if 0 < nonce < _N:
                return nonce
            self._turn(b"\0")


# A point in Jacobian coordinates, so that only the last step divides; the third one is 0 at infinity.
_Point = tuple[int, int, int]


def _multiply(number: int) -> int:
    """The x of the base point multiplied by a number."""
    result: _Point = (1, 1, 0)
    for bit in bin(number)[2:]:
        result = _double(result)
        if bit == "1":
            result = _add_base(result)
    x, _, z = result
    return x * pow(z, -2, _P) % _P


def _double(point: _Point) -> _Point:
    x, y, z = point
    if not z:
        return point
    # The curve's a is -3.
    slope = 3 * (x - z * z) * (x + z * z) % _P
    square = y * y % _P
    shift = 4 * x * square % _P
    new_x = (slope * slope - 2 * shift) % _P
    return new_x, (slope * (shift - new_x) - 8 * square * square) % _P, 2 * y * z % _P


def _add_base(point: _Point) -> _Point:
    x, y, z = point
    if not z:
        return (*_G, 1)
    square = z * z % _P
    difference = (_G[0] * square - x) % _P
    slope = (_G[1] * square * z - y) % _P
    if not difference:
        return (1, 1, 0) if slope else _double(point)
    cube = difference * difference * difference % _P
    shift = x * difference * difference % _P
    new_x = (slope * slope - cube - 2 * shift) % _P
    return new_x, (slope * (shift - new_x) - y * cube) % _P, difference * z % _P


def _private_number(der: bytes) -> int:
    """The number in a PKCS #8 document (RFC 5208 §5, RFC 5915 §3)."""
    document, _ = _element(der, _SEQUENCE)
    _, rest = _element(document, _INTEGER)
    _, rest = _element(rest, _SEQUENCE)
    return _number_in(_element(rest, _OCTET_STRING)[0])


def _number_in(key: bytes) -> int:
    """The number in an ECPrivateKey (RFC 5915 §3)."""
    key, _ = _element(key, _SEQUENCE)
    _, rest = _element(key, _INTEGER)
    number = int.from_bytes(_element(rest, _OCTET_STRING)[0], "big")
    if not 0 < number < _N:
        raise ValueError("number out of range")
    return number


def _element(der: bytes, tag: int) -> tuple[bytes, bytes]:
    """The content of a DER element with this tag, and the rest."""
    if der[0] != tag:
        raise ValueError(f"tag {der[0]:#x}, expected {tag:#x}")
    length, start = der[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(der[2:start], "big")
    if len(der) < start + length:
        raise ValueError("cut off")
    return der[start : start + length], der[start + length :]


def _encoded(value: dict[str, object]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
