"""Connections with a certificate while time passes, on ports of both environments, by httpx
(`ProviderAPI#Certificates`)."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from hyperframe.frame import GoAwayFrame

from commandline import FINE, Command
from conftest import unique_token
from h2client import NO_ERROR, FrameConnection, connect, tls_context
from provider_certificates import Authority
from server import Mynah

VERSIONS = pytest.mark.parametrize(
    "version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["TLS-1.2", "TLS-1.3"]
)
APP = "com.example.app"


def shown(mynah: Mynah, folder: Path, version: ssl.TLSVersion | None = None, **order: object) -> ssl.SSLContext:
    """The TLS settings of a client with a new certificate of the server's."""
    issued = mynah.control.post("/v1/certificates", {"topics": [APP], **order})
    path = folder / f"{issued['serialNumber']}.pem"
    path.write_text(issued["privateKey"] + issued["certificate"])
    context = tls_context(mynah, ["h2"])
    context.load_cert_chain(str(path))
    if version is not None:
        context.minimum_version = context.maximum_version = version
    return context


# Time


@VERSIONS
def test_a_certificate_that_expires_on_an_open_connection_is_refused_from_then_on(
    own_mynah: Callable[..., Mynah], tmp_path: Path, version: ssl.TLSVersion
) -> None:
    # The connection is not to end by being idle, however far the clock goes.
    mynah = own_mynah("--idle-timeout", "100000h")
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    context = shown(mynah, tmp_path, version, days=2)
    with connect(mynah, context=context) as connection, connect(mynah) as other:
        for by in ("0s", "24h", "23h"):
            mynah.control.post("/v1/clock/advance", {"by": by})
            connection.push(unique_token(), authorization=None).assert_accepted()
        mynah.control.post("/v1/clock/advance", {"by": "25h"})
        for _ in range(2):
            connection.push(unique_token(), authorization=None).assert_refused(403, "BadCertificate")
        # That of the connection, whatever token is beside it; a refused credential lowers the limit.
        connection.push(unique_token()).assert_refused(403, "BadCertificate")
        connection.ping()
        assert connection.settings[-1][3] == 1
        assert not connection.goaways
        other.ping()
    # And no handshake is to be had with it.
    with pytest.raises(ssl.SSLError, match="(?i)certificate.expired"):
        with connect(mynah, context=context) as late:
            late.channel.recv(1)


# Environments


@pytest.fixture
def two_ports(own_mynah: Callable[..., Mynah]) -> Callable[[str], Mynah]:
    """A server with a port for each environment; gives it as its clients at one of them see it."""
    mynah = own_mynah("--port", "0:sandbox", "--port", "0:production")
    ports = dict(zip(("any", "sandbox", "production"), mynah.ready["ports"], strict=True))

    def at(environment: str) -> Mynah:
        mynah.place.port = ports[environment]
        return mynah

    return at


def environment_of(connection: FrameConnection, mynah: Mynah) -> str:
    """The environment that the list of connections shows for this one."""
    connection.ping()
    host, port = connection.channel.getsockname()
    items = mynah.control.get("/v1/connections")["items"]
    return next(item["environment"] for item in items if item["peer"] == f"{host}:{port}")


@pytest.mark.parametrize(("here", "there"), [("sandbox", "production"), ("production", "sandbox")])
def test_each_port_is_its_environment_whatever_name_is_asked_for(
    two_ports: Callable[[str], Mynah], tmp_path: Path, token: str, here: str, there: str
) -> None:
    for name in ("localhost", "api.push.apple.com", "api.sandbox.push.apple.com"):
        with connect(two_ports(here), server_name=name) as connection:
            assert environment_of(connection, two_ports(here)) == here
            connection.push(token).assert_accepted()
    with connect(two_ports(there)) as connection:
        connection.push(token).assert_refused(400, "BadDeviceToken")
    context = shown(two_ports(here), tmp_path, environment=here)
    with connect(two_ports(here), context=context) as connection:
        connection.push(token, authorization=None).assert_accepted()
    with connect(two_ports(there), context=context) as connection:
        connection.read_until_closed()
        [goaway] = [frame for frame in connection.history if isinstance(frame, GoAwayFrame)]
        assert (goaway.last_stream_id, goaway.error_code) == (0, NO_ERROR)
        assert goaway.additional_data == b'{"reason":"BadCertificateEnvironment"}'


