"""Several servers that are one APNs, on NATS JetStream (`RunACluster`)."""

from __future__ import annotations

import base64
import json
import random
import re
import signal
import ssl
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from answered import IS_LONG, Answered
from clusters import (
    TOPIC, Cluster, Load, Server, await_gone, await_pushes, await_status, check, cluster, state,
)  # fmt: skip
from commandline import CONFIGURATION, FREE_PORTS
from conftest import unique_token
from devices import EventStream, add_device
from engine import Engine, Link
from h2client import connect
from provider_certificates import OrderedCertificate
from test_data import fill
from test_metrics import value
from waiting import LONGEST_WAIT, measured, until

takes_long = pytest.mark.skipif(not IS_LONG, reason="takes up to a minute: set MYNAH_LONG_TESTS")


@pytest.fixture
def pair(cluster: Callable[..., Cluster]) -> tuple[Cluster, Server, Server]:
    """A cluster of two servers and one node of the engine."""
    made = cluster()
    return made, made.join(), made.join()


Pair = tuple[Cluster, Server, Server]


def test_what_one_server_takes_all_have(pair: Pair) -> None:
    _, one, other = pair
    one.control.put("/v1/devices/kim", {"registrations": [{"topic": TOPIC}]})
    token = other.control.get("/v1/devices/kim")["registrations"][0]["token"]
    for number in range(10):
        mynah, reader = (one, other) if number % 2 else (other, one)
        with connect(mynah) as connection:
            connection.push(token).assert_accepted()
        assert len(reader.control.get("/v1/notifications", {"token": token})["items"]) == number + 1
    assert state(one) == state(other)


def test_a_wait_on_one_server_is_over_when_another_one_takes_the_push(pair: Pair) -> None:
    _, one, other = pair
    token = unique_token()
    found: list[Any] = []
    waiting = threading.Thread(
        target=lambda: found.append(
            other.control.get("/v1/notifications", {"token": token, "wait": LONGEST_WAIT, "count": 1})
        )
    )
    waiting.start()
    with connect(one) as connection:
        connection.push(token).assert_accepted()
    waiting.join()
    assert found[0]["matched"] == 1 and not found[0]["timedOut"]


def test_a_fault_with_a_number_of_times_fires_so_often_on_all_servers_together(pair: Pair) -> None:
    _, one, other = pair
    one.control.post("/v1/faults", {"id": "once", "times": 1, "action": {"type": "respond", "status": 503}})
    one.control.post("/v1/faults", {"id": "third", "every": 3, "action": {"type": "respond", "status": 500}})
    statuses = []
    with connect(one) as first, connect(other) as second:
        for number in range(12):
            statuses.append((second if number % 2 == 0 else first).push(unique_token()).status)
    assert statuses.count(503) == 1
    assert {rule["id"]: rule["fired"] for rule in other.control.get("/v1/faults")["items"]} == {
        "once": 1, "third": statuses.count(500),
    }  # fmt: skip
    assert statuses.count(500) == 4


def test_a_rate_is_that_of_all_servers_together(pair: Pair) -> None:
    _, one, other = pair
    rule = {"id": "busy", "rateOver": {"count": 4, "per": "1h"}, "action": {"type": "respond", "status": 429}}
    one.control.post("/v1/faults", rule)
    with connect(one) as first, connect(other) as second:
        statuses = [(second if number % 2 == 0 else first).push(unique_token()).status for number in range(8)]
    assert statuses == [200] * 4 + [429] * 4


def test_a_reader_of_events_is_told_what_another_server_takes(pair: Pair) -> None:
    _, one, other = pair
    token = unique_token()
    with EventStream(other, "/v1/events?event=notification") as stream:
        with connect(one) as connection:
            connection.push(token).assert_accepted()
            (event,) = stream.next()
    assert event.data == other.control.push(token)


def test_keys_and_revocations_hold_on_all_servers_when_the_call_is_answered(pair: Pair) -> None:
    _, one, other = pair
    with connect(one) as first, connect(other) as second:
        for connection in (first, second):
            connection.push(unique_token()).assert_accepted()
        one.control.delete(f"/v1/keys/{one.key_id}")
        for connection in (first, second):
            assert connection.push(unique_token()).status == 403
        other.control.post("/v1/reset", {"only": ["keys"]})
        for connection in (first, second):
            connection.push(unique_token()).assert_accepted()


