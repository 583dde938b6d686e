"""The command line of the benchmark; see --help."""

import argparse
import hashlib
import json
import os
import signal
import statistics
import sys
import tempfile

from . import instructions
from .contestants import Mynah, MynahWatched, MynahWithFaults, Nghttpd, NghttpdOneFile
from .load import Load, stand_in_provider_token
from .processes import BenchmarkError
from .report import summary_of, table

SELF_CHECK_REQUESTS = 2_000
# Long enough for a p99 of thousands of requests, short beside the saturated runs.
HALF_RATE_SECONDS = 2


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tests/benchmark/run.sh",
        description="Runs nghttpd and Mynah in turn on the same APNs-like load and prints the ratios. "
        "Pushes per second of server CPU against nghttpd is the figure to look at: it is the least "
        "disturbed by what else runs. A time is never asserted.",
    )
    parser.add_argument("--mynah", default=".build/release/mynah", metavar="FILE", help="default: %(default)s")
    parser.add_argument("--mynah-flag", action="append", default=[], metavar="FLAG",
                        help="a further flag of `mynah serve`, as --mynah-flag=--retain=0; repeatable")
    parser.add_argument("--rounds", type=positive, default=5, help="default: %(default)s")
    parser.add_argument("--requests", type=positive, default=300_000, help="per run; default: %(default)s")
    parser.add_argument("--payloads", type=positive, nargs="+", default=[55, 4096], metavar="BYTES",
                        help="default: 55 4096")
    parser.add_argument("--devices", type=positive, default=5_000, help="distinct paths; default: %(default)s")
    parser.add_argument("--faults", type=positive, metavar="COUNT",
                        help="also measures Mynah with so many fault rules that never match, and against itself without")
    parser.add_argument("--watchers", type=positive, metavar="COUNT",
                        help="also measures Mynah with so many readers of events, somebody who waits and its page open, "
                        "and against itself without")
    parser.add_argument("--starts", type=positive, default=10,
                        help="how often the time from start to ready is measured; default: %(default)s")
    parser.add_argument("--instructions", action="store_true",
                        help="counts user instructions per push under valgrind, by part of the path, in place of times: "
                        "what else runs can't change them")
    parser.add_argument("--json", metavar="FILE", help="writes every figure")
    parser.add_argument("--baseline-only", action="store_true", help="nghttpd alone: what this machine gives")
    parser.add_argument("--self-check", action="store_true",
                        help=f"one round of {SELF_CHECK_REQUESTS:,} requests; checks that every figure is there")
    chosen = parser.parse_args()
    if chosen.instructions and (chosen.self_check or chosen.baseline_only or chosen.faults or chosen.watchers):
        parser.error("--instructions compares nghttpd and Mynah: "
                     "--self-check, --baseline-only, --faults and --watchers don't go with it")
    if chosen.self_check:
        chosen.rounds, chosen.requests, chosen.starts = 1, SELF_CHECK_REQUESTS, 1
    return chosen


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not 1 or more")
    return number


def measure(contestant, load, payload, chosen):
    """One run against a fresh server, after one uncounted pass over all devices."""
    with contestant.running() as (process, port):
        idle = process.memory_bytes("VmRSS")
        load.run(port, contestant.separator, payload, requests=min(chosen.devices, chosen.requests))
        before = process.cpu_seconds()
        seen = load.run(port, contestant.separator, payload, chosen.requests)
        cpu = process.cpu_seconds() - before
        peak = process.memory_bytes("VmHWM")
        half_rate = seen["requestsPerSecond"] / 2
        calm = load.run(
            port, contestant.separator, payload,
            requests=min(chosen.requests, max(1, round(half_rate * HALF_RATE_SECONDS))), rate=half_rate,
        )
    return {
        "server": contestant.name,
        "payload": payload,
        "requests": chosen.requests,
        "cpuSeconds": cpu,
        "idleBytes": idle,
        "peakBytes": peak,
        "p99AtHalfRateMicroseconds": calm["p99Microseconds"],
        **seen,
    }


def seconds_to_ready(mynah, times):
    """Wall time from exec to the ready line, with trust material present."""
    seconds = []
    for _ in range(times):
        with mynah.running():
            seconds.append(mynah.seconds_to_ready)
    return seconds


