"""Fixtures of pytest: a server for the session, and for each test a part of it that is its own.

Each worker of pytest-xdist starts a server of its own, since a session is a worker's. With `MYNAH_URL` all of them
share the server there, and scopes keep their tests apart.
"""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from .errors import MynahError
from .expectations import ExpectationUnmet
from .scoped import Mynah
from .server import MynahServer, RunningServer, StartedServer

SCOPE_CHARACTERS = 64
# How much of the server's log and how many pushes stand below a failure.
LOG_CHARACTERS = 4000
SHOWN_PUSHES = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mynah_flags", "flags of the mynah serve that the fixtures start", type="args", default=[])


@pytest.fixture(scope="session")
def mynah_flags(request: pytest.FixtureRequest) -> Sequence[str]:
    """Further flags of `mynah serve`: those of the ini file; a conftest.py may put others in their place."""
    flags: Sequence[str] = request.config.getini("mynah_flags")
    return flags


@pytest.fixture(scope="session")
def mynah_server(mynah_flags: Sequence[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[MynahServer]:
    """The server of this session: the one at `MYNAH_URL`, else one that is started and ended with the session."""
    folder = tmp_path_factory.mktemp("mynah")
    try:
        server: MynahServer
        if os.environ.get("MYNAH_URL"):
            server = RunningServer.from_environment(folder)
        else:
            server = StartedServer(folder, *mynah_flags)
    except MynahError as error:
        pytest.fail(str(error), pytrace=False)
    with server:
        yield server


@pytest.fixture
def mynah(mynah_server: MynahServer, request: pytest.FixtureRequest) -> Iterator[Mynah]:
    """The server as this test sees it: its devices, faults and clock are its own and go with it."""
    with mynah_server.scope(scope_name(request.node.name)) as scoped:
        yield scoped


def scope_name(test: str) -> str:
    """A name that no other test has, of any worker, and that tells which test's it is."""
    unique = uuid.uuid4().hex[:12]
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", test)[: SCOPE_CHARACTERS - len(unique) - 1]
    return f"{readable}-{unique}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    mynah = getattr(item, "funcargs", {}).get("mynah")
    if report.when != "call" or not report.failed or not isinstance(mynah, Mynah):
        return
    if call.excinfo is None or not call.excinfo.errisinstance(ExpectationUnmet):
        report.sections.append(("mynah: pushes of this test", _pushes(mynah)))
    if mynah.log_lines:
        report.sections.append(("mynah: the server's log", "\n".join(mynah.log_lines)[-LOG_CHARACTERS:]))


def _pushes(mynah: Mynah) -> str:
    try:
        page = mynah.notifications(order="desc", limit=SHOWN_PUSHES)
    except MynahError as error:
        return str(error)
    lines = [
        f"{push.sequence} {push.status} {push.reason or push.outcome} {push.topic} {push.device}: "
        f"{push.document['payload']}"
        for push in reversed(page.items)
    ]
    if page.matched > len(lines):
        lines.insert(0, f"{page.matched} in all, the last {len(lines)} are")
    return "\n".join(lines) or "none"
