"""What a server that runs for long must not do: grow, and become slower, with everything that it has been asked."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from commands import run
from server import Mynah

# Half of it warms the server up; over the other half nothing may grow.
READS = 20_000
UNMET = 400
# A closure that each read wraps once more took 300 bytes a read.
BYTES_PER_READ_MAX = 60
# So that a chain of objects that many reads have made is noticed when it is released.
STACK_BYTES = 1 << 20


@contextmanager
def small_stacks() -> Iterator[None]:
    """Processes that are started here have small stacks."""
    before = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, before)


def anonymous_bytes(mynah: Mynah) -> int:
    """The memory of the server's process that is backed by no file."""
    for line in Path(f"/proc/{mynah.pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Anonymous:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("the kernel does not tell how much memory is anonymous")


def cpu_seconds(mynah: Mynah) -> float:
    """The processor time of the server's process, which other processes do not lengthen as they do a wall clock's."""
    fields = Path(f"/proc/{mynah.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(mynah: Mynah, count: int, target: str, *further: str) -> None:
    """Asks the control API for the same thing many times."""
    done = run("h2load", "--h1", "-n", str(count), "-c", "4", *further, f"{mynah.control_url}{target}")
    assert f"{count} succeeded" in done.stdout.decode(), done.stdout.decode() + done.stderr.decode()


def test_a_read_costs_the_same_however_many_came_before(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    expectation = tmp_path / "expectation.json"
    expectation.write_text('{"match":{"topic":"com.example.nobody"},"within":"0s"}')
    with small_stacks():
        mynah = own_mynah()
    costs = []
    memory = []
    for _ in range(4):
        before = cpu_seconds(mynah)
        ask(mynah, READS // 4, "/v1/notifications?limit=1")
        costs.append(cpu_seconds(mynah) - before)
        memory.append(anonymous_bytes(mynah))
    assert memory[3] - memory[1] < BYTES_PER_READ_MAX * READS // 2, memory
    assert costs[3] < 3 * costs[0], costs
    ask(mynah, UNMET, "/v1/expectations", "-d", str(expectation))
    # Fails unless the server ends with 0.
    mynah.stop()
