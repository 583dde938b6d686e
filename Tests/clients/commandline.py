"""mynah's own commands, run to their end or kept running."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from server import Process, binary, clean_environment
from waiting import RUN_SECONDS

FINE, UNMET, USAGE, NOT_FOUND, UNAVAILABLE, CONFLICT, NOTHING_DUE, CONFIGURATION = 0, 1, 64, 66, 69, 73, 75, 78
FREE_PORTS = ["--port", "0", "--control-port", "0"]

Command = Callable[..., subprocess.CompletedProcess[str]]
Serve = Callable[..., Process]


def command_in(folder: Path) -> Command:
    """Runs a command to its end in a folder that is also its home."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(binary()), *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=clean_environment(HOME=str(folder), XDG_RUNTIME_DIR=str(folder), **environment),
            timeout=RUN_SECONDS,
            check=False,
        )

    return run


def process_in(folder: Path, *arguments: str, **environment: str) -> Process:
    """Starts a command in a folder that is also its home."""
    own = clean_environment(HOME=str(folder), XDG_RUNTIME_DIR=str(folder), **environment)
    return Process(list(arguments), environment=own, cwd=folder, binary=binary())
