"""Fixtures for pytest: a server for the session, and a scope in it for each test.

Each worker of pytest-xdist has its own session, so it starts its own server. With `MYNAH_URL` all workers share that
server, and scopes separate their tests.
"""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from .errors import MynahError
from .expectations import ExpectationUnmet
from .scoped import Mynah
from .server import MynahServer
from .starting import RunningServer, StartedServer

if TYPE_CHECKING:
    from . import aio

SCOPE_CHARACTERS = 64
# How much of the server's log and how many pushes are shown below a failure.
LOG_CHARACTERS = 4000
SHOWN_PUSHES = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mynah_flags", "flags of the mynah serve that the fixtures start", type="args", default=[])


@pytest.fixture(scope="session")
def mynah_flags(request: pytest.FixtureRequest) -> Sequence[str]:
    """Further flags of `mynah serve`, from the ini file; a conftest.py may override them."""
    flags: Sequence[str] = request.config.getini("mynah_flags")
    return flags


@pytest.fixture(scope="session")
def mynah_server(mynah_flags: Sequence[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[MynahServer]:
    """The server of this session: the one at `MYNAH_URL`, or one that starts and stops with the session."""
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
    """The server as this test sees it, with its own devices, faults and clock."""
    with mynah_server.scope(scope_name(request.node.name)) as scoped:
        yield scoped


@pytest.fixture
def aio_mynah(mynah: Mynah) -> aio.Mynah:
    """The same scope as `mynah`, for tests that are coroutines."""
    # Most tests need no asyncio.
    from . import aio

    return aio.Mynah(aio.MynahServer(mynah.server.place), mynah.name, shared_faults=mynah.shared_faults)


def scope_name(test: str) -> str:
    """A readable name that is unique among all tests and workers."""
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
        lines.insert(0, f"the last {len(lines)} of {page.matched}:")
    return "\n".join(lines) or "none"
