"""The proxy with clients that know no host but Apple's, none of them changed."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
from collections.abc import Callable

import httpx
import pytest
from kalyke import ApnsClient, ApnsConfig

from commands import curl, run
from coroutines import result_of
from h2client import FrameConnection, tls_context
from proxies import ESTABLISHED, connect_line, proxy_socket, read_exactly
from server import Mynah
from waiting import LONGEST_WAIT

PAYLOAD = {"aps": {"alert": "through the proxy"}}
HOSTS = [
    ("api.push.apple.com", "production"),
    ("api.sandbox.push.apple.com", "sandbox"),
    ("api.development.push.apple.com", "sandbox"),
]


@pytest.fixture
def proxied(mynah_with: Callable[..., Mynah]) -> Mynah:
    """A server with a proxy on loopback."""
    return mynah_with("--proxy-port", "0")


@pytest.fixture
def environment(proxied: Mynah, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody exports who has read the documentation."""
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxied.proxy_port}")
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(proxied.ca_file))
    monkeypatch.setenv("CURL_CA_BUNDLE", str(proxied.ca_file))


def fields(mynah: Mynah) -> dict[str, str]:
    return {
        "authorization": mynah.authorization(),
        "apns-topic": "com.example.app",
        "apns-push-type": "alert",
    }


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("port", ["", ":2197", ":4711"])
@pytest.mark.parametrize(("host", "environment_name"), HOSTS)
def test_curl(proxied: Mynah, token: str, host: str, environment_name: str, port: str) -> None:
    given = [argument for name, value in fields(proxied).items() for argument in ("--header", f"{name}: {value}")]
    body = json.dumps(PAYLOAD)
    reply = curl("--suppress-connect-headers", *given, "--data", body, f"https://{host}{port}/3/device/{token}")
    assert (reply.version, reply.status, reply.body) == ("HTTP/2", 200, b"")
    push = proxied.control.push(token)
    assert (push["environment"], push["payload"]) == (environment_name, PAYLOAD)


@pytest.mark.usefixtures("environment")
def test_curl_is_refused_as_by_a_connection_of_its_own(proxied: Mynah) -> None:
    reply = curl("--suppress-connect-headers", "--data", "{}", "https://api.push.apple.com/3/device/00")
    assert (reply.status, reply.body) == (403, b'{"reason":"MissingProviderToken"}')


@pytest.mark.usefixtures("environment")
def test_httpx(proxied: Mynah, token: str) -> None:
    with httpx.Client(http2=True) as client:
        url = f"https://api.push.apple.com/3/device/{token}"
        for _ in range(3):
            reply = client.post(url, headers=fields(proxied), json=PAYLOAD)
            assert (reply.http_version, reply.status_code) == ("HTTP/2", 200)
    pushes = proxied.control.pushes(token)
    assert len(pushes) == 3 and len({push["connection"] for push in pushes}) == 1


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(("sandbox", "environment_name"), [(False, "production"), (True, "sandbox")])
def test_kalyke(proxied: Mynah, token: str, sandbox: bool, environment_name: str) -> None:
    client = ApnsClient(
        use_sandbox=sandbox,
        team_id=proxied.team_id,
        auth_key_id=proxied.key_id,
        auth_key_filepath=proxied.key_file,
    )
    apns_id = result_of(client.send_message(token, PAYLOAD, ApnsConfig(topic="com.example.app")))
    push = proxied.control.push(token)
    assert (push["apnsId"], push["environment"]) == (apns_id, environment_name)


PHP = """
$curl = curl_init("https://api.push.apple.com/3/device/" . $argv[1]);
curl_setopt_array($curl, [
    CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_0, CURLOPT_POSTFIELDS => '{"aps":{"alert":"php"}}',
    CURLOPT_HTTPHEADER => ["authorization: " . $argv[2], "apns-topic: com.example.app", "apns-push-type: alert"],
    CURLOPT_RETURNTRANSFER => true]);
if (curl_exec($curl) === false) { fwrite(STDERR, curl_error($curl)); exit(1); }
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
"""


def php_has_curl() -> bool:
    if shutil.which("php") is None:
        return False
    return run("php", "-r", "exit(function_exists('curl_init') ? 0 : 1);").returncode == 0


