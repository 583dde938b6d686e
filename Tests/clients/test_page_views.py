"""The page's view of devices: their lock screen, their apps, what one does to them, and what the server then knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from browser import DESKTOP, PHONE, Open, Tab
from devices import TOPIC, add_device, token_of, unique_id
from pushes import alert, push
from server import Mynah
from views import pale_texts, parts_beyond_screen

OTHER_TOPIC = "com.example.other"
CATEGORY = {
    "id": "MESSAGE",
    "customDismiss": True,
    "actions": [
        {"id": "REPLY", "title": "Reply", "textInput": True},
        {"id": "READ", "title": "Mark as read"},
        {"id": "DELETE", "title": "Delete", "destructive": True},
    ],
}
HOSTILE_TEXTS = [
    "<img src=x onerror=\"document.title='taken'\">",
    "<script>document.title='taken'</script>",
    "</span></button><style>*{display:none}</style>",
    "javascript:alert(1) &lt;b&gt; &amp; \u202etxet end",
    "{{constructor.constructor('return 1')()}} ${7*7}",
]


def device_of(mynah: Mynah, device: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = mynah.control.get(f"/v1/devices/{device['id']}")
    return found


def responses_of(mynah: Mynah, device: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = mynah.control.get(f"/v1/devices/{device['id']}/screen")["responses"]
    return found


def open_device(open_page: Open, mynah: Mynah, device: dict[str, Any], **options: Any) -> Tab:
    tab = open_page(mynah, f"#/devices/{device['id']}", **options)
    expect(tab.page.get_by_role("heading", level=2, name=device["name"], exact=True)).to_be_visible()
    return tab


def phone(page: Page) -> Locator:
    return page.get_by_role("region", name="lock screen")


def card(page: Page, text: str) -> Locator:
    """The button that is a notification's face."""
    return phone(page).get_by_role("button").filter(has_text=text)


def is_change(response: Response) -> bool:
    """Whether the page changed something, and has its answer."""
    return response.request.method == "PATCH" and response.ok


def with_actions(mynah: Mynah) -> dict[str, Any]:
    return add_device(mynah, registrations=[{"topic": TOPIC, "appName": "Chirp", "categories": [CATEGORY]}])


def message(title: str, **further: Any) -> bytes:
    return json.dumps({"aps": {"alert": {"title": title}, "category": "MESSAGE"} | further}).encode()


