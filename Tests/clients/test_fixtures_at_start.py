"""`--fixtures` and `mynah export` (`ControlAPI#Command-line`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from commandline import CONFIGURATION, FREE_PORTS, USAGE, Command
from devices import TOPIC, add_device, token_of
from h2client import connect
from server import Mynah
from waiting import until

# A release build loads a million in seconds; this is run on debug builds, too.
FLEET = 20_000
DEVICES = """\
devices:
  - id: kim
    name: "Kim's iPhone"
    registrations:
      - topic: com.example.app
  - id: fleet
    count: 3
    scope: load
    registrations: [{topic: com.example.app}]
"""


def test_fixtures_are_in_before_ready_and_a_reset_returns_to_them(
    own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    folder = tmp_path / "fixtures"
    folder.mkdir()
    (folder / "10-devices.yaml").write_text(DEVICES)
    (folder / "20-clock.json").write_text('{"clock": {"mode": "frozen", "now": "2027-01-01T00:00:00Z"}}')
    (folder / "README").write_text("no fixture")
    mynah = own_mynah("--fixtures", str(folder))
    before = mynah.control.get("/v1/devices")
    assert [device["id"] for device in before["items"]] == ["fleet-00001", "fleet-00002", "fleet-00003", "kim"]
    assert mynah.control.get("/v1/clock") == {"mode": "frozen", "now": "2027-01-01T00:00:00.000Z"}
    add_device(mynah)
    mynah.control.ask("DELETE", "/v1/devices/kim")
    mynah.control.post("/v1/clock/advance", {"by": "1h"})
    mynah.control.post("/v1/reset", {})
    after = mynah.control.get("/v1/devices")
    assert [token_of(device) for device in after["items"]] == [token_of(device) for device in before["items"]]
    assert mynah.control.get("/v1/clock")["now"] == "2027-01-01T00:00:00.000Z"


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        ("devices:\n  - id: kim\n    platfrom: iOS\n", 3, "/devices/0/platfrom"),
        ("devices:\n  - id: kim\n  - id: kim\n", 3, "/devices/1/id"),
        ("devices:\n  - id: a\n    registrations:\n      - topic: a b\n", 4, "/devices/0/registrations/0/topic"),
        ("clock:\n  mode: offset\n  now: 2020-01-01T00:00:00Z\n", 3, "/clock/now"),
        ('{"devices": [\n  {"count": 3}\n]}\n', 2, "/devices/0/id"),
        ("device: []\n", 1, "/device"),
    ],
)
def test_bad_fixtures_end_the_start(mynah_command: Command, tmp_path: Path, text: str, line: int, field: str) -> None:
    (tmp_path / "bad.yaml").write_text(text)
    done = mynah_command("serve", *FREE_PORTS, "--fixtures", "bad.yaml")
    assert done.returncode == CONFIGURATION, done
    assert f"bad.yaml:{line}: {field}: " in done.stderr
    assert "mynah ready" not in done.stdout


def test_what_is_exported_can_be_read_back(
    own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path
) -> None:
    mynah = own_mynah()
    kim = add_device(mynah, id="kim", locale="en-GB")
    mynah.control.ask("DELETE", f"/v1/devices/kim/registrations/{TOPIC}")
    lee = add_device(mynah, id="lee", online=False, scope="t1")
    for form in ([], ["--yaml"]):
        done = mynah_command("export", "--url", mynah.control_url, "--out", "state.yaml", *form)
        assert done.returncode == 0, done
        again = own_mynah("--fixtures", str(tmp_path / "state.yaml"), folder=tmp_path / f"again{len(form)}")
        with connect(again) as connection:
            connection.push(token_of(kim)).assert_refused(410, "Unregistered")
            connection.push(token_of(lee)).assert_accepted()
        devices = {device["id"]: device for device in again.control.get("/v1/devices")["items"]}
        assert devices["lee"]["stored"] == 1 and devices["lee"]["scope"] == "t1"
        assert devices["kim"]["locale"] == "en-GB"


def test_a_large_fleet_is_one_line(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    fleet = {"id": "fleet", "count": FLEET, "registrations": [{"topic": TOPIC}]}
    (tmp_path / "fleet.json").write_text(json.dumps({"devices": [fleet]}))
    mynah = own_mynah("--fixtures", str(tmp_path / "fleet.json"))
    assert mynah.control.get("/v1/status")["counts"]["devices"] == FLEET
    last = mynah.control.get(f"/v1/devices/fleet-{FLEET}")
    with connect(mynah) as connection:
        connection.push(token_of(last)).assert_accepted()


def devices_of(mynah: Mynah) -> list[str]:
    return [device["id"] for device in mynah.control.get("/v1/devices")["items"]]


def write(file: Path, text: str) -> None:
    """Writes a file in one step, as editors do."""
    new = file.with_suffix(".new")
    new.write_text(text)
    new.replace(file)


RULE = "faults:\n  - {id: broken, times: 1, action: {type: respond, status: 503}}\n"


def test_watched_fixtures_are_made_anew_part_by_part(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    file = tmp_path / "fixtures.yaml"
    file.write_text(DEVICES + RULE)
    mynah = own_mynah("--fixtures", str(file), "--watch")
    token = token_of(mynah.control.get("/v1/devices/kim"))
    made = add_device(mynah)["id"]
    with connect(mynah) as connection:
        assert [connection.push(token).status for _ in range(2)] == [503, 200]

    write(file, DEVICES + RULE.replace("503", "500"))
    mynah.process.wait_for_error(f"{file} has changed: made faults anew")
    # Counters begin again with the rule, and devices are as they were.
    with connect(mynah) as connection:
        assert [connection.push(token).status for _ in range(2)] == [500, 200]
    assert len(mynah.control.get("/v1/devices/kim/inbox")["items"]) == 2

    write(file, DEVICES.replace("kim\n", "lee\n") + RULE.replace("503", "500"))
    mynah.process.wait_for_error(f"{file} has changed: made devices anew")
    fleet = ["fleet-00001", "fleet-00002", "fleet-00003"]
    assert sorted(devices_of(mynah)) == sorted([*fleet, made, "lee"])
    assert mynah.control.get("/v1/faults/broken")["fired"] == 1
    assert len(mynah.control.pushes(token)) == 4
    mynah.control.post("/v1/reset", {})
    assert devices_of(mynah) == [*fleet, "lee"]


def test_wrong_watched_fixtures_leave_what_is_there(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    file = tmp_path / "fixtures.yaml"
    file.write_text("devices: [{id: kim}]\n")
    mynah = own_mynah("--fixtures", str(file), "--watch")
    taken = add_device(mynah)["id"]
    for text, says in (
        ("devices:\n  - id: kim\n    platfrom: iOS\n", f"{file}:3: /devices/0/platfrom: unknown member"),
        (f"devices:\n  - id: lee\n  - id: {taken}\n", f"{file}:3: /devices/1"),
        ("devices: [\n", f"{file}:"),
    ):
        write(file, text)
        mynah.process.wait_for_error(f"the fixtures stay as they were: {says}")
        assert sorted(devices_of(mynah)) == sorted([taken, "kim"])
    file.unlink()
    mynah.process.wait_for_error(f"the fixtures stay as they were: --fixtures: there is no file {file}")
    write(file, "devices: [{id: lee}]\nclock: {mode: frozen, now: 2027-01-01T00:00:00Z}\n")
    mynah.process.wait_for_error("made devices anew")
    mynah.process.wait_for_error("a changed clock, are used from the next start on")
    assert sorted(devices_of(mynah)) == sorted([taken, "lee"])
    assert mynah.control.get("/v1/clock")["mode"] == "real"


def test_a_watched_folder_may_get_further_files(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    folder = tmp_path / "fixtures"
    folder.mkdir()
    channel = "channels: [{bundleId: com.example.app, id: AAAAAAAAAAAAAAAAAAAAAQ==, messageStoragePolicy: %d}]\n"
    mynah = own_mynah("--fixtures", str(folder), "--watch")
    for policy in (0, 1):
        write(folder / "channels.yaml", channel % policy)
        until(
            lambda policy=policy: [
                one["messageStoragePolicy"] for one in mynah.control.get("/v1/channels")["items"]
            ] == [policy],
            f"the channel with policy {policy}",
        )


def test_watch_needs_fixtures_that_can_be_read_again(mynah_command: Command, tmp_path: Path) -> None:
    done = mynah_command("serve", *FREE_PORTS, "--watch")
    assert done.returncode == USAGE and "--watch is given without --fixtures" in done.stderr
    done = mynah_command("serve", *FREE_PORTS, "--fixtures", "/dev/null", "--watch")
    assert done.returncode == CONFIGURATION and "/dev/null can be read only once" in done.stderr
