"""What a user of a device sees and does, from a provider's push on (`DeviceBehaviour`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from devices import TOPIC, add_device, token_of
from h2client import FrameConnection, connect
from server import Mynah

REFUSED_STRINGS = '"HELLO" = "Hello";\n"BROKEN" = \n'


def screen_of(mynah: Mynah, device: dict[str, Any]) -> dict[str, Any]:
    screen: dict[str, Any] = mynah.control.get(f"/v1/devices/{device['id']}/screen")
    return screen


def app(**members: Any) -> dict[str, Any]:
    return {"topic": TOPIC, **members}


def test_a_collapsed_notification_takes_the_place_of_the_one_before(
    connection: FrameConnection, mynah: Mynah
) -> None:
    device = add_device(mynah)
    for text in ("0:1", "1:1"):
        connection.push(
            token_of(device), b'{"aps":{"alert":"%s"}}' % text.encode(), further=[("apns-collapse-id", "game")]
        ).assert_accepted()
    notifications = screen_of(mynah, device)["notifications"]
    assert [shown["body"] for shown in notifications] == ["1:1"]
    assert notifications[0]["collapseId"] == "game" and notifications[0]["updatedAt"]


def test_notifications_that_the_user_turned_off_are_accepted_and_not_shown(
    connection: FrameConnection, mynah: Mynah
) -> None:
    device = add_device(mynah, registrations=[app(permissions={"alert": False, "badge": False, "sound": False})])
    connection.push(token_of(device), b'{"aps":{"alert":"hi","badge":1}}').assert_accepted()
    screen = screen_of(mynah, device)
    assert screen["notifications"] == [] and screen["badges"] == {}
    (push,) = mynah.control.get("/v1/notifications", {"device": device["id"]})["items"]
    assert push["outcome"] == "delivered" and push["shown"] is False


def test_what_wakes_an_app_is_not_on_its_screen(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah)
    connection.push(
        token_of(device),
        b'{"aps":{"content-available":1}}',
        push_type="background",
        further=[("apns-priority", "5")],
    ).assert_accepted()
    screen = screen_of(mynah, device)
    assert screen["notifications"] == [] and [wake["topic"] for wake in screen["wakes"]] == [TOPIC]


def test_a_broken_table_of_strings_is_named_by_line_and_column(mynah: Mynah) -> None:
    answer = mynah.control.ask(
        "POST", "/v1/devices", body={"registrations": [app(strings={"en": REFUSED_STRINGS})]}
    )
    assert answer.status == 400, answer
    problem = answer.json()
    assert problem["field"] == "/registrations/0/strings/en"
    assert "line 3, column 1" in problem["detail"]


@pytest.mark.parametrize("unit", ["1s", "1s-2s"])
def test_apns_notices_late_that_an_app_is_gone(own_mynah: Callable[..., Mynah], unit: str) -> None:
    mynah = own_mynah("--unregister-delay", unit)
    device = add_device(mynah)
    token = token_of(device)
    assert mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"}).status == 200
    assert mynah.control.ask("DELETE", f"/v1/devices/{device['id']}/registrations/{TOPIC}").status == 200
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        mynah.control.post("/v1/clock/advance", {"by": "2s"})
        connection.push(token).assert_refused(410, "Unregistered")
