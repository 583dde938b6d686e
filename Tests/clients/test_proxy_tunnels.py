"""What the proxy does with targets that are not APNs, and with what is no CONNECT."""

from __future__ import annotations

import hashlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator

import httpx
import pytest

from commandline import FREE_PORTS, UNAVAILABLE, Command
from commands import run
from proxies import (
    ESTABLISHED,
    HeadCase,
    connect_line,
    head_cases,
    listening,
    proxy_socket,
    read_exactly,
    read_to_end,
    tunnel,
)
from server import Mynah
from ports import held_port
from waiting import HANG_SECONDS, until

BIG = bytes(range(256)) * 32_768  # 8 MiB
HUGE = BIG * 4  # more than the buffers of four sockets hold


@pytest.fixture
def proxied(mynah_with: Callable[..., Mynah]) -> Mynah:
    """A server with a proxy on loopback."""
    return mynah_with("--proxy-port", "0")


@pytest.fixture
def reachable(mynah_with: Callable[..., Mynah]) -> Mynah:
    """A server whose proxy other machines can reach."""
    return mynah_with("--proxy-port", "0", "--host", "0.0.0.0", "--control-host", "localhost")


# Tunnels


def echo(channel: socket.socket) -> None:
    """Sends back what comes, and ends when the peer has ended its side."""
    while piece := channel.recv(65_536):
        channel.sendall(piece)


def digest(channel: socket.socket) -> None:
    """Reads to the end, and answers then."""
    channel.sendall(hashlib.sha256(read_to_end(channel)).hexdigest().encode())


def test_bytes_go_both_ways(proxied: Mynah) -> None:
    with listening(echo) as server, tunnel(proxied, server.target) as channel:
        for piece in (b"a", b"bc" * 1000, b"\x00\xff"):
            channel.sendall(piece)
            assert read_exactly(channel, len(piece)) == piece


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST."])
def test_a_name_is_resolved(proxied: Mynah, host: str) -> None:
    with listening(echo) as server, tunnel(proxied, f"{host}:{server.port}") as channel:
        channel.sendall(b"x")
        assert read_exactly(channel, 1) == b"x"


def test_a_server_that_speaks_first_is_heard(proxied: Mynah) -> None:
    with listening(lambda channel: channel.sendall(b"220 hello")) as server, tunnel(proxied, server.target) as channel:
        assert read_to_end(channel) == b"220 hello"


def test_bytes_behind_the_connect_are_not_lost(proxied: Mynah) -> None:
    with listening(echo) as server, tunnel(proxied, server.target, early=b"early") as channel:
        channel.sendall(b" and later")
        assert read_exactly(channel, 15) == b"early and later"


def test_a_client_that_has_ended_its_side_still_hears_the_answer(proxied: Mynah) -> None:
    with listening(digest) as server, tunnel(proxied, server.target) as channel:
        channel.sendall(b"all of it")
        channel.shutdown(socket.SHUT_WR)
        assert read_to_end(channel) == hashlib.sha256(b"all of it").hexdigest().encode()


def test_a_client_that_ends_its_side_with_the_connect_still_hears_the_answer(proxied: Mynah) -> None:
    with listening(digest) as server, proxy_socket(proxied, connect_line(server.target) + b"all of it") as channel:
        channel.shutdown(socket.SHUT_WR)
        assert read_to_end(channel) == ESTABLISHED + hashlib.sha256(b"all of it").hexdigest().encode()


def test_a_server_that_has_ended_its_side_still_hears_the_client(proxied: Mynah) -> None:
    heard: list[bytes] = []

    def answer_first(channel: socket.socket) -> None:
        channel.sendall(b"no more from here")
        channel.shutdown(socket.SHUT_WR)
        heard.append(read_to_end(channel))

    with listening(answer_first) as server, tunnel(proxied, server.target) as channel:
        assert read_to_end(channel) == b"no more from here"
        channel.sendall(b"but from here")
        channel.shutdown(socket.SHUT_WR)
        assert channel.recv(1) == b""
    assert heard == [b"but from here"]


