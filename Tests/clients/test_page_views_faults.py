"""The page's views of faults, scenarios and magic tokens, over answers in the shapes of the control API.

What the page asks is caught on its way, so that every state is there at once, and what it would change is looked at.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from browser import DESKTOP, PHONE, Open, Tab
from devices import unique_id
from server import Mynah
from views import pale_texts, parts_beyond_screen

RULE: dict[str, Any] = {
    "id": "f-1", "name": "token purge", "scope": None, "enabled": True, "rulePriority": 0,
    "match": {
        "topic": "com.example.app", "token": {"prefix": "00"}, "payload": {"/aps/category": "NEWS"}, "event": "request"
    },
    "skip": 0, "times": None, "every": 1, "probability": 1.0, "connections": None, "keys": None, "rateOver": None, "activeFrom": None, "activeUntil": None,
    "action": {"type": "respond", "status": 410, "reason": "Unregistered", "timestamp": 1700000000000},
    "actions": None, "then": "pass", "matched": 12, "fired": 11, "remaining": None,
    "createdAt": "2026-11-21T09:30:00.123Z",
}
LIMITED = RULE | {
    "id": "f-2", "name": None, "scope": "t42", "match": {"event": "request"}, "skip": 3, "times": 10, "every": 2,
    "probability": 0.25, "rateOver": {"count": 5, "per": "1s", "by": "token"},
    "connections": {"first": 2, "every": 3, "count": None}, "action": {"type": "pass", "delay": "2s"}, "matched": 14_012, "fired": 7, "remaining": 3,
}
IN_TURN = RULE | {
    "id": "f-3", "name": None, "enabled": False, "match": {"event": "request"}, "action": None, "then": "repeat",
    "actions": [
        {"type": "respond", "status": 503, "reason": "ServiceUnavailable"}, {"type": "goaway", "reason": "Shutdown"},
    ],
}
SCENARIO = {
    "name": "brown-out", "description": "Slow, then down, then back. A good provider backs off.", "seed": None,
    "steps": [
        {"after": "0s", "add": [{"id": "slow", "action": {"type": "pass", "delay": "1s"}}], "remove": []},
        {"after": {"pushes": 100}, "add": [], "remove": ["slow"]},
    ],
}
# As it is while it runs.
RUNNING = SCENARIO | {
    "startedAt": "2026-11-21T09:30:00.123Z", "stepsDone": 1, "rules": ["slow"], "problem": None,
    "next": {"step": 1, "after": {"pushes": 100}, "at": None, "pushesLeft": 40},
}
TOKENS = [
    {"token": "badc0ffee0ddf00d" * 3 + "0410000000000001", "does": "answers 410 Unregistered", "status": 410,
     "reason": "Unregistered"},
    {"token": "badc0ffee0ddf00d" * 3 + "fa17000000000001", "does": "is never answered", "status": None, "reason": None},
]
PLACES = {"": ".v-rule", "/+new": ".v-json", "/scenarios": ".v-rule", "/magic-tokens": ".v-table tr"}


def said(mynah: Mynah, rule: dict[str, Any]) -> dict[str, Any]:
    """A rule with the words that the server has for it, unless it has others."""
    if "words" in rule:
        return dict(rule)
    made = mynah.control.post("/v1/faults", rule | {"id": unique_id("said"), "enabled": False})
    assert mynah.control.ask("DELETE", f"/v1/faults/{made['id']}").status == 200
    return rule | {"words": made["words"]}


def said_in_steps(mynah: Mynah, scenario: dict[str, Any]) -> dict[str, Any]:
    """A scenario with the server's words for its rules."""
    steps = [step | {"add": [said(mynah, rule) for rule in step["add"]]} for step in scenario["steps"]]
    return scenario | {"steps": steps}


