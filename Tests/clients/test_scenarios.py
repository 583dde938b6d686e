"""Scenarios over the wire (`Documents#Scenarios`): rules that come and go by the clock and by pushes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from commandline import CONFIGURATION, FREE_PORTS, Command
from conftest import unique_token
from faults import BUSY, device_token, statuses
from h2client import FrameConnection, connect, trusted
from rehearsals import REHEARSALS, Stage, web_told
from server import Mynah
from waiting import RUN_SECONDS
from web_pushes import VapidKey, subscribe

SHIPPED = sorted(path.stem for path in (Path(__file__).parents[2] / "fixtures" / "scenarios").glob("*.yaml"))


def start(mynah: Mynah, *steps: dict[str, Any], name: str = "script", **members: Any) -> dict[str, Any]:
    """Lets a scenario begin; as it is then."""
    begun: dict[str, Any] = mynah.control.post("/v1/scenarios", {"name": name, "steps": list(steps)} | members)
    return begun


def rule_ids(mynah: Mynah) -> list[str]:
    """The rules in force, the oldest first."""
    return [rule["id"] for rule in reversed(mynah.control.get("/v1/faults")["items"])]


def test_steps_count_the_clock_and_are_done_when_the_call_answers(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    token = unique_token()
    with trusted(connect(mynah), token) as connection:
        begun = start(
            mynah,
            {"add": [{"id": "busy", "action": BUSY}]},
            {"after": "30s", "remove": ["busy"], "add": [{"id": "slow", "action": {"type": "stall"}}]},
            {"after": "1m", "remove": ["slow"]},
        )
        assert (begun["stepsDone"], begun["rules"], begun["next"]["after"]) == (1, ["busy"], "30s")
        assert connection.push(token).status == 503
        mynah.control.post("/v1/clock/advance", {"by": "29s"})
        assert connection.push(token).status == 503
        assert mynah.control.get("/v1/scenarios/script")["stepsDone"] == 1
        mynah.control.post("/v1/clock/advance", {"to": "next"})
        assert rule_ids(mynah) == ["slow"]
        stream = connection.start_push(token)
        connection.ping()
        assert not connection.reply_so_far(stream).is_over
        mynah.control.post("/v1/clock/advance", {"by": "10m"})
        connection.push(token).assert_accepted()
    ended = mynah.control.get("/v1/scenarios/script")
    assert (ended["stepsDone"], ended["rules"], ended["next"], ended["problem"]) == (3, [], None, None)


def test_several_steps_that_fall_due_together_are_done_in_order(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    start(
        mynah,
        {"after": "1s", "add": [{"id": "a", "action": BUSY}]},
        {"after": "2s", "remove": ["a"], "add": [{"id": "b", "action": BUSY}]},
    )
    mynah.control.post("/v1/clock/advance", {"by": "1m"})
    assert rule_ids(mynah) == ["b"]


@pytest.mark.measures
def test_a_step_after_time_runs_by_itself(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    start(mynah, {"after": "200ms", "add": [{"id": "busy", "action": BUSY}]})
    with connect(mynah) as connection:
        while connection.push(unique_token()).status == 200:
            pass
    assert mynah.control.get("/v1/scenarios/script")["stepsDone"] == 1


def test_the_push_behind_the_last_one_meets_the_step(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    token = unique_token()
    with connect(mynah) as connection:
        statuses(connection, token, 3)
        start(
            mynah,
            {"after": {"pushes": 5}, "add": [{"id": "busy", "action": BUSY}]},
            {"after": {"pushes": 7}, "remove": ["busy"]},
        )
        assert statuses(connection, token, 9) == [200] * 5 + [503] * 2 + [200] * 2
    assert mynah.control.get("/v1/scenarios/script")["stepsDone"] == 2


def test_a_step_is_done_as_soon_as_its_last_push_is_answered(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    start(mynah, {"after": {"pushes": 2}, "add": [{"id": "busy", "action": BUSY}]})
    with connect(mynah) as connection:
        connection.push(unique_token(), topic=None).assert_refused(400, "MissingTopic")
        assert mynah.control.get("/v1/scenarios/script")["next"]["pushesLeft"] == 1
        connection.push(unique_token()).assert_accepted()
        assert rule_ids(mynah) == ["busy"]


def push_many(connection: FrameConnection, count: int, seen: list[int]) -> None:
    """Pushes, some at a time; their statuses."""
    for _ in range(count // 10):
        streams = [connection.start_push(unique_token()) for _ in range(10)]
        seen.extend(connection.reply(stream).status for stream in streams)


@pytest.mark.measures
def test_pushes_on_four_connections_are_counted_exactly(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(mynah)) for _ in range(4)]
        for connection in connections:
            trusted(connection, unique_token())
        for number in range(5):
            start(
                mynah,
                {"after": {"pushes": 100}, "add": [{"id": "busy", "action": BUSY}]},
                {"after": {"pushes": 300}, "remove": ["busy"]},
                name=f"round-{number}",
            )
            seen: list[list[int]] = [[] for _ in connections]
            threads = [
                threading.Thread(target=push_many, args=(connection, 100, seen[index]))
                for index, connection in enumerate(connections)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(RUN_SECONDS)
            answers = [status for one in seen for status in one]
            assert (len(answers), answers.count(503)) == (400, 200)
            # The journal's order is that of the devices, which a refused push does not reach; the count is exact.
            assert mynah.control.get(f"/v1/scenarios/round-{number}")["stepsDone"] == 2


def test_removing_a_scenario_takes_its_rules_and_no_others(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.control.post("/v1/faults", {"id": "mine", "action": {"type": "pass"}})
    start(mynah, {"add": [{"id": "a", "action": BUSY}, {"id": "b", "action": BUSY}, {"action": BUSY}]})
    start(mynah, {"add": [{"id": "c", "action": BUSY}]}, name="other")
    assert [item["name"] for item in mynah.control.get("/v1/scenarios")["items"]] == ["script", "other"]
    # One that somebody has replaced is not the scenario's any more.
    assert mynah.control.ask("PUT", "/v1/faults/a", body={"action": BUSY}).status == 200
    answer = mynah.control.ask("DELETE", "/v1/scenarios/script")
    assert answer.json() == {"removed": {"scenarios": 1, "faults": 2}}
    assert sorted(rule_ids(mynah)) == ["a", "c", "mine"]
    assert mynah.control.ask("DELETE", "/v1/scenarios").json() == {"removed": {"scenarios": 1, "faults": 1}}
    mynah.control.ask("DELETE", "/v1/scenarios/script").problem(404)


@pytest.mark.parametrize("reset", [{}, {"only": ["faults"]}])
def test_a_reset_counts_the_scenarios_that_it_ends(own_mynah: Callable[..., Mynah], reset: dict[str, Any]) -> None:
    mynah = own_mynah()
    start(mynah, {"add": [{"id": "a", "action": BUSY}]})
    removed = mynah.control.post("/v1/reset", reset)["removed"]
    assert (removed["scenarios"], removed["faults"]) == (1, 1)
    assert "scenarios" not in mynah.control.post("/v1/reset", reset)["removed"]


def test_a_scenario_of_a_scope_touches_its_pushes_and_follows_its_clock(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mine, others = (device_token(mynah, scope=scope)[1] for scope in ("t1", "t2"))
    for scope in ("t1", "t2"):
        begun = start(
            mynah, {"add": [{"id": "busy", "action": BUSY}]}, {"after": "1h", "remove": ["busy"]}, scope=scope
        )
        assert (begun["scope"], begun["rules"]) == (scope, [f"busy@{scope}"])
    with connect(mynah) as connection:
        assert [connection.push(token).status for token in (mine, others, unique_token())] == [503, 503, 200]
        # A rule of a scope can be changed like any other.
        assert mynah.control.ask("PATCH", "/v1/faults/busy@t1", body={"enabled": True}).status == 200
        mynah.control.post("/v1/clock/advance", {"by": "1h", "scope": "t1"})
        assert [connection.push(token).status for token in (mine, others)] == [200, 503]
        mynah.control.post("/v1/clock/advance", {"to": "next", "scope": "t2"})
        assert connection.push(others).status == 200
    assert mynah.control.get("/v1/scenarios/script", {"scope": "t1"})["stepsDone"] == 2
    assert mynah.control.post("/v1/reset", {"scope": "t1"})["removed"]["devices"] == 1
    assert [item["scope"] for item in mynah.control.get("/v1/scenarios")["items"]] == ["t2"]
    mynah.control.ask("DELETE", "/v1/scenarios/script").problem(404)
    assert mynah.control.ask("DELETE", "/v1/scenarios", {"scope": "t1"}).json()["removed"]["scenarios"] == 0
    assert mynah.control.ask("DELETE", "/v1/scenarios/script", {"scope": "t2"}).json()["removed"]["scenarios"] == 1


def test_a_scenario_of_the_start_begins_again_with_a_reset_of_its_scope(
    own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    file = tmp_path / "script.yaml"
    file.write_text("name: script\nscope: t1\nsteps:\n  - add: [{id: busy, action: {type: respond, status: 503}}]\n")
    mynah = own_mynah("--scenario", str(file))
    mynah.control.ask("DELETE", "/v1/scenarios")
    assert rule_ids(mynah) == []
    mynah.control.post("/v1/reset", {"scope": "t2"})
    assert rule_ids(mynah) == []
    mynah.control.post("/v1/reset", {"scope": "t1"})
    assert rule_ids(mynah) == ["busy@t1"]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"steps": [{"add": [{"action": BUSY}]}]}, 400, "/name"),
        ({"name": "no-such"}, 400, "/name"),
        ({"name": "x", "steps": []}, 400, "/steps"),
        ({"name": "x", "steps": [{"add": [{"action": {"type": "stal"}}]}]}, 400, "/steps/0/add/0/action/type"),
        ({"name": "x", "steps": [{"after": "5", "add": [{"action": BUSY}]}]}, 400, "/steps/0/after"),
        ({"name": "x", "stps": []}, 400, "/stps"),
        ({"name": "x", "steps": [{"add": [{"match": {"connection": 1}, "action": BUSY}]}]}, 400,
         "/steps/0/add/0/match/connection"),
        ({"name": "maintenance-shutdown", "scope": "t1"}, 400, "/steps/0/add/1/match/event"),
        ({"name": "goaway-under-load", "scope": "t1"}, 400, "/steps/1/after"),
        ({"name": "flaky-network", "scope": "t 1"}, 400, "/scope"),
        ({"name": "taken", "steps": [{"add": [{"action": BUSY}]}]}, 409, "/name"),
        ({"name": "x", "steps": [{"after": "1h", "add": [{"id": "there", "action": BUSY}]}]}, 409,
         "/steps/0/add/0/id"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_scenario_is_named(mynah_with: Any, body: Any, status: int, field: str) -> None:
    mynah = mynah_with("--seed", "11")
    mynah.control.ask("PUT", "/v1/faults/there", body={"match": {"token": "00" * 32}, "action": BUSY})
    mynah.control.ask("POST", "/v1/scenarios", body={
        "name": "taken", "steps": [{"after": "1h", "add": [{"match": {"token": "00" * 32}, "action": BUSY}]}]})  # fmt: skip
    assert mynah.control.ask("POST", "/v1/scenarios", body=body).problem(status)["field"] == field


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_scenario_begins_by_its_name(mynah_with: Any, name: str) -> None:
    mynah = mynah_with("--seed", "12")
    shipped = {item["name"]: item for item in mynah.control.get("/v1/scenarios", {"shipped": "true"})["items"]}
    assert sorted(shipped) == SHIPPED
    begun = mynah.control.post("/v1/scenarios", {"name": name})
    assert (begun["steps"], begun["description"]) == (shipped[name]["steps"], shipped[name]["description"])
    first = begun["steps"][0]
    expected = [rule["id"] for rule in first["add"]] if first["after"] == "0s" else []
    assert begun["rules"] == expected
    for identifier in expected:
        assert mynah.control.get(f"/v1/faults/{identifier}")["enabled"] is True
    assert mynah.control.ask("DELETE", f"/v1/scenarios/{name}").json()["removed"]["faults"] == len(expected)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_scenario_does_what_it_says_on_a_used_server_and_after_a_reset(
    own_mynah: Callable[..., Mynah], name: str
) -> None:
    mynah = own_mynah("--port", "0:sandbox", "--port", "0:production", "--web-push-port", "0")
    # Connections, pushes, rules and a scenario of before.
    for _ in range(3):
        with connect(mynah) as connection:
            assert statuses(connection, unique_token(), 4) == [200] * 4
    for is_reset in (False, True):
        if is_reset:
            mynah.control.post("/v1/reset", {})
        with closing(Stage(mynah)) as stage:
            mynah.control.post("/v1/scenarios", {"name": name})
            REHEARSALS[name](stage)
        mynah.control.ask("DELETE", f"/v1/scenarios/{name}")


def test_every_scenario_has_a_rehearsal() -> None:
    assert sorted(REHEARSALS) == SHIPPED


def test_the_purge_answers_one_push_in_twenty_and_always_the_same(
    own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    runs = []
    for name in ("first", "second"):
        # The scenario's seed is its own, whatever the server's.
        mynah = own_mynah("--scenario", "token-purge-day", folder=tmp_path / name)
        with connect(mynah) as connection:
            runs.append(statuses(connection, unique_token(), 400))
    assert set(runs[0]) == {200, 410} and 5 <= runs[0].count(410) <= 50
    assert runs[0] == runs[1]


def test_a_scenario_of_the_start_begins_again_with_a_reset(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    file = tmp_path / "script.yaml"
    file.write_text(
        "name: script\nsteps:\n  - add: [{id: busy, action: {type: respond, status: 503}}]\n"
        "  - after: 1m\n    remove: [busy]\n"
    )
    mynah = own_mynah("--scenario", str(file), "--scenario", "unregistered-once")
    assert [item["name"] for item in mynah.control.get("/v1/scenarios")["items"]] == ["script", "unregistered-once"]
    mynah.control.post("/v1/clock/advance", {"by": "1m"})
    mynah.control.post("/v1/faults", {"id": "mine", "action": BUSY})
    assert rule_ids(mynah) == ["once", "mine"]
    assert mynah.control.post("/v1/reset", {})["removed"]["faults"] == 2
    assert rule_ids(mynah) == ["busy", "once"]
    assert mynah.control.get("/v1/scenarios/script")["stepsDone"] == 1


@pytest.mark.parametrize("name", ["vapid-key-rotated", "dead-subscriptions", "web-push-storm"])
def test_a_scenario_of_web_pushes_touches_those_of_its_scope_alone(own_mynah: Callable[..., Mynah], name: str) -> None:
    mynah = own_mynah("--web-push-port", "0")
    mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"})
    mynah.control.post("/v1/scenarios", {"name": name, "scope": "t1"})
    fleets = {}
    key = VapidKey()
    for scope in ("t1", "t2"):
        mynah.control.post("/v1/devices", {"id": scope, "scope": scope})
        fleets[scope] = [subscribe(mynah, key, device=scope) for _ in range(24)]
    mynah.control.post("/v1/clock/advance", {"by": "61s", "scope": "t1"})
    answers = {scope: {answer for app in fleet for answer in web_told(app, 6)} for scope, fleet in fleets.items()}
    assert answers["t2"] == {"201"}
    reason = {
        "vapid-key-rotated": "400 VapidPkHashMismatch",
        "dead-subscriptions": "410 Unregistered",
        "web-push-storm": "429 TooManyRequests",
    }[name]
    assert answers["t1"] == ({reason} if name == "vapid-key-rotated" else {"201", reason})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name: x\nsteps:\n  - add:\n      - action:\n          type: stal\n", ":5: /steps/0/add/0/action/type: "),
        ("name: x\nsteps: []\n", ":2: /steps: "),
        ("name: [\n", ": not YAML"),
    ],
)
def test_a_bad_scenario_ends_the_start(mynah_command: Command, tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "script.yaml").write_text(text)
    result = mynah_command("serve", *FREE_PORTS, "--scenario", "script.yaml")
    assert result.returncode == CONFIGURATION
    assert "script.yaml:" in result.stderr and place in result.stderr, result.stderr


def test_a_scenario_that_is_neither_shipped_nor_a_file_is_named(mynah_command: Command) -> None:
    result = mynah_command("serve", *FREE_PORTS, "--scenario", "token-purge-dya")
    assert result.returncode == CONFIGURATION
    assert "token-purge-day" in result.stderr, result.stderr


def test_faults_of_fixtures_are_there_at_the_start_and_after_a_reset(
    own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    file = tmp_path / "fixtures.yaml"
    file.write_text(json.dumps({"faults": [{"id": "a", "action": BUSY}, {"scope": "t1", "action": BUSY}]}))
    mynah = own_mynah("--fixtures", str(file))
    assert rule_ids(mynah) == ["a", "f-1"]
    with connect(mynah) as connection:
        assert connection.push(unique_token()).status == 503
    mynah.control.ask("DELETE", "/v1/faults")
    assert mynah.control.post("/v1/reset", {})["removed"]["faults"] == 0
    assert rule_ids(mynah) == ["a", "f-1"]
    assert mynah.control.get("/v1/faults/a")["fired"] == 0
    mynah.control.ask("DELETE", "/v1/faults/a")
    assert mynah.control.post("/v1/reset", {"scope": "t1"})["removed"]["faults"] == 1
    assert rule_ids(mynah) == ["f-1"]


def test_bad_faults_in_fixtures_end_the_start(mynah_command: Command, tmp_path: Path) -> None:
    (tmp_path / "fixtures.yaml").write_text("faults:\n  - action: {type: stall}\n  - action: {type: stal}\n")
    result = mynah_command("serve", *FREE_PORTS, "--fixtures", "fixtures.yaml")
    assert result.returncode == CONFIGURATION
    assert "fixtures.yaml:3: /faults/1/action/type: " in result.stderr, result.stderr


def test_faults_and_scenarios_from_a_shell(mynah: Mynah, mynah_command: Command, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{mynah.control_port}"
    token, other = unique_token(), unique_token()

    def run(*arguments: str, code: int = 0) -> str:
        result = mynah_command(*arguments, MYNAH_URL=url)
        assert result.returncode == code, (arguments, result.stderr)
        return (result.stdout if code == 0 else result.stderr).strip()

    first = run("fault", "add", "410", "--token", token, "--times", "1")
    with connect(mynah) as connection:
        assert statuses(connection, token, 2) == [410, 200]
        assert any(line.startswith(f"{first}\ton\t1\t2\t") for line in run("fault", "ls").splitlines())
        run("fault", "set", first, "429", "--times", "3")
        assert connection.push(token).status == 429
        run("fault", "set", first, "--disable")
        assert connection.push(token).status == 200
        # Flags may stand anywhere.
        second = run("fault", "add", "--token", other, "goaway", "--json", "--every", "100", "--id", f"at-{first}")
        made = json.loads(second)
        assert (made["id"], made["every"], made["action"]["type"]) == (f"at-{first}", 100, "goaway")
        assert json.loads(run("fault", "show", first))["enabled"] is False
    (tmp_path / "rules.yaml").write_text(f"- match: {{token: '{other}'}}\n  action: {{type: stall}}\n")
    third = run("fault", "add", "--file", "rules.yaml")
    run("fault", "rm", first, made["id"], third)
    assert "f-none" in run("fault", "show", "f-none", code=66)
    assert "stall" in run("fault", "add", "stal", code=64)
    (tmp_path / "rules.yaml").write_text("- action:\n    type: stal\n")
    assert "rules.yaml:2: " in run("fault", "add", "--file", "rules.yaml", code=78)
    assert run("scenario", "start", "token-purge-day", "--scope", "t9").split("\t")[:2] == ["token-purge-day", "t9"]
    assert "purge@t9" in run("scenario", "list", "--scope", "t9")
    assert json.loads(run("scenario", "show", "token-purge-day", "--scope", "t9"))["scope"] == "t9"
    refused = run("scenario", "add", "goaway-under-load", "--scope", "t", code=64)
    assert "goaway-under-load can't run in a scope" in refused
    run("scenario", "show", "token-purge-day", code=66)
    run("scenario", "stop", "token-purge-day", "--scope", "t9")
    assert [line.split("\t")[0] for line in run("scenario", "list", "--shipped").splitlines()] == SHIPPED
