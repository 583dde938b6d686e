"""Live Activities on the page's lock screen and in its Dynamic Island."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from browser import DESKTOP, PHONE, Open
from device_scripts import ACTIVITY_TOPIC
from devices import TOPIC, add_device
from server import Mynah
from test_page_views import HOSTILE_TEXTS, open_device, phone
from views import pale_texts, parts_beyond_screen


def start(mynah: Mynah, device: dict[str, Any], **further: Any) -> str:
    """Starts an activity as its app does; its id."""
    body = {"topic": ACTIVITY_TOPIC, "attributesType": "GameAttributes", "contentState": {"score": "0:0"}} | further
    activity: dict[str, Any] = mynah.control.post(f"/v1/devices/{device['id']}/activities", body)
    return str(activity["id"])


def test_an_activity_is_on_the_lock_screen_and_in_the_island_until_it_is_dismissed(
    mynah: Mynah, open_page: Open
) -> None:
    device = add_device(mynah, registrations=[{"topic": TOPIC, "appName": "Chirp"}])
    tab = open_device(open_page, mynah, device)
    activities = phone(tab.page).get_by_role("list", name="Live Activities")
    expect(activities).to_have_count(0)
    activity = start(mynah, device)
    card = activities.get_by_role("listitem").first
    for text in ("Chirp", "GameAttributes", "score", "0:0"):
        expect(card).to_contain_text(text)
    island = tab.page.locator(".v-island")
    expect(island).to_have_text("C0:0")
    path = f"/v1/devices/{device['id']}/activities/{activity}"
    mynah.control.ask("PATCH", path, body={"contentState": {"score": "1:0"}})
    expect(island).to_have_text("C1:0")
    expect(card.get_by_text("1 earlier")).to_be_visible()
    mynah.control.ask("PATCH", path, body={"state": "ended"})
    expect(card).to_contain_text("Ended")
    expect(island).to_have_text("")
    card.hover()
    card.get_by_role("button", name="Dismiss").click()
    expect(activities).to_have_count(0)
    assert mynah.control.get(path)["state"] == "dismissed"


def test_the_most_relevant_activity_is_first_and_a_locked_phone_has_no_island(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    start(mynah, device, contentState={"rank": "low"}, relevanceScore=1)
    start(mynah, device, contentState={"rank": "high"}, relevanceScore=2)
    tab = open_device(open_page, mynah, device)
    cards = phone(tab.page).get_by_role("list", name="Live Activities").locator(".v-activity")
    expect(cards.first).to_contain_text("high")
    expect(cards.nth(1)).to_contain_text("low")
    expect(tab.page.locator(".v-island")).to_contain_text("high")
    tab.page.get_by_label("Locked", exact=True).first.check()
    expect(tab.page.locator(".v-island")).to_have_text("")
    expect(cards).to_have_count(2)


def test_live_activities_are_turned_off_and_on_again(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    start(mynah, device)
    tab = open_device(open_page, mynah, device)
    activities = phone(tab.page).get_by_role("list", name="Live Activities").get_by_role("listitem")
    expect(activities).to_have_count(1)
    tab.page.get_by_text("Permissions: all").click()
    for label in ("Live Activities", "Frequent updates"):
        tab.page.get_by_role("switch", name=label).uncheck()
    expect(tab.page.get_by_text("Permissions: no live activities, frequent updates")).to_be_visible()
    [app] = mynah.control.get(f"/v1/devices/{device['id']}/registrations")["items"]
    assert (app["permissions"]["liveActivities"], app["permissions"]["frequentPushes"]) == (False, False)
    expect(activities).to_have_count(0)
    tab.page.get_by_role("switch", name="Live Activities").check()
    expect(tab.page.get_by_text("Permissions: no frequent updates")).to_be_visible()
    start(mynah, device)
    expect(activities).to_have_count(1)


def test_a_push_to_an_activity_shows_what_it_became(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    path = f"/v1/devices/{device['id']}/activities/{start(mynah, device)}"
    aps = {"event": "update", "timestamp": 1, "content-state": {"score": "1:0"}}
    push = mynah.control.post(
        "/v1/notifications",
        {"token": mynah.control.get(path)["token"], "topic": ACTIVITY_TOPIC, "payload": {"aps": aps}},
    )
    tab = open_page(mynah, f"#/pushes/{push['sequence']}")
    card = tab.page.get_by_role("region", name="On the device")
    for text in ("GameAttributes", "score", "1:0", "update, now active"):
        expect(card).to_contain_text(text)
    assert parts_beyond_screen(tab) == []
    assert pale_texts(tab) == []


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_content_is_text(mynah: Mynah, open_page: Open, text: str) -> None:
    device = add_device(mynah)
    start(mynah, device, attributesType=text[:200], contentState={text: text, "nested": {"a": [text]}})
    tab = open_device(open_page, mynah, device)
    card = phone(tab.page).locator(".v-activity")
    expect(card.locator("dt").first).to_have_text(text)
    expect(card.locator("dd").first).to_have_text(text)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_activities_fit_the_screen_and_can_be_read(mynah: Mynah, open_page: Open, size: dict[str, int]) -> None:
    device = add_device(mynah)
    start(mynah, device, contentState={f"member{number}": "long text " * 20 for number in range(8)})
    for number in range(3):
        start(mynah, device, contentState={"score": number})
    tab = open_device(open_page, mynah, device, viewport=size)
    expect(phone(tab.page).locator(".v-activity")).to_have_count(4)
    assert parts_beyond_screen(tab) == []
    assert pale_texts(tab) == []
