"""Providers that show a certificate instead of tokens: `mynah send`, curl, aioapns (`provider-api.md` §1.2, §6)."""

from __future__ import annotations

import asyncio
import base64
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
from conftest import unique_token
from h2client import connect, tls_context
from server import Mynah

TOPIC = "com.example.app"
VERSIONS = pytest.mark.parametrize("version", ["1.2", "1.3"])


class Certificate:
    """A certificate of a server's, in the files that clients want."""

    def __init__(self, mynah: Mynah, folder: Path, **order: object) -> None:
        answer = mynah.control.ask("POST", "/v1/certificates", body={"topics": [TOPIC], **order})
        assert answer.status == 201, answer
        issued = answer.json()
        self.serial_number: str = issued["serialNumber"]
        self.chain, self.key, self.both = (folder / name for name in ("chain.pem", "key.pem", "both.pem"))
        self.pkcs12 = folder / "all.p12"
        self.password: str = issued["password"]
        self.chain.write_text(issued["certificate"] + issued["authority"])
        self.key.write_text(issued["privateKey"])
        self.both.write_text(self.chain.read_text() + self.key.read_text())
        self.pkcs12.write_bytes(base64.b64decode(issued["pkcs12"]))

    @property
    def flags(self) -> list[str]:
        """Those of `mynah send`."""
        return ["--certificate", str(self.chain), "--certificate-key", str(self.key)]


@pytest.fixture
def certificate(mynah: Mynah, tmp_path: Path) -> Certificate:
    return Certificate(mynah, tmp_path)


