"""TLS handshakes that fail, told where people look for their first push: the API, events, metrics."""

from __future__ import annotations

import itertools
import socket
import ssl
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import run
from devices import EventStream
from h2client import connect, tls_channel, tls_context
from server import Mynah
from transport import client_hello, everything, fault
from waiting import HANG_SECONDS, measured, stopwatch

FLOOD = 250
KEPT = 100
# Between two events of one cause.
INTERVAL_SECONDS = 1


def fail(mynah: Mynah, context: ssl.SSLContext, server_name: str = "localhost") -> None:
    """Shakes hands in vain; a refusal of TLS 1.3 comes only with the first read."""
    try:
        with tls_channel(mynah, context=context, server_name=server_name) as channel:
            assert channel.recv(1) == b""
    except OSError:
        pass


def fail_untrusting(mynah: Mynah) -> None:
    fail(mynah, ssl.create_default_context())


def fail_untrusting_an_address(mynah: Mynah) -> None:
    fail(mynah, ssl.create_default_context(), server_name="127.0.0.1")


def fail_in_plaintext(mynah: Mynah) -> None:
    with socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS) as channel:
        channel.sendall(b"POST /3/device/00 HTTP/1.1\r\nhost: localhost\r\n\r\n")
        everything(channel)


def fail_without_h2(mynah: Mynah) -> None:
    with tls_channel(mynah, alpn=["http/1.1"]) as channel:
        channel.sendall(b"POST /3/device/00 HTTP/1.1\r\nhost: localhost\r\n\r\n")
        everything(channel)


def hang_up_without_h2(mynah: Mynah) -> None:
    with tls_channel(mynah, alpn=["http/1.1"]) as channel:
        assert channel.recv(1)


