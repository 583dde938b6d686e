"""The pytest fixtures of `Sources/python`, in runs of pytest as a project makes them."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from inner_pytest import NO_OTHERS, PLUGINS, run_pytest, started_pytest
from server import Mynah, binary, clean_environment
from waiting import HANG_SECONDS, RUN_SECONDS

SENDS = """
def test_push(mynah, provider):
    provider.send(mynah.device("com.example.app").token, "hi")
    assert mynah.expect(topic="com.example.app").matched == 1
"""


def test_an_unmet_expectation_fails_with_the_near_misses(tmp_path: Path) -> None:
    test = """
def test_unmet(mynah, provider):
    phone = mynah.device("com.example.app", id="kim", online=False)
    provider.send(phone.token, "Hello")
    mynah.expect(topic="com.example.app", screen={"/title": "Goodbye"}, within="0s")

def test_other(mynah, provider):
    phone = mynah.device("com.example.app")
    provider.send(phone.token, "Hello")
    assert phone.id == "nobody"
"""
    done = run_pytest(tmp_path, {"test_unmet.py": test})
    assert (done.code, done.counts) == (1, {"failed": 2}), done.text
    assert "ExpectationUnmet: unmet: 0 pushes matched; expected at least 1 within 0s\n" in done.text
    assert '200 stored, com.example.app, kim (- expected, + actual)\nE         - /screen/title "Goodbye"\n' in done.text
    assert "is stored: " in done.text
    # The frames of the package are left out, and what the test sent stands below another failure.
    assert "raise ExpectationUnmet" not in done.text
    assert "mynah: pushes of this test" in done.text and "200 delivered com.example.app device-" in done.text


def test_each_test_has_a_scope_that_goes_with_it(tmp_path: Path, own_mynah: Callable[..., Mynah]) -> None:
    test = """
import pytest

@pytest.mark.parametrize("name", ["a b/ä", "x" * 200])
def test_scope(mynah, provider, name):
    phone = mynah.device("com.example.app")
    mynah.fault(503)
    mynah.fault({"type": "tls", "alert": "handshake_failure"}, match={"event": "handshake"}, scope=None)
    assert phone.scope == mynah.name and mynah.name.startswith("test_scope-")
    assert [fault.scope for fault in mynah.faults()] == [mynah.name]
    print("NAME", mynah.name, len(mynah.name))
"""
    mynah = own_mynah()
    done = run_pytest(tmp_path, {"test_scope.py": test}, "-s", MYNAH_URL=mynah.url)
    assert (done.code, done.counts) == (0, {"passed": 2}), done.text
    names = [line.split()[1:] for line in done.text.splitlines() if "NAME" in line]
    assert len({name for name, _ in names}) == 2 and all(int(length) <= 64 for _, length in names)
    assert mynah.control.get("/v1/devices")["items"] == []
    assert mynah.control.get("/v1/faults")["items"] == []
    assert mynah.control.get("/v1/scopes")["items"] == []


def test_workers_start_a_server_each(tmp_path: Path) -> None:
    test = """
import pathlib, pytest

@pytest.mark.parametrize("number", range(6))
def test_push(mynah, provider, number, request):
    provider.send(mynah.device("com.example.app", id="kim").token, "hi")
    assert mynah.expect(topic="com.example.app").matched == 1
    pathlib.Path(f"{request.config.rootpath}/{number}.port").write_text(str(mynah.port))
"""
    done = run_pytest(tmp_path, {"test_workers.py": test}, "-n", "2", "--dist", "load")
    assert (done.code, done.counts) == (0, {"passed": 6}), done.text
    assert len({file.read_text() for file in tmp_path.glob("*.port")}) == 2


def test_workers_share_the_server_that_is_named(tmp_path: Path, own_mynah: Callable[..., Mynah]) -> None:
    test = """
import pytest

@pytest.mark.parametrize("number", range(6))
def test_push(mynah, provider, number):
    provider.send(mynah.device("com.example.app").token, "hi")
    assert mynah.expect(topic="com.example.app").matched == 1
