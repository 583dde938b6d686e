"""Chromium, looking at the page of a server; its fixtures are known to every test.

Every page is watched: an error in a script, a refusal by the content security policy, or a request to anywhere else
fails the test that it happened in.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Request, Route, expect, sync_playwright

from server import Mynah
from waiting import HANG_SECONDS, until

DESKTOP = {"width": 1280, "height": 800}
WIDE = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 568}
# A page takes many steps to what a test waits for, on machines that do much else.
WAIT_SECONDS = 2 * HANG_SECONDS

# Chromium gives all requests up when an interface of the machine comes or goes, a container's for example.
NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED"

# Chromium has no window here that another could cover.
SET_HIDDEN = """(isHidden) => {
    Object.defineProperty(document, "hidden", {get: () => isHidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""

Open = Callable[..., "Tab"]


class Tab:
    """A tab that shows a server's page, and what happened in it."""

    def __init__(self, context: BrowserContext, mynah: Mynah) -> None:
        self.mynah = mynah
        self.page: Page = context.new_page()
        self.requests: list[str] = []
        self._open_requests: set[Request] = set()
        self.errors: list[str] = []
        self.network_changes = 0
        # What a test provokes on purpose: parts of messages that are no failure.
        self.expected_errors: list[str] = []
        self.page.on("request", self._note_request)
        for end in ("requestfinished", "requestfailed"):
            self.page.on(end, self._note_end)
        self.page.on("pageerror", lambda error: self.errors.append(f"script: {error}"))
        self.page.on("console", self._note_message)

    def _note_request(self, request: Request) -> None:
        self.requests.append(request.url)
        self._open_requests.add(request)

    def _note_end(self, request: Request) -> None:
        self._open_requests.discard(request)

    def _note_message(self, message: Any) -> None:
        if NETWORK_CHANGED in message.text:
            self.network_changes += 1
        elif message.type in ("error", "warning"):
            self.errors.append(f"console: {message.text} ({message.location.get('url')})")

    def goto(self, fragment: str = "#/") -> Tab:
        """Opens the page at a place, and waits until it is connected and its view is there."""
        self.load(lambda: self.page.goto(f"{self.mynah.control_url}/{fragment}"))
        expect(self.page.locator(".link")).to_have_text(re.compile("^(Live|Recorded .+)$"))
        expect(self.page.locator("main[aria-label]")).to_be_visible()
        return self

    def load(self, load: Callable[[], object]) -> None:
        """Loads the page, and again when the machine's network changed meanwhile."""
        changes = self.network_changes
        try:
            load()
        except Error as error:
            if NETWORK_CHANGED not in error.message:
                raise
            self.network_changes += 1
        if self.network_changes > changes:
            self.load(self.page.reload)

    def set_hidden(self, is_hidden: bool) -> None:
        """Tells the page that another tab covers it, or no longer does."""
        self.page.evaluate(SET_HIDDEN, is_hidden)

    def rest(self) -> None:
        """Hides the page until it has given its connection back, and nothing that it asked for is on its way.

        Its clock must have been installed before it was loaded.
        """
        self.set_hidden(True)
        self.page.clock.fast_forward("01:00")
        expect(self.page.locator(".link")).to_have_text("Resting")
        # Playwright reports requests only while it is asked something.
        until(lambda: self.page.evaluate("true") and not self._open_requests, "no request of a resting page")

    def without_events(self) -> None:
        """Takes the stream of events away, as from a server that has none."""
        self.expected_errors.append("404")
        problem = {"status": 404, "title": "Not found"}
        self.page.route("**/v1/events", lambda route: route.fulfill(status=404, json=problem))

    def meanwhile(self, url: str, act: Callable[[], object]) -> list[Route]:
        """Does something, once, while the server's next answer to such a request is on its way to the page.

        What is returned has the request as soon as that is done.
        """
        done: list[Route] = []

        def hold(route: Route) -> None:
            if done:
                route.fallback()
                return
            done.append(route)
            answer = route.fetch()
            try:
                act()
            except AssertionError as error:
                # Raised here, it would be the failure of whatever the browser is asked next.
                self.errors.append(f"meanwhile: {error}")
            route.fulfill(response=answer)

        self.page.route(url, hold)
        return done

    @property
    def foreign_requests(self) -> list[str]:
        """What was asked of anybody but the server."""
        own = urlsplit(self.mynah.control_url).netloc
        return [url for url in self.requests if urlsplit(url).netloc != own and not url.startswith("data:")]

    @property
    def failures(self) -> list[str]:
        """What went wrong unexpectedly."""
        return [text for text in self.errors if not any(part in text for part in self.expected_errors)]

    def width_beyond_screen(self) -> int:
        """By how many pixels the content is wider than the screen."""
        beyond: int = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return max(0, beyond)

    def nameless_controls(self) -> list[str]:
        """Controls, landmarks and images that a screen reader has no name for."""
        found: list[str] = self.page.evaluate(NAMELESS_CONTROLS)
        return found

    def pale_texts(self) -> list[str]:
        """Texts whose contrast with what is behind them is less than 4.5 to 1 (WCAG 2.2, 1.4.3)."""
        found: list[str] = self.page.evaluate(PALE_TEXTS)
        return found


# Accessible names by what this page uses of the rules (W3C, Accessible Name and Description Computation).
NAMELESS_CONTROLS = """() => {
    const textOf = (ids) => (ids ?? "").split(/\\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join("");
    const isShown = (element) => element.checkVisibility({visibilityProperty: true});
    const nameOf = (element) => (
        element.getAttribute("aria-label")
        || textOf(element.getAttribute("aria-labelledby"))
        || [...(element.labels ?? [])].map((label) => label.textContent).join("")
        || (element.matches("input, select, textarea, [role=listbox], [role=grid], nav, main, dialog, table")
            ? "" : element.textContent)
        || (element.querySelector("caption")?.textContent ?? "")
    ).trim();
    const controls = "a[href], button, input, select, textarea, summary, dialog, nav, main, [tabindex='0'], [role=button], "
        + "[role=switch], [role=tab], [role=option], [role=listbox], [role=grid], [role=row], [role=combobox], "
        + "[role=region]";
    const found = [...document.querySelectorAll(controls)]
        .filter((element) => isShown(element) && !element.closest("[aria-hidden=true]") && !nameOf(element));
    const images = [...document.querySelectorAll("img:not([alt]), svg:not([aria-hidden=true]):not([aria-label])")];
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    const doubled = [...document.querySelectorAll("[id]")].filter(
        (element) => ids.indexOf(element.id) !== ids.lastIndexOf(element.id));
    return [...found, ...images, ...doubled].map((element) => element.cloneNode(false).outerHTML);
}"""

# Backgrounds of this page are plain colours; a disabled control need not be readable.
PALE_TEXTS = """() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = (rgb) => rgb.slice(0, 3).map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
    const behind = (element) => {
        for (let one = element; one; one = one.parentElement) {
            const color = channels(getComputedStyle(one).backgroundColor);
            if (color.length < 4 || color[3] > 0) return color;
        }
        return [255, 255, 255];
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const pale = new Set();
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const text = walker.currentNode.data.trim();
        if (!text || !element.checkVisibility({visibilityProperty: true}) || element.closest(":disabled")) continue;
        const [light, dark] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))]
            .sort((one, other) => other - one);
        const ratio = (light + 0.05) / (dark + 0.05);
        if (ratio < 4.5) pale.add(`${text.slice(0, 30)} (${element.className}): ${ratio.toFixed(2)}`);
    }
    return [...pale];
}"""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a worker."""
    # The shell has the same engine without windows, and takes half the time.
    programs = ("chromium-headless-shell", "chromium")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, programs)), None)
    assert program, "Chromium is not installed: apt-get install chromium-headless-shell"
    expect.set_options(timeout=WAIT_SECONDS * 1000)
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not work for root, and these pages are ours.
        # Names below .example lead to this machine, for pages of others.
        args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        args.append("--host-resolver-rules=MAP *.example 127.0.0.1")
        browser = playwright.chromium.launch(executable_path=program, args=args)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Opens the page of a server in a window of its own: `open_page(mynah, "#/pushes", viewport=PHONE)`."""
    contexts: list[BrowserContext] = []
    tabs: list[Tab] = []

    def open_tab(mynah: Mynah, fragment: str | None = "#/", **options: Any) -> Tab:
        context = chromium.new_context(**({"viewport": DESKTOP, "locale": "en-GB"} | options))
        context.set_default_timeout(WAIT_SECONDS * 1000)
        contexts.append(context)
        tabs.append(Tab(context, mynah))
        return tabs[-1] if fragment is None else tabs[-1].goto(fragment)

    yield open_tab
    failures = [failure for tab in tabs for failure in tab.failures]
    foreign = [url for tab in tabs for url in tab.foreign_requests]
    for context in contexts:
        context.close()
    assert not failures, failures
    assert not foreign, foreign
