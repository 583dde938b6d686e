"""Every view of the page, examined by axe-core: in light and dark, on a phone and on a desk."""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser import DESKTOP, PHONE, Open, Tab
from conftest import unique_token
from devices import add_device, token_of
from h2client import connect
from pushes import alert, push
from server import Mynah
from test_failed_handshakes import fail_in_plaintext

# Each place, and what is there once it is filled; {push} and {device} are those of the test.
PLACES = {
    "pushes": ".row-item:visible",
    "pushes?q=nothing-like-this": ".feed-empty h2",
    "pushes/{push}": ".detail .timeline",
    "pushes/+new": ".compose form",
    "devices": ".v-devices li",
    "devices/{device}": ".v-phone .v-note",
    "devices/+new": ".v-main form",
    "faults": ".v-rule",
    "faults/+new": ".v-rule-form",
    "faults/+edit/slow": ".v-rule-form",
    "faults/scenarios": ".v-rule",
    "faults/magic-tokens": ".v-table tbody tr",
    "connections": ".v-past:visible tbody tr",
    "clock": ".v-clock-time:not(:empty)",
    "connect": ".v-snippet",
    "api/listDevices": ".v-operation[open] form",
}


def violations(tab: Tab) -> list[str]:
    """What axe-core finds wrong: the rule, then the elements."""
    if not tab.page.evaluate("'axe' in window"):
        tab.page.evaluate((importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text())
    found: dict[str, Any] = tab.page.evaluate("axe.run({resultTypes: ['violations']})")
    return [f"{one['id']}: {node['html']}" for one in found["violations"] for node in one["nodes"]]


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    own_mynah: Callable[..., Mynah], open_page: Open, viewport: dict[str, int], scheme: str
) -> None:
    mynah = own_mynah()
    device = add_device(mynah)
    mynah.control.post("/v1/devices", {"id": "fleet", "count": 3})
    sequence = push(mynah, token_of(device), alert("Hello", "from the test"))
    push(mynah, unique_token(), b"no JSON", further=[("apns-priority", "7")])
    slow = {"id": "slow", "match": {"topic": "a.b"}, "action": {"type": "pass", "delay": "1s"}}
    mynah.control.post("/v1/faults", slow)
    mynah.control.post("/v1/faults", slow | {"id": "off", "name": "Switched off", "enabled": False})
    mynah.control.post("/v1/channels", {"bundleId": "com.example.app"})
    fail_in_plaintext(mynah)
    tab = open_page(mynah, viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    found = []
    with connect(mynah) as connection:
        connection.push(unique_token())
        for place, ready in PLACES.items():
            tab.goto("#/" + place.format(push=sequence, device=device["id"]))
            expect(tab.page.locator(ready).first).to_be_visible()
            found += [f"{place}: {one}" for one in violations(tab)]
    tab.page.get_by_role("button", name="Keyboard shortcuts").click()
    found += [f"help: {one}" for one in violations(tab)]
    assert found == []


def test_axe_finds_a_mistake(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah)
    tab.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert violations(tab) == ["button-name: <button></button>"]