"""
    mynah = own_mynah()
    done = run_pytest(tmp_path, {"test_workers.py": test}, "-n", "2", MYNAH_URL=mynah.url)
    assert (done.code, done.counts) == (0, {"passed": 6}), done.text
    assert mynah.control.get("/v1/status")["counts"]["received"] == 6


def test_a_server_with_a_control_token(tmp_path: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--control-token", "secret")
    done = run_pytest(tmp_path, {"test_push.py": SENDS}, MYNAH_URL=mynah.url, MYNAH_CONTROL_TOKEN="secret")
    assert (done.code, done.counts) == (0, {"passed": 1}), done.text
    done = run_pytest(tmp_path, {"test_push.py": SENDS}, MYNAH_URL=mynah.url)
    assert done.code == 1 and "was answered 401" in done.text, done.text


def test_mynah_exec_runs_it(tmp_path: Path) -> None:
    run_pytest(tmp_path, {"test_push.py": SENDS}, "--collect-only")
    command = [sys.executable, "-m", "pytest", *PLUGINS, "-q"]
    done = subprocess.run(
        [str(binary()), "exec", "--control-token", "secret", "--", *command, f"--basetemp={tmp_path / 'temporary'}"],
        cwd=tmp_path,
        env=clean_environment(**NO_OTHERS, HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.returncode == 0 and "1 passed" in done.stdout, done


def test_coroutines_await_the_same_scope(tmp_path: Path) -> None:
    test = """
import asyncio, pytest

@pytest.mark.asyncio
async def test_push(aio_mynah, mynah):
    phone = await aio_mynah.device("com.example.app")
    assert phone.id == mynah.devices()[0].id and aio_mynah.name == mynah.name
    await aio_mynah.fault("refuse", match={"environment": "production"}, scope=None, id="for-all")
    token = await aio_mynah.provider_token()
    assert token == mynah.provider_token()
    # The loop runs the sender while somebody waits for what it sends.
    expected = asyncio.create_task(aio_mynah.expect(topic="com.example.app"))
    await aio_mynah.send(token=phone.token, topic="com.example.app", payload={"aps": {"alert": "hi"}})
    assert (await expected).matched == 1

@pytest.mark.asyncio
async def test_unmet(aio_mynah):
    phone = await aio_mynah.device("com.example.app")
    await aio_mynah.send(token=phone.token, topic="com.example.app", payload={"aps": {"alert": "hi"}})
    assert (await aio_mynah.faults(scope=None)).matched == 0
    await aio_mynah.expect(topic="other", within="0s")

@pytest.mark.asyncio
async def test_other(aio_mynah):
    phone = await aio_mynah.device("com.example.app")
    await aio_mynah.send(token=phone.token, topic="com.example.app", payload={"aps": {"alert": "hi"}})
    assert phone.id == "nobody"
"""
    done = run_pytest(tmp_path, {"test_loop.py": test})
    assert (done.code, done.counts) == (1, {"passed": 1, "failed": 2}), done.text
    assert "mynah: pushes of this test" in done.text and "200 delivered com.example.app device-" in done.text
    assert "ExpectationUnmet: unmet: 0 pushes matched; expected at least 1 within 0s\n" in done.text
    assert frames(done.text) == ["test_loop.py"] * 2, done.text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("mynah.device('a.b', os_version='x' * 999)", "ControlError: POST /v1/devices was answered 400: /osVersion: "),
        ("mynah.find_device('nobody')", "ControlError: GET /v1/devices/nobody was answered 404: "),
        ("mynah.device('a.b', platfrom='iOS')", "ArgumentError: device() got an unexpected keyword argument"),
        ("mynah.fault('slwo')", "ArgumentError: unknown preset or reason 'slwo': did you mean 'slow'?"),
        ("mynah.notifications(topic={'prefix': 'a'})", "ArgumentError: wrong filter topic="),
        ("mynah.expect(topic='a.b', within=5)", "ArgumentError: wrong duration 5: expected a text with a unit"),
        ("mynah.expect(topic='a.b', within='0s')", "ExpectationUnmet: unmet: 0 pushes matched"),
        ("mynah.expect(max=0).push", "MissingError: 0 pushes matched: expected one"),
        ("mynah.device('a.b').wait(within='0s')", "UnmetError: 0 pushes arrived on "),
        ("mynah.device('a.b').token_of('x')", "MissingError: device "),
        ("mynah.fault(503).wait(within='10ms')", "UnmetError: fault "),
        ("next(mynah.events(event='nothing'))", "ControlError: GET /v1/events was answered 400: event: "),
        ("type(mynah.control)('http://127.0.0.1:1').get('/')", "UnavailableError: no mynah at http://127.0.0.1:1: "),
        ("type(mynah.control)('x')", "ArgumentError: wrong control API 'x': expected a URL like"),
    ],
)
def test_a_failure_shows_the_test_s_line_and_what_is_wrong(tmp_path: Path, call: str, message: str) -> None:
    test = f"def test_it(mynah):\n    {call}\n"
    done = run_pytest(tmp_path, {"test_it.py": test})
    assert (done.code, done.counts) == (1, {"failed": 1}), done.text
    assert f">       {call}\n" in done.text and f"E       mynah.{MODULES[message.split(':')[0]]}.{message}" in done.text
    assert frames(done.text) == ["test_it.py"], done.text


def test_a_mistake_of_the_package_shows_its_frames(tmp_path: Path) -> None:
    test = """
