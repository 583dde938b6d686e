"""The page's view of broadcast channels, and of the broadcasts to them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from browser import DESKTOP, NARROW, PHONE, Open, Tab
from h2client import connect
from server import Mynah
from test_broadcasts import APP, broadcast, follow, journal
from views import pale_texts, parts_beyond_screen

PAGE = 100


@pytest.fixture
def own(own_mynah: Callable[..., Mynah]) -> Mynah:
    """A server of its own, which has no channels but the test's."""
    return own_mynah()


def table(tab: Tab) -> Locator:
    return tab.page.get_by_role("table", name="Broadcast channels")


def test_the_page_shows_the_channel_and_the_reach_of_a_broadcast(own: Mynah, open_page: Open) -> None:
    channel = own.create_channel(APP).id
    follow(own, channel)
    follow(own, channel)
    with connect(own) as connection:
        push = journal(own, broadcast(connection, own, channel).assert_accepted())
    tab = open_page(own, f"#/pushes/{push['sequence']}")
    row = tab.page.get_by_role("option").first
    expect(row).to_contain_text("Broadcast: update")
    expect(row).to_contain_text(f"2 devices · {APP}")
    expect(tab.page.get_by_role("region", name="On the devices")).to_contain_text(
        "Updated the Live Activities that follow its channel, on 2 devices."
    )
    expect(tab.page.get_by_role("region", name="Answer")).to_contain_text("apns-request-id")
    detail = tab.page.get_by_role("region", name="Request")
    expect(detail).to_contain_text(channel)
    expect(detail.locator("dt", has_text="Devices reached").locator("+ dd")).to_have_text("2")
    expect(tab.page.get_by_role("region", name="Payload", exact=True)).to_contain_text("of 5,120 bytes")


def test_a_broadcast_without_followers_says_why(own: Mynah, open_page: Open) -> None:
    channel = own.create_channel(APP, message_storage_policy=1).id
    now = int(time.time())
    pushes = []
    with connect(own) as connection:
        for score in (now, now + 1):
            reply = broadcast(connection, own, channel, score, str(now + 3600)).assert_accepted()
            pushes.append(journal(own, reply)["sequence"])
        refused = broadcast(connection, own, "x")
    assert refused.reason == "BadChannelId"
    last = own.control.get("/v1/notifications", {"reason": "BadChannelId"})["items"][-1]["sequence"]
    for sequence, text in zip(
        [*pushes, last],
        ["Replaced by a newer broadcast to its channel.", "Kept by its channel", "Refused, so no device received it."],
        strict=True,
    ):
        tab = open_page(own, f"#/pushes/{sequence}")
        expect(tab.page.get_by_role("region", name="On the devices")).to_contain_text(text)


def test_copies_of_a_broadcast_name_its_channel(own: Mynah, open_page: Open) -> None:
    channel = own.create_channel(APP).id
    with connect(own) as connection:
        push = journal(own, broadcast(connection, own, channel).assert_accepted())
    tab = open_page(own, f"#/pushes/{push['sequence']}", permissions=["clipboard-read", "clipboard-write"])

    def copied(name: str) -> str:
        tab.page.get_by_role("button", name=name, exact=True).click()
        expect(tab.page.locator(".toast").last).to_be_visible()
        text: str = tab.page.evaluate("navigator.clipboard.readText()")
        tab.page.evaluate("document.querySelectorAll('.toast').forEach((toast) => toast.remove())")
        return text

    assert json.loads(copied("Expectation"))["match"]["channel"] == channel
    assert f"--channel {channel}" in copied("mynah expect")
    fixture = copied("Fixture")
    assert f'channels:\n  - id: "{channel}"\n    bundleId: "{APP}"\n    environment: sandbox' in fixture


