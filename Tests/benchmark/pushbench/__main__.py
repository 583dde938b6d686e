"""The command line of the benchmark; see --help."""

import argparse
import hashlib
import json
import os
import signal
import statistics
import sys
import tempfile

from . import broadcasts, clusters, instructions, latency
from .callgrind import without_debug_information
from .chart import chart
from .contestants import (
    RUN_PUSHES, Mynah, MynahForgetting, MynahKept, MynahRead, MynahWatched, MynahWithFaults, Nghttpd, NghttpdOneFile,
)  # fmt: skip
from .growth import Growth, growth_report
from .load import Load, stand_in_provider_token
from .parts import Parts
from .processes import BenchmarkError
from .report import cpu_microseconds, summary_of, table

# A short alert, one of some hundred bytes as most providers send, and the longest.
PAYLOADS = [55, 600, 4096]
SELF_CHECK_REQUESTS = 2_000
SELF_CHECK_FOLLOWERS = 1_000
# In the names of figures that so few requests, or some machines, don't give.
MAY_BE_MISSING = ("CPU", "cpu", "MicrosecondsPerPush", "cacheMisses")
# Long enough for a p99 of thousands of requests, short beside the saturated runs.
HALF_RATE_SECONDS = 2
READERS = 4


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
    parser.add_argument("--payloads", type=positive, nargs="+", metavar="BYTES",
                        help=f"default: {numbers(PAYLOADS)}; of counts, {numbers(instructions.PAYLOADS)}")
    parser.add_argument("--devices", type=positive, default=5_000, help="distinct paths; default: %(default)s")
    parser.add_argument("--faults", type=positive, metavar="COUNT",
                        help="also measures Mynah with so many fault rules that never match, and against itself without")
    parser.add_argument("--watchers", type=positive, metavar="COUNT",
                        help="also measures Mynah with so many readers of events, somebody who waits and its page open, "
                        "and against itself without")
    parser.add_argument("--kept", action="store_true",
                        help="also measures Mynah with --data, by both kinds of --sync, and against itself without; with "
                        "--instructions counts it too, by --sync normal")
    parser.add_argument("--starts", type=positive, default=10,
                        help="how often the time from start to ready is measured; default: %(default)s")
    parser.add_argument("--json", metavar="FILE", help="writes every figure")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--instructions", action="store_true",
                       help="counts user instructions per push under valgrind, by part of the path, and prints them beside "
                       "one run's CPU time; neither the machine nor what else runs changes the counts")
    modes.add_argument("--check", action="store_true",
                       help="counts the same and fails if a count differs by more than "
                       f"{instructions.TOLERANCE:.0%}% from that in counts.json, if that was made with the same versions")
    modes.add_argument("--record", action="store_true", help="counts the same and writes that file")
    modes.add_argument("--growth", metavar="SVG",
                       help="measures what a push costs over the number of devices, rules, connections and waiting calls, "
                       "and with an empty and a full journal, and draws it")
    modes.add_argument("--latency", action="store_true",
                       help="measures how long one client waits: for a push on an idle server and at half of the rate, with "
                       f"{READERS} readers of events, for the start, and for the time-outs of {latency.WAITERS} calls")
    modes.add_argument("--broadcast", action="store_true",
                       help=f"measures {broadcasts.BROADCASTS} broadcasts to {broadcasts.FOLLOWERS:,} followers, and how "
                       "long pushes on other connections wait meanwhile")
    modes.add_argument("--cluster", action="store_true",
                       help="measures one, two and three servers of a cluster with one and with three nodes of NATS, all on "
                       "this machine")
    modes.add_argument("--baseline-only", action="store_true", help="nghttpd alone: what this machine gives")
    modes.add_argument("--self-check", action="store_true",
                       help=f"one round of {SELF_CHECK_REQUESTS:,} requests, and broadcasts to {SELF_CHECK_FOLLOWERS:,} "
                       "followers; checks that every figure is there")
    chosen = parser.parse_args()
    chosen.counts = chosen.instructions or chosen.check or chosen.record
    chosen.payloads = chosen.payloads or (instructions.PAYLOADS if chosen.counts else PAYLOADS)
    chosen.times = not (chosen.counts or chosen.growth or chosen.latency or chosen.broadcast or chosen.cluster)
    further = chosen.faults or chosen.watchers or (chosen.kept and not chosen.instructions)
    if not chosen.times and further:
        parser.error("--faults, --watchers and --kept don't go with this mode; --kept goes with --instructions")
    if chosen.self_check:
        chosen.rounds, chosen.requests, chosen.starts = 1, SELF_CHECK_REQUESTS, 1
    return chosen


