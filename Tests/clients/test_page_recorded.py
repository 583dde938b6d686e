"""The page over a recorded run: what can be changed on a server that runs is not there, and the slider moves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser import DESKTOP, NARROW, Open, Tab
from commandline import Serve
from h2client import connect
from server import Mynah
from test_data import TOPIC, Start, fill, start
from test_failed_handshakes import fail_in_plaintext
from test_open import Opened
from test_page_accessibility import PLACES, violations
from views import pale_texts, parts_beyond_screen

__all__ = ["start"]

# What a recorded run has where a server that runs has something else.
READY = {"connect": "tbody code", "connections": ".v-channels:visible"}
# What changes nothing on the server, though it is no GET.
READING = {"/v1/expectations", "/v1/recorded"}
CONTROLS = ", ".join(f"{element}:enabled:visible" for element in ("button", "input", "select", "textarea"))
WITHHELD = "[data-withheld], [title^='Read-only: ']"


# Keeps the calls that the page makes, but for its stream of events.
NOTE_CALLS = """
    const own = window.fetch;
    window.calls = [];
    window.fetch = (address, ...rest) => {
        const call = own(address, ...rest);
        if (!String(address).endsWith("/v1/events")) window.calls.push(call);
        return call;
    };
"""


# Uses the controls that the page keeps, from one on, each once all calls are answered that the one before it made: until
# a dialog is open, or the page is elsewhere. What is the next one, whether there is a dialog, and where the page is.
USE_CONTROLS = """async ([first, stays]) => {
    let index = first;
    let dialog = null;
    while (index < controls.length && !dialog && (!stays || location.hash === stays)) {
        const control = controls[index++];
        if (control.isConnected && control.matches("button, [type=checkbox], [type=radio]")) {
            for (const field of control.form?.querySelectorAll(":required") ?? []) field.value ||= "kim";
            control.click();
        } else if (control.isConnected) {
            if (!control.matches("select") && !control.value) control.value = "1";
            for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true }));
        }
        await new Promise((done) => setTimeout(done));
        await Promise.allSettled(calls);
        dialog = document.querySelector("dialog");
    }
    return [index, dialog !== null, location.hash];
}"""


@pytest.fixture
def recorded(start: Start, tmp_path: Path, serve: Serve) -> Opened:
    """A run with some of everything."""
    mynah = start()
    make_everything(mynah)
    mynah.stop()
    return Opened(serve, str(tmp_path / "data"))


def make_everything(mynah: Mynah) -> None:
    fill(mynah)
    control = mynah.control
    action = {"id": "READ", "title": "Mark as read"}
    app = {"topic": TOPIC, "categories": [{"id": "MESSAGE", "actions": [action]}]}
    token = control.put("/v1/devices/kim", {"registrations": [app]})["registrations"][0]["token"]
    with connect(mynah) as connection:
        for number in range(3):
            alert = {"title": f"Headline {number}", "body": "It rains"}
            connection.push(token, json.dumps({"aps": {"alert": alert, "category": "MESSAGE"}}).encode())
    activity = {"topic": f"{TOPIC}.push-type.liveactivity", "attributesType": "Game", "contentState": {"score": "1:0"}}
    control.post("/v1/devices/kim/activities", activity)
    fail_in_plaintext(mynah)
    # Its rules end handshakes.
    control.post("/v1/scenarios", {"name": control.get("/v1/scenarios", {"shipped": "true"})["items"][0]["name"]})


def places(mynah: Any) -> dict[str, str]:
    """Each place of the page by its address, and what is there once it is filled."""
    push = mynah.control.get("/v1/notifications", {"order": "desc", "limit": 1})["items"][0]["sequence"]
    return {place.format(push=push, device="kim"): ready for place, ready in PLACES.items()}


def recorded_places(opened: Opened) -> dict[str, str]:
    """The same of a recorded run, where the address of a form leads to the view that has it."""
    return {
        place: READY.get(place) or PLACES[place.partition("/+")[0]] if "/+" in place else READY.get(place, ready)
        for place, ready in places(opened).items()
    }


def show(tab: Tab, place: str, ready: str) -> None:
    """Opens a place with all its sections."""
    tab.goto(f"#/{place}")
    expect(tab.page.locator(ready).first).to_be_visible()
    tab.page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    # The operations of the API's view get their forms then.
    expect(tab.page.locator(".v-operation:not(:has(.v-command))")).to_have_count(0)


def show_controls(tab: Tab, place: str, ready: str) -> int:
    """Opens a place, and lets the page keep the controls that can be used there; how many they are."""
    show(tab, place, ready)
    count: int = tab.page.locator(CONTROLS).evaluate_all("(controls) => (window.controls = controls).length")
    return count


def use_controls(tab: Tab, place: str, ready: str) -> int:
    """Uses each control of a place; how many they are."""
    count = show_controls(tab, place, ready)
    address = tab.page.evaluate("location.hash")
    # Each operation of the API's view has an address of its own, and all are there at each of them.
    stays = None if place.startswith("api") else address
    index = 0
    while index < count:
        index, is_dialog_open, reached = tab.page.evaluate(USE_CONTROLS, [index, stays])
        if is_dialog_open:
            tab.page.keyboard.press("Escape")
            reached = tab.page.evaluate("location.hash")
        if stays and reached != stays:
            count = show_controls(tab, place, ready)
    return index


def test_no_control_is_there_that_would_be_refused(recorded: Opened, open_page: Open) -> None:
    tab = open_page(recorded, None)  # type: ignore[arg-type]
    tab.page.add_init_script(NOTE_CALLS)
    # Devices that calls of the API's view name are unknown, for instance.
    tab.expected_errors += ["400 (", "404 ("]
    answers: list[tuple[str, int, str]] = []
    tab.page.on(
        "response", lambda answer: answers.append((answer.request.method, answer.status, answer.url))
    )
    last = recorded.control.get("/v1/status")["recorded"]["last"]["sequence"]
    used: dict[str, int] = {}
    for place, ready in recorded_places(recorded).items():
        used[place] = use_controls(tab, place, ready)
        recorded.control.put("/v1/recorded", {"sequence": last})
    assert min(used.values()) >= 3, used
    views = tab.page.locator("nav a").evaluate_all("(links) => links.map((link) => link.hash.slice(2))")
    assert set(views) == {re.split("[/?]", place)[0] for place in used}
    assert [answer for answer in answers if answer[1] == 409] == []
    assert [
        answer for answer in answers
        if answer[0] != "GET" and not any(path in answer[2] for path in READING)
    ] == []
    # All calls were tried that the run answers.
    assert sum("/v1/expectations" in url for _, _, url in answers) == 1


def test_the_keys_that_change_something_do_nothing(recorded: Opened, open_page: Open) -> None:
    tab = open_page(recorded, "#/devices/kim")  # type: ignore[arg-type]
    requests: list[str] = []
    tab.page.on("request", lambda request: requests.append(request.method))
    note = tab.page.locator(".v-note-face").first
    for key in ["Delete", "Backspace"]:
        note.press(key)
    tab.goto("#/pushes")
    for key in ["n", "p"]:
        tab.page.keyboard.press(key)
    expect(tab.page.get_by_role("option").first).to_be_visible()
    expect(tab.page.get_by_role("region", name="Send a push")).to_be_hidden()
    assert set(requests) == {"GET"}
    tab.page.keyboard.press("?")
    expect(tab.page.get_by_text("Open a view")).to_be_visible()
    expect(tab.page.get_by_text("Send a push")).to_be_hidden()


def test_a_server_that_runs_has_every_control(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    make_everything(mynah)
    mynah.control.post("/v1/faults", {"id": "slow", "action": {"type": "pass", "delay": "1s"}})
    tab = open_page(mynah)
    for place, ready in places(mynah).items():
        show(tab, place, ready)
        assert tab.page.locator(WITHHELD).count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [NARROW, DESKTOP], ids=lambda size: str(size["width"]))
def test_a_recorded_run_fits_the_screen_and_can_be_read(
    recorded: Opened, open_page: Open, viewport: dict[str, int], scheme: str
) -> None:
    tab = open_page(recorded, viewport=viewport, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    found = []
    for place, ready in recorded_places(recorded).items():
        tab.goto(f"#/{place}")
        expect(tab.page.locator(ready).first).to_be_visible()
        found += [f"{place}: {one}" for one in violations(tab) + parts_beyond_screen(tab) + pale_texts(tab)]
        assert tab.width_beyond_screen() == 0
    assert found == []


def test_the_page_says_that_it_shows_a_recorded_run(recorded: Opened, open_page: Open) -> None:
    run = recorded.control.get("/v1/status")["recorded"]
    last = run["last"]["sequence"]
    tab = open_page(recorded, timezone_id="UTC")  # type: ignore[arg-type]
    expect(tab.page.locator(".link")).to_have_text(f"Recorded {run['time'][11:16]}")
    bar = tab.page.get_by_role("region", name="Recorded run")
    expect(bar).to_contain_text("run.mynah, read-only")
    expect(bar).to_contain_text(f" of {last},")
    expect(bar.get_by_role("time")).to_have_text(re.compile(re.escape(run["time"][11:23]) + "$"))
    expect(bar.get_by_role("slider")).to_have_value(str(last))
    expect(bar.get_by_role("spinbutton", name="Number to go to")).to_have_value(str(last))
    tab.expected_errors.append("ERR_CONNECTION_REFUSED")
    tab.expected_errors.append("ERR_INCOMPLETE_CHUNKED_ENCODING")
    recorded.process.kill()
    expect(tab.page.locator(".link")).to_have_text("Reconnecting")


def test_the_slider_shows_what_stood_on_the_screen(
    recorded: Opened, open_page: Open
) -> None:
    pushes = recorded.control.get("/v1/notifications", {"device": "kim", "topic": TOPIC, "order": "asc"})["items"]
    headlines = {
        push["payload"]["aps"]["alert"]["title"]: push["sequence"] for push in pushes if "Headline" in str(push)
    }
    tab = open_page(recorded, "#/devices/kim")  # type: ignore[arg-type]
    # Before the device was made.
    tab.expected_errors.append("404 (")
    bar = tab.page.get_by_role("region", name="Recorded run")
    slider, number = bar.get_by_role("slider"), bar.get_by_role("spinbutton")
    notes = tab.page.get_by_role("list", name="Notifications").get_by_role("listitem")
    expect(notes.first).to_contain_text("Headline 2")
    number.fill(str(headlines["Headline 1"]))
    number.press("Enter")
    expect(notes.first).to_contain_text("Headline 1")
    expect(slider).to_have_value(str(headlines["Headline 1"]))
    expect(tab.page.locator(".v-time")).to_be_visible()
    # Key by key, back to the push before: the view stays, and so does the focus.
    for sequence in range(headlines["Headline 1"] - 1, headlines["Headline 0"] - 1, -1):
        slider.press("ArrowLeft")
        expect(number).to_have_value(str(sequence))
    expect(notes.first).to_contain_text("Headline 0")
    expect(slider).to_be_focused()
    slider.press("Home")
    expect(tab.page.get_by_role("heading", name="No device kim")).to_be_visible()
    slider.press("End")
    expect(notes.first).to_contain_text("Headline 2")
    number.fill("1000000")
    number.press("Enter")
    expect(notes.first).to_contain_text("Headline 2")
    expect(slider).to_have_value(str(recorded.control.get("/v1/status")["recorded"]["sequence"]))


def test_a_tab_follows_where_another_one_moves(recorded: Opened, open_page: Open) -> None:
    last = recorded.control.get("/v1/status")["recorded"]["last"]["sequence"]
    tab = open_page(recorded, "#/pushes")  # type: ignore[arg-type]
    expect(tab.page.get_by_role("option").first).to_be_visible()
    first = recorded.control.get("/v1/status")["recorded"]["first"]["sequence"]
    recorded.control.put("/v1/recorded", {"sequence": first})
    expect(tab.page.get_by_role("heading", name="No push yet")).to_be_visible()
    expect(tab.page.get_by_role("slider")).to_have_value(str(first))
    recorded.control.put("/v1/recorded", {"sequence": last})
    expect(tab.page.get_by_role("option").first).to_be_visible()