class Faults:
    """Answers the page in place of `/v1/faults`, `/v1/scenarios` and `/v1/magic-tokens`, and keeps what it was told."""

    def __init__(self, tab: Tab, mynah: Mynah, rules: list[dict[str, Any]]) -> None:
        self.mynah = mynah
        self.rules = [said(mynah, rule) for rule in rules]
        self.calls: list[tuple[str, str, Any]] = []
        self.problem: dict[str, Any] | None = None
        self.shipped = said_in_steps(mynah, SCENARIO)
        self.running: list[dict[str, Any]] = []
        tab.page.route("**/v1/faults**", self._answer)
        tab.page.route("**/v1/scenarios**", self._answer)
        tab.page.route("**/v1/magic-tokens", self._answer)

    def _answer(self, route: Route) -> None:
        request = route.request
        path = request.url.split("/v1/")[1].split("?")[0]
        if request.method != "GET":
            self.calls.append((request.method, path, json.loads(request.post_data or "null")))
            if self.problem:
                route.fulfill(status=self.problem["status"], json=self.problem)
                return
        name = path.removeprefix("faults/")
        match request.method, path.split("/")[0]:
            case "GET", "scenarios":
                route.fulfill(json={"items": [self.shipped] if "shipped=true" in request.url else self.running})
            case "POST", "scenarios":
                self.running = [said_in_steps(self.mynah, RUNNING)]
                route.fulfill(status=201, json=self.running[0])
            case "DELETE", "scenarios":
                self.running = []
                route.fulfill(json={"removed": {"scenarios": 1, "faults": 1}})
            case "GET", "magic-tokens":
                route.fulfill(json={"items": TOKENS})
            case "GET", _ if name != path:
                route.fulfill(json=next(rule for rule in self.rules if rule["id"] == name))
            case "GET", _:
                route.fulfill(json={"items": self.rules})
            case "DELETE", _:
                self.rules = [rule for rule in self.rules if name != path and rule["id"] != name]
                route.fulfill(json={"removed": {"faults": 1}})
            case "PATCH", _:
                self.rules = [rule | self.calls[-1][2] if rule["id"] == name else rule for rule in self.rules]
                route.fulfill(json={})
            case _:
                made = said(self.mynah, {"match": {}} | self.calls[-1][2])
                self.rules.append(RULE | {"id": "new", "name": None} | made)
                route.fulfill(status=201, json=self.rules[-1])


def open_faults(
    open_page: Open, mynah: Mynah, place: str = "", rules: list[dict[str, Any]] | None = None, **options: Any
) -> tuple[Tab, Faults]:
    tab = open_page(mynah, None, **options)
    faults = Faults(tab, mynah, [RULE, LIMITED, IN_TURN] if rules is None else rules)
    tab.goto(f"#/faults{place}")
    return tab, faults


def test_rules_are_told_in_words_with_their_counters(mynah: Mynah, open_page: Open) -> None:
    tab, _ = open_faults(open_page, mynah)
    rows = tab.page.get_by_role("list", name="Fault rules").get_by_role("listitem")
    for words in ("token purge", "answers 410 Unregistered", "topic com.example.app", "token begins with 00",
                  "payload /aps/category NEWS"):
        expect(rows.nth(0)).to_contain_text(words)
    expect(rows.nth(0).locator("dd")).to_have_text(["12", "11"])
    for words in ("Answers 2s late", "scope t42", "not the first 3", "every 2nd", "25 % of them", "at most 10 times",
                  "above 5 per 1s and token", "on the 2nd of every 3 connections that it meets"):
        expect(rows.nth(1)).to_contain_text(words)
    expect(rows.nth(1).locator("dd")).to_have_text(["14,012", "7", "3"])
    expect(rows.nth(2)).to_contain_text("answers 503 ServiceUnavailable; GOAWAY Shutdown; and then from the first again")
    expect(rows.nth(2).get_by_role("switch")).not_to_be_checked()


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"type": "goaway", "code": "NO_ERROR", "reason": "Shutdown", "lastStreamId": "lower", "twoStep": True,
          "frames": 1, "close": "afterStreams", "afterPushes": 100},
         "GOAWAY Shutdown, at every 100th push of a connection, lastStreamId lower, twoStep"),
        ({"type": "respond", "status": 503, "reason": "ServiceUnavailable", "answerHeaders": {"retry-after": "5"},
          "deliver": True}, "Answers 503 ServiceUnavailable, with retry-after: 5, and is delivered anyway"),
        ({"type": "respond", "status": 502, "body": "<html>", "answerHeaders": {"apns-id": None}},
         "Answers 502, without apns-id, body <html>"),
        ({"type": "throttle", "bytesPerSecond": 5, "chunk": 2}, "Sends 5 bytes per second, chunk 2"),
        ({"type": "close", "how": "rst", "afterPushes": 3}, "TCP reset, at every 3rd push of a connection"),
        ({"type": "tls", "alert": "unknown_ca", "when": "afterHandshake"}, "TLS alert unknown_ca, when afterHandshake"),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)  # fmt: skip
def test_all_of_an_action_is_told(mynah: Mynah, open_page: Open, action: dict[str, Any], words: str) -> None:
    tab, _ = open_faults(open_page, mynah, rules=[RULE | {"name": None, "match": {}, "action": action}])
    expect(tab.page.locator("[data-rule] strong")).to_have_text(words)


def test_a_rule_is_put_out_of_force(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah)
    tab.page.get_by_role("switch", name="Rule f-1 is enabled").uncheck()
    expect(tab.page.locator("[data-rule='f-1'].v-off")).to_be_visible()
    assert faults.calls == [("PATCH", "faults/f-1", {"enabled": False})]


