"""Clusters for tests: servers on one engine, clients that push to them, and what all of them say at the end."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from mynah import ControlAPI

from answered import Answered, dump, everything
from control import Answer, Control
from engine import Engine
from h2client import FrameConnection, connect
from server import Mynah
from waiting import HANG_SECONDS, LONGEST_WAIT, stopwatch

TOPIC = "com.example.app"
# How long a client waits for an answer before it takes another connection, as it does when a server stands still.
ANSWER_SECONDS = 10
# Beside its pushes a client now and then changes one of its devices.
CHANGES_SHARE = 0.05
CLIENT_DEVICES = 8
# What `mynah dump` doesn't print.
LISTS = ("devices", "faults", "channels", "scenarios", "scopes", "keys")

# Enters the network from which a server is reached.
Network = Callable[[], AbstractContextManager[None]]


class NetworkControl(Control):
    """The control API of a server, asked from its network."""

    def __init__(self, port: int, network: Network) -> None:
        super().__init__(port)
        self._network = network

    def ask(self, *arguments: Any, **options: Any) -> Answer:
        with self._network():
            return super().ask(*arguments, **options)


class Server(Mynah):
    """A server of a cluster."""

    def __init__(
        self, folder: Path, *flags: str, network: Network = nullcontext, environment: dict[str, str] | None = None
    ) -> None:
        self.network = network
        with network():
            super().__init__(folder, *flags, environment=environment)

    def open_control(self, url: str, token: str | None) -> Control:
        return NetworkControl(self.ready["controlPort"], self.network)

    def connect(self, seconds: float = HANG_SECONDS) -> FrameConnection:
        """A connection over TLS, from the server's network."""
        with self.network():
            return connect(self, seconds=seconds)


class Cluster:
    """An engine and the servers on it, in a folder with the files that they share."""

    def __init__(self, folder: Path, nodes: int = 1, *engine_flags: str, engine: Engine | None = None) -> None:
        self.folder = folder
        self.engine = engine or Engine(folder / "engine", nodes, *engine_flags)
        self.servers: list[Server] = []
        self.flags = ["--cluster-replicas", str(nodes)]

    def join(self, *flags: str, url: str | None = None, name: str | None = None, **options: Any) -> Server:
        name = name or f"server-{len(self.servers)}"
        self.servers.append(
            Server(
                self.folder / name, "--cluster", url or self.engine.url, "--cluster-server", name,
                "--state-dir", str(self.folder / "state"), *self.flags, *flags, **options,
            )  # fmt: skip
        )
        return self.servers[-1]

    @property
    def running(self) -> list[Server]:
        """The servers that have not been killed."""
        return [server for server in self.servers if server.process.is_running]

    def end(self) -> None:
        for server in self.servers:
            server.process.kill()
        self.engine.kill()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Callable[..., Cluster]]:
    """Clusters, whose servers and engines end with the test."""
    clusters: list[Cluster] = []

    def make(nodes: int = 1) -> Cluster:
        clusters.append(Cluster(tmp_path / f"cluster-{len(clusters)}", nodes))
        return clusters[-1]

    yield make
    for each in clusters:
        each.end()


class Load:
    """Clients that push to servers, one to each, until they are told to stop."""

    def __init__(self, servers: list[Server], seed: int) -> None:
        self.over = threading.Event()
        self.clients: list[Answered] = []
        self._threads: list[threading.Thread] = []
        self._failures: list[BaseException] = []
        self._seed = seed
        for server in servers:
            self.add(server)

    def add(self, server: Server) -> None:
        """Adds a client of a server."""
        self.clients.append(Answered())
        arguments = (server, self.clients[-1], f"{self._seed}-{len(self.clients)}")
        self._threads.append(threading.Thread(target=self._run, args=arguments))
        self._threads[-1].start()

    def end(self) -> list[Answered]:
        """Stops the clients; returns what each was answered."""
        self.over.set()
        for thread in self._threads:
            thread.join()
        for failure in self._failures:
            raise failure
        return self.clients

    def _run(self, server: Server, answered: Answered, name: str) -> None:
        try:
            self._push(server, answered, name)
        except BaseException as failure:
            self._failures.append(failure)

    def _push(self, server: Server, answered: Answered, name: str) -> None:
        chance = random.Random(name)
        token: str | None = None
        while server.process.is_running and not self.over.is_set():
            try:
                with server.connect(ANSWER_SECONDS) as connection:
                    while not self.over.is_set():
                        answered.push(connection, chance, chance.choice([None, token]))
                        if chance.random() < CHANGES_SHARE:
                            device = f"device-{name}-{chance.randrange(CLIENT_DEVICES)}"
                            token = change(server, answered, device, chance)
            except (OSError, AssertionError):
                # The server ended the connection, or its answer takes long; nobody knows of this push.
                continue


