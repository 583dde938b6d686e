"""The servers that are compared, and how each is started."""

import contextlib
import hashlib
import http.client
import json
import os
import shutil
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from .connections import ANSWER_SECONDS_MAX
from .processes import BenchmarkError, ServerProcess

# The query of a call that waits, for what never comes and as long as the control API allows.
NEVER = "topic=com.example.none&count=1000"
WAIT_SECONDS = 60
RUN_PUSHES = 100_000


class Contestant(Protocol):
    """A server that can be measured."""

    name: str
    # Between `/3/device` and the token of a path.
    separator: str

    def running(self, runner: Sequence[str] = ()) -> AbstractContextManager[tuple[ServerProcess, int]]:
        """Starts the server, as an argument of the command `runner` if one is given; gives the process and its port."""


class Nghttpd:
    """nghttpd with one worker, answering a POST with 200 and an empty body.

    It serves files, so each device path is an empty file below a folder of its own. It keeps file descriptors in
    a cache that is smaller than the number of devices: some answers cost an open(2) and a fstat(2), about a quarter
    of its CPU time per push.
    """

    name = "nghttpd"
    note = "one worker, an empty file per device path: literally the same requests"
    separator = "/"

    def __init__(self, folder, tokens):
        self._folder = os.path.join(folder, self.name)
        self._make_files(tokens)
        self._key = os.path.join(folder, f"{self.name}-key.pem")
        self._certificate = os.path.join(folder, f"{self.name}-certificate.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-keyout", self._key, "-out", self._certificate],
            check=True, stdin=subprocess.DEVNULL, capture_output=True,
        )

    def _make_files(self, tokens):
        devices = os.path.join(self._folder, "3", "device")
        os.makedirs(devices)
        for token in tokens:
            open(os.path.join(devices, token), "wb").close()

    @contextlib.contextmanager
    def running(self, runner=()):
        """As ``Contestant.running``."""
        command = ["nghttpd", "-n1", "-a", "127.0.0.1", "-d", self._folder, "0", self._key, self._certificate]
        with ServerProcess([*runner, *command]) as process:
            yield process, process.wait_until(process.listening_port, "does not listen")


class NghttpdOneFile(Nghttpd):
    """nghttpd where all device paths lead to one file, which stays in its cache.

    The token follows `?` in place of the last `/`: as many distinct and equally long paths on the wire, and no
    file system behind them. What is left is TLS and HTTP/2: the strictest thing to be compared with.
    """

    name = "nghttpd-1file"
    note = "the same, but /3/device?TOKEN: one cached file, no file system; the stricter baseline"
    separator = "?"

    def _make_files(self, tokens):
        os.makedirs(os.path.join(self._folder, "3"))
        open(os.path.join(self._folder, "3", "device"), "wb").close()


