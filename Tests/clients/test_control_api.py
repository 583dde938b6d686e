"""The control API as scripts use it: filters, paging, expectations, problems, browser safety, probes."""

from __future__ import annotations

import json
import socket
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path

import pytest

from conftest import unique_token
from control import Control
from devices import add_device
from h2client import FrameConnection, connect
from server import Mynah
from ports import has_ipv6
from waiting import HANG, HANG_SECONDS

# Filters


@pytest.fixture
def three(connection: FrameConnection, mynah: Mynah) -> Callable[..., set[str]]:
    """Three pushes that differ; the answer asks which of them a filter finds."""
    mark = unique_token()[:20]
    names = {
        "news": dict(body=json.dumps({"aps": {"alert": f"{mark} breaking story", "category": "NEWS"}}).encode()),
        "mail": dict(
            body=json.dumps({"aps": {"alert": f"{mark} you have mail", "badge": 3}}).encode(), topic=f"a.{mark}"
        ),
        "bad": dict(body=json.dumps({"aps": {"alert": f"{mark} nothing"}}).encode(), further=[("apns-priority", "7")]),
    }
    tokens = {unique_token(): name for name in names}
    for token, name in tokens.items():
        connection.push(token, **names[name])

    def find(query: list[tuple[str, str]]) -> set[str]:
        items = mynah.control.get("/v1/notifications", [*query, ("text", mark)])["items"]
        return {tokens[item["token"]] for item in items}

    return find


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ([], {"news", "mail", "bad"}),
        ([("status", "200")], {"news", "mail"}),
        ([("status", "200"), ("status", "400")], {"news", "mail", "bad"}),
        ([("status", "200"), ("topic", "com.example.app")], {"news"}),
        ([("!status", "200")], {"bad"}),
        ([("reason", "BadPriority")], {"bad"}),
        ([("outcome", "refused")], {"bad"}),
        ([("!has", "warnings")], {"news", "mail", "bad"}),
        ([("has", "warnings")], set()),
        ([("payload./aps/category", "NEWS")], {"news"}),
        ([("payload./aps/badge", "3")], {"mail"}),
        ([("q", "breaking")], {"news"}),
        ([("q", '"have mail"')], {"mail"}),
        ([("q", "-status:200")], {"bad"}),
        ([("q", "topic:com.example.app -reason:BadPriority")], {"news"}),
        ([("q", "payload:/aps/category:NEWS")], {"news"}),
    ],
    ids=lambda value: str(value) if isinstance(value, list) else "",
)
def test_filter(three: Callable[..., set[str]], query: list[tuple[str, str]], found: set[str]) -> None:
    assert three(query) == found


