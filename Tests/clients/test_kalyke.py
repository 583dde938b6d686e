"""kalyke as a provider: a connection and a token for every push, `iat` in a string, fails on an unknown reason."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from kalyke import ApnsClient, ApnsConfig, ApnsPushType, Payload, PayloadAlert, VoIPApnsConfig, VoIPClient
from kalyke.exceptions import BadDeviceToken, DeviceTokenNotForTopic, InvalidProviderToken, PayloadTooLarge

from coroutines import result_of
from provider_token import random_identifier
from server import Mynah


@pytest.fixture(autouse=True)
def trust(mynah: Mynah, monkeypatch: pytest.MonkeyPatch) -> None:
    """kalyke takes the certificates that OpenSSL takes."""
    monkeypatch.setenv("SSL_CERT_FILE", str(mynah.ca_file))


def client(mynah: Mynah, kind: type[ApnsClient] = ApnsClient, *, key_id: str | None = None) -> ApnsClient:
    """A client of kalyke's with the one constant overridden."""

    class Local(kind):  # type: ignore[misc, valid-type]
        @property
        def _base_url(self) -> str:
            return f"https://localhost:{mynah.port}"

    return Local(
        use_sandbox=True, team_id=mynah.team_id, auth_key_id=key_id or mynah.key_id, auth_key_filepath=mynah.key_file
    )


def send(sender: ApnsClient, token: str, payload: Any, config: ApnsConfig) -> str:
    return result_of(sender.send_message(token, payload, config))


def test_a_push_of_kalykes_own_payload(mynah: Mynah, token: str) -> None:
    payload = Payload(alert=PayloadAlert(title="kalyke", body="hello"), badge=1)
    apns_id = send(client(mynah), token, payload, ApnsConfig(topic="com.example.app", collapse_id="c"))
    push = mynah.control.push(token)
    assert push["apnsId"] == apns_id
    assert push["payload"]["aps"]["alert"]["title"] == "kalyke"
    assert (push["collapseId"], push["priority"]) == ("c", 10)
    assert push["warnings"] == ["iat is a string"]


def test_the_apns_id_comes_back(mynah: Mynah, token: str) -> None:
    own = str(uuid.uuid4())
    config = ApnsConfig(topic="com.example.app", identifier=own)
    assert send(client(mynah), token, {"aps": {"alert": "hi"}}, config) == own


def test_every_push_has_a_connection_of_its_own(mynah: Mynah, token: str) -> None:
    sender = client(mynah)
    for _ in range(10):
        send(sender, token, {"aps": {"alert": "hi"}}, ApnsConfig(topic="com.example.app"))
    pushes = mynah.control.pushes(token)
    assert len({push["connection"] for push in pushes}) == len(pushes) == 10


def test_a_background_push(mynah: Mynah, token: str) -> None:
    from kalyke import ApnsPriority

    config = ApnsConfig(
        topic="com.example.app", push_type=ApnsPushType.BACKGROUND, priority=ApnsPriority.BASED_ON_POWER
    )
    send(client(mynah), token, {"aps": {"content-available": 1}}, config)
    assert mynah.control.push(token)["pushType"] == "background"


def test_a_voip_push(mynah: Mynah, token: str) -> None:
    send(client(mynah, VoIPClient), token, {"aps": {}, "x": "y" * 4500}, VoIPApnsConfig(topic="com.example.app.voip"))
    push = mynah.control.push(token)
    assert (push["pushType"], push["topic"]) == ("voip", "com.example.app.voip")


def test_refusals_become_kalykes_exceptions(mynah: Mynah, token: str) -> None:
    config = ApnsConfig(topic="com.example.app")
    with pytest.raises(BadDeviceToken):
        send(client(mynah), "zz", {"aps": {"alert": "hi"}}, config)
    with pytest.raises(PayloadTooLarge):
        send(client(mynah), token, {"aps": {"alert": "x" * 5000}}, config)
    with pytest.raises(InvalidProviderToken):
        send(client(mynah, key_id=random_identifier()), token, {"aps": {"alert": "hi"}}, config)
    send(client(mynah), token, {"aps": {"alert": "hi"}}, config)
    with pytest.raises(DeviceTokenNotForTopic):
        send(client(mynah), token, {"aps": {"alert": "hi"}}, ApnsConfig(topic="com.example.other"))
