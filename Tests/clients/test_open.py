"""`mynah open`, `mynah dump --file` and `mynah expect --data`: looking at a recorded run (`RunFile`)."""

from __future__ import annotations

import fcntl
import json
import re
import signal
import struct
from pathlib import Path
from typing import Any

import pytest

from playwright.sync_api import expect

from answered import everything
from browser import Open
from commandline import CONFIGURATION, FINE, UNAVAILABLE, UNMET, USAGE, Command, Serve
from conftest import unique_token
from control import Control
from devices import EventStream
from h2client import connect
from server import Mynah, Process
from test_data import TOPIC, Start, fill, start
from waiting import measured, stopwatch

__all__ = ["start"]

# How often a stream has a comment.
HEARTBEAT_SECONDS = 15


class Opened:
    """A `mynah open` that has said where its control API is."""

    def __init__(self, serve: Serve, *arguments: str) -> None:
        self.process: Process = serve("open", *arguments)
        self.control_url = (
            self.process.wait_for_line("mynah shows").rpartition(" ")[2].rstrip("/")
        )
        self.control_port = int(self.control_url.rpartition(":")[2])
        self.control = Control(self.control_port)


def record(start: Start, folder: Path) -> tuple[str, dict[str, Any], int]:
    """A run of a server that has stopped: its folder, what its API showed, and its last number."""
    mynah = start()
    with EventStream(mynah, "/v1/events?event=fault") as stream:
        fill(mynah)
        # That a rule has fired is reported some time later, which takes a number, too.
        next(event for event in stream.events() if event.data and event.data["remaining"] == 0)
    shown, last = everything(mynah), mynah.control.last_sequence()
    mynah.stop()
    return str(folder / "data"), shown, last


def test_shows_all_that_the_server_showed(
    tmp_path: Path, start: Start, serve: Serve
) -> None:
    data, shown, last = record(start, tmp_path)
    before = (tmp_path / "data" / "run.mynah").read_bytes()
    opened = Opened(serve, data)
    assert everything(opened) == shown  # type: ignore[arg-type]
    recorded = opened.control.get("/v1/status")["recorded"]
    assert recorded["sequence"] == last
    assert recorded["file"] == f"{data}/run.mynah"
    assert opened.control.get("/v1/status")["ports"]["apns"] == []
    assert opened.control.ask("GET", "/readyz").status == 200
    opened.process.child.send_signal(signal.SIGTERM)
    assert opened.process.wait() == FINE
    assert (tmp_path / "data" / "run.mynah").read_bytes() == before
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == [
        "lock",
        "run.mynah",
    ]


def record_killed(start: Start) -> list[dict[str, Any]]:
    """A run of a server that was killed: the pushes that its API showed."""
    mynah = start()
    fill(mynah)
    shown = everything(mynah)["pushes"]
    mynah.process.kill()
    return shown


def test_shows_a_run_whose_server_was_killed_and_leaves_its_files_as_they_are(
    tmp_path: Path, start: Start, serve: Serve
) -> None:
    shown = record_killed(start)
    files = {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()}
    opened = Opened(serve, str(tmp_path / "data"))
    pushes = everything(opened)["pushes"]  # type: ignore[arg-type]
    assert pushes == shown
    assert {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()} == files


