"""The system's clock is set back: kept and other runs do the same (`ControlTime`)."""

from __future__ import annotations

import re
import time
from datetime import datetime
from pathlib import Path

import pytest

from devices import add_device, token_of
from h2client import connect_cleartext
from server import Mynah
from shifted_clocks import SetClock, set_clock

HOUR = 3600


def shift_of(text: str) -> float:
    """How far a time of the API is from now, in hours, rounded."""
    return round((datetime.fromisoformat(text).timestamp() - time.time()) / HOUR)


def push(mynah: Mynah, token: str, seconds: int) -> dict[str, object]:
    """Sends a push that expires in an hour by the server's clock; returns it as the journal has it.

    Without TLS, whose certificate may be of another time.
    """
    with connect_cleartext(mynah) as connection:
        connection.push(
            token, authorization=mynah.authorization(issued_at=time.time() + seconds),
            further=[("apns-expiration", str(int(time.time()) + seconds + HOUR))],
        ).assert_accepted()  # fmt: skip
    found: dict[str, object] = mynah.control.pushes(token)[-1]
    return found


@pytest.mark.parametrize("keeps", [False, True], ids=["not kept", "kept"])
def test_a_run_goes_back_with_the_clock_and_says_so(
    tmp_path: Path, set_clock: SetClock, keeps: bool
) -> None:
    flags = ["--data", str(tmp_path / "data")] if keeps else []
    mynah = Mynah(tmp_path, *flags, environment=set_clock(0))
    token = token_of(add_device(mynah, online=False))
    assert shift_of(str(push(mynah, token, 0)["receivedAt"])) == 0
    set_clock(-2 * HOUR)
    said = mynah.process.wait_for_error("the system's clock was set back: it is 2h back")
    assert "what is due waits longer" in said
    assert shift_of(mynah.control.get("/v1/clock")["now"]) == -2
    found = push(mynah, token, -2 * HOUR)
    assert (shift_of(str(found["receivedAt"])), found["outcome"]) == (-2, "stored")
    mynah.stop()


def test_a_run_whose_clock_was_ahead_goes_on_with_the_right_time_and_says_so(
    tmp_path: Path, set_clock: SetClock
) -> None:
    flags = ["--data", str(tmp_path / "data")]
    ahead = Mynah(tmp_path, *flags, environment=set_clock(2 * HOUR))
    token = token_of(add_device(ahead, online=False))
    assert shift_of(str(push(ahead, token, 2 * HOUR)["receivedAt"])) == 2
    ahead.process.kill()
    right = Mynah(tmp_path, *flags, environment=set_clock(0))
    said = right.process.wait_for_error("the system's clock is behind the last change")
    # Two hours, but for the time since that change.
    assert re.search("it is (2h|1h.+) back", said), said
    assert shift_of(right.control.get("/v1/clock")["now"]) == 0
    found = push(right, token, 0)
    assert (shift_of(str(found["receivedAt"])), found["outcome"]) == (0, "stored")
    right.stop()
