"""Every case of `fixtures/devices` with pushes over TLS, and what happens to the devices over the control API."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import pytest

from device_scripts import DevicePlay, DeviceScript, all_scripts
from h2client import FrameConnection, connect
from server import Mynah

SCRIPTS = [script for script in all_scripts() if script.flags is not None]
SERVER_NAMES = {"sandbox": "api.sandbox.push.apple.com", "production": "api.push.apple.com"}


@pytest.mark.parametrize("script", [pytest.param(one, id=f"{one.file}: {one.content['name']}") for one in SCRIPTS])
def test_script(script: DeviceScript, mynah_with: Callable[..., Mynah]) -> None:
    # Nobody else's tests come to servers whose clock may stand still.
    mynah = mynah_with("--idle-timeout=1000h", *(script.flags or []))
    with ExitStack() as open_connections:
        connections: dict[str, FrameConnection] = {}

        def connection(environment: str) -> FrameConnection:
            if environment not in connections:
                opened = connect(mynah, server_name=SERVER_NAMES[environment])
                connections[environment] = open_connections.enter_context(opened)
            return connections[environment]

        DevicePlay(mynah, connection, script).play()


def test_few_scripts_are_left_out() -> None:
    left_out = [script.content["name"] for script in all_scripts() if script.flags is None]
    assert left_out == [
        "a budget of 0 holds every background push",
        "an inbox keeps as many pushes as its limit and counts the others",
    ]
