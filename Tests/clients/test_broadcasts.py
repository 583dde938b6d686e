"""Broadcasts and channel management over the wire: ports and host names, the control API's view, fleets of followers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest

import mynah
from commandline import Command
from conftest import unique_token
from devices import EventStream, add_device
from h2client import Fields, FrameConnection, connect, connect_cleartext
from reply import Reply
from server import Mynah
from test_metrics import values as metrics
from waiting import LONGEST_WAIT

APP = "com.example.app"
CONFIGURATION = b'{"message-storage-policy":1,"push-type":"LiveActivity"}'


@pytest.fixture
def own(mynah_with: Callable[..., Mynah]) -> Iterator[Mynah]:
    """A server with a port of channel management for each environment, without channels."""
    server = mynah_with("--channels-port=0:production", "--channels-port=0:sandbox")
    server.control.ask("DELETE", "/v1/channels")
    yield server


def update(score: int) -> bytes:
    """A payload that updates activities."""
    return json.dumps({"aps": {"event": "update", "timestamp": score, "content-state": {"score": score}}}).encode()


def ask(
    connection: FrameConnection, server: Mynah, method: str, path: str, body: bytes = b"", **fields: str
) -> Reply:
    """One request with a provider token."""
    pseudo = [(":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost")]
    own = [(name.replace("_", "-"), value) for name, value in fields.items()]
    return connection.reply(connection.request([*pseudo, ("authorization", server.authorization()), *own], body))


def create(connection: FrameConnection, server: Mynah) -> str:
    """Creates a channel as a provider does."""
    reply = ask(connection, server, "POST", f"/1/apps/{APP}/channels", CONFIGURATION)
    assert reply.status == 201, reply
    channel = reply.value("apns-channel-id")
    assert channel is not None
    return channel


def broadcast(
    connection: FrameConnection, server: Mynah, channel: str, score: int = 1, expiration: str = "0"
) -> Reply:
    """Sends a broadcast."""
    return ask(
        connection,
        server,
        "POST",
        f"/4/broadcasts/apps/{APP}",
        update(score),
        apns_channel_id=channel,
        apns_push_type="liveactivity",
        apns_expiration=expiration,
    )


def test_each_port_of_channel_management_has_its_environment(own: Mynah) -> None:
    production, sandbox = own.ready["channelsPorts"]
    for port, environment in ((production, "production"), (sandbox, "sandbox")):
        with connect(own, port=port) as connection:
            channel = create(connection, own)
        [made] = [one for one in own.channels() if one.id == channel]
        assert (made.environment, made.bundle_id, made.message_storage_policy) == (environment, APP, 1)


def test_a_channel_that_a_provider_makes_and_deletes_is_an_event(own: Mynah) -> None:
    after = own.control.get("/v1/notifications")["lastSequence"]
    with connect(own, server_name="api-manage-broadcast.push.apple.com") as connection:
        channel = create(connection, own)
        made = own.control.get(f"/v1/channels/{quote(channel, safe='')}")
        path = f"/1/apps/{APP}/channels"
        assert ask(connection, own, "DELETE", path, apns_channel_id=channel).status == 204
        # What is refused changes nothing.
        assert ask(connection, own, "DELETE", path, apns_channel_id=channel).status == 404
    other = own.create_channel("com.example.other").id
    with EventStream(own, f"/v1/events?event=channel&after={after}") as stream:
        told = stream.next(3)
    assert [(event.name, event.data["id"], event.data["change"]) for event in told] == [
        ("channel", channel, "created"),
        ("channel", channel, "removed"),
        ("channel", other, "created"),
    ]
    assert told[0].data == made | {"change": "created"}


def test_a_device_is_subscribed_and_unsubscribed(own: Mynah) -> None:
    channel = own.create_channel(APP, message_storage_policy=1).id
    device = mynah.Device.of(add_device(own, registrations=[{"topic": APP}]), own.control)
    now = int(time.time())
    with connect(own) as connection:
        broadcast(connection, own, channel, now, str(now + 3600)).assert_accepted()
        subscribed = device.subscribe(channel, attributes_type="Game", content_state={"score": 0})
        assert (subscribed.channel, subscribed.attributes_type) == (channel, "Game")
        # It gets what the channel keeps.
        [activity] = device.subscriptions()
        assert (activity.id, activity.content_state) == (subscribed.id, {"score": now})
        assert (device.unsubscribe(channel), device.subscriptions()) == (1, ())
        broadcast(connection, own, channel, now + 1).assert_accepted()
    assert device.activity(subscribed).content_state == {"score": now}
    with pytest.raises(mynah.ControlError, match="is not subscribed to the channel"):
        device.unsubscribe(channel)
    with pytest.raises(mynah.ControlError, match="x is not a channel's id"):
        device.subscribe("x")


def test_apples_name_of_channel_management_leads_there_on_any_tls_port(own: Mynah) -> None:
    for name, environment in (
        ("api-manage-broadcast.sandbox.push.apple.com", "sandbox"),
        ("api-manage-broadcast.push.apple.com", "production"),
    ):
        with connect(own, server_name=name) as connection:
            channel = create(connection, own)
        assert own.channel(channel).environment == environment


@pytest.mark.parametrize("name", ["localhost", "api-broadcast.sandbox.push.apple.com", "api.sandbox.push.apple.com"])
def test_a_broadcast_is_accepted_under_each_name(own: Mynah, name: str) -> None:
    channel = own.create_channel(APP).id
    with connect(own, server_name=name) as connection:
        broadcast(connection, own, channel).assert_accepted()
    assert own.channel(channel).broadcasts == 1


def test_the_port_without_tls_takes_pushes_broadcasts_and_channel_management(own: Mynah) -> None:
    with connect_cleartext(own) as connection:
        channel = create(connection, own)
        broadcast(connection, own, channel).assert_accepted()
        connection.push(unique_token()).assert_accepted()


def test_a_deleted_channel_takes_no_broadcast(own: Mynah) -> None:
    channel = own.create_channel(APP)
    assert own.delete_channel(channel.id) == channel
    with pytest.raises(mynah.ControlError):
        own.channel(channel.id)
    with connect(own) as connection:
        broadcast(connection, own, channel.id).assert_refused(400, "ChannelNotRegistered")


def test_every_magic_channel_answers_what_the_list_says(own: Mynah) -> None:
    items = [item for item in own.control.get("/v1/magic-tokens")["items"] if item["reason"] and item["status"] != 502]
    for item in items:
        with connect(own) as connection:
            reply = broadcast(connection, own, item["channel"])
            assert (reply.status, reply.reason) == (item["status"], item["reason"]), item
            assert reply.value("apns-request-id") and reply.value("apns-id") is None


def test_a_fleet_of_followers_has_a_broadcast_when_it_is_answered(own: Mynah) -> None:
    channel = own.create_channel(APP).id
    topic = f"{APP}.push-type.liveactivity"
    count = 2000
    own.control.post("/v1/devices", {"id": "first", "scope": "fleet", "registrations": [{"topic": topic}]})
    start = {"topic": topic, "attributesType": "Game", "contentState": {"score": 0}, "pushType": {"channel": channel}}
    own.control.post("/v1/devices/first/activities", start)
    [activity] = own.control.get("/v1/devices/first/activities")["items"]
    fleet = {
        "id": "fleet",
        "count": count,
        "scope": "fleet",
        "registrations": [{"topic": topic}],
        "activities": [activity],
    }
    own.control.post("/v1/devices", fleet)
    try:
        assert own.channel(channel).followers == count + 1
        with connect(own) as connection:
            score = int(time.time())
            reply = broadcast(connection, own, channel, score).assert_accepted()
        push = own.control.get(f"/v1/notifications/{reply.value('apns-request-id')}")
        assert (push["outcome"], push["devices"], push["channel"]) == ("delivered", count + 1, channel)
        for number in ("00001", "01000", "02000"):
            [activity] = own.control.get(f"/v1/devices/fleet-{number}/activities")["items"]
            assert activity["contentState"] == {"score": score}
            [arrival] = own.control.get(f"/v1/devices/fleet-{number}/inbox")["items"]
            assert arrival["sequence"] == push["sequence"]
    finally:
        own.control.ask("DELETE", "/v1/scopes/fleet")


def follow(server: Mynah, channel: str, *, online: bool = True) -> str:
    """Makes a device with an activity that follows a channel."""
    topic = f"{APP}.push-type.liveactivity"
    device = str(add_device(server, registrations=[{"topic": topic}])["id"])
    start = {"topic": topic, "attributesType": "Game", "contentState": {"score": 0}, "pushType": {"channel": channel}}
    server.control.post(f"/v1/devices/{device}/activities", start)
    if not online:
        assert server.control.ask("PATCH", f"/v1/devices/{device}", body={"online": False}).status == 200
    return device


def score(server: Mynah, device: str) -> Any:
    """What the device's activity shows."""
    [activity] = server.control.get(f"/v1/devices/{device}/activities")["items"]
    return activity["contentState"]["score"]


