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


def test_a_sound_without_an_alert_is_heard_and_counted(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah)
    connection.push(token_of(device), b'{"aps":{"sound":"default","badge":1}}').assert_accepted()
    connection.push(token_of(device), b'{"aps":{"alert":"quiet"}}').assert_accepted()
    heard, quiet = mynah.control.get("/v1/notifications", {"device": device["id"], "order": "asc"})["items"]
    assert heard["sounded"] is True and heard["shown"] is False
    assert [step["event"] for step in heard["timeline"]][-1] == "sounded"
    assert quiet["sounded"] is False
    assert [sound["sequence"] for sound in screen_of(mynah, device)["sounds"]] == [heard["sequence"]]


def test_only_critical_sounds_are_heard_on_a_muted_device(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah, muted=True, registrations=[app(permissions={"critical": True})])
    for sound in (b'"default"', b'{"critical":1,"name":"default","volume":0.5}'):
        connection.push(token_of(device), b'{"aps":{"alert":"hi","sound":%s}}' % sound).assert_accepted()
    (sound,) = screen_of(mynah, device)["sounds"]
    assert sound["sound"] == {"name": "default", "critical": True, "volume": 0.5}


def test_a_badge_is_set_and_cleared_by_the_app(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah)
    path = f"/v1/devices/{device['id']}/screen"
    connection.push(token_of(device), b'{"aps":{"badge":5}}').assert_accepted()
    for badge, shown in ((7, {TOPIC: 7}), (0, {})):
        assert mynah.control.ask("PATCH", path, body={"badges": {TOPIC: badge}}).json()["badges"] == shown
    problem = mynah.control.ask("PATCH", path, body={"badges": {"com.example.none": 1}}).json()
    assert problem["field"] == "/badges/com.example.none" and problem["allowed"] == [TOPIC]


def test_an_app_removes_its_notifications_by_their_identifiers(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah)
    path = f"/v1/devices/{device['id']}/screen"
    for name in ("one", "two", "three"):
        connection.push(
            token_of(device), b'{"aps":{"alert":"hi"}}', further=[("apns-collapse-id", name)]
        ).assert_accepted()
    removed = mynah.control.ask("DELETE", f"{path}?identifier=one&identifier=three&topic={TOPIC}").json()
    assert removed == {"removed": {"notifications": 2}}
    assert [shown["identifier"] for shown in screen_of(mynah, device)["notifications"]] == ["two"]
    assert mynah.control.ask("DELETE", path).json() == {"removed": {"notifications": 1}}
    assert screen_of(mynah, device)["notifications"] == []


@pytest.mark.parametrize(
    ("permissions", "locked", "where"),
    [
        ({}, False, {"banner": {"actions": []}, "alertStyle": "banner", "notificationCenter": True}),
        ({"alertStyle": "none"}, False, {"banner": None, "lockScreen": False, "notificationCenter": True}),
        ({"notificationCenter": False}, False, {"alertStyle": "banner", "notificationCenter": False}),
        ({}, True, {"banner": None, "lockScreen": True, "notificationCenter": True}),
        ({"lockScreen": False}, True, {"banner": None, "lockScreen": False, "notificationCenter": True}),
        ({"lockScreen": False, "notificationCenter": False}, True, None),
        ({"showPreviews": "whenUnlocked"}, True, {"body": "Notification", "title": None, "previewHidden": True}),
        ({"showPreviews": "whenUnlocked"}, False, {"body": "1234", "title": "Bank", "previewHidden": False}),
        ({"showPreviews": "never"}, False, {"body": "Notification", "title": None, "previewHidden": True}),
    ],
)
def test_the_user_decides_where_alerts_appear(
    connection: FrameConnection,
    mynah: Mynah,
    permissions: dict[str, Any],
    locked: bool,
    where: dict[str, Any] | None,
) -> None:
    device = add_device(mynah, locked=locked, registrations=[app(permissions=permissions)])
    connection.push(token_of(device), b'{"aps":{"alert":{"title":"Bank","body":"1234"}}}').assert_accepted()
    shown = [
        {name: notification[name] for name in where or {}}
        for notification in screen_of(mynah, device)["notifications"]
    ]
    assert shown == ([] if where is None else [where])


