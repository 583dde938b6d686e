"""`--data`: a run that outlives its process (`RunFile`)."""

from __future__ import annotations

import json
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from answered import IS_LONG, Answered, everything, journal
from commandline import CONFIGURATION, CONFLICT, FINE, UNAVAILABLE, USAGE, Command, Serve
from conftest import unique_token
from devices import EventStream
from h2client import connect
from server import Mynah, binary, clean_environment
from waiting import HANG_SECONDS, LONGEST_WAIT, until

TOPIC = "com.example.app"
ROUNDS = 200 if IS_LONG else 3
CUTS = 500 if IS_LONG else 10


Start = Callable[..., Mynah]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers that keep one run in `tmp_path`, one after another, and kills those that a failed test leaves."""
    servers: list[Mynah] = []

    def started(*flags: str) -> Mynah:
        servers.append(Mynah(tmp_path, "--data", str(tmp_path / "data"), *flags))
        return servers[-1]

    yield started
    for server in servers:
        if server.process.is_running:
            server.process.kill()


def fill(mynah: Mynah) -> None:
    """Makes some of everything that a run keeps."""
    control = mynah.control
    control.put("/v1/devices/kim", {"registrations": [{"topic": TOPIC}]})
    control.put("/v1/devices/lee", {"registrations": [{"topic": TOPIC}], "online": False})
    control.post("/v1/devices", {"id": "fleet", "count": 20, "scope": "frozen", "registrations": [{"topic": TOPIC}]})
    control.put("/v1/clock", {"mode": "frozen", "scope": "frozen"})
    control.post("/v1/faults", {"id": "busy", "times": 3, "action": {"type": "respond", "status": 503}})
    control.post("/v1/channels", {"bundleId": TOPIC})
    control.post("/v1/keys", {})
    tokens = [control.get(f"/v1/devices/{name}")["registrations"][0]["token"] for name in ("kim", "lee")]
    with EventStream(mynah, "/v1/events?event=connection") as stream:
        with connect(mynah) as connection:
            for number in range(12):
                connection.push(tokens[number % 2], further=[("apns-priority", "7")] if number == 11 else [])
            connection.push(unique_token())
        # Its end takes a number, too.
        assert [event.data["change"] for event in stream.next(2)] == ["opened", "closed"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_goes_on_where_its_process_ended(start: Start, tmp_path: Path, number: int) -> None:
    first = start()
    fill(first)
    before = everything(first)
    last = first.control.last_sequence()
    if number == signal.SIGTERM:
        first.stop()
        assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["lock", "run.mynah"]
    else:
        first.process.kill()
    second = start()
    assert everything(second) == before
    # Numbers go on.
    with connect(second) as connection:
        token = unique_token()
        connection.push(token).assert_accepted()
    push = second.control.push(token)
    assert push["sequence"] > last
    assert push["connection"] > max(push["connection"] for push in before["pushes"])
    second.stop()


def test_fixtures_that_are_refused_are_loaded_once_they_are_right(start: Start, tmp_path: Path, serve: Serve) -> None:
    fixtures = tmp_path / "fixtures.json"
    flags = ["--data", str(tmp_path / "data"), "--fixtures", str(fixtures)]
    fixtures.write_text('{"devices": [{"id": "kim"}, {"id": "kim"}]}')
    failing = serve("serve", "--port", "0", "--control-port", "0", *flags)
    assert failing.wait() == CONFIGURATION and "/devices/1/id" in failing.log()
    fixtures.write_text('{"devices": [{"id": "kim"}]}')
    mynah = start("--fixtures", str(fixtures))
    assert [device["id"] for device in mynah.control.get("/v1/devices")["items"]] == ["kim"]
    mynah.stop()
    mynah = start("--fixtures", str(fixtures))
    mynah.stop()
    assert not any("of its first start" in line for line in mynah.process.errors)
    # Those of the first start count.
    fixtures.write_text('{"devices": [{"id": "lee"}]}')
    mynah = start("--fixtures", str(fixtures))
    assert [device["id"] for device in mynah.control.get("/v1/devices")["items"]] == ["kim"]
    mynah.process.wait_for_error("the run goes on with the devices of its first start")
    mynah.stop()


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.measures
def test_a_kill_loses_nothing_that_was_answered(start: Start, seed: int) -> None:
    chance = random.Random(seed)
    rule = {"id": "busy", "probability": 0.3, "action": {"type": "respond", "status": 503}}
    everyone = Answered()
    for generation in range(3):
        mynah = start()
        check(mynah, everyone)
        if generation == 0:
            mynah.control.post("/v1/faults", rule)
        clients = [Answered() for _ in range(3)]
        threads = [
            threading.Thread(target=push_until_the_end, args=(mynah, client, chance.getrandbits(32)))
            for client in clients
        ]
        threads.append(threading.Thread(target=change_until_the_end, args=(mynah, everyone, generation)))
        for thread in threads:
            thread.start()
        after = mynah.control.last_sequence()
        mynah.control.get("/v1/notifications", {"wait": LONGEST_WAIT, "after": after, "count": chance.randint(1, 60)})
        mynah.process.kill()
        for thread in threads:
            thread.join()
        for client in clients:
            everyone.add(client)
    assert everyone.pushes and everyone.devices
    last = start()
    check(last, everyone)
    last.stop()


def push_until_the_end(mynah: Mynah, answered: Answered, seed: int) -> None:
    chance = random.Random(seed)
    try:
        with connect(mynah) as connection:
            while True:
                answered.push(connection, chance)
    except (OSError, AssertionError):
        # The server was killed; only then does a push stay without an answer.
        return


def change_until_the_end(mynah: Mynah, answered: Answered, generation: int) -> None:
    try:
        for number in range(1_000_000):
            name = f"device-{generation}-{number}"
            answer = mynah.control.ask("PUT", f"/v1/devices/{name}", body={"registrations": [{"topic": TOPIC}]})
            if answer.status == 201:
                answered.devices.add(name)
    except OSError:
        return


def check(mynah: Mynah, answered: Answered) -> None:
    """Everything that was answered is there, and what wasn't is whole or absent."""
    control = mynah.control
    pushes = journal(mynah)
    answered.check(pushes)
    rules = control.get("/v1/faults", {"limit": 10})["items"]
    if rules:
        assert rules[0]["fired"] == sum(push["fault"] == "busy" for push in pushes)
    found: set[str] = set()
    cursor: dict[str, Any] = {}
    while True:
        page = control.get("/v1/devices", {"limit": 1000} | cursor)
        found |= {device["id"] for device in page["items"]}
        if not page["nextCursor"]:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert answered.devices <= found


