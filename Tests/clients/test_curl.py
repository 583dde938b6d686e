"""curl as a provider, over TLS."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path

import pytest

from commands import curl, run
from server import Mynah
from waiting import HANG_SECONDS

PAYLOAD = '{"aps":{"alert":"from curl"}}'


def push(mynah: Mynah, token: str, *arguments: str, authorization: str | None = None) -> list[str]:
    """curl's arguments for a push."""
    return [
        "--http2",
        "--cacert",
        str(mynah.ca_file),
        "--header",
        f"authorization: {authorization or mynah.authorization()}",
        "--header",
        "apns-topic: com.example.app",
        "--header",
        "apns-push-type: alert",
        "--data",
        PAYLOAD,
        *arguments,
        f"https://localhost:{mynah.port}/3/device/{token}",
    ]


def test_curl_pushes(mynah: Mynah, token: str) -> None:
    reply = curl(*push(mynah, token))
    assert (reply.version, reply.status, reply.body) == ("HTTP/2", 200, b"")
    assert set(reply.headers) == {"apns-id", "apns-unique-id"}
    journal = mynah.control.push(token)
    assert journal["apnsId"] == reply.headers["apns-id"]
    assert journal["payload"] == json.loads(PAYLOAD)
    assert (journal["topic"], journal["pushType"], journal["status"]) == ("com.example.app", "alert", 200)


def test_curl_is_refused(mynah: Mynah) -> None:
    reply = curl(*push(mynah, "abc"))
    assert (reply.status, reply.body) == (400, b'{"reason":"BadDeviceToken"}')
    assert set(reply.headers) == {"apns-id"}


@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_curl_with_a_tls_version(mynah: Mynah, token: str, version: str) -> None:
    assert curl(*push(mynah, token, "--tlsv" + version, "--tls-max", version)).status == 200


@pytest.mark.parametrize(
    ("host", "environment"), [("api.push.apple.com", "production"), ("api.sandbox.push.apple.com", "sandbox")]
)
def test_curl_with_apples_own_name(mynah: Mynah, token: str, host: str, environment: str) -> None:
    arguments = push(mynah, token, "--connect-to", f"{host}:443:localhost:{mynah.port}")
    assert curl(*arguments[:-1], f"https://{host}/3/device/{token}").status == 200
    assert mynah.control.push(token)["environment"] == environment


def test_the_recipe_of_apples_page_with_openssl(mynah: Mynah, token: str, tmp_path: Path) -> None:
    """Apple's shell recipe signs with `openssl dgst`, so its signature is DER."""

    def encode(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    header = encode(f'{{ "alg": "ES256", "kid": "{mynah.key_id}" }}'.encode())
    claims = encode(f'{{ "iss": "{mynah.team_id}", "iat": {int(time.time())} }}'.encode())
    signed = f"{header}.{claims}".encode()
    signature = run("openssl", "dgst", "-binary", "-sha256", "-sign", str(mynah.key_file), stdin=signed)
    assert signature.returncode == 0, signature.stderr
    value = f"bearer {header}.{claims}.{encode(signature.stdout)}"
    assert curl(*push(mynah, token, authorization=value)).status == 200
    assert mynah.control.push(token)["warnings"] == ["DER signature instead of 64 bytes"]


def test_curl_with_the_token_of_mynah_token(mynah: Mynah, token: str) -> None:
    made = run(str(mynah.process.child.args[0]), "token", "--key", str(mynah.key_file), "--team-id", mynah.team_id)
    assert made.returncode == 0, made.stderr
    assert curl(*push(mynah, token, authorization="bearer " + made.stdout.decode().strip())).status == 200


def test_curl_sends_its_body_in_pieces(mynah: Mynah, token: str) -> None:
    """From standard input curl knows no length."""
    arguments = [argument if argument != PAYLOAD else "@-" for argument in push(mynah, token, "--no-buffer")]
    assert curl(*arguments, stdin=PAYLOAD.encode()).status == 200


def test_curl_gets_413_for_a_large_file(mynah: Mynah, token: str, tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    large.write_bytes(b"x" * 60_000)
    reply = curl(*[argument if argument != PAYLOAD else f"@{large}" for argument in push(mynah, token)])
    assert (reply.status, reply.body) == (413, b'{"reason":"PayloadTooLarge"}')


def test_curl_reuses_its_connection(mynah: Mynah, token: str) -> None:
    url = f"https://localhost:{mynah.port}/3/device/{token}"
    done = run("curl", "--silent", *push(mynah, token), url, url, "--write-out", "%{http_code} %{num_connects}\n")
    assert done.stdout.decode().split() == ["200", "1", "200", "0", "200", "0"]
    assert len({item["connection"] for item in mynah.control.pushes(token)}) == 1


def test_curl_does_not_trust_an_unknown_ca(mynah: Mynah, token: str) -> None:
    arguments = push(mynah, token)
    del arguments[arguments.index("--cacert") : arguments.index("--cacert") + 2]
    done = run("curl", "--silent", *arguments)
    assert done.returncode == 60, done.stderr


def test_curl_that_insists_on_http1_fails_at_once(mynah: Mynah, token: str) -> None:
    arguments = [argument for argument in push(mynah, token) if argument != "--http2"]
    for options in ([], ["--no-alpn"]):
        done = run("curl", "--silent", "--max-time", str(HANG_SECONDS), "--http1.1", *options, *arguments)
        # "Received HTTP/0.9 when not allowed": the first bytes are frames.
        assert done.returncode == 1, done
