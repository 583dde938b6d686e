"""Servers of a cluster whose clock is not the engine's (`RunACluster`, *When something fails*)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from mynah import StartError

from clusters import Cluster, Server, await_status, cluster, state
from commandline import FREE_PORTS, process_in
from conftest import unique_token
from devices import add_device, token_of
from shifted_clocks import SetClock, set_clock
from waiting import LONGEST_WAIT, LONGEST_WAIT_SECONDS, SILENCE_SECONDS, measured, stopwatch

HOUR = 3600
# Longer than a push takes on a slow machine.
DUE_SECONDS = 5
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def push(server: Server, token: str, seconds: int = 0, **further: str) -> None:
    """Sends a push with a provider token of the server's own time."""
    with server.connect() as connection:
        fields = [(name.replace("_", "-"), value) for name, value in further.items()]
        authorization = server.authorization(issued_at=time.time() + seconds)
        connection.push(token, authorization=authorization, further=fields).assert_accepted()


@pytest.mark.parametrize("begins", [False, True], ids=["joins", "begins"])
@pytest.mark.parametrize("seconds", [HOUR, -HOUR], ids=["ahead", "behind"])
def test_a_server_whose_clock_is_wrong_is_not_ready_and_has_the_time_of_the_others(
    cluster: Callable[..., Cluster], set_clock: SetClock, seconds: int, begins: bool
) -> None:
    made, environment = cluster(), set_clock(0)
    if begins:
        wrong, right = made.join(environment=environment), made.join()
    else:
        right, wrong = made.join(), made.join(environment=environment)
    set_clock(seconds)
    await_status(wrong, "/readyz", 503)
    await_status(right, "/readyz", 200)
    said = wrong.process.wait_for_error("the server is not ready: the clock of this server is at")
    for words in (said, wrong.control.ask("GET", "/readyz").json()["problem"]):
        # The log's line begins with its own time.
        own, engines = (datetime.fromisoformat(text) for text in re.findall(TIME, words)[-2:])
        assert abs((own - engines).total_seconds() - seconds) < HOUR / 2

    before = datetime.now(timezone.utc)
    tokens = [unique_token() for _ in range(4)]
    for number, token in enumerate(tokens):
        push(wrong, token, seconds) if number % 2 else push(right, token)
    after = datetime.now(timezone.utc)
    times = [datetime.fromisoformat(wrong.control.push(token)["receivedAt"]) for token in tokens]
    assert times == sorted(times)
    # Milliseconds are cut off.
    assert before - timedelta(milliseconds=1) <= times[0] and times[-1] <= after
    assert state(wrong) == state(right)
    set_clock(0)
    await_status(wrong, "/readyz", 200)


@pytest.mark.parametrize("seconds", [HOUR, -HOUR], ids=["ahead", "behind"])
def test_a_server_whose_clock_is_wrong_says_that_it_is_ready_when_it_is(
    cluster: Callable[..., Cluster], set_clock: SetClock, tmp_path: Path, seconds: int
) -> None:
    made = cluster()
    ready = tmp_path / "ready.json"
    server = process_in(
        tmp_path, "serve", *FREE_PORTS, "--cluster", made.engine.url, "--ready-file", str(ready), **set_clock(seconds)
    )  # fmt: skip
    try:
        server.wait_for_error("the server is not ready: the clock of this server is at")
        with pytest.raises(StartError):
            server.wait_for_line("mynah ready", SILENCE_SECONDS)
        assert not ready.exists() and not server.lines
        set_clock(0)
        server.wait_for_line("mynah ready")
        assert ready.exists()
    finally:
        server.kill()


@pytest.mark.measures
def test_what_is_due_is_done_by_the_time_of_the_engine(cluster: Callable[..., Cluster], set_clock: SetClock) -> None:
    # No other server does it.
    server = cluster().join(environment=set_clock(0))
    set_clock(-HOUR)
    await_status(server, "/readyz", 503)

    def seconds_until_due() -> float:
        token = token_of(add_device(server, online=False))
        push(server, token, -HOUR, apns_expiration=str(int(time.time()) + DUE_SECONDS))
        query = {"token": token, "outcome": "expired", "wait": LONGEST_WAIT, "count": 1}
        elapsed = stopwatch()
        assert server.control.ask("GET", "/v1/notifications", query).json()["matched"] == 1
        return elapsed()

    # At its own end the wait looks, too.
    measured(seconds_until_due, lambda seconds: seconds < LONGEST_WAIT_SECONDS / 2)
