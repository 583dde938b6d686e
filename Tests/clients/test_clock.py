"""The clock over the wire (`control-api.md`, guarantees 3 and 4; `models.md`, *Clock*)."""

from __future__ import annotations

import time
from collections.abc import Callable

from devices import add_device, token_of, unique_id
from h2client import connect
from server import Mynah

NOON = "2031-01-01T12:00:00.000Z"


def test_advancing_expires_what_waits_before_it_answers(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    device = add_device(mynah, online=False)
    ends = int(time.time()) + 60
    with connect(mynah) as connection:
        connection.push(token_of(device), further=[("apns-expiration", str(ends))]).assert_accepted()
        report = mynah.control.post("/v1/clock/advance", {"to": "next"})
        assert report["expired"] == 1
        assert mynah.control.push(token_of(device))["outcome"] == "expired"
    # A provider's token grows old on the same clock.
    mynah.control.post("/v1/clock/advance", {"by": "2h"})
    with connect(mynah) as connection:
        connection.push(token_of(device)).assert_refused(403, "ExpiredProviderToken")


def test_a_scope_has_a_clock_of_its_own(mynah: Mynah) -> None:
    scopes = [unique_id("scope") for _ in range(2)]
    devices = [add_device(mynah, scope=scope, online=False) for scope in scopes]
    ends = int(time.time()) + 600
    with connect(mynah) as connection:
        for device in devices:
            connection.push(token_of(device), further=[("apns-expiration", str(ends))]).assert_accepted()
    report = mynah.control.post("/v1/clock/advance", {"by": "1h", "scope": scopes[0]})
    assert (report["mode"], report["expired"]) == ("offset", 1)
    assert [mynah.control.push(token_of(device))["outcome"] for device in devices] == ["expired", "stored"]
    assert mynah.control.get("/v1/clock")["mode"] == "real"


def test_a_frozen_clock_hangs_no_wait(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen", "now": NOON})
    device = add_device(mynah)
    started = time.monotonic()
    answer = mynah.control.get(f"/v1/devices/{device['id']}/inbox", {"wait": "200ms"})
    assert answer["timedOut"] is True
    assert 0.2 <= time.monotonic() - started < 5
    assert mynah.control.get("/v1/clock") == {"mode": "frozen", "now": NOON}
    problem = mynah.control.ask("PUT", "/v1/clock", body={"now": "2030-01-01T00:00:00Z"}).problem(409)
    assert problem["field"] == "/now" and NOON in problem["detail"]


def test_a_reset_brings_the_clock_of_the_start_back(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.post("/v1/clock/advance", {"by": "24h"})
    assert mynah.control.post("/v1/reset", {"only": ["clock"]})["removed"]["clock"] == 1
    assert mynah.control.get("/v1/clock")["mode"] == "real"
    status = mynah.control.get("/v1/status")
    assert status["clock"] == "real"
