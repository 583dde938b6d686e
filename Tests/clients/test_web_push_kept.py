"""Web pushes in a run that outlives its process: what was answered is kept, and subscriptions have the same keys."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server import Mynah
from test_web_push import refused, send
from web_pushes import WebApp, subscribe

Start = Callable[[], Mynah]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers that keep one run in `tmp_path`, one after another, and kills those that a failed test leaves."""
    servers: list[Mynah] = []

    def started() -> Mynah:
        servers.append(Mynah(tmp_path, "--data", str(tmp_path / "data"), "--web-push-port", "0"))
        return servers[-1]

    yield started
    for server in servers:
        if server.process.is_running:
            server.process.kill()


def seen(mynah: Mynah, app: WebApp) -> dict[str, Any]:
    """All that is kept of web pushes."""
    control = mynah.control
    return {
        "pushes": control.get("/v1/notifications?kind=webPush")["items"],
        "screen": control.get(f"/v1/devices/{app.device}/screen")["notifications"],
        "keys": control.get(app.path)["webPush"]["keys"],
        "stored": control.get(f"/v1/devices/{app.device}")["stored"],
    }


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_web_pushes_are_kept_with_their_subscriptions(start: Start, number: int) -> None:
    first = start()
    app = subscribe(first)
    send(app, '{"title":"Hi"}', ttl=60)
    assert refused(app, ttl=60, claims={"sub": "mailto:a@localhost"}) == (403, "BadJwtToken")
    app.set_online(False)
    send(app, "waits", ttl=60)
    before = seen(first, app)
    assert [push["status"] for push in before["pushes"]] == [201, 403, 201]
    assert before["stored"] == 1
    if number == signal.SIGTERM:
        first.stop()
    else:
        first.process.kill()
    second = start()
    assert seen(second, app) == before
    again = WebApp(second, app.device, app.origin, app.key, second.control.get(app.path))
    again.set_online(True)
    send(again, "after", ttl=60)
    assert [note["body"] for note in again.screen()] == ["after", "waits", None]
    second.stop()
