"""pywebpush, py-vapid and webpush as senders to Apple's Web Push service, and what the user of the web app sees."""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
import pywebpush
import requests
import webpush as other_library
from py_vapid import Vapid02

from commandline import CONFIGURATION, FINE, UNMET, USAGE, Command
from coroutines import result_of
from server import Mynah
from waiting import HANG_SECONDS, RUN_SECONDS
from web_pushes import (
    OFF_CURVE,
    SUBJECT,
    VapidKey,
    WebApp,
    WebCase,
    WebReply,
    WebRequest,
    base64url,
    encrypted,
    subscribe,
)

DECLARED = {
    "web_push": 8030,
    "app_badge": 4,
    "notification": {"title": "Sold out", "body": "The blue one", "navigate": "https://shop.example/7"},
}


@pytest.fixture
def web_mynah(mynah_with: Callable[..., Mynah]) -> Mynah:
    return mynah_with("--web-push-port=0")


@pytest.fixture
def clock_mynah(mynah_with: Callable[..., Mynah]) -> Mynah:
    """A server whose clocks the tests move, each that of its own scope."""
    return mynah_with("--web-push-port=0", "--idle-timeout=1000h")


def send(app: WebApp, data: str | None, *, claims: dict[str, Any] | None = None, **options: Any) -> requests.Response:
    """Sends by pywebpush over HTTP/1.1."""
    with requests.Session() as session:
        session.verify = str(app.mynah.ca_file)
        return pywebpush.webpush(
            app.subscription,
            data,
            vapid_private_key=Vapid02.from_string(app.key.number()),
            vapid_claims=claims or {"sub": SUBJECT},
            requests_session=session,
            timeout=HANG_SECONDS,
            **options,
        )


def refused(app: WebApp, data: str | None = "hello", **options: Any) -> tuple[int, str]:
    """The status and the reason that pywebpush gets."""
    with pytest.raises(pywebpush.WebPushException) as caught:
        send(app, data, **options)
    response = caught.value.response
    return response.status_code, response.json()["reason"]


