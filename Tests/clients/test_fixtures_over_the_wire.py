"""Every case of `fixtures/provider-api` that another process can play, over TLS with HTTP/2 and over HTTP/1.1."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cases import Case, Play, all_cases, check_reply
from conftest import unique_token
from h2client import FrameConnection, connect
from http1client import HTTP1Connection
from server import Mynah

CASES = all_cases()
HOSTS = {"sandbox": "api.sandbox.push.apple.com", "production": "api.push.apple.com"}


def flags_of(case: Case) -> list[str]:
    """The settings of a case as flags of `serve`."""
    return [f"--{name}={value}" for name, value in sorted(case.settings.items())]


def prepare(case: Case, mynah_with: Callable[..., Mynah]) -> Play:
    """A server with the case's settings that knows the case's devices."""
    obstacle = case.obstacle()
    if obstacle:
        pytest.skip(obstacle)
    play = Play(mynah_with(*flags_of(case)), unique_token())
    play.make_keys(case.keys)
    for device in case.devices:
        # A push that is accepted makes the device known; there is no other way over the wire.
        with connect(play.mynah, server_name=HOSTS[device["environment"]]) as first:
            first.push(play.replace_token(device["token"]), topic=device["topic"]).assert_accepted()
    return play


@pytest.mark.parametrize("case", CASES, ids=[case.file for case in CASES])
def test_case_over_tls_and_http2(case: Case, mynah_with: Callable[..., Mynah]) -> None:
    play = prepare(case, mynah_with)
    with connect(play.mynah) as connection:
        for step in case.steps:
            send_step(connection, play, step)


def send_step(connection: FrameConnection, play: Play, step: dict) -> None:
    request = play.request(step)
    pseudo = [(":method", request.method), (":scheme", "https"), (":path", request.path), (":authority", "localhost")]
    expect = step["expect"]
    reply = connection.reply(connection.request([*pseudo, *request.fields], request.body))
    check_reply(expect, reply.status, reply.fields, reply.body)
    if expect["status"] == 200:
        reply.assert_accepted()
    else:
        reply.assert_refused(expect["status"], expect["reason"])
    if "warnings" in expect:
        push = play.mynah.control.get(f"/v1/notifications/{reply.value('apns-id')}")
        assert sorted(push["warnings"]) == sorted(expect["warnings"])


@pytest.mark.parametrize("case", CASES, ids=[case.file for case in CASES])
def test_case_over_http1_without_tls(case: Case, mynah_with: Callable[..., Mynah]) -> None:
    if any(step["request"].get("method", "POST").islower() for step in case.steps):
        pytest.skip("an HTTP/1.1 parser knows no such method")
    play = prepare(case, mynah_with)
    with HTTP1Connection(play.mynah.cleartext_port) as connection:
        for step in case.steps:
            request = play.request(step)
            response = connection.ask(request.method, request.path, request.fields, request.body)
            expect = {**step["expect"]}
            # HTTP/1.1 says where a body ends by its length.
            expect["headers"] = {
                name: wanted for name, wanted in expect.get("headers", {}).items() if name != "content-length"
            }
            check_reply(expect, response.status, response.fields, response.body)


def test_most_cases_can_be_played() -> None:
    skipped = {case.file: case.obstacle() for case in CASES if case.obstacle()}
    assert len(skipped) < len(CASES) / 5, skipped


def test_names_of_cases_are_unique_sentences() -> None:
    names = [case.content["name"] for case in CASES]
    assert len(set(names)) == len(names)
    assert all(" " in name for name in names)


def test_no_case_has_an_unknown_member() -> None:
    own = {"at", "keys", "revoke", "request", "expect"}
    members = {"name", "source", "rule", "settings", "state", "certificate", "before", *own}
    for case in CASES:
        assert set(case.content) <= members, case.file
        for step in case.steps:
            assert set(step) <= own, case.file
            assert set(step["request"]) <= {
                "method",
                "path",
                "token",
                "credential",
                "headers",
                "body",
                "bodyText",
                "bodySize",
            }, case.file
            assert set(step["expect"]) <= {"status", "reason", "timestamp", "headers", "warnings"}, case.file
