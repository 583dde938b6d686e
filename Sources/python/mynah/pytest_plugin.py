"""Fixtures for pytest: a server for the session, and a scope in it for each test.

Each worker of pytest-xdist has its own session, so it starts its own server. With `MYNAH_URL` all workers share that
server, and scopes separate their tests.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

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
# The name of the plugin below, and what a worker of pytest-xdist is told.
KEPT_RUNS = "mynah_kept_runs"
WORKER_FOLDER = "mynah_data"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mynah_flags", "flags of the mynah serve that the fixtures start", type="args", default=[])
    parser.getgroup("mynah").addoption(
        "--mynah-data",
        metavar="DIR",
        help="keep the run of each server that a failed test used, in a folder of its own below DIR",
    )


def pytest_configure(config: pytest.Config) -> None:
    worker: dict[str, str] = getattr(config, "workerinput", {})
    given = config.getoption("--mynah-data")
    if WORKER_FOLDER in worker:
        kept = KeptRuns(Path(f"{worker[WORKER_FOLDER]}-{worker['workerid']}"))
    elif given is None:
        return
    elif os.environ.get("MYNAH_URL"):
        raise pytest.UsageError(
            "--mynah-data keeps the runs of servers that the fixtures start, and MYNAH_URL names one that runs: "
            "start that one with --data"
        )
    else:
        # In the order of time in a list, and unlike that of another session in the same second.
        kept = KeptRuns(Path(given) / f"{datetime.now():%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}")
        try:
            kept.folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise pytest.UsageError(f"--mynah-data: {given}: {error.strerror}: a folder was expected") from None
    config.pluginmanager.register(kept, KEPT_RUNS)


class KeptRuns:
    """The runs of this session's servers, of which those stay that a failed test used."""

    def __init__(self, folder: Path) -> None:
        """`folder` is that of this process; workers of pytest-xdist add their name to it."""
        self.shown = folder
        self.folder = folder.absolute()
        # The ids of tests that used the server.
        self.failed: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[WORKER_FOLDER] = str(self.folder)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        outcome: Any = yield
        if outcome.get_result().failed and "mynah_server" in getattr(item, "fixturenames", ()):
            self.failed.add(item.nodeid)

    # Ends last of what tears fixtures down, so that the server has stopped, and before the summary.
    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_sessionfinish(self) -> Iterator[None]:
        yield
        if not self.failed and self.folder.exists():
            shutil.rmtree(self.folder)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        kept = sorted(each.name for each in self.folder.parent.glob(f"{self.folder.name}*"))
        if kept:
            terminalreporter.section("mynah: kept runs")
        for name in kept:
            terminalreporter.write_line(f"mynah open {shlex.quote(str(self.shown.with_name(name)))}")


@pytest.fixture(scope="session")
def mynah_flags(request: pytest.FixtureRequest) -> Sequence[str]:
    """Further flags of `mynah serve`, from the ini file; a conftest.py may override them."""
    flags: Sequence[str] = request.config.getini("mynah_flags")
    return flags


@pytest.fixture(scope="session")
def mynah_server(
    mynah_flags: Sequence[str], tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[MynahServer]:
    """The server of this session: the one at `MYNAH_URL`, or one that starts and stops with the session."""
    folder = tmp_path_factory.mktemp("mynah")
    kept: Optional[KeptRuns] = pytestconfig.pluginmanager.get_plugin(KEPT_RUNS)
    # Flags override variables. What a person is told to paste would stand before what a failed test did.
    variables = {"MYNAH_QUIET": "1"}
    if kept is not None:
        variables |= {"MYNAH_DATA": str(kept.folder), "MYNAH_KEEP": "all"}
    try:
        server: MynahServer
        if os.environ.get("MYNAH_URL"):
            server = RunningServer.from_environment(folder)
        else:
            server = StartedServer(folder, *mynah_flags, variables=variables)
    except MynahError as error:
        pytest.fail(str(error), pytrace=False)
    with server:
        yield server


@pytest.fixture
def mynah(mynah_server: MynahServer, request: pytest.FixtureRequest) -> Iterator[Mynah]:
    """The server as this test sees it, with its own devices, faults and clock."""
    scoped = mynah_server.scope(scope_name(request.node.name))
    yield scoped
    kept: Optional[KeptRuns] = request.config.pluginmanager.get_plugin(KEPT_RUNS)
    # A kept run ends with what a failed test left.
    if kept is None or request.node.nodeid not in kept.failed:
        scoped.remove()


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