def fail_by_version(mynah: Mynah) -> None:
    context = tls_context(mynah, ["h2"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    # OpenSSL itself offers 1.1 at this level only.
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    fail(mynah, context)


def fail_by_hanging_up(mynah: Mynah) -> None:
    with socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS) as channel:
        channel.sendall(client_hello(mynah))
        assert channel.recv(1)


def hang_up_after_the_handshake(mynah: Mynah) -> None:
    """As newer curl does, which looks at the certificate when the handshake is over."""
    # Of another kind than the client of the other tests.
    context = tls_context(mynah, ["h2"])
    context.set_ciphers("ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256")
    tls_channel(mynah, context=context).close()


def fail_by_fault(mynah: Mynah) -> None:
    with fault(mynah, {"type": "tls", "alert": "unknown_ca"}, match={"event": "handshake"}):
        fail(mynah, tls_context(mynah, ["h2"]))


FAILURES: list[tuple[Callable[[Mynah], None], str, str]] = [
    (fail_untrusting, "serverNotTrusted", "does not trust the server's certificate"),
    (fail_untrusting_an_address, "serverNotTrusted", "built on BoringSSL"),
    (fail_in_plaintext, "notTLS", "speaks no TLS"),
    (fail_without_h2, "noHTTP2", "no h2"),
    (hang_up_without_h2, "noHTTP2", "no h2"),
    (fail_by_version, "tlsVersion", "no TLS 1.2 or 1.3"),
    (fail_by_hanging_up, "hungUp", "Node.js"),
    (hang_up_after_the_handshake, "hungUp", "right after the handshake, before any HTTP/2; Node.js, newer curl"),
    (fail_by_fault, "fault", "unknown_ca"),
]


def failures_of(mynah: Mynah, count: int) -> dict[str, object]:
    """The list as soon as it has so many: a client may be gone before the server has heard of it."""
    with EventStream(mynah, "/v1/events?event=connection&after=0") as stream:
        for _ in stream.events():
            page = mynah.control.get("/v1/failed-handshakes")
            if page["matched"] + page["evicted"] >= count:
                return page
    raise AssertionError("the events ended")


def test_each_cause_is_told_plainly(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    # Looks whether the port is open, as many scripts do: no handshake.
    socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS).close()
    for failing, cause, words in FAILURES:
        before = mynah.control.get("/v1/status")["counts"]["handshakesFailed"]
        failing(mynah)
        newest = failures_of(mynah, before + 1)["items"][0]
        assert (newest["cause"], words in newest["reason"]) == (cause, True), newest
        assert newest["peer"].startswith("127.0.0.1:")
    items = mynah.control.get("/v1/failed-handshakes")["items"]
    assert [item["cause"] for item in items] == [cause for _, cause, _ in reversed(FAILURES)]
    # In the order above, newest first: the plaintext has no ClientHello, the address no name.
    assert [item["sni"] for item in items] == ["localhost"] * 6 + [None, None, "localhost"]
    assert str(mynah.ca_file) in items[-1]["reason"]
    assert mynah.control.get("/v1/status")["counts"]["handshakesFailed"] == len(FAILURES)
    metrics = mynah.control.ask("GET", "/metrics").body.decode()
    assert 'mynah_tls_handshake_failures_total{cause="serverNotTrusted"} 2' in metrics
    assert 'mynah_tls_handshake_failures_total{cause="timedOut"} 0' in metrics

    mynah.control.post("/v1/reset", {})
    page = mynah.control.get("/v1/failed-handshakes")
    assert (page["items"], page["matched"], page["evicted"]) == ([], 0, 0)
    assert mynah.control.get("/v1/status")["counts"]["handshakesFailed"] == 0


def test_a_spare_connection_of_a_client_that_trusts_gets_no_hint(
    own_mynah: Callable[..., Mynah], token: str
) -> None:
    mynah = own_mynah()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        tls_channel(mynah, alpn=["h2"]).close()
        first = failures_of(mynah, 1)["items"][0]
    counts = itertools.count(2)

    def just_after_the_last_one() -> dict[str, object]:
        with connect(mynah) as connection:
            connection.push(token).assert_accepted()
        tls_channel(mynah, alpn=["h2"]).close()
        return failures_of(mynah, next(counts))["items"][0]

    # For some seconds, which may be over where this process isn't run.
    second = measured(just_after_the_last_one, lambda failure: "spare connection" in failure["reason"])
    for failure in (first, second):
        assert failure["cause"] == "hungUp" and "spare connection" in failure["reason"], failure
        assert "trust" not in failure["reason"]
    closed = mynah.control.get("/v1/closed-connections")["items"]
    assert [one["reason"] for one in closed if one["id"] == first["id"]] == [first["reason"]]


def test_a_refused_client_certificate_is_told(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    mynah = own_mynah()
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=foreign"]
    assert run("openssl", *made, "-keyout", str(key), "-out", str(certificate)).returncode == 0
    context = tls_context(mynah, ["h2"])
    context.load_cert_chain(certificate, key)
    fail(mynah, context)
    newest = failures_of(mynah, 1)["items"][0]
    assert newest["cause"] == "clientCertificate"
    assert "mynah certs provider" in newest["reason"]


def test_a_failure_is_an_event_of_its_connection(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    with EventStream(mynah, "/v1/events?event=connection") as stream:
        fail_untrusting(mynah)
        failed = stream.next(1)[0].data
        with connect(mynah) as connection:
            connection.push(token).assert_accepted()
            opened = stream.next(1)[0].data
    assert failed.pop("change") == "failed"
    assert failed == mynah.control.get("/v1/failed-handshakes")["items"][0]
    assert (opened["change"], opened["id"]) == ("opened", failed["id"] + 1)


@pytest.mark.measures
def test_a_flood_of_failures_stays_small(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    elapsed = stopwatch()
    for _ in range(FLOOD):
        fail_in_plaintext(mynah)
    page = failures_of(mynah, FLOOD)
    assert (len(page["items"]), page["matched"], page["evicted"]) == (KEPT, KEPT, FLOOD - KEPT)
    assert [item["count"] for item in page["items"]] == list(range(FLOOD, FLOOD - KEPT, -1))
    counts = []
    with EventStream(mynah, "/v1/events?event=connection&after=0") as stream:
        for event in stream.events():
            # The stream begins with a comment.
            if event.data is None:
                continue
            counts.append(event.data["count"])
            if counts[-1] == FLOOD:
                break
    assert counts[0] == 1 and counts == sorted(counts)
    # The first failure, and one for each interval: many only where the flood takes long.
    assert len(counts) <= 2 + elapsed() / INTERVAL_SECONDS
