"""Runs the soak; see `--help`."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import mynah

from churn.measures import Heap, HeapProbe, Vitals, slope
from churn.workers import start_all
from churn.world import Control, Violation, World

# After so long every bounded memory of the server is full.
WARM_UP_MINUTES = 10
# Growth of the heap in use after a reset, from then on.
HEAP_BYTES_PER_MINUTE_MAX = 50_000
# The same of resident memory, where the heap can't be measured; freed memory stays with the process, in pieces.
RESIDENT_BYTES_PER_MINUTE_MAX = 200_000
# With fewer points a line says nothing.
SLOPE_POINTS_MIN = 6
# Processor time of the reference batch, the last third of the run against the first.
BATCH_COST_RATIO_MAX = 1.5
BATCH_READS = 1000
# The data folder of a kept run, the second half after the warm-up against the first.
KEPT_BYTES_RATIO_MAX = 1.5
# What one part of a core leaves to others.
LOAD_CORES = 0.5
PROGRESS_SECONDS = 30
RESET_SECONDS = 60
RESETS_MIN = 6
# The longest operation, with a machine that is busy with something else.
CLOSE_SECONDS = 300
STOP_SECONDS = 180
# Events of devices that replace all others in the server's history of events, so that it holds the same at each
# measurement.
HISTORY_EVENTS = 10_000
FLEET_COUNT = 1000


@dataclass
class Row:
    """What was measured at one reset."""

    minutes: float
    accepted: int
    heap: Heap | None
    anonymous: int
    descriptors: int
    threads: int
    batch_cpu: float
    batch_rate: float
    kept: int

    HEAD = "   min   accepted  heap used  heap held   RSS anon   fds  threads  batch CPU  batch rate      kept"

    def __str__(self) -> str:
        heap = self.heap or Heap(0, 0, 0)
        return (
            f"{self.minutes:6.1f} {self.accepted:10} {heap.used / 1e6:8.2f}MB {heap.held / 1e6:8.2f}MB"
            f" {self.anonymous / 1e6:8.2f}MB {self.descriptors:5} {self.threads:8} {self.batch_cpu:9.3f}s"
            f" {self.batch_rate:9.0f}/s {self.kept / 1e6:7.1f}MB"
        )


class Soak:
    """One run."""

    def __init__(
        self, minutes: float, seed: int, binary: Path, folder: Path, heap_library: str, is_kept: bool, log: TextIO
    ) -> None:
        self._log_file = log
        state = folder / f"state-{os.getpid()}"
        shutil.rmtree(state, ignore_errors=True)
        self.probe = HeapProbe(heap_library, state) if heap_library else None
        preload = self.probe.environment if self.probe else None
        self.data = state / "data" if is_kept else None
        self.flags = ["--seed", str(seed)] + (["--data", str(self.data)] if is_kept else [])
        self.server = mynah.StartedServer(state, *self.flags, variables=preload, binary=binary)
        self.state, self.binary = state, binary
        self.world = World(self.server, seed, LOAD_CORES, self.log)
        self.vitals = Vitals(self.server.pid)
        self.control: Control = self.world.control()
        self.rows: list[Row] = []
        self.minutes = minutes
        self.began = time.monotonic()

    def log(self, text: str) -> None:
        line = f"[{time.strftime('%H:%M:%S')}] {text}"
        print(line)
        print(line, file=self._log_file, flush=True)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.began

    def run(self) -> list[str]:
        """Runs to the end; what was wrong."""
        start_all(self.world)
        wrong: list[str] = []
        reset_every = min(RESET_SECONDS, self.minutes * 60 / RESETS_MIN)
        next_progress, next_reset = PROGRESS_SECONDS, reset_every
        self.world.turnstile.open()
        while self.elapsed < self.minutes * 60:
            if not self.server.process.is_running:
                return [f"the server ended by itself with {self.server.process.wait()}: {self.server.log_lines[-20:]}"]
            if self.elapsed >= next_progress:
                next_progress += PROGRESS_SECONDS
                self._tell_progress()
            if self.elapsed >= next_reset:
                self._measure(wrong)
                # From now, so that a slow measurement is not followed by another at once.
                next_reset = self.elapsed + reset_every
                self.world.turnstile.open()
            time.sleep(0.5)
        self._measure(wrong)
        self.world.is_over.set()
        return wrong + self._stop() + self._judge()

    def _tell_progress(self) -> None:
        # Figures are for people; a server that has just ended is noticed by the caller.
        try:
            rss = f"RSS anon {self.vitals.anonymous_bytes() / 1e6:.1f} MB, fds {self.vitals.descriptors()}"
        except (OSError, ValueError) as error:
            rss = f"no figures: {error}"
        self.log(f"{self.elapsed / 60:.1f} min: {rss}; {self.world.tally.line()}; errors {dict(self.world.tally.errors)}")

    def _measure(self, wrong: list[str]) -> None:
        """Stops the load, checks the counts, resets and measures."""
        if not self.world.turnstile.close(CLOSE_SECONDS):
            wrong.append(f"an operation was not done after {CLOSE_SECONDS} s, at {self.elapsed / 60:.1f} min")
        try:
            self._wait_for_connections()
            self._check_counts()
            self._fill_history()
            self.control.must("POST", "/v1/reset", {})
            # Once unmeasured: the first of each kind after a pause costs more.
            self._batch(BATCH_READS // 10)
            cpu, seconds = self._batch(BATCH_READS)
            row = Row(
                self.elapsed / 60, self.world.tally.counts["accepted"],
                self.probe.ask() if self.probe else None, self.vitals.anonymous_bytes(), self.vitals.descriptors(), self.vitals.threads(), cpu,
                BATCH_READS / seconds, self._kept_bytes(),
            )  # fmt: skip
        except Exception as error:  # noted as a failure of the run, which goes on
            self.world.tally.fail("measurement", error)
            wrong.append(f"no measurement at {self.elapsed / 60:.1f} min: {error}")
            return
        self.rows.append(row)
        self.log(f"{Row.HEAD}\n           {row}")

    def _wait_for_connections(self) -> None:
        """Waits until the server has noticed that all connections are closed."""
        end = time.monotonic() + CLOSE_SECONDS
        while time.monotonic() < end:
            if self._metric("mynah_connections_open") == 0 and self._metric("mynah_event_stream_readers") == 0:
                return
            time.sleep(0.1)
        raise Violation("connections that were closed are still open")

    def _check_counts(self) -> None:
        counts = self.world.tally.counts
        accepted, uncertain = counts["accepted"], counts["uncertain"]
        counted = self._metric('mynah_pushes_total{status="200",reason=""}')
        if not accepted <= counted <= accepted + uncertain:
            raise Violation(f"clients had {accepted} pushes accepted (and {uncertain} unknown), the server counts {counted}")

    def _metric(self, name: str) -> int:
        for line in self.control.must("GET", "/metrics").splitlines():
            if line.startswith(name + " "):
                return int(float(line.rpartition(" ")[2]))
        return 0

    def _kept_bytes(self) -> int:
        return sum(path.stat().st_size for path in self.data.iterdir()) if self.data else 0

    def _fill_history(self) -> None:
        for number in range(HISTORY_EVENTS // FLEET_COUNT):
            self.control.must("POST", "/v1/devices", {"id": f"history{number}", "count": FLEET_COUNT})

    def _batch(self, count: int) -> tuple[float, float]:
        """Processor time of the server and seconds for so many reads."""
        cpu, start = self.vitals.cpu_seconds(), time.monotonic()
        for _ in range(count):
            self.control.must("GET", "/v1/notifications?limit=1")
        return self.vitals.cpu_seconds() - cpu, time.monotonic() - start

    def _stop(self) -> list[str]:
        last = self._last_sequence(self.control)
        wrong = self._end(self.server)
        if self.data and not wrong:
            started = time.monotonic()
            self.server = mynah.StartedServer(self.state, *self.flags, binary=self.binary)
            self.log(f"started again in {time.monotonic() - started:.2f} s from {self._kept_bytes() / 1e6:.1f} MB")
            # The end of a connection takes a number, too.
            if (found := self._last_sequence(Control(self.server.ready["controlPort"], self.world.tally))) < last:
                wrong.append(f"the kept run has the numbers up to {found}; {last} had been answered")
            wrong += self._end(self.server)
        shutil.rmtree(self.state, ignore_errors=True)
        return wrong

    @staticmethod
    def _last_sequence(control: Control) -> int:
        return int(control.must("GET", "/v1/notifications?limit=1")["lastSequence"])

    @staticmethod
    def _end(server: mynah.StartedServer) -> list[str]:
        server.process.signal(15)
        try:
            code = server.process.wait(STOP_SECONDS)
        except Exception as error:  # the server is ended at once, and the run has failed
            server.process.kill()
            return [f"the server did not end within {STOP_SECONDS} s of SIGTERM: {error}"]
        return [] if code == 0 else [f"exit code {code} after SIGTERM"]

    def _judge(self) -> list[str]:
        wrong = [f"violation: {text}" for text in self.world.tally.violations]
        late = [row for row in self.rows if row.minutes >= WARM_UP_MINUTES]
        has_heap = all(row.heap is not None for row in late)
        if len(late) >= SLOPE_POINTS_MIN:
            figures = [(row.minutes, float(row.heap.used if row.heap and has_heap else row.anonymous)) for row in late]
            growth = slope(figures)
            bound = HEAP_BYTES_PER_MINUTE_MAX if has_heap else RESIDENT_BYTES_PER_MINUTE_MAX
            name = "heap in use" if has_heap else "resident memory"
            self.log(f"{name}: {growth / 1e3:+.1f} kB/min from minute {WARM_UP_MINUTES} on, at most {bound / 1e3:.1f}")
            if growth > bound:
                wrong.append(f"{name} grows by {growth / 1e3:.1f} kB a minute; at most {bound / 1e3:.1f} was expected")
        else:
            self.log(f"memory is not judged: that takes {SLOPE_POINTS_MIN} resets after minute {WARM_UP_MINUTES}")
        if len(late) >= SLOPE_POINTS_MIN:
            half = len(late) // 2
            first, last = (statistics.median(row.kept for row in rows) for rows in (late[:half], late[half:]))
            if last > first * KEPT_BYTES_RATIO_MAX:
                wrong.append(f"the data folder has {last / 1e6:.1f} MB at the end and {first / 1e6:.1f} MB before")
        third = len(self.rows) // 3
        if third > 0:
            first = statistics.median(row.batch_cpu for row in self.rows[:third])
            last = statistics.median(row.batch_cpu for row in self.rows[-third:])
            self.log(f"the reference batch costs {last / first:.2f} of what it did, at most {BATCH_COST_RATIO_MAX}")
            if last > first * BATCH_COST_RATIO_MAX:
                wrong.append(f"{BATCH_READS} reads cost {last:.3f} s of CPU at the end and {first:.3f} s in the beginning")
        return wrong


def main() -> int:
    """Runs the soak; 0 when nothing was wrong."""
    parser = argparse.ArgumentParser(prog="Tests/soak/run.sh", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="how long, by default an hour")
    parser.add_argument("--seed", type=int, default=None, help="repeats the choices of an earlier run")
    parser.add_argument("--mynah", type=Path, required=True, metavar="BINARY", help="the program, else a release build")
    parser.add_argument("--kept", action="store_true", help="the server keeps its run with --data")
    parser.add_argument("--log", type=Path, default=None, help="where progress goes, by default .build/soak/SEED.log")
    parser.add_argument("--folder", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--heap", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(1 << 31) if given.seed is None else given.seed
    path = given.log or given.folder / f"{seed}.log"
    with path.open("a") as log:
        soak = Soak(given.minutes, seed, given.mynah.resolve(), given.folder.resolve(), given.heap, given.kept, log)
        soak.log(f"{given.minutes:g} minutes with --seed {seed} of {given.mynah}; log {path}")
        try:
            wrong = soak.run()
        finally:
            soak.server.process.kill()
        table = "\n".join([Row.HEAD, *(str(row) for row in soak.rows)])
        soak.log(f"{soak.world.tally.line()}\nerrors {dict(soak.world.tally.errors)}\n{table}")
        for text in wrong:
            soak.log(f"WRONG: {text}")
        soak.log("failed" if wrong else "passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
