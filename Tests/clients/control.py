"""A small client of Mynah's control API, on `http.client`, so that every byte of a request can be chosen."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

from contract import Contract


@dataclass(frozen=True)
class Answer:
    """What the control API answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)

    def problem(self, status: int) -> dict[str, Any]:
        """The body as a problem document, after checking that it is one with this status."""
        assert self.status == status, f"expected {status}, got {self.status}: {self.body!r}"
        assert self.headers.get("content-type", "").startswith("application/problem+json"), self.headers
        problem = self.json()
        assert problem["status"] == status, problem
        for member in ("type", "title", "detail"):
            assert isinstance(problem.get(member), str) and problem[member], problem
        return problem


class Control:
    """The control API of one server; each of its answers is held against the OpenAPI document."""

    # The same for every server of one build, so it is read once.
    contract: ClassVar[Contract | None] = None

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.port = port
        self.host = host

    def ask(
        self,
        method: str,
        path: str,
        query: dict[str, Any] | list[tuple[str, Any]] | None = None,
        *,
        body: Any = None,
        headers: dict[str, str] | None = None,
        timeout: float = 70,
    ) -> Answer:
        """One request on a connection of its own, whatever it is answered."""
        target = path
        if query:
            target += "?" + urlencode(query, doseq=True, safe="!", quote_via=quote)
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        sent = dict(headers or {})
        if content is not None:
            sent.setdefault("content-type", "application/json")
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request(method, target, body=content, headers=sent)
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            answer = Answer(response.status, fields, response.read())
        finally:
            connection.close()
        if Control.contract is not None:
            Control.contract.check(method, target, content, answer.status, answer.headers, answer.body)
        return answer

    def get(self, path: str, query: dict[str, Any] | list[tuple[str, Any]] | None = None) -> Any:
        """The JSON of a GET that must succeed."""
        answer = self.ask("GET", path, query)
        assert answer.status == 200, f"GET {path} {query}: {answer.status} {answer.body!r}"
        return answer.json()

    def post(self, path: str, body: Any) -> Any:
        """The JSON of a POST that must succeed."""
        answer = self.ask("POST", path, body=body)
        assert 200 <= answer.status < 300, f"POST {path}: {answer.status} {answer.body!r}"
        return answer.json()

    def pushes(self, token: str, **query: Any) -> list[dict[str, Any]]:
        """What the journal has of a device token now, oldest first."""
        return self.get("/v1/notifications", {"token": token.lower(), "order": "asc", "limit": 1000} | query)["items"]

    def push(self, token: str) -> dict[str, Any]:
        """The one push that the journal has of a device token; no waiting, for the reply has been read."""
        items = self.pushes(token)
        assert len(items) == 1, f"{len(items)} pushes to {token}, one was expected"
        return items[0]

    def last_sequence(self) -> int:
        """The sequence number of the newest thing."""
        return self.get("/v1/notifications", {"limit": 1})["lastSequence"]
