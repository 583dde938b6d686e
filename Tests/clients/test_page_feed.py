"""The page's feed of pushes and one push whole, as somebody uses them."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from browser import PHONE, Open, Tab
from conftest import unique_token
from devices import TOPIC, add_device, token_of
from pushes import alert, push, push_many
from server import Mynah
from ports import held_port

HOSTILE = [
    "<img src=x onerror=\"window.hasRun = 1\">",
    "</script><script>window.hasRun = 2</script>",
    "<svg onload='window.hasRun = 3'><a href='javascript:window.hasRun = 4'>x</a></svg>",
    "مرحبا \u202eabc\u202c שלום",
    "🎉👩‍👩‍👧‍👦 Z̸̢͑a̷l̵g̶o̸",
    "${window.hasRun = 5}{{7*7}}&lt;b&gt;&amp;",
]
MANY = 10_000
# Rows that a window of any height needs, and those that are kept ready beyond its edges.
ROWS_IN_DOCUMENT_MAX = 60
# Scrolls until the last row is there, and returns the most rows that the document had on the way.
SCROLL_TO_THE_END = """async (list, count) => {
    const end = performance.now() + 60_000;
    let most = 0;
    while (!list.querySelector(`[aria-posinset="${count}"]`) && performance.now() < end) {
        list.scrollTop = list.scrollHeight;
        await new Promise((done) => requestAnimationFrame(done));
        most = Math.max(most, list.querySelectorAll("[role=option]").length);
    }
    return most;
}"""


def rows(tab: Tab) -> Locator:
    return tab.page.locator(".row-item:visible")


def article(tab: Tab) -> Locator:
    return tab.page.get_by_role("article")


def search_box(tab: Tab) -> Locator:
    return tab.page.get_by_role("combobox", name="Search pushes")


def test_a_push_appears_by_itself_and_the_newest_is_on_top(mynah: Mynah, open_page: Open, token: str) -> None:
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    expect(tab.page.get_by_role("heading", name="No push matches")).to_be_visible()
    push(mynah, token, alert("First", "of two"))
    expect(rows(tab)).to_have_count(1)
    push(mynah, token, alert("Second"), further=[("apns-priority", "7")])
    expect(rows(tab)).to_have_count(2)
    expect(rows(tab).filter(has_text="First of two")).to_contain_text("shown")
    top = tab.page.locator(".row-item[aria-posinset='1']")
    expect(top).to_contain_text("400")
    expect(top).to_contain_text("BadPriority")
    expect(tab.page.locator(".feed-counts")).to_have_text("2 matches")


def test_search_narrows_while_typing_and_is_in_the_address(mynah: Mynah, open_page: Open) -> None:
    word = unique_token()[:12]
    for name in ("apples", "pears", "plums"):
        push(mynah, unique_token(), alert(f"{name} {word}"))
    tab = open_page(mynah)
    search_box(tab).fill(word)
    expect(rows(tab)).to_have_count(3)
    search_box(tab).press_sequentially(" pears")
    expect(rows(tab)).to_have_count(1)
    expect(rows(tab)).to_contain_text(f"pears {word}")
    # With a part of the word there is one row already.
    expect(tab.page).to_have_url(re.compile("pears"))
    shared = open_page(mynah, tab.page.url.split("/", 3)[3])
    expect(search_box(shared)).to_have_value(f"{word} pears")
    expect(rows(shared)).to_have_count(1)
    search_box(tab).fill(f"{word} -pears")
    expect(rows(tab)).to_have_count(2)


def test_a_wrong_search_says_what_is_wrong_and_keeps_the_list(mynah: Mynah, open_page: Open, token: str) -> None:
    push(mynah, token, alert("Still there"))
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    tab.expected_errors += ["400"]
    expect(rows(tab)).to_have_count(1)
    search_box(tab).fill("toopic:com.example.app")
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("alert").filter(has_text="topic")).to_be_visible()
    expect(search_box(tab)).to_have_attribute("aria-invalid", "true")
    expect(rows(tab)).to_have_count(1)
    search_box(tab).fill(f"token:{token}")
    expect(search_box(tab)).not_to_have_attribute("aria-invalid", "true")


def test_keys_and_values_are_suggested(mynah: Mynah, open_page: Open, token: str) -> None:
    push(mynah, token, alert("Suggested"), topic="com.example.suggested")
    tab = open_page(mynah)
    # What is half typed is searched for as well, if the typing takes long.
    tab.expected_errors.append("400")
    expect(rows(tab).first).to_be_visible()
    search_box(tab).press_sequentially("-outc")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    expect(search_box(tab)).to_have_value("-outcome:")
    tab.page.keyboard.type("ref")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Tab")
    expect(search_box(tab)).to_have_value("-outcome:refused ")
    tab.page.keyboard.type("topic:com.example.su")
    tab.page.get_by_role("option", name="com.example.suggested", exact=True).click()
    expect(rows(tab)).to_have_count(1)
    expect(tab.page).to_have_url(f"{mynah.control_url}/#/pushes?q=-outcome%3Arefused+topic%3Acom.example.suggested")


@pytest.mark.parametrize("text", [*HOSTILE, "".join(HOSTILE) * 8])
def test_a_hostile_payload_is_text(mynah: Mynah, open_page: Open, token: str, text: str) -> None:
    payload_max = 4096
    body = alert(text[:200], text, **{text[:40]: text[:50]})
    assert len(body) <= payload_max
    sequence = push(mynah, token, body)
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    expect(rows(tab)).to_have_count(1)
    assert rows(tab).locator(".row-title").text_content() == text[:200]
    tab.goto(f"#/pushes/{sequence}")
    expect(article(tab).get_by_role("heading", level=1)).to_be_visible()
    assert article(tab).get_by_role("heading", level=1).text_content() == text[:200]
    payload = article(tab).get_by_role("region", name="Payload, indented").text_content() or ""
    assert json.loads(payload)["aps"]["alert"]["body"] == text
    expect(article(tab).locator(".banner-body")).to_be_visible()
    assert article(tab).locator(".banner-body").text_content() == text
    assert tab.page.evaluate("window.hasRun") is None
    assert tab.page.locator("main img, main script, main a[href^='javascript']").count() == 0


def test_the_payload_is_shown_as_it_was_sent(mynah: Mynah, open_page: Open, token: str) -> None:
    body = b'{"aps" : {"alert":"a", "alert":"b"}, "n": 12345678901234567890.50, "s":"\\u0041", "e": [], "payload": 1}'
    sequence = push(mynah, token, body)
    tab = open_page(mynah, f"#/pushes/{sequence}")
    pretty = article(tab).get_by_role("region", name="Payload, indented")
    expect(pretty).to_contain_text('"n": 12345678901234567890.50,')
    expect(pretty).to_contain_text('"alert": "a",')
    expect(pretty).to_contain_text('"s": "\\u0041",')
    article(tab).get_by_role("button", name="Raw").click()
    assert article(tab).get_by_role("region", name="Payload as it was sent").text_content() == body.decode()


def test_a_body_that_is_no_json_is_shown_all_the_same(mynah: Mynah, open_page: Open, token: str) -> None:
    text = push(mynah, token, b"just words")
    tab = open_page(mynah, f"#/pushes/{text}")
    expect(article(tab).get_by_role("region", name="Payload as it was sent")).to_have_text("just words")
    expect(article(tab).get_by_role("list", name="Warnings")).to_contain_text("payload is")
    octets = push(mynah, token, b"\xff\xfe\x00")
    tab.goto(f"#/pushes/{octets}")
    expect(article(tab).get_by_role("region", name="Payload as it was sent")).to_have_text("ff fe 00")


def test_the_same_text_again_is_no_attempt(own_mynah: Callable[..., Mynah], open_page: Open, token: str) -> None:
    mynah = own_mynah()
    # A text is the same again for half a minute of its clock.
    mynah.control.put("/v1/clock", {"mode": "frozen"})
    first = push(mynah, token, alert("ok"))
    again = push(mynah, token, alert("ok"))
    retry = [("apns-id", str(uuid.uuid4()))]
    for _ in range(2):
        push(mynah, token, alert("yes"), further=retry)
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    expect(rows(tab)).to_have_count(4)
    assert [row.locator(".row-marks").inner_text() for row in rows(tab).all()] == [
        "attempt 2", "", "repeated", "",
    ]  # fmt: skip
    tab.goto(f"#/pushes/{again}")
    article(tab).get_by_role("link", name=f"push {first}").click()
    expect(tab.page).to_have_url(f"{mynah.control_url}/#/pushes/{first}")


def test_a_payload_that_was_too_large_has_its_own_size(mynah: Mynah, open_page: Open, token: str) -> None:
    sequence = push(mynah, token, alert("x" * 5000))
    size = mynah.control.push(token)["payloadSize"]
    assert size > 5000
    tab = open_page(mynah, f"#/pushes/{sequence}")
    expect(article(tab)).to_contain_text(f"{size:,} of 4,096 bytes")
    expect(article(tab)).to_contain_text("Only the first 4,096 bytes were kept")
    expect(article(tab).get_by_role("list", name="Warnings")).to_have_count(0)


def test_a_refused_push_says_why(mynah: Mynah, open_page: Open) -> None:
    sequence = push(mynah, "00fc", alert("Refused"))
    tab = open_page(mynah, f"#/pushes/{sequence}")
    expect(article(tab).get_by_role("note")).to_contain_text("BadDeviceToken: the device token has 4 characters")
    answer = article(tab).get_by_role("region", name="Answer")
    expect(answer).to_contain_text('{"reason":"BadDeviceToken"}')
    expect(article(tab).get_by_role("region", name="On the device")).to_contain_text("Refused")


def test_one_push_has_its_whole_story(mynah: Mynah, open_page: Open) -> None:
    device = add_device(mynah, online=False)
    sequence = push(
        mynah, token_of(device), alert("Late", "but there"), push_type=None, further=[("apns-collapse-id", "game")]
    )
    tab = open_page(mynah, f"#/pushes/{sequence}")
    timeline = article(tab).get_by_role("region", name="Timeline")
    expect(timeline.get_by_role("listitem")).to_have_count(2)
    expect(timeline).to_contain_text("stored")
    expect(article(tab).get_by_role("region", name="On the device")).to_contain_text("offline")
    expect(article(tab).get_by_role("list", name="Warnings")).to_contain_text("push type inferred")
    request = article(tab).get_by_role("region", name="Request")
    expect(request).to_contain_text("apns-collapse-id")
    expect(request.get_by_role("row").filter(has_text="authorization")).to_contain_text("bearer")
    assert mynah.control.ask("PATCH", f"/v1/devices/{device['id']}", body={"online": True}).status == 200
    # By itself: the outcome is an event.
    steps = timeline.locator(".step-event")
    expect(steps).to_have_text(["received", "stored", "delivered", "shown"])
    expect(article(tab).locator(".banner-title")).to_have_text("Late")
    expect(article(tab).locator(".banner-body")).to_have_text("but there")


def test_a_push_is_copied_as_what_sends_expects_or_repeats_it(
    mynah: Mynah, open_page: Open, token: str, tmp_path: Path
) -> None:
    sequence = push(mynah, token, alert("Can't", "say \"no\""), further=[("apns-collapse-id", "a b")])
    tab = open_page(mynah, f"#/pushes/{sequence}", permissions=["clipboard-read", "clipboard-write"])

    def copied(name: str) -> str:
        article(tab).get_by_role("button", name=name, exact=True).click()
        expect(tab.page.locator(".toast").last).to_be_visible()
        text: str = tab.page.evaluate("navigator.clipboard.readText()")
        tab.page.evaluate("document.querySelectorAll('.toast').forEach((toast) => toast.remove())")
        return text

    curl = copied("curl")
    assert "apns-collapse-id: a b" in curl and f"https://localhost:{mynah.port}/3/device/{token}" in curl
    assert "authorization: bearer $(mynah token --url" in curl and "Can'\\''t" in curl
    expectation = json.loads(copied("Expectation"))
    assert expectation["match"]["payload"] == {"/aps/alert/title": "Can't", "/aps/alert/body": 'say "no"'}
    met = mynah.control.post("/v1/expectations", expectation | {"within": "0s"})
    assert met["met"] and met["items"][0]["sequence"] == sequence
    assert "--collapse-id 'a b'" in copied("mynah expect")
    fixture = copied("Fixture")
    assert f"token: {token}" in fixture and f'topic: "{TOPIC}"' in fixture
    assert copied("Link") == f"{mynah.control_url}/#/pushes/{sequence}"


def test_the_keyboard_is_enough(mynah: Mynah, open_page: Open, token: str) -> None:
    sequences = [push(mynah, token, alert(f"Key {number}")) for number in range(3)]
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    expect(rows(tab)).to_have_count(3)
    for key in ("j", "j", "Enter"):
        tab.page.keyboard.press(key)
    heading = article(tab).get_by_role("heading", level=1)
    expect(heading).to_have_text("Key 1")
    expect(tab.page).to_have_url(f"{mynah.control_url}/#/pushes/{sequences[1]}?q=token%3A{token}")
    tab.page.keyboard.press("k")
    expect(heading).to_have_text("Key 2")
    tab.page.keyboard.press("Escape")
    expect(heading).to_have_count(0)
    expect(tab.page).to_have_url(f"{mynah.control_url}/#/pushes?q=token%3A{token}")
    expect(tab.page.get_by_role("listbox", name="Pushes, newest first")).to_be_focused()
    tab.page.keyboard.press("/")
    expect(search_box(tab)).to_be_focused()
    tab.page.keyboard.type(" j?")
    expect(tab.page.get_by_role("dialog")).to_have_count(0)
    tab.page.keyboard.press("Escape")
    expect(search_box(tab)).not_to_be_focused()
    tab.page.keyboard.press("?")
    expect(tab.page.get_by_role("dialog", name="Keyboard")).to_be_visible()


def test_going_back_leads_back(mynah: Mynah, open_page: Open, token: str) -> None:
    push(mynah, token, alert("Back and forth"))
    tab = open_page(mynah, f"#/pushes?q=token:{token}", viewport=PHONE)
    rows(tab).click()
    expect(article(tab).get_by_role("heading", level=1)).to_have_text("Back and forth")
    expect(rows(tab)).to_have_count(0)
    tab.page.go_back()
    expect(rows(tab)).to_have_count(1)
    tab.page.go_forward()
    article(tab).get_by_role("button", name="Pushes").click()
    expect(rows(tab)).to_have_count(1)


def test_what_comes_while_it_is_paused_is_held_back(mynah: Mynah, open_page: Open, token: str) -> None:
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    push(mynah, token, alert("Before"))
    expect(rows(tab)).to_have_count(1)
    tab.page.get_by_role("button", name="Pause").click()
    push(mynah, token, alert("Meanwhile"))
    resume = tab.page.get_by_role("button", name="Resume · 1 new")
    expect(resume).to_be_visible()
    expect(rows(tab)).to_have_count(1)
    resume.click()
    expect(rows(tab)).to_have_count(2)


def test_clearing_asks_first_and_clears_what_matches(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    for name in ("keep", "drop", "drop"):
        push(mynah, unique_token(), alert(name))
    tab = open_page(mynah, "#/pushes?q=drop")
    expect(rows(tab)).to_have_count(2)
    clear = tab.page.get_by_role("button", name="Clear the journal")
    dialog = tab.page.get_by_role("dialog")
    clear.click()
    expect(dialog).to_contain_text("2 pushes that match")
    dialog.get_by_role("button", name="Cancel").click()
    expect(rows(tab)).to_have_count(2)
    clear.click()
    dialog.get_by_role("button", name="Clear").click()
    expect(rows(tab)).to_have_count(0)
    left = mynah.control.get("/v1/notifications")["items"]
    assert [item["payload"]["aps"]["alert"]["title"] for item in left] == ["keep"]


def test_evicted_pushes_are_mentioned(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah("--retain", "2")
    for number in range(5):
        push(mynah, unique_token(), alert(f"Number {number}"))
    tab = open_page(mynah)
    expect(rows(tab)).to_have_count(2)
    expect(tab.page.get_by_role("note")).to_contain_text("3 older pushes evicted to make room")
    push(mynah, unique_token(), alert("Number 5"))
    expect(tab.page.locator(".row-item[aria-posinset='1']")).to_contain_text("Number 5")
    expect(tab.page.locator(".feed-counts")).to_have_text("2 pushes")
    expect(rows(tab)).to_have_count(2)
    tab.expected_errors += ["410"]
    tab.goto("#/pushes/1")
    expect(article(tab)).to_contain_text("evicted")


def test_ten_thousand_pushes_are_few_elements(
    own_mynah: Callable[..., Mynah], open_page: Open, token: str, tmp_path: Path
) -> None:
    mynah = own_mynah()
    push_many(mynah, token, MANY, tmp_path)
    tab = open_page(mynah)
    expect(tab.page.locator(".feed-counts")).to_have_text("10,000 pushes")
    listbox = tab.page.get_by_role("listbox", name="Pushes, newest first")
    expect(rows(tab).first).to_be_visible()
    most = listbox.evaluate(SCROLL_TO_THE_END, MANY)
    assert 0 < most <= ROWS_IN_DOCUMENT_MAX
    oldest = mynah.control.get("/v1/notifications", {"limit": 1})["items"][0]["sequence"]
    expect(tab.page.locator(f".row-item[aria-posinset='{MANY}']")).to_have_attribute("data-sequence", str(oldest))
    # What comes while somebody reads further down does not move what is read.
    before = tab.page.locator(f".row-item[aria-posinset='{MANY}']").bounding_box()
    push(mynah, token, alert("On top"))
    button = tab.page.get_by_role("button", name="1 new push")
    expect(button).to_be_visible()
    assert tab.page.locator(f".row-item[aria-posinset='{MANY + 1}']").bounding_box() == before
    button.click()
    expect(tab.page.locator(".row-item[aria-posinset='1']")).to_contain_text("On top")
    assert tab.page.locator(".row-item").count() <= ROWS_IN_DOCUMENT_MAX


def test_the_page_comes_back_when_the_server_does(
    own_mynah: Callable[..., Mynah], open_page: Open, token: str, tmp_path: Path
) -> None:
    with held_port() as port:
        mynah = own_mynah("--control-port", str(port))
        tab = open_page(mynah)
        tab.expected_errors += ["ERR_", "503"]
        mynah.stop()
        expect(tab.page.locator(".link")).to_have_text("Reconnecting")
        again = own_mynah("--control-port", str(port), folder=tmp_path / "again")
        expect(tab.page.locator(".link")).to_have_text("Live")
        push(again, token, alert("Back again"))
        expect(rows(tab)).to_contain_text("Back again")


def test_without_the_stream_of_events_the_journal_is_asked(mynah: Mynah, open_page: Open, token: str) -> None:
    tab = open_page(mynah, None)
    tab.without_events()
    tab.goto(f"#/pushes?q=token:{token}")
    push(mynah, token, alert("Polled"))
    expect(rows(tab)).to_contain_text("Polled")


def test_a_tab_that_nobody_sees_gives_its_connection_back(mynah: Mynah, open_page: Open, token: str) -> None:
    tab = open_page(mynah, None)
    tab.page.clock.install()
    tab.goto(f"#/pushes?q=token:{token}")
    expect(tab.page.get_by_role("heading", name="No push matches")).to_be_visible()
    tab.rest()
    push(mynah, token, alert("While nobody looked"))
    assert rows(tab).count() == 0
    tab.set_hidden(False)
    expect(tab.page.locator(".link")).to_have_text("Live")
    expect(rows(tab)).to_contain_text("While nobody looked")


def test_an_apns_id_in_the_address_leads_to_its_push(mynah: Mynah, open_page: Open, token: str) -> None:
    sequence = push(mynah, token, alert("By its id"))
    name = mynah.control.push(token)["apnsId"]
    tab = open_page(mynah, f"#/pushes/{name}")
    expect(article(tab).get_by_role("heading", level=1)).to_have_text("By its id")
    expect(tab.page).to_have_url(f"{mynah.control_url}/#/pushes/{sequence}")
