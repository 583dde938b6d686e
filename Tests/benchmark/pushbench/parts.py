"""The part of a push's path that each instruction belongs to.

What decides is where a function comes from: its library, or the folder of Sources that declares the type which it belongs
to. Everything else serves several parts (the Swift runtime, the C library, hash tables, clocks): its instructions are
charged to the functions that call it, by what each of their calls costs.
"""

import collections
import os
import re
from collections.abc import Callable, Iterator

from .callgrind import Function, Profile
from .processes import BenchmarkError

SOURCES = os.path.join(os.path.dirname(__file__), "..", "..", "..", "Sources")

# The parts in the order of the path. Where the table names a folder as well as one inside it, the inner one counts.
FOLDERS = {
    "MynahWire": "wire and TLS",
    "MynahWire/HTTP2": "HTTP/2",
    "APNsRules": "trust and rules",
    "MynahTrust": "trust and rules",
    "Mynah/Trust": "trust and rules",
    "MynahCore/Faults": "faults",
    "Mynah/Faults": "faults",
    "MynahCore/Devices": "device",
    "MynahCore/Screen": "device",
    "Mynah/Devices": "device",
    "MynahCore/Journal": "journal",
    "MynahCore/Expectations": "journal",
    "Mynah/Journal": "journal",
    "Mynah": "reply",
    "MynahStore": "log",
    "MynahCore/Coding": "log",
    "Mynah/Order": "log",
    "Mynah/Cluster": "log",
}
LIBRARIES = {
    "libnghttp2": "HTTP/2", "libssl": "wire and TLS", "libcrypto": "wire and TLS", "NIO": "wire and TLS",
    "libsqlite3": "log",
}
# What no part calls; next to nothing.
OTHER = "other"
PARTS = [*dict.fromkeys(FOLDERS.values()), OTHER]

PASSES_MAX = 200
# A share that changes by less is known well enough.
SHARE_PRECISION = 1e-4

_DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate|final|indirect)\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)",
    re.MULTILINE,
)

_LENGTH = re.compile(r"[1-9]\d*")
_WORD = re.compile(r"[A-Z][A-Z]*[^A-Z_]+|[A-Z]{2,}|[^A-Z_]{2,}")


class Parts:
    """Knows the part of every function whose own source or library says it."""

    def __init__(self, sources: str = SOURCES) -> None:
        self._part_of_type: dict[tuple[str, str], str] = {}
        self._part_of_module: dict[str, str] = {}
        for folder, part in sorted(FOLDERS.items()):
            path = os.path.join(sources, folder)
            module = folder.split("/")[0]
            # The part of a renamed folder must not go to another one silently.
            if not os.path.isdir(path):
                raise BenchmarkError(f"FOLDERS in parts.py names Sources/{folder}, which is not there: a folder expected")
            if module == folder:
                self._part_of_module[module] = part
            for name in _declared_types(path):
                self._part_of_type[module, name] = part
        self._modules = {name for name in os.listdir(sources) if os.path.isdir(os.path.join(sources, name))}

    def part(self, function: Function) -> str | None:
        """The part that a function belongs to, or None if its callers say."""
        object_path, symbol = function
        library = os.path.basename(object_path).partition(".")[0]
        if library in LIBRARIES:
            return LIBRARIES[library]
        names = _names(symbol)
        if not names:
            return None
        module = names[0]
        if module.lstrip("_").startswith("NIO"):
            return LIBRARIES["NIO"]
        if module not in self._modules:
            return None
        return self._part_of_type.get((module, names[-1]), self._part_of_module.get(module))

    def table(self, profile: Profile) -> dict[str, float]:
        """The instructions of a profile by part; their sum is the profile's."""
        shares = self._shares(profile)
        result = dict.fromkeys(PARTS, 0.0)
        for function, count in profile.own.items():
            for part, share in shares(function).items():
                result[part] += count * share
        return result

    def _shares(self, profile: Profile) -> Callable[[Function], dict[str, float]]:
        """A function that gives the shares of the parts in a function's own instructions."""
        known: dict[Function, dict[str, float]] = {}
        callers: dict[Function, list[tuple[Function, int]]] = collections.defaultdict(list)
        for function in profile.own.keys() | {function for call in profile.calls for function in call}:
            part = self.part(function)
            if part:
                known[function] = {part: 1.0}
        for (caller, called), count in profile.calls.items():
            if called not in known and caller != called and count > 0:
                callers[called].append((caller, count))
        nothing: dict[str, float] = {}
        shares = dict(known)
        # Functions without a part call one another in cycles: repeated until nothing changes.
        for _ in range(PASSES_MAX):
            change = 0.0
            for function, calls in callers.items():
                sums: dict[str, float] = collections.defaultdict(float)
                for caller, count in calls:
                    for part, share in shares.get(caller, nothing).items():
                        sums[part] += count * share
                total = sum(sums.values())
                fresh = {part: value / total for part, value in sums.items()} if total else nothing
                old = shares.get(function, nothing)
                change = max([change] + [abs(fresh.get(part, 0) - old.get(part, 0)) for part in fresh | old])
                shares[function] = fresh
            if change < SHARE_PRECISION:
                break
        return lambda function: shares.get(function) or {OTHER: 1.0}


def _declared_types(folder: str) -> Iterator[str]:
    """The names of the types that the Swift files below a folder declare at their top level."""
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".swift"):
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    yield from _DECLARATION.findall(file.read())


def _names(symbol: str) -> list[str]:
    """The module and the outermost type at the beginning of a mangled Swift name, or the module alone.

    Empty for all other symbols, and for a function of a generic type of Swift's library, whatever it is specialized for.
    """
    if not symbol.startswith("$s"):
        return []
    names: list[str] = []
    words: list[str] = []
    index = 2
    while len(names) < 2:
        name, index = _identifier(symbol, index, words)
        if not name:
            break
        names.append(name)
    return names


def _identifier(symbol: str, index: int, words: list[str]) -> tuple[str, int]:
    """The identifier at an index, and the index after it; empty if there is none.

    `9MynahCore` is spelt out. `0A5TableV` takes words that the symbol had before in place of letters, the last of which is
    in upper case; then the rest is spelt out, or `0` if nothing is left.
    """
    text = ""
    substitutes = symbol.startswith("0", index)
    if substitutes:
        index += 1
    while True:
        while substitutes and index < len(symbol) and symbol[index].isalpha():
            substitutes = symbol[index].islower()
            number = ord(symbol[index].upper()) - ord("A")
            if number >= len(words):
                return "", index
            text += words[number]
            index += 1
        if text and symbol.startswith("0", index):
            return text, index + 1
        length = _LENGTH.match(symbol, index)
        if not length:
            return text, index
        index = length.end() + int(length[0])
        literal = symbol[length.end():index]
        text += literal
        words += _WORD.findall(literal)
        if not substitutes:
            return text, index
