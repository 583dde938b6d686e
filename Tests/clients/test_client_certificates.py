"""Providers with a certificate instead of tokens: what the handshake lets in, what may be pushed, revocation.

`ProviderAPI#TLS`, `ProviderAPI#GOAWAY`, `ProviderAPI#Certificates`; what clients do with certificates is in
`test_clients_with_a_certificate.py`.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from commands import run
from conftest import unique_token
from h2client import NO_ERROR, connect, tls_context
from provider_certificates import (
    DEVELOPMENT,
    PRODUCTION,
    Authority,
    Identity,
    OrderedCertificate,
    Provider,
    alert,
    der,
    topic_list,
)
from server import Mynah

VERSIONS = pytest.mark.parametrize(
    "version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["TLS-1.2", "TLS-1.3"]
)
APP = "com.example.app"
SEVERAL = {APP: "app", f"{APP}.voip": "voip", f"{APP}.complication": "complication"}
PRODUCTION_NAME = "api.push.apple.com"

Make = Callable[[Identity], Provider]


@pytest.fixture
def server(mynah_with: Callable[..., Mynah], provider_ca_file: Path) -> Mynah:
    """A server that believes a CA besides its own."""
    return mynah_with("--provider-ca", str(provider_ca_file))


@pytest.fixture
def provider(server: Mynah, tmp_path: Path) -> Make:
    """Makes a provider of a certificate."""
    return lambda identity: Provider(server, identity, tmp_path)


@pytest.fixture
def certificate(mynah: Mynah, tmp_path: Path) -> OrderedCertificate:
    """One of Mynah's own CA."""
    return OrderedCertificate(mynah, tmp_path)


# The handshake


@VERSIONS
@pytest.mark.parametrize("form", ["self-signed", "of a CA", "a CA's"])
def test_a_certificate_that_a_test_suite_made_pushes_with_auth_structural(
    own_mynah: Callable[..., Mynah], tmp_path: Path, token: str, version: ssl.TLSVersion, form: str
) -> None:
    mynah = own_mynah("--auth", "structural")
    key, file = tmp_path / "key.pem", tmp_path / "own.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", str(key)]
    usage = "CA:TRUE" if form == "a CA's" else "CA:FALSE"
    assert run(*made, "-subj", "/CN=test", "-addext", f"basicConstraints={usage}", "-out", str(file)).returncode == 0
    if form == "of a CA":
        request, ca_key, ca = tmp_path / "own.csr", tmp_path / "ca-key.pem", tmp_path / "ca.pem"
        assert run(*made[:-1], str(ca_key), "-subj", "/CN=CA", "-out", str(ca)).returncode == 0
        asked = ["openssl", "req", "-new", "-key", str(key), "-subj", "/CN=test", "-out", str(request)]
        assert run(*asked).returncode == 0
        # Without extensions it is of X.509's version 1.
        signed = ["openssl", "x509", "-req", "-in", str(request), "-CA", str(ca), "-CAkey", str(ca_key), "-days", "2"]
        assert run(*signed, "-CAcreateserial", "-out", str(file)).returncode == 0
    context = tls_context(mynah, ["h2"])
    context.minimum_version = context.maximum_version = version
    context.load_cert_chain(file, key)
    with connect(mynah, context=context) as connection:
        for topic in (APP, f"{APP}.voip"):
            push_type = "voip" if topic.endswith(".voip") else "alert"
            connection.push(unique_token(), topic=topic, authorization=None, push_type=push_type).assert_accepted()
        connection.push(token, topic=None, authorization=None).assert_refused(400, "MissingTopic")
    credential = mynah.control.get("/v1/notifications?limit=1")["items"][0]["credential"]
    assert credential["kind"] == "certificate" and credential["subject"] == "CN=test"


@VERSIONS
@pytest.mark.parametrize("algorithm", ["EC", "RSA"])
def test_a_certificate_of_an_added_ca_pushes(
    server: Mynah, provider_authority: Authority, provider: Make, token: str, version: ssl.TLSVersion, algorithm: str
) -> None:
    identity = provider_authority.issue(topics=SEVERAL, algorithm=algorithm)
    with provider(identity).connect(version) as connection:
        connection.push(token, authorization=None, topic=APP).assert_accepted()
        # A certificate is proof enough: the first SETTINGS says 1,000 streams already.
        assert connection.settings[0][3] == 1000
        assert len(connection.settings) == 1
    push = server.control.push(token)
    assert push["credential"]["kind"] == "certificate"
    assert APP in push["credential"]["subject"]
    assert push["credential"]["team"] is None and push["credential"]["keyId"] is None


@VERSIONS
def test_apples_extensions_may_be_critical(
    provider_authority: Authority, provider: Make, token: str, version: ssl.TLSVersion
) -> None:
    with provider(provider_authority.issue(topics=SEVERAL, critical=True)).connect(version) as connection:
        connection.push(token, authorization=None).assert_accepted()


@VERSIONS
def test_a_chain_of_two_is_fine_and_one_of_many_is_not(
    provider_authority: Authority, provider: Make, token: str, version: ssl.TLSVersion
) -> None:
    def below(count: int) -> Identity:
        authorities = [provider_authority]
        for number in range(count):
            authorities.append(Authority(f"Intermediate {number}", authorities[-1]))
        chain = tuple(one.certificate for one in reversed(authorities[1:]))
        return authorities[-1].issue(topics=SEVERAL, chain=chain)

    with provider(below(1)).connect(version) as connection:
        connection.push(token, authorization=None).assert_accepted()
    assert "UNKNOWN_CA" in provider(below(12)).alert(version)


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
    provider_authority: Authority,
    provider: Make,
    token: str,
    version: ssl.TLSVersion,
    what: str,
    make: Callable[[Authority], Identity],
    alert: str,
) -> None:
    assert alert in provider(make(provider_authority)).alert(version), what
    # And the server lives on.
    with connect(server) as connection:
        connection.push(token).assert_accepted()