def count_instructions(chosen, folder):
    """The instructions per push of every server, by payload, server and part of the path; prints each when known."""
    tokens = device_tokens(instructions.DEVICES)
    binary = instructions.without_debug_information(os.path.abspath(chosen.mynah), folder)
    mynah = Mynah(folder, binary, [*chosen.mynah_flag, "--retain", str(instructions.RETAINED)])
    contestants = [Nghttpd(folder, tokens), NghttpdOneFile(folder, tokens), mynah]
    load = Load(folder, tokens, chosen.payloads, mynah.provider_token)
    result = {}
    for payload in chosen.payloads:
        counts = result[payload] = {}
        for contestant in contestants:
            print(f"{contestant.name}, {payload} bytes", file=sys.stderr, flush=True)
            counts[contestant.name] = instructions.instructions_per_push(contestant, load, payload, folder)
        print(instructions.report(payload, counts, mynah.name))
    return result


def device_tokens(count):
    return [hashlib.sha256(f"device {number}".encode()).hexdigest() for number in range(count)]


def benchmark(chosen, folder):
    """Everything measured, as one object."""
    tokens = device_tokens(chosen.devices)
    contestants = [Nghttpd(folder, tokens), NghttpdOneFile(folder, tokens)]
    baselines = [contestant.name for contestant in contestants]
    starts, provider_token = [], stand_in_provider_token()
    if not chosen.baseline_only:
        mynah = Mynah(folder, os.path.abspath(chosen.mynah), chosen.mynah_flag)
        provider_token = mynah.provider_token
        starts = seconds_to_ready(mynah, chosen.starts)
        contestants.append(mynah)
        further = [(MynahWithFaults, chosen.faults), (MynahWatched, chosen.watchers)]
        for kind, count in further:
            if count:
                contestants.append(kind(folder, os.path.abspath(chosen.mynah), chosen.mynah_flag, count))
        if len(contestants) > len(baselines) + 1:
            baselines.append(mynah.name)
    load = Load(folder, tokens, chosen.payloads, provider_token)
    runs = []
    for number in range(chosen.rounds):
        # Each round begins with another server, so that none always runs on a warmed machine.
        first = number % len(contestants)
        for contestant in contestants[first:] + contestants[:first]:
            for payload in chosen.payloads:
                print(f"round {number + 1} of {chosen.rounds}: {contestant.name}, {payload} bytes",
                      file=sys.stderr, flush=True)
                runs.append({"round": number + 1, **measure(contestant, load, payload, chosen)})
    names = [contestant.name for contestant in contestants]
    return {
        "providerTokenBytes": len(provider_token),
        "devices": chosen.devices,
        "servers": {contestant.name: contestant.note for contestant in contestants},
        "secondsToReady": starts,
        "summary": summary_of(runs, names, chosen.payloads, baselines),
        "runs": runs,
    }, baselines


def print_report(result, baselines, chosen):
    print(f"\n{chosen.rounds} rounds of {chosen.requests:,} pushes to {chosen.devices:,} devices, "
          f"provider token of {result['providerTokenBytes']} bytes; medians over rounds\n")
    print(table(result["summary"], baselines))
    print()
    for name, note in result["servers"].items():
        print(f"{name}: {note}")
    if result["secondsToReady"]:
        milliseconds = [seconds * 1000 for seconds in result["secondsToReady"]]
        print(f"start to ready, trust material present: median {statistics.median(milliseconds):.1f} ms, "
              f"best {min(milliseconds):.1f} ms of {len(milliseconds)}")


def check_itself(result):
    """Fails when a figure is missing; the CPU time of so few requests may be below the kernel's resolution."""
    for row in result["summary"]:
        missing = [key for key, value in row.items() if value is None and "CPU" not in key and "cpu" not in key]
        if missing:
            raise BenchmarkError(f"no figure for {', '.join(missing)} of {row['server']}")
    for name in result["servers"]:
        if not any(run["server"] == name for run in result["runs"]):
            raise BenchmarkError(f"{name} did not run")
    print("self-check passed")


def main():
    chosen = arguments()
    # A `with` block stops the servers on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with tempfile.TemporaryDirectory(prefix="mynah-benchmark-") as folder:
            if chosen.instructions:
                result = count_instructions(chosen, folder)
            else:
                result, baselines = benchmark(chosen, folder)
    except BenchmarkError as error:
        sys.exit(f"benchmark: {error}")
    except FileNotFoundError as error:
        sys.exit(f"benchmark: {error.filename} is not there; --mynah names another binary")
    except KeyboardInterrupt:
        sys.exit(130)
    if not chosen.instructions:
        print_report(result, baselines, chosen)
    if chosen.json:
        with open(chosen.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=2)
            file.write("\n")
    if chosen.self_check:
        try:
            check_itself(result)
        except BenchmarkError as error:
            sys.exit(f"benchmark: {error}")


main()