def test_a_disk_that_is_full_at_the_start_is_no_fault_of_the_settings(tmp_path: Path) -> None:
    script = (
        "mkdir disk && mount -t tmpfs -o size=64k none disk && { head -c 1m /dev/zero > disk/fill; true; }"
        f" && exec {binary()} serve --port 0 --control-port 0 --data disk/run"
    )
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=clean_environment(HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path)),
        timeout=HANG_SECONDS,
        check=False,
    )
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("this user may make no file system")
    assert done.returncode == UNAVAILABLE, done
    assert "no space is left" in done.stderr


def test_a_full_disk_is_503_until_there_is_room(start: Start) -> None:
    mynah = start()
    token = unique_token()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
    # Every write fails then, as on a full disk.
    resource.prlimit(mynah.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    with connect(mynah) as connection:
        connection.push(token).assert_refused(503, "ServiceUnavailable")
    problem = mynah.control.ask("PUT", "/v1/devices/kim", body={}).problem(503)
    assert problem["type"] == "urn:mynah:problem:unavailable"
    assert "the run can't be kept" in problem["detail"]
    assert mynah.control.ask("GET", "/readyz").status == 503
    # A restart would make no room.
    assert mynah.control.ask("GET", "/livez").status == 200
    assert mynah.control.ask("GET", "/metrics").status == 200
    # What was answered can be read; what was refused isn't there.
    assert len(mynah.control.pushes(token)) == 1

    resource.prlimit(mynah.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    until(lambda: mynah.control.ask("GET", "/readyz").status != 503, "the server to be ready again")
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
    assert mynah.control.ask("GET", "/readyz").status == 200
    mynah.process.kill()
    second = start()
    assert len(second.control.pushes(token)) == 2
    second.stop()


def test_what_happens_while_the_disk_is_full_is_in_the_run_once_there_is_room(start: Start) -> None:
    mynah = start()
    control = mynah.control
    control.put("/v1/devices/kim", {"online": False})
    rule = {"id": "reset", "match": {"event": "accept"}, "skip": 1, "times": 3, "action": {"type": "refuse"}}
    control.post("/v1/faults", rule)
    with EventStream(mynah, "/v1/devices/kim/stream?connect=true"), connect(mynah) as connection:
        connection.push(unique_token())
        until(lambda: control.get("/v1/devices/kim")["online"], "the device to be online")
        resource.prlimit(mynah.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        connection.push(unique_token()).assert_refused(503, "ServiceUnavailable")
        for _ in range(3):
            with pytest.raises(OSError), connect(mynah) as refused:
                refused.push(unique_token())
    until(lambda: control.get("/v1/connections")["items"] == [], "the connection to be closed")
    with EventStream(mynah, "/v1/events?event=connection&after=0") as stream:
        resource.prlimit(mynah.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert [event.data["change"] for event in stream.next(2)] == ["opened", "closed"]
    until(lambda: not control.get("/v1/devices/kim")["online"], "the device to be offline")
    until(lambda: control.get("/v1/faults/reset")["remaining"] == 0, "the rule's firings to be counted")
    mynah.process.kill()
    second = start()
    assert second.control.get("/v1/faults/reset")["fired"] == 3
    second.stop()


@pytest.mark.parametrize("moves", [False, True], ids=["removed", "moved"])
def test_a_folder_that_is_removed_while_the_server_runs_takes_nothing_more(
    start: Start, mynah_command: Command, tmp_path: Path, moves: bool
) -> None:
    mynah = start()
    folder, words = tmp_path / "data", "was removed or moved while the server had it open"
    with connect(mynah) as connection:
        connection.push(unique_token()).assert_accepted()
        if moves:
            folder.rename(tmp_path / "elsewhere")
        else:
            shutil.rmtree(folder)
        until(lambda: mynah.control.ask("GET", "/readyz").status == 503, "the loss to be noticed")
        assert words in mynah.control.ask("GET", "/readyz").json()["problem"]
        checked = mynah_command("healthcheck", "--url", mynah.control_url)
        assert checked.returncode == UNAVAILABLE and words in checked.stderr
        connection.push(unique_token()).assert_refused(503, "ServiceUnavailable")
        if moves:
            (tmp_path / "elsewhere").rename(folder)
            until(lambda: mynah.control.ask("GET", "/readyz").status == 200, "the server to be ready again")
            connection.push(unique_token()).assert_accepted()
    if moves:
        mynah.stop()
    else:
        mynah.process.signal(signal.SIGTERM)
        assert mynah.process.wait() == CONFIGURATION
        assert words in mynah.process.wait_for_error("mynah: the data folder")


def test_a_cut_end_is_told(start: Start, tmp_path: Path, mynah_command: Command) -> None:
    mynah = start()
    token = unique_token()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.push(token).assert_accepted()
    mynah.process.kill()
    file = tmp_path / "data" / "run.mynah-00"
    file.write_bytes(file.read_bytes()[:-3])
    words = "are no whole batch of changes"
    assert words in mynah_command("dump", "--file", str(tmp_path / "data")).stderr
    second = start()
    second.process.wait_for_error(words)
    assert second.control.pushes(token)
    second.stop()


def test_a_second_server_is_told_who_has_the_folder(start: Start, tmp_path: Path, serve: Serve) -> None:
    mynah = start()
    second = serve("--data", str(tmp_path / "data"), "--port", "0", "--control-port", "0")
    assert second.wait() == 69
    assert f"process {mynah.pid}" in second.log() and "has it open" in second.log()
    assert mynah.control_url in second.log()
    mynah.stop()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"not a database at all" * 100, "is not a SQLite database"),
        (b"SQLite format 3\0" + bytes(4080), ""),
    ],
)
def test_a_file_that_is_no_run_is_named(tmp_path: Path, serve: Serve, content: bytes, says: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "run.mynah").write_bytes(content)
    process = serve("--data", str(folder), "--port", "0", "--control-port", "0")
    assert process.wait() == 78
    assert "run.mynah" in process.log() and says in process.log()
    assert (folder / "run.mynah").read_bytes() == content


@pytest.mark.parametrize("is_killed", [False, True], ids=["stopped", "killed"])
def test_a_cut_file_is_read_up_to_the_cut_or_named(
    start: Start, tmp_path: Path, serve: Serve, mynah_command: Command, is_killed: bool
) -> None:
    mynah = start()
    fill(mynah)
    sequences = [push["sequence"] for push in everything(mynah)["pushes"]]
    if is_killed:
        mynah.process.kill()
    else:
        mynah.stop()
    files = {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir() if path.name != "lock"}
    assert ("run.mynah-00" in files) == is_killed
    chance = random.Random(is_killed)
    read = 0
    for number in range(CUTS):
        folder = tmp_path / f"cut-{number}"
        folder.mkdir()
        cut = chance.choice(sorted(files))
        for name, content in files.items():
            (folder / name).write_bytes(content[: chance.randrange(len(content))] if name == cut else content)
        ended = mynah_command("dump", "--file", str(folder))
        if ended.returncode == FINE:
            read += 1
            found = [json.loads(line)["sequence"] for line in ended.stdout.splitlines()]
            assert found == sequences[: len(found)]
        else:
            assert ended.returncode == CONFIGURATION
            assert f"{folder}/run.mynah" in ended.stderr and ended.stderr.count(". ") == 1
            server = serve("--data", str(folder), "--port", "0", "--control-port", "0")
            if "it has no run yet" in ended.stderr:
                server.wait_for_line("mynah ready")
                server.kill()
            else:
                assert server.wait() == CONFIGURATION
                assert f"{folder}/run.mynah" in server.log()
        shutil.rmtree(folder)
    # What a killed process has left beside the database is whole up to any place.
    assert read > 0 or not is_killed


def test_a_folder_that_is_a_file_is_named(tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "data"
    path.write_text("")
    process = serve("--data", str(path), "--port", "0", "--control-port", "0")
    assert process.wait() == 78
    assert "it is not a folder: a folder was expected" in process.log()


def test_other_settings_hold_from_the_next_start_on(start: Start) -> None:
    first = start("--seed", "7")
    fill(first)
    before = everything(first)
    first.stop()
    second = start("--seed", "8", "--retain", "4", "--devices", "strict")
    second.process.wait_for_error("goes on with its own seed 7: --seed 8 is not used")
    assert second.control.get("/v1/status")["seed"] == 7
    pushes = everything(second)["pushes"]
    # The push that one of them repeats is gone.
    assert [push | {"repeats": None} for push in pushes] == [
        push | {"repeats": None} for push in before["pushes"][-4:]
    ]
    with connect(second) as connection:
        connection.push(unique_token()).assert_refused(400, "BadDeviceToken")
    second.process.kill()
    third = start()
    # What was decided by the settings of the time stays so.
    assert [push["reason"] for push in everything(third)["pushes"]][-1] == "BadDeviceToken"
    third.stop()


def test_what_differs_from_the_settings_of_before_is_named(start: Start) -> None:
    start("--request-limit", "5/second").stop()
    second = start("--devices", "strict", "--retain", "4", "--unregister-delay", "1m-2m")
    line = second.process.wait_for_error("goes on with other settings than before")
    second.stop()
    for words in (
        "--devices strict (before: open)",
        "--retain 4 (before: 100000)",
        "--unregister-delay 1m-2m (before: 0s)",
        "--request-limit off (before: 5/1s)",
    ):
        assert words in line, line
    assert line.count("(before: ") == 4
    third = start("--devices", "strict", "--retain", "4", "--unregister-delay", "1m-2m")
    third.stop()
    assert not any("other settings" in line for line in third.process.errors)


def test_a_stop_keeps_some_700_bytes_of_a_small_push(start: Start, tmp_path: Path) -> None:
    payload = json.dumps({"aps": {"alert": "a push of 55 bytes, as most of them"}}, separators=(",", ":")).encode()
    assert len(payload) == 55, len(payload)

    def size_after(count: int) -> int:
        mynah = start("--sync", "normal")
        token = unique_token()
        with connect(mynah) as connection:
            for _ in range(count):
                connection.push(token, payload).assert_accepted()
        mynah.stop()
        return (tmp_path / "data" / "run.mynah").stat().st_size

    few = size_after(100)
    # Of the manual's 72 MB for 100,000; a snapshot that one of before supersedes is removed.
    assert size_after(1500) - few <= 1500 * 800


def test_fixtures_are_those_of_the_first_start(start: Start, tmp_path: Path) -> None:
    fixtures = tmp_path / "fixtures.yaml"
    fixtures.write_text("devices:\n- id: kim\n  registrations:\n  - topic: com.example.app\n")
    first = start("--fixtures", str(fixtures))
    first.control.delete("/v1/devices/kim")
    first.stop()
    second = start("--fixtures", str(fixtures))
    assert second.control.get("/v1/devices")["items"] == []
    second.control.post("/v1/reset", None)
    assert [device["id"] for device in second.control.get("/v1/devices")["items"]] == ["kim"]
    second.stop()


def test_a_kept_run_is_good_sql(start: Start, tmp_path: Path, mynah_command: Command) -> None:
    mynah = start()
    fill(mynah)
    pushes = everything(mynah)["pushes"]
    mynah.stop()
    file = tmp_path / "pushes.sqlite"
    data = str(tmp_path / "data")
    assert mynah_command("dump", "--file", data, "--sqlite", str(file)).returncode == FINE
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
        reasons = dict(database.execute("SELECT reason, count(*) FROM pushes GROUP BY 1").fetchall())
    expected: dict[str | None, int] = {}
    for push in pushes:
        expected[push["reason"]] = expected.get(push["reason"], 0) + 1
    assert reasons == expected
    assert reasons["ServiceUnavailable"] == 3 and reasons["BadPriority"] == 1
    before = file.read_bytes()
    again = mynah_command("dump", "--file", data, "--sqlite", str(file))
    assert again.returncode == CONFLICT and "is there already" in again.stderr
    assert file.read_bytes() == before
    for wrong in (["--sqlite", "other"], ["--file", data, "--sqlite", "other", "--outcome", "refused"]):
        assert mynah_command("dump", *wrong).returncode == USAGE


def test_no_private_key_is_in_a_kept_run(start: Start, tmp_path: Path) -> None:
    mynah = start()
    made = mynah.control.post("/v1/keys", {})
    fill(mynah)
    token = mynah.authorization().rpartition(" ")[2]
    forms = [token, f"bearer\t{token}", f"bearer={token}", f"bearer {token}.more", f"bearer,{token}", f'"{token}"']
    others = [("proxy-authorization", f"bearer {token}"), ("x-copy", token), ("cookie", f"jwt={token}")]
    with connect(mynah) as connection:
        connection.push(unique_token())
        for form in forms:
            connection.push(unique_token(), authorization=form)
        for name, value in others:
            connection.push(unique_token(), further=[(name, value)])
    shown = mynah.control.get("/v1/notifications", {"limit": 1000})["items"]
    assert len({push["sequence"] for push in shown}) > len(forms) + len(others)
    assert token.rpartition(".")[2] not in json.dumps(shown)
    mynah.process.kill()
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    pems = [made["privateKey"], Path(mynah.key_file).read_text()]
    signature = mynah.authorization().rpartition(".")[2].encode()
    for path in (tmp_path / "data").iterdir():
        content = path.read_bytes()
        for pem in pems:
            key = load_pem_private_key(pem.encode(), None)
            secret = key.private_numbers().private_value.to_bytes(32, "big")  # type: ignore[union-attr]
            assert secret not in content
            assert "".join(pem.splitlines()[1:-1]).encode()[:40] not in content
        assert signature not in content
