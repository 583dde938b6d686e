"""The network between a server and the engine of its cluster fails (`RunACluster`, *When something fails*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from answered import IS_LONG
from clusters import Cluster, Load, Server, await_gone, await_pushes, await_status, check, cluster
from conftest import unique_token
from engine import DeafLink, Engine
from h2client import connect
from namespaces import Cable, Namespace

__all__ = ["cluster"]

takes_long = pytest.mark.skipif(not IS_LONG, reason="takes up to a minute: set MYNAH_LONG_TESTS")


def drop_both_ways(cable: Cable) -> None:
    cable.drop_from_near()
    cable.drop_from_far()


# What happens to a cable between server and engine, and how it is mended.
FAULTS: dict[str, tuple[Callable[[Cable], None], Callable[[Cable], None]]] = {
    "link down": (Cable.pull, Cable.plug),
    "packets lost both ways": (drop_both_ways, Cable.carry),
    "packets to the engine lost": (Cable.drop_from_near, Cable.carry),
    "packets from the engine lost": (Cable.drop_from_far, Cable.carry),
}


class Net:
    """A cluster of two servers and a node of the engine, each in a namespace of its own, a cable from each server."""

    def __init__(self, folder: Path, end: ExitStack) -> None:
        def namespace() -> Namespace:
            made = Namespace()
            end.callback(made.remove)
            return made

        far = namespace()
        self.cables = [Cable(namespace(), far, number) for number in range(2)]
        with far.entered():
            engine = Engine(folder / "engine", address="0.0.0.0")
        self.cluster = Cluster(folder, engine=engine)
        end.callback(self.cluster.end)
        port = engine.nodes[0].port
        for cable in self.cables:
            self.cluster.join(url=f"nats://{cable.far_address}:{port}", network=cable.near.entered)

    @property
    def servers(self) -> list[Server]:
        return self.cluster.servers


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Net]:
    with ExitStack() as end:
        yield Net(tmp_path, end)


@pytest.mark.parametrize("fault", ["link down", *(pytest.param(fault, marks=takes_long) for fault in [*FAULTS][1:])])
def test_a_server_goes_on_when_its_network_is_back(net: Net, fault: str) -> None:
    break_it, mend_it = FAULTS[fault]
    one, other = net.servers
    load = Load(net.servers, 1)
    try:
        await_pushes(one, 20)
        break_it(net.cables[1])
        await_status(other, "/readyz", 503)
        # The other server is not concerned.
        await_pushes(one, 20)
        mend_it(net.cables[1])
        await_status(other, "/readyz", 200)
        await_pushes(other, 20)
    finally:
        clients = load.end()
    check(net.servers, clients)


@takes_long
@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_whose_network_fails_for_long_is_given_up_and_comes_back(net: Net, fault: str) -> None:
    break_it, mend_it = FAULTS[fault]
    one, other = net.servers
    load = Load(net.servers, 2)
    try:
        await_pushes(other, 20)
        break_it(net.cables[1])
        await_gone(one, "server-1")
        await_status(other, "/readyz", 503)
        await_pushes(one, 20)
        mend_it(net.cables[1])
        await_status(other, "/readyz", 200)
        await_pushes(other, 20)
    finally:
        clients = load.end()
    other.process.wait_for_error("the other servers had given this one up")
    check(net.servers, clients)


@takes_long
@pytest.mark.parametrize("fault", FAULTS)
def test_an_engine_that_no_server_reaches_is_used_again_when_the_network_is_back(net: Net, fault: str) -> None:
    break_it, mend_it = FAULTS[fault]
    load = Load(net.servers, 3)
    try:
        await_pushes(net.servers[0], 20)
        for cable in net.cables:
            break_it(cable)
        for server in net.servers:
            await_status(server, "/readyz", 503)
        for cable in net.cables:
            mend_it(cable)
        for server in net.servers:
            await_status(server, "/readyz", 200)
            await_pushes(server, 20)
    finally:
        clients = load.end()
    check(net.servers, clients)


def test_a_batch_that_the_engine_has_stored_and_does_not_deliver_is_not_waited_for(
    cluster: Callable[..., Cluster],
) -> None:
    """The network ends between the acknowledgement and the batch: what waits is refused, as at any other moment."""
    made = cluster()
    link = DeafLink(made.engine.nodes[0])
    try:
        server = made.join(url=link.url)
        link.is_deaf = True
        await_status(server, "/readyz", 503)
        link.is_deaf = False
        await_status(server, "/readyz", 200)
        with connect(server) as connection:
            connection.push(unique_token()).assert_accepted()
    finally:
        link.close()
