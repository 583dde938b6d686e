"""A proxy before a control API that records requests, and a server that answers wrongly."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from ports import HeldPort
from waiting import HANG_SECONDS

READ_BYTES = 64 * 1024
# Of one connection, not of the way to its end.
HOP_HEADERS = ("connection", "transfer-encoding", "content-length", "keep-alive")


@dataclass(frozen=True)
class Request:
    """A request that a package has made."""

    method: str
    target: str
    body: bytes

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.target).path)

    @property
    def query(self) -> list[list[str]]:
        """The parameters, sorted."""
        return sorted(list(pair) for pair in parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    @property
    def document(self) -> Any:
        return json.loads(self.body) if self.body else None


@dataclass
class Recorder:
    """A proxy on a port of its own, which notes each request; `patches` changes members of answers, by their paths."""

    port: int
    patches: dict[str, dict[str, Any]] = field(default_factory=dict)
    # Called with each request and its answer: method, target, body, status, headers, body.
    answered: Callable[..., None] | None = None

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        # What was wrong with an answer.
        self.failures: list[BaseException] = []
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                self.raw_requestline = self.rfile.readline()
                if self.raw_requestline and self.parse_request():
                    recorder.relay(self)
                else:
                    self.close_connection = True

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                # A client that has enough of a stream closes its connection.
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self) -> list[Request]:
        """The requests since the last call."""
        with self._lock:
            taken, self._requests = self._requests, []
        return taken

    def relay(self, handler: BaseHTTPRequestHandler) -> None:
        """Passes on a request, and its answer as it comes."""
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        with self._lock:
            self._requests.append(Request(handler.command, handler.path, body))
        upstream = HTTPConnection("127.0.0.1", self.port)
        headers = {name: value for name, value in handler.headers.items() if name.lower() not in HOP_HEADERS}
        # An empty body has a length as well.
        sent = body if body or handler.command in ("POST", "PUT", "PATCH") else None
        upstream.request(handler.command, handler.path, sent, headers)
        response = upstream.getresponse()
        try:
            self._answer(handler, body, response)
        finally:
            upstream.close()

    def _answer(self, handler: BaseHTTPRequestHandler, body: bytes, response: Any) -> None:
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        handler.send_response_only(response.status)
        for name, value in response.headers.items():
            if name.lower() not in HOP_HEADERS:
                handler.send_header(name, value)
        if is_stream:
            handler.send_header("connection", "close")
            handler.end_headers()
            handler.close_connection = True
            while part := response.read1(READ_BYTES):
                handler.wfile.write(part)
                handler.wfile.flush()
            return
        content = response.read()
        if self.answered is not None:
            try:
                self.answered(handler.command, handler.path, body, response.status, response.headers, content)
            except AssertionError as failure:
                self.failures.append(failure)
        patch = self.patches.get(handler.path)
        if patch is not None:
            content = json.dumps({**json.loads(content), **patch}).encode()
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)


# Servers that are no good: what they send to each connection after its request, before they close it.
WRONG_ANSWERS = {
    "hangsUp": b"",
    "endsInTheMiddle": b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{",
    "isNoMynah": b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 17\r\n\r\n{"name": "other"}',
    "isNoAPI": b"HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\ncontent-length: 7\r\n\r\n<html/>",
}


class WrongServer:
    """A server that answers wrongly, or, as `"isNotThere"`, a port at which nobody is."""

    def __init__(self, kind: str) -> None:
        self._answer = WRONG_ANSWERS.get(kind)
        assert self._answer is not None or kind == "isNotThere", f"unknown server {kind}"
        self._port = HeldPort()
        self._socket: socket.socket | None = None
        if self._answer is not None:
            self._socket = socket.create_server(("127.0.0.1", self._port.number), reuse_port=False)
            threading.Thread(target=self._run, args=(self._socket,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port.number}"

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._port.release()

    def _run(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(HANG_SECONDS)
                connection.recv(READ_BYTES)
                connection.sendall(self._answer or b"")
