"""An HTTP/1.1 client that sends what it is told, byte for byte."""

from __future__ import annotations

import http.client
import socket
from dataclasses import dataclass
from types import TracebackType

from waiting import HANG_SECONDS


@dataclass(frozen=True)
class Response:
    """What came back."""

    status: int
    fields: list[tuple[str, str]]
    body: bytes
    closes: bool


class HTTP1Connection:
    """One connection without TLS that is kept alive from request to request."""

    def __init__(self, port: int) -> None:
        self.channel = socket.create_connection(("127.0.0.1", port), timeout=HANG_SECONDS)

    def __enter__(self) -> HTTP1Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.channel.close()

    def ask(self, method: str, path: str, fields: list[tuple[str, str]], body: bytes) -> Response:
        """Sends a request with `content-length` and reads the response."""
        own = [] if any(name == "content-length" for name, _ in fields) else [("content-length", str(len(body)))]
        lines = [f"{method} {path} HTTP/1.1", "host: localhost", *(f"{n}: {v}" for n, v in [*fields, *own]), "", ""]
        return self.exchange(method, "\r\n".join(lines).encode() + body)

    def exchange(self, method: str, data: bytes) -> Response:
        """Sends bytes and reads one response."""
        self.channel.sendall(data)
        response = http.client.HTTPResponse(self.channel, method=method)
        response.begin()
        fields = [(name.lower(), value) for name, value in response.getheaders()]
        return Response(response.status, fields, response.read(), response.will_close)
