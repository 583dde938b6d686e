"""Pushes with a meaning, or very many of them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from h2client import FrameConnection, connect
from server import Mynah
from waiting import RUN_SECONDS

# How many pushes are on their way at once.
IN_FLIGHT = 50


def alert(title: str, body: str = "", **further: Any) -> bytes:
    """A payload with an alert."""
    return json.dumps({"aps": {"alert": {"title": title, "body": body}}} | further, ensure_ascii=False).encode()


def push(mynah: Mynah, token: str, body: bytes, **options: Any) -> int:
    """Sends one push on a connection of its own, whatever it is answered; its sequence number."""
    with connect(mynah) as connection:
        connection.push(token, body, **options)
    newest = mynah.control.get("/v1/notifications", {"limit": 1, "order": "desc"})["items"]
    sequence: int = newest[0]["sequence"]
    return sequence


def push_each(mynah: Mynah, topic: str, bodies: Iterable[str]) -> None:
    """Sends accepted pushes with these bodies to a topic, one after the other, each to a device of its own."""
    with connect(mynah) as connection:
        for number, body in enumerate(bodies, 1):
            connection.push(f"{number:064x}", body.encode(), topic=topic).assert_accepted()


def push_many(mynah: Mynah, token: str, count: int, folder: Path) -> None:
    """Sends the same push very often, as fast as it goes."""
    payload = folder / "payload.json"
    payload.write_bytes(alert("One of very many"))
    fields = {"authorization": mynah.authorization(), "apns-topic": "com.example.app", "apns-push-type": "alert"}
    flags = [flag for name, value in fields.items() for flag in ("-H", f"{name}: {value}")]
    url = f"https://localhost:{mynah.port}/3/device/{token}"
    command = ["h2load", "-n", str(count), "-c", "2", "-m", "100", "-d", str(payload), *flags, url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_SECONDS, check=True)
    assert f"status codes: {count} 2xx" in done.stdout, done.stdout


def push_steadily(connection: FrameConnection, token: str, body: bytes, count: int) -> None:
    """Sends the same push so often on one connection, some of them at once, and waits for all answers."""
    if connection.stream_limit < IN_FLIGHT:
        # The first accepted push raises the limit, by SETTINGS that may come after its answer.
        connection.push(token, body).assert_accepted()
        connection.wait_for_stream_limit(IN_FLIGHT)
        count -= 1
    while count:
        part = min(count, IN_FLIGHT)
        for stream in [connection.start_push(token, body) for _ in range(part)]:
            connection.reply(stream).assert_accepted()
        count -= part
