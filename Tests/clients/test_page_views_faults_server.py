"""The page's views of faults, scenarios and magic tokens on a server that has them: what is added there is in force."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from browser import Open
from commandline import Command
from conftest import unique_token
from h2client import connect
from server import Mynah


def test_a_rule_from_the_page_is_in_force_until_it_is_removed(mynah: Mynah, open_page: Open, token: str) -> None:
    tab = open_page(mynah, "#/faults/+new")
    tab.page.get_by_label("Fault", exact=True).select_option("410")
    tab.page.get_by_label("Token begins with").fill(token)
    tab.page.get_by_label("Description").fill(f"gone {token[:8]}")
    tab.page.get_by_role("button", name="Add rule").click()
    row = tab.page.get_by_role("list", name="Fault rules").locator("> li").filter(has_text=f"gone {token[:8]}")
    expect(row).to_contain_text("answers 410 Unregistered")
    with connect(mynah) as connection:
        connection.push(token).assert_refused(410, "Unregistered")
        expect(row.locator("dd")).to_have_text(["1", "1"])
        with tab.page.expect_response(lambda response: response.request.method == "PATCH"):
            row.get_by_role("switch").uncheck()
        expect(row.get_by_role("switch")).not_to_be_checked()
        connection.push(token).assert_accepted()
        with tab.page.expect_response(lambda response: response.request.method == "PATCH"):
            row.get_by_role("switch").check()
        connection.push(token).assert_refused(410, "Unregistered")
        with tab.page.expect_response(lambda response: response.request.method == "DELETE"):
            row.get_by_role("button", name="Remove").click()
        connection.push(token).assert_accepted()
    expect(row).to_have_count(0)


def test_the_counters_of_a_changed_rule_continue(mynah: Mynah, open_page: Open, token: str) -> None:
    rule = mynah.control.post("/v1/faults", {"match": {"token": token}, "action": {"type": "respond", "status": 503}})
    with connect(mynah) as connection:
        connection.push(token).assert_refused(503, "ServiceUnavailable")
        tab = open_page(mynah, f"#/faults/+edit/{rule['id']}")
        tab.expected_errors += ["status of 400"]
        tab.page.get_by_label("Skip the first pushes").fill("-1")
        tab.page.get_by_role("button", name="Save").click()
        expect(tab.page.get_by_label("Skip the first pushes")).to_have_attribute("aria-invalid", "true")
        tab.page.get_by_label("Skip the first pushes").fill("")
        tab.page.get_by_label("Status").fill("500")
        tab.page.get_by_label("Reason").fill("InternalServerError")
        tab.page.get_by_role("button", name="Save").click()
        expect(tab.page.get_by_role("list", name="Fault rules")).to_be_visible()
        connection.push(token).assert_refused(500, "InternalServerError")
    changed = mynah.control.get(f"/v1/faults/{rule['id']}")
    assert (changed["fired"], changed["match"]["token"]) == (2, token)


def test_the_server_says_at_which_field_a_rule_is_wrong(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, "#/faults/+new")
    tab.expected_errors += ["status of 400"]
    tab.page.get_by_label("Maximum number of times").fill("0")
    tab.page.get_by_role("button", name="Add rule").click()
    expect(tab.page.get_by_label("Maximum number of times")).to_have_attribute("aria-invalid", "true")
    tab.page.get_by_label("The rule as JSON").fill('{\n  "match": {},\n  "action": {"type": "stal"}\n}')
    tab.page.get_by_role("button", name="Add rule").click()
    expect(tab.page.get_by_role("alert").filter(has_text="Line 3")).to_be_visible()


def test_every_preset_makes_the_rule_that_the_command_makes(
    own_mynah: Callable[..., Mynah], open_page: Open, mynah_command: Command
) -> None:
    mynah = own_mynah()

    def made_by_command(preset: str) -> dict[str, Any]:
        done = mynah_command("fault", "add", preset, "--json", "--url", mynah.control_url)
        assert done.returncode == 0, (preset, done.stderr)
        rule: dict[str, Any] = json.loads(done.stdout)
        return rule

    tab = open_page(mynah, "#/faults/+new")
    presets = tab.page.get_by_label("Fault", exact=True).locator("option").evaluate_all(
        "(options) => options.map((option) => option.value)")
    told = mynah_command("fault", "add", "--help").stdout.partition("Presets, with")[2].partition("USAGE")[0]
    named = re.findall(r"^  (\S+) +\w", told, re.MULTILINE)
    assert len(named) > 20 and set(named) <= set(presets), named
    # Before the page has a list of rules, which it would draw anew for each of them.
    expected = {preset: made_by_command(preset) for preset in presets}
    assert len(mynah.control.get("/v1/faults")["items"]) == len(presets)
    assert mynah.control.ask("DELETE", "/v1/faults").status == 200
    for preset in presets:
        tab.goto("#/faults/+new")
        tab.page.get_by_label("Fault", exact=True).select_option(preset)
        with tab.page.expect_response(lambda response: response.request.method == "POST") as answered:
            tab.page.get_by_role("button", name="Add rule").click()
        assert answered.value.status == 201, (preset, answered.value.text())
        made = answered.value.json()
        assert (made["match"], made["action"]) == (expected[preset]["match"], expected[preset]["action"]), preset
        expect(tab.page.get_by_role("list", name="Fault rules")).to_be_visible()
    assert len(mynah.control.get("/v1/faults")["items"]) == len(presets)
    tab.page.get_by_role("button", name="Remove all").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Remove all").click()
    expect(tab.page.get_by_role("heading", name="No fault rules")).to_be_visible()
    assert mynah.control.get("/v1/faults")["items"] == []


def test_a_shipped_scenario_is_started_and_stopped(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    tab = open_page(mynah, "#/faults/scenarios")
    row = tab.page.get_by_role("list", name="Scenarios").locator("> li").first
    name = row.get_attribute("data-scenario")
    row.get_by_role("button", name=f"Start {name}").click()
    expect(tab.page.get_by_role("button", name=f"Stop {name}")).to_be_visible()
    assert [one["name"] for one in mynah.control.get("/v1/scenarios")["items"]] == [name]
    tab.page.get_by_role("button", name=f"Stop {name}").click()
    expect(tab.page.get_by_role("button", name=f"Start {name}")).to_be_visible()
    assert mynah.control.get("/v1/scenarios")["items"] == []


def test_a_magic_token_of_the_table_does_what_it_says(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, "#/faults/magic-tokens")
    tab.page.get_by_role("searchbox", name="Filter magic tokens").fill("PayloadTooLarge")
    row = tab.page.locator("tbody tr")
    expect(row).to_have_count(1)
    with connect(mynah) as connection:
        connection.push(row.locator("code").inner_text()).assert_refused(413, "PayloadTooLarge")
        connection.push(unique_token()).assert_accepted()
