"""Web pushes on the page: what is shown and copied of one, why one was refused, and the web apps that get them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from playwright.sync_api import Locator, expect

from browser import DESKTOP, PHONE, Open, Tab
from devices import add_device, token_of
from pushes import alert
from pushes import push as push_to_app
from server import Mynah, binary, clean_environment
from test_page_accessibility import violations
from views import pale_texts, parts_beyond_screen
from waiting import RUN_SECONDS
from web_pushes import VapidKey, WebApp, WebCase, subscribe

WORKERS = {"shows": "Shows a notification", "silent": "Shows nothing", "none": "None"}


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


def test_the_inbox_of_a_web_app_has_what_its_web_pushes_say(web_mynah: Mynah, open_page: Open) -> None:
    app = subscribe(web_mynah)
    tab = open_page(web_mynah, f"#/devices/{app.device}")
    command = tab.page.get_by_role("region", name="A first web push")
    expect(command).to_contain_text("--web - --vapid-key key.pem")
    expect(command).to_contain_text(app.endpoint)
    expect(tab.page.get_by_text("mynah send --to")).to_have_count(0)
    declared = {"web_push": 8030, "notification": {"title": "Sold out", "body": "The blue one", "navigate": app.origin}}
    for body in [{"text": json.dumps(declared)}, {"text": "plain \u00e9"}, {"empty": True}]:
        push(app, {"body": body})
    gists = tab.page.locator(".v-inbox").first.locator(".v-inbox-gist")
    expect(gists).to_have_count(3)
    assert [" ".join(gist.inner_text().split()) for gist in gists.all()] == [
        "Web push", "plain \u00e9", "Sold out The blue one"
    ]


def test_the_first_steps_have_a_web_push_where_the_server_takes_them(
    own_mynah: Callable[..., Mynah], open_page: Open
) -> None:
    name = "A web push with mynah send"
    for options, count in [(["--web-push-port=0"], 1), ([], 0)]:
        tab = open_page(own_mynah(*options), "#/pushes")
        expect(tab.page.get_by_role("region", name="With mynah send", exact=True)).to_be_visible()
        example = tab.page.get_by_role("region", name=name, exact=True)
        expect(example).to_have_count(count)
        if count:
            expect(example).to_contain_text("--web subscription.json --vapid-key key.pem")


# Copies


def copied(tab: Tab, name: str) -> str:
    """What a button copies."""
    tab.page.get_by_role("button", name=name, exact=True).click()
    expect(tab.page.locator(".toast").last).to_be_visible()
    text: str = tab.page.evaluate("navigator.clipboard.readText()")
    tab.page.evaluate("document.querySelectorAll('.toast').forEach((toast) => toast.remove())")
    return text


def open_push(open_page: Open, mynah: Mynah, one: dict[str, Any], **options: Any) -> Tab:
    """Opens a push, with buttons that copy."""
    tab = open_page(
        mynah, f"#/pushes/{one['sequence']}", permissions=["clipboard-read", "clipboard-write"], **options
    )
    expect(tab.page.get_by_role("group", name="Copy this push")).to_be_visible()
    return tab


def run_in_shell(text: str, folder: Path) -> str:
    """Runs what was copied, where `mynah` is a command; returns what it printed."""
    path = f"{binary().parent}{os.pathsep}{os.environ['PATH']}"
    environment = clean_environment(HOME=str(folder), XDG_RUNTIME_DIR=str(folder), PATH=path)
    done = subprocess.run(
        ["sh", "-c", text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "request_of_case",
    [
        {"body": {"text": '{"title": "It\'s", "n": 1.0}'}, "headers": {"Topic": "collie-updates", "Urgency": "high"}},
        {"body": {"text": "-1"}, "headers": {"TTL": "0"}},
        {"body": {"text": "@kim, at \u00e9"}},
        {"body": {"empty": True}},
    ],
    ids=["json", "hyphen", "at sign", "empty"],
)
def test_the_message_of_a_web_push_is_sent_again_by_a_command(
    web_mynah: Mynah, open_page: Open, tmp_path: Path, request_of_case: dict[str, Any]
) -> None:
    app = subscribe(web_mynah)
    sent = push(app, request_of_case)
    (tmp_path / "key.pem").write_bytes(app.key.pem())
    command = copied(open_push(open_page, web_mynah, sent), "mynah send")
    assert f"# key.pem is the private key of {app.key.text}\n" in command
    assert run_in_shell(command, tmp_path).startswith("201 accepted")
    again = app.pushes()[-1]
    assert again["sequence"] > sent["sequence"]
    for name in ("ttl", "urgency", "topic", "plaintext", "declarative"):
        assert again["webPush"][name] == sent["webPush"][name], name
    assert again["webPush"]["claims"]["sub"] == sent["webPush"]["claims"]["sub"]


def test_a_refused_web_push_is_refused_again_by_its_command(
    web_mynah: Mynah, open_page: Open, tmp_path: Path
) -> None:
    app = subscribe(web_mynah)
    request = {"claims": {"sub": "mailto:x@localhost"}, "headers": {"TTL": "-1", "Topic": "s7-t0"}}
    refused = push(app, request)
    (tmp_path / "key.pem").write_bytes(app.key.pem())
    command = copied(open_push(open_page, web_mynah, refused), "mynah send")
    assert "# what it said is not known: only a push that was accepted is decrypted\n" in command
    run_in_shell(command, tmp_path)
    again = app.pushes()[-1]
    assert again["sequence"] > refused["sequence"]
    assert again["webPush"]["refusals"] == refused["webPush"]["refusals"]


def test_a_web_push_is_expected_by_its_notification(web_mynah: Mynah, open_page: Open) -> None:
    app = subscribe(web_mynah)
    notification = {"title": "Sold out", "navigate": "https://shop.example/7"}
    sent = push(app, {"body": {"text": json.dumps({"web_push": 8030, "notification": notification})}})
    tab = open_push(open_page, web_mynah, sent)
    expectation = json.loads(copied(tab, "Expectation"))
    assert expectation["match"]["topic"] == app.origin
    assert expectation["match"]["payload"]["/notification/title"] == "Sold out"
    met = web_mynah.control.post("/v1/expectations", expectation | {"within": "0s"})
    assert met["met"] and met["items"][0]["sequence"] == sent["sequence"]
    assert "--payload '/notification/title=Sold out'" in copied(tab, "mynah expect")


def test_the_fixture_of_a_web_push_makes_its_web_app(
    web_mynah: Mynah, own_mynah: Callable[..., Mynah], open_page: Open, tmp_path: Path
) -> None:
    app = subscribe(web_mynah, worker="silent")
    # The key that subscribed counts, not the one that the request had.
    refused = WebCase("", {"request": {"key": "other", "token": {"key": "other"}}})
    reply = refused.request(app, app.key, VapidKey()).over_http1(web_mynah)
    assert reply.reason == "VapidPkHashMismatch"
    one = web_mynah.control.get(f"/v1/notifications/{reply.fields['apns-id']}")
    (tmp_path / "fixtures.yaml").write_text(copied(open_push(open_page, web_mynah, one), "Fixture"))
    again = own_mynah("--fixtures", str(tmp_path / "fixtures.yaml"))
    (made,) = again.control.get(f"/v1/devices/{app.device}")["registrations"]
    for name in ("topic", "kind", "token", "applicationServerKey", "worker"):
        assert made[name] == app.registration[name], name


def test_the_fixture_of_a_removed_device_has_the_key_that_was_accepted(web_mynah: Mynah, open_page: Open) -> None:
    app = subscribe(web_mynah)
    accepted, refused = push(app, {}), push(app, {"headers": {"TTL": None}})
    assert web_mynah.control.ask("DELETE", f"/v1/devices/{app.device}").status in (200, 204)
    tab = open_push(open_page, web_mynah, accepted)
    tab.expected_errors.append("404")
    assert f'applicationServerKey: "{app.key.text}"' in copied(tab, "Fixture")
    assert "--web subscription.json" in copied(tab, "mynah send")
    tab = open_push(open_page, web_mynah, refused)
    tab.expected_errors.append("404")
    button = tab.page.get_by_role("button", name="Fixture", exact=True)
    expect(button).to_be_disabled()
    expect(button).to_have_attribute("title", "The web app isn't there, and with which key it subscribed isn't known")


def test_a_web_push_is_not_sent_by_the_form_for_apns(web_mynah: Mynah, open_page: Open) -> None:
    app = subscribe(web_mynah)
    sent = push(app, {})
    tab = open_push(open_page, web_mynah, sent)
    button = tab.page.get_by_role("button", name="Send again")
    expect(button).to_be_disabled()
    reason = button.get_attribute("title") or ""
    assert "copy the mynah send command" in reason
    expect(tab.page.get_by_role("button", name="curl", exact=True)).to_have_count(0)
    # Who writes the address of the form reads the same.
    tab.goto(f"#/pushes/+new?from={sent['sequence']}")
    expect(tab.page.get_by_role("alert").filter(has_text=reason)).to_be_visible()
    # A form without a target offers apps, and no web app.
    tab.goto("#/pushes/+new")
    tab.page.get_by_label("Device token").fill(app.device)
    expect(tab.page.locator("#compose-tokens option")).to_have_count(0)


def test_the_request_of_a_web_push_has_nothing_of_apns(web_mynah: Mynah, open_page: Open) -> None:
    request = open_push(open_page, web_mynah, push(subscribe(web_mynah), {})).page.get_by_role("region", name="Request")
    expect(request).to_contain_text("content-encoding")
    expect(request.locator("dt")).to_have_text(["request", "connection"])


# Web apps


def card(tab: Tab, origin: str) -> Locator:
    """What the page shows of a web app."""
    return tab.page.locator(".v-app").filter(has_text=origin)


def fill_in(tab: Tab, origin: str, key: str) -> None:
    """Fills in the form for a web app."""
    tab.page.get_by_role("radio", name="Web app").check(force=True)
    tab.page.get_by_label("Origin").fill(origin)
    tab.page.get_by_label("Application server key").fill(key)


def install(tab: Tab) -> None:
    tab.page.get_by_role("button", name="Install", exact=True).click()


def open_form(open_page: Open, mynah: Mynah, **options: Any) -> tuple[Tab, str]:
    """Opens the form that installs an app, on a device of this test's own."""
    device = add_device(mynah)["id"]
    tab = open_page(mynah, f"#/devices/{device}", permissions=["clipboard-read", "clipboard-write"], **options)
    tab.page.get_by_text("Install an app").click()
    return tab, device


