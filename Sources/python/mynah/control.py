"""The control API over `http.client`: each call has its own connection, so any thread may make it."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union
from urllib.parse import quote, urlencode, urlsplit

from .errors import ControlError, UnavailableError

# Longer than the longest wait of a list, 60 s.
ANSWER_SECONDS = 70.0
# How much of an answer that isn't a problem document an error's message shows.
SHOWN_BYTES = 200

Query = Union[Mapping[str, Any], Sequence[tuple[str, Any]], None]


@dataclass(frozen=True)
class Answer:
    """An answer of the control API; the names of headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


class ControlAPI:
    """The control API of one server."""

    def __init__(self, url: str, token: Optional[str] = None) -> None:
        """`token` is the bearer token of a server with `--control-token`."""
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError(f"wrong control API {url!r}: expected a URL like http://127.0.0.1:8197")
        self.url = url.rstrip("/")
        self.host: str = parts.hostname
        self.port: int = parts.port or 80
        self.token = token

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
        """Makes one request, whatever the answer; a body that isn't bytes is sent as JSON."""
        target = path
        if query:
            target += "?" + urlencode(query, doseq=True, safe="!", quote_via=quote)
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        sent = {} if self.token is None else {"authorization": f"Bearer {self.token}"}
        sent.update(headers or {})
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
        self.answered(method, target, content, answer)
        return answer

    def answered(self, method: str, target: str, content: Optional[bytes], answer: Answer) -> None:
        """Called with each answer; for subclasses."""

    def call(
        self, method: str, path: str, query: Query = None, *, body: Any = None, timeout: float = ANSWER_SECONDS
    ) -> Any:
        """The JSON of a call that must succeed; `None` if the answer has no body.

        Raises `ControlError` with field and detail if the call is refused, `UnavailableError` if no server answers.
        """
        try:
            answer = self.ask(method, path, query, body=body, timeout=timeout)
        except socket.timeout as error:
            raise UnavailableError(f"{method} {path}: no answer from {self.url} within {timeout:g} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise UnavailableError(f"no mynah at {self.url}: {error or type(error).__name__}") from error
        if 200 <= answer.status < 300:
            return answer.json() if answer.body else None
        raise ControlError(f"{method} {path}", answer.status, _problem(answer))

    def get(self, path: str, query: Query = None, *, timeout: float = ANSWER_SECONDS) -> Any:
        """The JSON of a GET."""
        return self.call("GET", path, query, timeout=timeout)

    def post(self, path: str, body: Any, *, timeout: float = ANSWER_SECONDS) -> Any:
        """The JSON of a POST."""
        return self.call("POST", path, body=body, timeout=timeout)

    def put(self, path: str, body: Any) -> Any:
        """The JSON of a PUT."""
        return self.call("PUT", path, body=body)

    def patch(self, path: str, body: Any, query: Query = None) -> Any:
        """The JSON of a PATCH."""
        return self.call("PATCH", path, query, body=body)

    def delete(self, path: str, query: Query = None) -> Any:
        """The JSON of a DELETE."""
        return self.call("DELETE", path, query)


def _problem(answer: Answer) -> dict[str, Any]:
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    if isinstance(problem, dict):
        return problem
    shown = answer.body[:SHOWN_BYTES].decode(errors="replace")
    return {"title": "not a problem document", "detail": f"{shown!r}; is this a mynah?"}
