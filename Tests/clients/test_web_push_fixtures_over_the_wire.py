"""Every request of `fixtures/web-push` over TLS with HTTP/1.1 and with HTTP/2."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from server import Mynah
from web_pushes import VERSIONS, VapidKey, WebCase, WebReply, WebRequest, all_web_cases, subscribe

CASES = all_web_cases()
APNS_ID = re.compile(r"[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}")


@pytest.fixture
def web_mynah(mynah_with: Callable[..., Mynah]) -> Mynah:
    return mynah_with("--web-push-port=0")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}-{case.name}" for case in CASES])
def test_case(case: WebCase, version: str, web_mynah: Mynah) -> None:
    own, other = VapidKey(), VapidKey()
    app = subscribe(web_mynah, other if case.subscriber == "other" else own)
    if case.is_gone:
        app.remove()
    identifiers = set()
    times = case.content.get("times", 1)
    for _ in range(times):
        reply = VERSIONS[version](case.request(app, own, other), web_mynah)
        check(reply, case)
        identifiers.add(reply.fields["apns-id"])
    assert len(identifiers) == times


def check(reply: WebReply, case: WebCase) -> None:
    expected = case.content["expect"]
    assert (reply.status, reply.reason) == (expected["status"], expected.get("reason")), reply
    assert APNS_ID.fullmatch(reply.fields["apns-id"])
    assert "location" not in reply.fields
    if reply.status == 201:
        assert reply.body == b""


def test_the_journal_has_every_cause(own_mynah: Callable[..., Mynah]) -> None:
    # Of a server with more than 100 subscriptions, causes don't name the others.
    web_mynah = own_mynah("--web-push-port=0")
    own, other = VapidKey(), VapidKey()
    own_app, other_app = subscribe(web_mynah, own), subscribe(web_mynah, other)
    for case in CASES:
        # A key that is on no curve can't subscribe.
        if case.subscriber == "offcurve" or "endpoint" in case.content and case.subscriber == "own":
            continue
        app = other_app if case.subscriber == "other" else own_app
        reply = case.request(app, own, other).over_http1(web_mynah)
        push = web_mynah.control.get(f"/v1/notifications/{reply.fields['apns-id']}")
        assert (push["status"], push["reason"]) == (reply.status, reply.reason)
        causes = [refusal["cause"] for refusal in push["webPush"]["refusals"]]
        expected = case.content["expect"].get("causes", [])
        assert len(causes) == len(expected), f"{case.name}: {causes}"
        for cause, part in zip(causes, expected):
            # The fixtures don't know whose the other key is here.
            named = part.replace("the other app", f"{other_app.origin} on {other_app.device}")
            assert named in cause, f"{case.name}: {cause}"
        warnings = case.content["expect"].get("warnings", [])
        for part in warnings:
            assert any(part in warning for warning in push["warnings"]), f"{case.name}: {push['warnings']}"


def test_a_reason_by_a_magic_endpoint(web_mynah: Mynah) -> None:
    """Each reason's magic endpoint answers it, whatever the request."""
    own = VapidKey()
    app = subscribe(web_mynah, own)
    good = WebCase("", {"request": {}}).request(app, own, own)
    listed = web_mynah.control.get("/v1/magic-tokens", {"limit": 1000})["items"]
    reasons = [magic for magic in listed if magic["reason"] and magic["status"] and magic["status"] >= 400]
    assert {magic["reason"] for magic in reasons} >= {"BadJwtToken", "VapidPkHashMismatch", "TooManyRequests"}
    for magic in reasons:
        request = WebRequest("POST", f"/{magic['segment']}", good.fields, good.body)
        reply = request.over_http1(web_mynah)
        assert (reply.status, reply.reason) == (magic["status"], magic["reason"])


def test_a_reason_by_a_rule(web_mynah: Mynah) -> None:
    own = VapidKey()
    app = subscribe(web_mynah, own)
    web_mynah.control.post(
        "/v1/faults",
        {"match": {"device": app.device}, "action": {"type": "respond", "reason": "TooManyRequests"}, "times": 1},
    )
    request = WebCase("", {"request": {}}).request(app, own, own)
    refused = request.over_http1(web_mynah)
    assert (refused.status, refused.reason) == (429, "TooManyRequests")
    assert request.over_http1(web_mynah).status == 201