def test_a_certificate_holds_on_all_servers_until_it_is_revoked_on_one(pair: Pair, tmp_path: Path) -> None:
    _, one, other = pair
    certificate = OrderedCertificate(one, tmp_path)
    path = f"/v1/certificates/{certificate.serial_number}"
    assert other.control.get(path)["revokedAt"] is None
    with connect(other, context=certificate.context()) as connection, connect(one) as unharmed:
        connection.push(unique_token(), authorization=None).assert_accepted()
        certificate.revoke()
        connection.push(unique_token(), authorization=None).assert_refused(403, "BadCertificate")
        unharmed.push(unique_token()).assert_accepted()
    assert other.control.get(path)["revokedAt"] == one.control.get(path)["revokedAt"]
    # The other server has heard of it by now, since it has answered a call.
    with pytest.raises(ssl.SSLError, match="(?i)certificate.revoked"):
        with connect(other, context=certificate.context()) as late:
            late.channel.recv(1)


def test_a_change_that_is_too_large_for_the_engine_is_413(pair: Pair) -> None:
    _, one, other = pair
    answer = {"type": "respond", "status": 503, "body": "x" * 16_000}
    problem = one.control.ask("POST", "/v1/faults", body=[{"action": answer}] * 100).problem(413)
    assert problem["type"] == "urn:mynah:problem:too-large"
    assert "expected at most" in problem["detail"] and "max_payload" in problem["detail"]
    assert other.control.get("/v1/faults")["items"] == []
    one.control.post("/v1/faults", [{"action": answer}] * 10)
    assert len(other.control.get("/v1/faults")["items"]) == 10


def test_changes_that_are_too_large_together_are_made_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "engine.conf").write_text("max_payload: 65536")
    made = Cluster(tmp_path / "cluster", 1, "--config", str(tmp_path / "engine.conf"))
    try:
        one, other = made.join(), made.join()
        rule = {"action": {"type": "respond", "status": 503, "body": "x" * 15_000}}
        calls = [threading.Thread(target=one.control.post, args=("/v1/faults", rule)) for _ in range(16)]
        for call in calls:
            call.start()
        for call in calls:
            call.join()
        assert len(other.control.get("/v1/faults")["items"]) == 16
        assert state(one) == state(other)
    finally:
        made.end()


def test_metrics_of_all_servers_add_up(pair: Pair) -> None:
    _, one, other = pair
    token = add_device(one, online=False)["registrations"][0]["token"]
    (device,) = one.control.get("/v1/devices")["items"]
    with connect(one) as connection:
        connection.push(token).assert_accepted()
    changed = other.control.ask("PATCH", f"/v1/devices/{device['id']}", body={"online": True})
    assert changed.status == 200
    # Both have applied it: each of these calls comes behind all changes.
    assert one.control.push(token)["outcome"] == other.control.push(token)["outcome"] == "delivered"
    for outcome in ("stored", "delivered"):
        name = "mynah_push_outcomes_total"
        assert sum(value(server.control, name, outcome=outcome) for server in (one, other)) == 1, outcome


def test_a_reset_on_one_server_forgets_what_ended_on_all(pair: Pair) -> None:
    _, one, other = pair
    with EventStream(one, "/v1/events?event=connection") as stream:
        for server in (one, other):
            with connect(server) as connection:
                connection.push(unique_token()).assert_accepted()
            assert [event.data["change"] for event in stream.next(2)] == ["opened", "closed"]
    for server in (one, other):
        assert server.control.get("/v1/closed-connections")["items"]
    other.control.post("/v1/reset", {})
    for server in (one, other):
        assert server.control.get("/v1/closed-connections")["items"] == []


def test_a_clock_is_the_same_on_all_servers(pair: Pair) -> None:
    _, one, other = pair
    one.control.put("/v1/clock", {"mode": "frozen", "now": "2030-01-01T00:00:00Z"})
    assert other.control.get("/v1/clock")["now"] == "2030-01-01T00:00:00.000Z"
    other.control.post("/v1/clock/advance", {"by": "1h"})
    assert one.control.get("/v1/clock")["now"] == "2030-01-01T01:00:00.000Z"