def test_a_list_can_be_read_page_by_page(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    for _ in range(7):
        connection.push(token).assert_accepted()
    seen: list[int] = []
    query: dict[str, object] = {"token": token, "limit": 3, "order": "asc"}
    for expected in (3, 3, 1):
        page = mynah.control.get("/v1/notifications", query)
        assert (len(page["items"]), page["matched"]) == (expected, 7)
        seen += [item["sequence"] for item in page["items"]]
        query["cursor"] = page["nextCursor"]
    assert query["cursor"] is None
    assert seen == sorted(set(seen))


def test_a_list_comes_as_json_lines_when_asked(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    for _ in range(3):
        connection.push(token).assert_accepted()
    answer = mynah.control.ask("GET", "/v1/notifications", {"token": token}, headers={"accept": "application/x-ndjson"})
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert [json.loads(line)["token"] for line in answer.body.splitlines()] == [token] * 3


def test_one_push_by_sequence_and_by_either_id(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    reply = connection.push(token)
    push = mynah.control.push(token)
    apns_id, unique_id = reply.value("apns-id"), reply.value("apns-unique-id")
    assert apns_id is not None and unique_id is not None
    assert mynah.control.get("/v1/notifications", {"uniqueId": unique_id})["items"] == [push]
    assert mynah.control.get("/v1/notifications", {"uniqueId": unique_id.upper(), "token": token})["items"] == [push]
    assert mynah.control.get("/v1/notifications", {"q": f"-uniqueId:{unique_id}", "token": token})["items"] == []
    for name in (str(push["sequence"]), apns_id, apns_id.lower(), unique_id, unique_id.upper()):
        assert mynah.control.get(f"/v1/notifications/{name}") == push
    # Ids that nobody has; other tests' pushes may have the nil UUID.
    for name in ("999999999", str(uuid.uuid4())):
        mynah.control.ask("GET", f"/v1/notifications/{name}").problem(404)


# Expectations


def test_an_expectation_that_is_met(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    with ThreadPoolExecutor(1) as pool:
        wanted = {"match": {"token": token}, "count": {"min": 2}, "within": HANG}
        answer = pool.submit(mynah.control.post, "/v1/expectations", wanted)
        connection.push(token), connection.push(token)
        found = answer.result(timeout=2 * HANG_SECONDS)
    assert (found["met"], found["matched"], len(found["items"])) == (True, 2, 2)


def test_an_expectation_that_is_not_met_shows_the_nearest(
    connection: FrameConnection, mynah: Mynah, token: str
) -> None:
    connection.push(token).assert_accepted()
    wanted = {"match": {"token": token, "topic": "com.example.other"}, "count": {"exactly": 1}, "within": "100ms"}
    found = mynah.control.post("/v1/expectations", wanted)
    assert (found["met"], found["matched"]) == (False, 0)
    [difference] = found["nearest"][0]["differences"]
    assert difference == {"field": "/topic", "expected": "com.example.other", "actual": "com.example.app"}


def test_an_expectation_of_nothing(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    nothing = {"match": {"token": token}, "count": {"max": 0}, "settle": "100ms"}
    assert mynah.control.post("/v1/expectations", nothing)["met"]
    connection.push(token).assert_accepted()
    assert not mynah.control.post("/v1/expectations", nothing)["met"]


# Bad questions


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_an_unknown_parameter_is_refused_by_name(
    connection: FrameConnection, mynah: Mynah, token: str, method: str
) -> None:
    """A misspelt filter must never widen a DELETE."""
    connection.push(token).assert_accepted()
    problem = mynah.control.ask(method, "/v1/notifications", {"tokn": token}).problem(400)
    assert "tokn" in json.dumps(problem) and "token" in json.dumps(problem)
    assert len(mynah.control.pushes(token)) == 1


@pytest.mark.parametrize(
    "query",
    [
        {"q": "-payload:aps.alert:hi"},
        {"q": "-payload:aps/alert:hi"},
        {"q": "-screen:title:hi"},
        {"q": " "},
        {"!payload.aps.alert": "hi"},
        {"!token": "abc"},
        {"!apnsId": "07c0"},
        {"!device": "kim's phone"},
        {"text": ""},
        {"!topic": "com.*"},
        {"!topic": "/news/"},
        {"!topic": "com.a,com.b"},
        {"!team": "TEAM*"},
        {"!reason": "BadTopik"},
        {"!status": "4xx"},
        {"!webPush./ttl": "soon"},
        {"q": "-topic.com"},
        {"q": "-topic-com"},
        {"q": "-topic*"},
        {"q": "-webPush"},
        {"q": "topic.com"},
        {"q": "shown:true outcome:refused"},
        {"q": "payload./aps/url=https://shop.example"},
    ],
    ids=json.dumps,
)
def test_a_filter_that_no_push_can_meet_removes_nothing(
    connection: FrameConnection, mynah: Mynah, token: str, query: dict[str, str]
) -> None:
    connection.push(token).assert_accepted()
    for method in ("DELETE", "GET") if query != {"q": " "} else ("DELETE",):
        problem = mynah.control.ask(method, "/v1/notifications", query).problem(400)
        assert problem["field"] in query, problem
    if "payload.aps" in json.dumps(query) or "payload:aps" in json.dumps(query):
        assert "as in /aps/alert" in problem["detail"], problem
    assert len(mynah.control.pushes(token)) == 1


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", "/v1/notifications?scope=", None),
        ("DELETE", "/v1/notifications?!scope=", None),
        ("DELETE", "/v1/notifications?q=", None),
        ("DELETE", "/v1/notifications?collapseId=%20", None),
        ("DELETE", "/v1/devices?scope=", None),
        ("DELETE", "/v1/devices?!user=", None),
        ("PATCH", "/v1/devices?user=", {"online": False}),
        ("DELETE", "/v1/faults?scope=", None),
        ("DELETE", "/v1/faults?name=", None),
        ("DELETE", "/v1/scenarios?scope=", None),
        ("POST", "/v1/activities?fleet=", {"topic": "com.example.app", "attributesType": "A"}),
        ("DELETE", "/v1/activities?channel=", None),
        ("DELETE", "/v1/activities?scope=", None),
        ("POST", "/v1/reset", {"scope": ""}),
    ],
    ids=str,
)
def test_an_empty_value_widens_no_change(mynah: Mynah, method: str, path: str, body: object) -> None:
    """A variable that is not set must not select what has no scope, or everything."""
    device = add_device(mynah)
    problem = mynah.control.ask(method, path, body=body).problem(400)
    name = path.partition("?")[2].partition("=")[0]
    assert problem["field"] == (name or "/scope"), problem
    assert mynah.control.get(f"/v1/devices/{device['id']}")["online"] is True


def test_an_empty_value_removes_nothing_from_a_screen(mynah: Mynah) -> None:
    device = add_device(mynah)
    for name in ("topic", "!topic", "identifier"):
        path = f"/v1/devices/{device['id']}/screen?{name}="
        assert mynah.control.ask("DELETE", path).problem(400)["field"] == name


def test_a_reason_that_a_fault_invents_can_be_expected(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    action = {"type": "respond", "status": 418, "reason": "OutOfPigeons"}
    mynah.control.post("/v1/faults", {"match": {"token": token}, "action": action, "times": 1})
    assert connection.push(token).status == 418
    for match in ({"reason": "OutOfPigeons"}, {"reason": {"contains": "Pigeons"}}, {"q": "reason~:OutOf"}):
        assert mynah.control.post("/v1/expectations", {"match": {"token": token} | match, "within": "0s"})["met"]
    for match in ({"reason": "BadTopik"}, {"q": "reason~:badtopic"}, {"reason": {"not": "Unregisterd"}}):
        mynah.control.ask("POST", "/v1/expectations", body={"match": match, "within": "0s"}).problem(400)


@pytest.mark.parametrize("path", ["/v1/expectations", "/v1/faults"])
@pytest.mark.parametrize(
    "match",
    [
        {"payload": {"aps.alert": "hi"}},
        {"payload": {"aps/alert": "hi"}},
        {"headers": {"apns-priority": 10}},
        {"headers": {":path": "/3/device"}},
        {"token": {"not": "abc"}},
        {"apnsId": "07c0"},
        {"topic": "com.*"},
        {"topic": {"not": ["com.a", "^com"]}},
        {"topic": {"prefix": "com.*"}},
        {"channel": "/tvI2/"},
        {"headers": {"apns-topik": "com.example.app"}},
        {"headers": {"apns-topic": "com.*"}},
        {"priority": {"gte": 11}},
        {"pushType": "alert", "kind": "webPush"},
        {"device": "kim", "kind": "broadcast"},
    ],
    ids=json.dumps,
)
def test_a_match_that_no_push_can_meet_is_refused(mynah: Mynah, path: str, match: dict[str, object]) -> None:
    body: dict[str, object] = {"match": match}
    if path == "/v1/faults":
        body["action"] = {"type": "pass"}
    problem = mynah.control.ask("POST", path, body=body).problem(400)
    assert problem["field"].startswith("/match/" + next(iter(match))), problem


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "0"},
        {"limit": "1001"},
        {"limit": "many"},
        {"order": "up"},
        {"status": "ok"},
        {"after": "x"},
        {"count": "-1", "wait": "1s"},
        {"priority": "high"},
        {"outcome": "lost-and-found"},
        {"environment": "moon"},
    ],
    ids=str,
)
def test_a_value_that_makes_no_sense_is_refused_by_name(mynah: Mynah, query: dict[str, str]) -> None:
    problem = mynah.control.ask("GET", "/v1/notifications", query).problem(400)
    assert next(iter(query)) in problem["field"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"match": {"tokn": "a"}}, "tokn"),
        ({"mach": {}}, "mach"),
        ({"match": {}, "within": 5}, "within"),
        ({"match": {}, "within": "5"}, "within"),
        ({"match": {}, "count": {"least": 1}}, "least"),
        ({"match": {"topic": {"like": "x"}}}, "like"),
        ([], None),
        (b"{", None),
        (b"", None),
    ],
    ids=str,
)
def test_an_expectation_that_makes_no_sense_is_refused_by_name(mynah: Mynah, body: object, field: str | None) -> None:
    problem = mynah.control.ask("POST", "/v1/expectations", body=body).problem(400)
    if field:
        assert field in problem["field"]


