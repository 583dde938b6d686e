"""Who may call the control API, and how much (`ControlAPI#Browser-safety`)."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from commandline import CONFIGURATION, Command
from devices import add_device
from h2client import connect
from server import Mynah
from waiting import HANG_SECONDS, until

TOKEN = "s3cret-t0ken"
BODY_BYTES_MAX = 5 * 1024 * 1024
CONNECTIONS_MAX = 512
CONNECTIONS_ABOVE_MAX = 16
# Public names, which lead to this machine in the browser alone.
FOREIGN, REBOUND = "hostile.example", "rebound.example"
# How long an attempt that must fail is given; one that must succeed has until everything is given up.
WAIT_MILLISECONDS = 3000

# A page without a script of its own; the attempts are run in it.
HOSTILE_PAGE = b"<!doctype html><meta charset=utf-8><title>hostile</title><body>"


# Limits


def exchange(mynah: Mynah, data: bytes) -> tuple[int, dict[str, str], bytes]:
    """Sends bytes on a connection of their own and reads one response."""
    with socket.create_connection(("127.0.0.1", mynah.control_port), timeout=HANG_SECONDS) as channel:
        channel.sendall(data)
        response = http.client.HTTPResponse(channel)
        response.begin()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()


def problem_of(mynah: Mynah, data: bytes, status: int) -> dict[str, Any]:
    """The problem document that bytes are answered with."""
    got, fields, body = exchange(mynah, data)
    assert (got, fields["content-type"]) == (status, "application/problem+json"), body
    problem: dict[str, Any] = json.loads(body)
    assert problem["status"] == status and problem["detail"]
    return problem


def test_another_protocol_is_declined_and_the_connection_ends(mynah: Mynah) -> None:
    """As Java's HttpClient asks at first; what it sends next must not be lost."""
    head = b"GET /livez HTTP/1.1\r\nhost: localhost\r\n"
    upgrade = b"connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n"
    status, fields, _ = exchange(mynah, head + upgrade)
    assert (status, fields["connection"]) == (200, "close")
    with socket.create_connection(("127.0.0.1", mynah.control_port), timeout=HANG_SECONDS) as channel:
        channel.sendall(head + upgrade)
        while channel.recv(4096):
            pass


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_a_body_of_more_than_5_mb_is_413_however_it_comes(mynah: Mynah, method: str) -> None:
    head = f"{method} /v1/expectations HTTP/1.1\r\nhost: localhost\r\n".encode()
    if method != "POST":
        head = head.replace(b"expectations", b"notifications")
    problem_of(mynah, head + f"content-length: {BODY_BYTES_MAX + 1}\r\n\r\n".encode(), 413)
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    problem = problem_of(mynah, head + b"transfer-encoding: chunked\r\n\r\n" + chunk * 5 + b"1\r\n \r\n0\r\n\r\n", 413)
    assert str(BODY_BYTES_MAX) in problem["detail"]


def test_a_body_of_5_mb_is_read(mynah: Mynah) -> None:
    body = b"{}" + b" " * (BODY_BYTES_MAX - 2)
    answer = mynah.control.ask("POST", "/v1/expectations", body=b'{"within":"0s"}' + body[15:])
    assert answer.status == 200


def test_a_long_query_is_414_and_a_long_head_431(mynah: Mynah) -> None:
    long = "&".join(["topic=com.example.app"] * 800)
    problem = problem_of(mynah, f"GET /v1/notifications?{long} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode(), 414)
    assert "16384" in problem["detail"]
    field = b"x-long: " + b"x" * 40_000 + b"\r\n"
    problem_of(mynah, b"GET /v1/status HTTP/1.1\r\nhost: localhost\r\n" + field + b"\r\n", 431)
    fields = b"".join(b"x-%d: 1\r\n" % number for number in range(200))
    problem_of(mynah, b"GET /v1/status HTTP/1.1\r\nhost: localhost\r\n" + fields + b"\r\n", 431)


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"nonsense\r\n\r\n",
        b"GET /v1/status HTTP/1.1\r\nhost: localhost\r\ncontent-length: many\r\n\r\n",
        b"GET /v1/status HTTP/1.1\r\nbad field\r\n\r\n",
    ],
)
def test_what_is_no_http_is_400(mynah: Mynah, data: bytes) -> None:
    assert "HTTP/1.1" in problem_of(mynah, data, 400)["detail"]