def test_connections_are_listed_and_ended_on_any_server(pair: Pair) -> None:
    _, one, other = pair
    with connect(one) as first, connect(other) as second:
        for connection in (first, second):
            connection.push(unique_token()).assert_accepted()
        listed = one.control.get("/v1/connections", {"wait": LONGEST_WAIT, "count": 2})["items"]
        assert sorted(each["server"] for each in listed) == ["server-0", "server-1"]
        assert all(each["credential"]["keyId"] == one.key_id for each in listed)
        assert len({each["id"] for each in listed}) == 2
        there = next(each["id"] for each in listed if each["server"] == "server-1")
        one.control.delete(f"/v1/connections/{there}?abort=true")
        assert [each["server"] for each in other.control.get("/v1/connections")["items"]] == ["server-0"]


def test_an_engine_that_is_away_is_503_until_it_is_back(pair: Pair) -> None:
    cluster, one, other = pair

    def answer_to_the_first() -> int:
        """The status of the push that comes when the engine has just gone."""
        token = unique_token()
        with connect(one) as connection:
            connection.push(token).assert_accepted()
            cluster.engine.nodes[0].kill()
            first = connection.start_push(token)
            await_status(one, "/readyz", 503)
            await_status(other, "/readyz", 503)
            with connect(one) as second:
                reply = second.push(unique_token())
                assert reply.status == 503
            assert one.control.ask("GET", "/v1/devices").status == 503
            assert one.control.ask("PUT", "/v1/devices/kim", body={}).status == 503
            # What concerns the process alone is answered.
            for path in ("/livez", "/metrics", "/openapi.json"):
                assert one.control.ask("GET", path).status == 200, path
            cluster.engine.nodes[0].start()
            await_status(one, "/readyz", 200)
            await_status(other, "/readyz", 200)
            status = connection.reply(first).status
        with connect(other) as connection:
            connection.push(token).assert_accepted()
        assert one.control.get("/v1/notifications", {"token": token})["matched"] == (3 if status == 200 else 2)
        assert state(one) == state(other)
        return status

    # It waits for the engine, unless a change of the server's own is on its way already, which it does every 2 s.
    measured(answer_to_the_first, lambda status: status == 200)


def test_connections_that_open_and_close_while_the_engine_is_away_are_listed_as_they_are_afterwards(pair: Pair) -> None:
    cluster, one, other = pair

    def listed(server: Server) -> list[tuple[int, str]]:
        items = server.control.get("/v1/connections")["items"]
        return [(each["id"], (each["credential"] or {}).get("keyId", "")) for each in items]

    with connect(one) as stays:
        with connect(one) as leaves:
            for connection in (stays, leaves):
                connection.push(unique_token()).assert_accepted()
            cluster.engine.nodes[0].kill()
            # Both: a server that hasn't noticed yet is as ready as one for which the engine is back.
            for server in (one, other):
                await_status(server, "/readyz", 503)
        with connect(one) as comes:
            comes.push(unique_token()).assert_refused(503, "ServiceUnavailable")
            cluster.engine.nodes[0].start()
            await_status(one, "/readyz", 200)
            await_status(other, "/readyz", 200)
            until(lambda: len(listed(one)) == 2, "the closed connection to be gone")
            until(lambda: listed(other) == listed(one), "both servers to list the same connections")
            assert all(key == one.key_id for _, key in listed(one))
            third = cluster.join()
            assert listed(third) == listed(one)
            # All of them can be ended.
            assert other.control.post("/v1/reset", {"only": ["connections"]})["removed"]["connections"] == 2


def test_fixtures_are_loaded_by_the_next_server_if_the_first_one_fails(
    cluster: Callable[..., Cluster], serve: Any, tmp_path: Path
) -> None:
    made = cluster()
    fixtures = tmp_path / "fixtures.json"
    shared = ["--cluster", made.engine.url, "--state-dir", str(made.folder / "state"), "--fixtures", str(fixtures)]
    many = [{"id": f"phone-{number}"} for number in range(10_000)]
    for devices, says in [([{"id": "kim"}] * 2, "/devices/1/id"), (many, "fixtures and scenarios together")]:
        fixtures.write_text(json.dumps({"devices": devices}))
        failing = serve("serve", "--port", "0", "--control-port", "0", *shared)
        assert failing.wait() == 78 and says in failing.log()
    fixtures.write_text('{"devices": [{"id": "kim"}], "faults": [{"id": "busy", "action": {"type": "stall"}}]}')
    one, other = made.join("--fixtures", str(fixtures)), made.join("--fixtures", str(fixtures))
    for server in (one, other):
        assert [each["id"] for each in server.control.get("/v1/devices")["items"]] == ["kim"]
        assert [each["id"] for each in server.control.get("/v1/faults")["items"]] == ["busy"]