def add_fault(server: Mynah, action: dict[str, Any], **members: Any) -> str:
    """Adds a fault rule, and returns its id."""
    return str(server.control.post("/v1/faults", {"action": action, **members})["id"])


def journal(server: Mynah, reply: Reply) -> Any:
    """The broadcast that got this answer."""
    return server.control.get(f"/v1/notifications/{reply.value('apns-request-id')}")


@pytest.fixture
def faulty(own_mynah: Callable[..., Mynah]) -> Mynah:
    """A server of its own, whose faults concern nobody else."""
    return own_mynah("--channels-port=0:sandbox")


def test_a_broadcast_is_delivered_later(faulty: Mynah) -> None:
    faulty.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    channel = faulty.create_channel(APP, message_storage_policy=1).id
    device, offline = follow(faulty, channel), follow(faulty, channel, online=False)
    identifier = add_fault(faulty, {"type": "deliverLate", "by": "5m"})
    now = int(time.time())
    with connect(faulty) as connection:
        reply = broadcast(connection, faulty, channel, now, str(now + 3600)).assert_accepted()
        push = journal(faulty, reply)
        assert (push["outcome"], push["fault"], push["devices"]) == ("deferred", identifier, 0)
        assert score(faulty, device) == 0
        assert faulty.channel(channel).stored_until is None
        faulty.control.post("/v1/clock/advance", {"by": "299s"})
        assert journal(faulty, reply)["outcome"] == "deferred"
        faulty.control.post("/v1/clock/advance", {"by": "1s"})
        push = journal(faulty, reply)
    assert (push["outcome"], push["devices"]) == ("delivered", 1)
    assert score(faulty, device) == now and score(faulty, offline) == 0
    counts = metrics(faulty.control)
    for outcome in ("deferred", "delivered"):
        assert counts["mynah_broadcasts_total", (("outcome", outcome),)] == 1


