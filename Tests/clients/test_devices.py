"""Devices over the wire: what a provider is answered, and what arrives (`DeviceBehaviour#Registration-and-tokens`)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

from devices import TOPIC, add_device, token_of, unique_id
from h2client import FrameConnection, connect
from server import Mynah
from waiting import HANG_SECONDS, LONGEST_WAIT


def test_a_push_to_a_device_has_arrived_when_its_reply_is_read(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah, name="Kim's iPhone")
    reply = connection.push(token_of(device)).assert_accepted()
    items = mynah.control.get(f"/v1/devices/{device['id']}/inbox")["items"]
    assert [item["apnsId"] for item in items] == [reply.value("apns-id")]
    assert items[0]["kind"] == "alert" and items[0]["payload"] == {"aps": {"alert": "hi"}}
    push = mynah.control.push(token_of(device))
    assert (push["device"], push["outcome"]) == (device["id"], "delivered")


def test_a_change_holds_on_open_connections_when_it_is_answered(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah)
    token, path = token_of(device), f"/v1/devices/{device['id']}"
    connection.push(token).assert_accepted()
    assert mynah.control.ask("PATCH", path, body={"online": False}).status == 200
    connection.push(token).assert_accepted()
    assert mynah.control.pushes(token)[-1]["outcome"] == "stored"
    assert mynah.control.get(path)["stored"] == 1
    assert mynah.control.ask("PATCH", path, body={"online": True}).status == 200
    # Nothing to wait for: the call has answered, so it holds.
    assert mynah.control.pushes(token)[-1]["outcome"] == "delivered"
    assert len(mynah.control.get(path + "/inbox")["items"]) == 2
    left = mynah.control.ask("DELETE", f"{path}/registrations/{TOPIC}")
    assert left.status == 200 and left.json()["state"] == "unregistered"
    reply = connection.push(token).assert_refused(410, "Unregistered")
    assert json.loads(reply.body)["timestamp"] > 0
    assert mynah.control.ask("DELETE", path).json() == {"removed": {"devices": 1}}
    mynah.control.ask("GET", path).problem(404)


def test_an_app_on_two_environments_has_a_token_for_each(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(
        mynah, registrations=[{"topic": TOPIC, "environment": name} for name in ("sandbox", "production")]
    )
    sandbox, production = (app["token"] for app in device["registrations"])
    connection.push(sandbox).assert_accepted()
    connection.push(production).assert_refused(400, "BadDeviceToken")


def test_who_waits_for_an_arrival_is_answered_when_it_comes(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah)
    answers: list[dict[str, object]] = []
    path = f"/v1/devices/{device['id']}/inbox"
    waiting = threading.Thread(
        target=lambda: answers.append(mynah.control.get(path, {"wait": LONGEST_WAIT, "count": 2, "kind": "alert"}))
    )
    waiting.start()
    for _ in range(2):
        connection.push(token_of(device)).assert_accepted()
    waiting.join(2 * HANG_SECONDS)
    assert answers and answers[0]["matched"] == 2 and answers[0]["timedOut"] is False


def test_a_fleet_has_a_token_for_each_device(connection: FrameConnection, mynah: Mynah) -> None:
    name = unique_id("fleet")
    made = mynah.control.post("/v1/devices", {"id": name, "count": 50, "registrations": [{"topic": TOPIC}]})
    tokens = [token_of(device) for device in made["items"]]
    assert len(set(tokens)) == 50
    for token in tokens:
        connection.push(token).assert_accepted()
    assert mynah.control.push(tokens[-1])["device"] == f"{name}-00050"


def test_tests_with_scopes_share_a_server(mynah: Mynah) -> None:
    scopes = [unique_id("scope") for _ in range(2)]
    devices = [add_device(mynah, scope=scope) for scope in scopes]
    with connect(mynah) as connection:
        for device in devices:
            connection.push(token_of(device)).assert_accepted()
    first, second = scopes
    assert len(mynah.control.get("/v1/notifications", {"scope": first})["items"]) == 1
    assert first in [item["name"] for item in mynah.control.get("/v1/scopes")["items"]]
    removed = mynah.control.ask("DELETE", f"/v1/scopes/{first}").json()["removed"]
    assert removed == {"notifications": 1, "devices": 1, "faults": 0, "clock": 0}
    assert mynah.control.get("/v1/notifications", {"scope": first})["items"] == []
    assert len(mynah.control.get("/v1/notifications", {"scope": second})["items"]) == 1
    assert mynah.control.post("/v1/reset", {"scope": second})["removed"]["devices"] == 1


def test_strict_servers_know_only_devices_that_were_made(mynah_with: Callable[..., Mynah], token: str) -> None:
    mynah = mynah_with("--devices", "strict")
    device = add_device(mynah)
    with connect(mynah) as connection:
        connection.push(token).assert_refused(400, "BadDeviceToken")
        connection.push(token_of(device)).assert_accepted()
        connection.push(token_of(device), topic="com.example.other").assert_refused(400, "DeviceTokenNotForTopic")
