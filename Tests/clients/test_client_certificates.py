"""Providers with a certificate, over TLS 1.2 and 1.3 (`provider-api.md` §1.2, §1.5, §6)."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol
from cryptography.x509.oid import ExtendedKeyUsageOID

from commands import curl, run
from h2client import NO_ERROR, FrameConnection, connect, tls_context
from provider_certificates import DEVELOPMENT, PRODUCTION, Authority, Identity, der, topic_list
from server import Mynah

VERSIONS = pytest.mark.parametrize(
    "version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["TLS-1.2", "TLS-1.3"]
)
APP = "com.example.app"
SEVERAL = {APP: "app", f"{APP}.voip": "voip", f"{APP}.complication": "complication"}
PRODUCTION_NAME = "api.push.apple.com"


@pytest.fixture(scope="session")
def authority() -> Authority:
    """A CA as Apple's: not Mynah's own."""
    return Authority()


@pytest.fixture(scope="session")
def authority_file(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CA's certificate, as `--provider-ca` takes it."""
    return authority.write(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def server(mynah_with: Callable[..., Mynah], authority_file: Path) -> Mynah:
    """A server that believes the CA."""
    return mynah_with("--provider-ca", str(authority_file))


class Provider:
    """Opens connections with one certificate."""

    def __init__(self, server: Mynah, identity: Identity, folder: Path) -> None:
        self.server = server
        self.identity = identity
        self.folder = folder

    def connect(self, version: ssl.TLSVersion | None = None, name: str = "localhost") -> FrameConnection:
        """A connection that has sent its preface."""
        context = self.identity.context(self.folder, self.server.ca_file, version)
        return connect(self.server, context=context, server_name=name)

    def alert(self, version: ssl.TLSVersion) -> str:
        """The alert with which the server refuses, by OpenSSL's name for it.

        Under TLS 1.3 the client's handshake is complete before the server has seen its certificate, so that the
        alert is what comes in place of the first frame.
        """
        context = self.identity.context(self.folder, self.server.ca_file, version)
        with pytest.raises(ssl.SSLError) as caught:
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as channel:
                    channel.recv(1)
        return caught.value.reason or str(caught.value)


@pytest.fixture
def provider(server: Mynah, tmp_path: Path) -> Callable[[Identity], Provider]:
    """Makes a provider of a certificate."""
    return lambda identity: Provider(server, identity, tmp_path)


Make = Callable[[Identity], Provider]


@VERSIONS
@pytest.mark.parametrize("algorithm", ["EC", "RSA"])
def test_a_certificate_of_an_added_ca_pushes(
    server: Mynah, authority: Authority, provider: Make, token: str, version: ssl.TLSVersion, algorithm: str
) -> None:
    identity = authority.issue(topics=SEVERAL, algorithm=algorithm)
    with provider(identity).connect(version) as connection:
        connection.push(token, authorization=None, topic=APP).assert_accepted()
        # A certificate is proof enough: the first SETTINGS says 1,000 streams already.
        assert connection.settings[0][3] == 1000
        assert len(connection.settings) == 1
    push = server.control.push(token)
    assert push["credential"]["kind"] == "certificate"
    assert APP in push["credential"]["subject"]
    assert push["credential"]["team"] is None and push["credential"]["keyId"] is None


def test_the_authorization_header_is_ignored(authority: Authority, provider: Make, token: str) -> None:
    with provider(authority.issue(topics=SEVERAL)).connect() as connection:
        connection.push(token, authorization="bearer nonsense").assert_accepted()


def test_without_a_certificate_a_token_is_needed(server: Mynah, token: str) -> None:
    with connect(server) as connection:
        connection.push(token, authorization=None).assert_refused(403, "MissingProviderToken")
        connection.push(token).assert_accepted()


@pytest.mark.parametrize(
    ("topic", "reason"),
    [
        (APP, None),
        (f"{APP}.voip", None),
        (f"{APP}.complication", None),
        (f"{APP}.pushkit.fileprovider", "TopicDisallowed"),
        ("com.example.other", "TopicDisallowed"),
        (None, "MissingTopic"),
    ],
)
def test_topics_of_a_certificate_with_several(
    authority: Authority, provider: Make, token: str, topic: str | None, reason: str | None
) -> None:
    with provider(authority.issue(topics=SEVERAL)).connect() as connection:
        reply = connection.push(token, authorization=None, topic=topic, push_type=None)
        if reason is None:
            reply.assert_accepted()
        else:
            reply.assert_refused(400, reason)


@pytest.mark.parametrize("topics", [None, {APP: "app"}], ids=["by-uid", "by-list"])
def test_the_one_topic_is_the_default(
    server: Mynah, authority: Authority, provider: Make, token: str, topics: dict[str, str] | None
) -> None:
    with provider(authority.issue(topics=topics)).connect() as connection:
        connection.push(token, authorization=None, topic=None).assert_accepted()
    assert server.control.push(token)["topic"] == APP


def test_location_needs_a_token(authority: Authority, provider: Make, token: str) -> None:
    topics = {APP: "app", f"{APP}.location-query": "location"}
    with provider(authority.issue(topics=topics)).connect() as connection:
        reply = connection.push(token, authorization=None, topic=f"{APP}.location-query", push_type="location")
        reply.assert_refused(400, "TopicDisallowed")


def test_a_voip_certificate_of_the_older_kind(authority: Authority, provider: Make, token: str) -> None:
    with provider(authority.issue(voip=True)).connect() as connection:
        connection.push(token, authorization=None, topic=f"{APP}.voip", push_type="voip").assert_accepted()


def test_an_mdm_server_without_any_apns_header(
    server: Mynah, authority: Authority, provider: Make, token: str
) -> None:
    """As nanomdm sends it."""
    topic = "com.apple.mgmt.External.2a6cdf3c-4a5e-4c1b-9d7e-0123456789ab"
    identity = authority.issue(topic, environments=(PRODUCTION,), common_name="APSP:2a6cdf3c")
    with provider(identity).connect(name=PRODUCTION_NAME) as connection:
        reply = connection.push(token, authorization=None, topic=None, push_type=None, body=b'{"mdm":"MAGIC"}')
        reply.assert_accepted()
    push = server.control.push(token)
    assert (push["topic"], push["pushType"], push["environment"]) == (topic, "mdm", "production")


@VERSIONS
@pytest.mark.parametrize(
    ("environment", "name"), [(PRODUCTION, "api.sandbox.push.apple.com"), (DEVELOPMENT, PRODUCTION_NAME)]
)
def test_a_certificate_of_the_other_environment_gets_goaway(
    authority: Authority, provider: Make, version: ssl.TLSVersion, environment: Any, name: str
) -> None:
    with provider(authority.issue(topics=SEVERAL, environments=(environment,))).connect(version, name) as connection:
        connection.read_until_closed()
        assert len(connection.goaways) == 1
        goaway = connection.goaways[0]
        assert (goaway.last_stream_id, goaway.error_code) == (0, NO_ERROR)
        assert goaway.additional_data == b'{"reason":"BadCertificateEnvironment"}'
        assert connection.settings, "SETTINGS come first"


@VERSIONS
@pytest.mark.parametrize(
    ("what", "make", "alert"),
    [
        ("expired", lambda ca: ca.issue(days=(-30, -1)), "CERTIFICATE_EXPIRED"),
        ("not yet valid", lambda ca: ca.issue(days=(1, 30)), "BAD_CERTIFICATE"),
        ("of a CA that nobody named", lambda ca: Authority("Another CA").issue(), "UNKNOWN_CA"),
        ("a server's", lambda ca: ca.issue(usage=ExtendedKeyUsageOID.SERVER_AUTH), "UNSUPPORTED_CERTIFICATE"),
        ("topics that are no sequence", lambda ca: ca.issue(topics=b"\x04\x01a"), "BAD_CERTIFICATE"),
        ("topics cut off", lambda ca: ca.issue(topics=topic_list(SEVERAL)[:-3]), "BAD_CERTIFICATE"),
        ("bytes behind the topics", lambda ca: ca.issue(topics=topic_list(SEVERAL) + b"\x00"), "BAD_CERTIFICATE"),
        ("an empty topic list", lambda ca: ca.issue(topics=der(0x30, b"")), "BAD_CERTIFICATE"),
        ("no bytes at all", lambda ca: ca.issue(topics=b""), "BAD_CERTIFICATE"),
        ("neither topics nor UID", lambda ca: ca.issue(None), "BAD_CERTIFICATE"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_a_bad_certificate_is_refused_by_its_alert(
    server: Mynah,
    authority: Authority,
    provider: Make,
    token: str,
    version: ssl.TLSVersion,
    what: str,
    make: Callable[[Authority], Identity],
    alert: str,
) -> None:
    assert alert in provider(make(authority)).alert(version).upper().replace(" ", "_"), what
    # And the server lives on.
    with connect(server) as connection:
        connection.push(token).assert_accepted()


@VERSIONS
def test_a_chain_of_two_is_fine_and_one_of_many_is_not(
    authority: Authority, provider: Make, token: str, version: ssl.TLSVersion
) -> None:
    def below(count: int) -> Identity:
        authorities = [authority]
        for number in range(count):
            authorities.append(Authority(f"Intermediate {number}", authorities[-1]))
        chain = tuple(one.certificate for one in reversed(authorities[1:]))
        return authorities[-1].issue(topics=SEVERAL, chain=chain)

    with provider(below(1)).connect(version) as connection:
        connection.push(token, authorization=None).assert_accepted()
    assert "UNKNOWN_CA" in provider(below(12)).alert(version)


@VERSIONS
def test_apples_extensions_may_be_critical(
    authority: Authority, provider: Make, token: str, version: ssl.TLSVersion
) -> None:
    with provider(authority.issue(topics=SEVERAL, critical=True)).connect(version) as connection:
        connection.push(token, authorization=None).assert_accepted()


@VERSIONS
def test_an_issued_certificate_pushes_until_it_is_revoked(
    server: Mynah, tmp_path: Path, token: str, version: ssl.TLSVersion
) -> None:
    """Mynah's own, over the control API: also on connections that are open."""
    item = server.control.post("/v1/certificates", {"topics": [APP]})
    path = tmp_path / "issued.pem"
    path.write_text(item["privateKey"] + item["certificate"])
    context = ssl.create_default_context(cafile=str(server.ca_file))
    context.set_alpn_protocols(["h2"])
    context.load_cert_chain(str(path))
    context.minimum_version = context.maximum_version = version
    with connect(server, context=context) as connection:
        connection.push(token, authorization=None).assert_accepted()
        revoked = server.control.ask("DELETE", f"/v1/certificates/{item['serialNumber']}")
        assert revoked.status == 200 and revoked.json()["revokedAt"]
        connection.push(token, authorization=None).assert_refused(403, "BadCertificate")
    with pytest.raises(ssl.SSLError, match="(?i)certificate.revoked"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
            # The session of before must not spare the server its look at the certificate.
            with context.wrap_socket(plain, server_hostname="localhost") as channel:
                channel.recv(1)


@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_curl_with_a_certificate(
    server: Mynah, authority: Authority, tmp_path: Path, token: str, version: str
) -> None:
    path = authority.issue(topics=SEVERAL).write(tmp_path)
    reply = curl(
        *["--http2", "--cacert", str(server.ca_file), "--cert", str(path)],
        *["--tlsv" + version, "--tls-max", version],
        *["--header", f"apns-topic: {APP}", "--data", '{"aps":{"alert":"hi"}}'],
        f"https://localhost:{server.port}/3/device/{token}",
    )
    assert (reply.status, reply.body) == (200, b"")
    assert server.control.push(token)["credential"]["kind"] == "certificate"


def test_curl_with_pkcs12(server: Mynah, authority: Authority, tmp_path: Path, token: str) -> None:
    path = authority.issue(topics=SEVERAL).write_pkcs12(tmp_path, "secret")
    reply = curl(
        *["--http2", "--cacert", str(server.ca_file), "--cert-type", "P12", "--cert", f"{path}:secret"],
        *["--header", f"apns-topic: {APP}", "--data", '{"aps":{"alert":"hi"}}'],
        f"https://localhost:{server.port}/3/device/{token}",
    )
    assert reply.status == 200


def test_curl_with_an_expired_certificate_names_the_alert(
    server: Mynah, authority: Authority, tmp_path: Path, token: str
) -> None:
    path = authority.issue(days=(-30, -1)).write(tmp_path)
    done = run(
        *["curl", "--silent", "--show-error", "--http2", "--cacert", str(server.ca_file), "--cert", str(path)],
        *["--max-time", "20", "--data", "{}", f"https://localhost:{server.port}/3/device/{token}"],
    )
    assert done.returncode in (35, 56), done
    assert b"certificate expired" in done.stderr, done.stderr


def test_the_journal_of_a_refused_certificate_is_a_log_line(
    server: Mynah, authority: Authority, provider: Make
) -> None:
    identity = authority.issue(days=(-30, -1))
    provider(identity).alert(ssl.TLSVersion.TLSv1_2)
    # The log line is written before the alert leaves, and read by a thread of this process: ask the server
    # something first, so that the thread has had its turn.
    server.control.get("/v1/status")
    assert any("expired" in line and "certificate" in line for line in server.process.errors + server.process.lines)


def test_connections_say_whose_they_are(server: Mynah, authority: Authority, provider: Make, token: str) -> None:
    with provider(authority.issue(topics=SEVERAL)).connect() as connection:
        connection.push(token, authorization=None).assert_accepted()
        number = server.control.push(token)["connection"]
        item = server.control.get(f"/v1/connections/{number}")
        assert item["credential"]["kind"] == "certificate" and APP in item["credential"]["subject"]
        assert (item["tls"], item["sni"], item["alpn"]) == ("TLSv1.3", "localhost", "h2")
        assert item["pushes"] == 1 and item["streams"]["limit"] == 1000
        assert json.dumps(item)


@pytest.fixture
def aioapns_at_server(server: Mynah, monkeypatch: pytest.MonkeyPatch) -> None:
    """aioapns has its host and port as class attributes."""
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_SERVER", "localhost")
    monkeypatch.setattr(APNsTLSClientProtocol, "APNS_PORT", server.port)


@pytest.mark.usefixtures("aioapns_at_server")
@pytest.mark.parametrize("topic", [APP, None], ids=["topic", "topic-of-the-uid"])
def test_aioapns_with_a_client_certificate(
    server: Mynah, authority: Authority, tmp_path: Path, token: str, topic: str | None
) -> None:
    """aioapns reads the certificate from the file's first PEM block that is one."""
    path = authority.issue(topics=SEVERAL).write(tmp_path)

    async def work() -> Any:
        client = APNs(client_cert=str(path), topic=topic, use_sandbox=True, ssl_context=tls_context(server))
        return await client.send_notification(
            NotificationRequest(device_token=token, message={"aps": {"alert": "from aioapns"}})
        )

    result = asyncio.run(asyncio.wait_for(work(), 20))
    assert (result.is_successful, result.status) == (True, "200"), result.description
    push = server.control.push(token)
    assert (push["credential"]["kind"], push["topic"]) == ("certificate", APP)
