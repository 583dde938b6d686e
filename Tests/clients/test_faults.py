"""Fault rules over the wire (`Documents#Fault-rules`): which requests, which of those, and what happens."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest

from conftest import unique_token
from devices import add_device, token_of, unique_id
from faults import BUSY, TOPIC, add_fault, device_token, events, fault, inbox, remove_fault, statuses
from h2client import FrameConnection, connect, trusted
from provider_token import Form
from server import Mynah
from waiting import HANG_SECONDS, LONGEST_WAIT, takes_at_least

# Which requests


@pytest.mark.parametrize(
    ("match", "options", "body"),
    [
        ({"topic": "com.example.other"}, {"topic": "com.example.other"}, b"{}"),
        ({"topic": ["com.example.other", "com.example.third"]}, {"topic": "com.example.third"}, b"{}"),
        ({"pushType": "voip"}, {"push_type": "voip", "topic": TOPIC + ".voip"}, b"{}"),
        ({"priority": 5}, {"further": [("apns-priority", "5")]}, b"{}"),
        ({"collapseId": {"prefix": "score-"}}, {"further": [("apns-collapse-id", "score-7")]}, b"{}"),
        ({"headers": {"user-agent": {"contains": "tester"}}}, {"further": [("user-agent", "a-tester/1")]}, b"{}"),
        ({"payload": {"/aps/category": "NEWS"}}, {}, b'{"aps":{"alert":"x","category":"NEWS"}}'),
        ({"payloadIncludes": {"aps": {"badge": 3}}}, {}, b'{"aps":{"alert":"x","badge":3},"more":1}'),
        ({"text": "headline"}, {}, b'{"aps":{"alert":"the Headline"}}'),
    ],
)
def test_a_rule_acts_on_what_it_matches_alone(
    mynah: Mynah, connection: FrameConnection, match: dict[str, Any], options: dict[str, Any], body: bytes
) -> None:
    token = unique_token()
    # One token, so that no other test's pushes are meant.
    identifier = add_fault(mynah, BUSY, match={"token": token} | match)
    connection.push(token, b'{"aps":{"alert":"other"}}').assert_accepted()
    other = {**options, "further": options.get("further", [])}
    assert connection.push(token, body, **other).status == 503
    assert connection.push(unique_token(), body, **other).status == 200
    found = fault(mynah, identifier)
    assert (found["matched"], found["fired"]) == (1, 1)


def test_rules_that_never_fired_can_be_asked_for(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    never, once = (add_fault(mynah, BUSY, match={"token": one}) for one in (unique_token(), token))

    def found(**query: str) -> list[str]:
        ids = {"fault": [never, once], **query}
        return [rule["id"] for rule in mynah.control.get("/v1/faults", ids)["items"]]

    assert found(fired="false") == [once, never]
    assert connection.push(token).status == 503
    assert (found(fired="true"), found(fired="false")) == ([once], [never])
    removed = mynah.control.ask("DELETE", "/v1/faults", {"fault": [never, once], "fired": "false"}).json()
    assert removed == {"removed": {"faults": 1}} and found() == [once]
    mynah.control.ask("GET", "/v1/faults", {"fired": "0"}).problem(400)


def test_headers_of_an_answer_are_set_and_no_request_has_them(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    add_fault(mynah, BUSY | {"answerHeaders": {"Retry-After": "5"}}, match={"token": token})
    reply = connection.push(token)
    assert (reply.status, reply.value("retry-after")) == (503, "5")
    wrong = {"match": {"headers": {"retry-after": "5"}}, "action": BUSY}
    problem = mynah.control.ask("POST", "/v1/faults", body=wrong).problem(400)
    assert problem["field"] == "/match/headers/retry-after" and "answerHeaders" in problem["detail"]


def test_a_request_is_judged_before_its_fault_is_found(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    identifier = add_fault(mynah, BUSY, match={"token": token})
    delayed = unique_token()
    add_fault(mynah, {"type": "pass", "delay": "20ms"}, match={"token": delayed})
    for variant, pushed, status in ((1, token, 503), (2, delayed, 200), (3, token, 503)):
        assert connection.push(pushed, form=Form(variant=variant)).status == status
    # The credential is proved, although the last answer was a fault's, and its changes have been counted.
    number = mynah.control.push(delayed)["connection"]
    assert mynah.control.get(f"/v1/connections/{number}")["credential"]["kind"] == "token"
    assert connection.push(token, form=Form(variant=4)).status == 503
    assert fault(mynah, identifier)["fired"] == 3
    remove_fault(mynah, identifier)
    connection.push(token, form=Form(variant=5)).assert_refused(429, "TooManyProviderTokenUpdates")


def test_a_prefix_a_device_and_a_connection_are_matched(mynah: Mynah) -> None:
    device, token = device_token(mynah)
    add_fault(mynah, BUSY, match={"device": device})
    other = unique_token()
    add_fault(mynah, {"type": "respond", "reason": "TooManyRequests"}, match={"token": {"prefix": other[:20]}})
    with connect(mynah) as connection:
        assert connection.push(token).status == 503
        assert connection.push(other).status == 429
        number = mynah.control.push(token)["connection"]
        third = unique_token()
        add_fault(mynah, BUSY, match={"connection": number, "token": third})
        assert connection.push(third).status == 503
    with connect(mynah) as connection:
        assert connection.push(third).status == 200


# Which of those


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ({"times": 2}, [503, 503, 200, 200, 200, 200]),
        ({"skip": 2}, [200, 200, 503, 503, 503, 503]),
        ({"every": 3}, [200, 200, 503, 200, 200, 503]),
        ({"skip": 1, "every": 2, "times": 2}, [200, 200, 503, 200, 503, 200]),
    ],
)
def test_a_schedule_chooses_among_matches(
    mynah: Mynah, connection: FrameConnection, schedule: dict[str, int], expected: list[int]
) -> None:
    token = unique_token()
    identifier = add_fault(mynah, BUSY, match={"token": token}, **schedule)
    assert statuses(connection, token, 6) == expected
    found = fault(mynah, identifier)
    assert (found["matched"], found["fired"]) == (6, expected.count(503))


def test_fail_twice_then_work(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    actions = [BUSY, {"type": "respond", "reason": "TooManyRequests"}]
    identifier = add_fault(mynah, match={"token": token}, actions=actions, then="pass")
    assert statuses(connection, token, 4) == [503, 429, 200, 200]
    assert fault(mynah, identifier)["remaining"] == 0
    for then, expected in (("repeat", [503, 429, 503, 429]), ("last", [503, 429, 429, 429])):
        token = unique_token()
        add_fault(mynah, match={"token": token}, actions=actions, then=then)
        assert statuses(connection, token, 4) == expected


def test_priority_then_the_newest_decides(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    first = add_fault(mynah, {"type": "respond", "reason": "BadTopic"}, match={"token": token}, rulePriority=1)
    add_fault(mynah, BUSY, match={"token": token})
    newest = add_fault(mynah, {"type": "respond", "reason": "TooManyRequests"}, match={"token": token})
    assert connection.push(token).reason == "BadTopic"
    mynah.control.ask("PATCH", f"/v1/faults/{first}", body={"enabled": False})
    assert connection.push(token).reason == "TooManyRequests"
    mynah.control.ask("DELETE", f"/v1/faults/{newest}")
    assert connection.push(token).reason == "ServiceUnavailable"


def test_a_rate_over_which_pushes_are_refused(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    add_fault(
        mynah, {"type": "respond", "reason": "TooManyRequests"}, rateOver={"count": 3, "per": "1s", "by": "token"}
    )
    token, other = unique_token(), unique_token()
    with connect(mynah) as connection:
        assert statuses(connection, token, 5) == [200, 200, 200, 429, 429]
        assert connection.push(other).status == 200
        mynah.control.post("/v1/clock/advance", {"by": "2s"})
        assert connection.push(token).status == 200


def test_a_rule_between_two_times_of_the_clock(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen", "now": "2031-01-01T11:59:00Z"})
    token = unique_token()
    noon, end = "2031-01-01T12:00:00Z", "2031-01-01T12:10:00Z"
    add_fault(mynah, BUSY, match={"token": token}, activeFrom=noon, activeUntil=end)
    seen = []
    with connect(mynah) as connection:
        for by in ("1s", "1m", "10m"):
            mynah.control.post("/v1/clock/advance", {"by": by})
            # What else is answered depends on the age of the provider token, which is signed by the wall's clock.
            seen.append(connection.push(token).status == 503)
    assert seen == [False, True, False]


def test_a_scope_keeps_rules_apart(mynah: Mynah, connection: FrameConnection) -> None:
    scopes = [unique_id("scope") for _ in range(2)]
    tokens = [token_of(add_device(mynah, scope=scope)) for scope in scopes]
    identifier = add_fault(mynah, BUSY, scope=scopes[0])
    assert [connection.push(token).status for token in tokens] == [503, 200]
    assert connection.push(unique_token()).status == 200
    assert [rule["id"] for rule in mynah.control.get("/v1/faults", {"scope": scopes[0]})["items"]] == [identifier]
    assert mynah.control.ask("DELETE", f"/v1/scopes/{scopes[0]}").json()["removed"]["faults"] == 1
    # The token went with its scope's device, and is one at first sight again.
    assert connection.push(tokens[0]).status == 200


# When it holds


def test_rules_are_added_all_or_none(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    rules = [{"match": {"token": token}, "action": BUSY}, {"match": {"token": token}, "action": {"type": "respnd"}}]
    problem = mynah.control.ask("POST", "/v1/faults", body=rules).problem(400)
    assert problem["field"] == "/1/action/type" and "respond" in problem["allowed"]
    connection.push(token).assert_accepted()


def test_a_rule_holds_on_open_connections_when_the_call_answers(mynah: Mynah) -> None:
    token = unique_token()
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(mynah)) for _ in range(20)]
        for connection in connections:
            connection.push(token).assert_accepted()
        for _ in range(5):
            identifier = add_fault(mynah, BUSY, match={"token": token})
            streams = [connection.start_push(token) for connection in connections]
            answers = [c.reply(s).status for c, s in zip(connections, streams, strict=True)]
            assert answers == [503] * len(connections)
            mynah.control.ask("DELETE", f"/v1/faults/{identifier}")
            streams = [connection.start_push(token) for connection in connections]
            answers = [c.reply(s).status for c, s in zip(connections, streams, strict=True)]
            assert answers == [200] * len(connections)


def test_a_call_waits_for_hits(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    identifier = add_fault(mynah, BUSY, match={"token": token})
    answers: list[dict[str, Any]] = []
    waiting = threading.Thread(target=lambda: answers.append(fault(mynah, identifier, wait=LONGEST_WAIT, hits=3)))
    waiting.start()
    statuses(connection, token, 3)
    waiting.join(2 * HANG_SECONDS)
    assert answers and answers[0]["fired"] == 3 and answers[0]["timedOut"] is False
    late = fault(mynah, identifier, wait="50ms", hits=4)
    assert late["timedOut"] is True and late["fired"] == 3


# What happens


def test_an_answer_has_what_the_rule_says(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    action = {
        "type": "respond", "status": 418, "reason": "Teapot", "apnsId": "not-an-id",
        "answerHeaders": {"retry-after": "7", "content-type": None},
    }  # fmt: skip
    identifier = add_fault(mynah, action, match={"token": token})
    reply = connection.push(token)
    assert (reply.status, reply.reason) == (418, "Teapot")
    assert reply.value("apns-id") == "not-an-id" and reply.value("retry-after") == "7"
    assert reply.value("content-type") is None
    push = mynah.control.push(token)
    assert (push["status"], push["reason"], push["fault"], push["outcome"]) == (418, "Teapot", identifier, "refused")
    assert events(push) == ["received", "fault", "refused"]
    assert mynah.control.get("/v1/notifications", {"fault": identifier})["matched"] == 1


def test_a_raw_body_and_no_body(mynah: Mynah, connection: FrameConnection) -> None:
    html, empty = unique_token(), unique_token()
    add_fault(
        mynah, {"type": "respond", "status": 502, "body": "<html>", "answerHeaders": {"content-type": "text/html"}},
        match={"token": html},
    )  # fmt: skip
    add_fault(mynah, {"type": "respond", "status": 503, "body": ""}, match={"token": empty})
    reply = connection.push(html)
    assert (reply.status, reply.body, reply.value("content-type")) == (502, b"<html>", "text/html")
    reply = connection.push(empty)
    assert (reply.status, reply.body) == (503, b"")
    assert mynah.control.push(empty)["reason"] is None


def test_a_410_has_its_timestamp(mynah: Mynah, connection: FrameConnection) -> None:
    token = unique_token()
    add_fault(mynah, {"type": "respond", "reason": "Unregistered", "timestamp": 1735689600000}, match={"token": token})
    assert json.loads(connection.push(token).body) == {"reason": "Unregistered", "timestamp": 1735689600000}


def test_a_retry_becomes_a_duplicate(mynah: Mynah, connection: FrameConnection) -> None:
    device, token = device_token(mynah)
    identifier = add_fault(mynah, BUSY | {"deliver": True}, match={"token": token}, times=1)
    further = [("apns-id", "07c0f2e2-7ce0-71ec-d0d6-e7089220f778")]
    assert connection.push(token, further=further).status == 503
    assert connection.push(token, further=further).status == 200
    first, second = mynah.control.pushes(token)
    assert (first["status"], first["outcome"], first["fault"]) == (503, "delivered", identifier)
    assert (second["attempt"], second["fault"]) == (2, None)
    assert inbox(mynah, device) == [first["sequence"], second["sequence"]]


def test_without_deliver_the_device_gets_the_retry_alone(mynah: Mynah, connection: FrameConnection) -> None:
    device, token = device_token(mynah)
    add_fault(mynah, BUSY, match={"token": token}, times=1)
    assert statuses(connection, token, 2) == [503, 200]
    assert len(inbox(mynah, device)) == 1


@pytest.mark.measures
def test_a_delay_of_wall_time(mynah: Mynah, connection: FrameConnection) -> None:
    device, token = device_token(mynah)
    trusted(connection, unique_token())
    add_fault(mynah, {"type": "pass", "delay": "300ms"}, match={"token": token})
    with takes_at_least(0.3):
        # Others are not held up, and the push is in the journal already.
        stream, other = connection.start_pushes(token, unique_token())
        connection.ping()
        assert mynah.control.push(token)["fault"] is not None
        connection.reply(stream).assert_accepted()
    order = [frame.stream_id for frame in connection.history if frame.stream_id in (stream, other)]
    assert order == [other, stream]
    push = mynah.control.push(token)
    assert (push["status"], push["outcome"]) == (200, "delivered")
    assert events(push) == ["received", "fault", "delivered", "shown"]
    assert inbox(mynah, device) == [push["sequence"]]


def test_a_delay_of_the_clock(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    token, other = unique_token(), unique_token()
    add_fault(mynah, {"type": "pass", "delay": "10s", "clock": "virtual"}, match={"token": token})
    add_fault(mynah, BUSY | {"delay": "10s", "clock": "virtual"}, match={"token": other})
    with trusted(connect(mynah), unique_token()) as connection:
        streams = [connection.start_push(one) for one in (token, other)]
        connection.ping()
        mynah.control.post("/v1/clock/advance", {"by": "9s"})
        connection.ping()
        assert not any(connection.reply_so_far(stream).is_over for stream in streams)
        assert mynah.control.push(token)["outcome"] == "pending"
        mynah.control.post("/v1/clock/advance", {"to": "next"})
        assert mynah.control.push(token)["status"] == 200
        assert [connection.reply(stream).status for stream in streams] == [200, 503]
        push = mynah.control.push(other)
        assert (push["status"], push["outcome"], push["reason"]) == (503, "refused", "ServiceUnavailable")


@pytest.mark.parametrize("deliver", [False, True])
def test_a_stall_is_never_answered(mynah: Mynah, deliver: bool) -> None:
    device, token = device_token(mynah)
    action = {"type": "stall"} | ({"deliver": True} if deliver else {})
    identifier = add_fault(mynah, action, match={"token": token})
    with trusted(connect(mynah), unique_token()) as connection:
        stream = connection.start_push(token)
        connection.push(unique_token()).assert_accepted()
        connection.ping()
        assert not connection.reply_so_far(stream).is_over
        push = mynah.control.push(token)
        assert (push["status"], push["fault"]) == (None, identifier)
        assert push["outcome"] == ("delivered" if deliver else "pending")
    assert len(inbox(mynah, device)) == (1 if deliver else 0)
    if not deliver:
        # The connection has ended, and no answer can leave any more.
        ended = mynah.control.get("/v1/notifications", {"token": token, "outcome": "unanswered", "wait": LONGEST_WAIT})
        assert ended["matched"] == 1


def test_a_push_is_lost(mynah: Mynah, connection: FrameConnection) -> None:
    device, token = device_token(mynah)
    identifier = add_fault(mynah, {"type": "lose"}, match={"token": token})
    connection.push(token).assert_accepted()
    push = mynah.control.push(token)
    assert (push["status"], push["outcome"], push["fault"]) == (200, "lost", identifier)
    assert inbox(mynah, device) == []


def test_a_push_is_delivered_later(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    scope = unique_id("scope")
    (device, token), (other, other_token) = device_token(mynah, scope=scope), device_token(mynah)
    identifier = add_fault(mynah, {"type": "deliverLate", "by": "5m"})
    with connect(mynah) as connection:
        for one in (token, other_token):
            connection.push(one).assert_accepted()
    assert mynah.control.push(token)["fault"] == identifier
    assert inbox(mynah, device) == inbox(mynah, other) == []
    # A scope's clock moves its own devices alone.
    mynah.control.post("/v1/clock/advance", {"by": "5m", "scope": scope})
    assert (len(inbox(mynah, device)), len(inbox(mynah, other))) == (1, 0)
    assert mynah.control.push(token)["outcome"] == "delivered"
    mynah.control.post("/v1/clock/advance", {"by": "299s"})
    assert inbox(mynah, other) == []
    mynah.control.post("/v1/clock/advance", {"by": "1s"})
    assert len(inbox(mynah, other)) == 1


def test_a_push_is_delivered_several_times(mynah: Mynah, connection: FrameConnection) -> None:
    device, token = device_token(mynah)
    add_fault(mynah, {"type": "duplicate", "times": 3}, match={"token": token})
    connection.push(token).assert_accepted()
    push = mynah.control.push(token)
    assert push["outcome"] == "delivered"
    assert inbox(mynah, device) == [push["sequence"]] * 3


def test_a_push_that_rules_refuse_is_refused_under_a_rule_that_passes(
    mynah: Mynah, connection: FrameConnection
) -> None:
    token = unique_token()
    identifier = add_fault(mynah, {"type": "pass", "delay": "1ms"}, match={"token": token})
    connection.push(token, topic=None).assert_refused(400, "MissingTopic")
    push = mynah.control.push(token)
    assert (push["status"], push["reason"], push["fault"]) == (400, "MissingTopic", identifier)