def send(command: Command, mynah: Mynah, token: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command("send", "--url", mynah.control_url, "--to", token, "--alert", "hi", *arguments)


@VERSIONS
def test_send_shows_it(
    mynah: Mynah, mynah_command: Command, certificate: Certificate, token: str, version: str
) -> None:
    done = send(mynah_command, mynah, token, *certificate.flags, "--tls-version", version)
    assert (done.returncode, done.stdout.split()[0]) == (FINE, "200"), done
    push = mynah.control.push(token)
    assert push["topic"] == TOPIC
    assert not any(name == "authorization" for name, _ in push["headers"])


def test_send_opens_pkcs12(
    mynah: Mynah, mynah_command: Command, certificate: Certificate, token: str, tmp_path: Path
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
    mynah: Mynah, mynah_command: Command, certificate: Certificate, token: str
) -> None:
    assert send(mynah_command, mynah, token, "--certificate", str(certificate.both)).returncode == FINE


def test_send_names_a_file_that_cannot_be_used(
    mynah: Mynah, mynah_command: Command, certificate: Certificate, token: str, tmp_path: Path
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
    old = Certificate(mynah, tmp_path, expired=True)
    done = send(mynah_command, mynah, token, *old.flags, "--tls-version", version)
    assert done.returncode == UNAVAILABLE, done
    assert "the server refused the certificate: certificate expired" in done.stderr


@VERSIONS
def test_send_says_that_it_was_revoked(
    mynah: Mynah, mynah_command: Command, certificate: Certificate, token: str, version: str
) -> None:
    assert mynah.control.ask("DELETE", f"/v1/certificates/{certificate.serial_number}").status == 200
    done = send(mynah_command, mynah, token, *certificate.flags, "--tls-version", version)
    assert done.returncode == UNAVAILABLE, done
    assert "the server refused the certificate: certificate revoked" in done.stderr


def test_send_says_that_it_is_for_the_other_environment(
    mynah: Mynah, mynah_command: Command, token: str, tmp_path: Path
) -> None:
    other = Certificate(mynah, tmp_path, environment="production")
    done = send(mynah_command, mynah, token, *other.flags)
    assert done.returncode == UNAVAILABLE, done
    assert "BadCertificateEnvironment" in done.stderr


def test_send_names_a_topic_where_there_are_several(
    mynah: Mynah, mynah_command: Command, token: str, tmp_path: Path
) -> None:
    several = Certificate(mynah, tmp_path, voip=True)
    done = send(mynah_command, mynah, token, *several.flags)
    assert (done.returncode, "MissingTopic" in done.stdout) == (UNMET, True), done
    assert send(mynah_command, mynah, token, *several.flags, "--topic", TOPIC).returncode == FINE


def test_a_revocation_holds_on_every_running_server(
    own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path, token: str
) -> None:
    # The command finds the server by the locator file in the folder that both have as their home.
    mynah = own_mynah(folder=tmp_path)
    state = ["--state-dir", str(tmp_path / "state")]
    assert mynah_command("certs", "provider", "--topic", TOPIC, *state).returncode == FINE
    flags = ["--certificate", f"{TOPIC}.pem", "--certificate-key", f"{TOPIC}-key.pem"]
    assert send(mynah_command, mynah, token, *flags).returncode == FINE
    done = mynah_command("certs", "revoke", f"{TOPIC}.pem", *state)
    assert (done.returncode, mynah.control_url in done.stdout) == (FINE, True), done
    assert "certificate revoked" in send(mynah_command, mynah, token, *flags).stderr


# A connection that is open


def test_a_revocation_holds_on_open_connections(mynah: Mynah, certificate: Certificate, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    channels = []
    for shown in (certificate, Certificate(mynah, tmp_path / "other")):
        context = tls_context(mynah, ["h2"])
        context.load_cert_chain(shown.chain, shown.key)
        channels.append(connect(mynah, context=context))
    with channels[0] as connection, channels[1] as other:
        # The token counts for nothing beside the certificate.
        connection.push(unique_token(), authorization="bearer nonsense", topic=None).assert_accepted()
        other.push(unique_token(), authorization=None).assert_accepted()
        assert mynah.control.ask("DELETE", f"/v1/certificates/{certificate.serial_number}").status == 200
        for _ in range(2):
            connection.push(unique_token()).assert_refused(403, "BadCertificate")
        other.push(unique_token(), authorization=None).assert_accepted()


# Others' clients


def curl_arguments(mynah: Mynah, token: str) -> list[str]:
    url = f"https://localhost:{mynah.port}/3/device/{token}"
    return ["--http2", "--cacert", str(mynah.ca_file), "--data", json.dumps({"aps": {"alert": "hi"}}), url]


@VERSIONS
def test_curl_shows_it(mynah: Mynah, certificate: Certificate, token: str, version: str) -> None:
    shown = ["--cert", str(certificate.chain), "--key", str(certificate.key)]
    reply = curl(*shown, "--tlsv" + version, "--tls-max", version, *curl_arguments(mynah, token))
    assert (reply.version, reply.status) == ("HTTP/2", 200)
    assert mynah.control.push(token)["topic"] == TOPIC


def test_curl_opens_pkcs12(mynah: Mynah, certificate: Certificate, token: str) -> None:
    shown = ["--cert-type", "P12", "--cert", f"{certificate.pkcs12}:{certificate.password}"]
    assert curl(*shown, *curl_arguments(mynah, token)).status == 200


@VERSIONS
def test_curl_is_told_that_it_has_expired(mynah: Mynah, token: str, tmp_path: Path, version: str) -> None:
    old = Certificate(mynah, tmp_path, expired=True)
    shown = ["--cert", str(old.chain), "--key", str(old.key), "--tlsv" + version, "--tls-max", version]
    done = run("curl", "--silent", "--show-error", *shown, *curl_arguments(mynah, token))
    # In TLS 1.2 curl takes the alert for a verdict of its own, and says no more.
    words = b"certificate verification failed" if version == "1.2" else b"certificate expired"
    assert (done.returncode != 0, words in done.stderr) == (True, True), done


def test_aioapns_shows_it(mynah: Mynah, certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_SERVER", "localhost")
    monkeypatch.setattr(APNsTLSClientProtocol, "APNS_PORT", mynah.port)
    token = unique_token()

    async def work() -> Any:
        client = APNs(
            client_cert=str(certificate.both), topic=TOPIC, use_sandbox=True, ssl_context=tls_context(mynah)
        )
        return await client.send_notification(
            NotificationRequest(device_token=token, message={"aps": {"alert": "from aioapns"}})
        )

    result = asyncio.run(asyncio.wait_for(work(), 20))
    assert (result.is_successful, result.status) == (True, "200")
    assert mynah.control.push(token)["topic"] == TOPIC
