"""What clients say of a newcomer's first mistakes leads, word for word, to the right line of Troubleshooting."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from documentation import pages
from server import Mynah, clean_environment
from waiting import RUN_SECONDS

HTTPX = """
import ssl, sys, httpx
url, ca = sys.argv[1:3]
context = ssl.create_default_context(cafile=ca) if ca else True
httpx.Client(http2=len(sys.argv) < 4, verify=context).get(url)
"""

AIOAPNS = """
import asyncio, logging, ssl, sys
from pathlib import Path
from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol
host, port, ca, key, is_early = sys.argv[1:]
logging.basicConfig()
APNsDevelopmentClientProtocol.APNS_SERVER, APNsTLSClientProtocol.APNS_PORT = host, int(port)

def make():
    return APNs(key=key, key_id="ABC123DEFG", team_id="TEAM123456", topic="com.example.app", use_sandbox=True,
        ssl_context=ssl.create_default_context(cafile=ca) if ca else None)

async def main(made):
    provider = made or make()
    await provider.send_notification(NotificationRequest(device_token="00" * 32, message={"aps": {}}))

asyncio.run(main(make() if is_early else None))
"""

URLLIB = """
import ssl, sys, urllib.request
urllib.request.urlopen(sys.argv[1], context=ssl.create_default_context(cafile=sys.argv[2]))
"""


@dataclass(frozen=True)
class Row:
    """A line of the table: messages, the clients marked as tried, and what helps."""

    messages: list[str]
    clients: list[str]
    remedy: str


def rows() -> list[Row]:
    section = pages()["Troubleshooting"].read_text().split("\n## The client doesn't connect\n")[1].split("\n## ")[0]
    lines = re.findall(r"^\| (`.*?) \| (.*?) \| (.*) \|$", section.split("The `cause` of")[0], re.MULTILINE)
    found = [Row(re.findall(r"`(.*?)`", said), re.findall(r"● (\w+)", of), remedy) for said, of, remedy in lines]
    assert found
    return found


@dataclass(frozen=True)
class Place:
    """What a newcomer may point a client at."""

    mynah: Mynah
    other_ca: Path
    closed_port: int

    def url(self, scheme: str = "https", port: int | None = None, host: str = "localhost") -> str:
        return f"{scheme}://{host}:{self.mynah.port if port is None else port}/"

    @property
    def ca(self) -> str:
        return str(self.mynah.ca_file)


@pytest.fixture(scope="module")
def place(mynah_with: Callable[..., Mynah]) -> Iterator[Place]:
    # Nobody else gets a port that is bound, and nobody listens on it.
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield Place(mynah_with("--seed", "2"), mynah_with("--seed", "1").ca_file, bound.getsockname()[1])


def curl(url: str, *options: str) -> list[str]:
    return ["curl", "--silent", "--show-error", "--http2", *options, url]


def openssl(port: int, *options: str) -> list[str]:
    return ["openssl", "s_client", "-verify_return_error", "-alpn", "h2", "-connect", f"localhost:{port}", *options]


def script(text: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", text, *arguments]


def aioapns(port: int, ca: str, mynah: Mynah, key: str | None = None, is_early: bool = False) -> list[str]:
    text = mynah.key_file.read_text() if key is None else key
    return script(AIOAPNS, "localhost", str(port), ca, text, "early" if is_early else "")


Mistake = Callable[[Place], "list[str]"]

# Client, its mistake, and words of the remedies to which all that it says has to lead, in the table's order.
MISTAKES: list[tuple[str, str, Mistake, list[str]]] = [
    ("curl", "no CA", lambda at: curl(at.url()), ["--cacert certs/ca.pem"]),
    ("curl", "wrong CA", lambda at: curl(at.url(), "--cacert", str(at.other_ca)), ["--cacert certs/ca.pem"]),
    ("curl", "no such CA", lambda at: curl(at.url(), "--cacert", "nope.pem"), ["`certs` folder of `mynah serve`"]),
    (
        "curl",
        "wrong name",
        lambda at: curl(
            at.url(host="foo.example"), "--cacert", at.ca, "--resolve", f"foo.example:{at.mynah.port}:127.0.0.1"
        ),
        ["--tls-name"],
    ),
    ("curl", "http", lambda at: curl(at.url("http")), ["use `https:`"]),
    ("curl", "control port", lambda at: curl(at.url(port=at.mynah.control_port)), ["pushes go to 2197"]),
    ("curl", "HTTP/1.1", lambda at: curl(at.url(), "--http1.1", "--cacert", at.ca), ["doesn't offer HTTP/2"]),
    ("curl", "closed port", lambda at: curl(at.url(port=at.closed_port)), ["docker port mynah"]),
    ("curl", "no such host", lambda at: curl(at.url(host="mynah")), ["Mynah's network"]),
    ("openssl", "no CA", lambda at: openssl(at.mynah.port), ["-CAfile"]),
    ("openssl", "wrong CA", lambda at: openssl(at.mynah.port, "-CAfile", str(at.other_ca)), ["-CAfile"]),
    ("openssl", "control port", lambda at: openssl(at.mynah.control_port), ["pushes go to 2197"]),
    ("openssl", "closed port", lambda at: openssl(at.closed_port), ["docker port mynah"]),
    ("httpx", "no CA", lambda at: script(HTTPX, at.url(), ""), ["SSL_CERT_FILE=certs/ca-bundle.pem"]),
    ("httpx", "wrong CA", lambda at: script(HTTPX, at.url(), str(at.other_ca)), ["SSL_CERT_FILE=certs/ca-bundle.pem"]),
    ("httpx", "http", lambda at: script(HTTPX, at.url("http"), at.ca), ["use `https:`"]),
    (
        "httpx",
        "control port",
        lambda at: script(HTTPX, at.url(port=at.mynah.control_port), at.ca),
        ["pushes go to 2197"],
    ),
    ("httpx", "HTTP/1.1", lambda at: script(HTTPX, at.url(), at.ca, "old"), ["doesn't offer HTTP/2"]),
    ("httpx", "closed port", lambda at: script(HTTPX, at.url(port=at.closed_port), at.ca), ["docker port mynah"]),
    (
        "aioapns",
        "no CA",
        lambda at: aioapns(at.mynah.port, "", at.mynah),
        ["SSL_CERT_FILE=certs/ca-bundle.pem", "logging.basicConfig()"],
    ),
    (
        "aioapns",
        "wrong CA",
        lambda at: aioapns(at.mynah.port, str(at.other_ca), at.mynah),
        ["SSL_CERT_FILE=certs/ca-bundle.pem", "logging.basicConfig()"],
    ),
    (
        "aioapns",
        "control port",
        lambda at: aioapns(at.mynah.control_port, at.ca, at.mynah),
        ["pushes go to 2197", "logging.basicConfig()"],
    ),
    (
        "aioapns",
        "closed port",
        lambda at: aioapns(at.closed_port, at.ca, at.mynah),
        ["docker port mynah", "logging.basicConfig()"],
    ),
    (
        "aioapns",
        "made before its event loop",
        lambda at: aioapns(at.mynah.port, at.ca, at.mynah, is_early=True),
        ["logging.basicConfig()", "in a coroutine"],
    ),
    (
        "aioapns",
        "the path of the key",
        lambda at: aioapns(at.mynah.port, at.ca, at.mynah, key=str(at.mynah.key_file)),
        ["the text of the `.p8` file"],
    ),
    ("nghttp", "http", lambda at: ["nghttp", at.url("http")], ["https://localhost:2197"]),
    ("nghttp", "control port", lambda at: ["nghttp", at.url(port=at.mynah.control_port)], ["https://localhost:2197"]),
    (
        "nghttp",
        "closed port",
        lambda at: ["nghttp", at.url(port=at.closed_port)],
        ["docker port mynah", "https://localhost:2197"],
    ),
    ("urllib", "HTTP/1.1", lambda at: script(URLLIB, at.url(), at.ca), ["use one with HTTP/2"]),
]


@pytest.mark.parametrize(
    ("client", "mistake", "remedies"),
    [pytest.param(client, mistake, remedies, id=f"{client}: {name}") for client, name, mistake, remedies in MISTAKES],
)
def test_what_a_client_says_leads_to_the_line_that_helps(
    client: str, mistake: Mistake, remedies: list[str], place: Place, tmp_path: Path
) -> None:
    done = subprocess.run(
        mistake(place),
        cwd=tmp_path,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=RUN_SECONDS,
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    found = [row for row in rows() if client in row.clients and any(message in said for message in row.messages)]
    assert len(found) == len(remedies), f"{[row.remedy for row in found]} for:\n{said}"
    for row, remedy in zip(found, remedies):
        assert remedy in row.remedy, said


def test_every_client_that_is_marked_is_tried() -> None:
    assert {client for row in rows() for client in row.clients} == {client for client, *_ in MISTAKES}
