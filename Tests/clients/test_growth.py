"""What a server that runs for long must not do: grow, and become slower, with everything that it has been asked."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commands import run
from server import Mynah
from waiting import measured

pytestmark = pytest.mark.measures

# What is measured at a time; the first two parts warm the server up.
READS = 5000
# How often further parts are tried where the machine, or the allocator, has spoilt one: what grows does so in each.
TRIES = 6
UNMET = 400
# Certificates and keys: how many are made before, and of how many calls the cost is compared.
MADE = 600
CALLS = 40
# What a start may take for each revoked certificate, in a debug build.
START_SECONDS_MAX = 0.001
# A closure that each read wraps once more took 300 bytes a read.
BYTES_PER_READ_MAX = 60
COST_RATIO_MAX = 3
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

    def cost_of_a_part() -> float:
        before = cpu_seconds(mynah)
        ask(mynah, READS, "/v1/notifications?limit=1")
        return cpu_seconds(mynah) - before

    def growth_of_two_parts() -> int:
        before = mynah.anonymous_bytes()
        for _ in range(2):
            cost_of_a_part()
        return mynah.anonymous_bytes() - before

    first, _ = cost_of_a_part(), cost_of_a_part()
    measured(growth_of_two_parts, lambda growth: growth < BYTES_PER_READ_MAX * 2 * READS, TRIES)
    # As often as need be, against the very first.
    measured(cost_of_a_part, lambda cost: cost < COST_RATIO_MAX * first, TRIES)
    ask(mynah, UNMET, "/v1/expectations", "-d", str(expectation))
    # Fails unless the server ends with 0.
    mynah.stop()


def made_and_revoked(mynah: Mynah) -> None:
    """A certificate that is issued, read and revoked, as a test does it."""
    order = {"topics": ["com.example.app"], "keyType": "ec"}
    serial_number = mynah.control.post("/v1/certificates", order)["serialNumber"]
    assert mynah.control.get(f"/v1/certificates/{serial_number}")["revokedAt"] is None
    assert mynah.control.delete(f"/v1/certificates/{serial_number}")["revokedAt"]


def test_a_certificate_costs_the_same_however_many_were_made_before(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()

    def cost(calls: int, server: Mynah = mynah) -> float:
        before = cpu_seconds(server)
        for _ in range(calls):
            made_and_revoked(server)
        return cpu_seconds(server) - before

    cost(2)
    first = cost(CALLS)
    cost(MADE)
    measured(lambda: cost(CALLS), lambda cost: cost < COST_RATIO_MAX * first, TRIES)
    # Nor does the next server begin with them.
    mynah.stop()
    folder = mynah.ca_file.parent
    again = own_mynah("--state-dir", str(folder), folder=folder.parent / "again")
    start = cpu_seconds(again)
    empty = own_mynah(folder=folder.parent / "empty")
    assert start - cpu_seconds(empty) < MADE * START_SECONDS_MAX
    measured(lambda: cost(CALLS, again), lambda cost: cost < COST_RATIO_MAX * first, TRIES)
    page = again.control.get("/v1/certificates?limit=1&order=desc")
    assert page["matched"] >= MADE + 2 * CALLS


def test_a_key_costs_the_same_however_many_were_revoked_before(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()

    def cost(first: int, calls: int) -> float:
        before = cpu_seconds(mynah)
        for number in range(first, first + calls):
            mynah.control.put(f"/v1/keys/KEY{number:07}", {})
            mynah.control.delete(f"/v1/keys/KEY{number:07}")
        return cpu_seconds(mynah) - before

    cost(0, 2)
    first = cost(2, CALLS)
    cost(CALLS + 2, 3 * MADE)
    numbers = iter(range(4 * MADE, 100 * MADE, CALLS))
    measured(lambda: cost(next(numbers), CALLS), lambda cost: cost < COST_RATIO_MAX * first, TRIES)
