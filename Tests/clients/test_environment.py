"""What names no environment is of the server's: devices, channels, fixtures, own pushes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from commandline import FINE, Command
from h2client import connect
from server import Mynah

APP = "com.example.app"
PRODUCTION = ["--environment", "production"]
PAYLOAD = {"aps": {"alert": "hi"}}


def test_a_device_made_by_the_command_gets_the_first_push(mynah_with: Callable[..., Mynah], mynah_command: Command) -> None:
    mynah = mynah_with(*PRODUCTION)
    added = mynah_command("device", "add", "kim", "--app", APP, MYNAH_URL=mynah.url)
    assert added.returncode == FINE, added
    token = added.stdout.split()[1]
    sent = mynah_command("send", "--to", token, "--topic", APP, "--alert", "hi", MYNAH_URL=mynah.url)
    assert sent.returncode == FINE and sent.stdout.startswith("200"), sent
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
    created = mynah_command("channel", "create", APP, "--json", MYNAH_URL=mynah.url)
    assert json.loads(created.stdout)["environment"] == "production", created


@pytest.mark.parametrize("environment", ["sandbox", "production"])
def test_calls_that_name_none_are_for_the_servers(mynah_with: Callable[..., Mynah], environment: str) -> None:
    mynah = mynah_with("--environment", environment)
    other = "sandbox" if environment == "production" else "production"
    control = mynah.control
    assert control.get("/v1/status")["environment"] == environment
    apps = [{"topic": APP}, {"topic": f"{APP}.voip", "environment": other}]
    made = control.post("/v1/devices", {"id": f"{environment}-a", "registrations": apps})
    assert made["environment"] == environment
    assert [app["environment"] for app in made["registrations"]] == [environment, other]
    put = control.ask("PUT", f"/v1/devices/{environment}-b", body={"registrations": [{"topic": APP}]})
    assert put.json()["registrations"][0]["environment"] == environment
    told = control.post("/v1/devices", {"environment": other, "registrations": [{"topic": APP}]})
    assert told["registrations"][0]["environment"] == other
    assert control.post("/v1/channels", {"bundleId": APP})["environment"] == environment
    for device, status in ((made, 200), (told, 400)):
        push = {"token": device["registrations"][0]["token"], "topic": APP, "payload": PAYLOAD}
        assert control.post("/v1/notifications", push)["status"] == status


def test_the_python_package_follows(mynah_with: Callable[..., Mynah]) -> None:
    with mynah_with(*PRODUCTION).scope("follows-the-environment") as mynah:
        phone = mynah.device(APP)
        assert phone.environment == "production"
        mynah.send(token=phone.token, topic=APP, payload=PAYLOAD)
        mynah.expect(device=phone.id, environment="production", status=200)


def test_fixtures_at_the_start_follow(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    fixtures = tmp_path / "fixtures.json"
    devices = [
        {"id": "made", "registrations": [{"topic": APP}]},
        {"id": "told", "environment": "sandbox", "registrations": [{"topic": APP}]},
    ]
    fixtures.write_text(json.dumps({"devices": devices, "channels": [{"bundleId": APP}]}))
    mynah = own_mynah(*PRODUCTION, "--fixtures", str(fixtures))
    found = {device["id"]: device["environment"] for device in mynah.control.get("/v1/devices")["items"]}
    assert found == {"made": "production", "told": "sandbox"}
    assert [one["environment"] for one in mynah.control.get("/v1/channels")["items"]] == ["production"]