def test_one_port_is_both_environments_by_the_name_that_is_asked_for(
    two_ports: Callable[[str], Mynah], tmp_path: Path
) -> None:
    mynah = two_ports("any")
    context = shown(mynah, tmp_path)
    names = {"localhost": "sandbox", "api.push.apple.com": "production", "api.development.push.apple.com": "sandbox"}
    for name, environment in names.items():
        with connect(mynah, context=context, server_name=name) as connection:
            assert environment_of(connection, mynah) == environment
            connection.push(unique_token(), authorization=None).assert_accepted()


# Others' clients: httpx is h2, the library


@VERSIONS
def test_httpx_shows_a_certificate(mynah: Mynah, tmp_path: Path, token: str, version: ssl.TLSVersion) -> None:
    url = f"https://localhost:{mynah.port}/3/device/{token}"
    payload = {"aps": {"alert": "hi"}}
    with httpx.Client(http2=True, verify=shown(mynah, tmp_path, version)) as client:
        reply = client.post(url, json=payload)
        assert (reply.http_version, reply.status_code, reply.content) == ("HTTP/2", 200, b"")
        refused = client.post(url, json=payload, headers={"apns-topic": "com.example.other"})
        assert (refused.status_code, refused.json()) == (400, {"reason": "TopicDisallowed"})
    push = mynah.control.get("/v1/notifications", {"token": token, "status": "200"})["items"][0]
    assert (push["topic"], push["credential"]["kind"]) == (APP, "certificate")


@VERSIONS
def test_httpx_is_told_by_the_alert_that_a_certificate_is_too_old(
    mynah: Mynah, tmp_path: Path, token: str, version: ssl.TLSVersion
) -> None:
    with httpx.Client(http2=True, verify=shown(mynah, tmp_path, version, expired=True)) as client:
        with pytest.raises(httpx.TransportError, match="(?i)certificate.expired"):
            client.post(f"https://localhost:{mynah.port}/3/device/{token}", json={"aps": {}})


# Two servers that share a state folder


def test_a_revocation_by_the_command_holds_on_every_server_and_its_open_connections(
    own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path
) -> None:
    authority = Authority()
    ca = authority.write(tmp_path)
    state = ["--state-dir", str(tmp_path / "state")]
    # The later flag wins; the command finds the servers by their locator files, in the home of all.
    servers = [own_mynah("--provider-ca", str(ca), *state, folder=tmp_path) for _ in range(2)]
    assert mynah_command("certs", "provider", "--topic", APP, *state).returncode == FINE
    authority.issue().write(tmp_path, "theirs")
    contexts = []
    for files in ([f"{APP}.pem", f"{APP}-key.pem"], ["theirs.pem"]):
        context = tls_context(servers[0], ["h2"])
        context.load_cert_chain(*(tmp_path / name for name in files))
        contexts.append(context)
    pairs = [(mynah, context) for mynah in servers for context in contexts]
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(mynah, context=context)) for mynah, context in pairs]
        for connection in connections:
            connection.push(unique_token(), authorization=None, topic=APP).assert_accepted()
        done = mynah_command("certs", "revoke", f"{APP}.pem", "theirs.pem", *state)
        assert done.returncode == FINE, done
        assert all(mynah.control_url in done.stdout for mynah in servers)
        for connection in connections:
            connection.push(unique_token(), authorization=None).assert_refused(403, "BadCertificate")
    for mynah, context in pairs:
        with pytest.raises(ssl.SSLError, match="(?i)certificate.revoked"):
            with connect(mynah, context=context) as late:
                late.channel.recv(1)
