"""Servers and device tokens for the tests.

Every test uses device tokens of its own, so tests may run in any order and at the same time against one server.
"""

from __future__ import annotations

import signal
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import surroundings
from commandline import Command, Serve, command_in, process_in
from contract import Contract
from control import Control
from h2client import FrameConnection, connect
from provider_certificates import Authority
from server import Mynah, Process, binary


pytest_plugins = ("browser", "failures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("minutes") is None)


def pytest_configure(config: pytest.Config) -> None:
    surroundings.settle(is_worker=hasattr(config, "workerinput"))
    # A run that is ended from outside stops its servers, too.
    signal.signal(signal.SIGTERM, lambda number, frame: pytest.exit("ended by SIGTERM", 128 + number))
    if not binary().exists():
        raise pytest.UsageError(f"{binary()} is not there: build mynah, or name it by MYNAH_BINARY")


def pytest_unconfigure() -> None:
    surroundings.leave()


def unique_token() -> str:
    """A device token of 32 bytes that nobody has used."""
    return uuid.uuid4().hex + uuid.uuid4().hex


@pytest.fixture
def token() -> str:
    """A device token of this test's own."""
    return unique_token()


@pytest.fixture(scope="session")
def mynah_with(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Mynah]]:
    """Servers with special flags, one for each set of flags, shared by the tests that want the same."""
    servers: dict[tuple[object, ...], Mynah] = {}
    failures: list[str] = []

    def start(*flags: str, **environment: str) -> Mynah:
        wanted = (flags, tuple(sorted(environment.items())))
        if wanted in servers and not servers[wanted].process.is_running:
            # One crash is one failure, not that of every test after it.
            failures.append(f"ended by itself\n{servers.pop(wanted).process.log()}")
        if wanted not in servers:
            servers[wanted] = Mynah(tmp_path_factory.mktemp("mynah"), *flags, environment=environment)
        return servers[wanted]

    yield start
    for server in servers.values():
        try:
            server.stop()
        except Exception as error:
            server.process.kill()
            failures.append(str(error))
    assert not failures, "\n".join(failures)


@pytest.fixture(scope="session", autouse=True)
def contract(mynah_with: Callable[..., Mynah]) -> Contract:
    """The OpenAPI document, which every answer to `Control` is held against from now on."""
    Control.contract = Contract(mynah_with().control.get("/openapi.json"))
    return Control.contract


@pytest.fixture
def mynah(mynah_with: Callable[..., Mynah]) -> Mynah:
    """A server with the defaults."""
    return mynah_with()


@pytest.fixture(scope="session")
def provider_authority() -> Authority:
    """A CA as Apple's, not Mynah's own."""
    return Authority()


@pytest.fixture(scope="session")
def provider_ca_file(provider_authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CA's certificate, as `--provider-ca` takes it."""
    return provider_authority.write(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def own_mynah(tmp_path: Path) -> Iterator[Callable[..., Mynah]]:
    """Servers that a test may stop or wear out; those still running are stopped after it."""
    servers: list[Mynah] = []

    def start(*flags: str, folder: Path = tmp_path / "mynah", **environment: str) -> Mynah:
        servers.append(Mynah(folder, *flags, environment=environment))
        return servers[-1]

    yield start
    for server in servers:
        server.process.kill()


@pytest.fixture
def mynah_command(tmp_path: Path) -> Command:
    """Runs a command of mynah's to its end in an empty folder of its own."""
    return command_in(tmp_path)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a command of mynah's in an empty folder of its own; it is ended after the test."""
    running: list[Process] = []

    def start(*arguments: str, **environment: str) -> Process:
        running.append(process_in(tmp_path, *arguments, **environment))
        return running[-1]

    yield start
    for process in running:
        process.kill()


@pytest.fixture
def connection(mynah: Mynah) -> Iterator[FrameConnection]:
    """A connection to the server with the defaults."""
    with connect(mynah) as connection:
        yield connection


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if report.when == "call" and report.failed:
        for name in ("mynah", "own_mynah"):
            server = getattr(item, "funcargs", {}).get(name)
            if isinstance(server, Mynah):
                report.sections.append(("mynah's log, the end of it", server.process.log()[-4000:]))
    return report
