"""Instructions per push, counted by callgrind: what the machine's load cannot change.

A server runs twice under valgrind, with different numbers of pushes; the difference of the counts over the difference
of the numbers is the cost of a push, without start and stop. Only user instructions are seen, not the kernel's.
"""

import collections
import glob
import os
import re
import subprocess

from .processes import BenchmarkError

# The journal is full and evicts from the first counted push on.
RETAINED = 2_000
DEVICES = 500
# Pushes of the two runs.
FEW, MANY = 3_000, 13_000

# The part of the path that a function belongs to: by the module and the type in its symbol, the first that fits.
PARTS = [
    ("device", re.compile(r"9MynahCore.*(Device|Inbox|Unregist|StoredPush|Coalesc|Delivery|Screen|NotificationCent)")),
    ("journal", re.compile(r"9MynahCore.*(Journal|Entry|Repeat|Evict|Waiting)|5Mynah.*Journal")),
    ("faults", re.compile(r"(9MynahCore|5Mynah[0-9]).*Fault")),
    ("trust and rules", re.compile(r"9APNsRules|10MynahTrust|5Mynah.*Trust")),
    ("devices and time, shared", re.compile(r"9MynahCore")),
    ("push path and reply", re.compile(r"\$s5Mynah")),
    ("wire", re.compile(r"9MynahWire")),
    ("NIO", re.compile(r"\$s\w*(7NIOCore|8NIOPosix)|^CNIO|c_nio")),
    ("Swift runtime and library", re.compile(r"^_?swift_|^\$s|^_ZN?K?5swift|^_ZL?\d*swift|^\$S|^Swift")),
]
OBJECTS = [
    ("HTTP/2 (nghttp2)", re.compile(r"libnghttp2")),
    ("TLS (OpenSSL)", re.compile(r"lib(ssl|crypto)")),
    ("C library", re.compile(r"lib(c|m|pthread|stdc\+\+|gcc_s|ev)[-.]|/ld-|vgpreload")),
]
OTHER = "other"


def without_debug_information(binary, folder):
    """A copy with its symbols only: valgrind gives up on the debug information of some compilers."""
    # A missing file is named as it is elsewhere, not by strip.
    os.stat(binary)
    copy = os.path.join(folder, "mynah-symbols")
    subprocess.run(["strip", "--strip-debug", "-o", copy, binary], check=True)
    return copy


def instructions_per_push(contestant, load, payload, folder):
    """The instructions of one push, by part of the path."""
    few, many = (_counted(contestant, load, payload, requests, folder) for requests in (FEW, MANY))
    return {part: (many[part] - few[part]) / (MANY - FEW) for part in many if many[part] != few[part]}


def report(payload, counts, name):
    """The counts of all servers as text, with ratios, and those of one by part."""
    own = sum(counts[name].values())
    lines = [f"\n{payload} bytes: user instructions per push, journal full"]
    for server, parts in counts.items():
        total = sum(parts.values())
        lines.append(f"  {server:<28} {total:>9,.0f}  {name} ÷ this {own / total:.2f}")
    for part, count in sorted(counts[name].items(), key=lambda pair: -pair[1]):
        lines.append(f"    {part:<26} {count:>9,.0f}  {count / own:.0%}")
    return "\n".join(lines)


def _counted(contestant, load, payload, requests, folder):
    """The instructions of a whole run, by part."""
    pattern = os.path.join(folder, "callgrind.out")
    for path in glob.glob(pattern + "*"):
        os.remove(path)
    # Hashes seeded by chance would make tables differ from run to run.
    runner = [
        "env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--tool=callgrind", "--quiet",
        f"--callgrind-out-file={pattern}",
    ]
    with contestant.running(runner) as (_, port):
        load.run(port, contestant.separator, payload, requests)
    counts = collections.Counter()
    for path in glob.glob(pattern + "*"):
        with open(path, encoding="utf-8", errors="replace") as file:
            _add_own_costs(file, counts)
    if not counts:
        raise BenchmarkError(f"{contestant.name}: callgrind wrote no counts")
    return counts


def _add_own_costs(lines, counts):
    """Adds the costs of each function itself, without what it calls, to the count of its part."""
    names, objects, of_call, part, current_object = {}, {}, False, OTHER, ""
    for line in lines:
        if line[0].isdigit() or line[0] in "+-*":
            if of_call:
                of_call = False
            else:
                counts[part] += int(line.split()[1])
        elif line.startswith("ob="):
            current_object = _resolved(line[3:], objects)
        elif line.startswith("fn="):
            part = _part_of(_resolved(line[3:], names), current_object)
        elif line.startswith("cfn="):
            _resolved(line[4:], names)
        elif line.startswith("cob="):
            _resolved(line[4:], objects)
        elif line.startswith("calls="):
            of_call = True


def _resolved(text, known):
    """The name of `(number) name`, which is written out at its first use only."""
    number, _, name = text.strip().partition(" ")
    if name:
        known[number] = name
    return known.get(number, number)


def _part_of(name, object_path):
    for part, pattern in OBJECTS:
        if pattern.search(object_path):
            return part
    for part, pattern in PARTS:
        if pattern.search(name):
            return part
    return OTHER