def test_what_was_stored_is_on_the_lock_screen_once_the_device_is_online(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.page.get_by_label("Offline", exact=True).check()
    expect(phone(tab.page)).to_contain_text("No Service")
    push(mynah, token_of(device), alert("Waited for you", "since noon"))
    expect(tab.page.get_by_text("1 stored")).to_be_visible()
    expect(card(tab.page, "Waited for you")).to_have_count(0)
    tab.page.get_by_label("Online", exact=True).check()
    expect(card(tab.page, "Waited for you")).to_contain_text("since noon")
    expect(tab.page.get_by_text("1 stored")).to_have_count(0)
    assert device_of(mynah, device)["online"] is True


def test_a_push_appears_while_one_watches(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    expect(phone(tab.page)).to_contain_text("No notifications")
    push(mynah, token_of(device), b'{"aps":{"alert":"Plain words","badge":7}}')
    expect(card(tab.page, "Plain words")).to_contain_text("App")
    expect(card(tab.page, "Plain words")).to_contain_text("now")
    expect(card(tab.page, "Plain words").locator("strong")).to_have_count(0)
    # On the app's icon, not on the lock screen.
    expect(tab.page.get_by_role("img", name="App, badge 7")).to_have_count(1)
    expect(phone(tab.page).get_by_role("img", name="App, badge 7")).to_have_count(0)


def test_an_action_reaches_the_app(mynah: Mynah, open_page: Open) -> None:
    device = with_actions(mynah)
    sequence = push(mynah, token_of(device), message("Lunch?"))
    tab = open_device(open_page, mynah, device)
    card(tab.page, "Lunch?").click()
    phone(tab.page).get_by_role("button", name="Mark as read").click()
    expect(card(tab.page, "Lunch?")).to_have_count(0)
    (response,) = responses_of(mynah, device)
    assert (response["sequence"], response["action"], response["text"]) == (sequence, "READ", None)
    expect(tab.page.get_by_role("listitem").filter(has_text="READ")).to_be_visible()


def test_a_reply_is_typed_on_the_lock_screen(mynah: Mynah, open_page: Open) -> None:
    device = with_actions(mynah)
    push(mynah, token_of(device), message("Lunch?"))
    tab = open_device(open_page, mynah, device)
    card(tab.page, "Lunch?").click()
    phone(tab.page).get_by_role("button", name="Reply…").click()
    tab.page.keyboard.type("At one, ")
    # What is being typed stays while other notifications come.
    push(mynah, token_of(device), message("Or dinner?", **{"thread-id": "dinner"}))
    expect(card(tab.page, "Or dinner?")).to_be_visible()
    tab.page.keyboard.type("<b>downstairs</b>")
    phone(tab.page).get_by_role("button", name="Send Reply").click()
    expect(card(tab.page, "Lunch?")).to_have_count(0)
    (response,) = responses_of(mynah, device)
    assert (response["action"], response["text"]) == ("REPLY", "At one, <b>downstairs</b>")


@pytest.mark.parametrize(
    ("press", "action"),
    [
        ("Open", "com.apple.UNNotificationDefaultActionIdentifier"),
        ("Clear", "com.apple.UNNotificationDismissActionIdentifier"),
    ],
)
def test_a_notification_is_opened_or_cleared(mynah: Mynah, open_page: Open, press: str, action: str) -> None:
    device = with_actions(mynah)
    push(mynah, token_of(device), message("Lunch?"))
    tab = open_device(open_page, mynah, device)
    card(tab.page, "Lunch?").click()
    phone(tab.page).get_by_role("button", name=press, exact=True).last.click()
    expect(card(tab.page, "Lunch?")).to_have_count(0)
    assert [response["action"] for response in responses_of(mynah, device)] == [action]


def test_the_keyboard_alone_opens_and_clears(mynah: Mynah, open_page: Open) -> None:
    device = with_actions(mynah)
    push(mynah, token_of(device), message("Lunch?"))
    tab = open_device(open_page, mynah, device)
    card(tab.page, "Lunch?").focus()
    tab.page.keyboard.press("Enter")
    expect(card(tab.page, "Lunch?")).to_have_attribute("aria-expanded", "true")
    tab.page.keyboard.press("Delete")
    expect(card(tab.page, "Lunch?")).to_have_count(0)
    assert len(responses_of(mynah, device)) == 1


def test_a_thread_lies_in_a_stack_until_it_is_opened(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    for title in ("first", "second", "third"):
        push(mynah, token_of(device), json.dumps({"aps": {"alert": {"title": title}, "thread-id": "ana"}}).encode())
    push(mynah, token_of(device), alert("by itself"))
    tab = open_device(open_page, mynah, device)
    expect(card(tab.page, "third")).to_contain_text("2 more")
    expect(card(tab.page, "first")).to_have_count(0)
    card(tab.page, "third").click()
    expect(card(tab.page, "first")).to_be_visible()
    expect(phone(tab.page).locator("strong")).to_have_text(["by itself", "third", "second", "first"])
    phone(tab.page).get_by_role("button", name="Clear all").click()
    expect(card(tab.page, "first")).to_have_count(0)
    expect(card(tab.page, "by itself")).to_be_visible()


@pytest.mark.parametrize(("level", "word"), [("time-sensitive", "Time Sensitive"), ("critical", "Critical")])
def test_the_interruption_level_is_shown(mynah: Mynah, open_page: Open, level: str, word: str) -> None:
    device = add_device(mynah, registrations=[{"topic": TOPIC, "permissions": {"critical": True}}])
    body = {"aps": {"alert": {"title": "Look"}, "interruption-level": level}}
    push(mynah, token_of(device), json.dumps(body).encode())
    tab = open_device(open_page, mynah, device)
    expect(card(tab.page, "Look").get_by_text(word)).to_be_visible()


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_text_is_text(mynah: Mynah, open_page: Open, text: str) -> None:
    category = CATEGORY | {"actions": [{"id": "A", "title": text}]}
    registration = {"topic": TOPIC, "appName": text, "categories": [category]}
    device = add_device(mynah, name=text, focus=text, registrations=[registration])
    body = {"aps": {"alert": {"title": text, "subtitle": text, "body": text}, "category": "MESSAGE"}, "more": text}
    # A Focus lets a time-sensitive one through.
    body["aps"]["interruption-level"] = "time-sensitive"
    push(mynah, token_of(device), json.dumps(body).encode())
    tab = open_page(mynah, f"#/devices/{device['id']}")
    face = phone(tab.page).locator(".v-note-face")
    expect(face).to_be_visible()
    face.click()
    for part in (".v-note-subtitle", ".v-note-body", ".v-note-app"):
        assert face.locator(part).text_content() == text
    expect(tab.page.get_by_role("button", name=text, exact=True)).to_have_count(1)
    assert tab.page.title() == "Devices · Mynah"
    assert tab.page.locator("main").locator("img, script, style, iframe").count() == 0
    assert tab.page.evaluate("document.querySelectorAll('main [onerror], main [style]').length") == 0


def test_badges_are_set_and_notifications_cleared_by_hand(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    push(mynah, token_of(device), b'{"aps":{"alert":"One","badge":4}}')
    tab = open_device(open_page, mynah, device)
    badge = tab.page.get_by_label("Badge", exact=True)
    expect(badge).to_have_value("4")
    badge.fill("2")
    badge.press("Tab")
    expect(tab.page.get_by_role("img", name="App, badge 2")).to_be_visible()
    badge.fill("")
    badge.press("Tab")
    expect(tab.page.get_by_role("img", name="App, badge 2")).to_have_count(0)
    tab.page.get_by_role("button", name="Clear notifications").click()
    expect(card(tab.page, "One")).to_have_count(0)
    push(mynah, token_of(device), b'{"aps":{"alert":"Two"}}')
    expect(card(tab.page, "Two")).to_be_visible()
    tab.page.get_by_role("button", name="Clear the screen").click()
    expect(card(tab.page, "Two")).to_have_count(0)
    assert responses_of(mynah, device) == []


def test_a_locked_and_muted_device_hides_previews(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.page.get_by_text("Permissions: all").click()
    tab.page.get_by_label("Previews", exact=True).select_option("whenUnlocked")
    tab.page.get_by_label("Silent", exact=True).check()
    expect(phone(tab.page)).to_contain_text("Silent")
    tab.page.get_by_label("Locked", exact=True).first.check()
    push(mynah, token_of(device), alert("Bank", "1234"))
    expect(card(tab.page, "Notification")).to_be_visible()
    expect(card(tab.page, "1234")).to_have_count(0)
    expect(phone(tab.page)).to_have_attribute("data-locked", "true")
    tab.page.get_by_label("Unlocked", exact=True).check()
    expect(card(tab.page, "1234")).to_be_visible()
    expect(phone(tab.page)).to_have_attribute("data-locked", "false")
    found = device_of(mynah, device)
    assert found["muted"] is True and found["registrations"][0]["permissions"]["showPreviews"] == "whenUnlocked"


def test_the_title_of_the_action_button_opens_the_app(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah, registrations=[{"topic": TOPIC, "strings": {"en": '"PLAY" = "Play";'}}])
    push(mynah, token_of(device), b'{"aps":{"alert":{"body":"Poker?","action-loc-key":"PLAY"}}}')
    tab = open_device(open_page, mynah, device)
    card(tab.page, "Poker?").click()
    phone(tab.page).get_by_role("button", name="Play", exact=True).click()
    expect(card(tab.page, "Poker?")).to_have_count(0)
    (response,) = responses_of(mynah, device)
    assert response["action"] == "com.apple.UNNotificationDefaultActionIdentifier"


def test_an_app_that_may_not_alert_shows_nothing(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.page.get_by_text("Permissions: all").click()
    tab.page.get_by_role("switch", name="Alerts").uncheck()
    expect(tab.page.get_by_text("Permissions: no alerts")).to_be_visible()
    permissions = device_of(mynah, device)["registrations"][0]["permissions"]
    assert permissions["alert"] is False and permissions["badge"] is True
    push(mynah, token_of(device), alert("Unseen"))
    expect(tab.page.get_by_role("listitem").filter(has_text="Unseen")).to_be_visible()
    expect(card(tab.page, "Unseen")).to_have_count(0)


def test_power_focus_and_the_apps_state_are_set(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    with tab.page.expect_response(is_change):
        tab.page.get_by_label("Asleep", exact=True).check()
    tab.page.get_by_label("Focus", exact=True).fill("Work")
    with tab.page.expect_response(is_change):
        tab.page.keyboard.press("Enter")
    with tab.page.expect_response(is_change):
        tab.page.get_by_label("Runs").select_option("in the background")
    expect(phone(tab.page).get_by_text("Work")).to_be_visible()
    changed = device_of(mynah, device)
    assert (changed["power"], changed["focus"]) == ("asleep", "Work")
    assert changed["registrations"][0]["appState"] == "background"
    tab.page.get_by_label("Focus", exact=True).fill("")
    tab.page.keyboard.press("Enter")
    expect(phone(tab.page).get_by_text("Work")).to_have_count(0)
    assert device_of(mynah, device)["focus"] is None


def test_the_preferred_languages_are_set(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.page.get_by_text("Name, language, system").click()
    languages = tab.page.get_by_label("Preferred languages")
    tab.expected_errors.append("400")
    languages.fill("zh-Hant, en_GB")
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_text('did you mean "en-GB"?')).to_be_visible()
    languages.fill("zh-Hant, en-GB")
    with tab.page.expect_response(is_change):
        tab.page.keyboard.press("Enter")
    assert device_of(mynah, device)["languages"] == ["zh-Hant", "en-GB"]


def test_the_scheduled_summary_is_set(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.page.get_by_text("Name, language, system").click()
    times, apps = tab.page.get_by_label("Scheduled summary"), tab.page.get_by_label("Apps in the summary")
    tab.expected_errors.append("400")
    times.fill("25:00")
    apps.fill(TOPIC)
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_text("a time of the day, such as 08:00").first).to_be_visible()
    times.fill("18:00, 08:00")
    with tab.page.expect_response(is_change):
        tab.page.keyboard.press("Enter")
    assert device_of(mynah, device)["summary"] == {"times": ["08:00", "18:00"], "apps": [TOPIC]}
    expect(tab.page.get_by_text("summary 08:00, 18:00 UTC")).to_be_visible()
    times.fill("")
    apps.fill("")
    with tab.page.expect_response(is_change):
        tab.page.keyboard.press("Enter")
    assert device_of(mynah, device)["summary"] is None


def test_whom_a_focus_lets_through_is_set_and_stays_when_it_is_renamed(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.page.get_by_text("Name, language, system").click()
    people = tab.page.get_by_label("People through the Focus")
    expect(people).to_be_hidden()
    name = tab.page.get_by_label("Focus", exact=True)
    name.fill("Work")
    tab.page.keyboard.press("Enter")
    expect(people).to_be_visible()
    people.fill("Kim Lee, Sam")
    tab.page.get_by_label("Apps through the Focus").fill(TOPIC)
    with tab.page.expect_response(is_change):
        tab.page.keyboard.press("Enter")
    allowed = {"apps": [TOPIC], "people": ["Kim Lee", "Sam"]}
    assert device_of(mynah, device)["focus"] == {"name": "Work", **allowed}
    # The page knows its change only some time after the answer.
    tab.page.reload()
    expect(people).to_have_value("Kim Lee, Sam")
    name.fill("Sleep")
    with tab.page.expect_response(is_change):
        tab.page.keyboard.press("Enter")
    assert device_of(mynah, device)["focus"] == {"name": "Sleep", **allowed}


def test_an_app_gets_a_new_token_and_is_uninstalled(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.page.get_by_text("Token and removal").click()
    tab.page.get_by_role("button", name="Reinstall", exact=True).click()
    expect(tab.page.get_by_text("1 former token")).to_be_visible()
    newest = [app for app in device_of(mynah, device)["registrations"] if app["state"] == "active"]
    assert newest[0]["token"] != token_of(device)
    expect(tab.page.locator(f"[data-token='{newest[0]['token']}']")).to_be_visible()
    tab.page.get_by_text("Token and removal").click()
    tab.page.get_by_role("button", name="Uninstall").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Uninstall").click()
    expect(tab.page.get_by_role("heading", name="No apps")).to_be_visible()
    assert {app["state"] for app in device_of(mynah, device)["registrations"]} == {"unregistered"}


def test_what_is_wrong_in_an_apps_json_is_marked_at_its_line(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.expected_errors += ["status of 400"]
    tab.page.get_by_text("Categories, sounds, strings").click()
    editor = tab.page.get_by_label("App settings")
    editor.fill('{\n  "sounds": [],\n  "categories": [\n    {"id": 7}\n  ]\n}')
    tab.page.get_by_role("button", name="Save").first.click()
    expect(tab.page.get_by_role("alert").filter(has_text="Line 4")).to_be_visible()
    editor.fill('{\n  "sounds": [],\n  oops')
    tab.page.get_by_role("button", name="Save").first.click()
    expect(tab.page.get_by_role("alert").filter(has_text="invalid JSON")).to_contain_text("Line 3")
    editor.fill('{"appName": "Chirp"}')
    tab.page.get_by_role("button", name="Save").first.click()
    expect(tab.page.locator(".v-app-title")).to_contain_text("Chirp")
    assert device_of(mynah, device)["registrations"][0]["appName"] == "Chirp"


def test_a_device_is_added_and_removed(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, "#/devices")
    tab.expected_errors += ["status of 400", "status of 404"]
    tab.page.get_by_role("link", name="Add device").click()
    name = unique_id("by-hand")
    tab.page.get_by_label("ID", exact=True).fill("not an id")
    tab.page.get_by_label("App", exact=True).fill(TOPIC)
    tab.page.get_by_role("button", name="Add device").click()
    expect(tab.page.get_by_label("ID", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(tab.page.get_by_text('"not an id" is not valid: expected a device id')).to_be_visible()
    tab.page.get_by_label("ID", exact=True).fill(name)
    tab.page.get_by_role("switch").check()
    tab.page.get_by_role("button", name="Add device").click()
    expect(tab.page.get_by_role("heading", level=2, name=name)).to_be_visible()
    made = mynah.control.get(f"/v1/devices/{name}")
    assert made["registrations"][0]["categories"][0]["id"] == "MESSAGE"
    tab.page.get_by_role("button", name="Remove").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(tab.page).to_have_url(f"{mynah.control_url}/#/devices")
    assert mynah.control.ask("GET", f"/v1/devices/{name}").status == 404


def test_a_second_app_is_installed(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah)
    tab = open_device(open_page, mynah, device)
    tab.page.get_by_text("Install an app").click()
    tab.page.get_by_label("Topic").fill(OTHER_TOPIC)
    tab.page.get_by_role("button", name="Install").click()
    expect(tab.page.locator(".v-app")).to_have_count(2)
    assert {app["topic"] for app in device_of(mynah, device)["registrations"]} == {TOPIC, OTHER_TOPIC}


def test_a_device_is_found_by_its_token(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah, name=unique_id("Zoe"))
    other = add_device(mynah, name=unique_id("Max"))
    tab = open_page(mynah, "#/devices")
    tab.page.get_by_role("searchbox", name="Search devices").fill(token_of(device))
    row = tab.page.get_by_role("list", name="Devices").get_by_role("link")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(device["name"])
    tab.page.get_by_role("searchbox", name="Search devices").fill(other["id"])
    expect(row).to_contain_text(other["name"])
    tab.page.get_by_role("searchbox", name="Search devices").fill(unique_id("nobody"))
    expect(tab.page.get_by_text("No device's ID")).to_be_visible()


def test_a_device_that_is_not_there_is_named(mynah: Mynah, open_page: Open) -> None:
    name = unique_id("gone")
    tab = open_page(mynah, None)
    tab.expected_errors += ["status of 404"]
    tab.goto(f"#/devices/{name}")
    expect(tab.page.get_by_role("heading", name=f"No device {name}")).to_be_visible()
    add_device(mynah, id=name)
    expect(phone(tab.page)).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_devices_fit_the_screen_and_are_named(
    mynah: Mynah, open_page: Open, viewport: dict[str, int], scheme: str
) -> None:
    device = add_device(mynah, name="W" * 80, registrations=[{"topic": f"com.example.{'w' * 120}"}])
    topic = device["registrations"][0]["topic"]
    push(mynah, token_of(device, topic), alert("W" * 300, "unbroken" * 200), topic=topic)
    tab = open_device(open_page, mynah, device, viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    expect(card(tab.page, "unbroken")).to_be_visible()
    assert tab.width_beyond_screen() == 0
    assert tab.nameless_controls() == []
    assert pale_texts(tab) == []
    assert parts_beyond_screen(tab) == []


def test_escape_folds_the_actions_away(mynah: Mynah, open_page: Open) -> None:
    device = with_actions(mynah)
    push(mynah, token_of(device), message("Lunch?"))
    tab = open_device(open_page, mynah, device)
    card(tab.page, "Lunch?").click()
    phone(tab.page).get_by_role("button", name="Mark as read").focus()
    tab.page.keyboard.press("Escape")
    expect(phone(tab.page).get_by_role("button", name="Mark as read")).to_have_count(0)
    expect(card(tab.page, "Lunch?")).to_be_focused()
    assert responses_of(mynah, device) == []


def test_the_list_follows_what_happens_to_devices(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    tab = open_page(mynah, "#/devices")
    device = add_device(mynah, id="new", name="New")
    row = tab.page.get_by_role("list", name="Devices").get_by_role("link").filter(has_text=device["name"])
    expect(row.get_by_role("img", name="online")).to_be_visible()
    assert mynah.control.ask("PATCH", f"/v1/devices/{device['id']}", body={"online": False}).status == 200
    expect(row.get_by_role("img", name="offline")).to_be_visible()
    push(mynah, token_of(device), alert("Later"))
    expect(row).to_contain_text("1 waiting")
    assert mynah.control.ask("DELETE", f"/v1/devices/{device['id']}").status == 200
    expect(row).to_have_count(0)
