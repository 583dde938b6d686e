"""Requests and answers of the control API as bytes: HTTP/1.1 and event streams, without any I/O."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Optional, Union
from urllib.parse import quote, urlencode

from .errors import ArgumentError, ControlError, UnavailableError, hides_frames

__tracebackhide__ = hides_frames

# The longest wait of a list, 60 s, and a minute in which the machine may stand still.
ANSWER_SECONDS = 120.0
# How much of an answer that isn't a problem document an error's message shows.
SHOWN_BYTES = 200
HEAD_BYTES_MAX = 64 * 1024
# What has no body, whatever its header says.
_BODILESS = (204, 304)

Query = Union[Mapping[str, Any], Sequence[tuple[str, Any]], None]


class BrokenAnswer(ConnectionError):
    """An answer that isn't HTTP/1.1, or ended early."""


@dataclass(frozen=True)
class Answer:
    """An answer of the control API; the names of headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Event:
    """An event of a stream: its kind and its JSON."""

    event: str
    # Its sequence number; as `after`, it selects later events.
    id: Optional[int]
    data: Any


def target(path: str, query: Query) -> str:
    """A path with the parameters of a URL."""
    return f"{path}?{urlencode(query, doseq=True, safe='!', quote_via=quote)}" if query else path


def request(method: str, path: str, headers: Mapping[str, str], body: Optional[bytes]) -> bytes:
    """A request; it leaves the connection open, so that a server refuses a long body without a reset."""
    fields = {"accept-encoding": "identity", **{name.lower(): headers[name] for name in headers}}
    if body is not None:
        fields.setdefault("content-type", "application/json")
    if body is not None or method in ("POST", "PUT", "PATCH"):
        fields["content-length"] = str(len(body or b""))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    if not re.fullmatch("[!-~]+ [!-~]+ [!-~]+", lines[0]):
        raise ArgumentError(f"wrong path {path!r}: expected ASCII without spaces and line ends")
    for line in lines[1:]:
        if not re.fullmatch(r"[!-~]+: [ -~\t\x80-\xff]*", line):
            raise ArgumentError(f"wrong header {line!r}: expected one line")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


class ResponseReader:
    """Reads one response, which arrives in pieces."""

    def __init__(self, method: str) -> None:
        # 0 until the head is complete.
        self.status = 0
        self.headers: dict[str, str] = {}
        self.is_complete = False
        self._is_head = method == "HEAD"
        self._buffer = b""
        # The bytes of the body or chunk that are still to come; None until they are known.
        self._left: Optional[int] = None
        self._is_chunked = False

    def feed(self, data: bytes) -> bytes:
        """The bytes of the body in what has arrived; no data is the end of the connection."""
        self._buffer += data
        if not self.status:
            self._read_head()
        body = self._body()
        if not data and not self.is_complete:
            if not self.status or self._is_chunked or self._left is not None:
                raise BrokenAnswer("the connection ended before the answer did")
            self.is_complete = True
        return body

    def _read_head(self) -> None:
        head, end, rest = self._buffer.partition(b"\r\n\r\n")
        if not end:
            if len(head) > HEAD_BYTES_MAX:
                raise BrokenAnswer("the answer is not HTTP/1.1")
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        status = re.match(r"HTTP/1\.\d (\d{3})\b", first)
        if status is None:
            raise BrokenAnswer("the answer is not HTTP/1.1")
        self._buffer = rest
        if status[1].startswith("1"):
            return self._read_head()
        fields = (line.partition(":") for line in lines)
        self.headers = {name.lower(): value.strip() for name, _, value in fields}
        self.status = int(status[1])
        self._is_chunked = self.headers.get("transfer-encoding", "").lower() == "chunked"
        if self._is_head or self.status in _BODILESS:
            self._is_chunked, self._left = False, 0
        elif not self._is_chunked and "content-length" in self.headers:
            self._left = int(self.headers["content-length"])

    def _body(self) -> bytes:
        if not self.status or self.is_complete:
            return b""
        if not self._is_chunked:
            part = self._take(self._left)
            self.is_complete = self._left == 0
            return part
        parts: list[bytes] = []
        while not self.is_complete:
            if self._left is None:
                line, end, rest = self._buffer.partition(b"\r\n")
                if not end:
                    break
                try:
                    self._left = int(line.partition(b";")[0], 16)
                except ValueError:
                    raise BrokenAnswer("the answer has a wrong chunk") from None
                self._buffer = rest
                self.is_complete = self._left == 0
            parts.append(self._take(self._left))
            if self._left > 0 or len(self._buffer) < 2:
                break
            # The end of line behind each chunk.
            self._buffer, self._left = self._buffer[2:], None
        return b"".join(parts)

    def _take(self, count: Optional[int]) -> bytes:
        part = self._buffer if count is None else self._buffer[:count]
        self._buffer = self._buffer[len(part) :]
        if count is not None:
            self._left = count - len(part)
        return part


class EventReader:
    """Reads an event stream, which arrives in pieces."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Event]:
        """The events that are complete."""
        *blocks, self._rest = (self._rest + data).split(b"\n\n")
        for block in blocks:
            lines = [line.partition(":") for line in block.decode().split("\n")]
            fields = {name: value.removeprefix(" ") for name, _, value in lines}
            # Without data it only keeps the connection, or tells the number reached.
            if "data" in fields:
                number = fields.get("id")
                yield Event(fields.get("event", "message"), int(number) if number else None, json.loads(fields["data"]))


def result(method: str, path: str, answer: Answer) -> Any:
    """The JSON of an answer, a text that isn't JSON, or `None` without a body; raises `ControlError` for a refusal."""
    if not 200 <= answer.status < 300:
        raise ControlError(f"{method} {path}", answer.status, _problem(answer))
    if not answer.body:
        return None
    return answer.json() if "json" in answer.headers.get("content-type", "json") else answer.body.decode()


class reaching:
    """Turns the errors of a connection into `UnavailableError`."""

    def __init__(self, call: str, url: str, timeout: float) -> None:
        self._call, self._url, self._timeout = call, url, timeout

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if isinstance(error, TimeoutError):
            raise UnavailableError(f"{self._call}: no answer from {self._url} within {self._timeout:g} s") from None
        if isinstance(error, OSError):
            hint = "; `mynah serve` starts one" if isinstance(error, ConnectionRefusedError) else ""
            raise UnavailableError(f"no mynah at {self._url}: {error or type(error).__name__}{hint}") from None


def _problem(answer: Answer) -> dict[str, Any]:
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    if isinstance(problem, dict):
        return problem
    shown = answer.body[:SHOWN_BYTES].decode(errors="replace")
    return {"title": "not a problem document", "detail": f"{shown!r}; is this a mynah?"}
