"""NATS JetStream for the tests of clusters: nodes of `nats-server` on free ports of the loopback."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ports import HeldPort
from waiting import HANG_SECONDS


def binary() -> str:
    """The path of nats-server, which Debian has in /usr/sbin; without it a test is skipped."""
    own = Path(__file__).parents[2] / ".build/nats/usr/sbin"
    found = shutil.which("nats-server") or shutil.which("nats-server", path=f"/usr/sbin:/usr/local/bin:{own}")
    if found is None:
        pytest.skip("nats-server is missing")
    return found


class Node:
    """One nats-server, which can be started again with what it has stored."""

    def __init__(
        self, folder: Path, name: str, port: int, *flags: str, has_jetstream: bool = True, address: str = "127.0.0.1"
    ) -> None:
        self.folder = folder / name
        self.folder.mkdir(parents=True)
        self.port = port
        self.command = [
            binary(), "--name", name, "--addr", address, "--port", str(port), *flags,
            *(["--jetstream", "--store_dir", str(self.folder / "store")] if has_jetstream else []),
        ]  # fmt: skip
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process = None

    def ask(
        self, subject: str, content: dict[str, Any] | bytes, seconds: float = HANG_SECONDS
    ) -> dict[str, Any]:
        """The answer of JetStream to a request or a message, by NATS' protocol; an `OSError` if none comes in time."""
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            connection.sendall(
                b'CONNECT {"verbose":false}\r\nSUB answer 1\r\n'
                + f"PUB {subject} answer {len(body)}\r\n".encode() + body + b"\r\n"
            )  # fmt: skip
            with connection.makefile("rb") as lines:
                for line in lines:
                    if line.startswith(b"MSG answer"):
                        answer: dict[str, Any] = json.loads(lines.read(int(line.split()[-1])))
                        return answer
        raise AssertionError(f"NATS closed the connection without an answer to {subject}")

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")


class Link:
    """A TCP connection's way to a node, which can be cut: then nothing arrives any more, and neither side is told."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._is_whole = threading.Event()
        self._is_whole.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"nats://127.0.0.1:{self._listener.getsockname()[1]}"
        self._start(self._accept)

    def cut(self) -> None:
        self._is_whole.clear()

    def mend(self) -> None:
        self._is_whole.set()

    def close(self) -> None:
        """Accepts nothing more; connections end with their sides."""
        self.mend()
        # A thread that waits in accept does not see a close.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    @staticmethod
    def _start(run: Callable[..., None], *arguments: Any) -> None:
        threading.Thread(target=run, args=arguments, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._node.port))
            except OSError:
                return
            self._start(self._carry, near, far)
            self._start(self._carry, far, near)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65_536):
                self._is_whole.wait()
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            # The other side has gone.
            source.close()


class DeafLink(Link):
    """A way to a node on which, while it is deaf, acknowledgements arrive, and neither batches nor heartbeats."""

    is_deaf = False

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        if source.getpeername()[1] != self._node.port:
            super()._carry(source, target)
            return
        try:
            with source.makefile("rb") as protocol:
                while line := protocol.readline():
                    words = line.split()
                    is_message = words[0] in (b"MSG", b"HMSG")
                    # The line ends with the number of the bytes that follow, and the bytes with a line's end.
                    content = protocol.read(int(words[-1]) + 2) if is_message else b""
                    is_delivered = words[0] == b"HMSG" or any(word.startswith(b"$JS.ACK.") for word in words)
                    if not (self.is_deaf and is_message and is_delivered):
                        target.sendall(line + content)
        except OSError:
            # The other side has gone.
            source.close()


class Engine:
    """Nodes that keep everything together: one, or three."""

    def __init__(self, folder: Path, count: int = 1, *flags: str, **options: Any) -> None:
        # Held for as long as a node may be started again.
        self._ports = [HeldPort() for _ in range(2 * count)]
        ports = [port.number for port in self._ports]
        routes = ",".join(f"nats://127.0.0.1:{port}" for port in ports[count:])
        self.nodes = []
        for number in range(count):
            cluster = [
                "--cluster_name", "test", "--cluster", f"nats://127.0.0.1:{ports[count + number]}", "--routes", routes,
            ]  # fmt: skip
            self.nodes.append(
                Node(folder, f"node-{number}", ports[number], *(cluster if count > 1 else []), *flags, **options)
            )  # fmt: skip

    @property
    def url(self) -> str:
        return ",".join(node.url for node in self.nodes)

    def kill(self) -> None:
        for node in self.nodes:
            node.kill()
        for port in self._ports:
            port.release()