@pytest.mark.usefixtures("environment")
@pytest.mark.skipif(not php_has_curl(), reason="PHP with curl is not installed")
def test_php(proxied: Mynah, token: str) -> None:
    given = [f"curl.cainfo={proxied.ca_file}", PHP, "--", token, proxied.authorization()]
    done = run("php", "-d", given[0], "-r", *given[1:])
    assert (done.returncode, done.stdout) == (0, b"200"), done.stderr
    assert proxied.control.push(token)["environment"] == "production"


# What else holds for a connection through the proxy


def secured(mynah: Mynah, channel: socket.socket, server_name: str) -> ssl.SSLSocket:
    """TLS on a connection that has been established; the certificate is good for any of the server's names."""
    return tls_context(mynah, ["h2"]).wrap_socket(channel, server_hostname=server_name)


@pytest.mark.parametrize("target", ["API.PUSH.APPLE.COM:443", "api.push.apple.com.:443", "api.push.apple.com:1"])
def test_the_server_name_chooses_the_environment(proxied: Mynah, token: str, target: str) -> None:
    with proxy_socket(proxied, connect_line(target)) as channel:
        assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED
        with FrameConnection(secured(proxied, channel, "api.sandbox.push.apple.com"), proxied).start() as connection:
            connection.push(token).assert_accepted()
    assert proxied.control.push(token)["environment"] == "sandbox"


def test_the_name_that_was_asked_for_chooses_it_where_the_server_name_does_not(proxied: Mynah, token: str) -> None:
    with proxy_socket(proxied, connect_line("api.push.apple.com:443")) as channel:
        assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED
        with FrameConnection(secured(proxied, channel, "localhost"), proxied).start() as connection:
            connection.push(token).assert_accepted()
    assert proxied.control.push(token)["environment"] == "production"


def test_a_client_hello_behind_the_connect_is_not_lost(proxied: Mynah, token: str) -> None:
    """In one packet with the CONNECT, which no client should do before it has the answer."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = tls_context(proxied, ["h2"]).wrap_bio(incoming, outgoing, server_hostname="api.push.apple.com")
    with pytest.raises(ssl.SSLWantReadError):
        tls.do_handshake()
    with proxy_socket(proxied, connect_line("api.push.apple.com:443") + outgoing.read()) as channel:
        assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                incoming.write(channel.recv(65_536))
    assert tls.selected_alpn_protocol() == "h2"


def test_a_connection_through_the_proxy_is_listed_with_its_peer_and_ended_like_others(
    own_mynah: Callable[..., Mynah], token: str
) -> None:
    mynah = own_mynah("--proxy-port", "0")
    with proxy_socket(mynah, connect_line("api.push.apple.com:443")) as channel:
        assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED
        peer = f"127.0.0.1:{channel.getsockname()[1]}"
        with FrameConnection(secured(mynah, channel, "api.push.apple.com"), mynah).start() as connection:
            connection.push(token).assert_accepted()
            [listed] = mynah.control.get("/v1/connections")["items"]
            assert (listed["peer"], listed["sni"], listed["pushes"]) == (peer, "api.push.apple.com", 1)
            assert mynah.control.push(token)["connection"] == listed["id"]
            assert mynah.control.ask("DELETE", f"/v1/connections/{listed['id']}").status in (200, 204)
            connection.wait_for_goaway()


@pytest.mark.parametrize("action", [{"type": "refuse"}, {"type": "close", "how": "rst"}])
def test_a_fault_at_accept_finds_a_connection_through_the_proxy(
    own_mynah: Callable[..., Mynah], action: dict[str, str]
) -> None:
    mynah = own_mynah("--proxy-port", "0")
    rule = {"id": "f", "match": {"event": "accept", "environment": "production"}, "action": action}
    assert mynah.control.ask("POST", "/v1/faults", body=rule).status == 201
    with proxy_socket(mynah, connect_line("api.push.apple.com:443")) as channel, pytest.raises(OSError):
        read_exactly(channel, len(ESTABLISHED))
        secured(mynah, channel, "api.push.apple.com")
    assert mynah.control.get("/v1/faults/f", {"wait": LONGEST_WAIT, "hits": 1})["fired"] == 1


def test_the_proxys_port_is_told(proxied: Mynah, mynah: Mynah) -> None:
    assert proxied.control.get("/v1/status")["ports"]["proxy"] == proxied.proxy_port
    proxied.process.wait_for_error(f"HTTPS_PROXY=http://127.0.0.1:{proxied.proxy_port}")
    proxied.process.wait_for_error(f"the proxy listens on port {proxied.proxy_port}")
    assert mynah.control.get("/v1/status")["ports"]["proxy"] is None