def test_the_journal_of_a_refused_certificate_is_a_log_line(
    server: Mynah, provider_authority: Authority, provider: Make
) -> None:
    identity = provider_authority.issue(days=(-30, -1))
    provider(identity).alert(ssl.TLSVersion.TLSv1_2)
    assert "certificate" in server.process.wait_for_error("expired")


@VERSIONS
@pytest.mark.parametrize(
    ("environment", "name"), [(PRODUCTION, "api.sandbox.push.apple.com"), (DEVELOPMENT, PRODUCTION_NAME)]
)
def test_a_certificate_of_the_other_environment_gets_goaway(
    provider_authority: Authority, provider: Make, version: ssl.TLSVersion, environment: Any, name: str
) -> None:
    identity = provider_authority.issue(topics=SEVERAL, environments=(environment,))
    with provider(identity).connect(version, name) as connection:
        connection.read_until_closed()
        assert len(connection.goaways) == 1
        goaway = connection.goaways[0]
        assert (goaway.last_stream_id, goaway.error_code) == (0, NO_ERROR)
        assert goaway.additional_data == b'{"reason":"BadCertificateEnvironment"}'
        assert connection.settings, "SETTINGS come first"


def test_connections_say_whose_they_are(
    server: Mynah, provider_authority: Authority, provider: Make, token: str
) -> None:
    with provider(provider_authority.issue(topics=SEVERAL)).connect() as connection:
        connection.push(token, authorization=None).assert_accepted()
        number = server.control.push(token)["connection"]
        item = server.control.get(f"/v1/connections/{number}")
        assert item["credential"]["kind"] == "certificate" and APP in item["credential"]["subject"]
        assert (item["tls"], item["sni"], item["alpn"]) == ("TLSv1.3", "localhost", "h2")
        assert item["pushes"] == 1 and item["streams"]["limit"] == 1000
        assert json.dumps(item)


# What it may push


def test_the_authorization_header_is_ignored(provider_authority: Authority, provider: Make, token: str) -> None:
    with provider(provider_authority.issue(topics=SEVERAL)).connect() as connection:
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
    provider_authority: Authority, provider: Make, token: str, topic: str | None, reason: str | None
) -> None:
    with provider(provider_authority.issue(topics=SEVERAL)).connect() as connection:
        reply = connection.push(token, authorization=None, topic=topic, push_type=None)
        if reason is None:
            reply.assert_accepted()
        else:
            reply.assert_refused(400, reason)


@pytest.mark.parametrize("topics", [None, {APP: "app"}], ids=["by-uid", "by-list"])
def test_the_one_topic_is_the_default(
    server: Mynah, provider_authority: Authority, provider: Make, token: str, topics: dict[str, str] | None
) -> None:
    with provider(provider_authority.issue(topics=topics)).connect() as connection:
        connection.push(token, authorization=None, topic=None).assert_accepted()
    assert server.control.push(token)["topic"] == APP


def test_location_needs_a_token(provider_authority: Authority, provider: Make, token: str) -> None:
    topics = {APP: "app", f"{APP}.location-query": "location"}
    with provider(provider_authority.issue(topics=topics)).connect() as connection:
        reply = connection.push(token, authorization=None, topic=f"{APP}.location-query", push_type="location")
        reply.assert_refused(400, "TopicDisallowed")


def test_a_voip_certificate_of_the_older_kind(provider_authority: Authority, provider: Make, token: str) -> None:
    with provider(provider_authority.issue(voip=True)).connect() as connection:
        connection.push(token, authorization=None, topic=f"{APP}.voip", push_type="voip").assert_accepted()


def test_an_mdm_server_without_any_apns_header(
    server: Mynah, provider_authority: Authority, provider: Make, token: str
) -> None:
    """As nanomdm sends it."""
    topic = "com.apple.mgmt.External.2a6cdf3c-4a5e-4c1b-9d7e-0123456789ab"
    identity = provider_authority.issue(topic, environments=(PRODUCTION,), common_name="APSP:2a6cdf3c")
    with provider(identity).connect(name=PRODUCTION_NAME) as connection:
        reply = connection.push(token, authorization=None, topic=None, push_type=None, body=b'{"mdm":"MAGIC"}')
        reply.assert_accepted()
    push = server.control.push(token)
    assert (push["topic"], push["pushType"], push["environment"]) == (topic, "mdm", "production")


# Revocation


@VERSIONS
def test_a_revocation_holds_for_open_connections_and_new_ones(
    mynah: Mynah, certificate: OrderedCertificate, tmp_path: Path, version: ssl.TLSVersion
) -> None:
    (tmp_path / "other").mkdir()
    context = certificate.context(version)
    other_context = OrderedCertificate(mynah, tmp_path / "other").context(version)
    with connect(mynah, context=context) as connection, connect(mynah, context=other_context) as other:
        # The token counts for nothing beside the certificate.
        connection.push(unique_token(), authorization="bearer nonsense", topic=None).assert_accepted()
        other.push(unique_token(), authorization=None).assert_accepted()
        certificate.revoke()
        for authorization in (None, "bearer nonsense"):
            connection.push(unique_token(), authorization=authorization).assert_refused(403, "BadCertificate")
        # Nor does a good one stand in for it.
        connection.push(unique_token()).assert_refused(403, "BadCertificate")
        other.push(unique_token(), authorization=None).assert_accepted()
    # The session of before must not spare the server its look at the certificate.
    assert "CERTIFICATE_REVOKED" in alert(mynah, context)
