"""How the cost of a push grows with what a server holds: instructions per push over the number of each.

Everything but the number that grows is the same: 500 devices, one connection, a full journal.
"""

import contextlib
import os
import resource
import sys
from collections.abc import Callable
from typing import Any, TypedDict

from .callgrind import Callgrind
from .chart import FLAT
from .connections import BATCH_PUSHES_MAX, Connections, device_paths
from .contestants import Mynah, MynahWithFaults
from .instructions import DEVICES, RETAINED, count_pushes
from .load import Load, headers_of, payload_of
from .parts import Parts
from .processes import ServerProcess
from .report import median

PAYLOAD = 55
# What other threads do for those who wait follows a pace of its own: its CPU time is measured, the median of some runs.
CPU_RUNS = 3
CPU_PUSHES = 50_000
INSTRUCTIONS, CPU = "thousand instructions", "µs of CPU"


class Axis(TypedDict):
    """What a push costs over one number, by part where the part is known."""

    axis: str
    unit: str
    points: dict[str, dict[str, float]]


class Growth:
    """Measures the points of all axes with one binary."""

    def __init__(
        self, folder: str, binary: str, counted_binary: str, flags: list[str], tokens_of: Callable[[int], list[str]],
        parts: Parts,
    ) -> None:
        self._folder = folder
        self._binary = binary
        self._counted_binary = counted_binary
        self._flags = flags
        self._tokens_of = tokens_of
        self._parts = parts
        self._folders = 0
        self._axes: list[tuple[str, str, list[Any], Callable[[Any], dict[str, float]]]] = [
            ("devices", INSTRUCTIONS, [10, 1_000, 100_000], self._with_devices),
            ("rules that don't match", INSTRUCTIONS, [0, 10, 1_000], self._with_rules),
            ("connections, one push at a time", INSTRUCTIONS, [1, 10, 100, 1_000, 5_000], self._with_connections),
            ("journal", INSTRUCTIONS, ["empty", "full"], self._with_journal),
            ("waiting calls", INSTRUCTIONS, [0, 1, 10, 100, 500], self._with_waiters),
            ("waiting calls, all threads", CPU, [0, 1, 10, 100, 500], self._cpu_with_waiters),
        ]

    def measure(self) -> list[Axis]:
        """The cost per push, by part where it is known, of each axis; prints each point when it is known."""
        # Each connection takes a descriptor here as well.
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        result: list[Axis] = []
        for axis, unit, values, point in self._axes:
            points = {}
            for value in values:
                points[str(value)] = parts = point(value)
                print(f"{axis} {value}: {sum(parts.values()):,.2f} {unit}", file=sys.stderr, flush=True)
            result.append({"axis": axis, "unit": unit, "points": points})
        return result

    def _with_devices(self, count: int) -> dict[str, float]:
        tokens = self._tokens_of(count)

        def push_to_all(connections: Connections, _: ServerProcess) -> None:
            connections.push(count, payload_of(PAYLOAD), BATCH_PUSHES_MAX)
        return self._count(self._mynah(), tokens=tokens, before=push_to_all)

    def _with_rules(self, count: int) -> dict[str, float]:
        if not count:
            return self._count(self._mynah())
        return self._count(MynahWithFaults(self._fresh_folder(), self._counted_binary, self._full_journal(), count))

    def _with_connections(self, count: int) -> dict[str, float]:
        def push_on_all(connections: Connections, _: ServerProcess) -> None:
            connections.push(count, payload_of(PAYLOAD), 1)
        return self._count(self._mynah(), connections=count, batch=1, before=push_on_all)

    def _with_journal(self, state: str) -> dict[str, float]:
        # By default it keeps more pushes than are sent.
        flags = self._full_journal() if state == "full" else self._flags
        return self._count(Mynah(self._fresh_folder(), self._counted_binary, flags))

    def _with_waiters(self, count: int) -> dict[str, float]:
        with contextlib.ExitStack() as waiting:
            mynah = self._mynah()
            return self._count(mynah, before=lambda _, process: self._wait(mynah, process, count, waiting))

    def _cpu_with_waiters(self, count: int) -> dict[str, float]:
        mynah = Mynah(self._fresh_folder(), self._binary, self._flags)
        load = Load(self._folder, self._tokens_of(DEVICES), [PAYLOAD], mynah.provider_token)
        with contextlib.ExitStack() as waiting, mynah.running() as (process, port):
            load.run(port, mynah.separator, PAYLOAD, CPU_PUSHES)
            self._wait(mynah, process, count, waiting)
            seconds = []
            for _ in range(CPU_RUNS):
                before = process.cpu_seconds()
                load.run(port, mynah.separator, PAYLOAD, CPU_PUSHES)
                seconds.append(process.cpu_seconds() - before)
        return {"all": median(seconds) / CPU_PUSHES * 1e6}

    def _wait(self, mynah: Mynah, process: ServerProcess, count: int, waiting: contextlib.ExitStack) -> None:
        """Makes calls that wait for what never comes."""
        for _ in range(count):
            waiting.enter_context(mynah.waiting_call())
        process.wait_until_idle()

    def _count(
        self, mynah: Mynah, tokens: list[str] | None = None, connections: int = 1, batch: int = BATCH_PUSHES_MAX,
        before: Callable[[Connections, ServerProcess], None] | None = None,
    ) -> dict[str, float]:
        callgrind = Callgrind(mynah, self._folder)
        headers = headers_of(mynah.provider_token)
        with contextlib.ExitStack() as opened:
            process, port = opened.enter_context(callgrind.running())
            paths = device_paths(mynah.separator, tokens or self._tokens_of(DEVICES))
            pushing = opened.enter_context(Connections(port, connections, headers, paths))
            if before:
                before(pushing, process)
            found = count_pushes(callgrind, pushing, self._parts, PAYLOAD, batch)
        return {part: instructions / 1_000 for part, instructions in found.items()}

    def _mynah(self) -> Mynah:
        return Mynah(self._fresh_folder(), self._counted_binary, self._full_journal())

    def _full_journal(self) -> list[str]:
        return [*self._flags, "--retain", str(RETAINED)]

    def _fresh_folder(self) -> str:
        """A folder in which no other server keeps its state."""
        self._folders += 1
        folder = os.path.join(self._folder, f"server-{self._folders}")
        os.makedirs(folder)
        return folder


def growth_report(measured: list[Axis]) -> str:
    """The costs of all axes as text, and for each that isn't flat the parts that grew."""
    lines = []
    for each in measured:
        lines.append(f"{each['axis']}, {each['unit']} per push")
        first = next(iter(each["points"].values()))
        expected = sum(first.values())
        for value, parts in each["points"].items():
            change = sum(parts.values()) / expected - 1
            lines.append(f"  {value:>7} {sum(parts.values()):>9,.2f}  {change:+.1%}")
            if abs(change) > FLAT:
                lines += [
                    f"            {part:<16} {count - first[part]:+9,.2f}" for part, count in parts.items()
                    if abs(count - first[part]) > FLAT / 10 * expected
                ]
    return "\n".join(lines)
