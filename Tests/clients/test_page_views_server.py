"""The page's views of the server itself: connections, clock, trust; what their buttons do is asked of the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser import DESKTOP, PHONE, Open
from conftest import unique_token
from devices import add_device, token_of, unique_id
from h2client import connect
from pushes import alert, push
from server import Mynah, binary, clean_environment
from views import pale_texts, parts_beyond_screen
from waiting import RUN_SECONDS

# Each view, and what is there once it has been filled.
VIEWS = {
    "devices": ".v-devices li, .v-main .v-empty",
    "devices/+new": ".v-main form",
    "faults": ".v-rule, .v-empty",
    "faults/+new": ".v-json",
    "faults/scenarios": ".v-rule, .v-empty",
    "faults/magic-tokens": ".v-table tr, .v-empty",
    "connections": ".v-table tbody tr",
    "clock": ".v-clock-time:not(:empty)",
    "connect": ".v-snippet",
    "api": ".v-operation",
}


def test_a_connection_is_shown_with_what_it_proved(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    tab = open_page(mynah, "#/connections")
    expect(tab.page.get_by_role("heading", name="No connections")).to_be_visible()
    with connect(mynah) as connection:
        connection.push(unique_token()).assert_accepted()
        row = tab.page.get_by_role("row").filter(has_text=mynah.key_id)
        expect(row).to_contain_text("TLSv1.3")
        expect(row).to_contain_text("localhost")
        expect(row.locator("[data-label=Pushes]")).to_contain_text("1")
        connection.push(unique_token()).assert_accepted()
        expect(row.locator("[data-label=Pushes]")).to_contain_text("2")
    expect(tab.page.get_by_role("heading", name="No connections")).to_be_visible()


def test_goaway_ends_a_connection(mynah: Mynah, open_page: Open) -> None:
    token = unique_token()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        number = mynah.control.push(token)["connection"]
        tab = open_page(mynah, "#/connections")
        tab.page.get_by_role("button", name=f"Send GOAWAY on connection {number}", exact=True).click()
        goaway = connection.wait_for_goaway()
        assert json.loads(goaway.additional_data) == {"reason": "Shutdown"}
        connection.read_until_closed()
    expect(tab.page.get_by_text(f"Connection {number} was closed with GOAWAY")).to_be_visible()
    expect(tab.page.locator(f"[data-connection='{number}']")).to_have_count(0)
    assert mynah.control.ask("GET", f"/v1/connections/{number}").status == 404


def test_an_abort_resets_a_connection(mynah: Mynah, open_page: Open) -> None:
    token = unique_token()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        number = mynah.control.push(token)["connection"]
        tab = open_page(mynah, "#/connections")
        tab.page.get_by_role("button", name=f"Abort connection {number}", exact=True).click()
        connection.read_until_closed()
        assert connection.goaways == []
    expect(tab.page.locator(f"[data-connection='{number}']")).to_have_count(0)


def test_the_clock_is_frozen_and_advanced(own_mynah: Callable[..., Mynah], open_page: Open) -> None:
    mynah = own_mynah()
    device = add_device(mynah, online=False)
    tab = open_page(mynah, "#/clock")
    tab.page.get_by_label("Frozen", exact=True).check()
    expect(tab.page.get_by_text("Stands still until you advance it")).to_be_visible()
    before = mynah.control.get("/v1/clock")
    assert before["mode"] == "frozen"
    push(mynah, token_of(device), alert("Late"), further=[("apns-expiration", "4102444800")])
    tab.page.get_by_role("button", name="Advance by 30d").click()
    expect(tab.page.get_by_role("listitem").filter(has_text="Advanced by 30d")).to_contain_text("1 expired")
    after = mynah.control.get("/v1/clock")
    assert after["now"] != before["now"] and after["mode"] == "frozen"
    expect(tab.page.get_by_text(after["now"])).to_be_visible()
    (pushed,) = mynah.control.pushes(token_of(device))
    assert pushed["outcome"] == "expired"


def test_the_clock_of_a_scope_moves_alone(mynah: Mynah, open_page: Open) -> None:
    scope = unique_id("scope")
    device = add_device(mynah, scope=scope)
    tab = open_page(mynah, "#/clock")
    tab.page.get_by_label("Clock of").select_option(scope)
    tab.page.get_by_label("By", exact=True).fill("26h")
    tab.page.get_by_role("button", name="Advance", exact=True).click()
    expect(tab.page.get_by_role("listitem").filter(has_text="Advanced by 26h")).to_contain_text(f"scope {scope}")
    days = [mynah.control.get("/v1/clock", query)["now"][:10] for query in ({}, {"scope": scope})]
    assert days[0] != days[1]
    # The lock screen goes by its scope's clock.
    push(mynah, token_of(device), alert("Yesterday's"))
    answer = mynah.control.ask("POST", "/v1/clock/advance", body={"by": "3h", "scope": scope})
    assert answer.status == 200
    tab.goto(f"#/devices/{device['id']}")
    expect(tab.page.locator(".v-note-face")).to_contain_text("3h ago")


def test_what_the_clock_refuses_is_said(mynah: Mynah, open_page: Open) -> None:
    scope = unique_id("scope")
    add_device(mynah, scope=scope)
    tab = open_page(mynah, "#/clock")
    tab.expected_errors += ["status of 400", "status of 409"]
    tab.page.get_by_label("Clock of").select_option(scope)
    tab.page.get_by_label("By", exact=True).fill("soon")
    tab.page.get_by_role("button", name="Advance", exact=True).click()
    expect(tab.page.get_by_label("By", exact=True)).to_have_attribute("aria-invalid", "true")
    tab.page.get_by_role("button", name="To the next event").click()
    expect(tab.page.get_by_role("alert").filter(has_text="nothing is due")).to_be_visible()


def test_the_ca_and_the_key_are_downloaded(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, "#/connect")
    for button, path in (("Download ca.pem", mynah.ca_file), (f"Download {mynah.key_file.name}", mynah.key_file)):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=button).click()
        assert Path(download.value.path()).read_text().strip() == path.read_text().strip()
        assert download.value.suggested_filename == path.name


AIOAPNS_PUSH = """
import asyncio
from aioapns import NotificationRequest

