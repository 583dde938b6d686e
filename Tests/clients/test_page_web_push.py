"""Web pushes on the page: what is shown of one, and why one was refused."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser import Open
from server import Mynah
from web_pushes import VapidKey, WebApp, WebCase, subscribe


@pytest.fixture
def web_mynah(mynah_with: Callable[..., Mynah]) -> Mynah:
    return mynah_with("--web-push-port=0")


def push(app: WebApp, request: dict) -> dict:
    """What the journal has of a push that was sent as a case describes it."""
    reply = WebCase("", {"request": request}).request(app, app.key, VapidKey()).over_http1(app.mynah)
    return app.mynah.control.get(f"/v1/notifications/{reply.fields['apns-id']}")


def test_a_refused_web_push_lists_everything_that_is_wrong(web_mynah: Mynah, open_page: Open) -> None:
    refused = push(subscribe(web_mynah), {"claims": {"sub": "mailto:x@localhost"}, "headers": {"Topic": "s7-t0"}})
    tab = open_page(web_mynah, f"#/pushes/{refused['sequence']}")
    causes = tab.page.get_by_role("list", name="Causes").get_by_role("listitem")
    expect(causes).to_have_count(2)
    expect(causes.nth(0)).to_contain_text("BadJwtToken: sub is \"mailto:x@localhost\"")
    expect(causes.nth(0)).to_contain_text("(observed)")
    expect(causes.nth(1)).to_contain_text("BadWebPushTopic: Topic \"s7-t0\" has 5 characters")


def test_a_web_push_has_its_text_and_what_it_lacks_to_be_declarative(web_mynah: Mynah, open_page: Open) -> None:
    text = json.dumps({"web_push": 8030, "notification": {"title": "Sold out", "body": "The blue one"}})
    shown = push(subscribe(web_mynah), {"body": {"text": text}})
    tab = open_page(web_mynah, f"#/pushes/{shown['sequence']}")
    expect(tab.page.get_by_role("heading", level=1, name="Sold out")).to_be_visible()
    expect(tab.page.get_by_role("list", name="Notes on the web push")).to_contain_text("notification.navigate is missing")
    section = tab.page.get_by_role("region", name="Web push")
    expect(section).to_contain_text("mailto:push@example.com")
    expect(section).to_contain_text("60 s")


def test_a_web_app_is_called_by_its_host(web_mynah: Mynah, open_page: Open) -> None:
    app = subscribe(web_mynah)
    push(app, {})
    tab = open_page(web_mynah, f"#/devices/{app.device}")
    expect(tab.page.locator(".v-note-app").first).to_have_text(app.origin.removeprefix("https://"))
