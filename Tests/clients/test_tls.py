"""TLS as clients of every kind open it (`ProviderAPI#Hosts-and-ports`, `ProviderAPI#TLS`)."""

from __future__ import annotations

import socket
import ssl
import warnings
from collections.abc import Callable

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtensionOID

from commands import run
from devices import EventStream
from h2client import FrameConnection, connect, tls_channel, tls_context
from server import Mynah
from ports import has_ipv6
from waiting import HANG_SECONDS

PRODUCTION = "api.push.apple.com"
SANDBOX = ["api.sandbox.push.apple.com", "api.development.push.apple.com", "localhost"]


@pytest.mark.parametrize(
    "alpn", [None, ["h2"], ["h2", "http/1.1"], ["http/1.1", "h2"]], ids=["none", "h2", "h2-first", "h2-last"]
)
def test_http2_is_chosen(mynah: Mynah, token: str, alpn: list[str] | None) -> None:
    with connect(mynah, alpn=alpn) as connection:
        assert connection.channel.selected_alpn_protocol() == ("h2" if alpn else None)
        connection.push(token).assert_accepted()


# The first frame of APNs as it was captured: a header of 9 bytes, and four settings.
FIRST_SETTINGS = bytes.fromhex("000018040000000000" "000100001000" "000300000001" "000500004000" "000600001f40")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
@pytest.mark.parametrize("alpn", [["http/1.1"], ["http/1.0", "http/1.1"], ["spdy/3"], ["h2c"], ["h3"]], ids="-".join)
def test_a_client_whose_list_lacks_h2_gets_settings(mynah: Mynah, alpn: list[str], version: ssl.TLSVersion) -> None:
    context = tls_context(mynah, alpn)
    context.minimum_version = context.maximum_version = version
    with tls_channel(mynah, context=context) as channel:
        assert channel.selected_alpn_protocol() is None
        channel.sendall(b"POST /3/device/00 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        # As a record of its own, so that a client reads it alone.
        assert channel.recv(4096) == FIRST_SETTINGS
        rest = b""
        while received := channel.recv(4096):
            rest += received
    assert rest[3] == 7 and b"Unexpected HTTP/1.x request: POST /3/device/00 HTTP/1.1" in rest


def test_what_is_wrong_with_a_client_without_h2_is_told(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    for request in (b"", b"GET / HTTP/1.1\r\n\r\n"):
        with EventStream(mynah, "/v1/events?event=connection") as stream:
            with tls_channel(mynah, alpn=["http/1.1"]) as channel:
                assert channel.recv(4096) == FIRST_SETTINGS
                assert stream.next(1)[0].data["change"] == "opened"
                channel.sendall(request)
                if request:
                    while channel.recv(4096):
                        pass
            told = {event.data["change"]: event.data for event in stream.next(2)}
            failed, closed = told["failed"], told["closed"]
        assert (failed["change"], failed["cause"], failed["id"]) == ("failed", "noHTTP2", closed["id"])
        assert closed["change"] == "closed" and closed["alpn"] is None and closed["reason"] == failed["reason"]
        assert closed["reason"].endswith("; the client's ALPN list has no h2")
        assert ("spoke HTTP/1.1 (GET / HTTP/1.1)" in closed["reason"]) == bool(request)
        assert mynah.control.get("/v1/closed-connections")["items"][0]["reason"] == closed["reason"]
    assert mynah.control.get("/v1/status")["counts"]["handshakesFailed"] == 2
    mynah.process.wait_for_error("the connection speaks HTTP/2, as APNs does; the client's ALPN list has no h2")


def test_a_client_that_speaks_http2_without_saying_so_is_served(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    with EventStream(mynah, "/v1/events?event=connection") as stream:
        with connect(mynah, alpn=["http/1.1"]) as connection:
            connection.push(token).assert_accepted()
        changes = [(event.data["change"], event.data.get("reason")) for event in stream.next(2)]
    assert changes == [("opened", None), ("closed", None)]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
def test_tls_version(mynah: Mynah, token: str, version: ssl.TLSVersion) -> None:
    context = tls_context(mynah, ["h2"])
    context.minimum_version = context.maximum_version = version
    with connect(mynah, context=context) as connection:
        assert connection.channel.version() == {"TLSv1_2": "TLSv1.2", "TLSv1_3": "TLSv1.3"}[version.name]
        connection.push(token).assert_accepted()


def test_tls_1_1_is_refused_by_an_alert(mynah: Mynah) -> None:
    context = tls_context(mynah, ["h2"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    # OpenSSL itself offers 1.1 at this level only.
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    with pytest.raises(ssl.SSLError, match="(?i)protocol.version"):
        tls_channel(mynah, context=context)


@pytest.mark.parametrize("name", SANDBOX)
def test_a_name_of_the_sandbox_selects_it(mynah: Mynah, token: str, name: str) -> None:
    with connect(mynah, server_name=name) as connection:
        assert connection.push(token).assert_accepted().value("apns-unique-id")
    assert mynah.control.push(token)["environment"] == "sandbox"


def test_the_name_of_production_selects_it(mynah: Mynah, token: str) -> None:
    with connect(mynah, server_name=PRODUCTION) as connection:
        assert connection.push(token).assert_accepted().value("apns-unique-id") is None
    assert mynah.control.push(token)["environment"] == "production"


def test_a_token_belongs_to_the_environment_of_its_first_push(mynah: Mynah, token: str) -> None:
    with connect(mynah, server_name=PRODUCTION) as production, connect(mynah) as sandbox:
        production.push(token).assert_accepted()
        sandbox.push(token).assert_refused(400, "BadDeviceToken")
        production.push(token).assert_accepted()


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"], ids=["IPv4", "IPv6"])
def test_both_loopback_addresses_are_served_and_named_in_the_certificate(
    mynah: Mynah, token: str, address: str
) -> None:
    if ":" in address and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    with connect(mynah, address=address, server_name=address) as connection:
        connection.push(token).assert_accepted()


@pytest.mark.parametrize(
    "name",
    [
        "localhost",
        "mynah",
        "host.docker.internal",
        "host.testcontainers.internal",
        PRODUCTION,
        "api.sandbox.push.apple.com",
        "api.development.push.apple.com",
        "api-broadcast.push.apple.com",
        "api-broadcast.sandbox.push.apple.com",
        "api-manage-broadcast.push.apple.com",
        "api-manage-broadcast.sandbox.push.apple.com",
        socket.gethostname(),
    ],
)
def test_the_certificate_has_every_name_that_clients_ask_for(mynah: Mynah, name: str) -> None:
    tls_channel(mynah, alpn=["h2"], server_name=name).close()


def test_the_certificate_has_no_other_name(mynah: Mynah) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="(?i)hostname mismatch"):
        tls_channel(mynah, alpn=["h2"], server_name="example.com")


def test_the_ca_is_constrained_to_names_of_development(mynah: Mynah) -> None:
    authority = x509.load_pem_x509_certificate(mynah.ca_file.read_bytes())
    constraints = authority.extensions.get_extension_for_oid(ExtensionOID.NAME_CONSTRAINTS)
    assert constraints.critical and constraints.value.permitted_subtrees


def test_keys_are_for_their_owner_alone(mynah: Mynah) -> None:
    folder = mynah.folder / "state"
    assert folder.stat().st_mode & 0o777 == 0o700
    private = [path for path in folder.rglob("*") if path.is_file() and b"PRIVATE KEY" in path.read_bytes()]
    assert private
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in private} == {path.name: "0o600" for path in private}


def test_a_client_certificate_is_asked_for_and_not_needed(mynah: Mynah) -> None:
    """APNs always asks; every token client answers with none."""
    asked = ["-connect", f"127.0.0.1:{mynah.port}", "-alpn", "h2", "-msg", "-CAfile", str(mynah.ca_file)]
    shown = run("openssl", "s_client", *asked, stdin=b"")
    assert b"CertificateRequest" in shown.stdout


def test_sessions_are_independent_of_each_other(mynah: Mynah, token: str) -> None:
    context = tls_context(mynah, ["h2"])
    for _ in range(3):
        with connect(mynah, context=context) as connection:
            connection.push(token).assert_accepted()


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
def test_a_session_is_resumed_on_every_connection(mynah: Mynah, token: str, version: ssl.TLSVersion) -> None:
    """Connections are spread over the server's event loops."""
    context = tls_context(mynah, ["h2"])
    context.minimum_version = context.maximum_version = version

    def session_of(session: ssl.SSLSession | None) -> tuple[ssl.SSLSession | None, bool | None]:
        plain = socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS)
        channel = context.wrap_socket(plain, server_hostname="localhost", session=session)
        with FrameConnection(channel, mynah).start() as connection:
            # A ticket of TLS 1.3 has been read by the time of the answer.
            connection.push(token).assert_accepted()
            return channel.session, channel.session_reused

    first, is_resumed = session_of(None)
    assert not is_resumed
    newest = first
    reused = []
    for _ in range(24):
        # A ticket of TLS 1.2 serves again and again; each resumption of TLS 1.3 brings new ones (RFC 8446 §C.4).
        newest, is_resumed = session_of(first if version == ssl.TLSVersion.TLSv1_2 else newest)
        reused.append(is_resumed)
    assert reused == [True] * 24


def test_a_renegotiation_is_refused_by_an_alert(mynah: Mynah) -> None:
    """The line R has openssl ask for one; without an answer it would wait until it is killed."""
    asked = ["-connect", f"127.0.0.1:{mynah.port}", "-tls1_2", "-CAfile", str(mynah.ca_file)]
    shown = run("openssl", "s_client", *asked, stdin=b"R\n")
    assert b"no renegotiation" in shown.stderr


def test_tls_records_may_be_cut_anywhere(mynah: Mynah, token: str) -> None:
    """The handshake and a push arrive byte by byte."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = tls_context(mynah, ["h2"]).wrap_bio(incoming, outgoing, server_hostname="localhost")
    with socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS) as channel:
        tunnel = Trickle(channel, session, incoming, outgoing)
        tunnel.handshake()
        FrameConnection(tunnel, mynah).start().push(token).assert_accepted()  # type: ignore[arg-type]


class Trickle:
    """As much of a socket as `FrameConnection` needs, TLS inside, every byte sent by itself."""

    def __init__(
        self, channel: socket.socket, session: ssl.SSLObject, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO
    ) -> None:
        self.channel, self.session, self.incoming, self.outgoing = channel, session, incoming, outgoing

    def settimeout(self, seconds: float) -> None:
        self.channel.settimeout(seconds)

    def setsockopt(self, level: int, option: int, value: int) -> None:
        self.channel.setsockopt(level, option, value)

    def handshake(self) -> None:
        while True:
            try:
                self.session.do_handshake()
                return self._flush()
            except ssl.SSLWantReadError:
                self._flush()
                self._receive()

    def sendall(self, data: bytes) -> None:
        self.session.write(data)
        self._flush()

    def recv(self, count: int) -> bytes:
        while True:
            try:
                return self.session.read(count)
            except ssl.SSLWantReadError:
                if not self._receive():
                    return b""

    def _receive(self) -> bytes:
        data = self.channel.recv(65_536)
        self.incoming.write(data)
        return data

    def _flush(self) -> None:
        for byte in self.outgoing.read():
            self.channel.sendall(bytes([byte]))
