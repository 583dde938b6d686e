"""The vectors of `fixtures/helpers`, and how one is played with the package of a language."""

from __future__ import annotations

import json
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Optional
from urllib.parse import unquote
from uuid import uuid4

from recorder import Recorder, Request, WrongServer
from server import REPOSITORY, Mynah, clean_environment
from waiting import HANG_SECONDS

VECTORS = REPOSITORY / "fixtures" / "helpers"
MEMBERS = {"name", "isUntyped", "server", "answers", "steps"}
STEP_MEMBERS = {
    "on", "call", "arguments", "options", "as", "take", "request", "requests", "values", "error", "openConnection",
    "connect",
}  # fmt: skip
# In a text, what stands for a value of an object.
PLACEHOLDER = re.compile(r"\{([a-z]\w*(?:/[\w.-]+)*)\}")


@dataclass(frozen=True)
class Vector:
    """What a package does: the calls, their requests, and what comes of them."""

    name: str
    file: str
    steps: list[dict[str, Any]]
    # Whether the compiler of a typed language refuses it.
    is_untyped: bool = False
    # A server that answers wrongly, in place of a mynah.
    server: Optional[str] = None
    # Members of answers that are others than the server's, by the path of the request.
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        """The objects and the methods that it calls."""
        for step in self.steps:
            if "call" in step:
                yield step["on"], step["call"]


def all_vectors() -> list[Vector]:
    """All vectors, by their files."""
    found = []
    for file in sorted(VECTORS.glob("*.json")):
        for one in json.loads(file.read_text()):
            wrong = [*(one.keys() - MEMBERS), *(name for step in one["steps"] for name in step.keys() - STEP_MEMBERS)]
            known = sorted(MEMBERS | STEP_MEMBERS)
            assert not wrong, f"{file.name}, {one.get('name')}: unknown members {wrong}: expected {known}"
            found.append(Vector(file=file.stem, is_untyped=one.pop("isUntyped", False), **one))
    assert found, f"{VECTORS} has no vectors"
    return found


class Unplayable(AssertionError):
    """A player that ended, or didn't answer."""


