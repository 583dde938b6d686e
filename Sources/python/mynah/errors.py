"""Errors of servers and calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional


class ExplainedError(Exception):
    """An error whose message explains it, so that pytest shows no frames of the package."""


class MynahError(ExplainedError):
    """The server did not start, does not answer, or refused a call."""


class StartError(MynahError):
    """A server did not start; the message has its output."""


class UnavailableError(MynahError):
    """No control API answers at the address."""


class ArgumentError(ExplainedError, TypeError, ValueError):
    """A call with a wrong argument, which was not sent."""


class MissingError(ExplainedError, LookupError):
    """What was asked for is not there, or is not the only one."""


class UnmetError(ExplainedError, AssertionError):
    """What a wait expected did not happen in time."""


class ControlError(MynahError):
    """The control API refused a call (`application/problem+json`).

    `field` is a parameter's name or a member's JSON pointer; `allowed` has the valid values, if they can be listed.
    """

    def __init__(self, call: str, status: int, problem: Mapping[str, Any]) -> None:
        self.call = call
        self.status = status
        self.type: str = str(problem.get("type") or "about:blank")
        self.title: str = str(problem.get("title") or "")
        self.detail: str = str(problem.get("detail") or "")
        field = problem.get("field")
        self.field: Optional[str] = None if field is None else str(field)
        self.allowed: tuple[str, ...] = tuple(problem.get("allowed") or ())
        super().__init__(self._message())

    def _message(self) -> str:
        what = ": ".join(part for part in (self.field or self.title, self.detail) if part)
        # Most details name them.
        is_named = all(value in self.detail for value in self.allowed)
        allowed = "" if is_named else f" (allowed: {', '.join(self.allowed)})"
        return f"{self.call} was answered {self.status}: {what}{allowed}"


def hides_frames(failure: Any) -> bool:
    """Whether pytest leaves the package's frames out of a failure (`__tracebackhide__`)."""
    return isinstance(failure.value, ExplainedError)