def test_a_locked_device_is_unlocked_before_an_app_opens(connection: FrameConnection, mynah: Mynah) -> None:
    actions = [{"id": "archive", "authenticationRequired": True}, {"id": "like"}]
    device = add_device(
        mynah, locked=True, registrations=[app(categories=[{"id": "MAIL", "actions": actions}])]
    )
    for _ in range(2):
        connection.push(token_of(device), b'{"aps":{"alert":"hi","category":"MAIL"}}').assert_accepted()
    first, second = (shown["sequence"] for shown in screen_of(mynah, device)["notifications"])
    path = f"/v1/devices/{device['id']}/screen"
    for action in ("default", "archive"):
        answer = mynah.control.ask("POST", f"{path}/{first}/actions", body={"action": action})
        assert answer.status == 409 and "locked" in answer.json()["detail"]
    assert mynah.control.ask("POST", f"{path}/{second}/actions", body={"action": "like"}).status == 200
    assert mynah.control.ask("PATCH", f"/v1/devices/{device['id']}", body={"locked": False}).status == 200
    assert mynah.control.ask("POST", f"{path}/{first}/actions", body={"action": "archive"}).status == 200


def test_the_guides_action_button_has_its_localized_title(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah, registrations=[app(strings={"en": '"PLAY" = "Play";'})])
    payload = (
        b'{"aps":{"alert":{"title":"Game Request","body":"Bob wants to play poker","action-loc-key":"PLAY"},"badge":5}}'
    )
    connection.push(token_of(device), payload).assert_accepted()
    (shown,) = screen_of(mynah, device)["notifications"]
    assert (shown["actionTitle"], shown["details"]) == ("Play", {"actionLocKey": "PLAY"})


def test_an_alert_to_an_app_whose_notifications_are_off_is_discarded(
    connection: FrameConnection, mynah: Mynah
) -> None:
    device = add_device(mynah, registrations=[app(permissions={"authorization": "denied"})])
    connection.push(token_of(device), b'{"aps":{"alert":"hi"}}').assert_accepted()
    connection.push(token_of(device), b'{"aps":{"alert":"hi","content-available":1}}').assert_accepted()
    pushes = mynah.control.get("/v1/notifications", {"device": device["id"], "order": "asc"})["items"]
    assert [push["outcome"] for push in pushes] == ["discarded", "delivered"]
    assert pushes[0]["timeline"][-1]["detail"] == "the user has turned the app's notifications off"
    screen = screen_of(mynah, device)
    assert screen["notifications"] == [] and [wake["sequence"] for wake in screen["wakes"]] == [pushes[1]["sequence"]]


def test_an_app_without_the_background_mode_is_not_woken(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah, registrations=[app(backgroundModes=[])])
    connection.push(token_of(device), b'{"aps":{"alert":"hi","content-available":1}}').assert_accepted()
    connection.push(token_of(device), b'{"aps":{"content-available":1}}', push_type="background").assert_accepted()
    screen = screen_of(mynah, device)
    assert screen["wakes"] == [] and [shown["body"] for shown in screen["notifications"]] == ["hi"]


def test_alerts_that_power_holds_back_arrive_as_a_burst(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah, power="low")
    for text, collapse_id in (("1", "x"), ("2", "y"), ("3", "x")):
        connection.push(
            token_of(device),
            b'{"aps":{"alert":"%s"}}' % text.encode(),
            further=[("apns-priority", "5"), ("apns-collapse-id", collapse_id)],
        ).assert_accepted()
    assert screen_of(mynah, device)["notifications"] == []
    assert mynah.control.ask("PATCH", f"/v1/devices/{device['id']}", body={"power": "normal"}).status == 200
    assert [shown["body"] for shown in screen_of(mynah, device)["notifications"]] == ["3", "2"]


