"""What commands print and how they end, for people on a terminal and for scripts."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commandline import (
    CONFIGURATION,
    CONFLICT,
    FINE,
    FREE_PORTS,
    NOT_FOUND,
    NOTHING_DUE,
    UNAVAILABLE,
    UNMET,
    USAGE,
    Command,
    Serve,
)
from conftest import unique_token
from h2client import connect
from server import Mynah, Process, binary, clean_environment
from test_failed_handshakes import failures_of
from waiting import RUN_SECONDS


def on_a_terminal(*arguments: str, folder: Path, **environment: str) -> list[str]:
    """The lines that a command prints on a terminal."""
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        [str(binary()), *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        env=clean_environment(HOME=str(folder), XDG_RUNTIME_DIR=str(folder), **environment),
    )
    os.close(writer)
    text = b""
    try:
        while chunk := os.read(reader, 65536):
            text += chunk
    except OSError:
        pass  # How Linux reports that the other end is closed.
    finally:
        os.close(reader)
    assert process.wait(RUN_SECONDS) == FINE, process.stderr
    return text.decode().splitlines()


# Lists


@pytest.fixture
def filled(own_mynah: Callable[..., Mynah], mynah_command: Command) -> str:
    """The URL of a server that has something of everything."""
    url = own_mynah().control_url
    for words in (
        ["device", "add", "kim", "--app", "com.example.app"],
        ["device", "add", "lee", "--offline", "--scope", "t42"],
        ["device", "activity", "start", "kim", "com.example.app", "Game"],
        ["fault", "add", "503", "--id", "busy", "--name", "the\tbusy one", "--scope", "t42"],
        ["scenario", "add", "half-open"],
        ["channel", "create", "com.example.app"],
    ):
        done = mynah_command(*words, "--url", url)
        assert done.returncode == FINE, done
    return url


LISTS = {
    "device list": ["ID", "PLATFORM", "ENVIRONMENT", "STATE", "POWER", "SCOPE", "STORED", "APPS"],
    "device activity list kim": ["ID", "STATE", "TYPE", "TOKEN", "SHOWS"],
    "fault list": ["ID", "STATE", "FIRED", "MATCHED", "SCOPE", "DOES", "APPLIES TO", "WHEN", "NAME"],
    "scenario list": ["NAME", "SCOPE", "STEPS", "NEXT AFTER", "RULES"],
    "channel list": ["ID", "ENVIRONMENT", "STORES", "FOLLOWERS", "APP"],
    "key list": ["KEY ID", "TEAM", "ENVIRONMENT", "STATE", "TOPICS"],
}


@pytest.mark.parametrize("words", LISTS)
def test_a_list_has_headings_on_a_terminal_and_tabs_elsewhere(
    words: str, filled: str, mynah_command: Command, tmp_path: Path
) -> None:
    heading, *shown = on_a_terminal(*words.split(), "--url", filled, folder=tmp_path)
    assert [name.strip() for name in heading.split("  ") if name.strip()] == LISTS[words]
    done = mynah_command(*words.split(), "--url", filled)
    assert done.returncode == FINE
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows and all(len(row) == len(LISTS[words]) for row in rows)
    assert len(shown) == len(rows)
    # Aligned: each cell begins where its heading does.
    starts = [heading.index(name) for name in LISTS[words]]
    for line, row in zip(shown, rows, strict=True):
        assert [line[start : start + len(cell)] for start, cell in zip(starts, row, strict=True)] == row
    as_json = mynah_command(*words.split(), "--json", "--url", filled)
    assert [type(json.loads(line)) for line in as_json.stdout.splitlines()] == [dict] * len(rows)


def test_cells_are_taken_apart_by_cut(filled: str, mynah_command: Command) -> None:
    devices = mynah_command("device", "list", "--url", filled).stdout.splitlines()
    assert [line.split("\t")[0] for line in devices] == ["kim", "lee"]
    assert [line.split("\t")[3] for line in devices] == ["online", "offline"]
    [fault] = [line.split("\t") for line in mynah_command("fault", "list", "--url", filled).stdout.splitlines()][-1:]
    # A tab in a name can't make another cell.
    assert "the busy one" in mynah_command("fault", "list", "--scope", "t42", "--url", filled).stdout
    assert len(fault) == len(LISTS["fault list"])


def test_an_app_without_a_token_has_a_dash(mynah: Mynah, mynah_command: Command) -> None:
    name = unique_token()[:12]
    url = ["--url", mynah.control_url]
    added = mynah_command("device", "add", name, "--offline", "--app", "com.example.app", *url)
    assert added.stdout == f"{name} - com.example.app\n"
    assert mynah_command("device", "install", name, "com.example.app", *url).stdout == "-\n"


# Connections


def test_connections_are_listed_and_closed(own_mynah: Callable[..., Mynah], mynah_command: Command, token: str) -> None:
    mynah = own_mynah()
    url = ["--url", mynah.control_url]
    with connect(mynah) as connection:
        connection.push(token, b'{"aps":{"alert":"hi"}}').assert_accepted()
        [row] = mynah_command("connection", "list", *url).stdout.splitlines()
        cells = row.split("\t")
        assert cells[-2:] == ["1", mynah.key_id]
        assert mynah_command("connection", "ls", "--key-id", "ABCDEFGHIJ", *url).stdout == ""
        assert mynah_command("connection", "close", cells[0], *url).returncode == FINE
        assert mynah_command("connection", "list", *url).stdout == ""
        gone = mynah_command("connection", "close", cells[0], *url)
    assert gone.returncode == NOT_FOUND
    assert "`mynah connection list` lists them" in gone.stderr and "/v1" not in gone.stderr


def test_results_are_told_in_json(
    own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path, token: str
) -> None:
    mynah = own_mynah()
    url = ["--url", mynah.control_url]

    def told(*words: str, code: int = FINE) -> dict[str, Any]:
        done = mynah_command(*words, "--json")
        assert done.returncode == code, done
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    signed = told("token", *url)
    assert (signed["keyId"], signed["teamId"]) == (mynah.key_id, mynah.team_id)
    assert signed["token"].count(".") == 2 and signed["issuedAt"] < signed["expiresAt"]
    assert told("healthcheck", *url) == {"ready": True, "url": mynah.control_url, "problem": None}
    absent = told("healthcheck", "--url", "http://127.0.0.1:1", code=UNAVAILABLE)
    assert not absent["ready"] and "no server at http://127.0.0.1:1" in absent["problem"]
    assert "faults" in told("reset", *url)["removed"]
    with connect(mynah) as connection:
        connection.push(token, b'{"aps":{"alert":"hi"}}').assert_accepted()
        number = json.loads(mynah_command("connection", "list", "--json", *url).stdout)["id"]
        assert told("connection", "close", str(number), *url) == {"closed": {"connections": [number]}}
    made = told("certs", "init", "--state-dir", "made")
    assert set(made) == {"caFile", "caBundleFile", "keyFile", "keyId", "teamId", "names"}
    assert made["caFile"] == str(tmp_path / "made" / "ca.pem") and "localhost" in made["names"]
    issued = told("certs", "provider", "--topic", "com.example.app", "--state-dir", "made")
    revoked = told("certs", "revoke", issued["serialNumber"], "--state-dir", "made")
    assert [each["serialNumber"] for each in revoked["revoked"]] == [issued["serialNumber"]]
    assert revoked["updated"] == []
    of_server = told("certs", "provider", "--topic", "com.example.other", *url)
    revoked = told("certs", "revoke", of_server["serialNumber"], *url)
    assert [each["serialNumber"] for each in revoked["revoked"]] == [of_server["serialNumber"]]
    assert revoked["updated"] == [mynah.control_url]


def test_failed_handshakes_have_their_cause(own_mynah: Callable[..., Mynah], mynah_command: Command) -> None:
    mynah = own_mynah()
    asked = subprocess.run(["curl", "-sS", f"https://localhost:{mynah.port}/"], capture_output=True, check=False)
    assert asked.returncode == 60
    # curl may be gone before the server has heard of it.
    failures_of(mynah, 1)
    [row] = mynah_command("connection", "failures", "--url", mynah.control_url).stdout.splitlines()
    assert row.split("\t")[2:4] == ["localhost", "serverNotTrusted"]


# Exit codes


def test_scripts_can_tell_failures_apart(own_mynah: Callable[..., Mynah], mynah_command: Command) -> None:
    mynah = own_mynah("--control-token", "s3cret")
    url = ["--url", mynah.control_url]

    def code(*words: str) -> int:
        return mynah_command(*words, *url, MYNAH_CONTROL_TOKEN="s3cret").returncode

    assert code("device", "add", "kim", "--app", "com.example.app") == FINE
    assert code("device", "add", "kim") == CONFLICT
    assert code("device", "add", "lee", "--platform", "Symbian") == USAGE
    assert code("device", "show", "nobody") == NOT_FOUND
    assert code("device", "launch", "nobody", "com.example.app") == NOT_FOUND
    assert code("fault", "show", "none") == NOT_FOUND
    assert code("fault", "remove", "none") == NOT_FOUND
    assert code("scenario", "show", "none") == NOT_FOUND
    assert code("scenario", "add", "none") == NOT_FOUND
    assert code("key", "show", "ABCDEFGHIJ") == NOT_FOUND
    assert code("channel", "delete", "tvI2UK0vEfEAAA6GFnjo2Q==") == NOT_FOUND
    assert code("device", "act", "kim", "99") == NOT_FOUND
    assert code("clock", "set", "frozen") == FINE
    assert code("clock", "advance", "--to", "next") == NOTHING_DUE
    assert code("clock", "advance", "--to", "nxt") == USAGE
    assert code("clock", "set", "--now", "2001-01-01T00:00:00Z") == CONFLICT
    assert mynah_command("device", "list", *url).returncode == CONFIGURATION
    assert mynah_command("device", "list", "--url", "http://127.0.0.1:1").returncode == UNAVAILABLE


@pytest.mark.parametrize(
    "words",
    [
        ["device", "add", "kim"],
        ["fault", "show", "none"],
        ["key", "show", "ABCDEFGHIJ"],
        ["channel", "show", "tvI2UK0vEfEAAA6GFnjo2Q=="],
        ["scenario", "show", "none"],
        ["connection", "close", "4711"],
        ["device", "install", "kim", "com.example.app", "--token", "MAGIC"],
        ["device", "set", "kim", "--power", "lo"],
        ["clock", "advance", "5"],
        ["clock", "set", "froze"],
        ["expect", "topik:x"],
        ["dump", "topik:x"],
        ["reset", "--only", "foo"],
        ["device", "list", "--platform", "Symbian"],
    ],
    ids=" ".join,
)
def test_errors_have_the_words_of_the_command_line(
    words: list[str], own_mynah: Callable[..., Mynah], mynah_command: Command
) -> None:
    url = ["--url", own_mynah().control_url]
    mynah_command("device", "add", "kim", *url)
    magic = next(line.strip() for line in mynah_command("help", "magic-tokens").stdout.splitlines() if "badc0" in line)
    done = mynah_command(*(magic if word == "MAGIC" else word for word in words), *url)
    assert done.returncode not in (0, 1), done
    [line] = done.stderr.splitlines()
    assert line.startswith("mynah: ") and len(line) < 250, line
    for word in ("/v1/", "GET", "PUT", "PATCH", "Bearer", "Error:", "Usage:", ": /"):
        assert word not in line, line


def test_without_the_control_token_the_variable_is_named(
    own_mynah: Callable[..., Mynah], mynah_command: Command
) -> None:
    mynah = own_mynah("--control-token", "s3cret")
    done = mynah_command("device", "list", "--url", mynah.control_url)
    assert done.returncode == CONFIGURATION
    assert (
        done.stderr == "mynah: the token is missing: expected that of --control-token: set MYNAH_CONTROL_TOKEN to it\n"
    )


# Time


def test_send_and_token_follow_the_clock(own_mynah: Callable[..., Mynah], mynah_command: Command, token: str) -> None:
    url = ["--url", own_mynah().control_url]
    send = ["send", "--topic", "com.example.app", "--to", token, "--alert", "hi", *url]
    for change in (["advance", "2h"], ["advance", "30d"], ["set", "real"]):
        assert mynah_command("clock", *change, *url).returncode == FINE
        assert mynah_command(*send).returncode == FINE
        signed = mynah_command("token", *url).stdout.strip()
        assert mynah_command(*send, "--provider-token", signed).returncode == FINE


# serve


def test_serve_names_the_page_and_says_that_pushes_come(mynah_command: Command, tmp_path: Path) -> None:
    command = f"exec '{binary()}' serve --port 0 --control-port 0 --ready-file ready.json 2>&1"
    environment = clean_environment(HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path))
    process = Process(["-c", command], environment=environment, cwd=tmp_path, binary="/bin/sh")
    try:
        page = process.wait_for_line("  page").split()[1]
        process.wait_for_line("mynah ready")
        assert page == json.loads((tmp_path / "ready.json").read_text())["controlUrl"] + "/"
        done = mynah_command("send", "--topic", "com.example.app", "--to", unique_token(), "--alert", "hi")
        assert done.returncode == FINE, done
        # Log lines begin with the time; the only later ones are about pushes.
        while "push" not in (line := process.wait_for_line("2")):
            pass
        assert line.endswith("Z info 1 push: 1 accepted; com.example.app")
    finally:
        process.signal(signal.SIGTERM)
        assert process.wait() == FINE


@pytest.mark.parametrize(
    ("flags", "is_told"),
    [([], True), (["--log-pushes", "off"], False), (["--log-level", "warning"], False)],
    ids=["default", "off", "level"],
)
def test_the_last_pushes_are_told_at_the_end_unless_turned_off(
    flags: list[str], is_told: bool, serve: Serve, mynah_command: Command
) -> None:
    process = serve("serve", *FREE_PORTS, *flags)
    process.wait_for_line("mynah ready")
    refused = mynah_command("send", "--topic", "com.example.app", "--to", "00fc", "--alert", "hi")
    assert refused.returncode == UNMET
    process.signal(signal.SIGTERM)
    assert process.wait() == FINE
    told = [line for line in process.errors if "1 push: 1 refused (BadDeviceToken); com.example.app" in line]
    assert bool(told) == is_told, process.log()