def numbers(values):
    return " ".join(str(value) for value in values)


def positive(text):
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is wrong: a whole number of 1 or more was expected")
    return number


def measure(contestant, load, payload, chosen):
    """One run against a fresh server, after one uncounted pass over all devices."""
    with contestant.running() as (process, port):
        idle = process.memory_bytes("VmRSS")
        load.run(port, contestant.separator, payload, requests=min(chosen.devices, chosen.requests))
        user, kernel = process.user_and_kernel_seconds()
        written, reads = process.written_bytes(), process.read_calls()
        with process.cache_misses() as cache_misses:
            seen = load.run(port, contestant.separator, payload, chosen.requests)
        user_now, kernel_now = process.user_and_kernel_seconds()
        written = process.written_bytes() - written
        reads = process.read_calls() - reads
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
        "cpuSeconds": user_now - user + kernel_now - kernel,
        "userSeconds": user_now - user,
        "kernelSeconds": kernel_now - kernel,
        "pushesPerRead": chosen.requests / max(reads, 1),
        "cacheMisses": cache_misses(),
        "writtenBytesPerPush": written / chosen.requests,
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
    """The instructions per push of every server, by payload, server and part of the path; prints them."""
    tokens = device_tokens(instructions.DEVICES)
    binary = without_debug_information(os.path.abspath(chosen.mynah), folder)
    flags = [*chosen.mynah_flag, "--retain", str(instructions.RETAINED)]
    mynah = Mynah(folder, binary, flags)
    contestants = [mynah, Nghttpd(folder, tokens)]
    # Not recorded: how many pushes share a batch depends on the machine.
    if chosen.kept:
        contestants.insert(1, MynahKept(folder, binary, flags, "normal"))
    known = None
    if chosen.check:
        known = instructions.recorded(chosen.payloads)
        if others := instructions.incomparable(known):
            print(f"not compared with the record, which was made with other versions: {others}")
            return {}
    cpu = {}
    # The comparison needs no CPU time, and no server that differs in its files only.
    if chosen.instructions:
        contestants.append(NghttpdOneFile(folder, tokens))
        load = Load(folder, tokens, chosen.payloads, mynah.provider_token)
        for contestant in contestants:
            for payload in chosen.payloads:
                print(f"CPU time: {contestant.name}, {payload} bytes", file=sys.stderr, flush=True)
                run = measure(contestant, load, payload, chosen)
                cpu[str(payload), contestant.name] = cpu_microseconds(run)
    counts = instructions.count(contestants, folder, tokens, chosen.payloads, mynah.provider_token, Parts())
    print(instructions.report(counts, mynah.name, cpu))
    if chosen.record:
        instructions.record(counts)
    if chosen.check:
        if found := instructions.differences(counts, known, mynah.name):
            raise BenchmarkError(found)
        print(f"\nas recorded, within {instructions.TOLERANCE:.0%}")
    return counts


def measure_growth(chosen, folder):
    """What a push costs over what the server holds; draws it."""
    binary = os.path.abspath(chosen.mynah)
    counted = without_debug_information(binary, folder)
    measured = Growth(folder, binary, counted, chosen.mynah_flag, device_tokens, Parts()).measure()
    print(growth_report(measured))
    axes = [
        (each["axis"], each["unit"], {value: sum(parts.values()) for value, parts in each["points"].items()})
        for each in measured
    ]
    with open(chosen.growth, "w", encoding="utf-8") as file:
        file.write(chart(axes))
    return measured


