"""What `Sources/python` makes of the control API's answers: results with types, and errors that say what is wrong."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import mynah as package
from commandline import UNMET, Command
from devices import TOPIC, unique_id
from h2client import connect
from server import Mynah

HELLO = b'{"aps":{"alert":{"title":"Hello","body":"there"},"badge":3,"category":"NEWS"}}'


@pytest.fixture
def scoped(mynah: Mynah) -> Iterator[package.Mynah]:
    """The server as one test sees it."""
    with mynah.scope(unique_id("scope")) as scoped:
        yield scoped


def push(mynah: Mynah, token: str, body: bytes = HELLO, **options: Any) -> int | None:
    """Sends one push; its status."""
    with connect(mynah) as connection:
        return connection.push(token, body, **options).status


def test_a_push_has_types(mynah: Mynah, scoped: package.Mynah) -> None:
    before = datetime.now(timezone.utc) - timedelta(seconds=1)
    phone = scoped.device(TOPIC, name="Kim's", os_version="18.1")
    assert (phone.name, phone.os_version, phone.scope) == ("Kim's", "18.1", scoped.name)
    push(mynah, phone.token)
    found = scoped.expect(topic=TOPIC, token=phone.token).push
    assert found == scoped.notifications()[0] == scoped.wait(priority=10)[0]
    assert before < found.received_at < before + timedelta(minutes=1)
    assert (found.status, found.outcome, found.shown, found.priority) == (200, "delivered", True, 10)
    assert found.payload == json.loads(HELLO) and found.header("apns-topic") == TOPIC and found.header("x") is None
    assert found.credential == package.Credential("token", mynah.team_id, mynah.key_id, None)
    assert [event.event for event in found.timeline] == ["received", "delivered", "shown"]
    assert found.document["apnsId"] == found.apns_id


def test_the_filters_of_a_list(mynah: Mynah, scoped: package.Mynah) -> None:
    phone = scoped.device(TOPIC)
    start = scoped.last_sequence()
    push(mynah, phone.token)
    push(mynah, phone.token, b'{"aps":{"alert":"a b&c"}}')
    push(mynah, phone.token, further=[("apns-priority", "3")])
    everything = scoped.notifications()
    assert [one.status for one in everything] == [200, 200, 400] and len(everything) == everything.matched == 3
    assert scoped.notifications(status=[400, 410]).matched == 1
    assert scoped.notifications(status={"not": [400, 410]}).matched == 2
    assert scoped.notifications(payload={"/aps/badge": 3}, reason="BadPriority").matched == 1
    assert scoped.notifications(payload={"/aps/alert": "a b&c"}).matched == 1
    assert scoped.notifications('"a b&c" -status:400').matched == 1
    assert scoped.notifications(after=everything[1].sequence).items == everything[2:]
    assert scoped.notifications(since=everything[0].received_at + timedelta(hours=1)).matched == 0
    assert scoped.notifications(screen={"/title": "Hello"}).matched == 1
    assert scoped.notifications(payload={"/aps/alert": {"contains": "b&"}}).matched == 1
    assert scoped.notifications(payload={"/aps/alert": [{"contains": "b&"}, "other"]}, topic=TOPIC).matched == 1
    assert scoped.notifications(topic={"not": {"contains": TOPIC[3:]}}).matched == 0
    assert scoped.notifications(scope=None, token=phone.token, after=start).matched == 3
    first = scoped.notifications(limit=2)
    assert scoped.notifications(limit=2, cursor=first.next_cursor).items == everything[2:]
    late = scoped.notifications(wait=timedelta(milliseconds=50), count=4)
    assert late.timed_out and len(late) == 3


def test_a_filter_that_would_filter_nothing_is_an_error(scoped: package.Mynah) -> None:
    with pytest.raises(TypeError, match=r"wrong filter reason=None: expected a value, or \{'exists': False\}"):
        scoped.notifications(reason=None)
    with pytest.raises(TypeError, match="reason=None"):
        scoped.expect(reason=None)
    with pytest.raises(TypeError, match="only expect\\(\\) has the other matchers"):
        scoped.notifications(topic={"prefix": "com."})
    with pytest.raises(TypeError, match=r"wrong filter topic=\[\]: expected a value in it"):
        scoped.remove_notifications(topic=[])
    with pytest.raises(TypeError, match=r"wrong filter payload=\{\}: expected a condition in it"):
        scoped.remove_notifications(payload={})
    with pytest.raises(TypeError, match="wrong filter payload./aps/alert=None: expected a value; only expect"):
        scoped.notifications(payload={"/aps/alert": None})
    with pytest.raises(TypeError, match="wrong filter payload='rain': expected a dict of JSON pointers"):
        scoped.remove_notifications(payload="rain")
    with pytest.raises(TypeError, match="wrong duration 5: expected"):
        scoped.expect(within=5)


def test_devices_and_what_their_users_do(mynah: Mynah, scoped: package.Mynah) -> None:
    phone = scoped.device(TOPIC, online=False)
    assert not phone.online and phone.registrations[0].state == "active"
    push(mynah, phone.token)
    assert phone.refresh().stored == 1
    with pytest.raises(AssertionError, match=f"0 pushes arrived on {phone.id} within 10ms, expected 1"):
        phone.wait(within="10ms")
    phone = phone.change(online=True)
    assert [(one.kind, one.topic) for one in phone.wait(kind="alert")] == [("alert", TOPIC)]
    (shown,) = phone.screen().notifications
    assert (shown.title, shown.body, shown.category) == ("Hello", "there", "NEWS")
    phone.act(shown)
    assert phone.screen().notifications == () and phone.screen().document["responses"][0]["sequence"] == shown.sequence
    # Opened, the app is in the foreground and shows what comes itself.
    assert phone.change_app(TOPIC, app_state="suspended").registrations[0].app_state == "suspended"
    push(mynah, phone.token)
    phone.dismiss(phone.screen().notifications[0])
    assert phone.screen().badges == {TOPIC: 3}

    both = phone.install("com.example.other")
    with pytest.raises(LookupError, match=r"2 apps, use token_of\(\)"):
        both.token
    assert both.token_of(TOPIC) == phone.token != both.token_of("com.example.other")
    gone = both.uninstall(TOPIC)
    assert push(mynah, phone.token) == 410
    assert {app.topic: app.state for app in gone.registrations}[TOPIC] == "unregistered"
    with pytest.raises(LookupError, match="has no app com.example.third"):
        phone.token_of("com.example.third")
    assert [device.id for device in scoped.devices()] == [phone.id]
    phone.remove()
    assert len(scoped.devices()) == 0


def test_a_user_with_a_watch_and_a_summary(mynah: Mynah, scoped: package.Mynah) -> None:
    schedule = {"times": ["08:00"], "apps": ["com.example.news"]}
    phone = scoped.device(TOPIC, "com.example.news", user="kim", watch={}, summary=schedule)
    scoped.device(TOPIC)
    assert phone.user == "kim" and phone.watch == {"worn": True, "locked": False} and phone.summary == schedule
    assert scoped.change_devices("kim", locked=True) == 1
    assert phone.refresh().locked
    activity = ("com.example.app.push-type.liveactivity", "Game")
    started = scoped.start_activities(*activity, user="kim", push_type=None)
    assert started == {"started": {"activities": 1}, "refused": {"devices": 0}, "refusals": []}
    channel = "tvI2UK0vEfEAAA6GFnjo2Q=="
    assert scoped.start_activities(*activity, push_type={"channel": channel})["started"]["activities"] == 2
    assert [scoped.dismiss_activities(channel=channel), scoped.dismiss_activities(user="kim")] == [2, 1]
    for _ in range(2):
        push(mynah, phone.token_of(TOPIC))
    push(mynah, phone.token_of("com.example.news"), topic="com.example.news")
    screen = phone.screen()
    assert [shown.on_watch for shown in screen.notifications] == [True, True]
    assert [(group["count"], group["summary"]) for group in screen.groups] == [(2, "1 more notification")]
    assert [held["topic"] for held in screen.held] == ["com.example.news"] and screen.summary == []


def test_badges_sounds_and_notifications_that_are_cleared(mynah: Mynah, scoped: package.Mynah) -> None:
    phone = scoped.device(TOPIC).change(muted=True)
    assert phone.muted and not phone.locked
    for collapse_id in ("a", "b", "c"):
        push(mynah, phone.token, further=[("apns-collapse-id", collapse_id)])
    screen = phone.screen()
    assert [shown.identifier for shown in screen.notifications] == ["c", "b", "a"]
    assert screen.sounds == [] and scoped.notifications(sounded=False).matched == 3
    assert phone.clear(identifiers=["a", "none"]) == 1 and phone.clear(identifiers=[]) == 0
    with pytest.raises(package.ControlError, match='did you mean "com.example.app"'):
        phone.clear("com.example.none")
    assert phone.clear() == 2
    phone.set_badge(TOPIC, 7)
    assert phone.screen().badges == {TOPIC: 7}
    phone.set_badge(TOPIC, 0)
    assert phone.screen().badges == {}


def test_faults(mynah: Mynah, scoped: package.Mynah) -> None:
    phone, other = scoped.device(TOPIC), scoped.device(TOPIC)
    fault = scoped.fault([503, {"type": "respond", "reason": "TooManyRequests"}, {"type": "pass"}], token=phone.token)
    assert (fault.scope, fault.fired, fault.match) == (scoped.name, 0, {"token": phone.token, "event": "request"})
    with pytest.raises(AssertionError, match="fired 0 times within 10ms, expected 1; 0 requests matched"):
        fault.wait(within="10ms")
    assert [push(mynah, phone.token) for _ in range(3)] == [503, 429, 200]
    assert push(mynah, other.token) == 200
    assert fault.wait(hits=3).fired == fault.refresh().fired == 3
    assert [one.fault for one in scoped.notifications(token=phone.token)] == [fault.id] * 3
    again = scoped.fault(410, times=1, name="gone", payload={"/aps/category": {"prefix": "NE"}})
    assert (again.times, again.remaining, again.name) == (1, 1, "gone")
    assert again.action == {"type": "respond", "status": 410, "reason": "Unregistered"}
    assert not again.change(enabled=False).enabled
    assert push(mynah, other.token) == 200
    again.remove()
    assert [one.id for one in scoped.faults()] == [fault.id]


def test_a_rule_for_all_goes_with_the_test_that_made_it(mynah: Mynah) -> None:
    with mynah.scope(unique_id("scope")) as scoped:
        mine = scoped.fault("refuse", match={"event": "accept", "environment": "production"}, scope=None, rule_priority=-9)
        removed = scoped.fault("lose", scope=None, topic="never")
        removed.remove()
        assert mine.scope is None
        with pytest.raises(package.ControlError, match="never matches: pass scope=None, for a rule of the whole server"):
            scoped.fault("refuse")
    assert mynah.control.ask("GET", f"/v1/faults/{mine.id}").status == 404


def test_the_clock_is_that_of_the_scope(mynah: Mynah, scoped: package.Mynah) -> None:
    phone = scoped.device(TOPIC, online=False)
    push(mynah, phone.token, further=[("apns-expiration", str(int(time.time()) + 3600))])
    assert scoped.clock.mode == "real"
    now = scoped.clock.freeze().now
    assert scoped.clock.now == now and scoped.clock.mode == "frozen"
    assert scoped.clock.advance(timedelta(minutes=30, milliseconds=5)).expired == 0
    assert scoped.clock.now == now + timedelta(minutes=30, milliseconds=5)
    report = scoped.clock.advance(to="next")
    assert (report.expired, report.delivered) == (1, 0)
    assert scoped.clock.advance(to=now + timedelta(hours=2)).now == now + timedelta(hours=2)
    assert scoped.clock.run().mode == "offset"
    with pytest.raises(package.ControlError) as error:
        scoped.clock.advance(to=now)
    assert error.value.status == 409
    assert abs(mynah.scope("other").clock.now - datetime.now(timezone.utc)) < timedelta(minutes=1)


def test_a_refused_call_says_field_and_detail(scoped: package.Mynah) -> None:
    with pytest.raises(package.ControlError) as error:
        scoped.device(TOPIC, platform="Symbian")
    assert (error.value.status, error.value.field) == (400, "/platform")
    assert error.value.allowed[:2] == ("iOS", "iPadOS") and error.value.type.endswith(":invalid-field")
    assert str(error.value).startswith('POST /v1/devices was answered 400: /platform: "Symbian" is not valid: expected iOS, iPadOS, ')
    with pytest.raises(package.UnavailableError, match="no mynah at http://127.0.0.1:1: "):
        package.ControlAPI("http://127.0.0.1:1").get("/v1/status")
    with pytest.raises(ValueError, match="expected a URL like http://127.0.0.1:8197"):
        package.ControlAPI("localhost:8197")


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({"topic": TOPIC}, ["--topic", TOPIC]),
        ({"topic": "other"}, ["--topic", "other"]),
        ({"screen": {"/title": "Good\u202ebye\n"}}, ["--screen", "/title=Good\u202ebye\n"]),
        ({"payload": {"/aps/category": "x" * 500}}, ["--payload", "/aps/category=" + "x" * 500]),
        ({"exactly": 2}, ["--exactly", "2"]),
        ({"max": 0}, ["--max", "0"]),
        ({"max": 1, "settle": "20ms", "topic": "x"}, ["--max", "1", "--settle", "20ms", "--topic", "x"]),
        ({"count": 2, "max": 4}, ["--count", "2", "--max", "4"]),
        ({"count": 3, "max": 3, "settle": "1ms"}, ["--count", "3", "--max", "3", "--settle", "1ms"]),
        ({"count": 7, "match": {"q": "badge"}}, ["--count", "7", "badge"]),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_an_expectation_says_what_mynah_expect_says(
    mynah: Mynah, scoped: package.Mynah, mynah_command: Command, options: dict[str, Any], flags: list[str]
) -> None:
    phone = scoped.device(TOPIC, online=False)
    push(mynah, phone.token)
    result = scoped.check(within="0s", **options)
    flags = ["expect", "--url", mynah.control_url, "--scope", scoped.name, "--within", "0s", *flags]
    done = mynah_command(*flags, TERM="dumb")
    assert str(result) + "\n" == done.stdout
    assert result.met == bool(result) == (done.returncode != UNMET)
    if not result:
        with pytest.raises(package.ExpectationUnmet) as error:
            scoped.expect(within="0s", **options)
        assert str(error.value) == str(result) and isinstance(error.value, AssertionError)
        assert error.value.result.nearest == result.nearest


def test_an_order(mynah: Mynah, scoped: package.Mynah) -> None:
    phone = scoped.device(TOPIC)
    push(mynah, phone.token)
    push(mynah, phone.token, b'{"aps":{"alert":"second"}}')
    hello, second = {"payload": {"/aps/badge": 3}}, {"payload": {"/aps/alert": "second"}}
    assert scoped.expect(in_order=[hello, second]).matched == 2
    wrong = scoped.check(in_order=[second, hello], within="0s")
    assert wrong.failed_at == 1
    assert re.match(r"unmet: .*; expected 2 in order within 0s\nstep 1 of inOrder has no push\n", str(wrong))
    with pytest.raises(TypeError, match="in_order: leave out"):
        scoped.expect(in_order=[hello], topic=TOPIC)
    with pytest.raises(LookupError, match="2 pushes matched"):
        scoped.expect(count=2).push
    assert scoped.wait(2) == scoped.notifications().items
    nearest = scoped.check(topic="other", token=phone.token, within="0s").nearest
    assert nearest[0].differences == (package.Difference("/topic", "other", TOPIC),)
    assert nearest[0].sequence == nearest[0].push.sequence
