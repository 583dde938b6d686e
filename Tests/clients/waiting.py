"""How long tests wait, and how: for what they assert, until a time after which the product hangs.

No test passes because a time was long enough, and none may fail because the machine was slow: these ends are far beyond
what a machine ten times slower takes, also where it has stood still for a minute meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

# The end of the wait for one event: an answer, a frame, a line, the end of a process.
HANG_SECONDS = 180
# The same as `within=` of the control API and the commands.
HANG = f"{HANG_SECONDS}s"
# The longest that a list waits; `Control` asks again when a wait of this length ends without what was awaited.
LONGEST_WAIT_SECONDS = 60
LONGEST_WAIT = f"{LONGEST_WAIT_SECONDS}s"
# The end of a program that works for seconds by itself: pytest, mypy, a generator, a page of documented commands.
RUN_SECONDS = 600
# How long it must be quiet where a test asserts that nothing comes.
SILENCE_SECONDS = 1.0
# Between two looks at what tells nobody that it has changed, such as a process' memory.
LOOK_SECONDS = 0.02

Value = TypeVar("Value")


def until(look: Callable[[], Value], what: str, seconds: float = HANG_SECONDS) -> Value:
    """Looks again and again until what is found is true, and returns it; `what` is expected."""
    elapsed = stopwatch()
    while True:
        found = look()
        if found:
            return found
        assert elapsed() < seconds, f"after {seconds} s: expected {what}"
        time.sleep(LOOK_SECONDS)


@contextmanager
def takes_at_least(seconds: float) -> Iterator[None]:
    """Asserts that what is within takes so long.

    It is the outermost `with`, around all that can start the product's clock: one that is started once a connection is
    open, or a request sent, may start later than the product's, and then shows less than it took.
    """
    elapsed = stopwatch()
    yield
    took = elapsed()
    assert took >= seconds, f"{took} s: expected {seconds} s or more"


@contextmanager
def takes_less_than(seconds: float) -> Iterator[None]:
    """Asserts that what is within doesn't take so long, which is many times what a slow machine takes."""
    elapsed = stopwatch()
    yield
    took = elapsed()
    assert took < seconds, f"{took} s: expected less than {seconds} s"


def stopwatch() -> Callable[[], float]:
    """Tells the seconds that have passed, for what may be more the longer it takes."""
    started = time.monotonic()
    return lambda: time.monotonic() - started


def measured(measure: Callable[[], Value], is_good: Callable[[Value], bool], times: int = 10) -> Value:
    """Measures until a result is good, and fails with all of them if none is.

    For what is so always or never, where other processes of the machine can only spoil a measurement: one good result
    shows it.
    """
    results: list[Value] = []
    while not results or not is_good(results[-1]):
        assert len(results) < times, f"none of {times} measurements is good: {results}"
        results.append(measure())
    return results[-1]
