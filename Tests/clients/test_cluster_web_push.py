"""Web pushes in a cluster: whichever server takes one, all have it, and a subscription is the same on all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from clusters import Cluster, Server, cluster, state
from test_web_push import refused, send
from web_pushes import WebApp, subscribe

__all__ = ["cluster"]
PORT = ("--web-push-port", "0")
Pair = tuple[Cluster, Server, Server]


@pytest.fixture
def pair(cluster: Callable[..., Cluster]) -> Pair:
    """A cluster of two servers that both take web pushes."""
    made = cluster()
    return made, made.join(*PORT), made.join(*PORT)


def seen_by(server: Server, app: WebApp) -> WebApp:
    """The same web app with the subscription that another server hands out."""
    return replace(app, mynah=server, registration=server.control.get(app.path))


def without_endpoints(seen: dict[str, Any]) -> dict[str, Any]:
    """A server's state without the addresses of endpoints, in which each server has its own port."""
    for device in seen["devices"]:
        for app in device["registrations"]:
            app["webPush"]["endpoint"] = app["webPush"]["endpoint"].rpartition("/")[2]
    return seen


def test_a_web_push_that_one_server_takes_all_have(pair: Pair) -> None:
    _, one, other = pair
    app = subscribe(one)
    for number in range(6):
        assert send(seen_by((one, other)[number % 2], app), f"push {number}", ttl=60).status_code == 201
        assert seen_by((other, one)[number % 2], app).pushes()[-1]["payload"] is None
    found = [[shown["body"] for shown in seen_by(server, app).screen()] for server in (one, other)]
    assert found == [[f"push {number}" for number in reversed(range(6))]] * 2
    assert seen_by(one, app).pushes() == seen_by(other, app).pushes()
    assert refused(seen_by(other, app), claims={"sub": "mailto:a@localhost"}) == (403, "BadJwtToken")
    assert seen_by(one, app).pushes()[-1]["webPush"]["refusals"][0]["evidence"] == "observed"
    assert without_endpoints(state(one)) == without_endpoints(state(other))


def test_a_subscription_has_the_same_keys_on_all_servers_and_on_one_that_joins_later(pair: Pair) -> None:
    made, one, other = pair
    app = subscribe(one)
    servers = [one, other, made.join(*PORT)]
    apps = [seen_by(server, app) for server in servers]
    assert len({tuple(sorted(one.subscription["keys"].items())) for one in apps}) == 1
    # The port is each server's own, the segment that of the subscription.
    assert len({one.endpoint.rpartition("/")[2] for one in apps}) == 1
    assert len({one.endpoint for one in apps}) == len(servers)
    for mine in apps:
        assert send(mine, "hello", ttl=60).status_code == 201
    assert [push["outcome"] for push in app.pushes()] == ["delivered"] * len(servers)


def test_a_web_app_that_is_offline_keeps_one_push_whichever_server_took_it(pair: Pair) -> None:
    _, one, other = pair
    app = subscribe(one)
    app.set_online(False)
    for server, text in ((one, "first"), (other, "second"), (one, "third"), (other, "fourth")):
        assert send(seen_by(server, app), text, ttl=3600).status_code == 201
    assert other.control.get(f"/v1/devices/{app.device}")["stored"] == 1
    seen_by(other, app).set_online(True)
    assert [shown["body"] for shown in app.screen()] == ["fourth"]
    assert [push["outcome"] for push in app.pushes()] == ["discarded"] * 3 + ["delivered"]


def test_a_subscription_that_is_removed_is_gone_on_all_servers(pair: Pair) -> None:
    _, one, other = pair
    app = subscribe(one)
    there = seen_by(other, app)
    assert send(there, "before", ttl=60).status_code == 201
    app.remove()
    for mine in (app, there):
        assert refused(mine) == (410, "Unregistered")