def test_a_killed_run_can_be_opened_while_another_program_reads_it(
    tmp_path: Path, start: Start, serve: Serve
) -> None:
    shown = record_killed(start)
    with (tmp_path / "data" / "lock").open(encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        opened = Opened(serve, str(tmp_path / "data"))
    assert everything(opened)["pushes"] == shown  # type: ignore[arg-type]


def test_nothing_can_be_changed(tmp_path: Path, start: Start, serve: Serve) -> None:
    data, shown, _ = record(start, tmp_path)
    opened = Opened(serve, data)
    paths = opened.control.get("/openapi.json")["paths"]
    calls = [
        (method.upper(), path)
        for path, item in paths.items()
        for method in item
        if method != "parameters"
    ]
    changes = [
        (method, path)
        for method, path in calls
        if method != "GET" and path not in ("/v1/expectations", "/v1/recorded")
    ]
    assert len(changes) > 40
    for method, path in changes:
        assert "409" in paths[path][method.lower()]["responses"]
        answer = opened.control.ask(
            method, path.replace("{id}", "kim").replace("{", "").replace("}", "")
        )
        assert answer.status == 409, (method, path)
        assert json.loads(answer.body)["detail"].startswith("the run is read-only: ")
    for path in ["/ca.pem", "/v1/credentials", "/v1/certificates", "/metrics"]:
        answer = opened.control.ask("GET", path)
        assert answer.status == 409
        assert json.loads(answer.body)["detail"] == f"a recorded run has no {path}"
    answer = opened.control.ask("GET", "/v1/devices/lee/stream?connect=true")
    assert answer.status == 409
    assert everything(opened) == shown  # type: ignore[arg-type]


def test_another_place_is_shown_without_a_new_start(
    tmp_path: Path, start: Start, serve: Serve
) -> None:
    data, shown, last = record(start, tmp_path)
    opened = Opened(serve, data)
    run = opened.control.get("/v1/status")["recorded"]
    assert run["last"] == {"sequence": last, "time": run["time"]}
    first = run["first"]["sequence"]
    counts = []
    for sequence in [last, first, last - 1, first + 1, last]:
        moved = opened.control.put("/v1/recorded", {"sequence": sequence})
        assert moved["sequence"] == sequence
        assert opened.control.get("/v1/status")["recorded"] == moved
        pushes = opened.control.get("/v1/notifications", {"count": 1000})["items"]
        assert all(push["sequence"] <= sequence for push in pushes)
        counts.append(len(pushes))
        alone = Opened(serve, data, "--at", str(sequence))
        assert everything(opened) == everything(alone)  # type: ignore[arg-type]
        alone.process.kill()
    assert everything(opened) == shown  # type: ignore[arg-type]
    assert counts[1] == 0 < counts[0]
    by_time = opened.control.put("/v1/recorded", {"time": run["time"]})
    assert by_time["sequence"] == last


def test_a_place_that_the_run_does_not_have_changes_nothing(
    tmp_path: Path, start: Start, serve: Serve
) -> None:
    data, shown, last = record(start, tmp_path)
    opened = Opened(serve, data)
    early = "2001-01-01T00:00:00Z"
    for body, field, detail in [
        ({"sequence": last + 1}, "/sequence", f"the run has no number {last + 1}: expected "),
        ({"time": early}, "/time", "the run has no state at 2001-01-01T00:00:00.000Z: expected "),
        ({}, "/sequence", "neither sequence nor time is given: expected one of them"),
        ({"sequence": 1, "time": early}, "/time", "both sequence and time are given: expected one of them"),
        ({"sequence": "1"}, "/sequence", ""),
    ]:
        answer = opened.control.ask("PUT", "/v1/recorded", body=body)
        assert answer.status == 400
        problem = json.loads(answer.body)
        assert problem["field"] == field
        assert detail in problem["detail"]
    assert everything(opened) == shown  # type: ignore[arg-type]


def test_a_server_that_runs_is_at_no_place(mynah: Mynah) -> None:
    answer = mynah.control.ask("PUT", "/v1/recorded", body={"sequence": 1})
    assert answer.status == 409
    assert json.loads(answer.body)["detail"] == "the server runs: only a recorded run can be shown at another place"


def test_a_reader_of_events_is_disconnected_from_a_place_that_is_no_longer_shown(
    tmp_path: Path, start: Start, serve: Serve
) -> None:
    data, _, last = record(start, tmp_path)
    opened = Opened(serve, data)
    with EventStream(opened, "/v1/events") as stream:
        opened.control.put("/v1/recorded", {"sequence": last - 1})
        assert list(stream.events())


@pytest.mark.measures
def test_a_reader_of_a_device_is_disconnected_from_a_place_that_is_no_longer_shown(
    tmp_path: Path, start: Start, serve: Serve
) -> None:
    data, _, last = record(start, tmp_path)
    opened = Opened(serve, data)

    def seconds_of_a_stream() -> float:
        opened.control.put("/v1/recorded", {"sequence": last})
        elapsed = stopwatch()
        with EventStream(opened, "/v1/devices/kim/stream") as stream:
            opened.control.put("/v1/recorded", {"sequence": last - 1})
            assert {event.name for event in stream.events()} == {""}
        return elapsed()

    # Not by the comment that comes in intervals, which begin when the stream is opened.
    measured(seconds_of_a_stream, lambda seconds: seconds < HEARTBEAT_SECONDS)


@pytest.mark.measures
def test_waits_end_at_once(tmp_path: Path, start: Start, serve: Serve) -> None:
    data, _, _ = record(start, tmp_path)
    opened = Opened(serve, data)
    # The client gives up long before these would be over.
    page = opened.control.get("/v1/notifications", {"wait": "60s", "count": 1000})
    assert page["timedOut"]
    unmet = {"match": {"topic": "com.example.other"}, "within": "1h", "settle": "1h"}
    met = {"match": {"topic": TOPIC}, "within": "1h", "settle": "1h"}
    for body, is_met in [(unmet, False), (met, True)]:
        assert (
            json.loads(opened.control.ask("POST", "/v1/expectations", body=body).body)[
                "met"
            ]
            is is_met
        )


def test_any_place_of_the_run_can_be_looked_at(
    tmp_path: Path, start: Start, serve: Serve
) -> None:
    mynah = start()
    mynah.control.put("/v1/devices/kim", {"registrations": [{"topic": TOPIC}]})
    token = mynah.control.get("/v1/devices/kim")["registrations"][0]["token"]
    places: list[tuple[int, Any, Any]] = []
    with connect(mynah) as connection:
        for _ in range(4):
            connection.push(token).assert_accepted()
            pushes = mynah.control.get(
                "/v1/notifications", {"limit": 1000, "order": "asc"}
            )["items"]
            places.append(
                (
                    pushes[-1]["sequence"],
                    pushes,
                    mynah.control.get("/v1/devices/kim/screen"),
                )
            )
    mynah.stop()
    data = str(tmp_path / "data")
    for sequence, pushes, screen in places[:2]:
        opened = Opened(serve, data, "--at", str(sequence))
        items = opened.control.get(
            "/v1/notifications", {"limit": 1000, "order": "asc"}
        )["items"]
        assert [item["sequence"] for item in items] == [
            item["sequence"] for item in pushes
        ]
        assert opened.control.get("/v1/devices/kim/screen") | {"at": None} == screen | {
            "at": None
        }
    at = places[-1][1][-1]["receivedAt"]
    opened = Opened(serve, data, "--at", at)
    assert opened.control.get("/v1/status")["recorded"]["time"] == at
    assert len(opened.control.get("/v1/notifications", {"limit": 1000})["items"]) == 4


def test_wrong_places_and_files(
    tmp_path: Path, start: Start, mynah_command: Command
) -> None:
    data, _, last = record(start, tmp_path)
    ended = mynah_command("open", data, "--at", str(last + 1000))
    assert ended.returncode == USAGE
    assert (
        ended.stderr
        == f"mynah: the run has no number {last + 1000}: expected 0 to {last}\n"
    )
    ended = mynah_command("open", data, "--at", "1999-01-01T00:00:00Z")
    assert ended.returncode == USAGE
    assert "the run has no state at 1999-01-01T00:00:00.000Z: expected " in ended.stderr
    ended = mynah_command("open", data, "--at", "noon")
    assert ended.returncode == USAGE
    assert (
        "expected a sequence number, or a time such as 2026-01-01T09:30:00Z"
        in ended.stderr
    )
    for arguments in [
        ["open", "nowhere"],
        ["dump", "--file", "nowhere"],
        ["expect", "--data", "nowhere"],
    ]:
        ended = mynah_command(*arguments)
        assert ended.returncode == CONFIGURATION
        assert "it does not exist" in ended.stderr
    (tmp_path / "other").write_text(
        "something else that is no database, and long enough to be one" * 100
    )
    assert mynah_command("open", "other").returncode == CONFIGURATION


def test_a_run_that_a_server_goes_on_with_is_not_opened(
    tmp_path: Path, start: Start, mynah_command: Command
) -> None:
    mynah = start()
    try:
        ended = mynah_command("open", str(tmp_path / "data"))
        assert ended.returncode == UNAVAILABLE
        assert mynah.control_url in ended.stderr
    finally:
        mynah.stop()


def numbered(output: str) -> str:
    """What a command printed, but for the last number: a connection may have ended since."""
    return re.sub(r'"lastSequence":\d+', '"lastSequence":0', output)


def test_dump_and_expect_read_a_run_as_they_ask_a_server(
    tmp_path: Path, start: Start, mynah_command: Command
) -> None:
    mynah = start()
    fill(mynah)
    data = str(tmp_path / "data")
    calls = [
        ["dump"],
        ["dump", "--outcome", "refused"],
        ["expect", "--topic", TOPIC, "--json"],
        ["expect", "--topic", "com.example.other", "--within", "0s", "--json"],
        ["expect", "--exactly", "1", "reason:BadPriority"],
    ]
    asked = [mynah_command(*call, "--url", mynah.control_url) for call in calls]
    mynah.stop()
    for call, before in zip(calls, asked):
        after = mynah_command(*call, "--file" if call[0] == "dump" else "--data", data)
        assert (after.returncode, numbered(after.stdout)) == (before.returncode, numbered(before.stdout))
    assert [one.returncode for one in asked] == [FINE, FINE, FINE, UNMET, FINE]
    # Nothing is waited for.
    assert (
        mynah_command(
            "expect", "--data", data, "--topic", "com.example.other", "--within", "1h"
        ).returncode
        == UNMET
    )
    for call in (["dump", "--file", data], ["expect", "--data", data]):
        ended = mynah_command(*call, "--url", "http://127.0.0.1:1")
        assert ended.returncode == USAGE
        assert "names a recorded run: leave out --url and --ready-file" in ended.stderr


def test_places_before_and_after_a_start_with_other_settings(tmp_path: Path, start: Start, serve: Serve) -> None:
    shown: list[tuple[int, dict[str, Any]]] = []

    def note(mynah: Mynah) -> None:
        shown.append((mynah.control.last_sequence(), everything(mynah)))

    first = start("--seed", "7")
    fill(first)
    note(first)
    first.stop()
    second = start("--retain", "4", "--devices", "strict")
    began, at_start = second.control.get("/v1/status")["now"], everything(second)
    with connect(second) as connection:
        connection.push(unique_token()).assert_refused(400, "BadDeviceToken")
    note(second)
    second.stop()
    third = start()
    with connect(third) as connection:
        connection.push(unique_token()).assert_accepted()
    note(third)
    third.stop()
    assert [len(state["pushes"]) for _, state in shown] == [13, 4, 5]
    data = str(tmp_path / "data")
    opened = Opened(serve, data)
    for sequence, state in [*shown, *reversed(shown)]:
        opened.control.put("/v1/recorded", {"sequence": sequence})
        assert everything(opened) == state, sequence  # type: ignore[arg-type]
        assert opened.control.get("/v1/status")["recorded"]["differs"] is None
    # A start gives out no number.
    opened.control.put("/v1/recorded", {"time": began})
    assert everything(opened) == at_start  # type: ignore[arg-type]
    assert len(at_start["pushes"]) == 4
    for sequence, state in shown:
        assert everything(Opened(serve, data, "--at", str(sequence))) == state  # type: ignore[arg-type]


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def record_by_other_rules(folder: Path) -> int:
    """Has the last batch of a killed run be one of rules of version 9; its number."""
    path = folder / "run.mynah-00"
    content = bytearray(path.read_bytes())
    place, end = 0, 16
    while end < len(content):
        (count,) = struct.unpack_from("<I", content, end + 20)
        place, end = end, end + 28 + count
    position, time = struct.unpack_from("<qq", content, place)
    batch = bytes(content[place + 28 : end])
    row = struct.pack("<qqqq", position, time, 9, len(batch)) + batch
    struct.pack_into("<III", content, place + 16, 9, len(batch), crc32c(row))
    path.write_bytes(content)
    return int(position)


def test_a_run_of_other_rules_says_that_it_may_differ(
    tmp_path: Path, start: Start, serve: Serve, mynah_command: Command, open_page: Open
) -> None:
    mynah = start()
    mynah.control.put("/v1/devices/kim", {"registrations": [{"topic": TOPIC}]})
    first = mynah.control.last_sequence()
    mynah.control.put("/v1/devices/lee", {"registrations": [{"topic": TOPIC}]})
    # The last change is applied again, since the state after it wasn't written.
    mynah.process.kill()
    data = tmp_path / "data"
    position = record_by_other_rules(data)
    says = f"batch {position} was recorded by rules of version 9, and these are of version "
    opened = Opened(serve, str(data))
    opened.process.wait_for_error(says)
    differs = opened.control.get("/v1/status")["recorded"]["differs"]
    assert differs["position"] == position
    assert differs["detail"].startswith(says)
    assert "open the run with the version of Mynah that recorded it" in differs["detail"]
    tab = open_page(opened)
    bar = tab.page.get_by_role("region", name="Recorded run")
    expect(bar.get_by_role("note")).to_contain_text(says)
    # Before that batch it is what was recorded.
    assert opened.control.put("/v1/recorded", {"sequence": first})["differs"] is None
    expect(bar.get_by_role("note")).to_be_hidden()
    opened.process.kill()
    assert says in mynah_command("dump", "--file", str(data)).stderr

    second = start()
    second.process.wait_for_error(says)
    assert [device["id"] for device in everything(second)["devices"]] == ["kim", "lee"]
    second.stop()
    assert second.process.log().count(says) == 1
    # The state after it has been written.
    third = start()
    third.stop()
    assert "rules of version" not in third.process.log()


def test_the_ready_file_has_the_url(tmp_path: Path, start: Start, serve: Serve) -> None:
    data, _, _ = record(start, tmp_path)
    opened = Opened(serve, data, "--ready-file", "ready.json")
    ready = json.loads((tmp_path / "ready.json").read_text())
    assert ready["controlUrl"] == opened.control_url and ready["controlPort"] == opened.control_port
    assert ready["pid"] == opened.process.child.pid and ready["ports"] == []
