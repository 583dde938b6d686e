"""Mistakes around a cluster are named, and leave those that live alone (`RunACluster`, *When something fails*)."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clusters import Cluster, cluster, state
from commandline import CONFIGURATION, FINE, FREE_PORTS, UNAVAILABLE, USAGE
from conftest import unique_token
from engine import Engine
from h2client import connect
from test_cluster import Pair, pair
from waiting import HANG_SECONDS, until

__all__ = ["cluster", "pair"]


def test_a_server_whose_name_is_taken_ends_and_leaves_the_other_one_alone(
    cluster: Callable[..., Cluster], serve: Any
) -> None:
    made = cluster()
    one = made.join()
    with connect(one) as connection:
        connection.push(unique_token()).assert_accepted()
        second = serve(
            "serve", *FREE_PORTS, "--cluster", made.engine.url, "--state-dir", str(made.folder / "state"),
            "--cluster-server", "server-0",
        )  # fmt: skip
        assert second.wait() == CONFIGURATION
        assert "another server is called server-0" in second.log() and "--cluster-server" in second.log()
        connection.push(unique_token()).assert_accepted()
    # The name of one that is gone is free at once.
    one.process.kill()
    again = made.join(name="server-0")
    with connect(again) as connection:
        connection.push(unique_token()).assert_accepted()


def test_a_stream_that_was_removed_is_named_with_the_way_out(pair: Pair) -> None:
    cluster, one, _ = pair
    assert cluster.engine.nodes[0].ask("$JS.API.STREAM.DELETE.MYNAH_mynah", {})["success"]
    until(
        lambda: "has no stream MYNAH_mynah any more" in (one.control.ask("GET", "/readyz").json()["problem"] or ""),
        "the loss to be said",
    )
    assert "start them again" in one.control.ask("GET", "/readyz").json()["problem"]


def test_a_server_of_another_environment_is_not_joined(pair: Pair, serve: Any) -> None:
    made, _, _ = pair
    other = serve(
        "serve", *FREE_PORTS, "--cluster", made.engine.url, "--state-dir", str(made.folder / "state"),
        "--environment", "production",
    )  # fmt: skip
    assert other.wait() == CONFIGURATION
    assert "this server differs from the others in --environment production (theirs: sandbox)" in other.log()


def test_what_others_publish_to_the_log_is_ignored(pair: Pair) -> None:
    cluster, one, other = pair
    for junk in (b"hello", b"{}", b""):
        cluster.engine.nodes[0].ask("mynah.mynah.log", junk)
    token = unique_token()
    for server in (one, other):
        with connect(server) as connection:
            connection.push(token).assert_accepted()
        server.process.wait_for_error("is no batch of Mynah's, and is ignored")
    third = cluster.join()
    assert len(third.control.pushes(token)) == 2
    assert state(one) == state(other) == state(third)


def test_an_engine_that_cannot_be_named_is_said_at_once(serve: Any, tmp_path: Path) -> None:
    for url in ("nats://127.0.0.1:notaport", "nats://:4222", "nats://127.0.0.1:0", "nats://[::1]:70000"):
        process = serve("serve", *FREE_PORTS, "--cluster", url)
        assert process.wait() == USAGE
        assert "expected a URL like nats://host:4222" in process.log()
    process = serve("serve", *FREE_PORTS, "--cluster", "nats://nobody.invalid:4222")
    process.wait_for_error("NATS can't be reached: no address is found for nobody.invalid")
    process = serve(
        "serve", *FREE_PORTS, "--cluster", "tls://127.0.0.1:1", "--cluster-ca", str(tmp_path / "nope.pem")
    )
    assert process.wait() == CONFIGURATION
    assert "a CA's certificate in PEM was expected" in process.log()


# How long an answer is awaited of nodes that have not found together, which give none.
ANSWER_SECONDS = 2


def number_of_failure(engine: Engine, subject: str, content: dict[str, Any] | bytes) -> int | None:
    """The number by which NATS says what is wrong; `None` without an answer, or if nothing is."""
    try:
        found = engine.nodes[0].ask(subject, content, ANSWER_SECONDS)
    except OSError:
        return None
    return found.get("error", {}).get("err_code")


def test_an_engine_without_room_is_waited_for(serve: Any, tmp_path: Path) -> None:
    config = tmp_path / "engine.conf"
    config.write_text(f'jetstream {{ store_dir: "{tmp_path / "store"}", max_file_store: 1 }}\n')
    engine = Engine(tmp_path / "engine", 1, "--config", str(config), has_jetstream=False)
    try:
        process = serve("serve", *FREE_PORTS, "--cluster", engine.url)
        assert "NATS says: insufficient resources" in process.wait_for_error("NATS says")
        subject = engine.nodes[0].ask("$JS.API.STREAM.INFO.MYNAH_mynah", {})["config"]["subjects"][0]
        publish = (subject.replace("*", "other"), b"x")
        until(lambda: number_of_failure(engine, *publish) == 10023, "NATS to have no room")
        assert process.is_running and not process.lines
    finally:
        engine.kill()


def test_an_engine_most_of_whose_nodes_are_away_is_tried_again(serve: Any, tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine", 3)
    flags = ["serve", *FREE_PORTS, "--cluster", engine.url, "--cluster-replicas", "3"]
    try:
        first = serve(*flags)
        first.wait_for_line("mynah ready")
        first.signal(signal.SIGTERM)
        assert first.wait() == FINE
        for node in engine.nodes[1:]:
            node.kill()
        create = ("$JS.API.STREAM.CREATE.other", {"name": "other", "subjects": ["other"], "num_replicas": 3})
        until(lambda: number_of_failure(engine, *create) == 10008, "JetStream to be unavailable", 2 * HANG_SECONDS)
        second = serve(*flags)
        assert second.wait(HANG_SECONDS) == UNAVAILABLE, second.log()
    finally:
        engine.kill()


@pytest.mark.parametrize(
    ("count", "replicas", "number", "code"),
    [(1, 3, 10074, CONFIGURATION), (2, 3, 10005, UNAVAILABLE)],
    ids=["not clustered", "too few nodes"],
)
def test_more_replicas_than_nodes_are_said(
    serve: Any, tmp_path: Path, count: int, replicas: int, number: int, code: int
) -> None:
    engine = Engine(tmp_path / "engine", count)
    create = ("$JS.API.STREAM.CREATE.other", {"name": "other", "subjects": ["other"], "num_replicas": replicas})
    try:
        until(lambda: number_of_failure(engine, *create) == number, f"NATS to say {number}", 2 * HANG_SECONDS)
        process = serve("serve", *FREE_PORTS, "--cluster", engine.url, "--cluster-replicas", str(replicas))
        assert process.wait(HANG_SECONDS) == code, process.log()
        assert "NATS says: " in process.log()
    finally:
        engine.kill()