def test_a_web_app_is_installed_and_hands_out_its_subscription(web_mynah: Mynah, open_page: Open) -> None:
    tab, device = open_form(open_page, web_mynah)
    key = VapidKey()
    fill_in(tab, "https://shop.example", key.text)
    expect(tab.page.get_by_label("Topic")).to_be_hidden()
    expect(tab.page.locator("form").get_by_label("Environment")).to_be_hidden()
    tab.page.locator("form").get_by_label("Service worker").select_option("silent")
    install(tab)
    shown = card(tab, "https://shop.example")
    text = shown.get_by_role("region", name="Subscription of shop.example")
    expect(text).to_be_visible()
    made = web_mynah.control.get(f"/v1/devices/{device}")["registrations"][-1]
    assert (made["kind"], made["applicationServerKey"], made["worker"]) == ("web", key.text, "silent")
    assert json.loads(text.inner_text()) == made["webPush"]
    shown.get_by_role("button", name="Copy the subscription").click()
    expect(tab.page.get_by_text("Copied the subscription.")).to_be_visible()
    assert json.loads(tab.page.evaluate("navigator.clipboard.readText()")) == made["webPush"]


def test_a_web_app_has_no_environment(web_mynah: Mynah, open_page: Open) -> None:
    device = add_device(web_mynah)
    app = subscribe(web_mynah, device=device["id"])
    tab = open_page(web_mynah, f"#/devices/{device['id']}")
    expect(card(tab, app.origin)).to_be_visible()
    expect(tab.page.locator(".v-app").first.get_by_text("sandbox")).to_be_visible()
    expect(card(tab, app.origin).locator(".chip")).to_have_count(0)