def test_an_unknown_field_of_a_reset_is_refused_and_nothing_is_reset(
    connection: FrameConnection, mynah: Mynah, token: str
) -> None:
    connection.push(token).assert_accepted()
    mynah.control.ask("POST", "/v1/reset", body={"onyl": ["devices"]}).problem(400)
    assert len(mynah.control.pushes(token)) == 1


def test_an_unknown_path_and_a_wrong_method_are_problems(mynah: Mynah) -> None:
    mynah.control.ask("GET", "/v1/nope").problem(404)
    mynah.control.ask("PUT", "/v1/status", body={}).problem(405)


@pytest.mark.parametrize("path", ["/v1/expectations", "/v1/reset"])
@pytest.mark.measures
def test_a_body_over_5_mb_is_refused_and_does_not_hold_up_anything(own_mynah: Callable[..., Mynah], path: str) -> None:
    """The client sends all of it before it reads, as most do."""
    mynah = own_mynah()
    mynah.control.ask("POST", path, body=b" " * (5 * 1024 * 1024 + 1)).problem(413)
    mynah.stop()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/notifications?wait=60s&count=1", None),
        ("POST", "/v1/expectations", {"match": {}, "within": "60s"}),
    ],
    ids=["wait", "expectation"],
)
@pytest.mark.measures
def test_a_call_that_waits_does_not_hold_up_shutdown(
    own_mynah: Callable[..., Mynah], method: str, path: str, body: object
) -> None:
    mynah = own_mynah()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(mynah.control.ask, method, path, body=body)
        # A connection that is open and says nothing must not matter either.
        with socket.create_connection(("127.0.0.1", mynah.control_port), timeout=HANG_SECONDS):
            assert mynah.control.ask("GET", "/livez").status == 200
            mynah.stop()
        assert isinstance(answer.exception(timeout=HANG_SECONDS), (OSError, HTTPException)) or answer.result().status in (
            200,
            503,
        )


