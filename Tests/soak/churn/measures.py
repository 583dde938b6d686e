"""What the kernel, a preloaded library and the server itself tell about the server's process."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REPORT_SECONDS = 10


@dataclass(frozen=True)
class Heap:
    """The C heap: bytes in use, free bytes, and bytes that malloc has from the kernel."""

    used: int
    free: int
    held: int


class HeapProbe:
    """Asks the library of `heap.c`, which the server's process has been preloaded with."""

    def __init__(self, library: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._requests = folder / "heap-requests"
        self._report = folder / "heap-report"
        self._reports = 0
        os.mkfifo(self._requests)
        self.environment = {
            "LD_PRELOAD": library, "HEAP_REQUESTS": str(self._requests), "HEAP_REPORT": str(self._report),
        }  # fmt: skip

    def ask(self) -> Heap | None:
        """The heap now; `None` when no answer comes."""
        # Not waiting for a reader, of which there is none when the process has ended.
        request = os.open(self._requests, os.O_WRONLY | os.O_NONBLOCK)
        os.write(request, b"?")
        os.close(request)
        end = time.monotonic() + REPORT_SECONDS
        while time.monotonic() < end:
            text = self._report.read_text() if self._report.exists() else ""
            lines = text.splitlines()
            if len(lines) > self._reports and text.endswith("\n"):
                self._reports = len(lines)
                return Heap(*(int(word) for word in lines[-1].split()))
            time.sleep(0.02)
        return None


class Vitals:
    """Reads the figures of one process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def anonymous_bytes(self) -> int:
        """Resident memory that is backed by no file."""
        return self._kilobytes("smaps_rollup", "Anonymous:") * 1024

    def threads(self) -> int:
        """How many threads there are."""
        return self._kilobytes("status", "Threads:")

    def descriptors(self) -> int:
        """How many files and sockets are open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def cpu_seconds(self) -> float:
        """Processor time, of threads that are there to the nanosecond where the kernel tells, else of the process."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except (OSError, ValueError, IndexError):
                continue
        if total > 0:
            return total / 1e9
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _kilobytes(self, file: str, name: str) -> int:
        for line in Path(f"/proc/{self.pid}/{file}").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1])
        raise ValueError(f"/proc/{self.pid}/{file} has no {name}")


def slope(points: Sequence[tuple[float, float]]) -> float:
    """How much the second figure grows by one of the first, by least squares."""
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


class Governor:
    """Keeps this process and the commands that it starts below a part of one core."""

    WINDOW_SECONDS = 10.0
    REST_SECONDS_MAX = 2.0

    def __init__(self, cores: float) -> None:
        self.cores = cores
        self._since = time.monotonic()
        self._used = self._cpu_seconds()

    def rest(self, least: float) -> None:
        """Waits at least so long, and longer when too much was used lately."""
        now, used = time.monotonic(), self._cpu_seconds()
        surplus = (used - self._used) - self.cores * (now - self._since)
        if now - self._since > self.WINDOW_SECONDS and surplus <= 0:
            self._since, self._used = now, used
        time.sleep(max(least, min(surplus / self.cores, self.REST_SECONDS_MAX)))

    @staticmethod
    def _cpu_seconds() -> float:
        own = os.times()
        return own.user + own.system + own.children_user + own.children_system
