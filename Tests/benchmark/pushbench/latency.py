"""Latencies of what one client waits for: a push on an idle server, a push at half of the rate, a call's time-out."""

import selectors
import socket
import time
import urllib.parse

from .contestants import NEVER, Contestant, Mynah
from .load import Load
from .processes import BenchmarkError

PAYLOAD = 55
# Far enough apart for all threads to have gone to sleep.
IDLE_PUSHES, IDLE_RATE = 300, 100
WARMING_PUSHES, RATE_SECONDS = 20_000, 2
WAITERS, WAIT_SECONDS = 500, 2
ANSWER_SECONDS_MAX = 300


def push_latency(contestant: Contestant, load: Load, rate: float) -> dict[str, float]:
    """Quantiles of the time that a push takes, in milliseconds: alone, and among pushes at a rate per second."""
    with contestant.running() as (_, port):
        for _ in range(2):
            alone = load.run(port, contestant.separator, PAYLOAD, IDLE_PUSHES, rate=IDLE_RATE, connections=1)
        load.run(port, contestant.separator, PAYLOAD, WARMING_PUSHES)
        many = load.run(port, contestant.separator, PAYLOAD, round(rate * RATE_SECONDS), rate=rate)
    return {
        "idle p50": alone["p50Microseconds"] / 1000,
        "idle p99": alone["p99Microseconds"] / 1000,
        "half rate p50": many["p50Microseconds"] / 1000,
        "half rate p99": many["p99Microseconds"] / 1000,
    }


def half_rate(contestant: Contestant, load: Load, requests: int) -> float:
    """Half of the pushes per second that a server takes."""
    with contestant.running() as (_, port):
        load.run(port, contestant.separator, PAYLOAD, WARMING_PUSHES)
        return float(load.run(port, contestant.separator, PAYLOAD, requests)["requestsPerSecond"]) / 2


def lateness_of_time_outs(mynah: Mynah) -> list[float]:
    """By how many seconds the answers to calls that wait come after their time-out, in order."""
    with mynah.running():
        address = urllib.parse.urlsplit(mynah.control_url)
        request = (
            f"GET /v1/notifications?{NEVER}&wait={WAIT_SECONDS}s HTTP/1.1\r\nhost: {address.netloc}\r\n\r\n"
        ).encode()
        lateness: list[float] = []
        with selectors.DefaultSelector() as selector:
            opened = [socket.create_connection((address.hostname, address.port)) for _ in range(WAITERS)]
            try:
                for connection in opened:
                    due = time.monotonic() + WAIT_SECONDS
                    selector.register(connection, selectors.EVENT_READ, (connection, due))
                    connection.sendall(request)
                while len(lateness) < WAITERS:
                    ready = selector.select(ANSWER_SECONDS_MAX)
                    now = time.monotonic()
                    if not ready:
                        raise BenchmarkError(f"only {len(lateness)} of {WAITERS} calls that wait were answered")
                    for key, _ in ready:
                        connection, due = key.data
                        if not connection.recv(65_536).startswith(b"HTTP/1.1 200"):
                            raise BenchmarkError("a call that waits was not answered with 200")
                        lateness.append(now - due)
                        selector.unregister(connection)
            finally:
                for connection in opened:
                    connection.close()
        return sorted(lateness)