def measure_latency(chosen, folder):
    """How long one client waits, in milliseconds; prints it."""
    tokens, binary = device_tokens(chosen.devices), os.path.abspath(chosen.mynah)
    mynah = Mynah(folder, binary, chosen.mynah_flag)
    contestants = [
        Nghttpd(folder, tokens), NghttpdOneFile(folder, tokens), mynah,
        MynahRead(folder, binary, chosen.mynah_flag, READERS),
    ]  # fmt: skip
    load = Load(folder, tokens, [latency.PAYLOAD], mynah.provider_token)
    # The same for all: h2load sends at a rate by a burst every 10 ms, so its size decides the times.
    rate = latency.half_rate(mynah, load, chosen.requests)
    rounds = []
    for number in range(chosen.rounds):
        print(f"round {number + 1} of {chosen.rounds}", file=sys.stderr, flush=True)
        # In turn, as the machine changes.
        rounds.append({each.name: latency.push_latency(each, load, rate) for each in contestants})
    result = {
        name: {what: statistics.median(each[name][what] for each in rounds) for what in figures}
        for name, figures in rounds[0].items()
    }
    starts = [seconds * 1000 for seconds in seconds_to_ready(mynah, chosen.starts)]
    late = [seconds * 1000 for seconds in latency.lateness_of_time_outs(mynah)]
    result[mynah.name] |= {
        "start, median": statistics.median(starts), "start, best": min(starts),
        "time-out late, median": statistics.median(late), "time-out late, last": late[-1],
    }
    print(f"{chosen.rounds} rounds, half rate {rate:,.0f} pushes a second; medians over rounds")
    for name, figures in result.items():
        print(f"\n{name}")
        print("\n".join(f"  {what:<22} {milliseconds:>8.2f} ms" for what, milliseconds in figures.items()))
    return result


def measure_broadcasts(chosen, folder, followers=broadcasts.FOLLOWERS):
    """Broadcasts to many followers, and pushes meanwhile; prints the figures."""
    mynah = Mynah(folder, os.path.abspath(chosen.mynah), chosen.mynah_flag)
    tokens = device_tokens(chosen.devices)
    measured = broadcasts.measure_broadcasts(mynah, tokens, followers, broadcasts.BROADCASTS)
    print(broadcasts.broadcasts_report(measured))
    return measured


def measure_clusters(chosen, folder):
    """What servers of a cluster take together; prints the figures."""
    measured = clusters.measure_clusters(
        folder, os.path.abspath(chosen.mynah), chosen.mynah_flag, device_tokens(chosen.devices), chosen.requests)
    print(clusters.clusters_report(measured))
    return measured


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
        contestants.append(MynahForgetting(folder, os.path.abspath(chosen.mynah), chosen.mynah_flag))
        further = [(MynahWithFaults, chosen.faults), (MynahWatched, chosen.watchers)]
        for kind, count in further:
            if count:
                contestants.append(kind(folder, os.path.abspath(chosen.mynah), chosen.mynah_flag, count))
        for sync in ["normal", "full"] if chosen.kept else []:
            contestants.append(MynahKept(folder, os.path.abspath(chosen.mynah), chosen.mynah_flag, sync))
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
    kept = next((contestant for contestant in contestants if isinstance(contestant, MynahKept)), None)
    return {
        "providerTokenBytes": len(provider_token),
        "devices": chosen.devices,
        "servers": {contestant.name: contestant.note for contestant in contestants},
        "secondsToReady": starts,
        "runBytes": {payload: kept.run_bytes(load, payload) for payload in chosen.payloads} if kept else {},
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
    for payload, size in result["runBytes"].items():
        print(f"a run of {RUN_PUSHES:,} pushes of {payload} bytes: {size / 1e6:.0f} MB after a stop")
    if result["secondsToReady"]:
        milliseconds = [seconds * 1000 for seconds in result["secondsToReady"]]
        print(f"start to ready, trust material present: median {statistics.median(milliseconds):.1f} ms, "
              f"best {min(milliseconds):.1f} ms of {len(milliseconds)}")


def check_itself(result):
    """Fails when a figure is missing; the CPU time of so few requests may be below the kernel's resolution."""
    # Checks that the folders of the parts are there.
    Parts()
    for row in result["summary"]:
        missing = [key for key, value in row.items() if value is None and not any(word in key for word in MAY_BE_MISSING)]
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
            if chosen.counts:
                result = count_instructions(chosen, folder)
            elif chosen.growth:
                result = measure_growth(chosen, folder)
            elif chosen.latency:
                result = measure_latency(chosen, folder)
            elif chosen.broadcast:
                result = measure_broadcasts(chosen, folder)
            elif chosen.cluster:
                result = measure_clusters(chosen, folder)
            else:
                result, baselines = benchmark(chosen, folder)
                if chosen.self_check:
                    own_folder = os.path.join(folder, "broadcasts")
                    result["broadcasts"] = measure_broadcasts(chosen, own_folder, SELF_CHECK_FOLLOWERS)
    except BenchmarkError as error:
        sys.exit(f"benchmark: {error}")
    except FileNotFoundError as error:
        sys.exit(f"benchmark: {error.filename} is not there; --mynah names another binary")
    except KeyboardInterrupt:
        sys.exit(130)
    if chosen.times:
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