def test_further_connections_than_there_may_be_are_503_until_one_closes(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    address = ("127.0.0.1", mynah.control_port)
    channels = [socket.create_connection(address, timeout=HANG_SECONDS) for _ in range(CONNECTIONS_MAX)]
    # Whoever has been answered has a place.
    last = channels[-1]
    last.sendall(b"GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n")
    assert last.recv(100).startswith(b"HTTP/1.1 200")
    request = b"GET /v1/status HTTP/1.1\r\nhost: localhost\r\n\r\n"
    assert "connections" in problem_of(mynah, request, 503)["detail"]
    # Probes have room of their own, also beside more silent connections than there are places for.
    silent = [socket.create_connection(address, timeout=HANG_SECONDS) for _ in range(2 * CONNECTIONS_ABOVE_MAX)]
    for path in ("/livez", "/readyz", "/readyz?verbose"):
        status, fields, _ = exchange(mynah, f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        assert (status, fields["connection"]) == (200, "close")
    # Silence is refused, too.
    for channel in silent:
        assert channel.recv(100).startswith(b"HTTP/1.1 503")
        channel.close()
    for channel in channels[:5]:
        channel.close()
    # The server learns of a close a moment later.
    until(lambda: exchange(mynah, request)[0] == 200, "the places of closed connections to be free")
    for channel in channels:
        channel.close()


# Token


def test_off_loopback_it_does_not_start_without_a_token(mynah_command: Command) -> None:
    flags = ["serve", "--port", "0", "--control-port", "0", "--control-host", "0.0.0.0"]
    done = mynah_command(*flags)
    assert done.returncode == CONFIGURATION, done
    assert "--control-token" in done.stderr and "--insecure-control" in done.stderr


def test_with_a_token_probes_answer_get_and_head_and_all_else_is_401(mynah_with: Callable[..., Mynah]) -> None:
    mynah = mynah_with("--control-token", TOKEN)
    for path in ("/livez", "/healthz", "/readyz"):
        for method in ("GET", "HEAD"):
            assert mynah.control.ask(method, path).status == 200
    for path in ("/v1/status", "/metrics", "/openapi.json", "/v1/nowhere"):
        for value in (None, "Bearer wrong", f"Bearer {TOKEN}x", f"Basic {TOKEN}", f"Bearer {TOKEN[:-1]}"):
            headers = {} if value is None else {"authorization": value}
            answer = mynah.control.ask("GET", path, headers=headers)
            assert answer.problem(401)["field"] == "Authorization"
            assert answer.headers["www-authenticate"].startswith("Bearer")
    assert mynah.control.ask("GET", "/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status == 200


# Pages of others


@pytest.fixture(scope="module")
def hostile_port() -> Iterator[int]:
    """The port of a server of somebody else's, with an empty page at every path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(HOSTILE_PAGE)))
            self.end_headers()
            self.wfile.write(HOSTILE_PAGE)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Silent: nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


class Target:
    """A server with something to read and something to change."""

    def __init__(self, mynah: Mynah) -> None:
        self.mynah = mynah
        self.device = add_device(mynah, id="victim", name="the secret name", online=False)["id"]
        with connect(mynah) as connection:
            connection.push("ab" * 32).assert_accepted()

    def state(self) -> dict[str, Any]:
        """All that an attempt could change."""
        control = self.mynah.control
        return {
            "devices": control.get("/v1/devices")["items"],
            "pushes": control.get("/v1/notifications")["matched"],
            "clock": control.get("/v1/clock")["mode"],
            "keys": control.get("/v1/keys")["items"],
        }


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    mynah = Mynah(Path(tmp_path_factory.mktemp("target")), "--log-level", "trace")
    yield Target(mynah)
    mynah.stop()


# Each is a function of the server's URL and answers what it could read, if anything.
ATTEMPTS = {
    "fetch": "async (url) => (await fetch(`${url}/v1/devices`)).text()",
    "fetch without CORS": "async (url) => (await fetch(`${url}/v1/devices`, {mode: 'no-cors'})).text()",
    "simple POST": """async (url) => (await fetch(`${url}/v1/devices`,
        {method: 'POST', mode: 'no-cors', headers: {'content-type': 'text/plain'}, body: '{"id":"made"}'})).text()""",
    "reset by a simple POST": """async (url) =>
        (await fetch(`${url}/v1/reset`, {method: 'POST', mode: 'no-cors'})).text()""",
    "beacon": "async (url) => { navigator.sendBeacon(`${url}/v1/devices`, '{\"id\":\"made\"}'); await later(); }",
    "DELETE": "async (url) => (await fetch(`${url}/v1/notifications`, {method: 'DELETE'})).text()",
    "PUT": """async (url) => (await fetch(`${url}/v1/clock`, {method: 'PUT',
        headers: {'content-type': 'application/json'}, body: '{"mode":"frozen"}'})).text()""",
    "with a token": """async (url) => (await fetch(`${url}/v1/devices`,
        {headers: {authorization: 'Bearer x'}})).text()""",
    "events": """(url) => new Promise((done) => {
        const source = new EventSource(`${url}/v1/events?after=0`);
        source.onopen = () => done('open');
        source.onerror = () => { source.close(); done(null); };
        source.addEventListener('notification', (event) => done(event.data));
    })""",
    "WebSocket": """(url) => new Promise((done) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/events`);
        socket.onopen = () => done('open');
        socket.onerror = () => done(null);
    })""",
    "form": """async (url) => {
        const form = document.createElement('form');
        Object.assign(form, {action: `${url}/v1/devices`, method: 'post', enctype: 'text/plain', target: frame('f')});
        const field = document.createElement('input');
        Object.assign(field, {name: '{"id":"made","name":"', value: '"}'});
        form.append(field);
        document.body.append(form);
        form.submit();
        await later();
    }""",
    "image that connects": """(url) => new Promise((done) => {
        const image = new Image();
        image.onerror = () => done(null);
        image.onload = () => done('loaded');
        image.src = `${url}/v1/devices/victim/stream?connect=true`;
    })""",
    "script": """(url) => new Promise((done) => {
        const script = document.createElement('script');
        script.onload = () => done('loaded');
        script.onerror = () => done(null);
        script.src = `${url}/v1/devices`;
        document.body.append(script);
    })""",
    "frame": """async (url) => {
        const name = frame('g', `${url}/v1/devices`);
        await later();
        const shown = document.getElementsByName(name)[0].contentWindow;
        try { return shown.document.body.textContent; } catch { return null; }
    }""",
    "window that connects": """async (url) => {
        const opened = window.open(`${url}/v1/devices/victim/stream?connect=true`);
        await later();
        try { return opened.document.body.textContent; } catch { return null; } finally { opened?.close(); }
    }""",
}
TOOLS = """
    window.later = () => new Promise((done) => setTimeout(done, 400));
    window.frame = (name, url) => {
        const frame = document.createElement('iframe');
        frame.name = name;
        if (url) frame.src = url;
        document.body.append(frame);
        return name;
    };
"""


def attempt(page: Page, script: str, url: str, milliseconds: int = WAIT_MILLISECONDS) -> Any:
    """What an attempt could read; an error in it means that it could read nothing."""
    page.add_init_script(TOOLS)
    page.evaluate(TOOLS)
    guarded = f"""(url) => Promise.race([
        ({script})(url).catch((error) => null),
        new Promise((done) => setTimeout(() => done(null), {milliseconds}))
    ])"""
    guarded = guarded.replace(f"({script})(url)", f"Promise.resolve(({script})(url))")
    return page.evaluate(guarded, url)


def succeed(page: Page, script: str, url: str) -> Any:
    """What an attempt of somebody who may do it could read."""
    return attempt(page, script, url, HANG_SECONDS * 1000)


@pytest.mark.parametrize("name", ATTEMPTS)
@pytest.mark.parametrize("origin", [FOREIGN, "localhost", "127.0.0.1"])
def test_a_page_of_another_origin_reads_and_changes_nothing(
    chromium: Browser, target: Target, hostile_port: int, origin: str, name: str
) -> None:
    before = target.state()
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"http://{origin}:{hostile_port}/")
    read = attempt(page, ATTEMPTS[name], target.mynah.control_url)
    assert not read, read
    assert target.state() == before
    context.close()
    assert target.state() == before


@pytest.mark.parametrize("name", ["fetch", "simple POST", "DELETE", "PUT", "events", "image that connects"])
def test_a_name_that_was_rebound_to_this_machine_reads_and_changes_nothing(
    chromium: Browser, target: Target, name: str
) -> None:
    before = target.state()
    url = f"http://{REBOUND}:{target.mynah.control_port}"
    context = chromium.new_context()
    page = context.new_page()
    # What the attacker's own server had said before the name led here.
    page.route(f"{url}/", lambda route: route.fulfill(body=HOSTILE_PAGE, content_type="text/html"))
    page.goto(f"{url}/")
    read = attempt(page, ATTEMPTS[name], url)
    assert not read or json.loads(read)["field"] == "Host", read
    assert target.state() == before
    context.close()


def test_a_link_of_another_site_leads_to_the_page_and_no_frame_shows_it(
    chromium: Browser, target: Target, hostile_port: int
) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"http://{FOREIGN}:{hostile_port}/")
    page.evaluate("(url) => { location.href = url; }", f"{target.mynah.control_url}/livez")
    page.wait_for_url(f"{target.mynah.control_url}/livez")
    assert '"status":"ready"' in page.content()
    context.close()
    answer = target.mynah.control.ask("GET", "/livez")
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_the_same_attempts_succeed_from_the_servers_own_page(
    chromium: Browser, own_mynah: Callable[..., Mynah]
) -> None:
    target = Target(own_mynah())
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{target.mynah.control_url}/livez")
    url = target.mynah.control_url
    assert "the secret name" in succeed(page, ATTEMPTS["fetch"], url)
    assert succeed(page, ATTEMPTS["events"], url)
    succeed(page, ATTEMPTS["simple POST"], url)
    assert "made" in [device["id"] for device in target.state()["devices"]]
    succeed(page, ATTEMPTS["PUT"], url)
    assert target.state()["clock"] == "frozen"
    succeed(page, ATTEMPTS["DELETE"], url)
    assert target.state()["pushes"] == 0
    context.close()


def test_a_page_of_an_allowed_origin_may_read_and_change(
    chromium: Browser, hostile_port: int, own_mynah: Callable[..., Mynah]
) -> None:
    origin = f"http://{FOREIGN}:{hostile_port}"
    target = Target(own_mynah("--cors-origin", origin))
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{origin}/")
    assert "the secret name" in succeed(page, ATTEMPTS["fetch"], target.mynah.control_url)
    succeed(page, ATTEMPTS["DELETE"], target.mynah.control_url)
    assert target.state()["pushes"] == 0
    context.close()
