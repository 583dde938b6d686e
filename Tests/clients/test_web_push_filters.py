"""Filters and fault rules on what only a web push has, and on what its browser decrypts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import pywebpush

from commandline import FINE, UNMET, Command
from devices import unique_id
from server import Mynah
from test_web_push import refused, send
from web_pushes import SUBJECT, WebApp, subscribe


@pytest.fixture
def web_mynah(mynah_with: Callable[..., Mynah]) -> Mynah:
    return mynah_with("--web-push-port=0")


@pytest.fixture
def app(web_mynah: Mynah) -> WebApp:
    """A web app with three pushes: two accepted, one refused."""
    made = subscribe(web_mynah)
    send(made, json.dumps({"title": "Sold out", "order": 7}), ttl=60, headers={"Topic": "orders"})
    send(made, "plain text", ttl=3600, headers={"Urgency": "high"})
    assert refused(made, "never", ttl=60, claims={"sub": "mailto:x@localhost"}) == (403, "BadJwtToken")
    return made


CONDITIONS = [
    ("webPush./ttl", 60, [0, 2]),
    ("webPush./topic", "orders", [0]),
    ("webPush./urgency", "high", [1]),
    ("webPush./claims/sub", "mailto:x@localhost", [2]),
    ("webPush./refusals/0/evidence", "observed", [2]),
    ("webPush./encoding", "aes128gcm", [0, 1, 2]),
    ("webPush./plaintext", "plain text", [1]),
    ("payload./title", "Sold out", [0]),
    ("payload./order", 7, [0]),
    ("text", "plain TEXT", [1]),
]


@pytest.mark.parametrize(("name", "value", "found"), CONDITIONS)
def test_a_list_is_filtered_in_a_url_and_in_a_line(app: WebApp, name: str, value: Any, found: list[int]) -> None:
    pushes = app.pushes()
    key, _, pointer = name.partition(".")
    line = f'{key}:{pointer}:"{value}"' if pointer else f'"{value}"'
    for query in ({name: value}, {"q": line}):
        items = app.mynah.control.pushes(app.registration["token"], **query)
        assert [pushes.index(item) for item in items] == found, query
    others = app.mynah.control.pushes(app.registration["token"], **{f"!{name}": value})
    assert [pushes.index(item) for item in others] == [number for number in range(3) if number not in found]


def test_a_part_of_a_value_and_an_absent_one(app: WebApp) -> None:
    control, token = app.mynah.control, app.registration["token"]
    assert len(control.pushes(token, **{"webPush./claims/sub~": "example.com"})) == 2
    assert len(control.pushes(token, q="-webPush:/topic:orders")) == 2
    assert control.ask("GET", "/v1/notifications?webPush./tll=60").problem(400)["field"] == "webPush./tll"
    assert control.ask("GET", "/v1/notifications?q=webPush%3A%2Fttl").problem(400)["field"] == "q"


def test_an_expectation_has_conditions_on_both(app: WebApp) -> None:
    def expected(**match: Any) -> dict[str, Any]:
        body = {"match": {"token": app.registration["token"]} | match, "within": "0s"}
        answer: dict[str, Any] = app.mynah.control.ask("POST", "/v1/expectations", body=body).json()
        return answer

    met = expected(webPush={"/ttl": {"gte": 100}, "/claims/sub": {"prefix": "mailto:"}})
    assert [push["webPush"]["ttl"] for push in met["items"]] == [3600]
    assert expected(payloadIncludes={"title": "Sold out"})["met"] is True
    unmet = expected(webPush={"/topic": "offers1"}, payload={"/title": "Sold out"})
    assert unmet["met"] is False
    assert unmet["nearest"][0]["differences"] == [
        {"field": "/webPush/topic", "expected": "offers1", "actual": "orders"}
    ]


def test_the_command_expects_and_lists_by_the_members_of_a_web_push(app: WebApp, mynah_command: Command) -> None:
    common = ["--url", app.mynah.control_url, "--token", app.registration["token"]]
    listed = mynah_command("dump", *common, "--web-push", "/ttl=60", "--web-push", "/topic=orders", "--json")
    assert listed.returncode == FINE, listed.stderr
    assert [json.loads(line)["webPush"]["topic"] for line in listed.stdout.splitlines()] == ["orders"]
    unmet = mynah_command("expect", *common, "--web-push", "/topic=offers1", "--within", "0s")
    assert unmet.returncode == UNMET
    assert "/webPush/topic" in unmet.stdout + unmet.stderr


def test_a_fault_rule_sees_what_the_browser_decrypts(app: WebApp) -> None:
    control = app.mynah.control
    rules = [
        ({"payload": {"/title": "Sold out"}}, 500),
        ({"payloadIncludes": {"order": 8}}, 503),
        ({"text": "needle"}, 429),
    ]
    for match, status in rules:
        control.post(
            "/v1/faults",
            {"match": {"device": app.device} | match, "action": {"type": "respond", "status": status}},
        )
    for text, status in [
        (json.dumps({"title": "Sold out"}), 500),
        (json.dumps({"title": "New", "order": 8}), 503),
        ("a Needle in a haystack", 429),
        (json.dumps({"title": "New"}), 201),
        (None, 201),
    ]:
        assert status_of(app, text) == status, text
    # What the browser can't decrypt has no text.
    other = subscribe(app.mynah)
    other.registration["webPush"]["keys"] = app.subscription["keys"]
    control.post("/v1/faults", {"match": {"device": other.device, "text": "hello"}, "action": {"type": "stall"}})
    assert send(other, "hello").status_code == 201


def status_of(app: WebApp, text: str | None) -> int:
    try:
        return send(app, text, claims={"sub": SUBJECT}).status_code
    except pywebpush.WebPushException as error:
        return error.response.status_code


def test_the_python_package_waits_for_and_lists_by_the_members_of_a_web_push(web_mynah: Mynah) -> None:
    with web_mynah.scope(unique_id("scope")) as scoped:
        phone = scoped.device()
        app = subscribe(web_mynah, device=phone.id)
        send(app, "soon", ttl=60)
        send(app, "later", ttl=3600, headers={"Topic": "orders"})
        found = scoped.expect(web_push={"/ttl": {"gte": 100}, "/topic": "orders"})
        assert [push.device for push in found.items] == [phone.id]
        assert [push.device for push in scoped.notifications(web_push={"/ttl": 60})] == [phone.id]
        assert list(scoped.notifications(web_push={"/ttl": 61})) == []
