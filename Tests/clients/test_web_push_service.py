"""The Web Push service around its rules: its names, the proxy, the end of subscriptions, limits, metrics."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from commands import curl
from h2client import tls_channel, tls_context
from server import Mynah
from test_metrics import value
from test_web_push import refused, send
from waiting import HANG_SECONDS
from web_pushes import VERSIONS, VapidKey, WebApp, WebCase, subscribe

APPLE = "web.push.apple.com"


@pytest.fixture
def web_mynah(mynah_with: Callable[..., Mynah]) -> Mynah:
    return mynah_with("--web-push-port=0", "--proxy-port=0")


def curl_arguments(app: WebApp, folder: Any) -> list[str]:
    """curl's arguments for a push to a web app, without the address."""
    request = WebCase("", {"request": {"claims": {"aud": f"https://{APPLE}"}}}).request(app, app.key, VapidKey())
    (folder / "body").write_bytes(request.body)
    fields = [word for name, content in request.fields.items() for word in ("--header", f"{name}: {content}")]
    return ["--cacert", str(app.mynah.ca_file), *fields, "--data-binary", f"@{folder / 'body'}"]


def test_the_certificate_has_the_name_of_apples_service(web_mynah: Mynah) -> None:
    with tls_channel(web_mynah, server_name=APPLE, port=web_mynah.ready["webPushPort"]) as channel:
        names = [name for _, name in channel.getpeercert()["subjectAltName"]]
        assert channel.selected_alpn_protocol() is None
    assert APPLE in names or "*.push.apple.com" in names


