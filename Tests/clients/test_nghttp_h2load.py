"""nghttp and h2load as providers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commands import run
from conftest import unique_token
from server import Mynah

PAYLOAD = b'{"aps":{"alert":"from nghttp2"}}'


@pytest.fixture
def payload(tmp_path: Path) -> str:
    path = tmp_path / "payload.json"
    path.write_bytes(PAYLOAD)
    return str(path)


def fields(mynah: Mynah, authorization: str | None = None) -> list[str]:
    values = {
        "authorization": authorization or mynah.authorization(),
        "apns-topic": "com.example.app",
        "apns-push-type": "alert",
    }
    return [part for name, value in values.items() for part in ("-H", f"{name}: {value}")]


def test_nghttp_pushes(mynah: Mynah, token: str, payload: str) -> None:
    url = f"https://localhost:{mynah.port}/3/device/{token}"
    done = run("nghttp", "-v", "-d", payload, *fields(mynah), url)
    log = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout.decode())
    assert done.returncode == 0, log
    assert re.search(r"recv \(stream_id=\d+\) :status: 200", log), log
    assert "SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1]" in log
    assert "SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1000]" in log
    assert mynah.control.push(token)["payloadSize"] == len(PAYLOAD)


def test_nghttp_is_refused(mynah: Mynah, token: str, payload: str) -> None:
    url = f"https://localhost:{mynah.port}/3/device/{token}"
    done = run("nghttp", "-d", payload, *fields(mynah, "bearer abc"), url)
    assert done.stdout == b'{"reason":"InvalidProviderToken"}'


def test_nghttp_pads_its_frames(mynah: Mynah, token: str, payload: str) -> None:
    url = f"https://localhost:{mynah.port}/3/device/{token}"
    done = run("nghttp", "-v", "--padding=100", "-d", payload, *fields(mynah), url)
    assert ":status: 200" in re.sub(r"\x1b\[[0-9;]*m", "", done.stdout.decode()), done.stderr
    assert mynah.control.push(token)["status"] == 200


@pytest.mark.parametrize(
    ("connections", "streams"), [(1, 1), (1, 100), (4, 100), (32, 1)], ids=lambda number: str(number)
)
@pytest.mark.measures
def test_h2load_gets_200_for_every_push(
    mynah: Mynah, token: str, payload: str, tmp_path: Path, connections: int, streams: int
) -> None:
    pushes = 2000
    paths = tmp_path / "paths"
    tokens = [unique_token() for _ in range(500)]
    paths.write_text("".join(f"https://localhost:{mynah.port}/3/device/{token}\n" for token in tokens))
    done = run(
        "h2load",
        "-n",
        str(pushes),
        "-c",
        str(connections),
        "-m",
        str(streams),
        "-d",
        payload,
        "-i",
        str(paths),
        *fields(mynah),
    )
    report = done.stdout.decode()
    assert f"{pushes} total, {pushes} started, {pushes} done, {pushes} succeeded, 0 failed, 0 errored" in report, report
    assert f"status codes: {pushes} 2xx, 0 3xx, 0 4xx, 0 5xx" in report, report
    seen = mynah.control.get("/v1/notifications", [("token", token) for token in tokens[:50]] + [("limit", "1")])
    assert seen["matched"] >= 50


@pytest.mark.measures
def test_h2load_over_the_cleartext_port(mynah: Mynah, token: str, payload: str) -> None:
    url = f"http://localhost:{mynah.cleartext_port}/3/device/{token}"
    done = run("h2load", "-n", "500", "-c", "2", "-m", "20", "-d", payload, *fields(mynah), url)
    assert "status codes: 500 2xx, 0 3xx, 0 4xx, 0 5xx" in done.stdout.decode(), done.stdout
    assert mynah.control.get("/v1/notifications", {"token": token, "limit": 1})["matched"] == 500


@pytest.mark.measures
def test_h2load_with_refusals_keeps_its_connections(mynah: Mynah, payload: str) -> None:
    url = f"https://localhost:{mynah.port}/3/device/zz"
    done = run("h2load", "-n", "500", "-c", "2", "-m", "20", "-d", payload, *fields(mynah), url)
    assert "500 done" in done.stdout.decode() and "500 4xx" in done.stdout.decode(), done.stdout
