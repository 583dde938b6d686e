"""The recipe, run; the fixture `mynah` is the package's own.

`MYNAH_IMAGE` is the image, by default `mynah`; `MYNAH_NETWORK_MODE` a network of the engine for its container, where
the usual one publishes no ports.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import httpx
import pytest
from mynah import Mynah, MynahServer

from mynah_container import MynahContainer


@pytest.fixture(scope="session")
def mynah_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MynahServer]:
    image = os.environ.get("MYNAH_IMAGE", "mynah")
    container = MynahContainer(image).with_env("MYNAH_SEED", "42")
    if network := os.environ.get("MYNAH_NETWORK_MODE"):
        container.with_kwargs(network_mode=network)
    with container:
        yield container.server(tmp_path_factory.mktemp("mynah"))


def test_a_push_reaches_a_device(mynah: Mynah) -> None:
    phone = mynah.device("com.example.app")
    headers = {"authorization": f"bearer {mynah.provider_token()}", "apns-topic": "com.example.app"}
    with httpx.Client(http2=True, verify=mynah.ssl_context()) as client:
        reply = client.post(f"{mynah.apns_url}/3/device/{phone.token}", headers=headers, json={"aps": {"alert": "hi"}})
    assert (reply.status_code, reply.http_version) == (200, "HTTP/2")
    assert mynah.expect(topic="com.example.app").push.shown
    assert phone.screen().notifications[0].body == "hi"


def test_the_environment_has_the_settings(mynah: Mynah) -> None:
    assert mynah.control.get("/v1/status")["seed"] == 42
