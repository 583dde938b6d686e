"""That the page loses nothing of what happens while it asks, fails, pauses or looks elsewhere.

Answers are held back on their way to the page until something else has happened, so that each order of things is there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from browser import Open, Tab
from conftest import unique_token
from devices import add_device, token_of, unique_id
from pushes import alert, push, push_many
from server import Mynah

MANY = 10_000
# What the feed asks for a search; what is asked in place of the stream of events has none.
SEARCHES = "**/v1/notifications?q=**"


@pytest.fixture
def busy_mynah(mynah_with: Callable[..., Mynah], tmp_path: Path) -> Mynah:
    """A server whose journal has very many pushes of others."""
    mynah = mynah_with("--retain", str(2 * MANY))
    if mynah.control.last_sequence() < MANY:
        push_many(mynah, unique_token(), MANY, tmp_path)
    return mynah


def rows(tab: Tab) -> Locator:
    return tab.page.locator(".row-item:visible")


def set_online(mynah: Mynah, device: dict[str, Any]) -> None:
    assert mynah.control.ask("PATCH", f"/v1/devices/{device['id']}", body={"online": True}).status == 200


def push_and_tell(tab: Tab, token: str, title: str) -> None:
    """Sends a push, and waits until the page has heard of it: it counts what was received after each event."""
    push(tab.mynah, token, alert(title))
    received = tab.mynah.control.get("/v1/status")["counts"]["received"]
    expect(tab.page.locator(".nav [href='#/pushes'] .count")).to_have_text(f"{received:,}")


def show_frames(tab: Tab) -> None:
    """Lets the page show what it has got: what is not there two frames later is not on its way."""
    tab.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("has_stream", [True, False], ids=["stream", "polling"])
def test_a_push_that_comes_while_the_feed_loads_is_shown(
    busy_mynah: Mynah, open_page: Open, token: str, has_stream: bool
) -> None:
    tab = open_page(busy_mynah, None)
    if not has_stream:
        tab.without_events()
    done = tab.meanwhile(SEARCHES, lambda: push_and_tell(tab, token, "Meanwhile"))
    tab.goto(f"#/pushes?q=token:{token}")
    expect(rows(tab)).to_contain_text("Meanwhile")
    assert done


@pytest.mark.parametrize("has_stream", [True, False], ids=["stream", "polling"])
def test_a_push_that_comes_while_news_are_on_their_way_is_shown(
    busy_mynah: Mynah, open_page: Open, token: str, has_stream: bool
) -> None:
    tab = open_page(busy_mynah, None)
    if not has_stream:
        tab.without_events()
    tab.goto(f"#/pushes?q=token:{token}")
    expect(tab.page.get_by_role("heading", name="No push matches")).to_be_visible()
    done = tab.meanwhile(SEARCHES, lambda: push_and_tell(tab, token, "Second"))
    push(busy_mynah, token, alert("First"))
    expect(rows(tab).locator(".row-title")).to_have_text(["Second", "First"])
    assert done


def test_another_search_takes_the_place_of_one_without_an_answer(
    busy_mynah: Mynah, open_page: Open, token: str
) -> None:
    other = unique_token()
    push(busy_mynah, token, alert("Of the first"))
    push(busy_mynah, other, alert("Of the other"))
    tab = open_page(busy_mynah, None)

    def search_otherwise() -> None:
        tab.page.get_by_role("combobox", name="Search pushes").fill(f"token:{other}")
        expect(rows(tab).locator(".row-title")).to_have_text(["Of the other"])

    done = tab.meanwhile(SEARCHES, search_otherwise)
    tab.goto(f"#/pushes?q=token:{token}")
    expect(rows(tab).locator(".row-title")).to_have_text(["Of the other"])
    push(busy_mynah, other, alert("And news"))
    expect(rows(tab).locator(".row-title")).to_have_text(["And news", "Of the other"])
    assert done


def test_older_pushes_of_the_search_before_do_not_come_into_the_next(
    busy_mynah: Mynah, open_page: Open, token: str
) -> None:
    push(busy_mynah, token, alert("The only one"))
    tab = open_page(busy_mynah, None)

    def search_otherwise() -> None:
        tab.page.get_by_role("combobox", name="Search pushes").fill(f"token:{token}")
        expect(rows(tab).locator(".row-title")).to_have_text(["The only one"])

    done = tab.meanwhile("**/v1/notifications?*cursor=**", search_otherwise)
    tab.goto()
    expect(rows(tab).first).to_be_visible()
    with tab.page.expect_response("**/v1/notifications?*cursor=**"):
        tab.page.get_by_role("listbox", name="Pushes, newest first").evaluate("list => list.scrollTop = 1e6")
    show_frames(tab)
    assert done
    expect(rows(tab)).to_have_count(1)
    expect(tab.page.locator(".feed-counts")).to_have_text("1 match")


def test_an_outcome_that_changes_while_the_push_is_on_its_way_is_shown(busy_mynah: Mynah, open_page: Open) -> None:
    device = add_device(busy_mynah, online=False)
    token = token_of(device)
    tab = open_page(busy_mynah, f"#/pushes?q=token:{token}")
    expect(tab.page.get_by_role("heading", name="No push matches")).to_be_visible()

    def go_online() -> None:
        # Asked for after each event.
        with tab.page.expect_response("**/v1/status"):
            set_online(busy_mynah, device)

    done = tab.meanwhile(SEARCHES, go_online)
    push(busy_mynah, token, alert("Stored, then shown"))
    expect(rows(tab).locator(".row-outcome")).to_have_text("shown")
    assert done


def test_what_could_not_be_asked_is_asked_again(busy_mynah: Mynah, open_page: Open, token: str) -> None:
    push(busy_mynah, token, alert("There at last"))
    tab = open_page(busy_mynah, None)
    tab.expected_errors.append("ERR_FAILED")
    tab.page.clock.install()
    failed: list[str] = []

    def fail_once(route: Route) -> None:
        if failed:
            route.fallback()
            return
        failed.append(route.request.url)
        route.abort()

    tab.page.route(SEARCHES, fail_once)
    with tab.page.expect_event("requestfailed"):
        tab.goto(f"#/pushes?q=token:{token}")
    tab.page.clock.fast_forward("00:10")
    expect(rows(tab)).to_contain_text("There at last")
    assert failed


def test_what_is_on_its_way_when_the_feed_is_paused_is_held_back(
    busy_mynah: Mynah, open_page: Open, token: str
) -> None:
    tab = open_page(busy_mynah, f"#/pushes?q=token:{token}")
    expect(tab.page.get_by_role("heading", name="No push matches")).to_be_visible()
    done = tab.meanwhile(SEARCHES, lambda: tab.page.get_by_role("button", name="Pause").click())
    push(busy_mynah, token, alert("First"))
    expect(tab.page.get_by_role("button", name="Resume · 1 new")).to_be_visible()
    push(busy_mynah, token, alert("Second"))
    resume = tab.page.get_by_role("button", name="Resume · 2 new")
    expect(resume).to_be_visible()
    assert done and rows(tab).count() == 0
    resume.click()
    expect(rows(tab).locator(".row-title")).to_have_text(["Second", "First"])


def test_another_search_is_shown_while_the_feed_is_paused(busy_mynah: Mynah, open_page: Open, token: str) -> None:
    push(busy_mynah, token, alert("Searched for"))
    tab = open_page(busy_mynah, f"#/pushes?q=token:{'00' * 32}")
    tab.page.get_by_role("button", name="Pause").click()
    tab.page.get_by_role("combobox", name="Search pushes").fill(f"token:{token}")
    expect(rows(tab)).to_contain_text("Searched for")
    push(busy_mynah, token, alert("Held back"))
    expect(tab.page.get_by_role("button", name="Resume · 1 new")).to_be_visible()
    expect(rows(tab)).to_have_count(1)


def test_what_is_removed_by_somebody_else_goes(busy_mynah: Mynah, open_page: Open, token: str) -> None:
    push(busy_mynah, token, alert("Not for long"))
    tab = open_page(busy_mynah, f"#/pushes?q=token:{token}")
    expect(rows(tab)).to_have_count(1)
    assert busy_mynah.control.ask("DELETE", "/v1/notifications", {"token": token}).status == 200
    expect(tab.page.get_by_role("heading", name="No push matches")).to_be_visible()


def test_more_news_than_the_journal_keeps_leave_the_newest(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah("--retain", "2")
    push(mynah, unique_token(), alert("Old"))
    tab = open_page(mynah)
    expect(rows(tab)).to_have_count(1)

    def push_more() -> None:
        for number in range(5):
            push_and_tell(tab, unique_token(), f"Number {number}")

    done = tab.meanwhile("**/v1/notifications?after=**", push_more)
    push(mynah, unique_token(), alert("New"))
    expect(rows(tab).locator(".row-title")).to_have_text(["Number 4", "Number 3"])
    expect(tab.page.locator(".feed-counts")).to_have_text("2 pushes")
    assert done


def test_what_went_lost_in_a_gap_of_the_events_is_asked_for(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    device = add_device(mynah, online=False)
    tab = open_page(mynah, None)
    tab.page.clock.install()
    tab.goto()
    push(mynah, token_of(device), alert("Stored, then shown"))
    expect(rows(tab).locator(".row-outcome")).to_have_text("stored")
    tab.rest()
    set_online(mynah, device)
    # More events than the server keeps: each of these tells of a thousand devices.
    for number in range(11):
        mynah.control.post("/v1/devices", {"id": f"fleet-{number}", "count": 1000})
    tab.set_hidden(False)
    expect(rows(tab).locator(".row-outcome")).to_have_text("shown")


def add_named_device(mynah: Mynah, name: str) -> None:
    add_device(mynah, id=unique_id("0"), name=name)


def add_named_rule(mynah: Mynah, name: str) -> None:
    rule = {"name": name, "match": {"token": unique_token()}, "action": {"type": "stall"}}
    mynah.control.post("/v1/faults", rule)


@pytest.mark.parametrize(
    ("place", "url", "act"),
    [("devices", "**/v1/devices?**", add_named_device), ("faults", "**/v1/faults?**", add_named_rule)],
    ids=["devices", "faults"],
)
def test_a_list_shows_what_is_new_since_it_was_asked(
    busy_mynah: Mynah, open_page: Open, place: str, url: str, act: Callable[[Mynah, str], None]
) -> None:
    name = unique_id("Meanwhile")
    tab = open_page(busy_mynah, None)
    done = tab.meanwhile(url, lambda: act(busy_mynah, name))
    tab.goto(f"#/{place}")
    expect(tab.page.get_by_role("listitem").filter(has_text=name)).to_be_visible()
    assert done


def test_a_screen_shows_what_is_new_since_it_was_asked(busy_mynah: Mynah, open_page: Open) -> None:
    device = add_device(busy_mynah)
    tab = open_page(busy_mynah, None)
    done = tab.meanwhile(
        f"**/v1/devices/{device['id']}/screen", lambda: push_and_tell(tab, token_of(device), "Meanwhile")
    )
    tab.goto(f"#/devices/{device['id']}")
    expect(tab.page.get_by_role("region", name="lock screen")).to_contain_text("Meanwhile")
    assert done


def test_who_has_gone_elsewhere_stays_there(busy_mynah: Mynah, open_page: Open, token: str) -> None:
    push(busy_mynah, token, alert("Too late"))
    push_id = busy_mynah.control.push(token)["apnsId"]
    rule = busy_mynah.control.post("/v1/faults", {"match": {"token": token}, "action": {"type": "stall"}})
    tab = open_page(busy_mynah, None)

    def go(name: str) -> None:
        tab.page.get_by_role("link", name=name, exact=True).click()
        expect(tab.page.get_by_role("link", name=name, exact=True)).to_have_attribute("aria-current", "page")

    for url, place, name, elsewhere in (
        (f"**/v1/faults/{rule['id']}", f"#/faults/+edit/{rule['id']}", "Scenarios", "#/faults/scenarios"),
        (f"**/v1/notifications/{push_id}", f"#/pushes/{push_id}", "Devices", "#/devices"),
    ):
        done = tab.meanwhile(url, lambda name=name: go(name))
        with tab.page.expect_response(url):
            tab.goto(place)
        show_frames(tab)
        assert done
        expect(tab.page).to_have_url(f"{busy_mynah.control_url}/{elsewhere}")
        expect(tab.page.get_by_role("textbox", name="Rule")).to_have_count(0)
