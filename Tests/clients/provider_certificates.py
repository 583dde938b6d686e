"""Provider certificates as Apple issues them, right and wrong, made with `cryptography` (`ProviderAPI#Certificates`).

The CA here is a stranger to Mynah until `--provider-ca` names it, as Apple's own would be.
"""

from __future__ import annotations

import base64
import datetime
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

from h2client import FrameConnection, connect
from server import Mynah
from waiting import HANG_SECONDS

DEVELOPMENT = ObjectIdentifier("1.2.840.113635.100.6.3.1")
PRODUCTION = ObjectIdentifier("1.2.840.113635.100.6.3.2")
VOIP = ObjectIdentifier("1.2.840.113635.100.6.3.4")
TOPICS = ObjectIdentifier("1.2.840.113635.100.6.3.6")
NULL = b"\x05\x00"

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def now() -> datetime.datetime:
    """The time, in the zone that certificates use."""
    return datetime.datetime.now(datetime.UTC).replace(microsecond=0)


def der(tag: int, content: bytes) -> bytes:
    """One value in DER."""
    count = len(content)
    length = bytes([count]) if count < 0x80 else (lambda raw: bytes([0x80 | len(raw)]) + raw)(
        count.to_bytes((count.bit_length() + 7) // 8, "big")
    )
    return bytes([tag]) + length + content


def topic_list(topics: dict[str, str]) -> bytes:
    """The value of extension 6.3.6: each topic, and behind it the kind in a sequence of its own."""
    items = b"".join(
        der(0x0C, topic.encode()) + der(0x30, der(0x0C, kind.encode())) for topic, kind in topics.items()
    )
    return der(0x30, items)


def topics_by_kind(topics: list[str]) -> dict[str, str]:
    """Topics with the kind that their suffix says."""
    kinds = {"voip": "voip", "complication": "complication", "location-query": "location"}
    return {topic: kinds.get(topic.rpartition(".")[2], "app") for topic in topics}


def environments_of(name: str) -> tuple[ObjectIdentifier, ...]:
    """The extensions for `sandbox`, `production` or `both`."""
    return {"sandbox": (DEVELOPMENT,), "production": (PRODUCTION,), "both": (DEVELOPMENT, PRODUCTION)}[name]


def client_context(file: Path, ca_file: Path, version: ssl.TLSVersion | None) -> ssl.SSLContext:
    """A client's TLS settings with the certificate and the key of a file."""
    context = ssl.create_default_context(cafile=str(ca_file))
    context.set_alpn_protocols(["h2"])
    context.load_cert_chain(str(file))
    if version is not None:
        context.minimum_version = context.maximum_version = version
    return context


class OrderedCertificate:
    """A certificate that a server's CA issued over the control API, in the files that clients want."""

    def __init__(self, mynah: Mynah, folder: Path, **order: object) -> None:
        # EC, because RSA keys take longer to make.
        body = {"topics": ["com.example.app"], "keyType": "ec", **order}
        answer = mynah.control.ask("POST", "/v1/certificates", body=body)
        assert answer.status == 201, answer
        issued = answer.json()
        self.mynah = mynah
        self.serial_number: str = issued["serialNumber"]
        self.chain, self.key, self.both = (folder / name for name in ("chain.pem", "key.pem", "both.pem"))
        self.pkcs12 = folder / "all.p12"
        self.password: str = issued["password"]
        self.chain.write_text(issued["certificate"])
        self.key.write_text(issued["privateKey"])
        self.both.write_text(self.chain.read_text() + self.key.read_text())
        self.pkcs12.write_bytes(base64.b64decode(issued["pkcs12"]))

    @property
    def flags(self) -> list[str]:
        """Those of `mynah send`."""
        return ["--certificate", str(self.chain), "--certificate-key", str(self.key)]

    def context(self, version: ssl.TLSVersion | None = None) -> ssl.SSLContext:
        """A client's TLS settings with this certificate."""
        return client_context(self.both, self.mynah.ca_file, version)

    def revoke(self) -> None:
        """Revokes it over the control API."""
        answer = self.mynah.control.ask("DELETE", f"/v1/certificates/{self.serial_number}")
        assert answer.status == 200 and answer.json()["revokedAt"], answer


@dataclass(frozen=True)
class Identity:
    """A certificate with its key and what leads to its CA."""

    certificate: x509.Certificate
    key: Key
    chain: tuple[x509.Certificate, ...] = ()

    @property
    def serial(self) -> str:
        """The serial number in capital hexadecimal digits."""
        text = f"{self.certificate.serial_number:X}"
        return text if len(text) % 2 == 0 else "0" + text

    def pem(self) -> bytes:
        """Key, certificate and chain in one text."""
        return self.key_pem() + b"".join(
            one.public_bytes(serialization.Encoding.PEM) for one in (self.certificate, *self.chain)
        )

    def key_pem(self) -> bytes:
        """The key alone."""
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    def write(self, folder: Path, name: str = "provider") -> Path:
        """Writes the PEM text into a folder."""
        path = folder / f"{name}.pem"
        path.write_bytes(self.pem())
        return path

    def write_pkcs12(self, folder: Path, password: str, name: str = "provider") -> Path:
        """Writes PKCS#12 as a keychain exports it."""
        path = folder / f"{name}.p12"
        path.write_bytes(
            pkcs12.serialize_key_and_certificates(
                name.encode(),
                self.key,
                self.certificate,
                list(self.chain) or None,
                serialization.BestAvailableEncryption(password.encode()),
            )
        )
        return path

    def context(self, folder: Path, ca_file: Path, version: ssl.TLSVersion | None = None) -> ssl.SSLContext:
        """A client's TLS settings with this certificate."""
        return client_context(self.write(folder, f"context-{self.serial}"), ca_file, version)


class Authority:
    """A CA, at the root or below another."""

    def __init__(self, name: str = "Example Push CA", issuer: Authority | None = None, *, days: int = 3650) -> None:
        self.issuer = issuer
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        signer = issuer or self
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(self.name)
            .issuer_name(signer.name)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now() - datetime.timedelta(days=400))
            .not_valid_after(now() + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(
                x509.KeyUsage(False, False, False, False, False, True, True, False, False), critical=True
            )
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
            .sign(signer.key, hashes.SHA256())
        )

    def pem(self) -> bytes:
        """The certificate."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def write(self, folder: Path, name: str = "provider-ca.pem") -> Path:
        """Writes the certificate into a folder."""
        path = folder / name
        path.write_bytes(self.pem())
        return path

    def issue(
        self,
        bundle_id: str | None = "com.example.app",
        *,
        topics: dict[str, str] | bytes | None = None,
        environments: tuple[ObjectIdentifier, ...] = (DEVELOPMENT, PRODUCTION),
        voip: bool = False,
        critical: bool = False,
        usage: ObjectIdentifier = ExtendedKeyUsageOID.CLIENT_AUTH,
        days: tuple[int, int] = (-1, 365),
        not_after: datetime.datetime | None = None,
        algorithm: str = "EC",
        chain: tuple[x509.Certificate, ...] = (),
        common_name: str | None = None,
    ) -> Identity:
        """Issues a provider certificate; `topics` as bytes is the extension's value as it is.

        It is valid for `days` from now, both of them, or until `not_after`.
        """
        key: Key = (
            rsa.generate_private_key(65537, 2048) if algorithm == "RSA" else ec.generate_private_key(ec.SECP256R1())
        )
        subject = [x509.NameAttribute(NameOID.COMMON_NAME, common_name or f"Apple Push Services: {bundle_id}")]
        if bundle_id is not None:
            subject.insert(0, x509.NameAttribute(NameOID.USER_ID, bundle_id))
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name(subject))
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now() + datetime.timedelta(days=days[0]))
            .not_valid_after(not_after or now() + datetime.timedelta(days=days[1]))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=True)
        )
        for environment in environments:
            builder = builder.add_extension(x509.UnrecognizedExtension(environment, NULL), critical=critical)
        if voip:
            builder = builder.add_extension(x509.UnrecognizedExtension(VOIP, NULL), critical=critical)
        if topics is not None:
            value = topics if isinstance(topics, bytes) else topic_list(topics)
            builder = builder.add_extension(x509.UnrecognizedExtension(TOPICS, value), critical=critical)
        return Identity(builder.sign(self.key, hashes.SHA256()), key, chain)

def alert(mynah: Mynah, context: ssl.SSLContext) -> str:
    """The alert with which a server refuses a client, by OpenSSL's name for it.

    Under TLS 1.3 the client's handshake is complete before the server has seen its certificate, so that the
    alert is what comes in place of the first frame.
    """
    with pytest.raises(ssl.SSLError) as caught:
        with socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS) as plain:
            with context.wrap_socket(plain, server_hostname="localhost") as channel:
                channel.recv(1)
    return (caught.value.reason or str(caught.value)).upper().replace(" ", "_")


class Provider:
    """Opens connections with one certificate of an added CA."""

    def __init__(self, mynah: Mynah, identity: Identity, folder: Path) -> None:
        self.mynah = mynah
        self.identity = identity
        self.folder = folder

    def connect(self, version: ssl.TLSVersion | None = None, name: str = "localhost") -> FrameConnection:
        """A connection that has sent its preface."""
        context = self.identity.context(self.folder, self.mynah.ca_file, version)
        return connect(self.mynah, context=context, server_name=name)

    def alert(self, version: ssl.TLSVersion) -> str:
        """The alert with which the server refuses the certificate."""
        return alert(self.mynah, self.identity.context(self.folder, self.mynah.ca_file, version))