def test_it(mynah, monkeypatch):
    monkeypatch.setattr(type(mynah), "_devices", lambda self, document: document["nothing"])
    mynah.devices()
"""
    done = run_pytest(tmp_path, {"test_it.py": test})
    assert done.code == 1 and "KeyError: 'nothing'" in done.text and "scoped.py" in frames(done.text), done.text


MODULES = {"ExpectationUnmet": "expectations"} | dict.fromkeys(
    ("ArgumentError", "ControlError", "MissingError", "UnavailableError", "UnmetError"), "errors"
)


def frames(text: str) -> list[str]:
    """The files in the tracebacks of a run's output."""
    return [Path(file).name for file in re.findall(r"^([\w./-]+\.py):\d+: (?:in )?\w*$", text, re.MULTILINE)]


def test_flags_come_from_the_ini_file_or_a_fixture(tmp_path: Path) -> None:
    test = """
def test_seed(mynah):
    assert mynah.control.get("/v1/status")["seed"] == 42
"""
    done = run_pytest(tmp_path, {"test_seed.py": test, "pytest.ini": "[pytest]\nmynah_flags = --seed 42\n"})
    assert done.code == 0, done.text
    fixture = "import pytest\n\n@pytest.fixture(scope='session')\ndef mynah_flags():\n    return ['--seed', '42']\n"
    assert run_pytest(tmp_path, {"test_seed.py": test, "conftest.py": fixture}).code == 0


@pytest.mark.parametrize(
    ("environment", "ini", "message"),
    [
        ({"MYNAH_BINARY": "", "PATH": "/nowhere"}, "", "mynah is not on the PATH: set MYNAH_BINARY to the program"),
        ({"MYNAH_BINARY": "/nowhere/mynah"}, "", "MYNAH_BINARY=/nowhere/mynah is not executable"),
        ({"MYNAH_BINARY": "/bin/true"}, "", "mynah ended with code 0 before 'mynah ready…'"),
        ({}, "mynah_flags = --devcies strict", "--devcies"),
        ({"MYNAH_URL": "http://127.0.0.1:1"}, "", "no mynah at http://127.0.0.1:1: "),
    ],
    ids=["not on the PATH", "no program", "another program", "a wrong flag", "nobody there"],
)
def test_a_server_that_does_not_come_up_is_told(
    tmp_path: Path, environment: dict[str, str], ini: str, message: str
) -> None:
    done = run_pytest(tmp_path, {"test_push.py": SENDS, "pytest.ini": f"[pytest]\n{ini}\n"}, **environment)
    assert done.code == 1 and message in done.text, done.text
    # The message alone: nobody has to read frames of the package.
    assert "Traceback" not in done.text and "StartError" not in done.text


def test_a_server_that_ends_by_itself_is_an_error(tmp_path: Path) -> None:
    test = """
import os, signal

def test_crash(mynah_server):
    os.kill(mynah_server.pid, signal.SIGKILL)
    mynah_server.process.wait()
"""
    done = run_pytest(tmp_path, {"test_crash.py": test})
    assert done.code == 1 and "mynah had exited with code -9" in done.text, done.text


BLOCKS = {
    "a test": """
import signal

def test_blocks(mynah_server):
    print("server", mynah_server.pid, flush=True)
    signal.pause()
""",
    "a coroutine": """
import asyncio, signal
from pathlib import Path
from mynah import aio

def test_blocks(tmp_path):
    async def start():
        async with aio.StartedServer(tmp_path) as server:
            print("server", server.pid, flush=True)
            signal.pause()
    asyncio.run(start())
""",
}