class Mynah:
    """Mynah as a user starts it: all rules, devices at first sight, the journal on."""

    name = "mynah"
    separator = "/"

    def __init__(self, folder, binary, flags):
        self._folder = os.path.join(folder, self.name)
        os.makedirs(self._folder)
        # One for all of this kind, so that one provider token is good for each.
        self._state_folder = os.path.join(folder, "certs")
        self._ready_file = os.path.join(self._folder, "ready.json")
        self._binary = binary
        self._flags = flags
        self.note = " ".join(["as started by default"] + flags)
        # The first start makes the trust material, which the measured ones find.
        with self.running():
            self.provider_token = self._make_provider_token()

    @contextlib.contextmanager
    def running(self, runner=()):
        """As ``Contestant.running``."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(self._ready_file)
        command = [
            self._binary, "serve", "--port", "0", "--control-port", "0", "--ready-file", self._ready_file,
            "--state-dir", self._state_folder, "--log-level", "warning", *self._flags,
        ]
        with ServerProcess([*runner, *command], working_folder=self._folder) as process:
            self.seconds_to_ready = process.wait_for_line("mynah ready")
            self._ready = process.wait_until(self._read_ready_file, "wrote no ready file")
            yield process, self._ready["port"]

    @property
    def control_url(self):
        """The address of the control API, while it runs."""
        return self._ready["controlUrl"]

    @contextlib.contextmanager
    def waiting_call(self):
        """A call that waits until the end of a `with` block for pushes that never come."""
        address = urllib.parse.urlsplit(self.control_url)
        connection = http.client.HTTPConnection(address.hostname, address.port)
        with contextlib.closing(connection):
            connection.request("GET", f"/v1/notifications?{NEVER}&wait={WAIT_SECONDS}s")
            yield

    def _read_ready_file(self):
        try:
            with open(self._ready_file, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def _make_provider_token(self):
        command = [
            self._binary, "token", "--key", self._ready["keyFile"], "--key-id", self._ready["keyId"],
            "--team-id", self._ready["teamId"],
        ]
        answer = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=ANSWER_SECONDS_MAX, check=False,
            cwd=self._folder,
        )
        token = answer.stdout.strip()
        if answer.returncode != 0 or token.count(".") != 2 or len(token.split()) != 1:
            raise BenchmarkError(f"{' '.join(command)}: {answer.returncode} {token} {answer.stderr}")
        return token


class MynahForgetting(Mynah):
    """Mynah without a journal: the difference is what keeping pushes costs."""

    name = "mynah-retain-0"

    def __init__(self, folder, binary, flags):
        super().__init__(folder, binary, [*flags, "--retain", "0"])
        self.note = "with --retain 0: no push is kept in the journal"


class MynahWithFaults(Mynah):
    """Mynah with fault rules of all kinds, none of which ever matches: what it costs to ask them."""

    name = "mynah-faults"

    def __init__(self, folder, binary, flags, count):
        fixtures = os.path.join(folder, "faults.json")
        with open(fixtures, "w", encoding="utf-8") as file:
            json.dump({"faults": [rule_that_never_matches(number) for number in range(count)]}, file)
        super().__init__(folder, binary, [*flags, "--fixtures", fixtures])
        self.note = f"with {count:,} fault rules that never match"


class MynahWatched(Mynah):
    """Mynah while people watch: readers of events, somebody who waits for what never comes, and its page in Chromium.

    The watchers are processes of their own on the same cores; what they take of the throughput is the machine's, what
    the server does for them is in its CPU pushes.
    """

    name = "mynah-watched"
    # The first start, which makes the provider token, is watched by nobody.
    _readers = 0

    def __init__(self, folder, binary, flags, readers):
        super().__init__(folder, binary, flags)
        self._readers = readers
        self._browser = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        page = "its page in Chromium" if self._browser else "no page, because there is no chromium"
        self.note = f"with {readers} readers of events, one who waits, and {page}"

    @contextlib.contextmanager
    def running(self):
        with super().running() as (process, port), contextlib.ExitStack() as watchers:
            for command in self._watchers():
                watchers.enter_context(ServerProcess(command, working_folder=self._folder))
            process.wait_until(self._is_watched, "is not watched by all")
            yield process, port

    def _watchers(self):
        if not self._readers:
            return []
        url = self.control_url
        curl = ["curl", "--silent", "--no-buffer", "--output", os.devnull]
        commands = [[*curl, f"{url}/v1/events"] for _ in range(self._readers)]
        commands.append([*curl, f"{url}/v1/notifications?{NEVER}&wait={WAIT_SECONDS}s"])
        if self._browser:
            commands.append([
                self._browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                f"--user-data-dir={os.path.join(self._folder, 'browser')}", "--remote-debugging-port=0", f"{url}/",
            ])
        return commands

    def _is_watched(self):
        with urllib.request.urlopen(f"{self.control_url}/metrics", timeout=ANSWER_SECONDS_MAX) as answer:
            lines = answer.read().decode().splitlines()
        readers = next(int(line.split()[1]) for line in lines if line.startswith("mynah_event_stream_readers "))
        # The page reads events as well.
        wanted = self._readers + (1 if self._readers and self._browser else 0)
        return True if readers >= wanted else None


class MynahKept(Mynah):
    """Mynah that keeps its run in a folder, another one for each start."""

    def __init__(self, folder, binary, flags, sync):
        self.name = f"mynah-{sync}"
        self._data_folder = os.path.join(folder, f"data-{sync}")
        super().__init__(folder, binary, [*flags, "--data", self._data_folder, "--sync", sync])
        self.note = f"with --data, --sync {sync}"

    @contextlib.contextmanager
    def running(self, runner=()):
        shutil.rmtree(self._data_folder, ignore_errors=True)
        with super().running(runner) as running:
            yield running

    def run_bytes(self, load, payload):
        """The size of a run of `RUN_PUSHES` pushes whose server has stopped."""
        with self.running() as (_, port):
            load.run(port, self.separator, payload, RUN_PUSHES)
        with os.scandir(self._data_folder) as files:
            return sum(file.stat().st_size for file in files)


class MynahRead(MynahWatched):
    """Mynah with readers of events that get processor time only when nobody else wants it."""

    name = "mynah-read"

    def __init__(self, folder, binary, flags, readers):
        super().__init__(folder, binary, flags, readers)
        self._browser = None
        self.note = f"with {readers} readers of events at idle priority"

    def _watchers(self):
        reader = ["chrt", "--idle", "0", "curl", "--silent", "--no-buffer", "--output", os.devnull]
        return [[*reader, f"{self.control_url}/v1/events"] for _ in range(self._readers)]


def rule_that_never_matches(number):
    """One of five kinds of match: a token, a topic, the beginning of a token, a header, a payload of one topic."""
    digest = hashlib.sha256(f"no device {number}".encode()).hexdigest()
    topic = f"com.example.none.{number}"
    matches = [
        {"token": digest},
        {"topic": topic},
        {"token": {"prefix": digest[:16]}},
        {"headers": {f"x-none-{number}": "1"}},
        {"topic": topic, "payload": {"/aps/category": "NONE"}},
    ]
    return {"match": matches[number % len(matches)], "action": {"type": "respond", "reason": "TooManyRequests"}}