def test_one_rule_and_all_rules_are_removed(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah)
    tab.page.get_by_role("button", name="Remove rule f-1").click()
    expect(tab.page.locator("[data-rule]")).to_have_count(2)
    tab.page.get_by_role("button", name="Remove all").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Remove all").click()
    expect(tab.page.get_by_role("heading", name="No fault rules")).to_be_visible()
    assert faults.calls == [("DELETE", "faults/f-1", None), ("DELETE", "faults", None)]


def test_a_rule_is_added_from_a_preset(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah, rules=[])
    tab.page.get_by_role("link", name="Add rule").click()
    tab.page.get_by_label("Fault", exact=True).select_option("410")
    tab.page.get_by_label("Token begins with").fill("00fc")
    tab.page.get_by_label("Maximum number of times").fill("3")
    tab.page.get_by_label("Topic").fill("com.example.app")
    tab.page.get_by_label("Topic").fill("")
    tab.page.get_by_role("button", name="Add rule").click()
    expect(tab.page.locator("[data-rule='new']")).to_contain_text("Answers 410 Unregistered")
    action = {"type": "respond", "status": 410, "reason": "Unregistered"}
    assert faults.calls == [
        ("POST", "faults", {"action": action, "match": {"token": {"prefix": "00fc"}}, "times": 3})
    ]


def test_a_handshake_has_no_token_to_match(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah, "/+new", rules=[])
    tab.page.get_by_label("Fault", exact=True).select_option("tls-expired")
    expect(tab.page.get_by_label("Token begins with")).to_have_count(0)
    tab.page.get_by_role("button", name="Add rule").click()
    expect(tab.page.locator("[data-rule='new']")).to_be_visible()
    assert faults.calls[0][2] == {"match": {"event": "handshake"}, "action": {"type": "tls", "certificate": "expired"}}


def test_what_is_wrong_with_a_rule_is_said_at_its_field_and_line(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah, "/+new")
    tab.expected_errors += ["status of 400"]
    detail = "0 is not valid: expected a whole number from 1"
    faults.problem = {"type": "about:blank", "title": "Wrong", "status": 400, "detail": detail, "field": "/times"}
    tab.page.get_by_label("Maximum number of times").fill("0")
    tab.page.get_by_role("button", name="Add rule").click()
    expect(tab.page.get_by_label("Maximum number of times")).to_have_accessible_description(detail)
    expect(tab.page.get_by_role("alert").filter(has_text=f"Line 7: {detail}")).to_be_visible()
    # As JSON, the place is marked at its line, however deep it is.
    faults.problem |= {"field": "/actions/1/status"}
    editor = tab.page.get_by_label("The rule as JSON")
    rule = {"actions": [{"type": "stall"}, {"type": "respond", "status": 1}]}
    editor.fill(json.dumps(rule, indent=2))
    tab.page.get_by_role("button", name="Add rule").click()
    expect(tab.page.get_by_role("alert").filter(has_text="Line 8")).to_be_visible()
    editor.fill('{"action": ')
    tab.page.get_by_role("button", name="Add rule").click()
    expect(tab.page.get_by_role("alert").filter(has_text="invalid JSON")).to_be_visible()
    assert len(faults.calls) == 2


def test_only_what_is_changed_of_a_rule_is_sent(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah)
    tab.page.get_by_role("link", name="Edit rule f-1").click()
    # What a rule has without being told is not shown.
    editor = tab.page.get_by_label("The rule as JSON")
    expect(editor).not_to_have_value("")
    assert json.loads(editor.input_value()) == {
        "name": "token purge", "action": RULE["action"],
        "match": {name: value for name, value in RULE["match"].items() if name != "event"},
    }
    expect(tab.page.get_by_label("Reason")).to_have_value("Unregistered")
    expect(tab.page.get_by_label("Status")).to_have_value("410")
    tab.page.get_by_label("Maximum number of times").fill("2")
    tab.page.get_by_label("Token begins with").fill("")
    tab.page.get_by_label("Topic").fill("com.example.other")
    tab.page.get_by_label("Description").fill("")
    tab.page.get_by_role("switch", name="Enabled").uncheck()
    tab.page.get_by_role("button", name="Save").click()
    expect(tab.page.get_by_role("list", name="Fault rules")).to_be_visible()
    changed = {"times": 2, "name": None, "enabled": False, "match": {"token": None, "topic": "com.example.other"}}
    assert faults.calls == [("PATCH", "faults/f-1", changed)]


