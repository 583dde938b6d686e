"""Sending a push from the page, and sending one again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import NARROW, Open, Tab
from conftest import unique_token
from devices import TOPIC, add_device, token_of, unique_id
from pushes import push
from server import Mynah
from views import pale_texts, parts_beyond_screen

def compose(open_page: Open, mynah: Mynah, query: str = "", **options: Any) -> Tab:
    tab = open_page(mynah, f"#/pushes/+new{query}", **options)
    expect(tab.page.get_by_role("heading", level=1, name="Send")).to_be_visible()
    return tab


def result(page: Page) -> Any:
    return page.locator(".send-result")


def send(page: Page) -> dict[str, Any]:
    """Presses the button, and returns what was asked of the server."""
    with page.expect_request(lambda request: request.method == "POST") as asked:
        page.get_by_role("button", name="Send", exact=True).click()
    body: dict[str, Any] = json.loads(asked.value.post_data or "")
    return body


def test_a_push_is_sent_to_a_chosen_device(mynah: Mynah, open_page: Open) -> None:
    scope = unique_id("s")
    device = add_device(mynah, name="Kim's iPhone", scope=scope)
    tab = open_page(mynah, f"#/pushes?q=scope:{scope}")
    tab.page.get_by_role("link", name="Send a push").click()
    # Only the devices of the scope are suggested, and the first one is filled in.
    expect(tab.page.get_by_label("Device token")).to_have_value(token_of(device))
    expect(tab.page.get_by_label("Topic")).to_have_value(TOPIC)
    expect(tab.page.locator("#compose-tokens option")).to_have_count(1)
    tab.page.get_by_label("Payload", exact=True).fill('{"aps": {"alert": "Grüße"}}')
    expect(tab.page.get_by_text("29 of 4,096 bytes")).to_be_visible()
    tab.page.get_by_label("Collapse ID").fill("c1")
    tab.page.get_by_label("Priority").fill("5")
    send(tab.page)
    expect(result(tab.page)).to_contain_text("200")
    result(tab.page).get_by_role("link").click()
    expect(tab.page.get_by_role("heading", level=1, name="Grüße")).to_be_visible()
    (sent,) = mynah.control.get(f"/v1/notifications?scope={scope}")["items"]
    assert (sent["collapseId"], sent["priority"], sent["pushType"]) == ("c1", 5, "alert")
    assert sent["payloadSize"] == 29 and sent["credential"]["keyId"] == mynah.key_id
    assert sent["outcome"] == "delivered"


def test_an_app_and_an_empty_journal_lead_to_the_form(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    device = add_device(mynah, environment="production", registrations=[{"topic": "com.example.chat"}])
    tab = open_page(mynah, "#/pushes")
    tab.page.get_by_role("link", name="Send one from this page").click()
    expect(tab.page.get_by_role("region", name="Send a push")).to_be_visible()
    tab.goto(f"#/devices/{device['id']}")
    tab.page.get_by_role("link", name="Send a push").click()
    expect(tab.page.get_by_label("Topic")).to_have_value("com.example.chat")
    send(tab.page)
    expect(result(tab.page)).to_contain_text("200")
    (sent,) = mynah.control.get("/v1/notifications")["items"]
    assert (sent["token"], sent["environment"]) == (token_of(device, "com.example.chat"), "production")


def test_a_refusal_is_shown_with_its_reason(mynah: Mynah, open_page: Open) -> None:
    tab = compose(open_page, mynah, f"?token={unique_token()}&topic={TOPIC}")
    tab.page.get_by_label("Priority").fill("7")
    send(tab.page)
    expect(result(tab.page)).to_contain_text("400")
    expect(result(tab.page)).to_contain_text("BadPriority")
    expect(result(tab.page).get_by_role("link")).to_have_text(re.compile(r"^Push \d+$"))


def test_a_push_without_an_answer_says_why(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    mynah.control.post("/v1/faults", {"action": {"type": "resetStream", "code": "REFUSED_STREAM"}})
    tab = compose(open_page, mynah)
    # Without devices there is a token to begin with.
    expect(tab.page.get_by_label("Device token")).to_have_value(re.compile("^[0-9a-f]{64}$"))
    send(tab.page)
    expect(result(tab.page)).to_contain_text("no answer")
    expect(result(tab.page)).to_contain_text("REFUSED_STREAM")


def test_the_payload_is_checked_as_it_is_typed(mynah: Mynah, open_page: Open) -> None:
    token = unique_token()
    tab = compose(open_page, mynah, f"?token={token}&topic={TOPIC}")
    payload = tab.page.get_by_label("Payload", exact=True)
    note = tab.page.locator(".compose [role=status].tabular")
    payload.fill('{\n  "aps": oops}')
    expect(note).to_contain_text("line 2: invalid JSON")
    payload.fill("")
    expect(note).to_have_text("0 of 4,096 bytes; no payload")
    payload.fill('{"aps": "%s"}' % ("x" * 4096))
    expect(note).to_have_class(re.compile("field-error"))
    tab.page.get_by_label("Push type").select_option("voip")
    expect(note).to_have_class(re.compile("field-hint"))
    expect(note).to_contain_text("of 5,120 bytes")
    # What is wrong can be sent as well: its refusal is what is tried.
    tab.page.get_by_label("Push type").select_option("alert")
    send(tab.page)
    expect(result(tab.page)).to_contain_text("PayloadTooLarge")


def test_the_push_type_follows_the_topic_until_it_is_chosen(mynah: Mynah, open_page: Open) -> None:
    topics = {
        f"{TOPIC}{suffix}": kind
        for kind, suffix in {
            "voip": ".voip", "complication": ".complication", "fileprovider": ".pushkit.fileprovider",
            "liveactivity": ".push-type.liveactivity", "location": ".location-query", "pushtotalk": ".voip-ptt",
            "widgets": ".push-type.widgets", "controls": ".push-type.controls",
        }.items()
    } | {TOPIC: "alert", "com.apple.mgmt.External.x": "mdm", "pass.com.example": "", "web.com.example": "alert"}
    device = add_device(mynah, registrations=[{"topic": f"{TOPIC}.voip"}])
    tab = open_page(mynah, f"#/devices/{device['id']}")
    tab.page.get_by_role("link", name="Send a push").click()
    chosen = tab.page.get_by_label("Push type")
    expect(chosen).to_have_value("voip")
    send(tab.page)
    expect(result(tab.page)).to_contain_text("200")
    for topic, kind in topics.items():
        tab.page.get_by_label("Topic").fill(topic)
        expect(chosen).to_have_value(kind)
    chosen.select_option("background")
    tab.page.get_by_label("Topic").fill(f"{TOPIC}.voip")
    expect(chosen).to_have_value("background")


def test_a_wrong_value_is_marked_at_its_field(mynah: Mynah, open_page: Open) -> None:
    tab = compose(open_page, mynah, f"?token={unique_token()}&topic={TOPIC}")
    tab.expected_errors.append("400")
    tab.page.get_by_label("Topic").fill("com.exämple")
    send(tab.page)
    expect(tab.page.get_by_label("Topic")).to_have_attribute("aria-invalid", "true")
    expect(tab.page.get_by_text("printable ASCII")).to_be_visible()
    tab.page.get_by_label("Topic").fill(TOPIC)
    tab.page.get_by_label("Topic").press("Control+Enter")
    expect(result(tab.page)).to_contain_text("200")


@pytest.mark.parametrize("body", [b'{"aps":{"alert":"Ol\xc3\xa9"},"n":1.0}', b"\x00\xff{", b"no JSON"])
def test_a_push_is_sent_again_as_it_was(mynah: Mynah, open_page: Open, body: bytes) -> None:
    token = unique_token()
    push(mynah, token, body, further=[("apns-collapse-id", "c"), ("apns-priority", "5"), ("apns-expiration", "0")])
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    tab.page.get_by_role("option").first.click()
    tab.page.get_by_role("link", name="Send again").click()
    expect(tab.page.get_by_role("heading", level=1, name="again")).to_be_visible()
    expect(tab.page.get_by_label("Collapse ID")).to_have_value("c")
    send(tab.page)
    expect(result(tab.page).get_by_role("link")).to_be_visible()
    first, second = mynah.control.get(f"/v1/notifications?token={token}")["items"]
    for name in ("topic", "pushType", "priority", "expiration", "collapseId", "payload", "payloadSize", "environment"):
        assert first[name] == second[name], name
    assert first.get("payloadBase64") == second.get("payloadBase64")
    assert first["apnsId"] != second["apnsId"]


def test_a_broadcast_is_sent_again(mynah: Mynah, open_page: Open) -> None:
    channel = mynah.control.post("/v1/channels", {"bundleId": TOPIC})["id"]
    sent = mynah.control.post(
        "/v1/notifications",
        {"channel": channel, "topic": TOPIC, "pushType": "liveactivity", "expiration": "0", "payload": {"aps": {}}},
    )
    tab = compose(open_page, mynah, f"?from={sent['sequence']}")
    expect(tab.page.get_by_label("Channel ID")).to_have_value(channel)
    expect(tab.page.get_by_label("Device token")).to_be_hidden()
    asked = send(tab.page)
    assert asked["channel"] == channel and "token" not in asked
    expect(result(tab.page).get_by_role("link")).to_be_visible()


def test_escape_closes_the_form_and_n_opens_it(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, "#/pushes")
    tab.page.keyboard.press("n")
    expect(tab.page.get_by_role("region", name="Send a push")).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(tab.page.get_by_role("region", name="Send a push")).to_be_hidden()
    assert tab.page.url.endswith("#/pushes")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_form_fits_a_narrow_screen(mynah: Mynah, open_page: Open, scheme: str) -> None:
    tab = compose(open_page, mynah, viewport=NARROW, color_scheme=scheme, reduced_motion="reduce")
    send(tab.page)
    expect(result(tab.page)).not_to_contain_text("Sending")
    assert tab.width_beyond_screen() == 0
    assert tab.nameless_controls() == []
    assert pale_texts(tab) == []
    assert parts_beyond_screen(tab) == []