class Player:
    """The program of a language that makes calls with its package."""

    def __init__(self, command: list[str], folder: Path, **environment: str) -> None:
        self.command = command
        self._errors = (folder / "player-errors").open("w+")
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=clean_environment(**environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def ask(self, **command: Any) -> dict[str, Any]:
        """Its answer to a command."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._ended(command) from None
        line = self._process.stdout.readline()
        if not line:
            raise self._ended(command)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _ended(self, command: dict[str, Any]) -> Unplayable:
        self._process.wait(timeout=HANG_SECONDS)
        self._errors.seek(0)
        return Unplayable(f"{' '.join(self.command)} ended at {json.dumps(command)}:\n{self._errors.read()}")

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """Ends it by the end of its input."""
        assert self._process.stdin is not None and self._process.stdout is not None
        if self.is_running:
            self._process.stdin.close()
            try:
                self._process.wait(timeout=HANG_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                raise
        self._process.stdout.close()
        self._errors.close()


class Play:
    """One vector, played by a player against a server."""

    def __init__(self, vector: Vector, player: Player, recorder: Recorder, mynah: Mynah) -> None:
        self.vector, self.player, self.recorder, self.mynah = vector, player, recorder, mynah
        self._connections: list[socket.socket] = []
        # The names of objects that are there.
        self._objects = {"server", "mynah"}
        self._wrong = None if vector.server is None else WrongServer(vector.server)

    def __enter__(self) -> Play:
        self.recorder.patches = self.vector.answers
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.recorder.patches = {}
        for connection in self._connections:
            connection.close()
        if self._wrong is not None:
            self._wrong.close()

    def run(self) -> None:
        """Plays all steps."""
        begins_itself = any("connect" in step for step in self.vector.steps)
        if not begins_itself:
            assert self._connect() == {}, "the package does not connect"
        for number, step in enumerate(self.vector.steps):
            where = f"{self.vector}, step {number}"
            self.recorder.take()
            if step.get("openConnection"):
                self._open_connection()
            elif "connect" in step:
                self._compare_error(where, step, self._connect())
            else:
                self._call(where, step)
        assert not self.recorder.failures, self.recorder.failures.pop()
        if not begins_itself:
            answer = self.player.ask(
                do="call", on="mynah", call="remove", arguments=[], options={}, saved=None, take=None
            )  # fmt: skip
            assert answer == {}, answer

    def _connect(self) -> dict[str, Any]:
        url = self.recorder.url if self._wrong is None else self._wrong.url
        return self.player.ask(do="connect", url=url, name=f"vector-{uuid4().hex[:12]}")

    def _open_connection(self) -> None:
        plain = socket.create_connection((self.mynah.host, self.mynah.port), timeout=HANG_SECONDS)
        context: ssl.SSLContext = self.mynah.ssl_context()
        self._connections.append(context.wrap_socket(plain, server_hostname="localhost"))

    def _call(self, where: str, step: dict[str, Any]) -> None:
        arguments, options = self._filled(step.get("arguments", [])), self._filled(step.get("options", {}))
        expected = step.get("requests", [step["request"]] if "request" in step else [])
        # What a call changes or removes has to be known before.
        before = self._values([path for path in paths_in(expected) if path.partition("/")[0] in self._objects])
        saved = step.get("as")
        answer = self.player.ask(
            do="call", on=step["on"], call=step["call"], arguments=arguments, options=options, saved=saved,
            take=step.get("take"),
        )  # fmt: skip
        self._compare_error(where, step, answer)
        requests = self.recorder.take()
        if saved is not None:
            self._objects.add(saved)
        self._compare_requests(where, self._filled(expected, before), requests)
        values = step.get("values", {})
        found = self._values(list(values))
        for path, one in values.items():
            compare(f"{where}: {path}", self._filled(one), found[path])

    def _values(self, paths: list[str]) -> dict[str, Any]:
        """What the package has at these paths."""
        if not paths:
            return {}
        answer = self.player.ask(do="read", paths=paths)
        assert "error" not in answer, f"{self.vector}: {answer}"
        values: dict[str, Any] = answer["values"]
        return values

    def _filled(self, value: Any, known: Optional[dict[str, Any]] = None) -> Any:
        """The value with those of objects in place of their paths."""
        values = dict(known or {})
        values |= self._values([path for path in paths_in(value) if path not in values])

        def fill(one: Any) -> Any:
            if isinstance(one, dict):
                return {fill(name): fill(member) for name, member in one.items()}
            if isinstance(one, list):
                return [fill(element) for element in one]
            if not isinstance(one, str):
                return one
            whole = PLACEHOLDER.fullmatch(one)
            return values[whole[1]] if whole else PLACEHOLDER.sub(lambda found: str(values[found[1]]), one)

        return fill(value)

    def _compare_error(self, where: str, step: dict[str, Any], answer: dict[str, Any]) -> None:
        expected, actual = step.get("error"), answer.get("error")
        if expected is None:
            assert actual is None, f"{where}: {actual}"
            return
        assert actual is not None, f"{where}: no error, but expected {expected}"
        for name, value in self._filled(expected).items():
            compare(f"{where}: the error's {name}, of {actual}", value, actual.get(name))

    def _compare_requests(self, where: str, expected: list[dict[str, Any]], actual: list[Request]) -> None:
        told = [f"{one.method} {one.target} {one.body.decode()}" for one in actual]
        assert len(actual) == len(expected), f"{where}: {len(expected)} requests expected, sent were {told}"
        for one, wanted in zip(actual, expected):
            compare_request(where, wanted, one)


def paths_in(value: Any) -> list[str]:
    """The paths of objects that stand in a value."""
    return sorted(set(PLACEHOLDER.findall(json.dumps(value))))


def compare_request(where: str, expected: dict[str, Any], actual: Request) -> None:
    """Holds a request against that of a vector."""
    method, _, path = expected["to"].partition(" ")
    sent = f"{actual.method} {actual.path}"
    assert sent == f"{method} {unquote(path)}", f"{where}: {sent}, expected {method} {path}"
    query = sorted(
        [name, str(one)]
        for name, value in expected.get("query", {}).items()
        for one in (value if isinstance(value, list) else [value])
    )
    assert actual.query == query, f"{where}: the query {actual.query}, expected {query}"
    compare(f"{where}: the body", expected.get("body"), actual.document)


def compare(where: str, expected: Any, actual: Any) -> None:
    """Holds a value against that of a vector: {"matches": a regular expression}, {"has": its parts}, or itself."""
    if isinstance(expected, dict) and expected.keys() == {"matches"}:
        assert isinstance(actual, str) and re.search(expected["matches"], actual), f"{where}: {actual!r}: {expected}"
    elif isinstance(expected, dict) and expected.keys() == {"has"}:
        for part in expected["has"]:
            assert part in actual, f"{where}: {actual!r} has no {part!r}"
    else:
        assert actual == expected, f"{where}: {actual!r}, expected {expected!r}"
