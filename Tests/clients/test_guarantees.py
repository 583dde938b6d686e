"""The guarantees of the control API (`ControlAPI#Guarantees`, `ControlAPI#Endpoints`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import DEVNULL, Popen

import pytest

from conftest import unique_token
from control import Control
from h2client import FrameConnection, connect
from server import Mynah
from waiting import (
    HANG_SECONDS,
    LONGEST_WAIT,
    LONGEST_WAIT_SECONDS,
    RUN_SECONDS,
    measured,
    stopwatch,
    takes_at_least,
    takes_less_than,
)

# Read your writes


@pytest.mark.measures
def test_a_push_is_in_the_journal_when_its_reply_is_read_under_load(
    own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    mynah = own_mynah()
    payload = tmp_path / "payload.json"
    payload.write_text('{"aps":{"alert":"noise"}}')
    # A steady rate below the maximum, so that the journal has not gone round before somebody looks.
    rate = ["--rps", "500", "-n", "1000000", "-c", "4", "-m", "50"]
    fields = [f"authorization: {mynah.authorization()}", "apns-topic: com.example.app", "apns-push-type: alert"]
    headers = [part for value in fields for part in ("-H", value)]
    noise_token = unique_token()
    url = f"https://localhost:{mynah.port}/3/device/{noise_token}"
    noise = Popen(["h2load", *rate, "-d", str(payload), *headers, url], stdout=DEVNULL, stderr=DEVNULL)

    def received() -> int:
        return mynah.control.get("/v1/status")["counts"]["received"]

    try:
        begun = mynah.control.get("/v1/notifications", {"token": noise_token, "wait": LONGEST_WAIT, "limit": 1})
        assert not begun["timedOut"]

        def pushed_by_others() -> int:
            """How many pushes of the load came while others were looked at, each as soon as its reply was read."""
            before = received()
            with ThreadPoolExecutor(4) as pool:
                checked = list(pool.map(lambda _: push_and_look(mynah, 20), range(4)))
            assert checked == [20] * 4
            return received() - before - sum(checked)

        # A busy machine may not run the load for a while.
        measured(pushed_by_others, lambda count: count > 0)
        assert noise.poll() is None, "the load ended before the test did"
    finally:
        noise.kill()
        noise.wait()


def push_and_look(mynah: Mynah, count: int) -> int:
    """Pushes, and looks each push up as soon as its reply has been read; accepted and refused ones in turn."""
    with connect(mynah) as connection:
        for number in range(count):
            token = unique_token()
            if number % 2:
                reply = connection.push(token, further=[("apns-priority", "7")]).assert_refused(400, "BadPriority")
            else:
                reply = connection.push(token).assert_accepted()
            push = mynah.control.push(token)
            assert (push["apnsId"], push["status"]) == (reply.value("apns-id"), reply.status)
    return count


def test_a_refused_push_is_in_the_journal_with_its_reason(
    connection: FrameConnection, mynah: Mynah, token: str
) -> None:
    connection.push(token, topic=None)
    push = mynah.control.push(token)
    assert (push["status"], push["reason"], push["outcome"]) == (400, "MissingTopic", "refused")
    assert push["topic"] is None


def test_a_push_has_the_shape_that_scripts_rely_on(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    reply = connection.push(token, further=[("apns-collapse-id", "c"), ("x-trace", "1"), ("x-trace", "2")])
    push = mynah.control.push(token)
    assert set(push) >= {
        "sequence",
        "apnsId",
        "attempt",
        "repeats",
        "uniqueId",
        "receivedAt",
        "environment",
        "connection",
        "stream",
        "credential",
        "token",
        "device",
        "scope",
        "topic",
        "channel",
        "devices",
        "pushType",
        "priority",
        "expiration",
        "collapseId",
        "headers",
        "payload",
        "payloadSize",
        "warnings",
        "status",
        "reason",
        "timestamp",
        "fault",
        "outcome",
        "shown",
        "sounded",
        "timeline",
    }
    assert push["uniqueId"] == reply.value("apns-unique-id")
    assert push["credential"] == {"kind": "token", "team": mynah.team_id, "keyId": mynah.key_id, "subject": None}
    assert (push["token"], push["stream"], push["payloadSize"]) == (token, 1, 22)
    assert [value for name, value in push["headers"] if name == "x-trace"] == ["1", "2"]
    [shown] = [value for name, value in push["headers"] if name == "authorization"]
    sent = mynah.authorization()
    assert shown in (sent.rpartition(".")[0], sent.rpartition(".")[0] + "."), "the signature is cut off"


def test_a_body_that_is_no_json_is_shown_as_base64(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    connection.push(token, b"hello").assert_accepted()
    push = mynah.control.push(token)
    assert (push["payload"], push["payloadBase64"], push["payloadSize"]) == (None, "aGVsbG8=", 5)
    assert push["warnings"]


# What has been answered holds


def test_a_deleted_push_is_gone_and_the_next_one_is_there(
    connection: FrameConnection, mynah: Mynah, token: str
) -> None:
    other = unique_token()
    connection.push(token), connection.push(other)
    assert 200 <= mynah.control.ask("DELETE", "/v1/notifications", {"token": token}).status < 300
    assert mynah.control.pushes(token) == []
    assert len(mynah.control.pushes(other)) == 1
    connection.push(token).assert_accepted()
    assert len(mynah.control.pushes(token)) == 1


def test_reset_empties_the_journal_and_forgets_devices_and_keeps_connections(
    own_mynah: Callable[..., Mynah], token: str
) -> None:
    mynah = own_mynah()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.push(token, topic="com.example.other").assert_refused(400, "DeviceTokenNotForTopic")
        removed = mynah.control.post("/v1/reset", {})["removed"]
        assert (removed["notifications"], removed["devices"]) == (2, 1)
        assert mynah.control.get("/v1/notifications")["items"] == []
        connection.push(token, topic="com.example.other").assert_accepted()
        assert not connection.goaways


# Waiting


@pytest.mark.measures
def test_wait_is_over_after_its_time_of_the_wall_clock(mynah: Mynah, token: str) -> None:
    # Above, only that it ends at all.
    with takes_at_least(0.3), takes_less_than(HANG_SECONDS):
        answer = mynah.control.get("/v1/notifications", {"token": token, "wait": "300ms", "count": 1})
    assert (answer["items"], answer["timedOut"], answer["matched"]) == ([], True, 0)


@pytest.mark.measures
def test_wait_answers_as_soon_as_enough_have_come(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    with ThreadPoolExecutor(1) as pool:
        query = {"token": token, "wait": LONGEST_WAIT, "count": 3}
        answer = pool.submit(mynah.control.get, "/v1/notifications", query)
        for _ in range(3):
            assert not answer.done()
            connection.push(token).assert_accepted()
        found = answer.result(timeout=2 * HANG_SECONDS)
    assert (len(found["items"]), found["matched"], found["timedOut"]) == (3, 3, False)


@pytest.mark.measures
def test_wait_answers_at_once_when_enough_are_there(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    connection.push(token).assert_accepted()

    def seconds_of_a_wait() -> float:
        elapsed = stopwatch()
        answer = mynah.control.get("/v1/notifications", {"token": token, "wait": LONGEST_WAIT})
        assert len(answer["items"]) == 1 and not answer["timedOut"]
        return elapsed()

    measured(seconds_of_a_wait, lambda seconds: seconds < LONGEST_WAIT_SECONDS / 2)


@pytest.mark.measures
def test_many_can_wait_at_once(connection: FrameConnection, mynah: Mynah) -> None:
    tokens = [unique_token() for _ in range(20)]
    with ThreadPoolExecutor(20) as pool:
        answers = [
            pool.submit(mynah.control.get, "/v1/notifications", {"token": token, "wait": LONGEST_WAIT, "count": 1})
            for token in tokens
        ]
        for token in tokens:
            connection.push(token).assert_accepted()
        assert [len(answer.result(timeout=2 * HANG_SECONDS)["items"]) for answer in answers] == [1] * 20


@pytest.mark.parametrize("value", ["5", "61s", "-1s", "soon", ""])
def test_a_wait_that_is_none_is_refused(mynah: Mynah, value: str) -> None:
    problem = mynah.control.ask("GET", "/v1/notifications", {"wait": value}).problem(400)
    assert "wait" in problem["field"]


# Sequence


def test_sequence_goes_up_by_order_of_arrival(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    for _ in range(10):
        connection.push(token).assert_accepted()
    numbers = [push["sequence"] for push in mynah.control.pushes(token)]
    assert numbers == sorted(set(numbers)) and len(numbers) == 10
    descending = [push["sequence"] for push in mynah.control.pushes(token, order="desc")]
    assert descending == numbers[::-1]


def test_sequence_does_not_go_back_on_reset(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    with connect(mynah) as connection:
        for _ in range(5):
            connection.push(token).assert_accepted()
        last = mynah.control.last_sequence()
        mynah.control.post("/v1/reset", {})
        assert mynah.control.last_sequence() >= last
        connection.push(token).assert_accepted()
        assert mynah.control.push(token)["sequence"] > last


def test_after_shows_only_what_came_later(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    connection.push(token, b'{"n":1}').assert_accepted()
    last = mynah.control.last_sequence()
    connection.push(token, b'{"n":2}').assert_accepted()
    assert [push["payload"] for push in mynah.control.pushes(token, after=last)] == [{"n": 2}]


# Evictions


def test_evictions_are_counted_and_shown(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--retain", "10")
    tokens = [unique_token() for _ in range(25)]
    with connect(mynah) as connection:
        for token in tokens:
            connection.push(token).assert_accepted()
    answer = mynah.control.get("/v1/notifications", {"order": "asc"})
    assert (len(answer["items"]), answer["matched"], answer["evicted"]) == (10, 10, 15)
    assert [push["token"] for push in answer["items"]] == tokens[15:]
    status = mynah.control.get("/v1/status")
    assert (status["journal"]["size"], status["journal"]["evicted"], status["counts"]["received"]) == (10, 15, 25)


def test_retain_0_keeps_counters_only(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah("--retain", "0")
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.push("zz").assert_refused(400, "BadDeviceToken")
    counts = mynah.control.get("/v1/status")["counts"]
    assert (counts["received"], counts["accepted"], counts["refused"]) == (2, 1, 1)
    assert mynah.control.get("/v1/notifications")["items"] == []


def test_the_journal_is_bounded_in_bytes(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--retain-bytes", "1MB")
    body = b'{"aps":{"alert":"' + b"x" * 4000 + b'"}}'
    with connect(mynah) as connection:
        for _ in range(500):
            connection.push(unique_token(), body).assert_accepted()
    journal = mynah.control.get("/v1/status")["journal"]
    assert journal["bytes"] <= 1_048_576
    assert 0 < journal["size"] < 300
    assert journal["size"] + journal["evicted"] == 500


# Watching changes nothing


def test_watching_changes_nothing(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        before = mynah.control.get("/v1/notifications"), counters(mynah.control)
        for path in (
            "/v1/notifications",
            "/v1/status",
            "/v1/credentials",
            f"/v1/notifications/{before[0]['lastSequence']}",
        ):
            for _ in range(5):
                mynah.control.get(path)
        mynah.control.get("/v1/notifications", {"q": "hi", "wait": "50ms", "count": 9})
        mynah.control.post("/v1/expectations", {"match": {"token": token}, "within": "50ms"})
        assert (mynah.control.get("/v1/notifications"), counters(mynah.control)) == before


def counters(control: Control) -> tuple[object, object]:
    status = control.get("/v1/status")
    return status["counts"], status["journal"]


@pytest.mark.measures
def test_control_calls_go_on_while_pushes_do(mynah: Mynah) -> None:
    """Readers and writers of the journal at the same time, for the sake of the locks."""
    stop = threading.Event()

    def read() -> int:
        count = 0
        while not stop.is_set():
            mynah.control.get("/v1/notifications", {"q": "hi", "limit": 50})
            count += 1
        return count

    with ThreadPoolExecutor(6) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        writers = [pool.submit(push_and_look, mynah, 50) for _ in range(4)]
        try:
            assert [writer.result(timeout=RUN_SECONDS) for writer in writers] == [50] * 4
        finally:
            stop.set()
        assert all(reader.result(timeout=HANG_SECONDS) > 0 for reader in readers)
