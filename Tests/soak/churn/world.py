"""What the workers share: the server, the tally, the turnstile that stops them for a measurement."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mynah
from waiting import HANG_SECONDS

from churn.measures import Governor

# Of each kind of error so many are logged in full.
SHOWN_ERRORS_MAX = 3

Log = Callable[[str], None]


class Violation(Exception):
    """The server did what it must not."""


class Turnstile:
    """Lets operations run, or stops them all between two of their steps."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_open = False
        self._inside = 0

    @property
    def is_open(self) -> bool:
        """Whether operations may go on; long ones ask now and then."""
        return self._is_open

    @contextmanager
    def step(self) -> Iterator[None]:
        """Waits until it is open; it does not close before the block is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_open)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    def open(self) -> None:
        """Lets operations run."""
        with self._changed:
            self._is_open = True
            self._changed.notify_all()

    def close(self, seconds: float) -> bool:
        """Waits until nothing runs; `False` when that takes too long."""
        with self._changed:
            self._is_open = False
            return self._changed.wait_for(lambda: self._inside == 0, seconds)


class Tally:
    """What was done and what came of it, for all threads."""

    def __init__(self, log: Log) -> None:
        self._lock = threading.Lock()
        self._log = log
        self.counts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.violations: list[str] = []

    def add(self, name: str, count: int = 1) -> None:
        with self._lock:
            self.counts[name] += count

    def fail(self, what: str, error: BaseException) -> None:
        """Notes an operation that did not succeed."""
        kind = f"{what}: {type(error).__name__}"
        with self._lock:
            if isinstance(error, Violation):
                self.violations.append(f"{what}: {error}")
            self.errors[kind] += 1
            is_shown = self.errors[kind] <= SHOWN_ERRORS_MAX
        if is_shown:
            self._log(f"{kind}\n{''.join(traceback.format_exception(error)).rstrip()}")

    def line(self) -> str:
        """All counts in one line."""
        with self._lock:
            return ", ".join(f"{name} {count}" for name, count in sorted(self.counts.items()))


class Control:
    """The control API over one connection that is kept, and opened again when the server has closed it."""

    def __init__(self, port: int, tally: Tally) -> None:
        self._port = port
        self._tally = tally
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, target: str, body: Any = None) -> tuple[int, Any]:
        """The status and the JSON of one call; a status from 500 on is a violation."""
        content = None if body is None else json.dumps(body).encode()
        for attempt in (1, 2):
            is_new = self._connection is None
            connection = self._connection or http.client.HTTPConnection("127.0.0.1", self._port, timeout=HANG_SECONDS)
            self._connection = connection
            try:
                connection.request(method, target, content, {"content-type": "application/json"} if content else {})
                response = connection.getresponse()
                answer = response.read()
            except (OSError, http.client.HTTPException):
                self.close()
                # A connection that was kept may have been closed by the server just now.
                if is_new or attempt == 2:
                    raise
                continue
            self._tally.add("calls")
            if response.status >= 500:
                raise Violation(f"{method} {target}: {response.status} {answer[:300]!r}")
            is_json = "json" in (response.getheader("content-type") or "")
            return response.status, json.loads(answer) if is_json else answer.decode()
        raise AssertionError("unreachable")

    def must(self, method: str, target: str, body: Any = None) -> Any:
        """The JSON of a call that must succeed."""
        status, answer = self.ask(method, target, body)
        if not 200 <= status < 300:
            raise Violation(f"{method} {target} {body}: {status} {answer}")
        return answer

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class World:
    """The server and what all workers share."""

    def __init__(self, server: mynah.StartedServer, seed: int, cores: float, log: Log) -> None:
        self.server = server
        self.seed = seed
        self.log = log
        self.tally = Tally(log)
        self.turnstile = Turnstile()
        self.governor = Governor(cores)
        self.context = ssl.create_default_context(cafile=str(server.ca_file))
        self.context.set_alpn_protocols(["h2"])
        self.control_port: int = server.ready["controlPort"]
        self.is_over = threading.Event()

    def control(self) -> Control:
        """A connection of its own to the control API."""
        return Control(self.control_port, self.tally)

    def random(self, name: str) -> random.Random:
        """A worker's randomness, the same for the same seed."""
        return random.Random(f"{self.seed} {name}")

    def start(self, name: str, pause: float, operation: Callable[[], None]) -> None:
        """Repeats an operation in a thread until all is over, whatever becomes of it."""

        def run() -> None:
            while not self.is_over.is_set():
                try:
                    with self.turnstile.step():
                        operation()
                except Exception as error:  # each is counted and logged, and the load goes on
                    self.tally.fail(name, error)
                    time.sleep(0.2)
                self.governor.rest(pause)

        threading.Thread(target=run, name=name, daemon=True).start()