def test_a_rule_is_changed_as_json(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah)
    tab.page.get_by_role("link", name="Edit rule f-3").click()
    editor = tab.page.get_by_label("The rule as JSON")
    expect(editor).not_to_have_value("")
    shown = json.loads(editor.input_value())
    assert shown == {"enabled": False, "actions": IN_TURN["actions"], "then": "repeat"}
    editor.fill(json.dumps({"action": {"type": "stall"}}))
    expect(tab.page.get_by_text("Edited by hand")).to_be_visible()
    tab.page.get_by_role("button", name="Save").click()
    expect(tab.page.get_by_role("list", name="Fault rules")).to_be_visible()
    assert faults.calls == [("PATCH", "faults/f-3", {"action": {"type": "stall"}, "enabled": None, "then": None})]


def test_a_rule_that_is_saved_unchanged_is_not_sent(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah)
    tab.page.get_by_role("link", name="Edit rule f-2").click()
    # A matcher or a delay of another form is in the JSON alone.
    expect(tab.page.get_by_label("Maximum number of times")).to_have_value("10")
    tab.page.get_by_role("button", name="Save").click()
    expect(tab.page.get_by_role("list", name="Fault rules")).to_be_visible()
    assert faults.calls == []


def test_scenarios_say_what_they_do_and_are_started_and_stopped(mynah: Mynah, open_page: Open) -> None:
    tab, faults = open_faults(open_page, mynah, "/scenarios")
    row = tab.page.locator("[data-scenario='brown-out']")
    expect(row).to_contain_text("A good provider backs off.")
    row.get_by_text("Steps").click()
    expect(row.get_by_role("listitem")).to_have_text(["after 0s: slow: answers 1s late", "after 100 pushes: slow goes"])
    row.get_by_role("button", name="Start brown-out").click()
    expect(row).to_contain_text("1 of 2 steps")
    expect(row).to_contain_text("next in 40 pushes")
    row.get_by_role("button", name="Stop brown-out").click()
    expect(row.get_by_role("button", name="Start brown-out")).to_be_visible()
    expect(row).not_to_contain_text("next in")
    assert faults.calls == [("POST", "scenarios", {"name": "brown-out"}), ("DELETE", "scenarios/brown-out", None)]


def test_a_magic_token_is_found_and_copied(mynah: Mynah, open_page: Open) -> None:
    tab, _ = open_faults(open_page, mynah, "/magic-tokens", permissions=["clipboard-read", "clipboard-write"])
    tab.page.get_by_role("searchbox", name="Filter magic tokens").fill("410")
    expect(tab.page.locator("tbody tr")).to_have_count(1)
    tab.page.get_by_role("button", name="Copy").click()
    expect(tab.page.locator(".toast")).to_be_visible()
    assert tab.page.evaluate("navigator.clipboard.readText()") == TOKENS[0]["token"]


def test_hostile_text_in_a_rule_is_text(mynah: Mynah, open_page: Open) -> None:
    text = "<img src=x onerror=\"document.title='taken'\"><b>"
    words = {"does": [text], "matches": [f"topic {text}", f"payload /{text} {text}"], "fires": [text]}
    rule = RULE | {"name": text, "match": {"topic": text, "payload": {f"/{text}": text}}, "words": words}
    tab, _ = open_faults(open_page, mynah, rules=[rule])
    expect(tab.page.locator("[data-rule='f-1'] strong")).to_have_text(text)
    expect(tab.page.locator("[data-rule='f-1']")).to_contain_text(f"payload /{text} {text}")
    assert tab.page.locator("main img, main b").count() == 0
    assert tab.page.title() == "Faults · Mynah"


def test_a_server_without_faults_is_no_error(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, None)
    tab.expected_errors += ["status of 404"]
    problem = {"type": "about:blank", "title": "Not found", "status": 404, "detail": "there is no /v1/faults"}
    tab.page.route("**/v1/faults**", lambda route: route.fulfill(status=404, json=problem))
    tab.goto("#/faults")
    expect(tab.page.get_by_role("heading", name="Not supported by this server")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=lambda size: str(size["width"]))
def test_the_faults_fit_the_screen_and_are_named(mynah: Mynah, open_page: Open, viewport: dict[str, int]) -> None:
    tab, _ = open_faults(open_page, mynah, rules=[RULE, LIMITED | {"name": "W" * 200}, IN_TURN], viewport=viewport)
    for place, filled in PLACES.items():
        tab.goto(f"#/faults{place}")
        expect(tab.page.locator(filled).first).to_be_visible()
        assert parts_beyond_screen(tab) == [], place
        assert tab.nameless_controls() == [], place
        assert pale_texts(tab) == [], place
