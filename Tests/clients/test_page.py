"""The page in the browser: that it stays at home, its token, its themes, its width, its names for screen readers."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser import DESKTOP, PHONE, WIDE, Open
from conftest import unique_token
from devices import add_device, token_of
from h2client import tls_channel
from pushes import alert, push
from server import Mynah
from views import pale_texts

SECRET = "s3cret with a space & a sign"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def test_nothing_is_asked_of_anybody_else(mynah: Mynah, open_page: Open, token: str) -> None:
    push(mynah, token, alert("Hello", "from https://example.com/picture.png"))
    tab = open_page(mynah, f"#/pushes?q=token:{token}")
    tab.page.get_by_role("option").first.click()
    expect(tab.page.get_by_role("heading", level=1, name="Hello")).to_be_visible()
    assert tab.foreign_requests == []
    names = tab.page.evaluate("performance.getEntriesByType('resource').map((entry) => new URL(entry.name).origin)")
    assert set(names) == {mynah.control_url}
    assert tab.page.context.cookies() == []


def test_the_policy_holds_in_the_browser(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah)
    tab.expected_errors += ["Content Security Policy"]
    outcome = tab.page.evaluate(
        """async () => {
            const script = document.createElement("script");
            script.textContent = "window.hasRun = true";
            document.body.append(script);
            const other = await fetch("https://example.com/").then(() => "answered", () => "refused");
            return [window.hasRun ?? false, other];
        }"""
    )
    assert outcome == [False, "refused"]


def test_a_token_in_the_address_is_taken_out_of_it(
    own_mynah: Callable[..., Mynah], open_page: Open
) -> None:
    mynah = own_mynah("--control-token", SECRET)
    tab = open_page(mynah, f"#token={SECRET.replace(' ', '%20').replace('&', '%26')}&/pushes?q=text:hello")
    assert tab.page.url == f"{mynah.control_url}/#/pushes?q=text:hello"
    assert tab.page.evaluate("[history.length > 2, document.cookie, JSON.stringify(localStorage)]") == [False, "", "{}"]
    assert SECRET not in tab.page.content()
    assert not any("s3cret" in url for url in tab.requests)
    tab.load(tab.page.reload)
    expect(tab.page.locator(".link")).to_have_text("Live")
    expect(tab.page.get_by_role("dialog")).to_have_count(0)


def test_a_page_without_the_token_asks_for_it(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah("--control-token", SECRET)
    tab = open_page(mynah, None)
    tab.expected_errors += ["401"]
    tab.load(lambda: tab.page.goto(mynah.control_url))
    dialog = tab.page.get_by_role("dialog", name="This server needs a control token")
    dialog.get_by_label("Token").fill("wrong")
    tab.page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("is not correct")
    # It comes again, empty, when it is dismissed.
    dialog.get_by_label("Token").fill("dismissed")
    tab.page.keyboard.press("Escape")
    expect(dialog.get_by_label("Token")).to_have_value("")
    dialog.get_by_label("Token").fill(SECRET)
    dialog.get_by_role("button", name="Open").click()
    expect(dialog).to_have_count(0)
    expect(tab.page.locator(".link")).to_have_text("Live")
    expect(tab.page.get_by_role("heading", name="Waiting for the first push")).to_be_visible()


def test_an_empty_server_says_what_to_do(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    tab = open_page(mynah)
    steps = tab.page.get_by_role("region", name="First steps")
    expect(steps).to_contain_text(f"localhost:{mynah.port}")
    expect(steps).to_contain_text(mynah.key_id)
    expect(steps).to_contain_text(f"mynah send --url {mynah.control_url}")
    expect(steps.get_by_role("link", name="ca.pem")).to_have_attribute("href", "/ca.pem")
    expect(steps).to_contain_text("Troubleshooting")
    push(mynah, unique_token(), alert("The first one"))
    expect(tab.page.get_by_role("option")).to_contain_text("The first one")
    expect(steps).to_have_count(0)


@pytest.mark.parametrize("view", ["pushes", "connections"])
def test_a_failed_handshake_is_told_with_its_cure(
    own_mynah: Callable[..., Mynah], open_page: Open, view: str
) -> None:
    """The first error of most people: their client does not know the CA."""
    mynah = own_mynah()
    tab = open_page(mynah, f"#/{view}")
    notice = tab.page.locator(".handshakes")
    empty = {"pushes": "Waiting for the first push", "connections": "No connections"}
    expect(tab.page.get_by_role("heading", name=empty[view])).to_be_visible()
    expect(notice).to_be_hidden()
    for number in (1, 2):
        with pytest.raises(ssl.SSLCertVerificationError):
            tls_channel(mynah, context=ssl.create_default_context())
        expect(notice).to_contain_text(f"{number} TLS handshake{'s' if number > 1 else ''} failed")
    expect(notice).to_contain_text("does not trust the server's certificate")
    expect(notice).to_contain_text(str(mynah.ca_file))
    expect(notice.get_by_role("link", name="ca.pem")).to_have_attribute("href", "/ca.pem")
    mynah.control.post("/v1/reset", {})
    expect(notice).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_systems_until_one_is_chosen(mynah: Mynah, open_page: Open, scheme: str) -> None:
    tab = open_page(mynah, color_scheme=scheme)
    other = "dark" if scheme == "light" else "light"
    own = tab.page.evaluate(BACKGROUND)
    button = tab.page.get_by_role("button", name="Theme")
    expect(button).to_have_accessible_name("Theme: system")
    while button.get_attribute("aria-label") != f"Theme: {other}":
        button.click()
    chosen = tab.page.evaluate(BACKGROUND)
    assert chosen != own
    tab.load(tab.page.reload)
    expect(button).to_have_accessible_name(f"Theme: {other}")
    assert tab.page.evaluate(BACKGROUND) == chosen
    tab.page.emulate_media(color_scheme="dark" if other == "light" else "light")
    assert tab.page.evaluate(BACKGROUND) == chosen


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP, WIDE], ids=lambda size: str(size["width"]))
def test_no_width_needs_horizontal_scrolling(mynah: Mynah, open_page: Open, viewport: dict[str, int]) -> None:
    device = add_device(mynah, id="a-device-with-quite-a-long-name-" + unique_token()[:20])
    sequence = push(mynah, token_of(device), alert("W" * 300, "unbroken" * 200), further=[("x-long", "y" * 900)])
    tab = open_page(mynah, "#/pushes", viewport=viewport)
    expect(tab.page.get_by_role("option").first).to_be_visible()
    assert tab.width_beyond_screen() == 0
    # As wide as the line of counts ever is.
    counts = tab.page.locator(".feed-counts")
    counts.evaluate("(line) => { line.textContent = '1,000,000 of 1,000,000 pushes'; }")
    assert tab.width_beyond_screen() == 0
    tab.goto(f"#/pushes/{sequence}")
    expect(tab.page.get_by_role("article").get_by_role("heading", level=1)).to_be_visible()
    assert tab.width_beyond_screen() == 0
    # Neither does a part scroll sideways, apart from code and tables.
    wide = tab.page.evaluate(
        """[...document.querySelectorAll("body *")]
            .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
                && ["auto", "scroll"].includes(getComputedStyle(element).overflowX)
                && !element.matches("pre, .table-wrap, nav"))
            .map((element) => element.className)"""
    )
    assert wide == []


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=lambda size: str(size["width"]))
def test_every_control_has_a_name(mynah: Mynah, open_page: Open, viewport: dict[str, int]) -> None:
    sequence = push(mynah, unique_token(), alert("Named"))
    tab = open_page(mynah, "#/pushes?q=nothing-like-this", viewport=viewport)
    assert tab.nameless_controls() == []
    tab.goto(f"#/pushes/{sequence}")
    expect(tab.page.get_by_role("heading", level=1, name="Named")).to_be_visible()
    assert tab.nameless_controls() == []
    tab.goto("#/pushes")
    expect(tab.page.get_by_role("option").first).to_be_visible()
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("out")
    expect(tab.page.get_by_role("option", name="outcome:")).to_be_visible()
    assert tab.nameless_controls() == []
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("?")
    expect(tab.page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    assert tab.nameless_controls() == []
    for landmark in ("main", "navigation", "search"):
        assert tab.page.get_by_role(landmark, include_hidden=True).count() == 1, landmark


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(mynah: Mynah, open_page: Open, scheme: str) -> None:
    sequence = push(mynah, unique_token(), alert("Readable", "in both themes"), further=[("apns-priority", "5")])
    push(mynah, "00fc", b"no json", push_type=None)
    push(mynah, token_of(add_device(mynah, online=False)), alert("Stored"))
    tab = open_page(mynah, f"#/pushes/{sequence}", color_scheme=scheme, reduced_motion="reduce")
    expect(tab.page.get_by_role("heading", level=1, name="Readable")).to_be_visible()
    assert pale_texts(tab) == []
    tab.goto("#/pushes?q=nothing-like-this")
    expect(tab.page.get_by_role("heading", name="No push matches")).to_be_visible()
    assert pale_texts(tab) == []
    tab.page.evaluate("document.querySelector('h2').style.color = '#999'")
    assert len(pale_texts(tab)) == (1 if scheme == "light" else 0)


def test_a_nameless_control_is_found(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah)
    tab.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert tab.nameless_controls() == ["<button></button>"]


@pytest.mark.parametrize("place", ["pushes", "devices", "faults", "connections", "clock", "connect", "api"])
def test_nothing_moves_for_ever(mynah: Mynah, open_page: Open, place: str) -> None:
    """An animation without an end has Chromium draw without one: a tenth of a core, beside what is being tested."""
    tab = open_page(mynah, f"#/{place}")
    ends = tab.page.evaluate("document.getAnimations().map((each) => each.effect.getComputedTiming().endTime)")
    assert float("inf") not in ends


def test_less_motion_is_respected(mynah: Mynah, open_page: Open) -> None:
    longest = """Math.max(...[...document.querySelectorAll("*")].map(
        (element) => parseFloat(getComputedStyle(element).transitionDuration)))"""
    assert open_page(mynah).page.evaluate(longest) > 0.05
    assert open_page(mynah, reduced_motion="reduce").page.evaluate(longest) == 0