def change(server: Server, answered: Answered, name: str, chance: random.Random) -> str | None:
    """Makes or replaces a device; returns its token, if that is known."""
    body = {"online": chance.random() < 0.5, "registrations": [{"topic": TOPIC}]}
    try:
        answer = server.control.ask("PUT", f"/v1/devices/{name}", body=body, timeout=ANSWER_SECONDS)
    except AssertionError as failure:
        # A client takes one for a push without an answer.
        raise RuntimeError(f"not an answer of the API: {failure}") from failure
    if answer.status == 503:
        return None
    if answer.status not in (200, 201):
        raise RuntimeError(f"{name} was not made: {answer}")
    answered.devices.add(name)
    token: str | None = answer.json()["registrations"][0].get("token")
    return token


def state(mynah: Mynah) -> dict[str, Any]:
    """What the control API shows, but for the time of a clock that goes on."""
    return everything(mynah) | {"clock": None}


def check(servers: list[Server], clients: list[Answered]) -> None:
    """Holds all servers against each other and against what their clients were answered.

    Each push that was answered is there once, on every server, as it was answered; what was refused with 503 is not.
    """
    for server in servers:
        await_status(server, "/readyz", 200)
        await_gone(server)
    everyone = Answered()
    for client in clients:
        assert client.pushes
        everyone.add(client)
    first, *others = servers
    (lists, screens), dumped = shown(first, everyone.devices), dumped_by(first)
    for server in others:
        assert dumped_by(server) == dumped
        assert shown(server, everyone.devices) == (lists, screens)
    everyone.check([json.loads(line) for line in dumped.splitlines()], refused=503)
    assert everyone.devices <= {device["id"] for device in lists["devices"]}


def shown(server: Server, devices: Iterable[str]) -> tuple[dict[str, list[dict[str, Any]]], dict[str, Any]]:
    """Lists of the control API, and the screens and inboxes of devices."""
    # There are thousands of devices; the form of answers is tried elsewhere.
    control = ControlAPI(server.control_url)

    def listed(name: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = control.get(f"/v1/{name}", {"limit": 1000} | ({"cursor": cursor} if cursor else {}))
            items += page["items"]
            if not (cursor := page.get("nextCursor")):
                return items

    with server.network():
        lists = {name: listed(name) for name in LISTS}
        screens = {
            f"{device}/{part}": control.get(f"/v1/devices/{device}/{part}") | {"at": None}
            for device in devices for part in ("screen", "inbox")
        }  # fmt: skip
    return lists, screens


def dumped_by(server: Server) -> str:
    """What `mynah dump` prints of a server."""
    with server.network():
        return dump(server)


def await_status(mynah: Mynah, path: str, status: int) -> None:
    """Asks until an answer has a status; each question takes a moment."""
    found = None
    elapsed = stopwatch()
    while found != status:
        assert elapsed() < HANG_SECONDS, f"{path} stays {found}\n{mynah.process.log()[-2000:]}"
        try:
            found = mynah.control.ask("GET", path).status
        except OSError as error:
            raise AssertionError(f"{path}: {error}\n{mynah.process.log()[-2000:]}") from error


def await_pushes(mynah: Mynah, count: int) -> None:
    """Waits until so many more pushes have come to the cluster; while the engine is away, until it is back."""
    elapsed = stopwatch()
    while elapsed() < HANG_SECONDS:
        await_status(mynah, "/readyz", 200)
        found = mynah.control.ask("GET", "/v1/notifications", {"limit": 1})
        if found.status == 200:
            query = {"after": found.json()["lastSequence"], "wait": LONGEST_WAIT, "count": count}
            if mynah.control.ask("GET", "/v1/notifications", query).status == 200:
                return
    raise AssertionError(f"the engine is not back\n{mynah.process.log()[-2000:]}")


def await_gone(mynah: Mynah, server: str | None = None) -> None:
    """Waits until no connection of a server is listed, or of any."""
    elapsed = stopwatch()
    while True:
        answer = mynah.control.ask("GET", "/v1/connections")
        listed = answer.json()["items"] if answer.status == 200 else [{"server": server}]
        if all(each["server"] != server and server is not None for each in listed):
            return
        assert elapsed() < HANG_SECONDS, f"connections stay: {listed}\n{mynah.process.log()[-2000:]}"