@pytest.mark.parametrize(("offered", "chosen"), [
    (["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], "http/1.1"), (["http/1.1"], "http/1.1"), (["h2"], "h2"),
])  # fmt: skip
def test_alpn_chooses_what_the_client_names_first(web_mynah: Mynah, offered: list[str], chosen: str) -> None:
    with tls_channel(web_mynah, alpn=offered, port=web_mynah.ready["webPushPort"]) as channel:
        assert channel.selected_alpn_protocol() == chosen


def test_plain_http_is_not_served(web_mynah: Mynah) -> None:
    with socket.create_connection(("localhost", web_mynah.ready["webPushPort"]), timeout=HANG_SECONDS) as channel:
        channel.sendall(b"POST /QA HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n")
        received = channel.recv(100)
    # At most a TLS alert.
    assert not received.startswith(b"HTTP")


def test_a_client_that_names_no_server_is_served(web_mynah: Mynah) -> None:
    """Apple requires a name (documented); the name of an address, such as 127.0.0.1, is none."""
    context = tls_context(web_mynah)
    context.check_hostname = False
    plain = socket.create_connection(("127.0.0.1", web_mynah.ready["webPushPort"]), timeout=HANG_SECONDS)
    with context.wrap_socket(plain) as channel:
        channel.sendall(b"GET /QA HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert channel.recv(12) == b"HTTP/1.1 405"


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
def test_apples_address_is_reached_through_the_proxy(web_mynah: Mynah, tmp_path: Any, version: str) -> None:
    app = subscribe(web_mynah)
    path = urlsplit(app.endpoint).path
    proxy = ["--proxy", f"http://127.0.0.1:{web_mynah.proxy_port}", "--suppress-connect-headers", version]
    reply = curl(*proxy, *curl_arguments(app, tmp_path), f"https://{APPLE}{path}")
    assert (reply.status, reply.body) == (201, b"")
    (push,) = app.pushes()
    # Apple's own address has no port, so nothing is wrong with the audience.
    assert push["warnings"] == []


def test_a_subscription_that_ended_is_accepted_until_the_clock_says_so(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--web-push-port=0", "--unregister-delay=2h", "--idle-timeout=1000h")
    app = subscribe(mynah)
    app.remove()
    assert send(app, "dead", ttl=60).status_code == 201
    mynah.control.post("/v1/clock/advance", {"by": "119m"})
    assert send(app, "still dead", ttl=60).status_code == 201
    mynah.control.post("/v1/clock/advance", {"by": "2m"})
    assert refused(app) == (410, "Unregistered")
    assert [push["outcome"] for push in app.pushes()] == ["discarded", "discarded", "refused"]
    assert app.screen() == []


@pytest.mark.parametrize("reason", ["reinstall", "restore"])
def test_a_web_app_that_subscribes_again_has_another_subscription(web_mynah: Mynah, reason: str) -> None:
    app = subscribe(web_mynah)
    asked = {"topic": app.origin, "kind": "web", "applicationServerKey": app.key.text}
    path = f"/v1/devices/{app.device}/registrations"
    web_mynah.control.post(path, asked | {"rotate": reason})
    again = replace(app, registration=web_mynah.control.post(path, asked))
    assert again.endpoint != app.endpoint
    assert again.subscription["keys"] != app.subscription["keys"]
    assert refused(app) == (410, "Unregistered")
    assert send(again, "hello", ttl=60).status_code == 201


def test_too_many_pushes_in_a_row_to_one_subscription_are_answered_429(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--web-push-port=0", "--request-limit=2/10s", "--idle-timeout=1000h")
    app, other = subscribe(mynah), subscribe(mynah)
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    for _ in range(2):
        assert send(app, "hello", ttl=60).status_code == 201
    assert refused(app, ttl=60) == (429, "TooManyRequests")
    (cause,) = app.pushes()[-1]["webPush"]["refusals"]
    assert (cause["reason"], cause["evidence"]) == ("TooManyRequests", "inferred")
    assert send(other, "hello", ttl=60).status_code == 201
    mynah.control.post("/v1/clock/advance", {"by": "11s"})
    assert send(app, "hello", ttl=60).status_code == 201


def test_web_pushes_are_counted_like_others(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--web-push-port=0")
    app = subscribe(mynah)
    send(app, "hello", ttl=60)
    refused(app, ttl=60, claims={"sub": "mailto:x@localhost"})
    assert value(mynah.control, "mynah_pushes_total", status="201", reason="") == 1
    assert value(mynah.control, "mynah_pushes_total", status="403", reason="BadJwtToken") == 1
    status = mynah.control.get("/v1/status")
    assert status["ports"]["webPush"] == mynah.ready["webPushPort"]


@pytest.mark.parametrize(
    ("members", "field", "words"),
    [
        ({"applicationServerKey": None}, "/applicationServerKey", "subscribes with a key"),
        ({"applicationServerKey": "B"}, "/applicationServerKey", "65 bytes"),
        ({"applicationServerKey": "BAAA"}, "/applicationServerKey", "65 bytes"),
        ({"kind": "page"}, "/kind", "app or web"),
        ({"kind": "app"}, "/topic", "expected kind web"),
        ({"kind": "app", "topic": "com.example.app"}, "/applicationServerKey", "expected kind web"),
        ({"topic": "com.example.app"}, "/topic", "origin"),
        ({"topic": "http://shop.example"}, "/topic", "origin"),
        ({"topic": "https://shop.example/"}, "/topic", "origin"),
        ({"topic": "https://shop.example:443"}, "/topic", "origin"),
        ({"topic": "https://Shop.example"}, "/topic", "origin"),
        ({"worker": "sleeps"}, "/worker", "shows, silent or none"),
    ],
    ids=str,
)
def test_a_bad_web_app_is_named(web_mynah: Mynah, members: dict[str, Any], field: str, words: str) -> None:
    asked = {"topic": "https://shop.example", "kind": "web", "applicationServerKey": VapidKey().text} | members
    web_mynah.control.ask("PUT", "/v1/devices/bad-web-app", body={})
    body = {name: content for name, content in asked.items() if content is not None}
    problem = web_mynah.control.ask("POST", "/v1/devices/bad-web-app/registrations", body=body).problem(400)
    assert problem["field"] == field, problem
    assert words in json.dumps(problem), problem


def test_another_key_is_a_conflict_until_the_web_app_is_removed(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    other = VapidKey()
    asked = {"topic": app.origin, "kind": "web", "applicationServerKey": other.text}
    path = f"/v1/devices/{app.device}/registrations"
    conflict = web_mynah.control.ask("POST", path, body=asked).problem(409)
    assert "InvalidStateError" in conflict["detail"]
    app.remove()
    again = replace(app, key=other, registration=web_mynah.control.post(path, asked))
    assert send(again, "hello", ttl=60).status_code == 201


def test_no_private_key_is_in_what_is_shown(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    send(app, "hello", ttl=60)
    seen = json.dumps([
        app.pushes(), web_mynah.control.get(app.path), web_mynah.control.get("/v1/devices", {"limit": 1000}),
        web_mynah.control.get(f"/v1/devices/{quote(app.device)}/inbox"),
    ])  # fmt: skip
    assert "privateNumber" not in seen and "private" not in seen
    # A token's signature is kept nowhere.
    authorization = dict(app.pushes()[0]["headers"])["authorization"]
    assert [len(part) > 0 for part in authorization.split("=", 1)[1].split(",")[0].split(".")] == [True, True, False]


def test_without_its_port_a_server_hands_out_no_endpoint(own_mynah: Callable[..., Mynah]) -> None:
    """An endpoint of Apple's would send the test pushes of a provider there."""
    app = subscribe(own_mynah())
    assert app.registration["webPush"] is None
    assert app.registration["applicationServerKey"] == app.key.text


@pytest.mark.parametrize("token", ["0400000000000002", "0410000000000001", "fa17000000000011"])
def test_a_magic_token_of_apns_is_no_endpoint(web_mynah: Mynah, token: str) -> None:
    app = subscribe(web_mynah)
    good = WebCase("", {"request": {}}).request(app, app.key, app.key)
    path = "/3/device/" + "badc0ffee0ddf00d" * 3 + token
    reply = replace(good, path=path).over_http2(web_mynah)
    assert (reply.status, reply.reason) == (404, "BadPath")


def test_a_web_app_has_no_sandbox(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    assert app.registration["environment"] == "production"
    again = {"topic": app.origin, "kind": "web", "applicationServerKey": app.key.text}
    path = f"/v1/devices/{app.device}/registrations"
    # An answer of an earlier version names the sandbox.
    for environment in ["production", "sandbox"]:
        same = web_mynah.control.post(path, again | {"environment": environment})
        assert (same["environment"], same["webPush"]) == ("production", app.subscription)
    # The device's own environment is that of its apps.
    assert web_mynah.control.get(app.path)["webPush"] == app.subscription
    send(app, "hello", ttl=60)
    (push,) = app.pushes()
    assert (push["environment"], push["outcome"]) == ("production", "delivered")


@pytest.mark.parametrize("platform", ["watchOS", "tvOS"])
def test_a_platform_without_web_apps_is_named(web_mynah: Mynah, platform: str) -> None:
    app = {"topic": "https://shop.example", "kind": "web", "applicationServerKey": VapidKey().text}
    body = {"platform": platform, "registrations": [app]}
    problem = web_mynah.control.ask("POST", "/v1/devices", body=body).problem(400)
    assert problem["field"] == "/registrations/0/kind"
    assert f"{platform} has no web apps that get pushes" in problem["detail"]


def test_among_many_subscriptions_those_of_the_senders_key_are_tried(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--web-push-port=0")
    key = VapidKey()
    many = {"topic": "https://many.example", "kind": "web", "applicationServerKey": VapidKey().text}
    mynah.control.post("/v1/devices", {"id": "many", "count": 101, "registrations": [many]})
    app, other = subscribe(mynah, key), subscribe(mynah, key)
    # What was encrypted for the other one is sent to the first.
    good = WebCase("", {"request": {}})
    wrong = replace(good.request(other, key, key), path=urlsplit(app.endpoint).path)
    assert wrong.over_http1(mynah).status == 201
    assert f"it was encrypted for {other.origin} on {other.device}" in app.pushes()[-1]["webPush"]["problem"]
    listed = mynah.control.get("/v1/magic-tokens", {"limit": 1000})["items"]
    (twice,) = [magic for magic in listed if "is delivered twice" in magic["does"]]
    magic = replace(good.request(app, key, key), path=f"/{twice['segment']}")
    assert magic.over_http1(mynah).status == 201
    assert len(app.screen()) == 2
    # Of keys that nobody has, the cause says that not all could be tried.
    stranger = replace(app, registration=app.registration | {"webPush": app.subscription | {
        "keys": {"p256dh": VapidKey().text, "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}})  # fmt: skip
    assert good.request(stranger, key, key).over_http1(mynah).status == 201
    assert app.pushes()[-1]["webPush"]["problem"].endswith(", but 3 of 103 were not tried")


def test_a_rule_that_answers_201_delivers_the_push(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    rule = {"match": {"device": app.device}, "action": {"type": "respond", "status": 201}, "times": 1}
    web_mynah.control.post("/v1/faults", rule)
    assert send(app, "hello", ttl=60).status_code == 201
    assert len(app.screen()) == 1
    assert app.pushes()[-1]["outcome"] == "delivered"
    web_mynah.control.post("/v1/faults", rule | {"action": rule["action"] | {"deliver": False}})
    send(app, "hello", ttl=60)
    assert app.pushes()[-1]["outcome"] == "lost"


@pytest.mark.parametrize(("kind", "action", "allowed"), [
    ("webPush", {"status": 403}, ["BadAuthorizationHeader", "BadJwtToken", "BadVapidPublicKey"]),
    ("webPush", {"reason": "ExpiredProviderToken"}, ["BadAuthorizationHeader", "BadJwtToken", "BadVapidPublicKey"]),
    ("push", {"reason": "BadUrgency"}, None), ("broadcast", {"reason": "VapidPkHashMismatch"}, None),
], ids=str)  # fmt: skip
def test_a_rule_answers_reasons_of_the_service_that_it_names(
    web_mynah: Mynah, kind: str, action: dict[str, Any], allowed: list[str] | None
) -> None:
    rule = {"match": {"kind": kind}, "action": {"type": "respond"} | action}
    problem = web_mynah.control.ask("POST", "/v1/faults", body=rule).problem(400)
    assert problem["field"] == "/action/reason"
    service = "Apple's Web Push service" if kind == "webPush" else "APNs"
    assert problem["detail"].startswith(f"{service} does not answer ")
    assert allowed is None or problem["allowed"] == allowed


def test_a_private_number_in_place_of_a_public_key_is_not_kept(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    good = WebCase("", {"request": {"form": "webpush"}}).request(app, app.key, app.key)
    number = app.key.number()
    wrong = replace(good, fields=good.fields | {"crypto-key": f"dh=abc;p256ecdsa={number}"})
    for send_it in VERSIONS.values():
        reply = send_it(wrong, web_mynah)
        assert (reply.status, reply.reason) == (403, "BadVapidPublicKey")
    entries = web_mynah.control.get("/v1/notifications", {"kind": "webPush", "limit": 1000})["items"]
    assert number not in json.dumps(entries)
    kept = [dict(entry["headers"]).get("crypto-key") for entry in entries]
    assert kept.count("dh=abc;p256ecdsa=") == 2
