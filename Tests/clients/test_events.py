"""`GET /v1/events` and `mynah tail` over real connections (`ControlAPI`)."""

from __future__ import annotations

import itertools
import json
import os
import pty
import select
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import httpx

from commandline import FINE, UNAVAILABLE, USAGE, Command, Serve
from devices import Event, EventStream, add_device, token_of, unique_id
from faults import BUSY, add_fault
from h2client import connect
from pushes import push_steadily
from server import Mynah, binary, clean_environment
from waiting import HANG_SECONDS, RUN_SECONDS, takes_at_least, until

EVENTS = "/v1/events"
# How long a reader may take nothing.
STALL_SECONDS = 10
LARGE_PUSHES, LARGE_PAYLOAD = 6000, b'{"aps":{"alert":"' + b"x" * 4050 + b'"}}'
LARGE_PART = 200
# More than the server writes at once, 64 KiB.
READ_PART = 20


def url(mynah: Mynah) -> list[str]:
    return ["--url", mynah.control_url]


def set_online(mynah: Mynah, device: str, online: bool) -> None:
    answer = mynah.control.ask("PATCH", f"/v1/devices/{device}", body={"online": online})
    assert answer.status == 200, answer


def push(mynah: Mynah, token: str, body: bytes = b'{"aps":{"alert":"hi"}}') -> None:
    with connect(mynah) as connection:
        connection.push(token, body).assert_accepted()


# The stream


def test_a_device_that_comes_online_turns_stored_into_delivered(mynah: Mynah) -> None:
    device = add_device(mynah, online=False)
    with EventStream(mynah, f"{EVENTS}?device={device['id']}") as stream:
        assert stream.response.headers["content-type"] == "text/event-stream"
        push(mynah, token_of(device))
        (stored,) = stream.next()
        set_online(mynah, device["id"], True)
        delivered, online = stream.next(2)
    assert (stored.name, stored.data["outcome"]) == ("notification", "stored")
    assert (delivered.name, delivered.data["outcome"]) == ("outcome", "delivered")
    assert (online.name, online.data["online"], online.data["change"]) == ("device", True, "changed")
    assert stored.data["sequence"] == delivered.data["sequence"] == int(stored.id or 0)
    assert int(stored.id or 0) < int(delivered.id or 0) < int(online.id or 0)