def test_what_is_wrong_with_a_web_app_is_said_at_its_field(web_mynah: Mynah, open_page: Open) -> None:
    tab, device = open_form(open_page, web_mynah)
    tab.expected_errors += ["status of 400", "status of 409"]
    origin, key = tab.page.get_by_label("Origin"), tab.page.get_by_label("Application server key")
    mine = VapidKey().text
    for wrong_origin, wrong_key, at, text in [
        ("https://shop.example/", mine, origin, "expected a web app's origin"),
        ("com.example.app", mine, origin, "expected a web app's origin"),
        ("https://shop.example", "BNfJG", key, "65 bytes of an uncompressed point"),
    ]:
        fill_in(tab, wrong_origin, wrong_key)
        install(tab)
        expect(at).to_have_attribute("aria-invalid", "true")
        expect(tab.page.locator(".field").filter(has=at)).to_contain_text(text)
        assert len(web_mynah.control.get(f"/v1/devices/{device}")["registrations"]) == 1
    # An error of the topic is shown at the field that is there.
    tab.page.get_by_role("radio", name="App", exact=True).check(force=True)
    tab.page.get_by_label("Topic").fill("https://shop.example")
    install(tab)
    expect(tab.page.get_by_label("Topic")).to_have_attribute("aria-invalid", "true")
    fill_in(tab, "https://shop.example", mine)
    install(tab)
    expect(card(tab, "https://shop.example")).to_be_visible()
    fill_in(tab, "https://shop.example", VapidKey().text)
    install(tab)
    expect(tab.page.locator(".field").filter(has=key)).to_contain_text("has subscribed with another key")