@pytest.mark.measures
def test_a_caller_that_leaves_while_it_waits_is_forgotten(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    for _ in range(20):
        with pytest.raises(TimeoutError):
            mynah.control.ask("GET", "/v1/notifications", {"wait": "60s", "count": 1}, timeout=0.05)
    mynah.stop()


# Browser safety


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("127.0.0.1:8197", 200),
        ("[::1]:8197", 200),
        ("192.168.1.5", 200),
        ("mynah", 200),
        ("mynah.localhost", 200),
        ("kim.local:80", 200),
        ("host.docker.internal", 200),
        ("ci.test", 200),
        ("example.com", 403),
        ("localhost.example.com", 403),
        ("127.0.0.1.nip.io", 403),
        ("internal.example.com:8197", 403),
    ],
)
def test_host(mynah: Mynah, host: str, status: int) -> None:
    answer = mynah.control.ask("GET", "/v1/status", headers={"host": host})
    assert answer.status == status
    if status == 403:
        answer.problem(403)


@pytest.mark.parametrize(
    "origin", ["https://example.com", "null", "http://localhost:1", "https://localhost.example.com"]
)
def test_a_foreign_origin_is_refused(mynah: Mynah, origin: str) -> None:
    mynah.control.ask("GET", "/v1/status", headers={"origin": origin}).problem(403)
    mynah.control.ask("POST", "/v1/reset", body={}, headers={"origin": origin}).problem(403)