def test_a_cluster_goes_on_with_other_settings_when_all_servers_have_stopped(
    cluster: Callable[..., Cluster], serve: Any
) -> None:
    made = cluster()
    one, other = made.join(), made.join()
    fill(one)
    with connect(other) as connection:
        connection.push(unique_token()).assert_accepted()
    before = state(one)
    different = ["--cluster", made.engine.url, "--state-dir", str(made.folder / "state"), "--devices", "strict"]
    one.stop()
    failing = serve("serve", "--port", "0", "--control-port", "0", *different)
    assert failing.wait() == 78 and "differs from the others in --devices strict (theirs: open)" in failing.log()
    other.stop()
    first, second = made.join("--devices", "strict"), made.join("--devices", "strict")
    first.process.wait_for_error("goes on with what differs from before: --devices strict (before: open)")
    assert state(first) == state(second) == before
    with connect(second) as connection:
        connection.push(unique_token()).assert_refused(400, "BadDeviceToken")
    assert first.control.get("/v1/notifications", {"limit": 1})["matched"] == len(before["pushes"]) + 1
    # Servers with the settings of before differ now.
    old = serve(*[each for each in ("serve", "--port", "0", "--control-port", "0", *different[:-2])])
    assert old.wait() == 78 and "--devices" in old.log()


@takes_long
def test_a_cluster_goes_on_with_other_settings_when_all_servers_were_killed(cluster: Callable[..., Cluster]) -> None:
    made = cluster()
    one, other = made.join(), made.join()
    add_device(one)
    load = Load([one, other], 5)
    await_pushes(one, 20)
    for server in (one, other):
        server.process.kill()
    clients = load.end()
    # At once, and one of them begins the cluster anew.
    started: list[Server] = []

    def start(name: str) -> None:
        started.append(made.join("--retain", "5000", name=name))

    starts = [threading.Thread(target=start, args=(name,)) for name in ("next-0", "next-1")]
    for each in starts:
        each.start()
    for each in starts:
        each.join()
    assert len(started) == 2
    check(started, clients)
    for each in started:
        each.stop()
    assert sum("goes on with what differs" in each.process.log() for each in started) == 1


@takes_long
def test_a_server_that_stands_still_for_a_while_goes_on(cluster: Callable[..., Cluster]) -> None:
    made = cluster()
    one, other = made.join(), made.join()
    load = Load([one, other], 1)
    await_pushes(one, 20)
    own = Answered()
    with connect(other) as idle:
        own.push(idle, random.Random(1))
        one.control.get("/v1/connections", {"wait": LONGEST_WAIT, "count": 3})
        other.process.signal(signal.SIGSTOP)
        try:
            # The other one gives it up, and with it its connections.
            await_gone(one, "server-1")
        finally:
            other.process.signal(signal.SIGCONT)
    # Its clients connect again, and it goes on in a new life.
    before = len(load.clients[1].pushes)
    for _ in range(200_000):
        await_status(other, "/readyz", 200)
        if len(load.clients[1].pushes) > before + 20:
            break
    clients = load.end()
    assert len(clients[1].pushes) > before + 20
    check([one, other], [own, *clients])


@takes_long
def test_a_server_that_is_cut_off_from_the_engine_goes_on_when_it_can(cluster: Callable[..., Cluster]) -> None:
    made = cluster()
    link = Link(made.engine.nodes[0])
    try:
        one, other = made.join(), made.join(url=link.url)
        load = Load([one, other], 3)
        await_pushes(one, 20)
        link.cut()
        await_status(other, "/readyz", 503)
        # The rest takes pushes, and gives it up after a while.
        await_pushes(one, 20)
        await_gone(one, "server-1")
        link.mend()
        await_status(other, "/readyz", 200)
        await_pushes(other, 20)
        clients = load.end()
        check([one, other], clients)
    finally:
        link.close()


