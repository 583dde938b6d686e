"""Faults of TLS, by the bytes of their alerts and by what Python's `ssl` says of them (`Documents#Actions`)."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from conftest import unique_token
from h2client import connect, tls_channel
from http1client import HTTP1Connection
from server import Mynah
from transport import (
    assert_silent,
    client_hello,
    context_of,
    everything,
    fault,
    fired,
    plain_channel,
    request,
    wait_for_connections,
)
from waiting import takes_at_least

VERSIONS = pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])


@VERSIONS
@pytest.mark.parametrize(
    ("name", "number"),
    [("handshake_failure", 40), ("certificate_expired", 45), ("unknown_ca", 48), ("internal_error", 80)],
)
def test_an_alert_answers_the_client_hello(mynah: Mynah, version: ssl.TLSVersion, name: str, number: int) -> None:
    with fault(mynah, {"type": "tls", "alert": name}) as rule, plain_channel(mynah.port) as channel:
        channel.sendall(client_hello(mynah, version))
        assert everything(channel) == bytes([21, 3, 3, 0, 2, 2, number])
        assert fired(mynah, rule) == 1


@VERSIONS
@pytest.mark.parametrize("name", ["certificate_expired", "unknown_ca", "certificate_revoked", "access_denied"])
def test_an_alert_comes_when_the_client_believes_itself_connected(
    mynah: Mynah, version: ssl.TLSVersion, name: str
) -> None:
    with fault(mynah, {"type": "tls", "alert": name, "when": "afterHandshake"}):
        with tls_channel(mynah, context=context_of(mynah, version)) as channel:
            assert channel.version() == {"TLSv1_2": "TLSv1.2", "TLSv1_3": "TLSv1.3"}[version.name]
            with pytest.raises(ssl.SSLError, match="(?i)alert." + name.replace("_", ".")):
                channel.recv(1)


@VERSIONS
@pytest.mark.parametrize(
    ("certificate", "code"), [("expired", 10), ("wrongHost", 62), ("untrusted", 19)], ids=["expired", "host", "ca"]
)
def test_another_certificate_is_refused_for_its_own_reason(
    mynah: Mynah, token: str, version: ssl.TLSVersion, certificate: str, code: int
) -> None:
    with fault(mynah, {"type": "tls", "certificate": certificate}):
        with pytest.raises(ssl.SSLCertVerificationError) as caught:
            tls_channel(mynah, context=context_of(mynah, version))
        assert caught.value.verify_code == code, caught.value
        careless = context_of(mynah, version)
        careless.check_hostname = False
        careless.verify_mode = ssl.CERT_NONE
        with connect(mynah, context=careless) as connection:
            connection.push(token).assert_accepted()
    with connect(mynah, context=context_of(mynah, version)) as connection:
        connection.push(unique_token()).assert_accepted()


@pytest.mark.measures
def test_a_stalled_handshake_ends_with_the_server(own_mynah: Callable[..., Mynah]) -> None:
    server = own_mynah()
    server.control.post("/v1/faults", {"action": {"type": "tls", "stall": True}})
    with plain_channel(server.port) as channel:
        channel.sendall(client_hello(server))
        assert_silent(channel)
        channel.sendall(b"more")
        server.stop()
        assert channel.recv(1) == b""


@pytest.mark.measures
def test_a_stalled_connection_ends_with_the_client(own_mynah: Callable[..., Mynah]) -> None:
    server = own_mynah()
    with fault(server, {"type": "tls", "stall": True}) as rule:
        with plain_channel(server.port) as channel:
            channel.sendall(client_hello(server))
            wait_for_connections(server, 1)
        wait_for_connections(server, 0)
        assert fired(server, rule) == 1


@pytest.mark.measures
def test_a_slow_handshake_is_completed(mynah: Mynah, token: str) -> None:
    slow = {"type": "tls", "slow": "800ms"}
    with takes_at_least(0.8), fault(mynah, slow), connect(mynah) as connection:
        connection.push(token).assert_accepted()


@pytest.mark.measures
def test_without_tls_its_faults_end_the_connection(mynah: Mynah, token: str) -> None:
    with fault(mynah, {"type": "tls", "alert": "internal_error"}), plain_channel(mynah.cleartext_port) as channel:
        channel.sendall(request(mynah, token))
        assert everything(channel) == b""
    with fault(mynah, {"type": "tls", "stall": True}), plain_channel(mynah.cleartext_port) as channel:
        channel.sendall(request(mynah, token))
        assert_silent(channel)
    slow = {"type": "tls", "slow": "500ms"}
    with takes_at_least(0.5), fault(mynah, slow), HTTP1Connection(mynah.cleartext_port) as connection:
        assert connection.exchange("POST", request(mynah, token)).status == 200
