"""Clients that show a certificate: `mynah send`, curl, aioapns (`ProviderAPI#TLS`, `ProviderAPI#Certificates`)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol

from commandline import CONFIGURATION, FINE, UNAVAILABLE, UNMET, USAGE, Command
from commands import curl, run
from coroutines import result_of
from h2client import tls_context
from provider_certificates import Authority, OrderedCertificate
from server import Mynah
from waiting import HANG_SECONDS

VERSIONS = pytest.mark.parametrize("version", ["1.2", "1.3"])
OWNERS = pytest.mark.parametrize("owner", ["of-mynah", "of-an-added-ca"])
APP = "com.example.app"


@pytest.fixture
def server(mynah_with: Callable[..., Mynah], provider_ca_file: Path) -> Mynah:
    """A server that believes a CA besides its own."""
    return mynah_with("--provider-ca", str(provider_ca_file))


@pytest.fixture
def certificate(mynah: Mynah, tmp_path: Path) -> OrderedCertificate:
    """One of Mynah's own CA."""
    return OrderedCertificate(mynah, tmp_path)


# `mynah send`


def send(command: Command, mynah: Mynah, token: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command("send", "--url", mynah.control_url, "--to", token, "--alert", "hi", *arguments)


@VERSIONS
def test_send_shows_it(
    mynah: Mynah, mynah_command: Command, certificate: OrderedCertificate, token: str, version: str
) -> None:
    done = send(mynah_command, mynah, token, *certificate.flags, "--tls-version", version)
    assert (done.returncode, done.stdout.split()[0]) == (FINE, "200"), done
    push = mynah.control.push(token)
    assert push["topic"] == APP
    assert not any(name == "authorization" for name, _ in push["headers"])


def test_send_opens_pkcs12(
    mynah: Mynah, mynah_command: Command, certificate: OrderedCertificate, token: str, tmp_path: Path
) -> None:
    opened = ["--certificate", str(certificate.pkcs12)]
    (tmp_path / "password").write_text(certificate.password + "\n")
    for flags in (["--password", certificate.password], ["--password-file", "password"]):
        assert send(mynah_command, mynah, token, *opened, *flags).returncode == FINE
    for flags in ([], ["--password", "wrong"]):
        done = send(mynah_command, mynah, token, *opened, *flags)
        assert done.returncode == CONFIGURATION
        assert str(certificate.pkcs12) in done.stderr and "password" in done.stderr


def test_send_takes_one_file_with_both(
    mynah: Mynah, mynah_command: Command, certificate: OrderedCertificate, token: str
) -> None:
    assert send(mynah_command, mynah, token, "--certificate", str(certificate.both)).returncode == FINE


def test_send_names_a_file_that_cannot_be_used(
    mynah: Mynah, mynah_command: Command, certificate: OrderedCertificate, token: str, tmp_path: Path
) -> None:
    (tmp_path / "empty.pem").write_text("")
    for name in ("empty.pem", "none.pem", str(certificate.chain)):
        done = send(mynah_command, mynah, token, "--certificate", name)
        assert done.returncode == CONFIGURATION, done
        assert name in done.stderr
    for flags in (["--certificate-key", str(certificate.key)], ["--password", "x"]):
        assert send(mynah_command, mynah, token, *flags).returncode == USAGE


@VERSIONS
def test_send_says_that_it_has_expired(
    mynah: Mynah, mynah_command: Command, token: str, tmp_path: Path, version: str
) -> None:
    old = OrderedCertificate(mynah, tmp_path, expired=True)
    done = send(mynah_command, mynah, token, *old.flags, "--tls-version", version)
    assert done.returncode == UNAVAILABLE, done
    assert "the server refused the certificate: certificate expired" in done.stderr


@VERSIONS
def test_send_says_that_it_was_revoked(
    mynah: Mynah, mynah_command: Command, certificate: OrderedCertificate, token: str, version: str
) -> None:
    assert mynah.control.ask("DELETE", f"/v1/certificates/{certificate.serial_number}").status == 200
    done = send(mynah_command, mynah, token, *certificate.flags, "--tls-version", version)
    assert done.returncode == UNAVAILABLE, done
    assert "the server refused the certificate: certificate revoked" in done.stderr


def test_send_says_that_it_is_for_the_other_environment(
    mynah: Mynah, mynah_command: Command, token: str, tmp_path: Path
) -> None:
    other = OrderedCertificate(mynah, tmp_path, environment="production")
    done = send(mynah_command, mynah, token, *other.flags)
    assert done.returncode == UNAVAILABLE, done
    assert "BadCertificateEnvironment" in done.stderr


def test_send_names_a_topic_where_there_are_several(
    mynah: Mynah, mynah_command: Command, token: str, tmp_path: Path
) -> None:
    several = OrderedCertificate(mynah, tmp_path, voip=True)
    done = send(mynah_command, mynah, token, *several.flags)
    assert (done.returncode, "MissingTopic" in done.stdout) == (UNMET, True), done
    assert send(mynah_command, mynah, token, *several.flags, "--topic", APP).returncode == FINE


def test_a_revocation_holds_on_every_running_server(
    own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path, token: str
) -> None:
    # The command finds the server by the locator file in the folder that both have as their home.
    mynah = own_mynah(folder=tmp_path)
    state = ["--state-dir", str(tmp_path / "state")]
    assert mynah_command("certs", "provider", "--topic", APP, *state).returncode == FINE
    flags = ["--certificate", f"{APP}.pem", "--certificate-key", f"{APP}-key.pem"]
    assert send(mynah_command, mynah, token, *flags).returncode == FINE
    done = mynah_command("certs", "revoke", f"{APP}.pem", *state)
    assert (done.returncode, mynah.control_url in done.stdout) == (FINE, True), done
    assert "certificate revoked" in send(mynah_command, mynah, token, *flags).stderr


# Others' clients


def curl_arguments(mynah: Mynah, token: str, *shown: str) -> list[str]:
    url = f"https://localhost:{mynah.port}/3/device/{token}"
    body = json.dumps({"aps": {"alert": "hi"}})
    return ["--http2", "--cacert", str(mynah.ca_file), "--max-time", str(HANG_SECONDS), "--data", body, *shown, url]


@VERSIONS
@OWNERS
def test_curl_shows_it(
    server: Mynah, provider_authority: Authority, token: str, tmp_path: Path, version: str, owner: str
) -> None:
    if owner == "of-mynah":
        ordered = OrderedCertificate(server, tmp_path)
        shown = ["--cert", str(ordered.chain), "--key", str(ordered.key)]
    else:
        path = provider_authority.issue(topics={APP: "app", f"{APP}.voip": "voip"}).write(tmp_path)
        shown = ["--cert", str(path), "--header", f"apns-topic: {APP}"]
    reply = curl("--tlsv" + version, "--tls-max", version, *curl_arguments(server, token, *shown))
    assert (reply.version, reply.status, reply.body) == ("HTTP/2", 200, b"")
    push = server.control.push(token)
    assert (push["credential"]["kind"], push["topic"]) == ("certificate", APP)


@OWNERS
def test_curl_opens_pkcs12(
    server: Mynah, provider_authority: Authority, token: str, tmp_path: Path, owner: str
) -> None:
    if owner == "of-mynah":
        ordered = OrderedCertificate(server, tmp_path)
        path, password = ordered.pkcs12, ordered.password
    else:
        password = "secret"
        path = provider_authority.issue().write_pkcs12(tmp_path, password)
    shown = ["--cert-type", "P12", "--cert", f"{path}:{password}"]
    assert curl(*curl_arguments(server, token, *shown)).status == 200


@VERSIONS
def test_curl_is_told_that_it_has_expired(mynah: Mynah, token: str, tmp_path: Path, version: str) -> None:
    old = OrderedCertificate(mynah, tmp_path, expired=True)
    shown = ["--cert", str(old.chain), "--key", str(old.key), "--tlsv" + version, "--tls-max", version]
    done = run("curl", "--silent", "--show-error", *curl_arguments(mynah, token, *shown))
    # In TLS 1.2 curl takes the alert for a verdict of its own, and says no more.
    words = b"certificate verification failed" if version == "1.2" else b"certificate expired"
    assert (done.returncode in (35, 56, 60), words in done.stderr) == (True, True), done


@pytest.mark.parametrize(
    ("owner", "topic"),
    [("of-mynah", APP), ("of-an-added-ca", APP), ("of-an-added-ca", None)],
    ids=["of-mynah", "of-an-added-ca", "topic-of-the-uid"],
)
def test_aioapns_shows_it(
    server: Mynah,
    provider_authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    token: str,
    owner: str,
    topic: str | None,
) -> None:
    # aioapns has its host and port as class attributes, and reads the file's first PEM block that is a certificate.
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_SERVER", "localhost")
    monkeypatch.setattr(APNsTLSClientProtocol, "APNS_PORT", server.port)
    own = owner == "of-mynah"
    path = (
        OrderedCertificate(server, tmp_path).both
        if own
        else provider_authority.issue(topics={APP: "app", f"{APP}.voip": "voip"}).write(tmp_path)
    )

    async def work() -> Any:
        client = APNs(client_cert=str(path), topic=topic, use_sandbox=True, ssl_context=tls_context(server))
        return await client.send_notification(
            NotificationRequest(device_token=token, message={"aps": {"alert": "from aioapns"}})
        )

    result = result_of(work())
    assert (result.is_successful, result.status) == (True, "200"), result.description
    push = server.control.push(token)
    assert (push["credential"]["kind"], push["topic"]) == ("certificate", APP)
