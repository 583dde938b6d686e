"""How long tests wait, and how: for what they assert, until a time after which the product hangs.

No test passes because a time was long enough, and none may fail because the machine was slow: these ends are far beyond
what a machine ten times slower takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

# The end of the wait for one event: an answer, a frame, a line, the end of a process.
HANG_SECONDS = 60
# The same as `wait=` and `within=` of the control API and the commands; a list waits no longer.
HANG = f"{HANG_SECONDS}s"
# The end of a program that works for seconds by itself: pytest, mypy, a generator, a page of documented commands.
RUN_SECONDS = 300
# How long it must be quiet where a test asserts that nothing comes.
SILENCE_SECONDS = 1.0
# Between two looks at what tells nobody that it has changed, such as a process' memory.
LOOK_SECONDS = 0.02

Value = TypeVar("Value")


def until(look: Callable[[], Value], what: str, seconds: float = HANG_SECONDS) -> Value:
    """Looks again and again until what is found is true, and returns it; `what` is expected."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, f"after {seconds} s: expected {what}"
        time.sleep(LOOK_SECONDS)


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
