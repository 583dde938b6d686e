"""What ends a connection, and what a test learns of connections by the control API."""

from __future__ import annotations

import errno
import select
import socket
import ssl
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hyperframe.frame import DataFrame, Frame, GoAwayFrame, HeadersFrame

from conftest import unique_token
from h2client import (
    DEFAULT_BODY,
    NO_ERROR,
    REFUSED_STREAM,
    FrameConnection,
    connect,
    connect_cleartext,
    tls_context,
    trusted,
)
from server import Mynah
from waiting import HANG_SECONDS, LONGEST_WAIT


def kinds(frames: list[Frame]) -> list[type[Frame]]:
    """What the frames are, without the frames that belong to no reply."""
    return [type(frame) for frame in frames if isinstance(frame, HeadersFrame | DataFrame | GoAwayFrame)]


# Errors before disconnect


def test_the_last_error_of_the_budget_is_answered_before_goaway_says_its_reason(
    mynah_with: Callable[..., Mynah], token: str
) -> None:
    mynah = mynah_with("--max-errors=3")
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.push("zz").assert_refused(400, "BadDeviceToken")
        connection.push(token, b"").assert_refused(400, "PayloadEmpty")
        connection.push(token).assert_accepted()
        last = connection.start_push(token, topic=None)
        connection.reply(last).assert_refused(400, "MissingTopic")
        goaway = connection.wait_for_goaway()
        assert (goaway.error_code, goaway.last_stream_id) == (NO_ERROR, last)
        assert bytes(goaway.additional_data) == b'{"reason":"MissingTopic"}'
        connection.read_until_closed()
        assert len(connection.goaways) == 1
        assert kinds(list(connection.history))[-3:] == [HeadersFrame, DataFrame, GoAwayFrame]


def test_streams_in_flight_are_finished_when_the_budget_is_spent(
    mynah_with: Callable[..., Mynah], token: str
) -> None:
    mynah = mynah_with("--max-errors=3")
    with connect(mynah) as connection:
        trusted(connection, token)
        unfinished = [connection.open(connection.push_fields(unique_token())) for _ in range(3)]
        for _ in range(3):
            connection.push("zz").assert_refused(400, "BadDeviceToken")
        connection.wait_for_goaway()
        late = connection.start_push(token)
        for stream in unfinished:
            connection.send_body(stream, DEFAULT_BODY)
            connection.reply(stream).assert_accepted()
        connection.read_until_closed()
        assert not connection.reply_so_far(late).frames
        assert len(connection.goaways) == 1


