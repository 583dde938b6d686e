"""Flags of `serve` that choose where APNs leaves a choice, as far as they concern connections."""

from __future__ import annotations

from collections.abc import Callable


import pytest

from conftest import unique_token
from h2client import DEFAULT_BODY, NO_ERROR, REFUSED_STREAM, connect, trusted
from provider_token import Form
from server import Mynah


def test_stream_limits_can_be_chosen(mynah_with: Callable[..., Mynah], token: str) -> None:
    mynah = mynah_with("--stream-limits=3,20")
    with connect(mynah) as connection:
        assert connection.wait_for_settings()[3] == 3
        streams = [connection.open(connection.push_fields(unique_token())) for _ in range(3)]
        assert connection.reply(connection.start_push(token)).reset_code == REFUSED_STREAM
        for stream in streams:
            connection.send_body(stream, DEFAULT_BODY)
            connection.reply(stream).assert_accepted()
        assert connection.wait_for_settings(2) == {3: 20}


@pytest.mark.measures
def test_an_idle_connection_is_closed_with_a_reason(mynah_with: Callable[..., Mynah], token: str) -> None:
    mynah = mynah_with("--idle-timeout=300ms")
    # Until the push is answered, no time passes; from then on that of this machine does.
    mynah.control.put("/v1/clock", {"mode": "frozen"})
    with connect(mynah) as connection:
        stream = connection.start_push(token)
        connection.reply(stream).assert_accepted()
        mynah.control.put("/v1/clock", {"mode": "real"})
        goaway = connection.wait_for_goaway()
        assert (goaway.error_code, goaway.last_stream_id) == (NO_ERROR, stream)
        assert bytes(goaway.additional_data) == b'{"reason":"IdleTimeout"}'
        connection.read_until_closed()


def test_errors_are_not_counted_by_default(mynah: Mynah, token: str) -> None:
    with connect(mynah) as connection:
        for _ in range(200):
            connection.push("zz").assert_refused(400, "BadDeviceToken")
        connection.push(token).assert_accepted()


def test_token_updates_may_be_counted_over_all_connections_of_a_key(
    mynah_with: Callable[..., Mynah], token: str
) -> None:
    mynah = mynah_with("--token-updates=key")
    for variant in (1, 2, 3):
        with connect(mynah) as connection:
            connection.push(token, form=Form(variant=variant)).assert_accepted()
    with connect(mynah) as connection:
        connection.push(token, form=Form(variant=4)).assert_refused(429, "TooManyProviderTokenUpdates")


def test_token_updates_are_counted_by_connection_by_default(mynah: Mynah, token: str) -> None:
    for variant in range(1, 11):
        with connect(mynah) as connection:
            connection.push(token, form=Form(variant=variant)).assert_accepted()


def test_a_port_can_be_bound_to_an_environment(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah("--port=0:production")
    ports = mynah.ready["ports"]
    assert len(ports) == 2 and len(set(map(str, ports))) == 2
    mynah.place.port = int(str(ports[1]["port"] if isinstance(ports[1], dict) else ports[1]).split(":")[0])
    with connect(mynah) as connection:
        assert connection.push(token).assert_accepted().value("apns-unique-id") is None
    assert mynah.control.push(token)["environment"] == "production"
    # A port's environment holds whatever name the client asks for.
    with connect(mynah, server_name="api.sandbox.push.apple.com") as connection:
        connection.push(token).assert_accepted()


def test_structural_auth_serves_a_provider_with_its_own_key(mynah_with: Callable[..., Mynah], token: str) -> None:
    from provider_token import SigningKey, authorization

    mynah = mynah_with("--auth=structural")
    with connect(mynah) as connection:
        connection.push(token, authorization=authorization(SigningKey.stranger())).assert_accepted()
    trusted(connect(mynah), token).close()
