"""Runs the program `mynah` and reads its output."""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import sysconfig
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Optional, Union

from .errors import StartError

# A machine may stand still for a minute, as those of CI do now and then; a process that ends is known at once.
READY_SECONDS = 120.0
STOP_SECONDS = 120.0


def find_binary() -> Path:
    """The program: `MYNAH_BINARY`, `mynah` beside this Python's own commands, where pip puts it, or on the `PATH`."""
    chosen = os.environ.get("MYNAH_BINARY")
    if chosen:
        path = Path(chosen).resolve()
        if not os.access(path, os.X_OK):
            raise StartError(f"MYNAH_BINARY={chosen} is not executable")
        return path
    found = shutil.which("mynah", path=sysconfig.get_path("scripts")) or shutil.which("mynah")
    if found is None:
        raise StartError("mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server")
    return Path(found).resolve()


def clean_environment(**further: str) -> dict[str, str]:
    """The environment without its `MYNAH_…` variables, and with `further`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MYNAH_")}
    kept.update(further)
    return kept


class _Guard:
    """Ends another process when this one ends, in whatever way: a pipe tells it so, which the system closes."""

    # In a session of its own, a signal for a terminal's whole group, such as Ctrl-C, doesn't end it before its time.
    COMMAND = ("/bin/sh", "-c", 'read -r unused; kill -TERM "$1"', "mynah-guard")

    def __init__(self, pid: int) -> None:
        self._shell = subprocess.Popen(
            [*self.COMMAND, str(pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._lock = threading.Lock()

    def dismiss(self) -> None:
        """Leaves the other process alone, whose id may belong to another one soon."""
        with self._lock:
            if self._shell.returncode is not None:
                return
            self._shell.kill()
            self._shell.wait()
            assert self._shell.stdin is not None
            self._shell.stdin.close()


class Process:
    """A running command whose output is read line by line, and which gets SIGTERM when this process ends."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        cwd: Path,
        environment: Optional[Mapping[str, str]] = None,
        binary: Union[str, Path, None] = None,
    ) -> None:
        """Starts the command; the default environment is this one without its `MYNAH_…` variables."""
        self.arguments = list(arguments)
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._arrivals: queue.Queue[Optional[str]] = queue.Queue()
        self._error_arrived = threading.Condition()
        program = find_binary() if binary is None else Path(binary)
        try:
            self.child = subprocess.Popen(
                [str(program), *self.arguments],
                env=clean_environment() if environment is None else environment,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        except OSError as error:
            raise StartError(f"{program} cannot be run: {error}") from error
        self._guard = _Guard(self.child.pid)
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
        # Before anybody can wait for the command, which frees its id.
        self._guard.dismiss()
        self._arrivals.put(None)

    def _read_errors(self) -> None:
        assert self.child.stderr is not None
        for line in self.child.stderr:
            with self._error_arrived:
                self.errors.append(line.rstrip("\n"))
                self._error_arrived.notify_all()

    def wait_for_line(self, prefix: str, seconds: float = READY_SECONDS) -> str:
        """The next line of standard output that begins with `prefix`; `StartError` if none comes."""
        while True:
            try:
                line = self._arrivals.get(timeout=seconds)
            except queue.Empty:
                raise StartError(f"no line '{prefix}…' within {seconds:g} s\n{self.log()}") from None
            if line is None:
                code = self.wait()
                raise StartError(f"mynah ended with code {code} before '{prefix}…'\n{self.log()}")
            if line.startswith(prefix):
                return line

    def wait_for_error(self, part: str, seconds: float = READY_SECONDS) -> str:
        """The first line of standard error that contains `part`; `StartError` if none comes."""
        with self._error_arrived:
            if not self._error_arrived.wait_for(lambda: any(part in line for line in self.errors), seconds):
                raise StartError(f"no line with '{part}' within {seconds:g} s\n{self.log()}")
            return next(line for line in self.errors if part in line)

    @property
    def is_running(self) -> bool:
        """Whether the command still runs."""
        return self.child.poll() is None

    def signal(self, number: int) -> None:
        """Sends a signal."""
        self.child.send_signal(number)

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """Waits for the end of the command and of its output; returns the exit code."""
        code = self.child.wait(timeout=seconds)
        for reader in self._readers:
            reader.join(timeout=seconds)
        return code

    def kill(self) -> None:
        """Kills the command if it still runs."""
        if self.is_running:
            self.child.kill()
            self.child.wait()

    def log(self) -> str:
        """The output of the command."""
        return "\n".join(["--- mynah " + " ".join(self.arguments), *self.lines, "--- stderr", *self.errors, "---"])
