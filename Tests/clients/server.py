"""Starts `mynah serve` on free ports and stops it the way an operator would."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

from control import Control
from provider_token import Form, SigningKey, authorization

READY_SECONDS = 30
STOP_SECONDS = 15
REPOSITORY = Path(__file__).resolve().parents[2]


def binary() -> Path:
    """The program under test: `MYNAH_BINARY`, else the newest kind of build that is there."""
    chosen = os.environ.get("MYNAH_BINARY")
    if chosen:
        return Path(chosen).resolve()
    builds = [REPOSITORY / ".build" / kind / "mynah" for kind in ("debug", "release")]
    return next((build for build in builds if build.exists()), builds[0])


def clean_environment(**further: str) -> dict[str, str]:
    """The environment without anybody's `MYNAH_…`, and with `further`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MYNAH_")}
    return kept | further


class Process:
    """A running command whose output is read line by line as it comes."""

    def __init__(self, arguments: list[str], *, environment: dict[str, str] | None = None, cwd: Path) -> None:
        self.arguments = arguments
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._arrivals: queue.Queue[str | None] = queue.Queue()
        self.child = subprocess.Popen(
            [str(binary()), *arguments],
            env=clean_environment() if environment is None else environment,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_output(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.lines.append(line.rstrip("\n"))
            self._arrivals.put(line.rstrip("\n"))
        self._arrivals.put(None)

    def _read_errors(self) -> None:
        assert self.child.stderr is not None
        for line in self.child.stderr:
            self.errors.append(line.rstrip("\n"))

    def wait_for_line(self, prefix: str, seconds: float = READY_SECONDS) -> str:
        """The next line of standard output that begins with `prefix`."""
        while True:
            try:
                line = self._arrivals.get(timeout=seconds)
            except queue.Empty:
                raise AssertionError(f"no line '{prefix}…' within {seconds} s\n{self.log()}") from None
            if line is None:
                raise AssertionError(f"ended with code {self.child.wait()} before '{prefix}…'\n{self.log()}")
            if line.startswith(prefix):
                return line

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self.child.poll() is None

    def signal(self, number: int) -> None:
        """Sends a signal."""
        self.child.send_signal(number)

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """The exit code, once it has ended."""
        code = self.child.wait(timeout=seconds)
        for reader in self._readers:
            reader.join(timeout=seconds)
        return code

    def kill(self) -> None:
        """Ends it at once, if it still runs."""
        if self.is_running:
            self.child.kill()
            self.child.wait()

    def log(self) -> str:
        """What it printed."""
        return "\n".join(["--- mynah " + " ".join(self.arguments), *self.lines, "--- stderr", *self.errors, "---"])


class Mynah:
    """A `mynah serve` that has said that it is ready."""

    def __init__(self, folder: Path, *flags: str, environment: dict[str, str] | None = None) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        ready_file = folder / "ready.json"
        self.process = Process(
            [
                "serve",
                "--port",
                "0",
                "--control-port",
                "0",
                "--cleartext-port",
                "0",
                "--state-dir",
                str(folder / "state"),
                "--ready-file",
                str(ready_file),
                *flags,
            ],
            environment=clean_environment(HOME=str(folder), XDG_RUNTIME_DIR=str(folder), **(environment or {})),
            cwd=folder,
        )
        try:
            self.ready_line = self.process.wait_for_line("mynah ready")
            self.ready: dict[str, Any] = json.loads(ready_file.read_text())
        except BaseException:
            self.process.kill()
            raise
        self.port: int = self.ready["port"]
        self.cleartext_port: int = self.ready["cleartextPort"]
        self.proxy_port: int | None = self.ready["proxyPort"]
        self.control_port: int = self.ready["controlPort"]
        self.control_url: str = self.ready["controlUrl"]
        self.ca_file = Path(self.ready["caFile"])
        self.key_file = Path(self.ready["keyFile"])
        self.key_id: str = self.ready["keyId"]
        self.team_id: str = self.ready["teamId"]
        self.pid: int = self.ready["pid"]
        self.key = SigningKey.load(self.key_file, self.key_id, self.team_id)
        self.control = Control(self.control_port)

    def authorization(self, form: Form = Form(), issued_at: float | None = None) -> str:
        """An `authorization` value that this server accepts."""
        return authorization(self.key, form, issued_at)

    def resident_bytes(self) -> int:
        """How much memory the server's process holds."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("the server's process is gone")

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stops the server by a signal and checks that it ends with 0."""
        self.process.signal(number)
        code = self.process.wait()
        assert code == 0, f"exit code {code} after {signal.Signals(number).name}\n{self.process.log()}"
