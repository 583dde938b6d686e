"""A server under callgrind, and the profiles that it leaves: the instructions of functions and of the calls among them."""

import collections
import contextlib
import glob
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator

from .contestants import Contestant
from .processes import BenchmarkError, ServerProcess

SLOW_CLOCK = os.path.join(os.path.dirname(__file__), "..", "slow_clock.c")


Function = tuple[str, str]


class Profile:
    """User instructions.

    A function is the pair of its object file's path and its symbol. `own` has the instructions of each function without
    what it calls; `calls` has those of each pair of caller and called function, with all that the called one calls.
    """

    def __init__(self) -> None:
        self.own: collections.Counter[Function] = collections.Counter()
        self.calls: collections.Counter[tuple[Function, Function]] = collections.Counter()

    def serves_pushes(self) -> bool:
        """Whether HTTP/2 was received in it, by nghttp2_session_mem_recv or its successor, or a log written."""
        return any(symbol.startswith("nghttp2_session_mem_recv") or "BatchFiles" in symbol for _, symbol in self.own)

    def read(self, lines: Iterable[str]) -> None:
        """Adds what a file of callgrind's says."""
        names: dict[str, str] = {}
        objects: dict[str, str] = {}
        object_path = called_object = symbol = ""
        called = ("", "")
        is_call = False
        for line in lines:
            if line[0].isdigit() or line[0] in "+-*":
                count = int(line.split()[1])
                if is_call:
                    self.calls[(object_path, symbol), called] += count
                    is_call = False
                else:
                    self.own[object_path, symbol] += count
            elif line.startswith("ob="):
                object_path = _resolved(line[3:], objects)
            elif line.startswith("fn="):
                symbol = _function(line[3:], names)
            elif line.startswith("cob="):
                called_object = _resolved(line[4:], objects)
            elif line.startswith("cfn="):
                called = (called_object or object_path, _function(line[4:], names))
                called_object = ""
            elif line.startswith("calls="):
                is_call = True


class Callgrind:
    """Runs a server under callgrind, which counts only what ``profile`` asks for."""

    def __init__(self, contestant: Contestant, folder: str) -> None:
        self._contestant = contestant
        self._pattern = os.path.join(folder, f"callgrind-{contestant.name}.out")
        self._library = os.path.join(folder, "slow_clock.so")
        if not os.path.exists(self._library):
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", self._library, SLOW_CLOCK], check=True)

    @contextlib.contextmanager
    def running(self) -> Iterator[tuple[ServerProcess, int]]:
        """Starts the server; gives its process and port."""
        runner = [
            "env", f"LD_PRELOAD={self._library}",
            # Hashes seeded by chance would make tables differ from run to run.
            "SWIFT_DETERMINISTIC_HASHING=1",
            # Valgrind shows a program the same processor, a Haswell, on every one with AVX2. But some copy with `rep movsb`,
            # which it counts once per byte.
            "GLIBC_TUNABLES=glibc.cpu.hwcaps=-ERMS",
            "valgrind", "--tool=callgrind", "--quiet", "--separate-threads=yes", "--instr-atstart=no",
            f"--callgrind-out-file={self._pattern}",
        ]
        with self._contestant.running(runner) as (self._process, port):
            yield self._process, port

    def profile(self, prepare: Callable[[], None], load: Callable[[], None]) -> Profile:
        """The profile of what `load` makes the server do, after a `prepare` that isn't counted.

        Has the threads that serve HTTP/2 or write the log only, because others may work at a pace of their own.
        """
        self._tell("instrumentation", "on")
        # Callgrind learns during it who calls whom.
        prepare()
        self._tell("zero")
        self._remove_dumps()
        load()
        self._tell("dump")
        result = Profile()
        for path in glob.glob(self._pattern + ".*"):
            thread = Profile()
            with open(path, encoding="utf-8", errors="replace") as file:
                thread.read(file)
            if thread.serves_pushes():
                result.own += thread.own
                result.calls += thread.calls
        self._remove_dumps()
        if not result.own:
            raise BenchmarkError(f"{self._contestant.name}: callgrind wrote no counts")
        return result

    def _tell(self, *command: str) -> None:
        answer = subprocess.run(
            ["vgdb", f"--pid={self._process.pid}", *command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False,
        )
        if answer.returncode != 0:
            raise BenchmarkError(f"vgdb {' '.join(command)}: {answer.stdout}{answer.stderr}")

    def _remove_dumps(self) -> None:
        for path in glob.glob(self._pattern + ".*"):
            os.remove(path)


def without_debug_information(binary: str, folder: str) -> str:
    """A copy with its symbols only: valgrind gives up on the debug information of some compilers."""
    # A missing file is named as it is elsewhere, not by strip.
    os.stat(binary)
    copy = os.path.join(folder, "mynah-symbols")
    subprocess.run(["strip", "--strip-debug", "-o", copy, binary], check=True)
    return copy


def _resolved(text: str, known: dict[str, str]) -> str:
    """The name of `(number) name`, which is written out at its first use only."""
    number, _, name = text.strip().partition(" ")
    if name:
        known[number] = name
    return known.get(number, number)


def _function(text: str, names: dict[str, str]) -> str:
    """A function's symbol, without callgrind's mark of a recursive call: `swift_release'2`."""
    return _resolved(text, names).partition("'")[0]
