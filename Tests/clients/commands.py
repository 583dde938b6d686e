"""Runs the command-line clients: curl, nghttp, h2load."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from waiting import HANG_SECONDS, RUN_SECONDS


def run(*arguments: str, stdin: bytes | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    """Runs a command to its end, whatever its exit code."""
    return subprocess.run(arguments, input=stdin, capture_output=True, timeout=RUN_SECONDS, cwd=cwd, check=False)


@dataclass(frozen=True)
class CurlReply:
    """What curl received."""

    version: str
    status: int
    headers: dict[str, str]
    body: bytes


def curl(*arguments: str, stdin: bytes | None = None) -> CurlReply:
    """Runs curl, which must succeed, and takes its `--include` apart."""
    done = run("curl", "--silent", "--show-error", "--include", "--max-time", str(HANG_SECONDS), *arguments, stdin=stdin)
    assert done.returncode == 0, f"curl ended with {done.returncode}: {done.stderr.decode()}"
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    version, status = first.split()[:2]
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return CurlReply(version, int(status), headers, body)
