"""Runs pytest in a folder of its own, as a project does that uses the fixtures of `Sources/python`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from server import REPOSITORY, binary, clean_environment
from waiting import RUN_SECONDS

PACKAGE = REPOSITORY / "Sources" / "python"
# What else is installed is left out, since some of it takes a second to load.
NO_OTHERS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(PACKAGE)}
PLUGINS = ["-p", "mynah.pytest_plugin", "-p", "xdist", "-p", "asyncio", "-p", "no:cacheprovider"]

# A provider on httpx that asks again when APNs is busy.
PROVIDER = """
import time
import ssl
import httpx
from mynah import SigningKey


class Provider:
    def __init__(self, host, port, ca_file, key_file, key_id, team_id):
        key = SigningKey(key_id, team_id, key_file.read_text())
        self.client = httpx.Client(
            base_url=f"https://{host}:{port}", http2=True, verify=ssl.create_default_context(cafile=str(ca_file))
        )
        self.headers = {"authorization": "bearer " + key.provider_token(int(time.time())), "apns-push-type": "alert"}

    def send(self, token, title, expires_in=None, topic="com.example.app"):
        headers = {**self.headers, "apns-topic": topic}
        if expires_in is not None:
            headers["apns-expiration"] = str(int(time.time()) + expires_in)
        body = {"aps": {"alert": {"title": title}, "badge": 1}}
        for _ in range(3):
            reply = self.client.post(f"/3/device/{token}", headers=headers, json=body)
            if reply.status_code != 503:
                break
        return reply
"""
CONFTEST = """
import pytest
from provider import Provider


@pytest.fixture(scope="session")
def provider(mynah_server):
    server = mynah_server
    return Provider(server.host, server.port, server.ca_file, server.key_file, server.key_id, server.team_id)
"""


class Run:
    """What came of a run."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code = done.returncode
        self.text = done.stdout + done.stderr
        last = done.stdout.strip().rpartition("\n")[2]
        self.counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|errors?|skipped)", last)}


def run_pytest(folder: Path, files: dict[str, str], *arguments: str, **environment: str) -> Run:
    """Writes the files and a provider, and runs their tests with the fixtures."""
    done = subprocess.run(
        **_command(folder, files, arguments, environment),
        stderr=subprocess.PIPE,
        timeout=RUN_SECONDS,
        check=False,
    )
    return Run(done)


@contextmanager
def started_pytest(folder: Path, files: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Begins what `run_pytest` runs, for a test that ends it, with its errors among its output."""
    with subprocess.Popen(**_command(folder, files, arguments, {}), stderr=subprocess.STDOUT) as started:
        try:
            yield started
        finally:
            started.kill()


def _command(
    folder: Path, files: dict[str, str], arguments: Sequence[str], environment: dict[str, str]
) -> dict[str, Any]:
    for name, text in {"provider.py": PROVIDER, "conftest.py": CONFTEST, "pytest.ini": "[pytest]\n", **files}.items():
        (folder / name).write_text(text)
    own = {**NO_OTHERS, "MYNAH_BINARY": str(binary())}
    command = [sys.executable, "-m", "pytest", *PLUGINS, "-q"]
    return {
        "args": [*command, f"--basetemp={folder / 'temporary'}", *arguments],
        "cwd": folder,
        "env": clean_environment(**{**own, **environment}),
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "text": True,
    }
