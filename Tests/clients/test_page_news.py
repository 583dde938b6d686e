"""What is new on the page: marks and numbers of what came while nobody looked, notifications, and several tabs at once."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import SET_HIDDEN, Open, Tab
from conftest import unique_token
from devices import add_device, token_of
from pushes import alert, push
from server import Mynah
from waiting import measured, until

# More than a browser has connections for.
TABS = 7
SHOW_KEPT = """(type) => dispatchEvent(new PageTransitionEvent(type, {persisted: true}))"""
# Notes notifications in place of showing them.
NOTIFICATIONS = """
    window.told = [];
    window.Notification = class {
        static permission = "default";
        static async requestPermission() {
            return Notification.permission = window.answer ?? "granted";
        }
        constructor(title, { body, tag }) { window.told.push({ title, body, tag, click: () => this.onclick() }); }
        close() {}
    };
"""


def rows(tab: Tab) -> Locator:
    return tab.page.locator(".row-item:visible")


def marked(tab: Tab) -> Locator:
    return tab.page.locator(".row-item.is-unread:visible .row-title")


def readers(mynah: Mynah) -> int:
    """How many streams of events are read."""
    found = re.search(r"^mynah_event_stream_readers (\d+)", mynah.control.ask("GET", "/metrics").body.decode(), re.M)
    assert found
    return int(found[1])


def test_what_comes_while_nobody_looks_is_marked_and_counted(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    push(mynah, unique_token(), alert("Seen at once"))
    tab = open_page(mynah, "#/pushes")
    push(mynah, unique_token(), alert("Seen as well"))
    expect(rows(tab)).to_have_count(2)
    expect(tab.page).to_have_title("Pushes · Mynah")
    tab.set_hidden(True)
    for title in ("First", "Second"):
        push(mynah, unique_token(), alert(title))
    expect(tab.page).to_have_title("(2) Pushes · Mynah")
    tab.set_hidden(False)
    expect(tab.page).to_have_title("Pushes · Mynah")
    expect(marked(tab)).to_have_text(["Second", "First"])
    expect(rows(tab).first).to_contain_text("New")
    # What comes while somebody looks isn't marked.
    push(mynah, unique_token(), alert("Third"))
    expect(rows(tab)).to_have_count(5)
    expect(marked(tab)).to_have_text(["Second", "First"])
    rows(tab).filter(has_text="First").click()
    expect(marked(tab)).to_have_text(["Second"])
    tab.page.keyboard.press("Escape")

    tab.page.get_by_role("link", name="Devices", exact=True).click()
    push(mynah, unique_token(), alert("Fourth"))
    expect(tab.page).to_have_title("(1) Devices · Mynah")
    tab.page.get_by_role("link", name="Pushes", exact=True).click()
    expect(marked(tab)).to_have_text(["Fourth"])


def test_the_browser_tells_of_what_comes_while_nobody_looks(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    token = token_of(add_device(mynah))
    tab = open_page(mynah, None)
    tab.page.add_init_script(NOTIFICATIONS)
    tab.goto("#/devices")
    tab.goto("#/pushes")
    bell = tab.page.get_by_role("button", name="Notifications of this browser")
    expect(bell).to_have_attribute("aria-pressed", "false")
    tab.set_hidden(True)
    push(mynah, token, alert("Nobody is told"))
    expect(tab.page).to_have_title("(1) Pushes · Mynah")
    tab.set_hidden(False)

    tab.page.evaluate("window.answer = 'denied'")
    bell.click()
    expect(tab.page.get_by_text("The browser does not allow notifications")).to_be_visible()
    expect(bell).to_have_attribute("aria-pressed", "false")
    tab.page.evaluate("window.answer = 'granted'")
    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    push(mynah, token, alert("Seen at once"))
    expect(rows(tab)).to_have_count(2)
    tab.set_hidden(True)
    push(mynah, token, alert("It rains", "until tomorrow"))
    until(lambda: tab.page.evaluate("window.told.length") == 1, "a notification")
    title, body = tab.page.evaluate("[window.told[0].title, window.told[0].body]")
    assert (title, body) == ("It rains", "until tomorrow\ncom.example.app · delivered")

    def told_of_three() -> list[str]:
        """The titles of what tells of three pushes, of which the last has a body of its own."""
        before = tab.page.evaluate("window.told.length")
        for number in range(3):
            push(mynah, token, alert(f"Number {number}"))
        last = "[window.told.length > %d, window.told.at(-1).title, window.told.at(-1).body]" % before

        def is_told() -> bool:
            is_new, title, body = tab.page.evaluate(last)
            return bool(is_new and (title == "Number 2" or body.startswith("Number 2\n")))

        until(is_told, "a notification of the last one")
        return list(tab.page.evaluate("window.told.slice(%d).map(({ title }) => title)" % before))

    # One for all that comes within seconds.
    measured(told_of_three, lambda titles: titles == ["3 new pushes"])
    assert tab.page.evaluate("window.told.at(-1).body").startswith("Number 2\n")
    tab.page.evaluate("window.told.at(-1).click()")
    expect(tab.page.get_by_role("article").get_by_role("heading", level=1)).to_have_text("Number 2")


def test_one_push_is_removed(mynah: Mynah, open_page: Open, token: str) -> None:
    for title in ("Stays", "Goes"):
        push(mynah, token, alert(title))
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    rows(tab).filter(has_text="Goes").click()
    tab.page.get_by_role("button", name="Remove…").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert len(mynah.control.pushes(token)) == 2
    tab.page.get_by_role("button", name="Remove…").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(rows(tab).locator(".row-title")).to_have_text(["Stays"])
    expect(tab.page.get_by_role("button", name="Remove…")).to_have_count(0)
    assert [one["payload"]["aps"]["alert"]["title"] for one in mynah.control.pushes(token)] == ["Stays"]


def test_a_part_of_a_text_is_searched_for(mynah: Mynah, open_page: Open, token: str) -> None:
    push(mynah, token, alert("Rain tomorrow"))
    push(mynah, token, alert("Sun tomorrow"))
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    search = tab.page.get_by_role("combobox", name="Search pushes")
    search.fill(f"token:{token} payload:/aps/alert/title:Rain")
    hint = tab.page.get_by_role("region", name="No match")
    expect(hint).to_contain_text("A value is compared as a whole")
    search.fill(f"token:{token} payload:/aps/alert/title~:Rain")
    expect(rows(tab).locator(".row-title")).to_have_text(["Rain tomorrow"])
    search.fill(f"token:{token} -payload:/aps/alert/title~:Rain topic~:example")
    expect(rows(tab).locator(".row-title")).to_have_text(["Sun tomorrow"])
    tab.expected_errors.append("400")
    search.fill("status~:20")
    expect(tab.page.locator("#search-problem")).to_contain_text("status~ looks for a part of a text")


def test_any_number_of_tabs_is_up_to_date_by_one_stream(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    tab = open_page(mynah, "#/pushes")
    pages: list[Page] = [tab.page]
    for _ in range(TABS - 1):
        pages.append(tab.page.context.new_page())
        pages[-1].goto(f"{mynah.control_url}/#/pushes")

    def show(count: int) -> None:
        for page in pages:
            expect(page.locator(".link")).to_have_text("Live")
            expect(page.locator(".row-item:visible")).to_have_count(count)

    show(0)
    until(lambda: readers(mynah) == 1, "one reader")
    push(mynah, unique_token(), alert("For all"))
    show(1)
    # The one that reads goes, and another one takes its turn.
    pages.pop(0).close()
    push(mynah, unique_token(), alert("For the others"))
    show(2)
    until(lambda: readers(mynah) == 1, "one reader")


def test_a_page_that_the_browser_keeps_gives_its_connection_back(
    own_mynah: Callable[..., Mynah], open_page: Open
) -> None:
    mynah = own_mynah()
    tab = open_page(mynah, "#/pushes")
    until(lambda: readers(mynah) == 1, "one reader")
    tab.page.evaluate(SHOW_KEPT, "pagehide")
    until(lambda: readers(mynah) == 0, "no reader")
    push(mynah, unique_token(), alert("Meanwhile"))
    tab.page.evaluate(SHOW_KEPT, "pageshow")
    expect(rows(tab)).to_have_count(1)
    expect(tab.page.locator(".link")).to_have_text("Live")
    until(lambda: readers(mynah) == 1, "one reader")


@pytest.mark.parametrize("waits", [True, False], ids=["waits", "reads"])
def test_a_hidden_tab_leaves_the_stream_to_one_that_is_looked_at(
    own_mynah: Callable[..., Mynah], open_page: Open, waits: bool
) -> None:
    mynah = own_mynah()
    first = open_page(mynah, "#/pushes")
    second = first.page.context.new_page()
    second.goto(f"{mynah.control_url}/#/pushes")
    expect(second.locator(".link")).to_have_text("Live")
    hidden, shown = (second, first.page) if waits else (first.page, second)
    hidden.evaluate(SET_HIDDEN, True)
    # It greets the others, of which the hidden one reads no longer.
    shown.evaluate(SET_HIDDEN, True)
    shown.evaluate(SET_HIDDEN, False)
    push(mynah, unique_token(), alert("Still there"))
    for page in (shown, hidden):
        expect(page.locator(".row-item:visible")).to_have_count(1)
    until(lambda: readers(mynah) == 1, "one reader")
