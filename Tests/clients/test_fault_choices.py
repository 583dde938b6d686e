"""Faults by chance, which one seed repeats, and faults by the token alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from conftest import unique_token
from devices import TOPIC, add_device
from faults import BUSY
from h2client import FrameConnection, connect
from server import Mynah


def outcomes(mynah: Mynah, tokens: list[str], others: int) -> list[list[int]]:
    """Statuses per connection; between its pushes other connections push as well."""
    with ExitStack() as stack:
        connections = []
        for token in tokens:
            connections.append(stack.enter_context(connect(mynah)))
            connections[-1].push(token).assert_accepted()
        noise = [stack.enter_context(connect(mynah)) for _ in range(others)]
        mynah.control.ask(
            "PUT", "/v1/faults/chance",
            body={"action": BUSY, "probability": 0.5, "match": {"headers": {"user-agent": "measured"}}},
        )  # fmt: skip
        seen: list[list[int]] = [[] for _ in tokens]
        further = [("user-agent", "measured")]
        for _ in range(40):
            for one in noise:
                one.push(unique_token())
            for index, (connection, token) in enumerate(zip(connections, tokens, strict=True)):
                seen[index].append(connection.push(token, further=further).status)
        return seen


def test_one_seed_makes_the_same_choices_whatever_others_do(own_mynah: Callable[..., Mynah], tmp_path: Any) -> None:
    tokens = [unique_token() for _ in range(2)]
    first = outcomes(own_mynah("--seed", "7", folder=tmp_path / "a"), tokens, others=0)
    second = outcomes(own_mynah("--seed", "7", folder=tmp_path / "b"), tokens, others=2)
    third = outcomes(own_mynah("--seed", "8", folder=tmp_path / "c"), tokens, others=0)
    assert first == second
    assert first != third and first[0] != first[1]
    assert {status for seen in first for status in seen} == {200, 503}


def test_after_a_reset_an_open_connection_gets_the_same_choices_and_ids_again(own_mynah: Callable[..., Mynah]) -> None:
    mynah, token = own_mynah("--seed", "7"), unique_token()

    def series(connection: FrameConnection) -> tuple[list[int], list[str]]:
        mynah.control.post("/v1/faults", {"action": BUSY, "probability": 0.3})
        statuses = [connection.push(token).status for _ in range(40)]
        return statuses, [push["apnsId"] for push in mynah.control.pushes(token)]

    def reset() -> None:
        assert mynah.control.ask("POST", "/v1/reset").status == 200

    with connect(mynah) as connection, connect(mynah) as other:
        first = series(connection)
        assert set(first[0]) == {200, 503} and len(set(first[1])) == 40
        reset()
        assert series(connection) == first
        reset()
        # Connections that are open and idle do not count.
        assert series(other) == first
    reset()
    with connect(mynah) as connection:
        assert series(connection) == first


# Magic tokens


def test_magic_tokens_do_what_the_table_says(mynah: Mynah, connection: FrameConnection) -> None:
    items = mynah.control.get("/v1/magic-tokens")["items"]
    answered = [item for item in items if item["reason"] is not None]
    assert len(answered) > 25
    for item in answered:
        reply = connection.push(item["token"])
        assert (reply.status, reply.reason) == (item["status"], item["reason"])
    token = answered[0]["token"]
    problem = mynah.control.ask(
        "POST", "/v1/devices", body={"registrations": [{"topic": TOPIC, "token": token}]}
    ).problem(400)
    assert problem["field"] == "/registrations/0/token" and "magic" in problem["detail"]


def test_magic_tokens_can_be_turned_off(own_mynah: Callable[..., Mynah], mynah: Mynah) -> None:
    token = mynah.control.get("/v1/magic-tokens")["items"][0]["token"]
    off = own_mynah("--magic-tokens", "off")
    assert off.control.get("/v1/magic-tokens")["items"] == []
    add_device(off, registrations=[{"topic": TOPIC, "token": token}])
    with connect(off) as connection:
        connection.push(token).assert_accepted()