@pytest.mark.parametrize("test", BLOCKS.values(), ids=BLOCKS)
def test_a_server_ends_with_the_pytest_that_is_killed(tmp_path: Path, test: str) -> None:
    with started_pytest(tmp_path, {"test_blocks.py": test}, "-s") as pytest_run:
        assert pytest_run.stdout is not None
        line = next(line for line in pytest_run.stdout if line.startswith("server "))
        server = os.pidfd_open(int(line.split()[1]))
        pytest_run.kill()
        pytest_run.wait()
        # A descriptor of a process can be read from its end on.
        ended, _, _ = select.select([server], [], [], HANG_SECONDS)
        if not ended:
            signal.pidfd_send_signal(server, signal.SIGKILL)
        os.close(server)
        assert ended, "the server outlives the pytest that started it"


FAILS = """
def test_push(mynah, provider):
    provider.send(mynah.device("com.example.app").token, "hi")
    mynah.expect(topic="com.example.app")
    assert %s

def test_without_a_server():
    assert %s
"""


def kept_runs(text: str) -> list[str]:
    """The folders that the summary of a run names."""
    return re.findall(r"^mynah open (.*)$", text, re.MULTILINE)


@pytest.mark.parametrize("arguments", [[], ["-n", "2"]], ids=["one process", "workers"])
def test_the_run_of_a_failed_test_is_kept(tmp_path: Path, arguments: list[str]) -> None:
    files = {"test_push.py": FAILS % (False, True)}
    done = run_pytest(tmp_path, files, "--mynah-data", "kept runs/ci", *arguments)
    assert done.counts == {"failed": 1, "passed": 1}, done.text
    (shown,) = kept_runs(done.text)
    assert shown.startswith("'kept runs/ci/") and shown.endswith("'")
    (folder,) = (tmp_path / "kept runs" / "ci").iterdir()
    assert str(folder.relative_to(tmp_path)) == shown.strip("'")
    # The server has stopped, with everything in the file.
    assert sorted(path.name for path in folder.iterdir()) == ["lock", "run.mynah"]
    dumped = subprocess.run([binary(), "dump", "--file", folder], capture_output=True, text=True, check=True).stdout
    (push,) = [json.loads(line) for line in dumped.splitlines()]
    assert (push["status"], push["topic"]) == (200, "com.example.app")


def test_a_run_is_removed_when_no_test_failed_that_used_its_server(tmp_path: Path) -> None:
    files = {"test_push.py": FAILS % (True, False)}
    for arguments in ([], ["-n", "2"]):
        done = run_pytest(tmp_path, files, "--mynah-data", "kept", *arguments)
        assert done.counts == {"failed": 1, "passed": 1}, done.text
        assert kept_runs(done.text) == [] and list((tmp_path / "kept").iterdir()) == []


def test_the_run_of_a_server_that_is_killed_is_kept(tmp_path: Path) -> None:
    test = """
import os, signal

def test_crash(mynah, provider):
    provider.send(mynah.device("com.example.app").token, "hi")
    os.kill(mynah.server.pid, signal.SIGKILL)
    mynah.server.process.wait()
"""
    done = run_pytest(tmp_path, {"test_crash.py": test}, "--mynah-data", str(tmp_path / "kept"))
    assert done.code == 1, done.text
    (folder,) = (tmp_path / "kept").iterdir()
    assert kept_runs(done.text) == [str(folder)] and (folder / "run.mynah-00").exists()


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"MYNAH_URL": "http://127.0.0.1:1"}, "MYNAH_URL names one that runs: start that one with --data"),
        ({}, "--mynah-data: provider.py/kept: Not a directory: a folder was expected"),
    ],
    ids=["a server that runs", "a file"],
)
def test_runs_that_cant_be_kept_end_the_session(tmp_path: Path, environment: dict[str, str], message: str) -> None:
    done = run_pytest(tmp_path, {"test_push.py": SENDS}, "--mynah-data", "provider.py/kept", **environment)
    assert done.code == pytest.ExitCode.USAGE_ERROR and message in done.text, done.text