@pytest.mark.parametrize(
    ("languages", "greeting"),
    [
        ({"locale": "zh-CN"}, "你好"),
        ({"locale": "zh-TW"}, "您好"),
        ({"locale": "zh-HK"}, "您好"),
        ({"locale": "es-MX"}, "Qué tal"),
        ({"locale": "en-AU"}, "Good day"),
        ({"locale": "en-AU", "languages": ["sv", "es-ES"]}, "Hola"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value.get("languages", [value["locale"]])),
)
def test_strings_are_chosen_as_a_bundle_chooses_them(
    connection: FrameConnection, mynah: Mynah, languages: dict[str, Any], greeting: str
) -> None:
    greetings = {
        "en": "Hi", "en-GB": "Good day", "es": "Hola", "es-419": "Qué tal", "zh-Hans": "你好", "zh-Hant": "您好",
    }
    strings = {language: f'"GREETING" = "{text}";' for language, text in greetings.items()}
    device = add_device(mynah, registrations=[app(strings=strings)], **languages)
    assert device["languages"] == languages.get("languages", [])
    connection.push(token_of(device), b'{"aps":{"alert":{"loc-key":"GREETING"}}}').assert_accepted()
    assert [shown["body"] for shown in screen_of(mynah, device)["notifications"]] == [greeting]


def test_a_tv_shows_badges_alone(connection: FrameConnection, mynah: Mynah) -> None:
    device = add_device(mynah, platform="tvOS")
    connection.push(token_of(device), b'{"aps":{"alert":"hi","badge":2}}').assert_accepted()
    screen = screen_of(mynah, device)
    assert screen["notifications"] == [] and screen["badges"] == {TOPIC: 2}
    answer = mynah.control.ask("PATCH", f"/v1/devices/{device['id']}", body={"focus": "Work"})
    assert answer.status == 400 and answer.json()["field"] == "/focus"


def test_a_focus_lets_chosen_people_through(connection: FrameConnection, mynah: Mynah) -> None:
    focus = {"name": "Work", "people": ["Kim"]}
    device = add_device(mynah, focus=focus, registrations=[app(serviceExtension={"sender": "/from"})])
    assert device["focus"] == focus and screen_of(mynah, device)["notifications"] == []
    for sender in ("Kim", "Lee"):
        payload = f'{{"aps":{{"alert":"Lunch?","mutable-content":1}},"from":"{sender}"}}'
        connection.push(token_of(device), payload.encode()).assert_accepted()
    shown = screen_of(mynah, device)["notifications"]
    assert [(one["sender"], one["banner"] is not None) for one in shown] == [("Lee", False), ("Kim", True)]


@pytest.mark.parametrize("query", ["topic=com.example.nap", "!topic=com.example.nap"])
def test_clearing_an_app_that_the_device_does_not_have_is_refused(
    connection: FrameConnection, mynah: Mynah, query: str
) -> None:
    device = add_device(mynah)
    connection.push(token_of(device), b'{"aps":{"alert":"hi"}}').assert_accepted()
    answer = mynah.control.ask("DELETE", f"/v1/devices/{device['id']}/screen?{query}")
    assert answer.status == 400 and answer.json()["field"] == query.split("=")[0]
    assert TOPIC in answer.json()["detail"] and len(screen_of(mynah, device)["notifications"]) == 1


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


@pytest.mark.parametrize(
    "payload", ['{"aps":{"content-available":0}}', '{"aps":{"content-available":"1"}}', '{"aps":{}}']
)
def test_a_background_push_without_content_available_1_wakes_nothing_and_is_flagged(
    connection: FrameConnection, mynah: Mynah, payload: str
) -> None:
    device = add_device(mynah)
    assert screen_of(mynah, device)["wakes"] == []
    connection.push(
        token_of(device), payload.encode(), push_type="background", further=[("apns-priority", "5")]
    ).assert_accepted()
    assert screen_of(mynah, device)["wakes"] == []
    (warning,) = mynah.control.push(token_of(device))["warnings"]
    assert "content-available" in warning and "not woken" in warning


@pytest.mark.parametrize("settings", [{}, {"locked": True}], ids=["as made", "with settings"])
def test_content_available_that_is_not_1_is_flagged_beside_an_alert(
    connection: FrameConnection, mynah: Mynah, settings: dict[str, Any]
) -> None:
    device = add_device(mynah, **settings)
    connection.push(token_of(device), b'{"aps":{"alert":"hi","content-available":"1"}}').assert_accepted()
    screen = screen_of(mynah, device)
    assert screen["wakes"] == [] and [shown["body"] for shown in screen["notifications"]] == ["hi"]
    expected = "aps.content-available is a string: expected the number 1; the app is not woken"
    assert mynah.control.push(token_of(device))["warnings"] == [expected]


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
