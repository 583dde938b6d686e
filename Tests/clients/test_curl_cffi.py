"""curl_cffi as a provider: libcurl on BoringSSL, which knows no constraints on addresses
(`ControlAPI#Certificate-names`)."""

from __future__ import annotations

import pytest
from curl_cffi import requests

from server import Mynah
from waiting import HANG_SECONDS

PAYLOAD = {"aps": {"alert": "from curl_cffi"}}


def post(mynah: Mynah, host: str, token: str) -> requests.Response:
    headers = {
        "authorization": mynah.authorization(),
        "apns-topic": "com.example.app",
        "apns-push-type": "alert",
    }
    url = f"https://{host}:{mynah.port}/3/device/{token}"
    return requests.post(url, headers=headers, json=PAYLOAD, verify=str(mynah.ca_file), timeout=HANG_SECONDS)


def test_a_push_by_a_host_name(mynah: Mynah, token: str) -> None:
    reply = post(mynah, "localhost", token)
    assert (reply.status_code, reply.http_version) == (200, 3)
    assert mynah.control.push(token)["payload"] == PAYLOAD


def test_the_server_is_verified(mynah: Mynah, token: str) -> None:
    with pytest.raises(requests.exceptions.CertificateVerifyError):
        requests.post(f"https://localhost:{mynah.port}/3/device/{token}", json=PAYLOAD, timeout=HANG_SECONDS)


def test_an_address_is_refused_by_the_client(mynah: Mynah, token: str) -> None:
    """The documentation sends such clients to `localhost`."""
    with pytest.raises(requests.exceptions.CertificateVerifyError):
        post(mynah, "127.0.0.1", token)
