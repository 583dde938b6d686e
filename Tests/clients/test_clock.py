"""The clock over the wire (`ControlAPI#Guarantees`; `Documents#Clock`)."""

from __future__ import annotations

import time
from collections.abc import Callable

from pathlib import Path

import pytest

from commandline import FINE, Command
from conftest import unique_token
from devices import add_device, token_of, unique_id
from h2client import connect
from server import Mynah
from waiting import HANG_SECONDS, takes_at_least, takes_less_than

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


@pytest.mark.measures
def test_a_frozen_clock_hangs_no_wait(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen", "now": NOON})
    device = add_device(mynah)
    # Above, only that it ends at all.
    with takes_at_least(0.2), takes_less_than(HANG_SECONDS):
        answer = mynah.control.get(f"/v1/devices/{device['id']}/inbox", {"wait": "200ms"})
    assert answer["timedOut"] is True
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


# Signing by a clock that has been moved


def test_our_own_providers_sign_by_the_servers_clock(
    own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path
) -> None:
    mynah = own_mynah()
    url = ["--url", mynah.control_url]
    key = ["--key", str(mynah.key_file), "--team-id", mynah.team_id]
    first = mynah.provider_token()
    done = mynah_command("clock", "advance", "2h", *url)
    assert done.returncode == FINE
    [warning] = done.stderr.splitlines()
    assert "2h ahead of" in warning and "ExpiredProviderToken" in warning and "--scope" in warning
    for further in ([], key):
        sent = mynah_command(
            *["send", "--topic", "com.example.app", "--alert", "hi", "--to", unique_token(), *url, *further]
        )
        assert sent.returncode == FINE, sent
        printed = mynah_command("token", *url, *further)
        with connect(mynah) as connection:
            connection.push(unique_token(), authorization=f"bearer {printed.stdout.strip()}").assert_accepted()
    assert mynah.provider_token() != first
    with connect(mynah) as connection:
        connection.push(unique_token(), authorization=f"bearer {mynah.provider_token()}").assert_accepted()


def test_a_token_without_a_server_has_the_systems_time(mynah_command: Command, mynah: Mynah, token: str) -> None:
    key = ["--key", str(mynah.key_file), "--team-id", mynah.team_id]
    printed = mynah_command("token", "--url", "http://127.0.0.1:1", *key)
    assert (printed.returncode, printed.stderr) == (FINE, "")
    with connect(mynah) as connection:
        connection.push(token, authorization=f"bearer {printed.stdout.strip()}").assert_accepted()


def test_the_clock_is_named_where_a_token_is_good_by_the_systems(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    token = unique_token()
    mynah.control.post("/v1/clock/advance", {"by": "2h"})
    with connect(mynah) as connection:
        connection.push(token).assert_refused(403, "ExpiredProviderToken")
        assert "s ahead of the system's" in mynah.control.push(token)["timeline"][-1]["detail"]
        unmet = mynah.control.post(
            "/v1/expectations", {"match": {"token": token, "status": 200}, "within": "0s"}
        )
        assert any("only a scope's clock" in hint for hint in unmet["hints"])
    # A token that is old by any clock is the provider's own doing.
    token = unique_token()
    with connect(mynah) as connection:
        old = mynah.authorization(issued_at=time.time() - 3700)
        connection.push(token, authorization=old).assert_refused(403, "ExpiredProviderToken")
        assert "system" not in mynah.control.push(token)["timeline"][-1]["detail"]


def test_a_clock_that_was_advanced_can_be_real_again(own_mynah: Callable[..., Mynah], mynah_command: Command) -> None:
    mynah = own_mynah()
    device = add_device(mynah, online=False)
    with connect(mynah) as connection:
        ends = str(int(time.time()) + 600)
        connection.push(token_of(device), further=[("apns-expiration", ends)]).assert_accepted()
    quiet = mynah_command("clock", "advance", "2h", "--scope", "t42", "--url", mynah.control_url)
    assert (quiet.returncode, quiet.stderr) == (FINE, "")
    assert mynah_command("clock", "advance", "2h", "--url", mynah.control_url).returncode == FINE
    back = mynah_command("clock", "set", "real", "--url", mynah.control_url)
    assert (back.returncode, back.stderr) == (FINE, ""), back
    assert "(real)" in back.stdout
    assert mynah.control.get("/v1/clock", {"scope": "t42"})["mode"] == "offset"
    assert mynah.control.push(token_of(device))["outcome"] == "expired"
    with connect(mynah) as connection:
        connection.push(unique_token()).assert_accepted()
