"""`mynah serve`: help, starting, stopping, what it prints and writes (`ControlAPI#Command-line`)."""

from __future__ import annotations

import json
import shutil
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from commandline import FINE, FREE_PORTS, UNAVAILABLE, USAGE, Command, Serve
from commands import run
from h2client import connect
from server import Mynah, Process, binary, clean_environment

# Moves the environment before Swift's runtime has looked for the arguments beside it: in a constructor, which runs
# first where the runtime is linked in, and in the call by which the runtime learns of the stack, where it is a library.
PRELOADED = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void change(void) { setenv("PRELOADED", "yes", 1); }

FILE *fopen(const char *path, const char *mode)
{
    change();
    return ((FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen"))(path, mode);
}
"""

# Help and usage


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["serve"],
        ["exec"],
        ["certs"],
        ["certs", "init"],
        ["token"],
        ["send"],
        ["tail"],
        ["expect"],
        ["dump"],
        ["export"],
        ["device"],
        ["device", "add"],
        ["clock"],
        ["clock", "advance"],
        ["reset"],
        ["healthcheck"],
    ],
    ids=" ".join,
)
def test_help_teaches(mynah_command: Command, command: list[str]) -> None:
    done = mynah_command(*command, "--help")
    assert done.returncode == FINE
    assert "mynah" in done.stdout and len(done.stdout.splitlines()) > 5


def test_the_help_of_serve_names_every_flag_and_its_default(mynah_command: Command) -> None:
    shown = mynah_command("serve", "--help").stdout
    for flag in (
        "host",
        "port",
        "cleartext-port",
        "control-port",
        "control-host",
        "control-token",
        "insecure-control",
        "allowed-host",
        "cors-origin",
        "state-dir",
        "tls-name",
        "export-dir",
        "environment",
        "auth",
        "auth-key",
        "team-id",
        "devices",
        "retain",
        "retain-bytes",
        "seed",
        "ready-file",
        "payload-check",
        "push-type-check",
        "error-content-type",
        "documented-reasons",
        "stream-limits",
        "idle-timeout",
        "request-timeout",
        "token-length",
        "token-updates",
        "team-topics",
        "request-limit",
        "shutdown-grace",
        "log-level",
        "log-format",
        "config",
    ):
        assert f"--{flag}" in shown, flag
    for default in ("2197", "8197", "./certs", "100000", "256MB", "2s", "1h"):
        assert default in shown, default
    assert "MYNAH_" in shown


def test_the_version_is_told(mynah_command: Command) -> None:
    done = mynah_command("--version")
    assert done.returncode == FINE and any(character.isdigit() for character in done.stdout)


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [
        (["serve", "--contol-port", "0"], "--control-port"),
        (["--retian", "5"], "--retain"),
        (["srve"], "serve"),
        (["expect", "--tokn", "ab"], "--token"),
    ],
    ids=str,
)
def test_an_unknown_flag_names_the_nearest(mynah_command: Command, arguments: list[str], nearest: str) -> None:
    done = mynah_command(*arguments)
    assert done.returncode == USAGE, done
    assert nearest in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "70000"],
        ["--port", "x"],
        ["--retain", "-1"],
        ["--auth", "lax"],
        ["--idle-timeout", "5"],
        ["--stream-limits", "0,5"],
        ["--token-length", "40-16"],
        ["--team-id", "short"],
        ["--port"],
        ["serve", "extra"],
    ],
    ids=" ".join,
)
def test_a_wrong_value_is_a_usage_error_that_says_what_is_right(mynah_command: Command, arguments: list[str]) -> None:
    done = mynah_command(*arguments)
    assert done.returncode == USAGE, done
    assert arguments[0] in done.stderr or arguments[-1] in done.stderr
    assert done.stdout == ""


# Starting and stopping


def test_mynah_alone_serves(serve: Serve) -> None:
    process = serve(*FREE_PORTS)
    process.wait_for_line("mynah ready")
    process.signal(signal.SIGTERM)
    assert process.wait() == FINE


@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2],
    ids=lambda number: number.name,
)
@pytest.mark.measures
def test_a_signal_stops_the_server_with_goaway_and_0(
    own_mynah: Callable[..., Mynah], number: signal.Signals, token: str
) -> None:
    mynah = own_mynah()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        mynah.process.signal(number)
        connection.wait_for_goaway()
        connection.read_until_closed()
    assert mynah.process.wait() == FINE


@pytest.mark.measures
def test_a_server_under_nohup_outlives_its_terminal(tmp_path: Path, mynah_command: Command) -> None:
    own = clean_environment(HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path))
    process = Process([str(binary()), "serve", *FREE_PORTS], cwd=tmp_path, environment=own, binary="/usr/bin/nohup")
    try:
        process.wait_for_line("mynah ready")
        process.signal(signal.SIGHUP)
        assert mynah_command("healthcheck").returncode == FINE
        process.signal(signal.SIGTERM)
        assert process.wait() == FINE
        assert [line for line in process.errors if "shutting down" in line and "SIGHUP" in line] == []
    finally:
        process.kill()


# Preloaded libraries, as libfaketime is one


def test_arguments_are_read_though_a_preloaded_library_changes_the_environment(
    mynah_command: Command, tmp_path: Path
) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    library = tmp_path / "preloaded.so"
    made = run(compiler, "-shared", "-fPIC", "-o", str(library), "-xc", "-", stdin=PRELOADED.encode())
    assert made.returncode == 0, made.stderr
    done = mynah_command("--version", LD_PRELOAD=str(library))
    assert done.returncode == FINE, done
    assert any(character.isdigit() for character in done.stdout) and len(done.stdout.splitlines()) == 1


def test_a_taken_port_names_the_mynah_that_has_it(serve: Serve, mynah_command: Command, tmp_path: Path) -> None:
    ports = ["--port", "--control-port", "--channels-port", "--web-push-port", "--cleartext-port", "--proxy-port"]
    every = [word for flag in ports for word in (flag, "0")]
    process = serve("serve", *every, "--ready-file", "ready.json")
    process.wait_for_line("mynah ready")
    ready = json.loads((tmp_path / "ready.json").read_text())
    members = ["port", "controlPort", "channelsPort", "webPushPort", "cleartextPort", "proxyPort"]
    for flag, member in zip(ports, members):
        taken = [word for other in ports for word in (other, str(ready[member]) if other == flag else "0")]
        done = mynah_command("serve", *taken, "--state-dir", "other")
        assert done.returncode == UNAVAILABLE, done
        known = f"by a Mynah, process {ready['pid']}, whose state is in {tmp_path / 'certs'}, at {ready['controlUrl']}"
        assert f"port {ready[member]} is taken on 127.0.0.1 {known}" in done.stderr, done.stderr
        assert f"stop it with `kill {ready['pid']}`, or choose another {flag}, or 0" in done.stderr, done.stderr


def test_a_port_that_another_program_has_names_its_setting(mynah_command: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        for flag in ("--port", "--control-port", "--proxy-port"):
            free = [word for name in ("--port", "--control-port") if name != flag for word in (name, "0")]
            done = mynah_command("serve", *free, flag, str(port))
            assert done.returncode == UNAVAILABLE, done
            assert f"port {port} is taken on 127.0.0.1: choose another {flag}, or 0 for a free port" in done.stderr


def test_the_ready_line_has_both_urls_and_the_seed(serve: Serve, tmp_path: Path) -> None:
    process = serve("serve", *FREE_PORTS, "--seed", "12345", "--ready-file", "ready.json")
    line = process.wait_for_line("mynah ready")
    ready = json.loads((tmp_path / "ready.json").read_text())
    assert f"https://localhost:{ready['port']}" in line
    assert ready["controlUrl"] in line and "12345" in line
    assert [line for line in process.lines if line.startswith("mynah ready")] == [line]


def test_the_ready_file_says_everything(mynah: Mynah) -> None:
    assert set(mynah.ready) >= {
        "port",
        "ports",
        "controlPort",
        "controlUrl",
        "cleartextPort",
        "channelsPort",
        "channelsPorts",
        "webPushPort",
        "proxyPort",
        "caFile",
        "caBundleFile",
        "keyFile",
        "keyId",
        "teamId",
        "pid",
    }
    assert mynah.ready["pid"] == mynah.process.child.pid
    assert len(mynah.key_id) == len(mynah.team_id) == 10
    assert mynah.key_file.name == f"AuthKey_{mynah.key_id}.p8"


def test_the_banner_tells_a_newcomer_what_to_paste(mynah: Mynah) -> None:
    for needed in (str(mynah.port), str(mynah.ca_file), str(mynah.key_file), mynah.key_id, mynah.team_id, "curl"):
        mynah.process.wait_for_error(needed)


def test_no_line_is_logged_for_a_push_or_a_control_call(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.push("zz").assert_refused(400, "BadDeviceToken")
        mynah.control.get("/v1/status")
    mynah.stop()
    assert token not in mynah.process.log() and "/v1/status" not in mynah.process.log()


def test_trust_material_is_used_again(own_mynah: Callable[..., Mynah], tmp_path: Path, token: str) -> None:
    first = own_mynah(folder=tmp_path / "same")
    kept = (first.ca_file.read_bytes(), first.key_file.read_bytes(), first.key_id, first.team_id)
    first.stop()
    second = own_mynah(folder=tmp_path / "same")
    assert (second.ca_file.read_bytes(), second.key_file.read_bytes(), second.key_id, second.team_id) == kept
    with connect(second) as connection:
        connection.push(token).assert_accepted()


def test_a_quiet_server_says_only_that_it_is_ready(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--quiet", "--log-level", "warning")
    mynah.stop()
    assert mynah.process.errors == []
    assert mynah.process.lines == [mynah.ready_line]
