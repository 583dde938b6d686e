"""Servers that mean harm to a command: it ends soon, says why, and stays small (`Limits#Limits-of-the-commands`)."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

import mynah as package
from commandline import UNAVAILABLE, USAGE, Command
from provider_certificates import Authority
from server import Mynah
from test_compare import Answer, Recorder, cleartext_flags
from waiting import measured

TOKEN = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
SETTINGS = bytes(3) + b"\x04" + bytes(5)


def frame(kind: int, payload: bytes, *, flags: int = 0, stream: int = 1) -> bytes:
    """A frame (RFC 9113 §4.1)."""
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def status(code: str) -> bytes:
    """`:status` as a literal without indexing (RFC 7541 §6.2.2)."""
    return b"\x08" + bytes([len(code)]) + code.encode()


# A field of 3,900 bytes for the dynamic table, then its index many times over (RFC 7541 §6.1, §6.2.1).
BOMB = b"\x40\x01x\x7f\xbd\x1d" + b"a" * 3900 + b"\xbe" * 10_000
ATTACKS = {
    "interim answers": (b"", frame(1, status("100"), flags=4), "more than 100 interim answers (1xx) to one request"),
    "header bomb": (b"", frame(1, status("200") + BOMB, flags=4), "more than 65536 bytes of header fields"),
    "endless body": (
        frame(1, status("200"), flags=4),
        frame(0, b"a" * 16_000),
        "a body of more than 1048576 bytes",
    ),
    "unknown frames": (b"", frame(0xBE, b"a" * 16_000), "more than 4194304 bytes for one request"),
}


class Attacker:
    """Speaks HTTP/2, and answers every request with the same frames without end."""

    def __init__(self, certificate: Path | None, first: bytes, endless: bytes) -> None:
        self.first, self.endless = first, endless
        self.context: ssl.SSLContext | None = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
            self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                plain, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(plain,), daemon=True).start()

    def serve(self, plain: socket.socket) -> None:
        try:
            with self.context.wrap_socket(plain, server_side=True) if self.context else plain as channel:
                channel.sendall(SETTINGS)
                received = b""
                # Until the fields of a request have come; PINGs before it are answered.
                while not (request := self.begun(received, channel)):
                    data = channel.recv(65_536)
                    if not data:
                        return
                    received += data
                if request:
                    channel.sendall(self.first)
                    while True:
                        channel.sendall(self.endless)
        except OSError:
            return

    pinged = 0

    def begun(self, received: bytes, channel: socket.socket) -> bool:
        """Whether a request is there; answers new PINGs on the way."""
        position, pings = len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 0
        while len(received) >= position + 9:
            end = position + 9 + int.from_bytes(received[position : position + 3])
            if len(received) < end:
                return False
            if received[position + 3] == 1:
                return True
            if received[position + 3] == 6:
                pings += 1
                if pings > self.pinged:
                    self.pinged = pings
                    channel.sendall(frame(6, received[position + 9 : end], flags=1, stream=0))
            position = end
        return False


@pytest.fixture
def attacker(provider_authority: Authority, tmp_path: Path) -> Iterator[Callable[[str, bool], Attacker]]:
    identity = provider_authority.issue(
        None, usage=ExtendedKeyUsageOID.SERVER_AUTH, environments=(), common_name="localhost"
    ).write(tmp_path, "server")
    made: list[Attacker] = []

    def make(attack: str, is_secure: bool) -> Attacker:
        first, endless, _ = ATTACKS[attack]
        made.append(Attacker(identity if is_secure else None, first, endless))
        return made[-1]

    yield make
    for one in made:
        one.listener.close()


@pytest.mark.parametrize("attack", ATTACKS)
def test_send_gives_up(
    attack: str, attacker: Callable[[str, bool], Attacker], provider_ca_file: Path, mynah_command: Command
) -> None:
    server = attacker(attack, True)
    flags = ["--host", "localhost", "--port", str(server.port), "--ca-file", str(provider_ca_file)]
    done = mynah_command("send", *flags, "--provider-token", "", "--to", TOKEN, "--topic", "a.b", "--alert", "hi")
    assert done.returncode == UNAVAILABLE, done
    assert f"the server sent {ATTACKS[attack][2]}" in done.stderr


class Mute(Attacker):
    """Sends something, and keeps the connection open until the client closes it."""

    def serve(self, plain: socket.socket) -> None:
        assert self.context
        try:
            with self.context.wrap_socket(plain, server_side=True) as channel:
                channel.sendall(self.first)
                while channel.recv(65_536):
                    pass
        except OSError:
            return


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "the server doesn't speak HTTP/2"),
        (b"\xff" * 4096, "the server doesn't speak HTTP/2"),
        # An INITIAL_WINDOW_SIZE of 2^31 (RFC 9113 §6.5.2).
        (SETTINGS + frame(4, bytes([0, 4, 0x80, 0, 0, 0]), stream=0), "HTTP/2 was ended"),
    ],
    ids=["HTTP/1.1", "noise", "a window that is too large"],
)
def test_send_ends_at_once_where_no_answer_can_come(
    provider_authority: Authority,
    provider_ca_file: Path,
    tmp_path: Path,
    mynah_command: Command,
    first: bytes,
    problem: str,
) -> None:
    identity = provider_authority.issue(
        None, usage=ExtendedKeyUsageOID.SERVER_AUTH, environments=(), common_name="localhost"
    ).write(tmp_path, "server")
    server = Mute(identity, first, b"")
    flags = ["--host", "localhost", "--port", str(server.port), "--ca-file", str(provider_ca_file)]
    done = mynah_command("send", *flags, "--provider-token", "", "--to", TOKEN, "--topic", "a.b", "--alert", "hi")
    server.listener.close()
    assert done.returncode == UNAVAILABLE and problem in done.stderr, done


@pytest.mark.parametrize("attack", ATTACKS)
def test_compare_gives_up(
    attack: str, attacker: Callable[[str, bool], Attacker], mynah: Mynah, mynah_command: Command
) -> None:
    server = attacker(attack, False)
    flags = ["--host", f"127.0.0.1:{server.port}", "--cleartext", "--topic", "com.example.app"]
    key = ["--key", str(mynah.key_file), "--key-id", mynah.key_id, "--team-id", mynah.team_id]
    done = mynah_command("compare", *flags, *key)
    assert done.returncode == UNAVAILABLE, done
    assert f"the server sent {ATTACKS[attack][2]}: expected an answer to a good push" in done.stderr


# Lists of the control API


class EndlessList(BaseHTTPRequestHandler):
    """Answers each list with a page and the cursor of another one."""

    protocol_version = "HTTP/1.1"
    items = "{}"
    count = 0

    def do_GET(self) -> None:
        EndlessList.count += 1
        cursor = "same" if "same" in self.items else f"c{EndlessList.count}"
        page = f'{{"items":[{self.items}],"nextCursor":"{cursor}","lastSequence":1}}'.encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("items", "lists"),
    [
        ("", ["device", "fault", "channel", "connection"]),
        (",".join(['{"id":"same"}'] * 1000), ["device", "fault", "channel", "connection"]),
        (",".join(['{"sequence":1}'] * 1000), ["dump"]),
    ],
    ids=["empty pages", "one cursor", "one push"],
)
def test_a_list_without_an_end_is_given_up(
    items: str, lists: list[str], mynah_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EndlessList, "items", items)
    with ThreadingHTTPServer(("127.0.0.1", 0), EndlessList) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        for name in lists:
            done = mynah_command(name, *(["list"] if name != "dump" else []), "--url", url)
            assert done.returncode == UNAVAILABLE, done
            assert "the control API names" in done.stderr and "next page" in done.stderr
        server.shutdown()


@pytest.mark.parametrize(
    ("items", "says"),
    [("", "a next page after an empty one"), (",".join(['{"id":"same"}'] * 3), "the same next page again")],
    ids=["empty pages", "one cursor"],
)
def test_the_python_package_gives_a_list_without_an_end_up(
    items: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EndlessList, "items", items)
    with ThreadingHTTPServer(("127.0.0.1", 0), EndlessList) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host, port = server.server_address[:2]
        place = package.Place(f"http://{host}:{port}", None, str(host), port, tmp_path, None, None)
        with pytest.raises(package.MynahError, match=says):
            package.MynahServer(place).channels()
        server.shutdown()


# Time


def test_compare_ends_in_time(mynah: Mynah, mynah_command: Command) -> None:
    def compared() -> CompletedProcess[str]:
        release = threading.Event()
        answers = iter([Answer()] * 3)

        def answer(_: object) -> Answer:
            if given := next(answers, None):
                return given
            release.wait()
            return Answer()

        try:
            with Recorder(None, answer) as server:
                return mynah_command("compare", *cleartext_flags(server, mynah), "--timeout", "5s", "--json")
        finally:
            release.set()

    # Where it gets no processor for as long, it has no results.
    done = measured(compared, lambda done: bool(done.stdout))
    assert done.returncode == UNAVAILABLE, done
    results = json.loads(done.stdout)
    assert results["stopped"] == "the comparison took longer than --timeout 5s"
    # What has no answer because the time was over isn't a difference.
    assert len([case for case in results["cases"] if case["result"] == "differs"]) <= 3


def test_compare_ends_in_time_before_the_first_answer(mynah: Mynah, mynah_command: Command) -> None:
    release = threading.Event()
    try:
        with Recorder(None, lambda _: Answer(status=None) if release.wait() else Answer()) as server:
            # Where it gets no processor for as long, its time is over while it connects to Mynah.
            done = measured(
                lambda: mynah_command("compare", *cleartext_flags(server, mynah), "--timeout", "1s"),
                lambda done: "took longer than" not in done.stdout,
            )
    finally:
        release.set()
    assert done.returncode == UNAVAILABLE, done
    assert f"127.0.0.1:{server.port}: no answer to a good push within --timeout 1s" in done.stderr


@pytest.mark.parametrize("timeout", ["0s", "10", "soon"])
def test_the_time_must_be_one(timeout: str, mynah: Mynah, mynah_command: Command) -> None:
    flags = ["--host", "localhost:1", "--topic", "a.b", "--timeout", timeout]
    done = mynah_command("compare", *flags)
    assert done.returncode == USAGE, done
    assert "--timeout" in done.stderr and "expected a duration" in done.stderr
