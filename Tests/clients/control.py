"""The control API with every answer held against the OpenAPI document; `ask` lets every byte of a request be chosen."""

from __future__ import annotations

from typing import Any, ClassVar

import mynah
from mynah.exchange import ANSWER_SECONDS

from contract import Contract
from waiting import HANG_SECONDS, LONGEST_WAIT, LONGEST_WAIT_SECONDS, stopwatch


class Answer(mynah.Answer):
    """What the control API answered."""

    def problem(self, status: int) -> dict[str, Any]:
        """The body as a problem document, after checking that it is one with this status."""
        assert self.status == status, f"expected {status}, got {self.status}: {self.body!r}"
        assert self.headers.get("content-type", "").startswith("application/problem+json"), self.headers
        problem: dict[str, Any] = self.json()
        assert problem["status"] == status, problem
        for member in ("type", "title", "detail"):
            assert isinstance(problem.get(member), str) and problem[member], problem
        return problem

    @property
    def has_timed_out(self) -> bool:
        """Whether a wait has ended without what was awaited."""
        return self.status == 200 and self.json()["timedOut"]


class Control(mynah.ControlAPI):
    """The control API of one server."""

    # The same for every server of one build, so it is read once.
    contract: ClassVar[Contract | None] = None

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        super().__init__(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")

    def ask(
        self, method: str, path: str, query: Any = None, *, timeout: float = ANSWER_SECONDS, **options: Any
    ) -> Answer:
        """One request on a connection of its own, whatever it is answered.

        A wait that lasts as long as a wait may and ends without what is awaited is tried again until that hangs.
        """
        if timeout == ANSWER_SECONDS:
            timeout = LONGEST_WAIT_SECONDS + HANG_SECONDS
        is_long = dict(query or {}).get("wait") == LONGEST_WAIT
        elapsed = stopwatch()
        while True:
            began = elapsed()
            found = super().ask(method, path, query, timeout=timeout, **options)
            answer = Answer(found.status, found.headers, found.body)
            took = elapsed() - began
            if not is_long or took < LONGEST_WAIT_SECONDS or elapsed() > HANG_SECONDS or not answer.has_timed_out:
                return answer

    def answered(self, method: str, target: str, content: bytes | None, answer: mynah.Answer) -> None:
        if Control.contract is not None:
            Control.contract.check(method, target, content, answer.status, answer.headers, answer.body)

    def pushes(self, token: str, **query: Any) -> list[dict[str, Any]]:
        """What the journal has of a device token now, oldest first."""
        found = self.get("/v1/notifications", {"token": token.lower(), "order": "asc", "limit": 1000} | query)
        return found["items"]

    def push(self, token: str) -> dict[str, Any]:
        """The one push that the journal has of a device token; no waiting, for the reply has been read."""
        items = self.pushes(token)
        assert len(items) == 1, f"{len(items)} pushes to {token}, one was expected"
        return items[0]

    def last_sequence(self) -> int:
        """The sequence number of the newest thing."""
        return self.get("/v1/notifications", {"limit": 1})["lastSequence"]