def test_a_broadcast_is_lost(faulty: Mynah) -> None:
    channel = faulty.create_channel(APP, message_storage_policy=1).id
    device, offline = follow(faulty, channel), follow(faulty, channel, online=False)
    add_fault(faulty, {"type": "lose"}, match={"channel": channel})
    now = int(time.time())
    with connect(faulty) as connection:
        reply = broadcast(connection, faulty, channel, now, str(now + 3600)).assert_accepted()
    push = journal(faulty, reply)
    assert (push["status"], push["outcome"], push["devices"]) == (200, "lost", 0)
    faulty.control.ask("PATCH", f"/v1/devices/{offline}", body={"online": True})
    assert score(faulty, device) == score(faulty, offline) == 0
    assert faulty.channel(channel).stored_until is None


def test_a_broadcast_is_delivered_several_times_to_many(faulty: Mynah) -> None:
    channel = faulty.create_channel(APP).id
    device = follow(faulty, channel)
    [activity] = faulty.control.get(f"/v1/devices/{device}/activities")["items"]
    topics = [{"topic": activity["topic"]}]
    faulty.control.post("/v1/devices", {"id": "fleet", "count": 300, "registrations": topics, "activities": [activity]})
    add_fault(faulty, {"type": "duplicate", "times": 2})
    now = int(time.time())
    with connect(faulty) as connection:
        reply = broadcast(connection, faulty, channel, now).assert_accepted()
    found = faulty.control.get("/v1/notifications", {"outcome": "delivered", "wait": LONGEST_WAIT})
    [push] = found["items"]
    assert (push["apnsId"], push["devices"]) == (reply.value("apns-request-id"), 301)
    items = faulty.control.get(f"/v1/devices/{device}/inbox", {"count": 2, "wait": LONGEST_WAIT})["items"]
    assert [arrival["sequence"] for arrival in items] == [push["sequence"]] * 2
    counts = metrics(faulty.control)
    assert counts["mynah_broadcasts_total", (("outcome", "delivered"),)] == 1
    assert counts["mynah_broadcasts_total", (("outcome", "pending"),)] == 0
    assert counts["mynah_broadcast_deliveries_total", ()] == 301
    assert counts["mynah_channel_followers", ()] == 301
    assert counts["mynah_channels", ()] == 1


def test_the_log_says_why_a_call_of_channel_management_was_refused(faulty: Mynah) -> None:
    [port] = faulty.ready["channelsPorts"]
    body = json.dumps({"message-storage-policy": 1, "push-type": "LiveActivity", "x\nwarning" + "y" * 1000: 1}).encode()
    with connect(faulty, port=port) as connection:
        refused = ask(connection, faulty, "POST", f"/1/apps/{APP}/channels", body)
        assert (refused.status, refused.reason) == (400, "BadRequestParams")
    line = faulty.process.wait_for_error("channel management answered")
    assert " info channel management answered 400 BadRequestParams: the body has the member x warningyyy" in line
    assert len(line) < 500 and "peer=127.0.0.1" in line


def test_a_fault_answers_a_call_of_channel_management_in_its_place(faulty: Mynah) -> None:
    [port] = faulty.ready["channelsPorts"]
    identifier = add_fault(faulty, {"type": "respond", "reason": "CannotCreateChannelConfig"}, times=1)
    with connect(faulty, port=port) as connection:
        reply = ask(connection, faulty, "POST", f"/1/apps/{APP}/channels", CONFIGURATION)
        assert (reply.status, reply.reason) == (400, "CannotCreateChannelConfig")
        assert reply.value("apns-request-id") and reply.value("apns-channel-id") is None
        assert faulty.channels() == []
        create(connection, faulty)
    assert faulty.control.get(f"/v1/faults/{identifier}")["fired"] == 1
    assert faulty.control.get("/v1/notifications")["matched"] == 0


