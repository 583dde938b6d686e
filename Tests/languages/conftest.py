"""A server, a recorder before it, and the players of all languages; each worker has its own."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import surroundings
from calls import Call
from contract import Contract
from description import Description
from languages import LANGUAGES
from operations import all_calls
from recorder import Recorder
from server import Mynah, binary
from vectors import Player


def pytest_configure(config: pytest.Config) -> None:
    surroundings.settle(is_worker=hasattr(config, "workerinput"))
    # A run that is ended from outside stops its servers, too.
    signal.signal(signal.SIGTERM, lambda number, frame: pytest.exit("ended by SIGTERM", 128 + number))
    if not binary().exists():
        raise pytest.UsageError(f"{binary()} is not there: build mynah, or name it by MYNAH_BINARY")


def pytest_unconfigure() -> None:
    surroundings.leave()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mynah]:
    """The server that vectors are played against."""
    with Mynah(tmp_path_factory.mktemp("mynah")) as server:
        yield server


@pytest.fixture(scope="session")
def contract(server: Mynah) -> Contract:
    """The OpenAPI document."""
    return Contract(server.control.get("/openapi.json"))


@pytest.fixture(scope="session")
def calls(server: Mynah) -> tuple[Call, ...]:
    """The calls of all packages that are made from the document."""
    return all_calls(Description(server.control_url, str(binary())))


@pytest.fixture(scope="session")
def recorder(server: Mynah, contract: Contract) -> Iterator[Recorder]:
    """The proxy that the packages call, which holds each answer against the document."""
    recorder = Recorder(server.control_port, answered=contract.check)
    yield recorder
    recorder.close()


@pytest.fixture(scope="session")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Player]]:
    """The player of a language; one that ended is started anew."""
    running: dict[str, Player] = {}
    wanted = {language.name: language for language in LANGUAGES}

    def player(name: str) -> Player:
        if name not in running or not running[name].is_running:
            running[name] = wanted[name].prepare(tmp_path_factory.mktemp(name))
        return running[name]

    yield player
    for one in running.values():
        one.close()


@pytest.fixture
def own_mynah(tmp_path: Path) -> Iterator[Callable[..., Mynah]]:
    """Servers of a test's own."""
    servers: list[Mynah] = []

    def start(*flags: str, folder: Path = tmp_path / "mynah", **environment: str) -> Mynah:
        servers.append(Mynah(folder, *flags, environment=environment))
        return servers[-1]

    yield start
    for server in servers:
        server.process.kill()