def test_errors_in_one_piece_are_all_answered_and_named_by_the_last_stream(
    mynah_with: Callable[..., Mynah], token: str
) -> None:
    mynah = mynah_with("--max-errors=3")
    with connect(mynah) as connection:
        trusted(connection, token)
        frames: list[Frame] = []
        streams = [connection.new_stream() for _ in range(6)]
        for stream in streams:
            frames.append(connection.headers_frame(stream, connection.push_fields("zz")))
            frames.append(DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM"]))
        connection.send(*frames)
        goaway = connection.wait_for_goaway()
        connection.read_until_closed()
        answered = [stream for stream in streams if connection.reply_so_far(stream).is_ended]
        assert answered[:3] == streams[:3]
        assert goaway.last_stream_id == answered[-1]
        assert len(connection.goaways) == 1


def test_an_http1_connection_is_closed_when_the_budget_is_spent(mynah_with: Callable[..., Mynah]) -> None:
    mynah = mynah_with("--max-errors=1")
    plain = socket.create_connection(("127.0.0.1", mynah.cleartext_port), timeout=HANG_SECONDS)
    with plain:
        plain.sendall(b"POST /3/device/zz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n")
        received = b""
        while data := plain.recv(65_536):
            received += data
    assert received.startswith(b"HTTP/1.1 40")
    assert b"connection: close" in received.lower()


# The stream limit while it changes


def lowered(connection: FrameConnection, token: str) -> None:
    """Has the limit taken back to 1 by a rejected credential, which the client has not acknowledged yet."""
    trusted(connection, token)
    connection.acknowledges_settings = False
    connection.push(token, authorization="bearer no.good.token").assert_refused(403, "InvalidProviderToken")
    assert connection.wait_for_settings(3) == {3: 1}


def test_before_a_lowered_limit_is_acknowledged_all_streams_are_served(
    connection: FrameConnection, token: str
) -> None:
    lowered(connection, token)
    # Opened, and not finished, so that none of them raises the limit again.
    streams = [connection.open(connection.push_fields(unique_token())) for _ in range(20)]
    connection.ping()
    for stream in streams:
        connection.send_body(stream, DEFAULT_BODY)
        connection.reply(stream).assert_accepted()
    assert not connection.goaways


def test_after_a_lowered_limit_is_acknowledged_the_excess_is_refused_stream_by_stream(
    connection: FrameConnection, token: str
) -> None:
    lowered(connection, token)
    before = [connection.open(connection.push_fields(unique_token())) for _ in range(3)]
    connection.acknowledge_settings()
    excess = [connection.open(connection.push_fields(unique_token())) for _ in range(20)]
    for stream in excess:
        assert connection.reply(stream).reset_code == REFUSED_STREAM
    for stream in before:
        connection.send_body(stream, DEFAULT_BODY)
        connection.reply(stream).assert_accepted()
    connection.push(token).assert_accepted()
    assert not connection.goaways


# Rapid reconnects


def test_an_address_that_connects_too_often_is_reset_and_counted(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah("--reconnect-limit=3/hour")
    for _ in range(3):
        with connect(mynah) as connection:
            connection.push(token).assert_accepted()
    for _ in range(2):
        with pytest.raises(ConnectionResetError), socket.create_connection(("127.0.0.1", mynah.port)) as plain:
            plain.settimeout(HANG_SECONDS)
            assert plain.recv(1) != b"", "the end, and no reset"
            raise AssertionError("the server sent something")
    # Another address is another matter.
    try:
        with connect(mynah, address="::1") as connection:
            connection.push(token).assert_accepted()
    except OSError as error:
        assert not isinstance(error, ConnectionError)
    assert mynah.control.get("/v1/status")["counts"]["connectionsRefused"] == 2
    mynah.stop()
    assert sum("--reconnect-limit" in line for line in mynah.process.errors) == 1


# The list


@pytest.fixture
def single(own_mynah: Callable[..., Mynah]) -> Mynah:
    """A server on which a test's connections are the only ones."""
    return own_mynah()


def items(mynah: Mynah, **query: Any) -> list[dict[str, Any]]:
    """The connections that match."""
    return mynah.control.get("/v1/connections", query)["items"]


def test_a_connection_is_listed_with_all_that_is_known_of_it(single: Mynah, token: str) -> None:
    with connect(single, server_name="api.push.apple.com") as connection:
        connection.wait_for_settings()
        connection.ping()
        page = single.control.get("/v1/connections")
        assert {key: page[key] for key in page if key not in ("items", "lastSequence")} == {
            "nextCursor": None,
            "matched": 1,
            "timedOut": False,
            "evicted": 0,
        }
        [item] = page["items"]
        assert item["credential"] is None
        assert item["streams"] == {"open": 0, "limit": 1, "total": 0}
        assert (item["environment"], item["sni"], item["alpn"]) == ("production", "api.push.apple.com", "h2")
        assert item["tls"] == connection.channel.version()
        assert item["cipher"] == connection.channel.cipher()[0]
        host, port = connection.channel.getsockname()
        assert item["peer"] == f"{host}:{port}"
        connection.push(token).assert_accepted()
        connection.open(connection.push_fields(token))
        connection.ping()
        after = single.control.get(f"/v1/connections/{item['id']}")
        assert after["credential"] == {
            "kind": "token",
            "team": single.team_id,
            "keyId": single.key_id,
            "subject": None,
        }
        assert after["streams"] == {"open": 1, "limit": 1000, "total": 2}
        assert (after["pushes"], after["pings"]) == (1, 2)
        assert after["bytesIn"] > item["bytesIn"] > 0 and after["bytesOut"] > item["bytesOut"] > 0
        assert after["openedAt"] == item["openedAt"]
        assert single.control.push(token)["connection"] == item["id"]


def test_connections_are_filtered_and_paged(single: Mynah, token: str) -> None:
    with (
        connect(single, server_name="api.push.apple.com") as production,
        connect(single) as sandbox,
        connect_cleartext(single) as plain,
    ):
        for connection in (production, sandbox, plain):
            connection.ping()
        sandbox.push(token).assert_accepted()
        everything = items(single)
        ids = [item["id"] for item in everything]
        assert len(ids) == 3 and ids == sorted(ids)
        [one] = items(single, environment="production")
        assert one["sni"] == "api.push.apple.com"
        assert [item["environment"] for item in items(single, **{"!environment": "production"})] == ["sandbox"] * 2
        [known] = items(single, team=single.team_id)
        assert [known] == items(single, keyId=single.key_id)
        assert items(single, keyId="NOSUCHKEY1") == []
        assert [item["id"] for item in items(single, connection=ids[:2])] == ids[:2]
        assert [item["tls"] for item in everything].count(None) == 1
        first = single.control.get("/v1/connections", {"limit": 2, "order": "desc"})
        assert ([item["id"] for item in first["items"]], first["matched"]) == (ids[:0:-1], 3)
        second = single.control.get("/v1/connections", {"limit": 2, "cursor": first["nextCursor"]})
        assert ([item["id"] for item in second["items"]], second["nextCursor"]) == (ids[:1], None)
        lines = single.control.ask("GET", "/v1/connections", headers={"accept": "application/x-ndjson"})
        assert lines.body.count(b"\n") == 3 and lines.headers["mynah-matched"] == "3"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"teem": "x"}, "teem"),
        ({"environment": "prod"}, "environment"),
        ({"connection": "first"}, "connection"),
        ({"wait": "61s"}, "wait"),
        ({"wait": "1s", "count": "-1"}, "count"),
        ({"token": "00"}, "token"),
        ({"cursor": "x"}, "cursor"),
    ],
)
def test_what_the_list_does_not_know_is_an_error(mynah: Mynah, query: dict[str, str], field: str) -> None:
    assert mynah.control.ask("GET", "/v1/connections", query).problem(400)["field"] == field