def test_the_page_lists_channels_with_their_followers(own: Mynah, open_page: Open) -> None:
    tab = open_page(own, "#/connections")
    expect(tab.page.get_by_role("heading", name="No connections")).to_be_visible()
    channels = tab.page.get_by_role("table", name="Broadcast channels")
    expect(channels).to_have_count(0)
    channel = own.create_channel(APP, message_storage_policy=1).id
    other = own.create_channel("com.example.other", environment="production").id
    follow(own, channel)
    with connect(own) as connection:
        broadcast(connection, own, channel).assert_accepted()
    row = channels.get_by_role("row").filter(has_text=channel)
    for name, text in (
        ("App", APP),
        ("Environment", "sandbox"),
        ("Policy", "stores the most recent message"),
        ("Followers", "1"),
        ("Broadcasts", "1"),
    ):
        expect(row.locator(f"[data-label={name}]")).to_have_text(text)
    row = channels.get_by_role("row").filter(has_text=other)
    expect(row).to_contain_text("com.example.otherproductionstores nothing00")
    own.control.ask("DELETE", "/v1/channels")
    expect(channels).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [NARROW, PHONE, DESKTOP], ids=lambda size: str(size["width"]))
def test_channels_fit_the_screen_and_can_be_read(
    own: Mynah, open_page: Open, viewport: dict[str, int], scheme: str
) -> None:
    channel = own.create_channel(APP, message_storage_policy=1).id
    follow(own, channel)
    own.create_channel("com.example.a-company-with-quite-a-long-name.and-its-application", environment="production")
    for _ in range(PAGE):
        own.create_channel(APP)
    now = int(time.time())
    with connect(own) as connection:
        broadcast(connection, own, channel, now, str(now + 3600)).assert_accepted()
    tab = open_page(own, "#/connections", viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    for turn in ("Older channels", "Newer channels"):
        expect(tab.page.get_by_role("button", name=turn)).to_be_enabled()
        assert parts_beyond_screen(tab) == []
        assert tab.width_beyond_screen() == 0
        assert tab.nameless_controls() == []
        assert pale_texts(tab) == []
        tab.page.get_by_role("button", name=turn).click()
        if turn == "Older channels":
            expect(table(tab).get_by_role("row").filter(has_text=channel)).to_contain_text("one until")


def test_more_channels_than_a_page_has_are_turned_over(own: Mynah, open_page: Open) -> None:
    channels = [own.create_channel(APP).id for _ in range(2 * PAGE + 5)][::-1]
    tab = open_page(own, "#/connections")
    panel = tab.page.locator(".v-channels")
    newer, older = (tab.page.get_by_role("button", name=f"{word} channels") for word in ("Newer", "Older"))

    def expect_page(text: str, shown: list[str]) -> None:
        expect(panel).to_contain_text(text)
        expect(table(tab).locator("tbody code")).to_have_text(shown)

    expect_page("1 to 100, newest first", channels[:PAGE])
    expect(panel).to_contain_text("205")
    expect(newer).to_be_disabled()
    older.click()
    expect_page("101 to 200", channels[PAGE : 2 * PAGE])
    older.click()
    expect_page("201 to 205", channels[2 * PAGE :])
    expect(older).to_be_disabled()
    newer.click()
    expect_page("101 to 200", channels[PAGE : 2 * PAGE])
    older.click()
    expect_page("201 to 205", channels[2 * PAGE :])
    # When the channels of the page are gone, the newest are shown.
    for channel in channels[2 * PAGE :]:
        own.delete_channel(channel)
    expect_page("1 to 100", channels[:PAGE])
    for channel in channels[PAGE : 2 * PAGE]:
        own.delete_channel(channel)
    expect(older).to_be_hidden()
    expect(panel).to_contain_text("100")


@pytest.mark.parametrize("viewport", [NARROW, PHONE], ids=lambda size: str(size["width"]))
def test_the_names_of_the_views_do_not_run_into_each_other(
    own: Mynah, open_page: Open, viewport: dict[str, int]
) -> None:
    tab = open_page(own, "#/connections", viewport=viewport)
    places = tab.page.evaluate(
        """[...document.querySelectorAll("nav a")].map((link) => {
            const range = document.createRange();
            range.selectNodeContents(link);
            const { left, right } = range.getBoundingClientRect();
            return [left, right];
        })"""
    )
    assert len(places) == 7
    assert all(right + 2 <= left for (_, right), (left, _) in zip(places, places[1:]))
    assert places[0][0] >= 0 and places[-1][1] <= viewport["width"]
