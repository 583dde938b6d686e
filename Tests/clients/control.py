"""The control API with every answer held against the OpenAPI document; `ask` lets every byte of a request be chosen."""

from __future__ import annotations

from typing import Any, ClassVar

import mynah

from contract import Contract


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


class Control(mynah.ControlAPI):
    """The control API of one server."""

    # The same for every server of one build, so it is read once.
    contract: ClassVar[Contract | None] = None

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        super().__init__(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")

    def ask(self, *arguments: Any, **options: Any) -> Answer:
        """One request on a connection of its own, whatever it is answered."""
        answer = super().ask(*arguments, **options)
        return Answer(answer.status, answer.headers, answer.body)

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