def in_background(call: Callable[[], Any]) -> Callable[[], Any]:
    """Starts a call on a thread, and answers what waits for its result."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(call()), daemon=True)
    thread.start()

    def wait() -> Any:
        thread.join(timeout=2 * HANG_SECONDS)
        assert results, "the call did not end"
        return results[0]

    return wait


def test_waiting_ends_with_the_connection_that_makes_the_count(single: Mynah) -> None:
    answer = in_background(lambda: single.control.get("/v1/connections", {"wait": LONGEST_WAIT, "count": 2}))
    with connect(single), connect(single):
        page = answer()
        assert (page["matched"], page["timedOut"]) == (2, False)


def test_waiting_ends_when_a_connection_proves_its_key(single: Mynah, token: str) -> None:
    with connect(single) as connection:
        connection.ping()
        query = {"wait": LONGEST_WAIT, "team": single.team_id}
        answer = in_background(lambda: single.control.get("/v1/connections", query))
        connection.push(token).assert_accepted()
        assert answer()["items"][0]["credential"]["keyId"] == single.key_id


def test_waiting_for_none_ends_when_the_last_one_has_gone(single: Mynah, token: str) -> None:
    assert single.control.get("/v1/connections", {"wait": LONGEST_WAIT, "count": 0})["matched"] == 0
    with connect(single) as connection:
        connection.push(token).assert_accepted()
        page = single.control.get("/v1/connections", {"wait": "50ms", "count": 0})
        assert (page["matched"], page["timedOut"]) == (1, True)
        answer = in_background(lambda: single.control.get("/v1/connections", {"wait": LONGEST_WAIT, "count": 0}))
    page = answer()
    assert (page["matched"], page["timedOut"], page["items"]) == (0, False, [])


# The end, by the control API


def test_delete_ends_a_connection_by_goaway_and_finishes_its_streams(single: Mynah, token: str) -> None:
    with connect(single) as connection, connect(single) as other:
        trusted(connection, token)
        other.ping()
        number = single.control.push(token)["connection"]
        unfinished = connection.open(connection.push_fields(unique_token()))
        connection.ping()
        answer = in_background(lambda: single.control.ask("DELETE", f"/v1/connections/{number}"))
        goaway = connection.wait_for_goaway()
        assert (goaway.error_code, goaway.last_stream_id) == (NO_ERROR, unfinished)
        assert bytes(goaway.additional_data) == b'{"reason":"Shutdown"}'
        connection.send_body(unfinished, DEFAULT_BODY)
        connection.reply(unfinished).assert_accepted()
        assert answer().json() == {"removed": {"connections": 1}}
        assert number not in [item["id"] for item in items(single)]
        connection.read_until_closed()
        other.push(token).assert_accepted()
        assert single.control.ask("GET", f"/v1/connections/{number}").problem(404)["field"] == "id"


def test_delete_answers_when_the_grace_is_over(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah("--shutdown-grace", "100ms")
    with connect(mynah) as connection:
        trusted(connection, token)
        connection.open(connection.push_fields(token))
        connection.ping()
        number = mynah.control.push(token)["connection"]
        assert mynah.control.ask("DELETE", f"/v1/connections/{number}").status == 200
        assert items(mynah) == []
        connection.read_until_closed()
        assert len(connection.goaways) == 1


@pytest.mark.parametrize("cleartext", [False, True], ids=["TLS", "cleartext"])
def test_delete_with_abort_resets_the_connection(single: Mynah, token: str, cleartext: bool) -> None:
    with connect_cleartext(single) if cleartext else connect(single) as connection:
        trusted(connection, token)
        number = single.control.push(token)["connection"]
        assert single.control.ask("DELETE", f"/v1/connections/{number}", {"abort": "true"}).status == 200
        assert items(single) == []
        # Python's ssl makes an end without a reset of a reset, so the socket itself is asked.
        select.select([connection.channel], [], [], HANG_SECONDS)
        assert connection.channel.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ECONNRESET
        assert not connection.goaways


@pytest.mark.parametrize(("number", "status"), [("999999", 404), ("first", 400)])
def test_a_connection_that_is_not_there_is_not_ended(mynah: Mynah, number: str, status: int) -> None:
    assert mynah.control.ask("DELETE", f"/v1/connections/{number}").problem(status)["field"] == "id"
    assert mynah.control.ask("DELETE", "/v1/connections/1", {"abort": "yes"}).problem(400)["field"] == "abort"


# Resumption


def test_a_client_without_a_certificate_may_resume_its_session(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    context = tls_context(mynah, ["h2"])
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    session = None
    # Each event loop has tickets of its own, so one of a few connections must meet the first's.
    for _ in range(64):
        plain = socket.create_connection(("127.0.0.1", mynah.port), timeout=HANG_SECONDS)
        channel = context.wrap_socket(plain, server_hostname="localhost", session=session)
        with FrameConnection(channel, mynah).start() as connection:
            connection.push(token).assert_accepted()
            if channel.session_reused:
                return
            session = session or channel.session
    raise AssertionError("no session was ever resumed")
