"""Servers of a cluster whose clock is not the engine's (`RunACluster`, *When something fails*)."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from clusters import Cluster, Server, await_status, cluster, state
from conftest import unique_token
from devices import add_device, token_of
from waiting import HANG, HANG_SECONDS

SOURCE = Path(__file__).parent / "shifted_clock.c"
HOUR = 3600
# Longer than a push takes on a slow machine.
DUE_SECONDS = 5
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"

# Makes the environment of a server whose clock is shifted by seconds.
Shifted = Callable[[int], dict[str, str]]


@pytest.fixture
def shifted(tmp_path: Path) -> Shifted:
    if shutil.which("cc") is None:
        pytest.skip("a C compiler is missing")

    def make(seconds: int) -> dict[str, str]:
        library = tmp_path / f"shifted{seconds}.so"
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", f"-DSHIFT_SECONDS=({seconds})", "-o", library, SOURCE], check=True
        )
        return {"LD_PRELOAD": str(library)}

    return make


def push(server: Server, token: str, seconds: int = 0, **further: str) -> None:
    """Sends a push with a provider token of the server's own time."""
    with server.connect() as connection:
        fields = [(name.replace("_", "-"), value) for name, value in further.items()]
        authorization = server.authorization(issued_at=time.time() + seconds)
        connection.push(token, authorization=authorization, further=fields).assert_accepted()


@pytest.mark.parametrize("begins", [False, True], ids=["joins", "begins"])
@pytest.mark.parametrize("seconds", [HOUR, -HOUR], ids=["ahead", "behind"])
def test_a_server_whose_clock_is_wrong_is_not_ready_and_has_the_time_of_the_others(
    cluster: Callable[..., Cluster], shifted: Shifted, seconds: int, begins: bool
) -> None:
    made = cluster()
    if begins:
        wrong, right = made.join(environment=shifted(seconds)), made.join()
    else:
        right, wrong = made.join(), made.join(environment=shifted(seconds))
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


@pytest.mark.measures
def test_what_is_due_is_done_by_the_time_of_the_engine(cluster: Callable[..., Cluster], shifted: Shifted) -> None:
    # No other server does it.
    server = cluster().join(environment=shifted(-HOUR))
    token = token_of(add_device(server, online=False))
    push(server, token, -HOUR, apns_expiration=str(int(time.time()) + DUE_SECONDS))
    # At its own end the wait looks, too, for which this client doesn't stay.
    query = {"token": token, "outcome": "expired", "wait": HANG, "count": 1}
    answer = server.control.ask("GET", "/v1/notifications", query, timeout=HANG_SECONDS / 2)
    assert answer.json()["matched"] == 1