@pytest.mark.measures
def test_a_client_that_reads_late_gets_everything(proxied: Mynah) -> None:
    def send(channel: socket.socket) -> None:
        channel.sendall(HUGE)

    before = proxied.anonymous_bytes()
    with listening(send) as server, tunnel(proxied, server.target) as channel:
        assert read_exactly(channel, 100) == HUGE[:100]
        # What does not fit into the sockets has not been read.
        until(lambda: proxied.anonymous_bytes() - before < len(HUGE) // 4, "that the proxy reads no more than it sends")
        assert read_to_end(channel) == HUGE[100:]


def test_both_sides_may_send_at_once(proxied: Mynah) -> None:
    with listening(echo) as server, tunnel(proxied, server.target) as channel:

        def send() -> None:
            channel.sendall(BIG)
            channel.shutdown(socket.SHUT_WR)

        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        assert read_to_end(channel) == BIG
        sender.join()


def test_a_reset_is_carried_over(proxied: Mynah) -> None:
    def reset(channel: socket.socket) -> None:
        channel.recv(1)
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with listening(reset) as server, tunnel(proxied, server.target) as channel:
        channel.sendall(b"x")
        with pytest.raises(ConnectionResetError):
            channel.recv(1)


def test_plain_http_through_a_tunnel(proxied: Mynah) -> None:
    """To Mynah's own control API, with a client that uses the proxy for http, too."""
    done = run(
        *["curl", "--silent", "--show-error", "--fail", "--proxytunnel", "--suppress-connect-headers", "--noproxy", ""],
        *["--proxy", f"http://127.0.0.1:{proxied.proxy_port}", f"{proxied.control_url}/v1/status"],
    )
    assert done.returncode == 0 and b'"name":"mynah"' in done.stdout.replace(b" ", b""), done


def test_the_servers_own_port_is_no_tunnel(proxied: Mynah, token: str) -> None:
    """A provider that was pointed at Mynah goes on working when somebody sets HTTPS_PROXY."""
    context = ssl.create_default_context(cafile=str(proxied.ca_file))
    with httpx.Client(http2=True, verify=context, proxy=f"http://127.0.0.1:{proxied.proxy_port}") as client:
        headers = {"authorization": proxied.authorization(), "apns-topic": "com.example.app"}
        url = f"https://localhost:{proxied.port}/3/device/{token}"
        assert client.post(url, headers=headers, content=b"{}").status_code == 200
    assert proxied.control.push(token)["status"] == 200


# Targets that can't be had


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port of loopback on which nobody listens."""
    with held_port() as port:
        yield port


def test_a_target_where_nobody_listens_is_502_and_named(proxied: Mynah, closed_port: int) -> None:
    target = f"127.0.0.1:{closed_port}"
    with proxy_socket(proxied, connect_line(target)) as channel:
        answer = read_to_end(channel).decode()
    line, _, body = answer.partition("\r\n")
    assert line == f"HTTP/1.1 502 Bad Gateway (can't connect to {target}: Connection refused)"
    assert "content-type: text/plain" in body and f"can't connect to {target}: Connection refused." in body


def test_a_name_that_leads_nowhere_is_502_and_named(proxied: Mynah) -> None:
    with proxy_socket(proxied, connect_line("no-such-host.invalid:443")) as channel:
        answer = read_to_end(channel).decode()
    assert answer.startswith("HTTP/1.1 502 Bad Gateway (can't connect to no-such-host.invalid:443: ")


def test_httpx_shows_why(proxied: Mynah, closed_port: int) -> None:
    with httpx.Client(proxy=f"http://127.0.0.1:{proxied.proxy_port}") as client, pytest.raises(
        httpx.ProxyError, match=f"127.0.0.1:{closed_port}: Connection refused"
    ):
        client.get(f"https://127.0.0.1:{closed_port}/")


@pytest.mark.parametrize("target", ["example.com:443", "localhost:22", "127.0.0.1:8197", "[::1]:80"])
def test_a_proxy_that_others_can_reach_is_no_open_one(reachable: Mynah, target: str) -> None:
    with proxy_socket(reachable, connect_line(target)) as channel:
        answer = read_to_end(channel).decode()
    line, _, body = answer.partition("\r\n")
    bound = f"0.0.0.0:{reachable.proxy_port}"
    assert line == f"HTTP/1.1 403 Forbidden (the proxy on {bound} leads only to APNs, not to {target})"
    assert "Bind the proxy to localhost" in body


def test_a_proxy_that_others_can_reach_leads_to_apns(reachable: Mynah) -> None:
    for target in ("api.push.apple.com:443", f"localhost:{reachable.port}", f"mynah:{reachable.port}"):
        with proxy_socket(reachable, connect_line(target)) as channel:
            assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED
    reachable.process.wait_for_error("other targets are refused")


# What is no CONNECT


@pytest.mark.parametrize("case", head_cases(), ids=lambda case: case.name)
def test_a_head_of_the_table(proxied: Mynah, case: HeadCase) -> None:
    target = case.expect.get("target")
    if target and not target.startswith("api.push.apple.com:"):
        pytest.skip("its target is not there to be connected to")
    with proxy_socket(proxied, case.head) as channel:
        if target:
            assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED
            return
        if "incomplete" in case.expect:
            # There is no need to wait for the time limit: it ends here.
            channel.shutdown(socket.SHUT_WR)
        answer = read_to_end(channel).decode()
    status = case.expect.get("status", 400)
    assert answer.startswith(f"HTTP/1.1 {status} "), answer
    assert case.expect.get("says", "ended before its empty line") in answer
    head, _, body = answer.partition("\r\n\r\n")
    assert f"content-length: {len(body)}" in head and "connection: close" in head


def test_a_head_in_pieces(proxied: Mynah) -> None:
    with proxy_socket(proxied) as channel:
        channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in b"CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: x\r\n\r\n":
            channel.sendall(bytes([byte]))
        assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED


def test_a_client_that_goes_on_after_a_refusal_still_reads_it(proxied: Mynah) -> None:
    with proxy_socket(proxied, b"GET http://example.com/ HTTP/1.1\r\n\r\n" + b"x" * 200_000) as channel:
        assert read_to_end(channel).startswith(b"HTTP/1.1 405 ")


@pytest.mark.measures
def test_many_clients_that_ask_for_nothing_keep_nobody_out(proxied: Mynah) -> None:
    silent = [socket.create_connection(("127.0.0.1", proxied.proxy_port or 0)) for _ in range(300)]
    try:
        with listening(echo) as server, tunnel(proxied, server.target) as channel:
            channel.sendall(b"x")
            assert read_exactly(channel, 1) == b"x"
    finally:
        for channel in silent:
            channel.close()


@pytest.mark.measures
def test_there_are_so_many_tunnels_and_no_more(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--proxy-port", "0")
    most = 256
    with listening(echo) as server:
        open_now: list[socket.socket] = []
        try:
            for _ in range(most):
                open_now.append(socket.create_connection(("127.0.0.1", mynah.proxy_port or 0), timeout=HANG_SECONDS))
                open_now[-1].sendall(connect_line(server.target))
            for channel in open_now:
                assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED
            with proxy_socket(mynah, connect_line(server.target)) as channel:
                assert read_to_end(channel).startswith(b"HTTP/1.1 503 Service Unavailable (256 tunnels are open")
            # What leads to APNs is no tunnel.
            with proxy_socket(mynah, connect_line("api.push.apple.com:443")) as channel:
                assert read_exactly(channel, len(ESTABLISHED)) == ESTABLISHED
            open_now[0].shutdown(socket.SHUT_WR)
            assert read_to_end(open_now[0]) == b""
            with tunnel(mynah, server.target) as channel:
                channel.sendall(b"x")
                assert read_exactly(channel, 1) == b"x"
        finally:
            for channel in open_now:
                channel.close()


def test_a_connection_that_asks_for_nothing_is_not_said_to_be_refused(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--proxy-port", "0")
    with proxy_socket(mynah) as silent:
        silent.shutdown(socket.SHUT_WR)
        assert read_to_end(silent) == b""
    with proxy_socket(mynah, b"CON") as cut:
        cut.shutdown(socket.SHUT_WR)
        assert read_to_end(cut).startswith(b"HTTP/1.1 400 ")
    mynah.stop()
    assert len([line for line in mynah.process.errors if "the proxy answered 400" in line]) == 1


# Life


def test_a_taken_port_is_exit_code_69(mynah_command: Command, proxied: Mynah) -> None:
    done = mynah_command("serve", *FREE_PORTS, "--proxy-port", str(proxied.proxy_port))
    assert done.returncode == UNAVAILABLE
    assert f"port {proxied.proxy_port} is taken" in done.stderr


@pytest.mark.measures
def test_tunnels_end_with_the_server(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--proxy-port", "0", "--shutdown-grace", "1s")
    with listening(echo) as server, tunnel(mynah, server.target) as channel, proxy_socket(mynah, b"CONN") as silent:
        channel.sendall(b"x")
        assert read_exactly(channel, 1) == b"x"
        mynah.stop()
        assert (channel.recv(1), silent.recv(1)) == (b"", b"")
