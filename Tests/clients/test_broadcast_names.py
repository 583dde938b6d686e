"""Broadcasts and channel management by an ordinary client, httpx, on every port and under every name of Apple's.

`ProviderAPI#Hosts-and-ports` has the names. httpx looks none of them up: it asks this machine for them by SNI, or the
CONNECT proxy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from server import Mynah
from test_broadcasts import APP, CONFIGURATION, update

MANAGEMENT = {
    "api-manage-broadcast.push.apple.com": "production",
    "api-manage-broadcast.sandbox.push.apple.com": "sandbox",
}
PUSHES = {
    "api-broadcast.push.apple.com": "production",
    "api-broadcast.sandbox.push.apple.com": "sandbox",
    "api.push.apple.com": "production",
    "api.sandbox.push.apple.com": "sandbox",
    "api.development.push.apple.com": "sandbox",
}
OTHER = {"production": "sandbox", "sandbox": "production"}
CHANNELS = f"/1/apps/{APP}/channels"
ALL_CHANNELS = f"/1/apps/{APP}/all-channels"
BROADCASTS = f"/4/broadcasts/apps/{APP}"


@pytest.fixture
def own(mynah_with: Callable[..., Mynah]) -> Iterator[Mynah]:
    """A server with ports for both environments beside one for any, with a proxy, and without channels."""
    server = mynah_with(
        "--port=0:production",
        "--port=0:sandbox",
        "--channels-port=0:production",
        "--channels-port=0:sandbox",
        "--proxy-port=0",
    )
    server.control.ask("DELETE", "/v1/channels")
    yield server


class Service:
    """Requests of httpx to one port, under one name."""

    def __init__(self, mynah: Mynah, base: str, name: str | None = None, **options: Any) -> None:
        self.headers = {"authorization": mynah.authorization()}
        self.extensions = {} if name is None else {"sni_hostname": name}
        self.client = httpx.Client(http2=True, verify=mynah.ssl_context(), base_url=base, **options)

    def __enter__(self) -> Service:
        self.client.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.client.__exit__(*error)

    def ask(self, method: str, path: str, content: bytes = b"", **fields: str) -> httpx.Response:
        headers = self.headers | {name.replace("_", "-"): value for name, value in fields.items()}
        answer = self.client.request(method, path, content=content, headers=headers, extensions=self.extensions)
        assert answer.http_version == "HTTP/2"
        return answer

    def broadcast(self, channel: str, payload: bytes, expiration: str = "0") -> httpx.Response:
        return self.ask(
            "POST",
            BROADCASTS,
            payload,
            apns_channel_id=channel,
            apns_push_type="liveactivity",
            apns_expiration=expiration,
        )

    def goes_through_a_channels_life(self) -> str:
        """Creates, reads, lists and deletes a channel; returns its id."""
        created = self.ask("POST", CHANNELS, CONFIGURATION)
        assert (created.status_code, created.content) == (201, b""), created.text
        channel = created.headers["apns-channel-id"]
        read = self.ask("GET", CHANNELS, apns_channel_id=channel)
        assert read.json() == {"message-storage-policy": 1, "push-type": "LiveActivity"}
        assert channel in self.ask("GET", ALL_CHANNELS).json()["channels"]
        deleted = self.ask("DELETE", CHANNELS, apns_channel_id=channel)
        assert (deleted.status_code, deleted.content) == (204, b"")
        again = self.ask("GET", CHANNELS, apns_channel_id=channel)
        assert (again.status_code, again.json()) == (404, {"reason": "BadPath"})
        return str(channel)


def on_this_machine(port: int) -> str:
    return f"https://localhost:{port}"


def management(mynah: Mynah, environment: str) -> str:
    """The port of channel management for an environment."""
    return on_this_machine(dict(zip(OTHER, mynah.ready["channelsPorts"], strict=True))[environment])


def pushes(mynah: Mynah, environment: str) -> str:
    """The port for an environment's pushes, after the one for any."""
    return on_this_machine(dict(zip(OTHER, mynah.ready["ports"][1:], strict=True))[environment])


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["reason"]


