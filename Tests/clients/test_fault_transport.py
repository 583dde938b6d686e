"""Faults of TCP, by the bytes that come and the errors of the system (`Documents#Actions`)."""

from __future__ import annotations

import contextlib
import errno
import ssl
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from commandline import Command
from conftest import unique_token
from h2client import connect, connect_cleartext
from server import Mynah
from transport import (
    Sender,
    assert_reset,
    assert_silent,
    below_tls,
    everything,
    fault,
    fired,
    memory_session,
    plain_channel,
)
from waiting import LONGEST_WAIT, takes_at_least, until

PROTOCOLS = pytest.mark.parametrize("protocol", ["tls", "h2c", "http1"])


@pytest.fixture
def sender(mynah: Mynah) -> Iterator[Callable[[str], Sender]]:
    senders: list[Sender] = []

    def make(protocol: str) -> Sender:
        senders.append(Sender(mynah, protocol))
        return senders[-1]

    yield make
    for one in senders:
        one.close()


@PROTOCOLS
def test_fin_ends_the_connection_without_a_word(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    with fault(mynah, {"type": "close", "how": "fin"}, match={"token": token}):
        one.push(token)
        if protocol == "tls":
            # No close_notify.
            with pytest.raises(ssl.SSLEOFError):
                one.channel.recv(1)
        else:
            assert everything(one.channel) == b""
    push = mynah.control.push(token)
    assert (push["status"], push["outcome"]) == (None, "unanswered")


@PROTOCOLS
def test_rst_resets_the_connection(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    with fault(mynah, {"type": "close", "how": "rst"}, match={"token": token}):
        one.push(token)
        assert assert_reset(one.channel) == b""


@PROTOCOLS
def test_a_half_open_connection_takes_everything_and_says_nothing(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    with fault(mynah, {"type": "close", "how": "halfOpen"}, match={"token": token}):
        one.push(token)
        assert_silent(one.channel)
        # Much more than any buffer between has room for.
        for _ in range(100):
            one.channel.sendall(b"x" * 100_000)
        number = mynah.control.push(token)["connection"]
        assert mynah.control.get(f"/v1/connections/{number}")["id"] == number
        assert mynah.control.ask("DELETE", f"/v1/connections/{number}", {"abort": "true"}).status in (200, 204)
        assert_reset(one.channel)


@PROTOCOLS
def test_a_connection_ends_in_the_middle_of_a_reply(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    action = {"type": "close", "how": "fin", "afterBytes": 13}
    with below_tls(one.channel) as below, fault(mynah, action, match={"token": token}):
        one.push(token)
        assert len(everything(below)) == 13
    assert mynah.control.push(token)["status"] == 200


@pytest.mark.parametrize("how", ["fin", "rst"])
@pytest.mark.parametrize("count", [1, 100, 1500])
def test_a_handshake_is_cut_at_the_byte(mynah: Mynah, how: str, count: int) -> None:
    with fault(mynah, {"type": "close", "how": how, "afterBytes": count}, match={"event": "accept"}):
        with plain_channel(mynah.port) as channel:
            # The server's flight fits no 100 bytes, and ends before the client's: 1500 come with what is behind it.
            session, incoming, outgoing = memory_session(mynah)
            received = b""
            with contextlib.suppress(ssl.SSLWantReadError):
                session.do_handshake()
            channel.sendall(outgoing.read())
            is_done = False
            try:
                while part := channel.recv(65_536):
                    received += part
                    incoming.write(part)
                    with contextlib.suppress(ssl.SSLWantReadError):
                        if not is_done:
                            session.do_handshake()
                            is_done = True
                            session.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
                    channel.sendall(outgoing.read())
                assert how == "fin"
            except ConnectionError as error:
                assert how == "rst" and error.errno in (errno.ECONNRESET, errno.EPIPE), error
            assert len(received) == count


@pytest.mark.parametrize("preset", ["goaway", "close", "hang-up", "half-open"])
def test_the_pushes_of_each_connection_are_counted_by_themselves(
    mynah: Mynah, mynah_command: Command, token: str, preset: str
) -> None:
    words = ["--token", token, preset, "--after", "3"]
    rule = mynah_command("fault", "add", *words, MYNAH_URL=mynah.control_url).stdout.strip()
    with connect(mynah) as one, connect_cleartext(mynah) as other:
        # Pushes of others are none of the rule's.
        other.push(unique_token()).assert_accepted()
        for connection in (one, other, one, other):
            connection.push(token).assert_accepted()
        assert fired(mynah, rule) == 0
        assert {push["fault"] for push in mynah.control.pushes(token)} == {None}
        for count, connection in enumerate((one, other), start=1):
            connection.push(token).assert_accepted()
            assert fired(mynah, rule) == count
            if preset != "half-open":
                connection.read_until_closed()
            assert bool(connection.goaways) == (preset == "goaway")
    assert [push["fault"] for push in mynah.control.pushes(token)] == [None] * 4 + [rule] * 2
    assert mynah.control.ask("DELETE", f"/v1/faults/{rule}").status == 200


def test_an_end_that_waits_for_silence_fires_when_it_comes(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    busy = {"type": "respond", "status": 503, "reason": "ServiceUnavailable"}
    with (
        fault(mynah, busy, match={"token": token}, times=1),
        fault(mynah, {"type": "close", "how": "fin", "afterIdle": "1m"}) as rule,
        connect_cleartext(mynah) as connection,
    ):
        # A rule that waits leaves the push to the others.
        connection.push(token).assert_refused(503, "ServiceUnavailable")
        connection.push(token).assert_accepted()
        mynah.control.post("/v1/clock/advance", {"by": "59s"})
        connection.ping()
        mynah.control.post("/v1/clock/advance", {"by": "59s"})
        assert fired(mynah, rule) == 0
        mynah.control.post("/v1/clock/advance", {"by": "1s"})
        connection.read_until_closed()
        assert mynah.control.get(f"/v1/faults/{rule}", {"wait": LONGEST_WAIT, "hits": 1})["fired"] == 1
        assert rule not in [push["fault"] for push in mynah.control.pushes(token)]


@PROTOCOLS
@pytest.mark.measures
def test_a_throttled_reply_arrives_whole(
    mynah: Mynah, sender: Callable[[str], Sender], token: str, protocol: str
) -> None:
    one = sender(protocol)
    rule = {"type": "throttle", "bytesPerSecond": 100, "chunk": 1}
    # The reply has more than 15 bytes, whatever the protocol; the first is sent at once.
    with takes_at_least(0.14), fault(mynah, rule, match={"token": token}):
        one.push(token)
        if one.frames:
            one.frames.reply(1).assert_accepted()
        else:
            assert b"".join(one.channel.recv(1) for _ in range(15)) == b"HTTP/1.1 200 OK"


@pytest.mark.measures
def test_bytes_come_no_faster_than_the_rule_says(mynah: Mynah) -> None:
    rule = {"type": "throttle", "bytesPerSecond": 40, "chunk": 1}
    accepted = fault(mynah, rule, match={"event": "accept"})
    # 9 bytes of head and six for each of four values; the first is sent at once.
    with takes_at_least(32 / 40), accepted, connect_cleartext(mynah) as connection:
        assert len(connection.wait_for_settings()) == 4


def test_connections_are_refused_while_the_rule_is_there(own_mynah: Callable[..., Mynah], token: str) -> None:
    server = own_mynah()
    with connect(server) as before:
        before.push(token).assert_accepted()
        with fault(server, {"type": "refuse"}):
            for port in (server.port, server.cleartext_port):
                with pytest.raises((ConnectionResetError, ConnectionRefusedError)):
                    with plain_channel(port) as channel:
                        channel.recv(1)
            before.ping()
    with connect(server) as after:
        after.push(unique_token()).assert_accepted()


@pytest.mark.parametrize(
    "action",
    [
        {"type": "close", "how": "halfOpen"},
        {"type": "throttle", "bytesPerSecond": 1, "chunk": 1},
        {"type": "stall"},
        {"type": "truncate"},
    ],
    ids=lambda action: action["type"],
)
@PROTOCOLS
@pytest.mark.measures
def test_the_server_ends_in_time_whatever_its_connections_do(
    own_mynah: Callable[..., Mynah], token: str, action: dict[str, Any], protocol: str
) -> None:
    server = own_mynah("--shutdown-grace", "500ms")
    one = Sender(server, protocol)
    server.control.post("/v1/faults", {"action": action, "match": {"token": token}})
    one.push(token)
    until(lambda: server.control.pushes(token), "the push in the journal")
    server.stop()
    one.close()
