"""User instructions per push, counted by callgrind, and the comparison with the recorded counts.

The kernel's instructions are not seen. A count is the same on every machine and under any load, to one in a thousand.
"""

import json
import os
import re
import subprocess
from typing import Any

from .callgrind import Callgrind
from .connections import Connections, batch_size, device_paths
from .contestants import Contestant
from .load import headers_of, payload_of
from .parts import Parts
from .processes import BenchmarkError

# The sizes that are counted and recorded: of what lies between, each part costs something between.
PAYLOADS = [55, 4096]
# The instructions per push by payload, server and part.
Counts = dict[str, dict[str, dict[str, int]]]

RECORD = os.path.join(os.path.dirname(__file__), "..", "counts.json")
# How far a count may be from the recorded one.
TOLERANCE = 0.03
# A part is named as changed if that much of the whole push came or went.
PART_TOLERANCE = 0.002

DEVICES = 500
# The journal is full, and evicts, from the first counted push on.
RETAINED = 500
WARM_UP_PUSHES = 600
COUNTED_PUSHES = 2_000

# What is counted along with Mynah, what counts and what compiles it, and how it tells its version.
OTHERS = {
    "Swift": ["swift", "--version"],
    "valgrind": ["valgrind", "--version"],
    "nghttp2": ["nghttpd", "--version"],
    "OpenSSL": ["openssl", "version"],
    "C library": ["getconf", "GNU_LIBC_VERSION"],
}


def count_pushes(
    callgrind: Callgrind, connections: Connections, parts: Parts, payload: int, batch: int
) -> dict[str, float]:
    """The instructions of one push by part of the path."""
    body = payload_of(payload)
    counted = -(-COUNTED_PUSHES // batch) * batch
    profile = callgrind.profile(
        prepare=lambda: connections.push(WARM_UP_PUSHES, body, batch),
        load=lambda: connections.push(counted, body, batch),
    )
    return {part: instructions / counted for part, instructions in parts.table(profile).items()}


def count(
    contestants: list[Contestant], folder: str, tokens: list[str], payloads: list[int], provider_token: str, parts: Parts
) -> Counts:
    """Counts pushes of every size to every server."""
    counts: Counts = {str(payload): {} for payload in payloads}
    for contestant in contestants:
        callgrind = Callgrind(contestant, folder)
        with callgrind.running() as (_, port):
            headers = headers_of(provider_token)
            with Connections(port, 1, headers, device_paths(contestant.separator, tokens)) as connections:
                for payload in payloads:
                    found = count_pushes(callgrind, connections, parts, payload, batch_size(payload))
                    counts[str(payload)][contestant.name] = {part: round(value) for part, value in found.items()}
    return counts


def report(counts: Counts, name: str, cpu_microseconds: dict[tuple[str, str], float | None]) -> str:
    """The counts of all servers as text, beside their CPU time by payload and server, and those of Mynah by part."""
    lines = ["User instructions per push, journal full:"]
    for payload, servers in counts.items():
        own = sum(servers[name].values())
        lines += ["", f"{payload} bytes, {batch_size(int(payload))} pushes at a time"]
        for server, parts in servers.items():
            total = sum(parts.values())
            cpu = cpu_microseconds.get((payload, server))
            beside = f"  {cpu:6.2f} µs of CPU" if cpu else ""
            lines.append(f"  {server:<18} {total:>8,}  {name} ÷ this {own / total:.2f}{beside}")
        for server, parts in servers.items():
            if not server.startswith(name):
                continue
            total = sum(parts.values())
            lines.append(f"  {server} by part")
            lines += [f"    {part:<16} {value:>8,}  {value / total:4.0%}" for part, value in parts.items() if value]
    return "\n".join(lines)


def versions() -> dict[str, str]:
    """The versions on which the counts depend."""
    said = {name: subprocess.run(command, capture_output=True, text=True, check=True).stdout
            for name, command in OTHERS.items()}
    return {name: " ".join(re.findall(r"\d+\.[\w.]+", text)[:1]) for name, text in said.items()}


def record(counts: Counts) -> None:
    """Writes the counts that later ones are compared with."""
    with open(RECORD, "w", encoding="utf-8") as file:
        json.dump({"versions": versions(), "instructionsPerPush": counts}, file, indent=2)
        file.write("\n")


def recorded(payloads: list[int]) -> dict[str, Any]:
    """What was recorded."""
    try:
        with open(RECORD, encoding="utf-8") as file:
            known = json.load(file)
    except FileNotFoundError as error:
        raise BenchmarkError(f"{error.filename} is missing; --record writes it") from error
    for payload in payloads:
        if str(payload) not in known["instructionsPerPush"]:
            raise BenchmarkError(
                f"no counts are recorded for {payload} bytes, only for {', '.join(known['instructionsPerPush'])}"
            )
    return known


def incomparable(known: dict[str, Any]) -> str:
    """Which versions here are not those of the record, as text; empty if none differs."""
    return ", ".join(
        f"{what} {version} (recorded: {known['versions'].get(what)})"
        for what, version in versions().items() if version != known["versions"].get(what)
    )


def differences(counts: Counts, known: dict[str, Any], name: str) -> str:
    """What differs by more than the tolerance from the record, as text; empty if nothing does."""
    lines: list[str] = []
    for payload, servers in counts.items():
        before, now = (each[name] for each in (known["instructionsPerPush"][payload], servers))
        total = sum(before.values())
        change = sum(now.values()) / total - 1
        if abs(change) <= TOLERANCE:
            continue
        lines.append(
            f"{name}, {payload} bytes: {sum(now.values()):,} instructions per push, {change:+.1%}: "
            f"expected {total:,} ± {TOLERANCE:.0%}"
        )
        grown = {part: now.get(part, 0) - before.get(part, 0) for part in now | before}
        for part in sorted(grown, key=lambda part: -abs(grown[part])):
            if abs(grown[part]) > PART_TOLERANCE * total:
                lines.append(f"    {part:<16} {grown[part]:+8,}  to {now.get(part, 0):,}")
    if lines:
        lines.append("Where that is intended: Tests/benchmark/run.sh --record, and commit counts.json")
    return "\n".join(lines)