async def push():
    apns = await connect()
    answer = await apns.send_notification(NotificationRequest(device_token="DEVICE_TOKEN", message={"aps": {}}))
    assert answer.is_successful, answer.description

asyncio.run(push())
"""
HTTPX_PUSH = """
import os
headers = {"authorization": "bearer " + os.environ["TOKEN"], "apns-topic": "com.example.app"}
answer = client.post("/3/device/DEVICE_TOKEN", headers=headers, json={"aps": {}})
assert answer.status_code == 200, answer.text
"""


@pytest.mark.parametrize(
    ("client", "program", "further"),
    [
        ("curl", "bash", ""),
        ("aioapns", sys.executable, AIOAPNS_PUSH),
        ("httpx", sys.executable, HTTPX_PUSH),
    ],
)
def test_the_lines_for_a_client_push_with_the_files_that_the_page_offers(
    client: str, program: str, further: str, mynah: Mynah, open_page: Open, token: str, tmp_path: Path
) -> None:
    tab = open_page(mynah, "#/connect")
    for name in ("ca.pem", mynah.key_file.name):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=f"Download {name}").click()
        download.value.save_as(tmp_path / name)
    tab.page.get_by_label("Client").select_option(client)
    lines = tab.page.locator(".v-snippet pre").first.inner_text() + "\n" + further
    (tmp_path / "lines").write_text(lines.replace("DEVICE_TOKEN", token))
    (tmp_path / "mynah").symlink_to(binary())
    done = subprocess.run(
        [program, "lines"],
        cwd=tmp_path,
        env=clean_environment(
            PATH=f"{tmp_path}:{os.environ['PATH']}",
            MYNAH_URL=mynah.control_url,
            TOKEN=mynah.authorization().split(" ")[1],
        ),
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert mynah.control.push(token)["status"] == 200


def test_every_client_is_told_this_servers_port(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, "#/connect")
    client = tab.page.get_by_label("Client")
    expect(tab.page.locator("pre").first).to_contain_text(f"localhost:{mynah.port}")
    values = client.locator("option").evaluate_all("(options) => options.map((option) => option.value)")
    assert len(values) > 15
    without_port = []
    for value in values:
        client.select_option(value)
        lines = " ".join(tab.page.locator("pre").all_inner_texts())
        assert "undefined" not in lines and "null" not in lines, value
        if str(mynah.port) not in lines:
            without_port.append(value)
    # The first speaks TLS on port 443 alone, the others are led here by a command that picks its own ports.
    assert without_port == ["apns4erl", "intercepted"], "no line names the port"


def test_lines_are_copied(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, "#/connect", permissions=["clipboard-read", "clipboard-write"])
    tab.page.get_by_label("Client").select_option(label="Go: sideshow/apns2 0.25")
    tab.page.get_by_role("button", name="Copy these lines").first.click()
    expect(tab.page.locator(".toast")).to_be_visible()
    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert f'client.Host = "https://localhost:{mynah.port}"' in copied


def test_a_key_is_made_and_revoked(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah, "#/connect")
    tab.expected_errors += ["status of 400"]
    tab.page.get_by_text("Add a key").click()
    key_form = tab.page.locator("form").filter(has_text="Public key")
    key_form.get_by_label("Topics").fill("com.example.app com.example.other")
    key_form.get_by_role("button", name="Add key").click()
    expect(key_form.get_by_role("alert")).to_contain_text("environment")
    key_form.get_by_label("Environment").select_option("sandbox")
    with tab.page.expect_response(lambda response: response.request.method == "POST") as answered:
        tab.page.get_by_role("button", name="Add key").click()
    key = answered.value.json()
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name=f"Download AuthKey_{key['keyId']}.p8").click()
    assert "PRIVATE KEY" in Path(download.value.path()).read_text()
    tab.page.get_by_role("button", name=f"Revoke {key['keyId']}").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(tab.page.get_by_role("row").filter(has_text=key["keyId"])).to_contain_text("revoked")
    assert mynah.control.get(f"/v1/keys/{key['keyId']}")["revokedAt"]


def test_a_certificate_is_issued_and_revoked(mynah: Mynah, open_page: Open) -> None:
    topic = f"com.example.{unique_id('app')}"
    tab = open_page(mynah, "#/connect")
    tab.page.get_by_text("Issue a certificate").click()
    tab.page.get_by_label("Bundle ID").fill(topic)
    tab.page.get_by_role("button", name="Issue", exact=True).click()
    for name in (f"{topic}.pem", f"{topic}-key.pem", f"{topic}.p12"):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=f"Download {name}").click()
        assert download.value.suggested_filename == name
        assert Path(download.value.path()).stat().st_size > 100
    row = tab.page.get_by_role("row").filter(has_text=topic)
    row.get_by_role("button").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_contain_text("revoked")
    found = [one for one in mynah.control.get("/v1/certificates")["items"] if one["topics"][0]["topic"] == topic]
    assert [bool(one["revokedAt"]) for one in found] == [True]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=lambda size: str(size["width"]))
def test_the_views_fit_the_screen_and_can_be_read(
    mynah: Mynah, open_page: Open, viewport: dict[str, int], scheme: str
) -> None:
    with connect(mynah) as connection:
        connection.push(unique_token()).assert_accepted()
        tab = open_page(mynah, "#/devices", viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
        tab.expected_errors += ["status of 404"]
        for view, filled in VIEWS.items():
            tab.goto(f"#/{view}")
            expect(tab.page.get_by_role("heading", level=1)).to_be_visible()
            expect(tab.page.locator(filled).first).to_be_visible()
            assert parts_beyond_screen(tab) == [], view
            assert tab.nameless_controls() == [], view
            assert pale_texts(tab) == [], view
