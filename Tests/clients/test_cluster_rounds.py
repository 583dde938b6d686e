"""Rounds of a cluster in which a seed chooses what fails while clients push (`RunACluster`, *When something fails*)."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from answered import IS_LONG
from clusters import Cluster, Load, Server, await_gone, await_pushes, await_status, check, cluster
from engine import Node

pytestmark = pytest.mark.measures

# `MYNAH_LONG_TESTS=1` takes a quarter of an hour.
ROUNDS = 50 if IS_LONG else 2
SERVERS = 3
# The longest time for which the whole engine stands still.
STILL_SECONDS_MAX = 10
# Pushes that are withheld for a while are pending when a server ends.
FAULTS = [
    {"id": "slow", "probability": 0.2, "action": {"type": "pass", "delay": "30ms"}},
    {"id": "broken", "probability": 0.1, "action": {"type": "respond", "status": 500}},
]


class Round:
    """A cluster under load, and what can happen to it."""

    def __init__(self, cluster: Cluster, seed: int) -> None:
        self.cluster = cluster
        self.chance = random.Random(seed)
        for _ in range(SERVERS):
            cluster.join()
        for rule in FAULTS:
            cluster.servers[0].control.post("/v1/faults", rule)
        self.load = Load(cluster.servers, seed)
        self.go_on()

    def go_on(self) -> None:
        """Waits until all servers take pushes."""
        for server in self.cluster.running:
            await_status(server, "/readyz", 200)
        await_pushes(self.chance.choice(self.cluster.running), self.chance.randint(1, 100))

    def some(self) -> tuple[Server, Server]:
        """Two servers."""
        one, other = self.chance.sample(self.cluster.running, 2)
        return one, other

    def nothing(self) -> None:
        """Only goes on."""

    def server_is_killed_and_another_one_joins(self) -> None:
        victim, _ = self.some()
        victim.process.kill()
        self.load.add(self.cluster.join())

    def server_stands_still_for_a_while(self) -> None:
        victim, other = self.some()
        with standing_still(victim.process.signal):
            await_pushes(other, self.chance.randint(1, 100))

    def server_stands_still_until_it_is_given_up(self) -> None:
        victim, other = self.some()
        await_pushes(victim, 1)
        with standing_still(victim.process.signal):
            await_gone(other, f"server-{self.cluster.servers.index(victim)}")

    def node_is_killed(self) -> None:
        node = self.node()
        node.kill()
        if len(self.cluster.engine.nodes) > 1:
            await_pushes(self.chance.choice(self.cluster.running), 20)
        else:
            await_status(self.chance.choice(self.cluster.running), "/readyz", 503)
        node.start()

    def node_stands_still(self) -> None:
        with standing_still(self.node().signal):
            self.pass_time()

    def engine_stands_still(self) -> None:
        with standing_still(*(node.signal for node in self.cluster.engine.nodes)):
            self.pass_time()

    def node(self) -> Node:
        return self.chance.choice(self.cluster.engine.nodes)

    def pass_time(self) -> None:
        # The load isn't over, so this is how long a fault goes on.
        self.load.over.wait(self.chance.uniform(0, STILL_SECONDS_MAX))


HAPPENINGS: list[Callable[[Round], None]] = [
    Round.nothing, Round.server_is_killed_and_another_one_joins, Round.server_stands_still_for_a_while,
    Round.server_stands_still_until_it_is_given_up, Round.node_is_killed, Round.node_stands_still,
    Round.engine_stands_still,
]  # fmt: skip


@contextmanager
def standing_still(*send: Callable[[int], None]) -> Iterator[None]:
    """Stops processes, which go on afterwards."""
    for each in send:
        each(signal.SIGSTOP)
    try:
        yield
    finally:
        for each in send:
            each(signal.SIGCONT)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_nothing_that_was_answered_is_lost_or_doubled(cluster: Callable[..., Cluster], seed: int) -> None:
    chance = random.Random(f"happenings {seed}")
    nodes = chance.choice([1, 3])
    # Of three nodes of nats-server 2.9 that stood still, the last leader stores what it receives first, and the others don't.
    possible = [each for each in HAPPENINGS if nodes == 1 or each != Round.engine_stands_still]
    made = Round(cluster(nodes), seed)
    happened = chance.choices(possible, k=chance.randint(1, 3))
    print(len(made.cluster.engine.nodes), *(each.__name__ for each in happened))
    try:
        for happening in happened:
            happening(made)
            made.go_on()
    finally:
        clients = made.load.end()
    check(made.cluster.running, clients)
    assert len(made.cluster.running) == SERVERS