@pytest.mark.parametrize("environment", OTHER)
def test_a_management_port_manages_the_channels_of_its_environment(own: Mynah, environment: str) -> None:
    with Service(own, management(own, environment)) as service:
        service.goes_through_a_channels_life()
        channel = service.ask("POST", CHANNELS, CONFIGURATION).headers["apns-channel-id"]
        assert own.channel(channel).environment == environment
        # Neither a push nor a broadcast belongs here.
        assert refused(service.broadcast(channel, update(1))) == (404, "BadPath")
    with Service(own, management(own, OTHER[environment])) as service:
        assert refused(service.ask("GET", CHANNELS, apns_channel_id=channel)) == (404, "BadPath")
        assert service.ask("GET", ALL_CHANNELS).json() == {"channels": []}
        assert refused(service.ask("DELETE", CHANNELS, apns_channel_id=channel)) == (404, "BadPath")
    assert own.channel(channel).broadcasts == 0


@pytest.mark.parametrize(("name", "environment"), MANAGEMENT.items())
def test_a_name_of_channel_management_does_too(own: Mynah, name: str, environment: str) -> None:
    with Service(own, own.apns_url, name) as service:
        service.goes_through_a_channels_life()
        channel = service.ask("POST", CHANNELS, CONFIGURATION).headers["apns-channel-id"]
    assert own.channel(channel).environment == environment


@pytest.mark.parametrize("environment", OTHER)
def test_a_port_for_pushes_takes_the_broadcasts_of_its_environment(own: Mynah, environment: str) -> None:
    channel = own.create_channel(APP, environment=environment, message_storage_policy=1).id
    with Service(own, pushes(own, environment)) as service:
        accepted = service.broadcast(channel, update(1), str(int(time.time()) + 3600))
        assert (accepted.status_code, accepted.content) == (200, b"")
        assert accepted.headers["apns-request-id"] and "apns-id" not in accepted.headers
        assert refused(service.ask("GET", CHANNELS, apns_channel_id=channel))[0] in (404, 405)
    kept = own.channel(channel).stored_until
    assert kept is not None
    with Service(own, pushes(own, OTHER[environment])) as service:
        assert refused(service.broadcast(channel, update(2))) == (400, "BadChannelId")
    # What was accepted is still there.
    channel_after = own.channel(channel)
    assert (channel_after.broadcasts, channel_after.stored_until) == (1, kept)


@pytest.mark.parametrize(("name", "environment"), PUSHES.items())
def test_a_name_for_broadcasts_or_pushes_does_too(own: Mynah, name: str, environment: str) -> None:
    channel = own.create_channel(APP, environment=environment).id
    with Service(own, own.apns_url, name) as service:
        assert service.broadcast(channel, update(1)).status_code == 200
    [push] = own.control.get("/v1/notifications", {"channel": channel})["items"]
    assert (push["environment"], push["topic"]) == (environment, APP)


@pytest.mark.parametrize(("name", "environment"), [*MANAGEMENT.items(), *list(PUSHES.items())[:2]])
def test_apples_address_leads_here_through_the_proxy(own: Mynah, name: str, environment: str) -> None:
    proxy = f"http://127.0.0.1:{own.proxy_port}"
    channel = own.create_channel(APP, environment=environment).id
    port = {"production": 2196, "sandbox": 2195}[environment] if name in MANAGEMENT else 443
    with Service(own, f"https://{name}:{port}", proxy=proxy) as service:
        if name in MANAGEMENT:
            service.goes_through_a_channels_life()
            assert service.ask("GET", ALL_CHANNELS).json() == {"channels": [channel]}
        else:
            assert service.broadcast(channel, update(1)).status_code == 200
            assert own.channel(channel).broadcasts == 1
