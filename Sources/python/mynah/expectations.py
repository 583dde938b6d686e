"""Expectations and their results, in the words of `mynah expect`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional

from .documents import compact_json
from .errors import MissingError, UnmetError, hides_frames
from .notifications import Notification

__tracebackhide__ = hides_frames

# The most characters of a value in a message.
VALUE_CHARACTERS = 400
# Control characters, and those that change the direction of writing.
_HARMFUL = (range(0x20), range(0x7F, 0xA0), range(0x2028, 0x202F), range(0x2066, 0x206A))


@dataclass(frozen=True)
class Difference:
    """A field with an unexpected value; `field` is a JSON pointer into the push."""

    field: str
    expected: Any
    actual: Any


@dataclass(frozen=True)
class NearMiss:
    """A push that nearly matched."""

    push: Notification
    differences: tuple[Difference, ...]

    @property
    def sequence(self) -> int:
        """The push's number."""
        return self.push.sequence

    def lines(self) -> list[str]:
        """The push and its differences."""
        push = self.push
        answer = push.outcome if push.status is None else f"{push.status} {push.outcome}"
        device = None if push.device is None else push.device[:24]
        facts = [f"push {push.sequence}", push.document["receivedAt"][11:23], answer, push.topic, device]
        heading = ", ".join(_printable(fact) for fact in facts if fact is not None)
        lines = [f"near miss: {heading} (- expected, + actual)"]
        for difference in self.differences:
            name = _printable(difference.field)
            lines.append(f"  - {name} {_shown(difference.expected)}")
            lines.append(f"  + {name} {_shown(difference.actual)}")
        return lines


@dataclass(frozen=True)
class ExpectationResult:
    """The result of an expectation; true if it is met, and as text like the output of `mynah expect`."""

    met: bool
    matched: int
    # The first 100 pushes that matched.
    items: tuple[Notification, ...]
    # The first step of an order, counted from 0, without a push.
    failed_at: Optional[int]
    nearest: tuple[NearMiss, ...]
    hints: tuple[str, ...]
    evicted: int
    last_sequence: int
    # The body of `POST /v1/expectations`.
    expectation: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any], expectation: Mapping[str, Any]) -> ExpectationResult:
        """Reads the server's JSON."""
        nearest = [
            NearMiss(
                Notification.of(near["push"]),
                tuple(Difference(one["field"], one["expected"], one["actual"]) for one in near["differences"]),
            )
            for near in document["nearest"]
        ]
        return cls(
            met=document["met"],
            matched=document["matched"],
            items=tuple(Notification.of(item) for item in document["items"]),
            failed_at=document["failedAt"],
            nearest=tuple(nearest),
            hints=tuple(document["hints"]),
            evicted=document["evicted"],
            last_sequence=document["lastSequence"],
            expectation=expectation,
        )

    def __bool__(self) -> bool:
        return self.met

    @property
    def push(self) -> Notification:
        """The only push that matched."""
        if self.matched != 1:
            raise MissingError(f"{self.matched} pushes matched: expected one")
        return self.items[0]

    def __str__(self) -> str:
        lines = [self._verdict()]
        if not self.met and self.failed_at is not None:
            lines.append(f"step {self.failed_at} of inOrder has no push")
        for near in self.nearest:
            lines += near.lines()
        lines += [f"hint: {_printable(hint)}" for hint in self.hints]
        return "\n".join(lines)

    def _verdict(self) -> str:
        pushes = "1 push matched" if self.matched == 1 else f"{self.matched} pushes matched"
        if self.items:
            pushes += ": " + ", ".join(str(item.sequence) for item in self.items)
            pushes += ", …" if self.matched > len(self.items) else ""
        return f"met: {pushes}" if self.met else f"unmet: {pushes}; expected {_wanted(self.expectation)}"


class ExpectationUnmet(UnmetError):
    """An unmet expectation; the message shows the nearest pushes."""

    def __init__(self, result: ExpectationResult) -> None:
        super().__init__(str(result))
        self.result = result


def _wanted(expectation: Mapping[str, Any]) -> str:
    """A description of the expectation: `at least 1 within 5s`."""
    within = expectation.get("within") or "5s"
    settle = expectation.get("settle")
    quiet = f", and then {settle} of quiet" if settle else ""
    if expectation.get("inOrder"):
        return f"{len(expectation['inOrder'])} in order within {within}"
    count = expectation.get("count") or {}
    if count.get("exactly") is not None:
        least = most = count["exactly"]
    else:
        most = count.get("max")
        least = count.get("min")
        least = (1 if most is None else 0) if least is None else least
    if most == 0:
        text = "none"
    elif least == most:
        text = f"exactly {least}"
    elif most is None:
        text = f"at least {least}"
    else:
        text = f"at most {most}" if least == 0 else f"{least} to {most}"
    return (text if least == 0 else f"{text} within {within}") + quiet


def _shown(value: Any) -> str:
    text = compact_json(value)
    if len(text) > VALUE_CHARACTERS:
        text = f"{text[:VALUE_CHARACTERS]}… ({len(text)} characters)"
    return _printable(text)


def _printable(text: str) -> str:
    return "".join(" " if any(ord(one) in harmful for harmful in _HARMFUL) else one for one in text)
