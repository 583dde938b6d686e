"""Files of certificates and keys that cannot be used: the file and its fault are named (`ProviderAPI#Certificates`)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from commandline import CONFIGURATION, FREE_PORTS, Command
from provider_certificates import Authority, Identity, topic_list

SEND = ["send", "--url", "http://127.0.0.1:1", "--to", "00" * 32, "--alert", "hi"]


@pytest.fixture(scope="module")
def authority() -> Authority:
    """A CA that is fine."""
    return Authority()


def assert_named(command: Command, arguments: list[str], name: str, words: str) -> None:
    """The command ends because of its files, and says so in a sentence instead of a crash."""
    done = command(*arguments)
    assert done.returncode == CONFIGURATION, done
    assert name in done.stderr and words in done.stderr, done.stderr
    assert "mynah ready" not in done.stdout
    # What is wrong, and what would be right: a few lines, never a trace.
    assert len(done.stderr.splitlines()) <= 5, done.stderr


# --provider-ca

Make = Callable[[Authority], bytes]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda ca: b"", "is empty"),
        (lambda ca: b" \n", "is empty"),
        (lambda ca: b"hello", "is not PEM"),
        (lambda ca: bytes(range(256)) * 4, "PEM"),
        (lambda ca: b"\x00" * 100, "PEM"),
        (lambda ca: ca.certificate.public_bytes(serialization.Encoding.DER), "PEM"),
        (lambda ca: ca.pem()[:-40], "is cut off"),
        (lambda ca: ca.pem().replace(b"MII", b"MIJ", 1), "OpenSSL cannot read"),
        (lambda ca: ca.issue().key_pem(), "holds a PRIVATE KEY; only a CERTIFICATE was expected"),
        (lambda ca: Identity.pem(ca.issue()), "holds a"),
        (
            lambda ca: ca.issue().certificate.public_bytes(serialization.Encoding.PEM),
            "that is not a CA's: it lacks the basic constraint CA:TRUE",
        ),
        (lambda ca: Authority("Old CA", days=-1).pem(), "CN=Old CA) that expired on"),
        (lambda ca: ca.pem() + Authority("Old CA", days=-1).pem(), "(number 2, CN=Old CA) that expired on"),
    ],
    ids=[
        "empty",
        "blank",
        "text",
        "binary",
        "zeros",
        "DER",
        "cut off",
        "broken ASN.1",
        "key",
        "key and leaf",
        "leaf",
        "expired",
        "second of two",
    ],
)
def test_a_bad_ca_ends_the_start(
    mynah_command: Command, tmp_path: Path, authority: Authority, make: Make, words: str
) -> None:
    (tmp_path / "their-ca.pem").write_bytes(make(authority))
    assert_named(mynah_command, ["serve", *FREE_PORTS, "--provider-ca", "their-ca.pem"], "their-ca.pem", words)


def test_a_ca_that_is_not_there_ends_the_start(mynah_command: Command, tmp_path: Path) -> None:
    serve = ["serve", *FREE_PORTS, "--provider-ca"]
    assert_named(mynah_command, [*serve, "none.pem"], "none.pem", "does not exist")
    (tmp_path / "folder.pem").mkdir()
    assert_named(mynah_command, [*serve, "folder.pem"], "folder.pem", "irectory")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_ca_that_must_not_be_read_ends_the_start(
    mynah_command: Command, tmp_path: Path, authority: Authority
) -> None:
    authority.write(tmp_path, "theirs.pem").chmod(0)
    assert_named(mynah_command, ["serve", *FREE_PORTS, "--provider-ca", "theirs.pem"], "theirs.pem", "ermission")


# A provider's own certificate and key


def test_a_key_of_another_certificate_is_named(
    mynah_command: Command, tmp_path: Path, authority: Authority
) -> None:
    authority.issue().write(tmp_path, "one")
    (tmp_path / "other-key.pem").write_bytes(authority.issue().key_pem())
    shown = [*SEND, "--certificate", "one.pem", "--certificate-key", "other-key.pem"]
    assert_named(mynah_command, shown, "other-key.pem", "does not belong to the certificate of UID=com.example.app")


def test_pkcs12_that_does_not_open_is_named(mynah_command: Command, tmp_path: Path, authority: Authority) -> None:
    whole = authority.issue().write_pkcs12(tmp_path, "secret").read_bytes()
    for password, words in ([[], "none was given"], [["--password", "Secret"], "a different password"]):
        assert_named(mynah_command, [*SEND, "--certificate", "provider.p12", *password], "provider.p12", words)
    (tmp_path / "cut.p12").write_bytes(whole[: len(whole) // 2])
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 0xFF
    (tmp_path / "damaged.p12").write_bytes(damaged)
    for name in ("cut.p12", "damaged.p12"):
        shown = [*SEND, "--certificate", name, "--password", "secret"]
        assert_named(mynah_command, shown, name, "PKCS#12")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello", "nor"),
        (bytes(range(256)), "PEM"),
        (b"\x30\x82\x01\x00" + bytes(256), "PEM"),
        (None, "irectory"),
    ],
    ids=["empty", "text", "binary", "half of ASN.1", "folder"],
)
def test_what_is_no_certificate_is_named(
    mynah_command: Command, tmp_path: Path, content: bytes | None, words: str
) -> None:
    path = tmp_path / "mine.pem"
    path.mkdir() if content is None else path.write_bytes(content)
    assert_named(mynah_command, [*SEND, "--certificate", "mine.pem"], "mine.pem", words)
    for command in (["certs", "list"], ["certs", "revoke"]):
        done = mynah_command(*command, "mine.pem")
        assert done.returncode == CONFIGURATION and "mine.pem" in done.stderr, done


def test_a_file_without_an_end_is_an_error(mynah_command: Command) -> None:
    for arguments in (["serve", *FREE_PORTS, "--provider-ca"], [*SEND, "--certificate"]):
        assert_named(mynah_command, [*arguments, "/dev/zero"], "/dev/zero", "too large")


def test_a_broken_extension_is_named(mynah_command: Command, tmp_path: Path, authority: Authority) -> None:
    broken = authority.issue(topics=topic_list({"com.example.app": "app"})[:-3])
    (tmp_path / "broken.pem").write_bytes(broken.certificate.public_bytes(serialization.Encoding.PEM))
    done = mynah_command("certs", "list", "broken.pem")
    assert "broken.pem" in done.stdout + done.stderr and "1.2.840.113635.100.6.3.6" in done.stdout + done.stderr, done
