"""aioapns as a provider: no ALPN, no `:authority`, replies matched by `apns-id`, waits for ever without one."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

import pytest
from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol, APNsProductionClientProtocol, APNsTLSClientProtocol

from conftest import unique_token
from coroutines import result_of
from h2client import tls_context
from server import Mynah


@pytest.fixture
def pointed_at_mynah(mynah: Mynah, monkeypatch: pytest.MonkeyPatch) -> None:
    """aioapns has its host and port as class attributes."""
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_SERVER", "localhost")
    monkeypatch.setattr(APNsProductionClientProtocol, "APNS_SERVER", "localhost")
    monkeypatch.setattr(APNsTLSClientProtocol, "APNS_PORT", mynah.port)


def provider(mynah: Mynah, **options: Any) -> APNs:
    return APNs(
        key=mynah.key_file.read_text(),
        key_id=mynah.key_id,
        team_id=mynah.team_id,
        topic="com.example.app",
        use_sandbox=True,
        ssl_context=tls_context(mynah),
        **options,
    )


def request(token: str, **options: Any) -> NotificationRequest:
    return NotificationRequest(device_token=token, message={"aps": {"alert": "from aioapns"}}, **options)


pytestmark = pytest.mark.usefixtures("pointed_at_mynah")


def test_a_push_with_every_option(mynah: Mynah, token: str) -> None:
    async def work() -> Any:
        return await provider(mynah).send_notification(
            request(token, push_type=PushType.ALERT, priority=5, collapse_key="news", time_to_live=3600)
        )

    result = result_of(work())
    assert (result.is_successful, result.status) == (True, "200")
    push = mynah.control.push(token)
    assert push["apnsId"] == result.notification_id
    assert (push["priority"], push["collapseId"], push["pushType"]) == (5, "news", "alert")
    assert push["payload"] == {"aps": {"alert": "from aioapns"}}
    assert push["expiration"] is not None
    assert ["host", "localhost"] in push["headers"]


def test_a_push_without_push_type(mynah: Mynah, token: str) -> None:
    async def work() -> Any:
        return await provider(mynah).send_notification(request(token))

    assert result_of(work()).is_successful
    assert mynah.control.push(token)["warnings"] == ["push type inferred"]


def test_an_apns_id_in_upper_case_comes_back_as_it_was_sent(mynah: Mynah, token: str) -> None:
    own = str(uuid.uuid4()).upper()

    async def work() -> Any:
        return await provider(mynah).send_notification(request(token, notification_id=own))

    assert result_of(work()).notification_id == own


@pytest.mark.parametrize(
    ("token", "reason"), [("zz", "BadDeviceToken"), ("", "MissingDeviceToken"), ("ab" * 14, "BadDeviceToken")]
)
def test_a_refusal_reaches_the_caller(mynah: Mynah, token: str, reason: str) -> None:
    async def work() -> Any:
        return await provider(mynah).send_notification(request(token))

    result = result_of(work())
    assert (result.status, result.description) == ("400", reason)


def test_a_key_that_nobody_knows_is_refused(mynah: Mynah, token: str) -> None:
    from provider_token import SigningKey

    stranger = SigningKey.stranger()

    async def work() -> Any:
        apns = APNs(
            key=stranger.pem().decode(),
            key_id=stranger.key_id,
            team_id=stranger.team_id,
            topic="com.example.app",
            use_sandbox=True,
            ssl_context=tls_context(mynah),
        )
        return await apns.send_notification(request(token))

    result = result_of(work())
    assert (result.status, result.description) == ("403", "InvalidProviderToken")


@pytest.mark.parametrize("connections", [1, 10])
@pytest.mark.measures
def test_200_pushes_at_once_are_all_answered(mynah: Mynah, connections: int) -> None:
    """aioapns opens its streams before it has read SETTINGS, and hangs when one of them is refused."""
    tokens = [unique_token() for _ in range(200)]

    async def work() -> Any:
        apns = provider(mynah, max_connections=connections)
        return await asyncio.gather(*(apns.send_notification(request(token)) for token in tokens))

    results = result_of(work())
    assert [result.status for result in results] == ["200"] * 200
    for token, result in zip(tokens[::20], results[::20], strict=True):
        assert mynah.control.push(token)["apnsId"] == result.notification_id


def test_good_and_bad_pushes_mixed_are_told_apart(mynah: Mynah) -> None:
    tokens = [unique_token() if number % 3 else "zz" for number in range(60)]

    async def work() -> Any:
        apns = provider(mynah)
        return await asyncio.gather(*(apns.send_notification(request(token)) for token in tokens))

    assert [result.status for result in result_of(work())] == ["400" if token == "zz" else "200" for token in tokens]


def test_the_time_to_live_becomes_the_expiration(mynah: Mynah, token: str) -> None:
    async def work() -> Any:
        return await provider(mynah).send_notification(request(token, time_to_live=60))

    before = int(time.time())
    result_of(work())
    sent = dict(mynah.control.push(token)["headers"])["apns-expiration"]
    assert before + 60 <= int(sent) <= int(time.time()) + 60
