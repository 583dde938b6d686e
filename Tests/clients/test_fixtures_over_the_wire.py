"""Every case of `fixtures/provider-api` over TLS with HTTP/2, and over HTTP/1.1 what that can carry."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from cases import Case, Play, all_cases
from conftest import unique_token
from h2client import FrameConnection, connect
from http1client import HTTP1Connection
from provider_certificates import Authority
from server import Mynah

# The limit of channels is for the tests of the server in one process.
CASES = [case for case in all_cases() if not case.needs_many_channels]
# A certificate travels otherwise in each version of TLS; nothing else does.
VERSIONS = {"TLS-1.2": ssl.TLSVersion.TLSv1_2, "TLS-1.3": ssl.TLSVersion.TLSv1_3}
TLS_CASES = [
    pytest.param(case, version, id=f"{case.file}-{name}" if name else case.file)
    for case in CASES
    for name, version in (VERSIONS.items() if case.certificate else [("", None)])
]
HTTP1_CASES = [case for case in CASES if case.is_for_http1]

Start = Callable[[Case], Play]


@pytest.fixture
def start(mynah_with: Callable[..., Mynah], provider_ca_file: Path) -> Start:
    """Starts a case on a server with its settings that knows its keys and its devices."""

    def prepare(case: Case) -> Play:
        flags = [f"--{name}={value}" for name, value in sorted(case.settings.items())]
        if case.is_for_channels:
            flags.append("--channels-port=0")
        # Nobody else's tests come to a server whose clock is moved, nor do its connections idle by that.
        if case.needs_frozen_clock or case.needs_authority:
            flags += ["--idle-timeout=1000h", f"--provider-ca={provider_ca_file}"]
        play = Play(mynah_with(*flags), unique_token(), freezes_clock=case.needs_frozen_clock)
        play.make_keys(case.keys)
        play.make_devices(case.devices)
        if case.channels or case.is_for_channels:
            play.make_channels(case.channels)
        return play

    return prepare


@pytest.mark.parametrize(("case", "version"), TLS_CASES)
def test_case_over_tls_and_http2(
    case: Case, version: ssl.TLSVersion | None, start: Start, provider_authority: Authority, tmp_path: Path
) -> None:
    play = start(case)
    context = play.tls_context(case, provider_authority, tmp_path, version)
    port = play.mynah.channels_port if case.is_for_channels else None
    with connect(play.mynah, context=context, port=port) as connection:
        # By then the server has seen the certificate, and what the steps do to it comes after the handshake.
        connection.wait_for_settings()
        for step in case.steps:
            send_step(connection, play, step)


def send_step(connection: FrameConnection, play: Play, step: dict) -> None:
    request = play.request(step)
    pseudo = [(":method", request.method), (":scheme", "https"), (":path", request.path), (":authority", "localhost")]
    expect = step["expect"]
    reply = connection.reply(connection.request([*pseudo, *request.fields], request.body))
    play.check_reply(expect, reply.status, reply.fields, reply.body)
    if expect["status"] == 200 and "body" not in expect:
        reply.assert_accepted()
    elif "reason" not in expect:
        assert reply.is_ended
    else:
        reply.assert_refused(expect["status"], expect["reason"])
    if "warnings" in expect:
        identifier = reply.value("apns-id") or reply.value("apns-request-id")
        push = play.mynah.control.get(f"/v1/notifications/{identifier}")
        assert sorted(push["warnings"]) == sorted(expect["warnings"])


@pytest.mark.parametrize("case", HTTP1_CASES, ids=[case.file for case in HTTP1_CASES])
def test_case_over_http1_without_tls(case: Case, start: Start) -> None:
    play = start(case)
    with HTTP1Connection(play.mynah.cleartext_port) as connection:
        for step in case.steps:
            request = play.request(step)
            response = connection.ask(request.method, request.path, request.fields, request.body)
            expect = {**step["expect"]}
            # HTTP/1.1 says where a body ends by its length.
            expect["headers"] = {
                name: wanted for name, wanted in expect.get("headers", {}).items() if name != "content-length"
            }
            play.check_reply(expect, response.status, response.fields, response.body)


def test_http1_leaves_out_only_certificates_and_a_method_in_lower_case() -> None:
    left_out = {case.file for case in CASES if case not in HTTP1_CASES}
    assert left_out == {case.file for case in CASES if case.certificate} | {
        "method-lower-case",
        "channel-path-on-push-port",
        "channel-path-on-push-port-get",
        "channel-port-for-push",
        "channel-port-for-broadcast",
        "channel-path-unknown-get",
    }


def test_names_of_cases_are_unique_sentences() -> None:
    names = [case.content["name"] for case in CASES]
    assert len(set(names)) == len(names)
    assert all(" " in name for name in names)


def test_no_case_has_an_unknown_member() -> None:
    own = {"at", "keys", "revoke", "request", "expect"}
    members = {"name", "source", "rule", "settings", "state", "certificate", "before", "service", *own}
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
            assert set(step["expect"]) <= {"status", "reason", "timestamp", "headers", "warnings", "body"}, case.file