def test_the_pages_own_origin_is_accepted(mynah: Mynah) -> None:
    own = f"http://127.0.0.1:{mynah.control_port}"
    assert mynah.control.ask("GET", "/v1/status", headers={"origin": own}).status == 200


def test_a_host_can_be_allowed(mynah_with: Callable[..., Mynah]) -> None:
    mynah = mynah_with("--allowed-host", "mynah.example.com")
    assert mynah.control.ask("GET", "/v1/status", headers={"host": "mynah.example.com"}).status == 200
    assert mynah.control.ask("GET", "/v1/status", headers={"host": "other.example.com"}).status == 403


def test_a_control_token_is_demanded_but_not_by_probes_and_the_ca(mynah_with: Callable[..., Mynah]) -> None:
    mynah = mynah_with("--control-token", "secret-of-the-test")
    answer = mynah.control.ask("GET", "/v1/status")
    assert answer.status == 401 and "www-authenticate" in answer.headers
    assert mynah.control.ask("GET", "/v1/status", headers={"authorization": "Bearer wrong"}).status == 401
    right = {"authorization": "Bearer secret-of-the-test"}
    assert mynah.control.ask("GET", "/v1/status", headers=right).status == 200
    for path in ("/livez", "/readyz", "/ca.pem"):
        assert mynah.control.ask("GET", path).status == 200


# Probes and status


@pytest.mark.parametrize("path", ["/livez", "/healthz", "/readyz"])
def test_probes_answer_get_and_head(mynah: Mynah, path: str) -> None:
    assert mynah.control.ask("GET", path).status == 200
    head = mynah.control.ask("HEAD", path)
    assert (head.status, head.body) == (200, b"")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_the_control_port_is_served_on_both_loopback_addresses(mynah: Mynah, address: str) -> None:
    if ":" in address and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    assert Control(mynah.control_port, address).ask("GET", "/livez").status == 200


def test_status_counts_and_names_its_ports(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah("--seed", "42")
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.push("zz").assert_refused(400, "BadDeviceToken")
        status = mynah.control.get("/v1/status")
    assert (status["name"], status["environment"], status["seed"]) == ("mynah", "sandbox", 42)
    counts = status["counts"]
    assert (counts["received"], counts["accepted"], counts["refused"]) == (2, 1, 1)
    assert (counts["devices"], counts["connections"]) == (1, 1)
    assert status["memory"]["resident"] > 1_000_000
    assert str(mynah.port) in json.dumps(status["ports"])


def test_generated_ids_repeat_with_the_seed(own_mynah: Callable[..., Mynah], tmp_path: Path, token: str) -> None:
    ids = []
    for name in ("first", "second"):
        mynah = own_mynah("--seed", "7", folder=tmp_path / name)
        with connect(mynah) as connection:
            ids.append([connection.push(token).value("apns-id") for _ in range(3)])
        mynah.stop()
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 3
