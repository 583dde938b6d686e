"""httpx as a provider, ALPN `h2, http/1.1`."""

from __future__ import annotations

import asyncio

import pytest

import httpx

from conftest import unique_token
from coroutines import result_of
from h2client import tls_context
from server import Mynah
from waiting import HANG_SECONDS

PAYLOAD = {"aps": {"alert": {"title": "from httpx", "body": "…"}}}


def headers(mynah: Mynah, **further: str) -> dict[str, str]:
    return {
        "authorization": mynah.authorization(),
        "apns-topic": "com.example.app",
        "apns-push-type": "alert",
        **further,
    }


def url(mynah: Mynah, token: str) -> str:
    return f"https://localhost:{mynah.port}/3/device/{token}"


def test_a_push(mynah: Mynah, token: str) -> None:
    with httpx.Client(http2=True, verify=tls_context(mynah)) as client:
        reply = client.post(url(mynah, token), headers=headers(mynah), json=PAYLOAD)
    assert (reply.http_version, reply.status_code, reply.content) == ("HTTP/2", 200, b"")
    push = mynah.control.push(token)
    assert push["apnsId"] == reply.headers["apns-id"]
    assert push["payload"] == PAYLOAD


def test_a_refusal(mynah: Mynah, token: str) -> None:
    with httpx.Client(http2=True, verify=tls_context(mynah)) as client:
        reply = client.post(url(mynah, token), headers=headers(mynah, **{"apns-id": "no"}), json=PAYLOAD)
        assert (reply.status_code, reply.json()) == (400, {"reason": "BadMessageId"})
        assert client.get(url(mynah, token), headers=headers(mynah)).status_code == 405
        assert client.post(f"https://localhost:{mynah.port}/", headers=headers(mynah)).json() == {"reason": "BadPath"}


@pytest.mark.measures
def test_500_pushes_at_once_on_one_connection(mynah: Mynah) -> None:
    tokens = [unique_token() for _ in range(500)]

    async def work() -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=1)
        async with httpx.AsyncClient(http2=True, verify=tls_context(mynah), limits=limits, timeout=HANG_SECONDS) as client:
            first = await client.post(url(mynah, unique_token()), headers=headers(mynah), json=PAYLOAD)
            assert first.status_code == 200
            posts = (client.post(url(mynah, token), headers=headers(mynah), json=PAYLOAD) for token in tokens)
            return await asyncio.gather(*posts)

    replies = result_of(work())
    assert {reply.status_code for reply in replies} == {200}
    connections = {mynah.control.push(token)["connection"] for token in tokens[::50]}
    assert len(connections) == 1


def test_the_ca_over_the_control_api_is_the_one_in_the_file(mynah: Mynah, token: str) -> None:
    """A test that knows nothing but the control port can trust the server and sign for it."""
    fetched = httpx.get(f"http://127.0.0.1:{mynah.control_port}/ca.pem")
    assert fetched.text == mynah.ca_file.read_text()
    credentials = httpx.get(f"http://127.0.0.1:{mynah.control_port}/v1/credentials").json()
    assert credentials["ca"] == fetched.text
    assert (credentials["keyId"], credentials["teamId"]) == (mynah.key_id, mynah.team_id)
    assert credentials["key"] == mynah.key_file.read_text()
