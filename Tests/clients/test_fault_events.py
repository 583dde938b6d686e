"""What is told of fault rules: as events, in the metrics, by `mynah tail`, and in the errors of the command line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from commandline import USAGE, Command, Serve
from devices import EventStream, unique_id
from faults import BUSY, add_fault, device_token
from h2client import connect
from server import Mynah
from waiting import stopwatch

BURST = 300
# The least time between two events about the firings of one rule.
INTERVAL_SECONDS = 0.1


def test_a_rule_is_told_when_it_is_made_changed_fires_and_goes(mynah: Mynah) -> None:
    _, token = device_token(mynah)
    name = unique_id("told")
    path = f"/v1/faults/{name}"
    with EventStream(mynah, f"/v1/events?event=fault&fault={name}") as stream, connect(mynah) as connection:
        add_fault(mynah, BUSY, id=name, match={"token": token})
        assert mynah.control.ask("PATCH", path, body={"times": 5}).status == 200
        assert connection.push(token).status == 503
        made, changed, fired = stream.next(3)
        answered = mynah.control.get(path)
        assert mynah.control.ask("PUT", path, body={"action": BUSY, "match": {"token": token}}).status == 200
        assert mynah.control.ask("DELETE", path).status == 200
        replaced, removed = stream.next(2)
    events = [made, changed, fired, replaced, removed]
    assert [event.data.pop("change") for event in events] == ["created", "changed", "fired", "changed", "removed"]
    assert [event.data["fired"] for event in events] == [0, 0, 1, 0, 0]
    assert [event.data["times"] for event in events] == [None, 5, 5, None, None]
    assert answered.pop("words")["does"] == ["answers 503 ServiceUnavailable"]
    assert fired.data == answered


@pytest.mark.measures
def test_many_firings_are_few_events_and_the_last_one_has_the_last_count(mynah: Mynah) -> None:
    _, token = device_token(mynah)
    name = unique_id("burst")
    counts = []
    with EventStream(mynah, f"/v1/events?event=fault&fault={name}") as stream, connect(mynah) as connection:
        add_fault(mynah, BUSY, id=name, match={"token": token})
        elapsed = stopwatch()
        for _ in range(BURST):
            connection.push(token)
        for event in (event for event in stream.events() if event.name == "fault"):
            counts.append(event.data["fired"])
            if counts[-1] == BURST:
                break
    assert counts == sorted(counts) and counts[:2] == [0, 1]
    # That it was made, the first firing, and one for each interval: half of the burst only where a push takes long.
    assert len(counts) <= 2 + elapsed() / INTERVAL_SECONDS
    assert mynah.control.ask("DELETE", f"/v1/faults/{name}").status == 200


def test_a_rule_that_takes_anothers_place_fires_anew(mynah: Mynah) -> None:
    _, token = device_token(mynah)
    name = unique_id("anew")
    rule = {"action": BUSY, "match": {"token": token}}
    with EventStream(mynah, f"/v1/events?event=fault&fault={name}") as stream, connect(mynah) as connection:
        for count in (3, 2):
            assert mynah.control.ask("PUT", f"/v1/faults/{name}", body=rule).status in (200, 201)
            for _ in range(count):
                connection.push(token)
        seen = []
        for event in (event for event in stream.events() if event.name == "fault"):
            seen.append((event.data["change"], event.data["fired"]))
            if ("changed", 0) in seen and seen[-1] == ("fired", 2):
                break
    assert seen[0] == ("created", 0)
    assert mynah.control.ask("DELETE", f"/v1/faults/{name}").status == 200


def test_the_rules_of_a_scenario_are_told_and_all_rules_at_once_are_one_reset(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    with EventStream(mynah, "/v1/events?event=fault&event=reset") as stream:
        mynah.control.post("/v1/scenarios", {"name": "s", "steps": [{"add": [{"id": "a", "action": BUSY}]}]})
        add_fault(mynah, BUSY, id="b")
        assert mynah.control.ask("DELETE", "/v1/faults").json() == {"removed": {"faults": 2}}
        first, second, reset = stream.next(3)
    assert [event.data["change"] for event in (first, second)] == ["created"] * 2
    assert [event.data["id"] for event in (first, second)] == ["a", "b"]
    assert (reset.name, reset.data["only"], reset.data["removed"]) == ("reset", ["faults"], {"faults": 2})


def test_the_metrics_count_firings_by_rule(mynah: Mynah) -> None:
    _, token = device_token(mynah)
    name = add_fault(mynah, BUSY, match={"token": token}, times=2)
    with connect(mynah) as connection:
        assert [connection.push(token).status for _ in range(3)] == [503, 503, 200]
    text = mynah.control.ask("GET", "/metrics").body.decode()
    assert f'mynah_faults_fired_total{{fault="{name}"}} 2' in text.splitlines()
    assert mynah.control.ask("DELETE", f"/v1/faults/{name}").status == 200
    assert name not in mynah.control.ask("GET", "/metrics").body.decode()


def test_tail_names_the_rule(mynah: Mynah, serve: Serve) -> None:
    _, token = device_token(mynah)
    after = mynah.control.last_sequence()
    name = add_fault(mynah, BUSY, match={"token": token})
    tail = serve("tail", "--url", mynah.control_url, "--after", str(after), "--token", token)
    with connect(mynah) as connection:
        connection.push(token)
    shown = json.loads(tail.wait_for_line("{"))
    assert (shown["status"], shown["reason"], shown["fault"]) == (503, "ServiceUnavailable", name)


def test_scenarios_go_on_when_the_clock_alone_is_reset(own_mynah: Callable[..., Mynah]) -> None:
    """Each step once, and as long after the one before as it says."""
    mynah = own_mynah()
    steps = [{"add": [{"id": "a", "action": BUSY}]}, {"after": "1h", "remove": ["a"]}]
    mynah.control.post("/v1/scenarios", {"name": "s", "steps": steps})
    for _ in range(2):
        mynah.control.post("/v1/clock/advance", {"by": "29m"})
        mynah.control.post("/v1/reset", {"only": ["clock"]})
    assert mynah.control.get("/v1/scenarios/s")["stepsDone"] == 1
    mynah.control.post("/v1/clock/advance", {"by": "3m"})
    assert mynah.control.get("/v1/scenarios/s")["stepsDone"] == 2
    assert mynah.control.get("/v1/faults")["items"] == []


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["goaway", "--close", "maybe"], '--close: "maybe" is not valid: expected afterStreams, now or never'),
        (
            ["503", "--event", "accept"],
            "mynah: respond can't happen at event accept, so the rule would do nothing: "
            "expected close, throttle or refuse",
        ),
        (["503", "--environment", "prod"], '--environment: "prod" is not valid: expected sandbox or production'),
        (
            ["503", "--delay", "5"],
            '--delay: "5" is not valid: expected a duration with a unit, such as 250ms, 5s or 1h30m',
        ),
        (["stall", "--delay", "5s"], 'unknown option of stall "--delay": expected --deliver, '),
        (["tls-expired", "--topic", "x"], "never match: expected connection, environment or event"),
        (["refuse", "--topic", "x"], "never match; event request knows it: expected connection, environment or event"),
        (["503", "--header", "User Agent=x"], "is not a header's name: expected one, like user-agent"),
        (
            ["503", "--times", "99999999999999999999"],
            "--times: 99999999999999999999 is not valid: expected a whole number from 1",
        ),
    ],
)
def test_a_rule_that_is_wrong_is_refused_with_what_would_be_right(
    mynah: Mynah, mynah_command: Command, words: list[str], error: str
) -> None:
    done = mynah_command("fault", "add", "--url", mynah.control_url, *words)
    assert (done.returncode, done.stdout) == (USAGE, ""), done
    assert error in done.stderr