def test_a_fault_delays_a_call_of_channel_management(faulty: Mynah) -> None:
    [port] = faulty.ready["channelsPorts"]
    faulty.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    add_fault(faulty, {"type": "pass", "delay": "5m", "clock": "virtual"}, times=1)
    with connect(faulty, port=port) as connection:
        pseudo = [(":method", "POST"), (":scheme", "https"), (":path", f"/1/apps/{APP}/channels")]
        fields: Fields = [*pseudo, (":authority", "localhost"), ("authorization", faulty.authorization())]
        delayed = connection.request(fields, CONFIGURATION)
        # The second call is answered before the first.
        assert ask(connection, faulty, "GET", f"/1/apps/{APP}/all-channels").status == 200
        assert not connection.reply_so_far(delayed).is_over
        assert faulty.channels() == []
        faulty.control.post("/v1/clock/advance", {"by": "5m"})
        reply = connection.reply(delayed)
    assert reply.status == 201
    assert [channel.id for channel in faulty.channels()] == [reply.value("apns-channel-id")]


def test_a_fault_resets_the_stream_of_a_call_of_channel_management(faulty: Mynah) -> None:
    [port] = faulty.ready["channelsPorts"]
    add_fault(faulty, {"type": "resetStream", "code": "INTERNAL_ERROR", "when": "beforeHeaders"}, times=1)
    with connect(faulty, port=port) as connection:
        reply = ask(connection, faulty, "POST", f"/1/apps/{APP}/channels", CONFIGURATION)
        assert (reply.reset_code, reply.fields) == (2, [])
        create(connection, faulty)
    assert len(faulty.channels()) == 1


def test_filters_find_broadcasts_by_channel(own: Mynah) -> None:
    channel = own.create_channel(APP).id
    with connect(own) as connection:
        reply = broadcast(connection, own, channel).assert_accepted()
    found = own.control.get("/v1/notifications", {"channel": channel})
    assert [push["apnsId"] for push in found["items"]] == [reply.value("apns-request-id")]
    assert own.control.get("/v1/notifications", {"channel": channel, "topic": "com.example.other"})["matched"] == 0


def test_a_late_broadcast_is_kept_for_those_who_come_later(faulty: Mynah) -> None:
    faulty.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    channel = faulty.create_channel(APP, message_storage_policy=1).id
    offline = follow(faulty, channel, online=False)
    add_fault(faulty, {"type": "deliverLate", "by": "5m"}, times=1)
    now = int(time.time())
    with connect(faulty) as connection:
        reply = broadcast(connection, faulty, channel, now, str(now + 3600)).assert_accepted()
    faulty.control.post("/v1/clock/advance", {"by": "5m"})
    assert journal(faulty, reply)["outcome"] == "stored"
    assert faulty.channel(channel).stored_until is not None
    faulty.control.ask("PATCH", f"/v1/devices/{offline}", body={"online": True})
    assert score(faulty, offline) == score(faulty, follow(faulty, channel)) == now
    push = journal(faulty, reply)
    assert (push["outcome"], push["devices"]) == ("delivered", 2)


def test_all_pages_of_channels_are_read(faulty: Mynah, mynah_command: Command) -> None:
    made = [faulty.create_channel(APP).id for _ in range(1001)]
    assert [channel.id for channel in faulty.channels()] == made
    page = faulty.control.get("/v1/channels", {"order": "desc", "limit": "2"})
    assert (page["matched"], [one["id"] for one in page["items"]]) == (1001, [made[-1], made[-2]])
    listed = mynah_command("channel", "list", "--json", "--url", faulty.control_url)
    assert [json.loads(line)["id"] for line in listed.stdout.splitlines()] == made


def test_a_broadcast_is_of_no_scope(own: Mynah) -> None:
    channel = own.create_channel(APP).id
    with own.scope("of-a-test") as scoped:
        with connect(own) as connection:
            reply = broadcast(connection, own, channel).assert_accepted()
        [push] = scoped.expect(channel=channel, exactly=1, scope=None).items
        assert (push.apns_id, push.channel, push.devices) == (reply.value("apns-request-id"), channel, 0)
        with pytest.raises(mynah.ControlError, match="a broadcast has no scope, .* and only a broadcast has a channel"):
            scoped.expect(channel=channel, within="0s")
        with pytest.raises(mynah.ControlError, match="a broadcast belongs to no scope"):
            scoped.fault("lose", channel=channel)
        scoped.fault("lose", scope=None, channel=channel)
