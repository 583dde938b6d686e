"""The control API: each call has its own connection, so anyone may make it at any time."""

# Made from aio/control.py by generate.py: change that.

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from typing import Any, Optional
from urllib.parse import urlsplit

from . import exchange
from .errors import ArgumentError, hides_frames
from .exchange import ANSWER_SECONDS, Answer, Event, EventReader, Query, ResponseReader, reaching
from .transport import Connection

__tracebackhide__ = hides_frames


class ControlAPI:
    """The control API of one server."""

    def __init__(self, url: str, token: Optional[str] = None) -> None:
        """`token` is the bearer token of a server with `--control-token`."""
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise ArgumentError(f"wrong control API {url!r}: expected a URL like http://127.0.0.1:8197")
        self.url = url.rstrip("/")
        self.host: str = parts.hostname
        self.port: int = parts.port or 80
        self.token = token
        self._authority = parts.netloc.rpartition("@")[2]

    def ask(
        self,
        method: str,
        path: str,
        query: Query = None,
        *,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: float = ANSWER_SECONDS,
    ) -> Answer:
        """Makes one request, whatever the answer; a body that isn't bytes is sent as JSON.

        `timeout` is in seconds, for each step: connecting, sending, each part of the answer. Raises `OSError` if the
        server can't be reached.
        """
        target = exchange.target(path, query)
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        sent = exchange.request(method, target, self._headers(headers), content)
        reader, parts = ResponseReader(method), []
        connection = Connection.open(self.host, self.port, timeout)
        try:
            connection.send(sent)
            while not reader.is_complete:
                parts.append(reader.feed(connection.receive()))
        finally:
            connection.close()
        answer = Answer(reader.status, reader.headers, b"".join(parts))
        self.answered(method, target, content, answer)
        return answer

    def events(
        self, path: str, query: Query = None, *, timeout: float = ANSWER_SECONDS
    ) -> Generator[Event, None, None]:
        """The events of a stream, as they come; closing it closes the connection.

        Raises `ControlError` if the call is refused, `UnavailableError` if the server can't be reached, or for `timeout`
        seconds sends nothing, not even the comments between events.
        """
        target = exchange.target(path, query)
        reader, events, refusal, is_told = ResponseReader("GET"), EventReader(), [], False
        with reaching(f"GET {path}", self.url, timeout):
            connection = Connection.open(self.host, self.port, timeout)
        try:
            with reaching(f"GET {path}", self.url, timeout):
                connection.send(exchange.request("GET", target, self._headers(None), None))
            while not reader.is_complete:
                with reaching(f"GET {path}", self.url, timeout):
                    part = reader.feed(connection.receive())
                if reader.status == 200 and not is_told:
                    is_told = True
                    self.answered("GET", target, None, Answer(reader.status, reader.headers, b""))
                if reader.status != 200:
                    refusal.append(part)
                    continue
                for event in events.feed(part):
                    yield event
        finally:
            connection.close()
        if reader.status != 200:
            exchange.result("GET", path, Answer(reader.status, reader.headers, b"".join(refusal)))

    def answered(self, method: str, target: str, content: Optional[bytes], answer: Answer) -> None:
        """Called with each answer, and with the head of each stream; for subclasses."""

    def call(
        self, method: str, path: str, query: Query = None, *, body: Any = None, timeout: float = ANSWER_SECONDS
    ) -> Any:
        """The JSON of a call that must succeed, or its text if it isn't JSON; `None` if the answer has no body.

        Raises `ControlError` with field and detail if the call is refused, `UnavailableError` if no server answers.
        """
        with reaching(f"{method} {path}", self.url, timeout):
            answer = self.ask(method, path, query, body=body, timeout=timeout)
        return exchange.result(method, path, answer)

    def get(self, path: str, query: Query = None, *, timeout: float = ANSWER_SECONDS) -> Any:
        """The JSON of a GET."""
        return self.call("GET", path, query, timeout=timeout)

    def post(self, path: str, body: Any, query: Query = None, *, timeout: float = ANSWER_SECONDS) -> Any:
        """The JSON of a POST."""
        return self.call("POST", path, query, body=body, timeout=timeout)

    def put(self, path: str, body: Any) -> Any:
        """The JSON of a PUT."""
        return self.call("PUT", path, body=body)

    def patch(self, path: str, body: Any, query: Query = None) -> Any:
        """The JSON of a PATCH."""
        return self.call("PATCH", path, query, body=body)

    def delete(self, path: str, query: Query = None) -> Any:
        """The JSON of a DELETE."""
        return self.call("DELETE", path, query)

    def _headers(self, further: Optional[Mapping[str, str]]) -> dict[str, str]:
        own = {"host": self._authority}
        if self.token is not None:
            own["authorization"] = f"Bearer {self.token}"
        return {**own, **(further or {})}