def test_curl_reads_it(mynah: Mynah) -> None:
    device = add_device(mynah)
    after = mynah.control.last_sequence()
    push(mynah, token_of(device)), push(mynah, token_of(device))
    curl = subprocess.Popen(
        ["curl", "-sN", f"{mynah.control_url}{EVENTS}?after={after}&device={device['id']}&event=notification"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert curl.stdout is not None
    data = (line.removeprefix("data: ") for line in curl.stdout if line.startswith("data: "))
    assert [json.loads(next(data))["token"] for _ in range(2)] == [token_of(device)] * 2
    curl.kill()
    curl.wait()


def test_a_reader_that_is_cut_off_goes_on_without_loss_and_without_doubles(mynah: Mynah) -> None:
    device = add_device(mynah)
    path = f"{EVENTS}?device={device['id']}&event=notification"
    after, sent, got = mynah.control.last_sequence(), 0, []
    with connect(mynah) as connection, httpx.Client(timeout=HANG_SECONDS) as client:
        last = str(after)
        for _ in range(5):
            for _ in range(7):
                connection.push(token_of(device), b'{"aps":{"alert":"%d"}}' % sent).assert_accepted()
                sent += 1
            with client.stream("GET", mynah.control_url + path, headers={"last-event-id": last}) as answer:
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        last = line.removeprefix("id: ")
                    if line.startswith("data: "):
                        got.append(int(json.loads(line.removeprefix("data: "))["payload"]["aps"]["alert"]))
                        # Cut off in the midst of what is there, but at the end.
                        if len(got) >= sent - 3 and sent < 35 or len(got) == 35:
                            break
    assert got == list(range(35))


def test_only_a_scopes_own(mynah: Mynah) -> None:
    scope = unique_id("scope")
    with EventStream(mynah, f"{EVENTS}?scope={scope}") as stream:
        other, own = add_device(mynah), add_device(mynah, scope=scope)
        push(mynah, token_of(other))
        push(mynah, token_of(own))
        # Before the reset takes the push away.
        events = stream.next(2)
        mynah.control.post("/v1/reset", {"scope": scope})
        events += stream.next()
    assert [event.name for event in events] == ["device", "notification", "reset"]
    assert {event.data["scope"] for event in events} == {scope}


def test_a_connection_that_opens_and_closes(mynah: Mynah) -> None:
    device = add_device(mynah)
    with EventStream(mynah, f"{EVENTS}?event=connection&event=notification") as stream:
        with connect(mynah) as connection:
            connection.push(token_of(device)).assert_accepted()
        number = mynah.control.push(token_of(device))["connection"]
        found = []
        for event in stream.events():
            if event.name == "connection" and event.data["id"] == number:
                found.append(event.data)
                if len(found) == 2:
                    break
    opened, closed = found
    assert (opened["change"], opened["pushes"], opened["alpn"]) == ("opened", 0, "h2")
    assert (closed["change"], closed["pushes"], closed["reason"]) == ("closed", 1, None)
    assert closed["bytesIn"] > 0 and closed["credential"]["kind"] == "token"


def test_clock_and_reset(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    with EventStream(mynah, EVENTS) as stream:
        mynah.control.post("/v1/clock/advance", {"by": "1h"})
        mynah.control.post("/v1/reset", {"only": ["notifications"]})
        clock, reset = stream.next(2)
    assert (clock.name, clock.data["mode"], clock.data["scope"]) == ("clock", "offset", None)
    assert (reset.name, reset.data["only"]) == ("reset", ["notifications"])


def test_what_went_to_make_room_is_a_gap(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--retain", "3")
    device = add_device(mynah)
    after = mynah.control.last_sequence()
    with connect(mynah) as connection:
        for _ in range(10):
            connection.push(token_of(device)).assert_accepted()
    with EventStream(mynah, f"{EVENTS}?after={after}&event=notification") as stream:
        gap, *pushes = stream.next(4)
    kept = [item["sequence"] for item in mynah.control.get("/v1/notifications")["items"]]
    assert gap.name == "gap" and gap.id is None
    assert gap.data == {"from": after + 1, "to": min(kept) - 1}
    assert [event.data["sequence"] for event in pushes] == kept


@pytest.mark.measures
def test_a_slow_reader_is_told_what_it_missed_and_holds_no_memory(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--retain-bytes", "8MB")
    device = add_device(mynah)
    with EventStream(mynah, EVENTS, receive_buffer=4096) as stream, connect(mynah) as connection:
        connection.push(token_of(device)).assert_accepted()
        events = stream.events()
        seen: list[Event] = []

        def push_part_by_part() -> None:
            """Pushes, and reads some events now and then, so that the reader isn't cut off on a slow machine either."""
            for _ in range(LARGE_PUSHES // 3 // LARGE_PART):
                push_steadily(connection, token_of(device), LARGE_PAYLOAD, LARGE_PART)
                left = READ_PART
                while left:
                    seen.append(next(events))
                    left -= seen[-1].name == "notification"

        push_part_by_part()
        before = mynah.anonymous_bytes()
        push_part_by_part()
        until(lambda: mynah.anonymous_bytes() - before < 16 << 20, "that what nobody reads is not kept")
        # It reads again: what is gone is named, the newest is there.
        last = mynah.control.get("/v1/notifications", {"order": "desc", "limit": 1})["items"][0]["sequence"]
        gaps, sequences = [], []
        for event in itertools.chain(seen, events):
            if event.name == "gap":
                gaps.append(event.data)
            if event.name == "notification":
                sequences.append(event.data["sequence"])
                if sequences[-1] == last:
                    break
    assert gaps and all(gap["from"] <= gap["to"] < last for gap in gaps)
    missing = set(range(sequences[0], last)) - set(sequences)
    told = {number for gap in gaps for number in range(gap["from"], gap["to"] + 1)}
    assert missing and missing <= told


@pytest.mark.measures
def test_a_reader_that_takes_nothing_is_cut_off(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    device = add_device(mynah)
    # It has all of its time, which begins after the pushes do.
    with takes_at_least(STALL_SECONDS), EventStream(mynah, EVENTS, receive_buffer=4096) as stream:
        with connect(mynah) as connection:
            connection.push(token_of(device)).assert_accepted()
            push_steadily(connection, token_of(device), LARGE_PAYLOAD, LARGE_PUSHES // 3)
            ends = mynah.control_port, stream.socket.getsockname()[1]
            until(lambda: not is_established(*ends), "that a reader that is asleep is cut off")


def is_established(server_port: int, client_port: int) -> bool:
    """Whether the server's end of a connection over IPv4 is open."""
    wanted = (f"0100007F:{server_port:04X}", f"0100007F:{client_port:04X}", "01")
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return any((row[1], row[2], row[3]) == wanted for row in rows)


# mynah tail


def lines_of(tail: subprocess.Popen[bytes]) -> Iterator[str]:
    assert tail.stdout is not None
    for line in tail.stdout:
        yield line.decode().rstrip("\n")


def start_tail(mynah: Mynah, folder: Path, *arguments: str, stdout: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(binary()), "tail", *url(mynah), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=clean_environment(HOME=str(folder), TERM="xterm"),
    )


def ended(tail: subprocess.Popen[bytes], code: int = FINE) -> None:
    """Checks that a command has ended with a code and has said nothing."""
    assert tail.stderr is not None
    error = tail.stderr.read()
    assert (tail.wait(RUN_SECONDS), error) == (code, b"")


def test_tail_shows_a_push_and_its_delivery_as_json_lines(mynah: Mynah, tmp_path: Path) -> None:
    device = add_device(mynah, online=False)
    after = str(mynah.control.last_sequence())
    tail = start_tail(mynah, tmp_path, "--after", after, f"device:{device['id']}")
    push(mynah, token_of(device))
    set_online(mynah, device["id"], True)
    lines = lines_of(tail)
    stored, delivered = json.loads(next(lines)), json.loads(next(lines))
    assert (stored["token"], delivered["outcome"]) == (token_of(device), "delivered")
    assert stored["sequence"] == delivered["sequence"]
    tail.send_signal(signal.SIGINT)
    ended(tail)


def test_tail_shows_nothing_that_a_reset_removed(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    mynah = own_mynah()
    device = add_device(mynah, online=False)
    push(mynah, token_of(device))
    set_online(mynah, device["id"], True)
    assert mynah.control.ask("POST", "/v1/reset").status == 200
    after = add_device(mynah)
    push(mynah, token_of(after), b'{"aps":{"alert":"after"}}')
    tail = start_tail(mynah, tmp_path, "--after", "0")
    assert json.loads(next(lines_of(tail)))["payload"] == {"aps": {"alert": "after"}}
    tail.send_signal(signal.SIGINT)
    ended(tail)


def test_tail_is_a_table_on_a_terminal(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    mynah = own_mynah()
    # A text is the same again for half a minute of its clock.
    mynah.control.put("/v1/clock", {"mode": "frozen"})
    device = add_device(mynah, online=False)
    after = str(mynah.control.last_sequence())
    ours, theirs = pty.openpty()
    tail = start_tail(mynah, tmp_path, "--after", after, "--device", device["id"], stdout=theirs)
    os.close(theirs)
    push(mynah, token_of(device))
    set_online(mynah, device["id"], True)
    text = b""

    def rows_with(wanted: str) -> list[str]:
        """The rows so far, when one of them has this."""
        nonlocal text
        while wanted.encode() not in text or not text.endswith(b"\n"):
            readable, _, _ = select.select([ours], [], [], RUN_SECONDS)
            assert readable, f"no {wanted} in {text.decode(errors='replace')}"
            text += os.read(ours, 65536)
        return text.decode().splitlines()

    heading, *rows = rows_with("→")
    assert heading.split() == ["#", "TIME", "ANSWER", "FAULT", "TYPE", "TO", "TOPIC", "PAYLOAD"]
    assert device["id"] in rows[0] and "200" in rows[0] and rows[0].endswith("hi")
    assert "→ " in rows[-1] and rows[-1].split()[0] == rows[0].split()[0]
    fault = add_fault(mynah, BUSY, match={"token": token_of(device)})
    with connect(mynah) as connection:
        assert connection.push(token_of(device)).status == 503
    refused = rows_with("ServiceUnavailable")[-1]
    assert f" 503 ServiceUnavailable   {fault} " in refused
    assert f"hi (same text again: push {rows[0].split()[0]})" in refused
    tail.send_signal(signal.SIGINT)
    ended(tail)
    os.close(ours)


def piped(arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs mynah with what a shell makes of the arguments, a pipe among them."""
    return subprocess.run(
        f"{binary()} {arguments}",
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        env=clean_environment(HOME=str(folder)),
        timeout=RUN_SECONDS,
        check=False,
    )


@pytest.mark.measures
def test_tail_ends_without_a_word_when_nobody_reads_it(mynah: Mynah, tmp_path: Path) -> None:
    device = add_device(mynah)
    push(mynah, token_of(device)), push(mynah, token_of(device))
    # Nothing more is pushed: it notices without having to write.
    done = piped(f"tail --url {mynah.control_url} --after 0 device:{device['id']} | head -1", tmp_path)
    assert (done.returncode, done.stderr) == (FINE, "")
    assert json.loads(done.stdout)["token"] == token_of(device)
    tail = start_tail(mynah, tmp_path, "--after", "0")
    assert tail.stdout is not None
    tail.stdout.readline()
    tail.stdout.close()
    ended(tail)


def test_dump_ends_without_a_word_when_nobody_reads_it(mynah: Mynah, tmp_path: Path) -> None:
    device = add_device(mynah)
    with connect(mynah) as connection:
        for _ in range(50):
            connection.push(token_of(device), LARGE_PAYLOAD).assert_accepted()
    done = piped(f"dump --url {mynah.control_url} device:{device['id']} | head -c 1", tmp_path)
    assert (done.stdout, done.stderr) == ("{", "")


def test_tail_ends_with_its_server(own_mynah: Callable[..., Mynah], serve: Serve) -> None:
    mynah = own_mynah()
    tail = serve("tail", *url(mynah), "--after", "0")
    push(mynah, token_of(add_device(mynah)))
    tail.wait_for_line("{")
    mynah.stop()
    assert tail.wait() == UNAVAILABLE, tail.log()
    assert any("no server" in line for line in tail.errors), tail.log()


def test_tail_names_a_filter_that_is_none(mynah: Mynah, mynah_command: Command) -> None:
    done = mynah_command("tail", *url(mynah), "tpic:x")
    assert done.returncode == USAGE and "topic" in done.stderr
