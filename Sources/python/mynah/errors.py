"""What goes wrong between a test and its server."""

from __future__ import annotations

from typing import Any, Optional


class MynahError(Exception):
    """The server did not start, is not there, or did not do what it was asked."""


class StartError(MynahError):
    """A server did not come up; the message has what it printed."""


class UnavailableError(MynahError):
    """Nobody answers where the control API should be."""


class ControlError(MynahError):
    """The control API refused a call (`application/problem+json`).

    `field` is the parameter by its name or the member by its JSON pointer; `allowed` is what would be right, where
    that is a list.
    """

    def __init__(self, call: str, status: int, problem: dict[str, Any]) -> None:
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
        allowed = f" (allowed: {', '.join(self.allowed)})" if self.allowed else ""
        return f"{self.call} is answered {self.status}: {what}{allowed}"