@takes_long
def test_each_node_of_the_engine_is_killed_in_turn(cluster: Callable[..., Cluster]) -> None:
    made = cluster(3)
    servers = [made.join(), made.join()]
    load = Load(servers, 7)
    for node in made.engine.nodes:
        await_pushes(servers[0], 20)
        node.kill()
        await_pushes(servers[0], 20)
        node.start()
    await_pushes(servers[1], 20)
    clients = load.end()
    check(servers, clients)


def test_bad_input_is_said_at_the_start(cluster: Callable[..., Cluster], serve: Any, tmp_path: Path) -> None:
    made = cluster()
    made.join()
    url, state = made.engine.url, str(made.folder / "state")

    def fails(*flags: str, status: int = 78) -> str:
        process = serve("serve", "--port", "0", "--control-port", "0", *flags)
        assert process.wait() == status
        return str(process.log())

    assert "signing keys" in fails("--cluster", url, "--state-dir", str(tmp_path / "another"))
    assert "--devices" in fails("--cluster", url, "--state-dir", state, "--devices", "strict")
    assert "--data and --cluster" in fails("--cluster", url, "--data", str(tmp_path / "data"))
    assert "expected a URL" in fails("--cluster", "http://localhost", status=64)


def first_batch(made: Cluster) -> bytes:
    """Removes a cluster's streams but for the configuration of its log; what its log began with."""
    node = made.engine.nodes[0]
    begun = base64.b64decode(node.ask("$JS.API.STREAM.MSG.GET.MYNAH_mynah", {"seq": 1})["message"]["data"])
    configuration = node.ask("$JS.API.STREAM.INFO.MYNAH_mynah", {})["config"]
    for change, stream, content in [
        ("DELETE", "MYNAH_mynah_SNAPSHOTS", {}), ("DELETE", "MYNAH_mynah", {}), ("CREATE", "MYNAH_mynah", configuration),
    ]:  # fmt: skip
        assert "error" not in node.ask(f"$JS.API.STREAM.{change}.{stream}", content)
    return begun


@pytest.mark.parametrize(
    ("own", "theirs", "says"),
    [
        (b'"choices":', b'"decided":', "a newer version of Mynah began it"),
        (b"\x02", b"\x03", "batches of form 3 were written by a newer Mynah"),
    ],
)
def test_a_cluster_of_another_version_is_not_joined(
    cluster: Callable[..., Cluster], serve: Any, own: bytes, theirs: bytes, says: str
) -> None:
    made = cluster()
    made.join().stop()
    begun = first_batch(made)
    assert own in begun
    # As a server of that version would have begun it.
    assert made.engine.nodes[0].ask("mynah.mynah.log", begun.replace(own, theirs, 1))["seq"] == 1
    process = serve(
        "serve", *FREE_PORTS, "--cluster", made.engine.url, "--state-dir", str(made.folder / "state"),
    )  # fmt: skip
    assert process.wait() == CONFIGURATION
    assert says in process.log()


def alive_batch(begun: bytes, number: int) -> bytes:
    """What the server that has begun a cluster writes to say that it is alive (`BatchForm`)."""
    # Form, digest, name, life; numbers are varints.
    life_end = 1 + 8 + 1 + begun[9]
    while begun[life_end] >= 0x80:
        life_end += 1
    # Number, position, credentials, changes; one of one byte.
    return begun[: life_end + 1] + bytes([0x80 | number & 0x7F, number >> 7, 0, 0, 1, 1, 6])


def test_a_server_of_other_rules_is_not_joined_while_it_lives_and_followed_when_it_is_gone(
    cluster: Callable[..., Cluster], serve: Any
) -> None:
    made = cluster()
    made.join().process.kill()
    begun = first_batch(made)
    [version] = re.findall(rb'"rules":(\d)', begun)
    other = begun.replace(b'"rules":' + version, b'"rules":9', 1)
    made.engine.nodes[0].ask("mynah.mynah.log", other)
    process = serve(
        "serve", *FREE_PORTS, "--cluster", made.engine.url, "--state-dir", str(made.folder / "state"),
    )  # fmt: skip
    numbers = iter(range(2, 1 << 14))

    def has_ended() -> bool:
        made.engine.nodes[0].ask("mynah.mynah.log", alive_batch(begun, next(numbers)))
        return not process.is_running

    until(has_ended, "the end of a server that may not join")
    assert process.wait() == CONFIGURATION
    differs = f"the version of Mynah (its rules are {version.decode()}, those of the cluster 9)"
    assert f"this server differs from the others in {differs}" in process.log()
    follower = made.join()
    follower.process.wait_for_error(f"the cluster goes on with what differs from before: {differs}")