def test_a_subscription_is_what_a_browser_hands_out(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    assert list(app.subscription) == ["endpoint", "expirationTime", "keys"]
    assert app.subscription["expirationTime"] is None
    assert sorted(app.subscription["keys"]) == ["auth", "p256dh"]
    endpoint = urlsplit(app.endpoint)
    assert (endpoint.hostname, endpoint.port) == ("localhost", web_mynah.ready["webPushPort"])
    assert len(endpoint.path) == 172 and endpoint.path.startswith("/Q")
    # Two web apps share nothing.
    assert subscribe(web_mynah).subscription["keys"] != app.subscription["keys"]


def test_pywebpush_sends_text(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    response = send(app, "Your order is on its way")
    assert (response.status_code, response.content) == (201, b"")
    (push,) = app.pushes()
    assert (push["apnsId"], push["outcome"]) == (response.headers["apns-id"], "delivered")
    (shown,) = app.screen()
    assert (shown["title"], shown["body"]) == (app.origin, "Your order is on its way")


def test_pywebpush_sends_json_for_the_service_worker(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    send(app, json.dumps({"title": "Hello", "body": "World"}), ttl=60)
    (shown,) = app.screen()
    assert (shown["title"], shown["body"], shown["banner"] is not None) == ("Hello", "World", True)


def test_pywebpush_sends_nothing_but_a_push_event(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    assert send(app, None).status_code == 201
    (shown,) = app.screen()
    assert shown["title"] == app.origin


def test_pywebpush_sends_a_declarative_message(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah, worker="none")
    send(app, json.dumps(DECLARED))
    (shown,) = app.screen()
    assert (shown["title"], shown["details"]["navigate"]) == ("Sold out", "https://shop.example/7")
    screen = web_mynah.control.get(f"/v1/devices/{app.device}/screen")
    assert screen["badges"] == {app.origin: 4}


def test_a_message_without_navigate_is_for_the_service_worker(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah, worker="none")
    message = {"web_push": 8030, "notification": {"title": "hello", "body": "world"}}
    assert send(app, json.dumps(message)).status_code == 201
    assert app.screen() == []
    (push,) = app.pushes()
    assert push["webPush"]["notDeclarative"].startswith("notification.navigate is missing")


def test_pywebpush_sends_the_encoding_of_the_drafts(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    assert send(app, "old", content_encoding="aesgcm").status_code == 201
    (push,) = app.pushes()
    assert any("aesgcm" in warning for warning in push["warnings"])
    assert app.screen()[0]["body"] == "old"


def test_pywebpush_sends_without_alpn(web_mynah: Mynah) -> None:
    """aiohttp offers no protocol, and speaks HTTP/1.1."""
    app = subscribe(web_mynah)
    context = ssl.create_default_context(cafile=str(web_mynah.ca_file))

    async def push() -> int:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context)) as session:
            response = await pywebpush.webpush_async(
                app.subscription,
                "async",
                vapid_private_key=Vapid02.from_string(app.key.number()),
                vapid_claims={"sub": SUBJECT},
                aiohttp_session=session,
            )
            return response.status

    assert result_of(push()) == 201
    assert app.screen()[0]["body"] == "async"


def test_webpush_drops_the_port_of_the_audience(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    sender = other_library.WebPush(app.key.pem(), app.key.public_pem(), subscriber="push@example.com")
    subscription = other_library.WebPushSubscription(**app.subscription)
    message = sender.get("from webpush", subscription)
    request = WebRequest("POST", urlsplit(app.endpoint).path, dict(message.headers), message.encrypted)
    assert request.over_http1(web_mynah).status == 201
    (push,) = app.pushes()
    assert any("without the port" in warning for warning in push["warnings"])
    assert app.screen()[0]["body"] == "from webpush"


def test_what_client_libraries_let_through_is_refused(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    assert refused(app, claims={"sub": "mailto:x@localhost"}) == (403, "BadJwtToken")
    assert refused(app, claims={"sub": "mailto:mailto:x@real.org"}) == (403, "BadJwtToken")
    assert refused(app, claims={"sub": SUBJECT, "aud": "http://localhost"}) == (403, "BadJwtToken")
    assert refused(app, headers={"Topic": "collie-update"}) == (400, "BadWebPushTopic")
    assert refused(app, headers={"Urgency": "urgent"}) == (400, "BadUrgency")
    assert refused(app, "x" * 3994) == (413, "PayloadTooLarge")
    assert send(app, "x" * 3993).status_code == 201
    app.key = VapidKey()
    assert refused(app) == (400, "VapidPkHashMismatch")


def test_a_subscription_of_another_key_is_a_new_one(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    app.key = VapidKey()
    assert refused(app) == (400, "VapidPkHashMismatch")
    again = subscribe(web_mynah, app.key, device=app.device)
    assert send(again, "hello").status_code == 201


def test_a_refusal_of_the_token_does_not_mean_that_the_subscription_is_gone(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    assert refused(app, claims={"sub": "mailto:x@y.local"}) == (403, "BadJwtToken")
    assert send(app, "still there").status_code == 201


def test_a_message_for_another_subscription_is_dropped_with_its_cause(own_mynah: Callable[..., Mynah]) -> None:
    # Of a server with more than 100 subscriptions, causes don't name the others.
    web_mynah = own_mynah("--web-push-port=0")
    app, other = subscribe(web_mynah), subscribe(web_mynah)
    body, fields = encrypted(other, b"hello")
    request = WebCase("", {"request": {}}).request(app, app.key, app.key)
    reply = WebRequest("POST", request.path, request.fields | fields, body).over_http2(web_mynah)
    assert (reply.status, reply.body) == (201, b"")
    assert app.screen() == []
    (push,) = app.pushes()
    assert push["outcome"] == "discarded"
    assert push["webPush"]["problem"].startswith(f"it was encrypted for {other.origin} on {other.device}")


def test_a_message_with_keys_that_nobody_has_is_dropped_with_its_cause(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    stranger = VapidKey()
    app.subscription["keys"] = app.subscription["keys"] | {"p256dh": stranger.text}
    assert send(app, "hello").status_code == 201
    assert app.screen() == []
    (push,) = app.pushes()
    assert push["webPush"]["problem"].startswith("no known keys decrypt it")


def test_two_topics_while_a_device_is_offline_leave_the_newer_push(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    app.set_online(False)
    for number, topic in enumerate(["orders", "offers1"]):
        assert send(app, f"push {number}", ttl=3600, headers={"Topic": topic}).status_code == 201
    app.set_online(True)
    assert [shown["body"] for shown in app.screen()] == ["push 1"]
    assert [push["outcome"] for push in app.pushes()] == ["discarded", "delivered"]


def test_a_push_with_ttl_0_reaches_only_a_device_that_is_online(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    send(app, "online", ttl=0)
    app.set_online(False)
    send(app, "offline", ttl=0)
    app.set_online(True)
    assert [push["outcome"] for push in app.pushes()] == ["delivered", "expired"]


def test_a_push_expires_after_its_ttl(clock_mynah: Mynah) -> None:
    app = subscribe(clock_mynah)
    app.set_online(False)
    send(app, "too late", ttl=60)
    other = subscribe(clock_mynah)
    other.set_online(False)
    send(other, "in time", ttl=3600)
    clock_mynah.control.post("/v1/clock/advance", {"by": "6m"})
    app.set_online(True)
    other.set_online(True)
    assert [push["outcome"] for push in app.pushes()] == ["expired"]
    assert [push["outcome"] for push in other.pushes()] == ["delivered"]


def test_a_denied_permission_is_answered_201_and_shows_nothing(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    app.patch(permissions={"authorization": "denied"})
    assert send(app, "muted").status_code == 201
    assert app.screen() == []
    app.patch(permissions={"authorization": "authorized"})
    assert send(app, "heard").status_code == 201
    assert [shown["body"] for shown in app.screen()] == ["heard"]


def test_three_pushes_that_show_nothing_end_the_subscription(clock_mynah: Mynah) -> None:
    app = subscribe(clock_mynah, worker="silent")
    for _ in range(3):
        assert send(app, "silent").status_code == 201
        clock_mynah.control.post("/v1/clock/advance", {"by": "31s"})
    assert app.screen() == []
    registration = clock_mynah.control.get(app.path)
    assert registration["state"] == "unregistered"
    assert refused(app)[0] == 410
    (refusal,) = app.pushes()[-1]["webPush"]["refusals"]
    assert refusal["cause"] == "Safari removed the subscription after 3 pushes that showed nothing"


def test_a_declarative_message_is_never_silent(clock_mynah: Mynah) -> None:
    app = subscribe(clock_mynah, worker="silent")
    for _ in range(4):
        assert send(app, json.dumps(DECLARED)).status_code == 201
        clock_mynah.control.post("/v1/clock/advance", {"by": "31s"})
    assert len(app.screen()) == 4


@pytest.mark.parametrize(
    ("platform", "version", "is_known"),
    [("iOS", "16.4", False), ("iOS", "18.3.1", False), ("iOS", "18.4", True), ("iOS", "26.1", True),
     ("iPadOS", "18.0", False), ("macOS", "15.0", True)],
)  # fmt: skip
def test_systems_before_18_4_leave_declarative_messages_to_the_service_worker(
    web_mynah: Mynah, platform: str, version: str, is_known: bool
) -> None:
    device = web_mynah.control.post("/v1/devices", {"platform": platform, "osVersion": version})["id"]
    app = subscribe(web_mynah, device=device, worker="none")
    assert send(app, json.dumps(DECLARED), ttl=60).status_code == 201
    assert bool(app.screen()) == is_known
    if not is_known:
        (push,) = app.pushes()
        told = f"{platform} {version} knows no declarative messages: expected 18.4 or later"
        assert any(told in (step["detail"] or "") for step in push["timeline"]), push["timeline"]
        app.patch(worker="shows")
        send(app, json.dumps(DECLARED), ttl=60)
        assert app.screen()[0]["title"] == "Sold out"


def test_a_focus_silences_a_web_app(web_mynah: Mynah) -> None:
    focus = {"name": "Work", "people": []}
    device = web_mynah.control.post("/v1/devices", {"focus": focus})["id"]
    app = subscribe(web_mynah, device=device)
    send(app, "hello", ttl=60)
    (shown,) = app.screen()
    assert (shown["banner"], shown["sound"]) == (None, None)


def test_a_visible_window_is_no_excuse_for_a_silent_push(clock_mynah: Mynah) -> None:
    app = subscribe(clock_mynah, worker="silent")
    app.patch(appState="foreground")
    for _ in range(3):
        assert send(app, "hello", ttl=60).status_code == 201
    clock_mynah.control.post("/v1/clock/advance", {"by": "31s"})
    assert refused(app, ttl=60) == (410, "Unregistered")


def test_a_tap_leads_to_the_address_of_the_message(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah, worker="none")
    send(app, json.dumps(DECLARED), ttl=60)
    (push,) = app.pushes()
    tapped = web_mynah.control.post(
        f"/v1/devices/{app.device}/screen/{push['sequence']}/actions", {"action": "default"}
    )
    assert tapped["navigate"] == "https://shop.example/7"


def test_a_tag_replaces_nothing_that_is_shown(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah, worker="none")
    tagged = DECLARED | {"notification": DECLARED["notification"] | {"tag": "orders"}}
    for _ in range(2):
        send(app, json.dumps(tagged), ttl=60)
    assert len(app.screen()) == 2
    assert {shown["group"] for shown in app.screen()} == {app.origin}


def test_urgency_counts_as_a_priority(web_mynah: Mynah) -> None:
    """In Low Power Mode a push of priority 5 and below waits, as one to an app does."""
    app = subscribe(web_mynah)
    web_mynah.control.ask("PATCH", f"/v1/devices/{app.device}", body={"power": "low"})
    outcomes = {}
    for urgency in ["very-low", "low", "normal", "high"]:
        assert send(app, urgency, ttl=60, headers={"Urgency": urgency}).status_code == 201
        outcomes[urgency] = app.pushes()[-1]["outcome"]
    assert outcomes == {"very-low": "deferred", "low": "deferred", "normal": "deferred", "high": "delivered"}


def test_a_newer_push_with_the_same_topic_says_so(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    app.set_online(False)
    for text in ["first", "second"]:
        send(app, text, ttl=60, headers={"Topic": "orders"})
    (first, _) = app.pushes()
    assert first["outcome"] == "coalesced"
    assert "with the same Topic took its place" in first["timeline"][-1]["detail"]


def test_a_removed_web_app_is_gone(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    app.remove()
    assert refused(app) == (410, "Unregistered")


def test_the_command_sends_to_the_subscription_of_a_file(
    web_mynah: Mynah, mynah_command: Command, tmp_path: Path
) -> None:
    app = subscribe(web_mynah)
    (tmp_path / "subscription.json").write_text(json.dumps(app.subscription))
    (tmp_path / "key.pem").write_bytes(app.key.pem())
    options = ["--web", "subscription.json", "--vapid-key", "key.pem", "--url", web_mynah.control_url]
    sent = mynah_command("send", *options, "--subject", SUBJECT, "--title", "Hello", "--alert", "World", "--ttl", "9")
    assert sent.returncode == FINE, sent.stderr
    assert sent.stdout.startswith("201 accepted\napns-id: ")
    (shown,) = app.screen()
    assert (shown["title"], shown["body"]) == ("Hello", "World")
    (push,) = app.pushes()
    assert push["webPush"]["ttl"] == 9

    # Its token is one with the same claims, as Apple advises.
    again = mynah_command("send", *options, "--subject", SUBJECT, "--title", "Hello")
    assert (again.returncode, again.stderr) == (FINE, "")
    assert [push["warnings"] for push in app.pushes()] == [[], []]

    refused_one = mynah_command("send", *options, "--subject", "mailto:x@localhost", "--topic", "orders")
    assert refused_one.returncode == UNMET
    assert refused_one.stdout.startswith("403 BadJwtToken\n")
    causes = [line.partition(": ")[2] for line in refused_one.stderr.splitlines()]
    assert [cause.partition(" (")[0] for cause in causes] == ["BadJwtToken"], refused_one.stderr
    assert "whose host is localhost" in causes[0]
    document = json.loads(mynah_command("send", *options, "--subject", "mailto:x@localhost", "--json").stdout)
    assert document["webPush"]["refusals"] == app.pushes()[-1]["webPush"]["refusals"]

    other = {**app.subscription["keys"], "auth": base64url(bytes(16))}
    (tmp_path / "other.json").write_text(json.dumps({**app.subscription, "keys": other}))
    unread = mynah_command("send", "--web", "other.json", *options[2:], "--subject", SUBJECT, "--alert", "hi")
    assert unread.returncode == FINE, unread.stderr
    assert unread.stderr == f"warning: the browser can't decrypt it: {app.pushes()[-1]['webPush']['problem']}\n"
    without_key = mynah_command("send", "--web", "subscription.json", "--subject", SUBJECT)
    assert (without_key.returncode, "--web needs --vapid-key" in without_key.stderr) == (USAGE, True)
    (tmp_path / "none.json").write_text("{}")
    none = mynah_command("send", "--web", "none.json", *options[2:], "--subject", SUBJECT)
    assert none.returncode == CONFIGURATION
    assert "is no subscription: expected the JSON of a browser" in none.stderr


@pytest.mark.parametrize(
    ("member", "value", "told"),
    [("p256dh", "AAAA", "keys.p256dh of subscription.json is 3 bytes: expected base64url of the 65 bytes"),
     ("p256dh", base64url(OFF_CURVE), "keys.p256dh of subscription.json is no point on the curve: expected"),
     ("auth", "AAAAAAAAAAAAAAAAAAAA", "keys.auth of subscription.json has 15 bytes: expected 16")],
)  # fmt: skip
def test_keys_of_a_subscription_that_no_browser_has_are_named(
    web_mynah: Mynah, mynah_command: Command, tmp_path: Path, member: str, value: str, told: str
) -> None:
    app = subscribe(web_mynah)
    keys = {**app.subscription["keys"], member: value}
    (tmp_path / "subscription.json").write_text(json.dumps({**app.subscription, "keys": keys}))
    (tmp_path / "key.pem").write_bytes(app.key.pem())
    options = ["--web", "subscription.json", "--vapid-key", "key.pem", "--url", web_mynah.control_url]
    sent = mynah_command("send", *options, "--subject", SUBJECT, "--title", "Hello")
    assert (sent.returncode, told in sent.stderr) == (CONFIGURATION, True), sent.stderr


def test_a_410_by_a_rule_is_that_of_a_dead_subscription(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    rule = {"match": {"device": app.device}, "action": {"type": "respond", "status": 410}, "times": 1}
    web_mynah.control.post("/v1/faults", rule)
    with pytest.raises(pywebpush.WebPushException) as caught:
        send(app, "hello")
    assert (caught.value.response.status_code, caught.value.response.json()) == (410, {"reason": "Unregistered"})


def test_explain_says_what_the_server_answers(web_mynah: Mynah, mynah_command: Command, tmp_path: Path) -> None:
    app = subscribe(web_mynah)
    with_localhost = WebCase("", {"request": {"claims": {"sub": "mailto:x@localhost"}}})
    request = with_localhost.request(app, app.key, app.key)
    reply: WebReply = request.over_http1(web_mynah)
    lines = [f"POST {app.endpoint} HTTP/1.1", *(f"{name}: {value}" for name, value in request.fields.items()), "", ""]
    (tmp_path / "request").write_bytes("\r\n".join(lines).encode() + request.body)
    explained = mynah_command("webpush", "explain", "--json", "request")
    assert explained.returncode == UNMET, explained.stderr
    answer = json.loads(explained.stdout)
    assert (answer["status"], answer["reason"]) == (reply.status, reply.reason) == (403, "BadJwtToken")
    assert [found["evidence"] for found in answer["refusals"]] == ["observed"]


# pywebpush writes the body into a file beside the program that calls it.
AS_CURL = """
import json, sys, pywebpush
from py_vapid import Vapid02
subscription, key, subject = json.loads(sys.argv[1])
print(pywebpush.webpush(subscription, "hello", Vapid02.from_string(key), {"sub": subject}, curl=True))
"""


def test_explain_reads_the_curl_command_of_pywebpush(
    web_mynah: Mynah, mynah_command: Command, tmp_path: Path
) -> None:
    app = subscribe(web_mynah)
    arguments = json.dumps([app.subscription, app.key.number(), SUBJECT])
    made = subprocess.run(
        [sys.executable, "-c", AS_CURL, arguments], cwd=tmp_path, check=True, capture_output=True, timeout=RUN_SECONDS
    )
    (tmp_path / "command").write_bytes(made.stdout)
    explained = mynah_command("webpush", "explain", "--application-server-key", app.key.text, "command")
    assert explained.returncode == FINE, explained.stdout
    assert explained.stdout.startswith("Apple would accept this request: 201\n")
