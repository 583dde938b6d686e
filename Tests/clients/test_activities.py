"""Live Activities over the wire: started, updated and ended by a provider (`DeviceBehaviour#Live-Activities`)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from conftest import unique_token
from device_scripts import ACTIVITY_TOPIC
from devices import TOPIC, add_device
from h2client import FrameConnection, connect
from reply import Reply
from mynah import Activity, Device
from mynah.control import ControlAPI
from server import Mynah


def iphone(mynah: Mynah, **members: Any) -> Device:
    """An iPhone with the app and its push-to-start token, by the Python client."""
    made = add_device(mynah, registrations=[{"topic": TOPIC}, {"topic": ACTIVITY_TOPIC}], **members)
    return Device.of(made, ControlAPI(mynah.control_url))


def push(
    connection: FrameConnection, token: str, event: str, further: Sequence[tuple[str, str]] = (), **aps: Any
) -> Reply:
    body = {"aps": {"event": event, "timestamp": int(time.time()), **{k.replace("_", "-"): v for k, v in aps.items()}}}
    return connection.push(
        token, json.dumps(body).encode(), topic=ACTIVITY_TOPIC, push_type="liveactivity", further=further
    )


def start(connection: FrameConnection, device: Device) -> Activity:
    """Starts an activity by a push and returns the newest one."""
    push(
        connection,
        device.token_of(ACTIVITY_TOPIC),
        "start",
        attributes_type="GameAttributes",
        attributes={"home": "A"},
        content_state={"score": 0},
        input_push_token=1,
        alert={"title": "Kick-off", "body": "A against B"},
    ).assert_accepted()
    return device.activities()[0]


def test_a_provider_starts_updates_and_ends_an_activity(connection: FrameConnection, mynah: Mynah) -> None:
    device = iphone(mynah)
    activity = start(connection, device)
    assert activity.state == "active" and activity.attributes_type == "GameAttributes" and activity.token
    push(connection, activity.token, "update", content_state={"score": 1}, relevance_score=10).assert_accepted()
    (shown,) = device.screen().activities
    assert shown.content_state == {"score": 1} and shown.relevance_score == 10
    assert [update["contentState"]["score"] for update in shown.history] == [0, 1]
    assert device.screen().notifications == () and len(device.screen().sounds) == 1
    push(connection, activity.token, "end", content_state={"score": 2}, dismissal_date=1).assert_accepted()
    assert device.activity(activity).state == "dismissed"
    assert device.screen().activities == ()
    push(connection, activity.token, "update", content_state={"score": 3}).assert_refused(410, "ExpiredToken")


def test_pushes_with_mistakes_are_accepted_and_leave_the_activity(connection: FrameConnection, mynah: Mynah) -> None:
    device = iphone(mynah)
    activity = start(connection, device)
    assert activity.token
    token = device.token_of(ACTIVITY_TOPIC)
    mistakes: list[tuple[str, str, dict[str, Any], str]] = [
        (token, "update", {"content_state": {}}, "push-to-start token"),
        (activity.token, "begin", {"content_state": {}}, "expected start, update or end"),
        (activity.token, "update", {}, "aps has no content-state"),
        (activity.token, "update", {"content_state": {}, "timestamp": 5}, "is older than"),
        (activity.token, "update", {"content_state": {}, "timestamp": "now"}, "aps.timestamp is a string"),
    ]
    for to, event, aps, why in mistakes:
        reply = push(connection, to, event, **aps)
        reply.assert_accepted()
        found = mynah.control.get(f"/v1/notifications/{reply.value('apns-id')}")
        assert found["outcome"] == "discarded" and why in found["timeline"][-1]["detail"], found
    assert device.activity(activity).content_state == {"score": 0}


def test_an_app_and_its_user_act_on_an_activity(connection: FrameConnection, mynah: Mynah) -> None:
    device = iphone(mynah)
    activity = device.start_activity(ACTIVITY_TOPIC, "GameAttributes", content_state={"score": 0})
    assert activity.token and activity.timestamp is None
    push(connection, activity.token, "update", content_state={"score": 1}).assert_accepted()
    assert device.update_activity(activity, relevance_score=2).content_state == {"score": 1}
    assert device.end_activity(activity, content_state={"score": 2}).state == "ended"
    device.dismiss_activity(activity)
    assert device.activity(activity).state == "dismissed"
    follower = device.start_activity(ACTIVITY_TOPIC, "GameAttributes", push_type={"channel": "tvI2UK0vEfEAAA6GFnjo2Q=="})
    assert follower.channel == "tvI2UK0vEfEAAA6GFnjo2Q==" and follower.token is None
    alone = device.start_activity(ACTIVITY_TOPIC, "GameAttributes", push_type=None)
    assert alone.channel is None and alone.token is None


def test_an_unknown_token_becomes_an_activity_by_its_first_update(connection: FrameConnection, mynah: Mynah) -> None:
    token = unique_token()
    push(connection, token, "update", content_state={"score": 1}).assert_accepted()
    (activity,) = mynah.control.get(f"/v1/devices/{token}")["activities"]
    assert activity["token"] == token and activity["contentState"] == {"score": 1}
    assert activity["attributesType"] is None


@pytest.mark.parametrize(("priority", "outcome"), [("10", "deferred"), ("5", "delivered")])
def test_priority_10_has_a_budget(mynah_with: Callable[..., Mynah], priority: str, outcome: str) -> None:
    mynah = mynah_with("--activity-budget=1")
    device = iphone(mynah)
    with connect(mynah) as connection:
        activity = start(connection, device)
        assert activity.token
        reply = push(
            connection, activity.token, "update", content_state={"score": 1}, further=(("apns-priority", priority),)
        )
        reply.assert_accepted()
        assert mynah.control.get(f"/v1/notifications/{reply.value('apns-id')}")["outcome"] == outcome
