"""What clients do that the server must survive: how they hold, share and end connections.

See `test_clients_checklist.py`; every line of `CHECKLIST` has a test that names its clients.
"""

from __future__ import annotations

import signal
import socket
import struct
import uuid
from collections.abc import Callable
from statistics import median

import pytest
from hyperframe.frame import DataFrame, GoAwayFrame, RstStreamFrame

from checklist import covers
from conftest import unique_token
from h2client import CANCEL, DEFAULT_BODY, NO_ERROR, FrameConnection, connect, trusted
from provider_token import Form
from server import Mynah
from waiting import HANG, LONGEST_WAIT, stopwatch

# Connections


@covers("SETTINGS are sent at once")
def test_pushy_waits_for_settings_before_it_sends_a_push(mynah: Mynah, token: str) -> None:
    """pushy waits for them; apnotic sends one by one when there is no limit in them."""
    with connect(mynah) as connection:
        assert 3 in connection.wait_for_settings()
        connection.push(token).assert_accepted()


@covers("a client window")
def test_pigeon_opens_everything_as_wide_as_it_goes(mynah: Mynah, token: str) -> None:
    """pigeon."""
    with connect(mynah, settings={4: 2**31 - 1, 5: 2**24 - 1}) as connection:
        connection.push(token).assert_accepted()
        connection.push("zz").assert_refused(400, "BadDeviceToken")


@covers("PING every second")
@pytest.mark.parametrize("client", ["gorush", "apns2 Go", "node-apn", "pigeon", "apns-h2"])
@pytest.mark.measures
def test_pings_between_pushes_are_answered_within_a_second(
    connection: FrameConnection, token: str, client: str
) -> None:
    """gorush pings every second; apns2 (Go), node-apn, pigeon and apns-h2 more seldom. The gaps make no difference
    to the server, so they are left out."""
    seconds = []
    for number in range(30):
        if number % 10 == 0:
            connection.push(token, further=[("user-agent", client)]).assert_accepted()
        elapsed = stopwatch()
        connection.ping(number.to_bytes(8, "big"))
        seconds.append(elapsed())
    # Not each of them: a busy machine may run neither side for a second.
    assert median(seconds) < 1
    assert not connection.goaways


@covers("a new connection and token")
def test_kalyke_and_novu_open_a_connection_with_a_new_token_for_each_push(mynah: Mynah, token: str) -> None:
    """kalyke, Novu."""
    for number in range(30):
        with connect(mynah) as connection:
            connection.push(token, form=Form(variant=100 + number)).assert_accepted()
    assert len(mynah.control.pushes(token)) == 30


@covers("a new connection and token")
def test_apns2_npm_and_hapns_hold_32_connections_with_a_stream_each(mynah: Mynah) -> None:
    """apns2 (npm), hapns."""
    connections = [connect(mynah) for _ in range(32)]
    for _ in range(3):
        streams = [connection.start_push(unique_token()) for connection in connections]
        for connection, stream in zip(connections, streams, strict=True):
            connection.reply(stream).assert_accepted()
    for connection in connections:
        connection.close()


@covers("a new connection and token")
def test_apns2_go_opens_a_further_connection_at_the_limit(mynah: Mynah) -> None:
    """apns2 (Go)."""
    with connect(mynah) as first, connect(mynah) as second:
        first.wait_for_settings()
        busy = first.open(first.push_fields(unique_token()))
        second.push(unique_token()).assert_accepted()
        first.send_body(busy, DEFAULT_BODY)
        first.reply(busy).assert_accepted()


@covers("RST_STREAM CANCEL")
def test_node_apn_cancels_after_its_timeout_and_goes_on(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    """node-apn, 5 s."""
    trusted(connection, unique_token())
    stream = connection.new_stream()
    connection.send(
        connection.headers_frame(stream, connection.push_fields(token)),
        DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM"]),
        RstStreamFrame(stream, error_code=CANCEL),
    )
    connection.push(unique_token()).assert_accepted()
    assert mynah.control.push(token)["outcome"] in {"delivered", "unanswered"}
    assert not connection.goaways


@covers("connections that end early")
@pytest.mark.parametrize("how", ["goaway", "close_notify", "close", "reset", "unread"])
@pytest.mark.measures
def test_a_connection_that_ends_early_leaves_its_push_in_the_journal(mynah: Mynah, token: str, how: str) -> None:
    """aioapns after 10 s idle, pushy after a minute, pushok after each batch, Novu after each push."""
    connection = connect(mynah)
    if how != "unread":
        connection.push(token).assert_accepted()
    match how:
        case "goaway":
            connection.send(GoAwayFrame(0, last_stream_id=0, error_code=NO_ERROR))
            connection.read_until_closed()
        case "close_notify":
            # What the server sends behind the answer would be in the way of its close_notify.
            connection.wait_for_settings(2)
            connection.ping()
            connection.channel.unwrap()
        case "reset":
            connection.channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        case "unread":
            connection.start_push(token)
    connection.close()
    items = mynah.control.get("/v1/notifications", {"token": token, "wait": LONGEST_WAIT, "count": 1})["items"]
    assert len(items) == 1
    with connect(mynah) as another:
        another.push(token).assert_accepted()


@covers("after GOAWAY")
@pytest.mark.measures
def test_pushy_and_node_apn_get_their_replies_after_goaway(own_mynah: Callable[..., Mynah], token: str) -> None:
    """pushy and node-apn lose what is cut off."""
    mynah = own_mynah("--shutdown-grace", HANG)
    with connect(mynah) as connection:
        trusted(connection, token)
        streams = [connection.open(connection.push_fields(unique_token())) for _ in range(100)]
        connection.ping()
        mynah.process.signal(signal.SIGTERM)
        goaway = connection.wait_for_goaway()
        assert goaway.last_stream_id == streams[-1]
        for stream in streams:
            connection.send_body(stream, DEFAULT_BODY)
        for stream in streams:
            connection.reply(stream).assert_accepted()
        connection.read_until_closed()
    assert mynah.process.wait() == 0


@covers("the same push again")
def test_node_apn_repeats_a_push_three_times_at_once(own_mynah: Callable[..., Mynah], token: str) -> None:
    """node-apn: four in all, without apns-id; each `repeats` the one before, and none is an attempt of another."""
    mynah = own_mynah()
    # They are at once by its clock.
    mynah.control.put("/v1/clock", {"mode": "frozen"})
    with connect(mynah) as connection:
        for _ in range(4):
            connection.push(token).assert_accepted()
        connection.push(token, b'{"aps":{"alert":"another"}}').assert_accepted()
    pushes = mynah.control.pushes(token)
    numbers = [push["sequence"] for push in pushes]
    assert [push["repeats"] for push in pushes] == [None, *numbers[:3], None]
    assert {push["attempt"] for push in pushes} == {1}


@covers("the same push again")
def test_rpush_and_sygnal_repeat_a_push_on_a_new_connection(mynah: Mynah, token: str) -> None:
    """rpush after 10 s, Sygnal after 10 and 20 s; the pause makes no difference to attempts with one apns-id."""
    apns_id = [("apns-id", str(uuid.uuid4()))]
    for _ in range(3):
        with connect(mynah) as connection:
            connection.push(token, further=apns_id).assert_accepted()
    assert [push["attempt"] for push in mynah.control.pushes(token)] == [1, 2, 3]