def test_a_log_that_ends_before_its_snapshot_is_said(cluster: Callable[..., Cluster], serve: Any) -> None:
    made = cluster()
    made.join().stop()
    assert "error" not in made.engine.nodes[0].ask("$JS.API.STREAM.DELETE.MYNAH_mynah", {})
    process = serve(
        "serve", *FREE_PORTS, "--cluster", made.engine.url, "--state-dir", str(made.folder / "state"),
    )  # fmt: skip
    assert process.wait() == CONFIGURATION
    assert "its log ends with batch 0: expected at least" in process.log()


def test_an_engine_that_does_not_serve_is_said(serve: Any, tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine", 1, "--user", "mynah", "--pass", "right")
    try:
        process = serve(
            "serve", "--port", "0", "--control-port", "0", "--cluster", engine.url.replace("://", "://mynah:wrong@")
        )
        assert process.wait() == 78
        # What stands before it is the command line.
        said = process.log().split("--- stderr")[1]
        assert "refuses the credentials" in said
        assert "wrong" not in said
    finally:
        engine.kill()


def test_an_engine_without_jetstream_is_said(serve: Any, tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine", has_jetstream=False)
    try:
        process = serve("serve", "--port", "0", "--control-port", "0", "--cluster", engine.url)
        assert process.wait() == 78
        assert "JetStream" in process.log()
    finally:
        engine.kill()


def test_a_stream_of_others_is_left_as_it_is(serve: Any, tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine")
    theirs = {"name": "MYNAH_mynah", "subjects": ["orders.*"], "storage": "file"}
    try:
        connected = serve("serve", "--port", "0", "--control-port", "0", "--cluster", engine.url, "--cluster-name", "own")
        connected.wait_for_line("mynah ready")
        assert "error" not in engine.nodes[0].ask("$JS.API.STREAM.CREATE.MYNAH_mynah", theirs)
        process = serve("serve", "--port", "0", "--control-port", "0", "--cluster", engine.url)
        assert process.wait() == 78
        assert "MYNAH_mynah" in process.log() and "orders.*" in process.log()
        found = engine.nodes[0].ask("$JS.API.STREAM.INFO.MYNAH_mynah", {})
        assert found["config"]["subjects"] == ["orders.*"] and found["state"]["messages"] == 0
    finally:
        engine.kill()


@pytest.mark.parametrize("credentials", ["", "user:s3cret@"])
def test_an_engine_without_tls_is_refused_where_tls_was_asked_for(
    credentials: str, serve: Any, tmp_path: Path
) -> None:
    engine = Engine(tmp_path / "engine", 1)
    try:
        url = engine.url.replace("nats://", f"tls://{credentials}")
        process = serve("serve", "--port", "0", "--control-port", "0", "--cluster", url)
        assert process.wait() == 78
        assert "NATS offers no TLS" in process.log() and "s3cret" not in process.log().partition("--- stderr")[2]
    finally:
        engine.kill()


def test_an_engine_with_tls_is_trusted_by_its_ca(serve: Any, tmp_path: Path) -> None:
    certificate, key = tmp_path / "engine.pem", tmp_path / "engine-key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=engine", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    engine = Engine(tmp_path / "engine", 1, "--tls", "--tlscert", str(certificate), "--tlskey", str(key))
    url = engine.url.replace("nats://", "tls://")
    try:
        trusting = serve(
            "serve", "--port", "0", "--control-port", "0", "--cluster", url, "--cluster-ca", str(certificate)
        )
        trusting.wait_for_line("mynah ready")
        other = serve("serve", "--port", "0", "--control-port", "0", "--cluster", url)
        assert other.wait() == 78
        assert "no TLS connection to NATS" in other.log() and "--cluster-ca" in other.log()
    finally:
        engine.kill()
