"""An operator of NATS with accounts and users: the keys, tokens and files by which a nats-server knows them.

The form of keys is that of https://github.com/nats-io/nkeys, that of tokens of https://github.com/nats-io/jwt.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import time
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# The first bytes of keys, of which base32 shows five bits as the first letter.
SEED, OPERATOR, ACCOUNT, USER = ord("S") - ord("A") << 3, ord("O") - ord("A") << 3, 0, ord("U") - ord("A") << 3

JETSTREAM = {"mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}
UNLIMITED = {"subs": -1, "data": -1, "payload": -1}
ACCOUNT_LIMITS = UNLIMITED | {"imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1}


class Key:
    """An nkey, with a name and what it signs tokens for."""

    def __init__(self, kind: int, name: str) -> None:
        self.kind, self.name = kind, name
        self._key = Ed25519PrivateKey.generate()
        self.public = _shown(bytes([kind]), self._key.public_key().public_bytes_raw())

    @property
    def seed(self) -> str:
        """The private key."""
        return _shown(bytes([SEED | self.kind >> 5, (self.kind & 0x1F) << 3]), self._key.private_bytes_raw())

    def sign(self, subject: Key, kind: str, claims: dict[str, Any]) -> str:
        """A token in which this key says something of another one."""
        document = {
            "jti": "", "iat": int(time.time()), "iss": self.public, "name": subject.name, "sub": subject.public,
            "nats": claims | {"type": kind, "version": 2},
        }  # fmt: skip
        digest = hashlib.new("sha512_256", json.dumps(document).encode()).digest()
        document["jti"] = base64.b32encode(digest).decode().rstrip("=")
        header = {"typ": "JWT", "alg": "ed25519-nkey"}
        signed = ".".join(_base64(json.dumps(part).encode()) for part in (header, document))
        return f"{signed}.{_base64(self._key.sign(signed.encode()))}"


class Operator:
    """Who runs the engine, and has accounts there."""

    def __init__(self) -> None:
        self._key = Key(OPERATOR, "operator")
        self._accounts: dict[str, str] = {}
        self._system = self.account("system", has_jetstream=False)

    def account(self, name: str, *, has_jetstream: bool = True, is_known: bool = True) -> Key:
        """An account; the engine knows those that are made before it starts."""
        account = Key(ACCOUNT, name)
        limits = ACCOUNT_LIMITS | (JETSTREAM if has_jetstream else {})
        if is_known:
            self._accounts[account.public] = self._key.sign(account, "account", {"limits": limits})
        return account

    def write_configuration(self, path: Path) -> Path:
        """Writes the configuration of the engine."""
        accounts = "\n".join(f"  {account}: {token}" for account, token in self._accounts.items())
        path.write_text(
            f"operator: {self._key.sign(self._key, 'operator', {})}\n"
            f"system_account: {self._system.public}\n"
            f"resolver: MEMORY\nresolver_preload: {{\n{accounts}\n}}\n"
        )
        return path


def write_credentials(path: Path, account: Key, signer: Key | None = None) -> Path:
    """Writes the `.creds` file of a new user of an account, whom another key may have signed."""
    user = Key(USER, path.stem)
    token = (signer or account).sign(user, "user", UNLIMITED)
    path.write_text(
        f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n"
    )
    return path


def _shown(prefix: bytes, raw: bytes) -> str:
    # CRC-16/XMODEM, the lower byte first.
    checksum = binascii.crc_hqx(prefix + raw, 0).to_bytes(2, "little")
    return base64.b32encode(prefix + raw + checksum).decode().rstrip("=")


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
