"""Every case of `fixtures/screen` with pushes over TLS, and the user's and the app's part over the control API."""

from __future__ import annotations

from typing import Any

import pytest

from h2client import FrameConnection
from screens import UNTOLD, ScreenCase, ScreenPlay, all_screens
from server import Mynah


@pytest.mark.parametrize("case", [pytest.param(case, id=case.file) for case in all_screens()])
def test_screen(case: ScreenCase, mynah: Mynah, connection: FrameConnection) -> None:
    play = ScreenPlay(mynah, connection, case)
    play.play()
    for name, value in case.content["expect"].items():
        if name in UNTOLD or name == "at":
            continue
        actual = play.actual(name)
        assert agrees(actual, value), f"{name} is {actual}, {value} was expected"
    play.remove()


def agrees(actual: Any, expected: Any) -> bool:
    """Whether the named members are as expected; a list has as many elements."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        return all(name in actual and agrees(actual[name], value) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(actual, list):
        return len(actual) == len(expected) and all(map(agrees, actual, expected))
    return bool(actual == expected)
