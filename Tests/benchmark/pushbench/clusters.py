"""Clusters of Mynah on NATS JetStream: what several servers take together, and what it costs."""

import contextlib
import os
import shutil
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict

from .contestants import Mynah
from .load import Load
from .processes import BenchmarkError, ServerProcess

PAYLOAD = 55
SERVERS = [1, 2, 3]
NODES = [1, 3]


class Row(TypedDict):
    """What servers take together with so many nodes of the engine."""

    servers: int
    nodes: int
    # Of all servers together.
    pushesPerSecond: float
    p99Milliseconds: float
    p99AtHalfRateMilliseconds: float
    serverMicrosecondsPerPush: float
    engineMicrosecondsPerPush: float


class Member(Mynah):
    """A server of a cluster, with the trust material of all."""

    def __init__(self, folder: str, binary: str, flags: list[str], number: int) -> None:
        self.name = f"mynah-{number}"
        # Makes the trust material, and so begins without a cluster.
        super().__init__(folder, binary, flags)
        self._own_flags = flags

    def join(self, urls: list[str]) -> None:
        """From the next start on it is a server of that cluster."""
        self._flags = [*self._own_flags, "--cluster-server", self.name, "--cluster-replicas", str(len(urls)),
                       *(word for url in urls for word in ("--cluster", url))]


def measure_clusters(folder: str, binary: str, flags: list[str], tokens: list[str], requests: int) -> list[Row]:
    """Each number of servers with each number of nodes, all on this machine, pushes to all servers at once."""
    members = [Member(folder, binary, flags, number) for number in range(1, max(SERVERS) + 1)]
    loads = []
    for member in members:
        own = os.path.join(folder, f"load-{member.name}")
        os.makedirs(own)
        loads.append(Load(own, tokens, [PAYLOAD], member.provider_token))
    rows: list[Row] = []
    for nodes in NODES:
        for count in SERVERS:
            with contextlib.ExitStack() as stack:
                engine, urls = _start_engine(stack, os.path.join(folder, f"engine-{nodes}-{count}"), nodes)
                servers = []
                for member in members[:count]:
                    member.join(urls)
                    servers.append(stack.enter_context(member.running()))
                rows.append(_measure(servers, engine, loads, len(tokens), requests))
    return rows


def _measure(
    servers: list[tuple[ServerProcess, int]], engine: list[ServerProcess], loads: list[Load], devices: int, requests: int
) -> Row:
    each = requests // len(servers)

    def run(count: int, rate: float | None = None) -> list[dict[str, Any]]:
        with ThreadPoolExecutor(len(servers)) as pool:
            running = [
                pool.submit(load.run, port, "/", PAYLOAD, count, rate) for (_, port), load in zip(servers, loads)
            ]
            return [one.result() for one in running]

    def seconds(processes: list[ServerProcess]) -> float:
        return sum(process.cpu_seconds() for process in processes)

    processes = [process for process, _ in servers]
    run(devices)
    before = seconds(processes), seconds(engine)
    seen = run(each)
    spent = seconds(processes) - before[0], seconds(engine) - before[1]
    total = sum(one["requestsPerSecond"] for one in seen)
    rate = total / 2 / len(servers)
    calm = run(max(1, min(each, round(rate * 2))), rate)
    return {
        "servers": len(servers),
        "nodes": len(engine),
        "pushesPerSecond": total,
        "p99Milliseconds": max(one["p99Microseconds"] for one in seen) / 1000,
        "p99AtHalfRateMilliseconds": max(one["p99Microseconds"] for one in calm) / 1000,
        "serverMicrosecondsPerPush": spent[0] * 1e6 / (each * len(servers)),
        "engineMicrosecondsPerPush": spent[1] * 1e6 / (each * len(servers)),
    }


def clusters_report(rows: list[Row]) -> str:
    """The figures as text."""
    lines = [
        f"pushes of {PAYLOAD} bytes to all servers at once; nodes and servers share this machine",
        "",
        "servers  nodes     push/s  p99 ms  p99 ms ½ rate  servers' CPU µs/push  engine's CPU µs/push",
    ]
    lines += [
        f"{row['servers']:>7}  {row['nodes']:>5}  {row['pushesPerSecond']:>9,.0f}  {row['p99Milliseconds']:>6.1f}"
        f"  {row['p99AtHalfRateMilliseconds']:>13.1f}  {row['serverMicrosecondsPerPush']:>20.1f}"
        f"  {row['engineMicrosecondsPerPush']:>20.1f}"
        for row in rows
    ]
    return "\n".join(lines)


def _start_engine(stack: contextlib.ExitStack, folder: str, nodes: int) -> tuple[list[ServerProcess], list[str]]:
    binary = shutil.which("nats-server")
    if binary is None:
        raise BenchmarkError("nats-server is missing: apt-get install nats-server")
    ports = [stack.enter_context(_held_port()) for _ in range(2 * nodes)]
    routes = ",".join(f"nats://127.0.0.1:{port}" for port in ports[nodes:])
    processes = []
    for number in range(nodes):
        command = [binary, "--name", f"node-{number}", "--addr", "127.0.0.1", "--port", str(ports[number]), "--jetstream",
                   "--store_dir", os.path.join(folder, str(number))]
        if nodes > 1:
            command += ["--cluster_name", "engine", "--cluster", f"nats://127.0.0.1:{ports[nodes + number]}",
                        "--routes", routes]
        processes.append(stack.enter_context(ServerProcess(command)))
    return processes, [f"nats://127.0.0.1:{port}" for port in ports[:nodes]]


@contextlib.contextmanager
def _held_port() -> Iterator[int]:
    """A port that the kernel gives to nobody else meanwhile; a server that asks for it and reuses addresses gets it."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
