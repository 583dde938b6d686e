"""The page's lists: devices by their last push, fleets, the keys that move in lists, downloads, the API's operations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import NARROW, PHONE, Open, Tab
from commandline import Command
from conftest import unique_token
from devices import TOPIC, add_device, token_of, unique_id
from h2client import connect
from pushes import alert, push
from server import Mynah
from test_failed_handshakes import fail_in_plaintext
from views import pale_texts, parts_beyond_screen


def device_rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Devices").locator("> li")


def saved(tab: Tab, button: str, folder: Path) -> Path:
    """Presses a button that saves a file; the file."""
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name=button).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


# Devices


def test_devices_are_sorted_by_their_last_push_and_fleets_folded(
    own_mynah: Callable[..., Mynah], open_page: Open
) -> None:
    mynah = own_mynah()
    mynah.control.post("/v1/devices", {"id": "fleet", "count": 250, "registrations": [{"topic": TOPIC}]})
    kim, lee = add_device(mynah, id="kim"), add_device(mynah, id="lee")
    for token in (unique_token(), unique_token()):
        push(mynah, token, alert("To a token alone"))
    push(mynah, token_of(kim), alert("First"))
    push(mynah, token_of(lee), alert("Second"))
    tab = open_page(mynah, "#/devices")
    rows = device_rows(tab.page)
    expect(rows).to_have_count(5)
    names = [text.splitlines()[0] for text in rows.all_inner_texts()]
    assert names[:3] == ["lee", "kim", "fleet"]
    expect(rows.nth(2)).to_contain_text("fleet of 250 devices")
    expect(tab.page.locator("h1")).to_contain_text("254")
    push(mynah, token_of(kim), alert("Third"))
    expect(rows.first).to_contain_text("kim")
    rows.nth(2).get_by_role("button").click()
    expect(tab.page.get_by_role("link", name="fleet-00001")).to_be_visible()
    expect(rows).to_have_count(100)
    tab.page.get_by_role("button", name="Load more").click()
    expect(tab.page.get_by_role("button", name="Load more")).to_be_visible()
    expect(rows).to_have_count(200)


def test_the_latest_of_thousands_of_devices_comes_first(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    tokens = [f"{number:064x}" for number in range(2200)]
    with connect(mynah) as connection:
        for token in tokens:
            connection.push(token).assert_accepted()
    tab = open_page(mynah, "#/devices")
    rows = device_rows(tab.page)
    expect(tab.page.locator("h1")).to_contain_text("2,200")
    expect(rows).to_have_count(100)
    assert [row.splitlines()[0] for row in rows.all_inner_texts()] == tokens[:-101:-1]
    push(mynah, tokens[7], alert("Once more"))
    expect(rows.first).to_contain_text(tokens[7])


def test_a_fleet_hides_no_other_device(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    kim = add_device(mynah, id="kim")
    pair = mynah.control.post("/v1/devices", {"id": "pair", "count": 2, "registrations": [{"topic": TOPIC}]})
    fleet = mynah.control.post("/v1/devices", {"id": "fleet", "count": 120, "registrations": [{"topic": TOPIC}]})
    push(mynah, token_of(kim), alert("First"))
    push(mynah, token_of(pair["items"][1]), alert("Second"))
    with connect(mynah) as connection:
        for device in fleet["items"]:
            connection.push(token_of(device), topic=TOPIC).assert_accepted()
    tab = open_page(mynah, "#/devices")
    rows = device_rows(tab.page)
    expect(rows).to_have_count(4)
    names = [text.splitlines()[0] for text in rows.all_inner_texts()]
    # Two devices are no fleet worth a row of its own.
    assert names == ["fleet", "pair-00002", "kim", "pair-00001"]
    rows.first.get_by_role("button").click()
    expect(rows.nth(1)).to_contain_text("fleet-00120")


def test_the_chosen_device_is_always_in_the_list(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    mynah.control.post("/v1/devices", {"id": "fleet", "count": 450, "registrations": [{"topic": TOPIC}]})
    tab = open_page(mynah, "#/devices/fleet-00333")
    chosen = device_rows(tab.page).locator("a[aria-current=page]")
    expect(chosen).to_contain_text("fleet-00333")
    tab.goto("#/devices/fleet-00002")
    expect(chosen).to_contain_text("fleet-00002")
    assert chosen.evaluate("(link) => link.getBoundingClientRect().bottom <= innerHeight")


@pytest.mark.parametrize(
    ("platform", "name"),
    [("iOS", "lock screen"), ("iPadOS", "lock screen"), ("watchOS", "Notification Center"),
     ("macOS", "Notification Center"), ("tvOS", "Home Screen"), ("visionOS", "lock screen")],
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_kind_of_device_has_its_frame(
    mynah: Mynah, open_page: Open, platform: str, name: str, scheme: str
) -> None:
    device = add_device(mynah, platform=platform, online=False)
    tab = open_page(mynah, f"#/devices/{device['id']}", viewport=NARROW, color_scheme=scheme, reduced_motion="reduce")
    frame = tab.page.get_by_role("region", name=name)
    expect(frame).to_be_visible()
    island = frame.locator(".v-island")
    if platform == "iOS":
        carrier, black = frame.locator(".v-carrier").bounding_box(), island.bounding_box()
        assert carrier and black and carrier["x"] + carrier["width"] <= black["x"]
    else:
        expect(island).to_be_hidden()
    assert parts_beyond_screen(tab) == []
    assert pale_texts(tab) == []


@pytest.mark.parametrize(("locale", "ago"), [("ar-AE", "قبل"), ("de-DE", "vor"), ("ko-KR", "전"), ("en-US", "ago")])
def test_times_are_in_the_language_of_the_device(
    own_mynah: Callable[..., Mynah], open_page: Open, locale: str, ago: str
) -> None:
    mynah = own_mynah()
    device = add_device(mynah, locale=locale)
    push(mynah, token_of(device), alert("مرحبا", "Hello"))
    mynah.control.post("/v1/clock/advance", {"by": "2h"})
    tab = open_page(mynah, f"#/devices/{device['id']}")
    expect(tab.page.locator(".v-note time")).to_contain_text(ago)
    # The hour and the minute alone, whichever word for AM the language has.
    assert tab.page.locator(".v-time").inner_text().replace(".", ":").count(":") == 1
    assert not any(letter.isalpha() for letter in tab.page.locator(".v-time").inner_text())
    directions = tab.page.locator(".v-note").evaluate(
        "(note) => ['strong', '.v-note-body'].map((part) => getComputedStyle(note.querySelector(part)).direction)")
    assert directions == ["rtl", "ltr"]


def test_a_push_is_summarized_alike_in_the_list_and_the_inbox(
    own_mynah: Callable[..., Mynah], open_page: Open
) -> None:
    mynah = own_mynah()
    # A push is received before it is delivered: in another second, if the clock goes on.
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    device = add_device(mynah)
    token = token_of(device)
    push(mynah, token, b'{"aps":{"content-available":1}}', push_type="background", further=[("apns-priority", "5")])
    push(mynah, token, b'{"aps":{"alert":{"title-loc-key":"GAME_TITLE","loc-key":"GAME"}}}')
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    expect(tab.page.get_by_role("option")).to_have_count(2)
    listed = [" ".join(line.inner_text().split()) for line in tab.page.locator(".row-item:visible .row-first").all()]
    times = tab.page.locator(".row-item:visible .row-time").all_inner_texts()
    tab.goto(f"#/devices/{device['id']}")
    inbox = tab.page.locator(".v-inbox").first.locator("li")
    expect(inbox).to_have_count(2)
    shown = [" ".join(line.inner_text().split()) for line in inbox.locator(".v-inbox-gist").all()]
    assert listed == shown == ["GAME_TITLE GAME", "Background update"]
    # The list shows milliseconds, the inbox doesn't.
    assert [text[:8] for text in inbox.locator("time").all_inner_texts()] == [text[:8] for text in times]


# Downloads


def test_the_journal_is_saved_as_filtered(
    own_mynah: Callable[..., Mynah], open_page: Open, tmp_path: Path
) -> None:
    mynah = own_mynah()
    chosen, other = unique_token(), unique_token()
    with connect(mynah) as connection:
        for number in range(1205):
            connection.push(chosen if number % 6 else other, json.dumps({"aps": {}, "n": number}).encode())
    tab = open_page(mynah, "#/pushes")
    lines = saved(tab, "Download the pushes", tmp_path).read_text().splitlines()
    # More than a page of the API.
    assert [json.loads(line)["payload"]["n"] for line in lines] == list(range(1205))
    tab.goto(f"#/pushes?q=token:{other}")
    expect(tab.page.locator(".feed-counts")).to_have_text("201 matches")
    lines = saved(tab, "Download the pushes", tmp_path).read_text().splitlines()
    assert len(lines) == 201 and {json.loads(line)["token"] for line in lines} == {other}


def test_the_fixtures_are_those_of_the_command(
    own_mynah: Callable[..., Mynah], open_page: Open, mynah_command: Command, tmp_path: Path
) -> None:
    mynah = own_mynah()
    kim = add_device(mynah, id="kim", online=False)
    mynah.control.post("/v1/faults", {"id": "f", "action": {"type": "stall"}})
    mynah.control.post("/v1/channels", {"bundleId": TOPIC})
    tab = open_page(mynah, "#/devices")
    path = saved(tab, "Download fixtures", tmp_path)
    exported = json.loads(mynah_command("export", "--url", mynah.control_url).stdout)
    assert json.loads(path.read_text()) == exported
    again = own_mynah("--fixtures", str(path), folder=tmp_path / "again")
    assert token_of(again.control.get("/v1/devices/kim")) == token_of(kim)


# Connections


def test_closed_connections_and_failed_handshakes_are_listed(
    own_mynah: Callable[..., Mynah], open_page: Open
) -> None:
    mynah = own_mynah()
    tab = open_page(mynah, "#/connections")
    closed = tab.page.get_by_role("region", name="Closed connections")
    failed = tab.page.get_by_role("region", name="Failed TLS handshakes")
    expect(tab.page.get_by_role("heading", name="No connections")).to_be_visible()
    expect(closed).to_be_hidden()
    expect(failed).to_be_hidden()
    for _ in range(12):
        with connect(mynah) as connection:
            connection.push(unique_token()).assert_accepted()
    fail_in_plaintext(mynah)
    expect(closed.get_by_role("heading")).to_contain_text("12")
    expect(closed.locator("tbody tr")).to_have_count(10)
    expect(closed.locator("tbody tr").first.locator("[data-label=Pushes]")).to_have_text("1")
    closed.get_by_role("button", name="Show all").click()
    expect(closed.locator("tbody tr")).to_have_count(12)
    expect(failed.locator("tbody tr")).to_contain_text("notTLS")


# Keys


@pytest.mark.parametrize(
    ("place", "item"),
    [("devices", ".v-devices a"), ("faults", ".v-rule"), ("faults/magic-tokens", "tbody tr"),
     ("connections", "tbody tr:visible"), ("connect", "tbody tr"), ("api", ".v-operation > summary")],
)
def test_keys_move_in_every_list(own_mynah: Callable[..., Mynah], open_page: Open, place: str, item: str) -> None:
    mynah = own_mynah()
    for name in ("one", "two"):
        add_device(mynah, id=name)
        mynah.control.post("/v1/faults", {"id": name, "action": {"type": "pass", "delay": "1ms"}})
        mynah.control.post("/v1/keys", {})
        mynah.control.post("/v1/channels", {"bundleId": TOPIC})
    tab = open_page(mynah, f"#/{place}")
    items = tab.page.locator(item)
    expect(items.nth(1)).to_be_visible()
    keys = tab.page.keyboard
    keys.press("j")
    expect(items.first).to_be_focused()
    keys.press("j")
    expect(items.nth(1)).to_be_focused()
    keys.press("ArrowUp")
    expect(items.first).to_be_focused()
    keys.press("ArrowDown")
    expect(items.nth(1)).to_be_focused()
    keys.press("k")
    expect(items.first).to_be_focused()
    keys.press("End")
    expect(items.last).to_be_focused()
    keys.press("Home")
    expect(items.first).to_be_focused()
    keys.press("?")
    dialog = tab.page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_contain_text("Next, previous")
    expect(dialog.locator("kbd").filter(has_text="k")).to_have_count(1)


def test_enter_opens_what_has_the_focus(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    add_device(mynah, id="kim")
    mynah.control.post("/v1/faults", {"id": "slow", "action": {"type": "pass", "delay": "1ms"}})
    tab = open_page(mynah, "#/devices")
    expect(device_rows(tab.page)).to_have_count(1)
    tab.page.keyboard.press("j")
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("heading", level=2, name="kim")).to_be_visible()
    # It keeps the focus, so that j goes on from it.
    expect(device_rows(tab.page).get_by_role("link")).to_be_focused()
    tab.goto("#/faults")
    expect(tab.page.locator(".v-rule")).to_have_count(1)
    tab.page.keyboard.press("j")
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("heading", name="Rule slow")).to_be_visible()


# The API


def test_every_operation_is_listed_by_its_tag(mynah: Mynah, open_page: Open) -> None:
    description = mynah.control.get("/openapi.json")
    methods = ("get", "post", "put", "patch", "delete")
    operations = [
        operation for path in description["paths"].values() for method, operation in path.items() if method in methods
    ]
    tab = open_page(mynah, "#/api")
    expect(tab.page.locator(".v-operation")).to_have_count(len(operations))
    for tag in {tag for operation in operations for tag in operation["tags"]}:
        count = sum(tag in operation["tags"] for operation in operations)
        expect(tab.page.get_by_role("region", name=tag, exact=True).locator(".v-operation")).to_have_count(count)
    tab.page.get_by_role("searchbox", name="Search operations").fill("closed-conn")
    expect(tab.page.locator(".v-operation:visible")).to_have_count(1)


def test_an_operation_is_tried(mynah: Mynah, open_page: Open) -> None:
    name = unique_id("by-form")
    tab = open_page(mynah, "#/api/addDevice")
    tab.expected_errors += ["status of 400", "status of 404"]
    card = tab.page.locator("[data-operation=addDevice]")
    card.get_by_label("Body").fill(json.dumps({"id": name, "platfrom": "iOS"}))
    card.get_by_role("button", name="Send POST").click()
    expect(card.get_by_role("status")).to_contain_text("400")
    card.get_by_label("Body").fill(json.dumps({"id": name, "platform": "iOS"}))
    expect(card.locator(".v-command")).to_contain_text(f'curl -s -X POST -d \'{{"id": "{name}"')
    card.get_by_role("button", name="Send POST").click()
    expect(card.get_by_role("status")).to_contain_text("201")
    expect(card.get_by_role("region", name="Answer")).to_contain_text(name)
    tab.goto("#/api/listDevices")
    card = tab.page.locator("[data-operation=listDevices]")
    card.get_by_label("filters").fill(f"device={name}\nplatform=iOS")
    card.get_by_label("limit").fill("5")
    with tab.page.expect_request("**/v1/devices?*") as asked:
        card.get_by_role("button", name="Send GET").click()
    assert asked.value.url.endswith(f"/v1/devices?device={name}&platform=iOS&limit=5")
    expect(card.get_by_role("region", name="Answer")).to_contain_text('"matched": 1')
    tab.goto("#/api/deleteDevice")
    card = tab.page.locator("[data-operation=deleteDevice]")
    card.get_by_label("id").fill(name)
    card.get_by_role("button", name="Send DELETE").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Send").click()
    expect(card.get_by_role("status")).to_contain_text("200")
    assert mynah.control.ask("GET", f"/v1/devices/{name}").status == 404


@pytest.mark.parametrize("viewport", [NARROW, PHONE], ids=lambda size: str(size["width"]))
def test_the_api_fits_a_narrow_screen(mynah: Mynah, open_page: Open, viewport: dict[str, int]) -> None:
    tab = open_page(mynah, "#/api/listNotifications", viewport=viewport)
    expect(tab.page.get_by_role("button", name="Send GET")).to_be_visible()
    assert tab.width_beyond_screen() == 0
    assert parts_beyond_screen(tab) == []
    assert tab.nameless_controls() == []
