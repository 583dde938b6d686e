"""Magic endpoints of web pushes that don't refuse: late, lost, twice (`Documents#Magic-tokens`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from server import Mynah
from waiting import takes_at_least
from web_pushes import VERSIONS, VapidKey, WebApp, WebCase, WebReply, WebRequest, subscribe


@pytest.fixture
def web_mynah(own_mynah: Callable[..., Mynah]) -> Mynah:
    # Of a server with more than 100 subscriptions, none is tried to decrypt what came to a magic endpoint.
    return own_mynah("--web-push-port=0", "--idle-timeout=1000h")


def magic(mynah: Mynah, does: str) -> dict[str, Any]:
    (found,) = [one for one in mynah.control.get("/v1/magic-tokens", {"limit": 1000})["items"] if one["does"] == does]
    return found


def pushed(app: WebApp, does: str, version: str = "http2", key: VapidKey | None = None) -> WebReply:
    """A push that was encrypted for a web app, to a magic endpoint."""
    # A push that waits for longer than the minute of one of them.
    good = WebCase("", {"request": {"headers": {"TTL": "3600"}}}).request(app, key or app.key, app.key)
    request = WebRequest("POST", f"/{magic(app.mynah, does)['segment']}", good.fields, good.body)
    return VERSIONS[version](request, app.mynah)


@pytest.mark.parametrize("version", VERSIONS)
def test_late_is_answered_201_after_a_second_and_delivered(web_mynah: Mynah, version: str) -> None:
    app = subscribe(web_mynah)
    with takes_at_least(1):
        assert pushed(app, "is answered 1 s late", version).status == 201
    (push,) = app.pushes()
    assert (push["status"], push["outcome"], push["device"]) == (201, "delivered", app.device)
    assert [shown["body"] for shown in app.screen()] == ["hello"]


@pytest.mark.parametrize("version", VERSIONS)
def test_twice_is_shown_twice(web_mynah: Mynah, version: str) -> None:
    app, other = subscribe(web_mynah), subscribe(web_mynah)
    assert pushed(app, "is delivered twice", version).status == 201
    assert [shown["body"] for shown in app.screen()] == ["hello", "hello"]
    assert other.screen() == []


def test_a_minute_later_is_by_the_clock(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    web_mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    assert pushed(app, "is answered 200 and delivered a minute of the clock later").status == 201
    assert app.screen() == []
    web_mynah.control.post("/v1/clock/advance", {"by": "61s"})
    assert [shown["body"] for shown in app.screen()] == ["hello"]


def test_lost_is_answered_201_and_never_delivered(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    assert pushed(app, "is answered 200 and never delivered").status == 201
    assert app.screen() == []
    (push,) = app.pushes()
    assert push["outcome"] == "lost"


def test_what_nobody_can_decrypt_is_answered_201_and_discarded(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    # Another key is not that of the subscription, so the push isn't for it.
    assert pushed(app, "is delivered twice", key=VapidKey()).status == 201
    assert app.screen() == []
    (push,) = web_mynah.control.get("/v1/notifications", {"kind": "webPush"})["items"]
    assert (push["outcome"], push["device"], push["token"]) == ("discarded", None, None)
    assert "no subscription with the key of the request decrypts it" in push["webPush"]["problem"]


def test_a_request_that_is_wrong_is_refused_at_a_magic_endpoint_too(web_mynah: Mynah) -> None:
    app = subscribe(web_mynah)
    bad = WebCase("", {"request": {"headers": {"TTL": None}}}).request(app, app.key, app.key)
    request = WebRequest("POST", f"/{magic(web_mynah, 'is delivered twice')['segment']}", bad.fields, bad.body)
    reply = request.over_http1(web_mynah)
    assert (reply.status, reply.reason) == (400, "BadTtl")


def test_without_magic_tokens_the_endpoint_is_unknown(own_mynah: Callable[..., Mynah]) -> None:
    web_mynah = own_mynah("--web-push-port=0", "--magic-tokens=off")
    app = subscribe(web_mynah)
    good = WebCase("", {"request": {}}).request(app, app.key, app.key)
    segment = "Qbadc0ffee0ddf00d" + "fa17000000000011".rjust(154, "0")
    reply = WebRequest("POST", f"/{segment}", good.fields, good.body).over_http1(web_mynah)
    assert (reply.status, reply.reason) == (410, "Unregistered")