def test_a_key_pair_is_made_by_the_page_and_sends(web_mynah: Mynah, open_page: Open, tmp_path: Path) -> None:
    tab, device = open_form(open_page, web_mynah)
    fill_in(tab, "https://shop.example", "")
    tab.page.get_by_role("button", name="Make a key pair").click()
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Download key.pem").click()
    download.value.save_as(tmp_path / "key.pem")
    load_pem_private_key((tmp_path / "key.pem").read_bytes(), None)
    install(tab)
    shown = card(tab, "https://shop.example")
    shown.get_by_role("button", name="Copy a mynah send command").click()
    expect(tab.page.get_by_text("Copied a mynah send command.")).to_be_visible()
    command = tab.page.evaluate("navigator.clipboard.readText()")
    assert run_in_shell(command, tmp_path).startswith("201 accepted")
    expect(tab.page.get_by_role("region", name="lock screen")).to_contain_text("Hello")
    assert [one["topic"] for one in web_mynah.control.get(f"/v1/devices/{device}/screen")["notifications"]] == [
        "https://shop.example"
    ]


def test_the_service_worker_is_chosen(web_mynah: Mynah, open_page: Open) -> None:
    device = add_device(web_mynah)
    app = subscribe(web_mynah, device=device["id"])
    tab = open_page(web_mynah, f"#/devices/{device['id']}")
    worker = card(tab, app.origin).get_by_label("Service worker")
    expect(worker).to_have_value("shows")
    schemas = web_mynah.control.get("/openapi.json")["components"]["schemas"]
    assert schemas["AppSettingsWorkerName"]["enum"] == list(WORKERS)
    assert worker.locator("option").all_inner_texts() == list(WORKERS.values())
    for value in ("silent", "none", "shows"):
        with tab.page.expect_response(lambda response: response.request.method == "PATCH"):
            worker.select_option(value)
        assert web_mynah.control.get(app.path)["worker"] == value
    # Another way leads to the page as well.
    app.patch(worker="none")
    expect(worker).to_have_value("none")
    expect(tab.page.locator(".v-app").first.get_by_label("Service worker")).to_be_hidden()


def test_connect_says_what_senders_of_web_pushes_need(web_mynah: Mynah, mynah: Mynah, open_page: Open) -> None:
    section = open_page(web_mynah, "#/connect").page.get_by_role("region", name="Web Push")
    expect(section.get_by_text(str(web_mynah.ready["webPushPort"]), exact=True)).to_be_visible()
    expect(section).to_contain_text("export REQUESTS_CA_BUNDLE=ca-bundle.pem")
    closed = open_page(mynah, "#/connect").page
    expect(closed.get_by_role("heading", name="Point your provider here")).to_be_visible()
    expect(closed.locator(".v-snippet").first).to_be_visible()
    expect(closed.get_by_role("region", name="Web Push")).to_be_hidden()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_web_pushes_are_shown_to_everybody(
    web_mynah: Mynah, open_page: Open, viewport: dict[str, int], scheme: str
) -> None:
    device = add_device(web_mynah)
    app = subscribe(web_mynah, device=device["id"])
    subscribe(web_mynah, device=device["id"])
    push_to_app(web_mynah, token_of(device), alert("To the app"))
    sent = push(app, {"body": {"text": json.dumps({"title": "Sold out"})}})
    tab = open_push(open_page, web_mynah, sent, viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    found = violations(tab) + tab.nameless_controls() + pale_texts(tab) + parts_beyond_screen(tab)
    tab.goto(f"#/devices/{device['id']}")
    expect(card(tab, app.origin)).to_be_visible()
    for name in ("Install an app", "Subscription"):
        for summary in tab.page.locator("summary:visible", has_text=name).all():
            summary.click()
    tab.page.get_by_role("radio", name="Web app").check(force=True)
    tab.page.get_by_role("button", name="Make a key pair").click()
    expect(tab.page.get_by_role("button", name="Download key.pem")).to_be_visible()
    found += violations(tab) + tab.nameless_controls() + pale_texts(tab) + parts_beyond_screen(tab)
    tab.goto("#/connect")
    expect(tab.page.get_by_role("region", name="Web Push")).to_be_visible()
    found += violations(tab) + tab.nameless_controls() + pale_texts(tab) + parts_beyond_screen(tab)
    assert found == []
    assert tab.width_beyond_screen() == 0
