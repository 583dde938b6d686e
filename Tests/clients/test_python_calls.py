"""Every call of `Sources/python`, blocking and with asyncio, held against the OpenAPI document."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import socket
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import mynah as package
from contract import Contract
from coroutines import result_of
from devices import TOPIC, unique_id
from mynah import aio
from mynah.documents import camel_case
from server import Mynah, binary
from waiting import HANG_SECONDS, LONGEST_WAIT

# The page's own files, its slider through a recorded run, and what `ask("HEAD", …)` reaches.
NO_METHOD = {"page", "pageFile", "pageFolderFile", "setRecordedPlace"}
ACTIVITY = (f"{TOPIC}.push-type.liveactivity", "Game")
PUSH = {"topic": TOPIC, "payload": {"aps": {"alert": "hi"}}}


class Calls:
    """What the methods have called."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.operations: set[str] = set()

    def answered(self, method: str, target: str, content: bytes | None, answer: package.Answer) -> None:
        found = self.contract.operation(method, target)
        assert found is not None, f"{method} {target} is not documented"
        self.operations.add(found[1]["operationId"])
        self.contract.check(method, target, content, answer.status, answer.headers, answer.body)


def views(place: package.Place, calls: Calls) -> dict[str, Any]:
    """A server as both kinds of program see it, with all calls noted."""

    class Blocking(package.ControlAPI):
        answered = calls.answered  # type: ignore[assignment]

    class Asynchronous(aio.ControlAPI):
        answered = calls.answered  # type: ignore[assignment]

    class BlockingServer(package.MynahServer):
        def open_control(self, url: str, token: str | None) -> package.ControlAPI:
            return Blocking(url, token)

    class AsynchronousServer(aio.MynahServer):
        def open_control(self, url: str, token: str | None) -> aio.ControlAPI:
            return Asynchronous(url, token)

    return {"blocking": BlockingServer(place), "asyncio": AsynchronousServer(place)}


async def done(value: Any) -> Any:
    """The result of a call, whether it is there or has to be awaited."""
    return await value if inspect.isawaitable(value) else value


async def next_of(stream: Any) -> Any:
    """The next event of a stream."""
    return await stream.__anext__() if hasattr(stream, "__anext__") else next(stream)


async def first(stream: Any) -> Any:
    """The first event of a stream, which is closed then."""
    event = await next_of(stream)
    await done(stream.aclose() if hasattr(stream, "aclose") else stream.close())
    return event


async def use_server(server: Any) -> None:
    assert (await done(server.status()))["name"] == "mynah"
    for probe in ("livez", "healthz", "readyz"):
        assert await done(server.probe(probe)) == "ready"
    assert "# TYPE mynah_" in await done(server.metrics())
    assert (await done(server.openapi()))["openapi"].startswith("3.1")
    assert "/v1/devices" in (await done(server.index()))["paths"]
    assert (await done(server.fixtures(scope="none")))["devices"] == []
    authority = await done(server.certificate_authority())
    assert authority == (await done(server.credentials()))["ca"] == server.ca_file.read_text()
    assert (await done(server.provider_token())).count(".") == 2
    assert await done(server.clock.mode) == "real"
    assert [one.token for one in await done(server.magic_tokens())]


async def use_trust(server: Any) -> None:
    key = await done(server.add_key(team="TEAM123456"))
    assert "PRIVATE KEY" in key.private_key and key.private_key not in repr(key)
    again = await done(server.put_key(key.key_id, team="TEAM123456", public_key=key.public_key, environment="sandbox"))
    assert (again.environment, again.private_key) == ("sandbox", None)
    assert (await done(server.key(key.key_id))).revoked_at is None
    assert (await done(server.revoke_key(key.key_id))).revoked_at is not None
    assert key.key_id in [one.key_id for one in await done(server.keys(order="desc"))]
    assert len(await done(server.keys(limit=1))) == 1
    made = await done(server.issue_certificate(TOPIC, days=3))
    assert made.not_after - made.issued_at < timedelta(days=4) and made.pkcs12 and made.pkcs12 not in repr(made)
    assert (await done(server.certificate(made.serial_number))).private_key is None
    assert (await done(server.revoke_certificate(made.serial_number))).revoked_at is not None
    assert made.serial_number in [one.serial_number for one in await done(server.certificates())]


async def use_channels(server: Any) -> None:
    channel = await done(server.create_channel(TOPIC, message_storage_policy=1))
    other = await done(server.create_channel("com.example.other"))
    assert await done(server.channel(channel.id)) == channel
    assert await done(server.channels(bundle_id=TOPIC)) == [channel]
    assert [one.id for one in await done(server.channels())] == [channel.id, other.id]
    assert await done(server.delete_channel(channel.id)) == channel
    assert await done(server.delete_channels()) == 1


async def use_scenarios(server: Any) -> None:
    shipped = await done(server.scenarios(shipped=True))
    assert shipped[0].started_at is None and shipped[0].steps
    started = await done(server.start_scenario(shipped[0].name))
    assert (await done(server.scenario(started.name))).started_at == started.started_at is not None
    own = {"name": "own", "steps": [{"add": [{"action": {"type": "stall"}, "match": {"topic": "never"}}]}]}
    assert (await done(server.start_scenario(own))).steps_done == 1
    assert {one.name for one in await done(server.scenarios())} == {started.name, "own"}
    assert await done(server.remove_scenario("own")) == {"scenarios": 1, "faults": 1}
    assert (await done(server.remove_scenarios()))["scenarios"] == 1


async def use_devices(mynah: Any) -> None:
    start = await done(mynah.last_sequence())
    phone = await done(mynah.device(TOPIC, name="Kim's", user="kim", online=False))
    assert await done(mynah.find_device(phone.id)) == await done(phone.refresh()) == phone
    replaced = await done(mynah.put_device("lee", TOPIC, platform="iOS"))
    fleet = await done(mynah.add_devices(unique_id("fleet"), 2, TOPIC, user="fleet"))
    assert len(fleet) == 2 and len(await done(mynah.devices())) == 4
    assert [one.id for one in await done(mynah.devices(user="kim"))] == [phone.id]
    assert await done(mynah.change_devices("fleet", locked=True)) == 2
    newest = await done(mynah.devices(sort="lastPush", order="desc", fleet=fleet[0].id.rpartition("-")[0]))
    assert [one.id for one in newest] == [one.id for one in fleet]
    assert [one.id for one in await done(mynah.devices(after=fleet[0].id, fleet=fleet[0].id[:-6]))] == [fleet[1].id]
    assert fleet[0].id[:-6] in [one.id for one in await done(mynah.server.fleets())]
    assert await done(mynah.remove_devices(user=["fleet", "none"])) == 2
    phone = await done(phone.change(online=True, locked=True))
    assert (phone.online, phone.locked, phone.deferred) == (True, True, 0)
    assert (await first(mynah.events(event="device", after=start))).data["id"] == phone.id
    assert [app.topic for app in await done(phone.apps())] == [TOPIC]
    phone = await done(phone.install("com.example.other", app_name="Other"))
    assert (await done(phone.app("com.example.other", environment="sandbox"))).app_name == "Other"
    phone = await done(phone.change_app("com.example.other", permissions={"alert": False}))
    assert not (await done(phone.app("com.example.other"))).permissions["alert"]
    phone = await done(phone.uninstall("com.example.other"))
    assert phone.token_of(TOPIC)
    await done(replaced.remove())


async def use_screen(mynah: Any) -> None:
    phone = await done(mynah.device(TOPIC))
    sent = await done(mynah.send(token=phone.token, collapse_id="a", **PUSH))
    assert (sent.status, sent.reason, sent.problem) == (200, None, None)
    push = await done(mynah.notification(sent.sequence))
    assert push == await done(mynah.notification(sent.apns_id)) == (await done(mynah.notifications()))[0]
    assert (await done(mynah.expect(topic=TOPIC))).push == push == (await done(mynah.wait(topic=TOPIC)))[0]
    assert (await done(mynah.check(topic="other", within="0s"))).met is False
    assert (await first(phone.events(after=0))).data["sequence"] == push.sequence
    assert (await done(phone.inbox('"hi"', kind=["alert", "voip"], order="desc")))[0].sequence == push.sequence
    assert (await done(phone.wait())).matched == 1
    (shown,) = (await done(phone.screen())).notifications
    assert (shown.body, shown.identifier, shown.updated_at) == ("hi", "a", None)
    await done(phone.set_badge(TOPIC, 2))
    await done(phone.act(shown))
    await done(phone.change_app(TOPIC, app_state="suspended"))
    sequences = [(await done(mynah.send(token=phone.token, **PUSH))).sequence for _ in range(2)]
    await done(phone.dismiss(sequences[0]))
    assert (await done(phone.clear(TOPIC)), (await done(phone.screen())).badges) == (1, {TOPIC: 2})
    await done(mynah.remove_notification(sequences[0]))
    assert await done(mynah.remove_notifications(topic={"contains": TOPIC[4:]})) == 2


async def use_activities(mynah: Any) -> None:
    phone = await done(mynah.device(TOPIC, user="kim"))
    activity = await done(phone.start_activity(*ACTIVITY, content_state={"score": 1}, push_type="token"))
    assert await done(phone.activity(activity)) == activity == (await done(phone.activities()))[0]
    changed = await done(phone.update_activity(activity, content_state={"score": 2}))
    assert changed.content_state == {"score": 2} and len(changed.history) == 2
    assert (await done(phone.end_activity(activity.id))).state == "ended"
    await done(phone.dismiss_activity(activity))
    assert (await done(mynah.start_activities(*ACTIVITY, user="kim", push_type=None)))["started"] == {"activities": 1}
    assert await done(mynah.dismiss_activities(user="kim")) == 1
    channel = "5BamDK/nNyWooJcYlZiGtw=="
    subscribed = await done(phone.subscribe(channel, topic=ACTIVITY[0], content_state={"score": 3}))
    assert (subscribed.channel, subscribed.content_state) == (channel, {"score": 3})
    assert await done(phone.subscriptions()) == (subscribed,)
    assert await done(phone.unsubscribe(channel)) == 1
    assert await done(phone.subscriptions()) == ()


async def use_faults(mynah: Any) -> None:
    phone = await done(mynah.device(TOPIC))
    fault = await done(mynah.fault(503, times=1, token=phone.token))
    assert (await done(mynah.send(token=phone.token, **PUSH))).status == 503
    assert (await done(fault.wait())).remaining == 0
    fault = await done(fault.change(enabled=False, name="off"))
    assert await done(mynah.find_fault(fault.id)) == await done(fault.refresh()) == fault
    name = unique_id("rule")
    assert (await done(mynah.put_fault(name, ["slow", 503], then="repeat"))).then == "repeat"
    assert (await done(mynah.put_fault(name, "Forbidden"))).action["reason"] == "Forbidden"
    assert {one.id for one in await done(mynah.faults())} == {fault.id, name}
    assert [one.id for one in await done(mynah.faults(enabled=False))] == [fault.id]
    await done(fault.remove())
    assert await done(mynah.remove_faults(action="respond")) == 1


async def use_connections(mynah: Any) -> None:
    server = mynah.server
    before = await done(mynah.last_sequence())
    with socket.create_connection((server.host, server.port), timeout=HANG_SECONDS) as plain:
        with server.ssl_context().wrap_socket(plain, server_hostname="localhost"):
            (opened,) = await done(server.connections(environment="sandbox", wait=LONGEST_WAIT, count=1))
            assert (await done(server.connection(opened.id))).alpn == "h2"
            await done(server.close_connection(opened, abort=True))
            changes = mynah.events(scope=None, event="connection", after=before)
            while (await next_of(changes)).data["change"] != "closed":
                pass
    assert [one.id for one in await done(server.closed_connections(limit=1))] == [opened.id]
    with pytest.raises(package.ControlError) as error:
        await done(server.connection(opened.id))
    assert error.value.status == 404
    assert (await done(server.failed_handshakes(limit=1))).evicted == 0


async def use_clock(mynah: Any) -> None:
    await done(mynah.device(TOPIC))
    frozen = await done(mynah.clock.freeze())
    assert await done(mynah.clock.now) == frozen.now
    assert (await done(mynah.clock.advance("1h"))).now > frozen.now
    assert (await done(mynah.clock.run())).mode == "offset"
    assert mynah.name in [one.name for one in await done(mynah.server.scopes())]
    await done(mynah.server.reset(["devices"], scope=mynah.name))
    assert len(await done(mynah.devices())) == 0


SERVER_STEPS = [use_server, use_trust, use_channels, use_scenarios]
SCOPE_STEPS = [use_devices, use_screen, use_activities, use_faults, use_connections, use_clock]


@pytest.fixture
def calls(contract: Contract) -> Calls:
    return Calls(contract)


async def use_all(server: Any) -> None:
    for step in SERVER_STEPS:
        await step(server)
    for scope_step in SCOPE_STEPS:
        scoped = server.scope(unique_id("scope"))
        await scope_step(scoped)
        assert (await done(scoped.remove()))["devices"] >= 0


@pytest.mark.parametrize("kind", ["blocking", "asyncio"])
def test_every_operation_is_reached_by_a_method(kind: str, calls: Calls, own_mynah: Callable[..., Mynah]) -> None:
    result_of(use_all(views(own_mynah().place, calls)[kind]))
    operations = [(method, one["operationId"]) for method, _, one in calls.contract.operations()]
    wanted = {name for method, name in operations if method != "HEAD"} - NO_METHOD
    assert wanted - calls.operations == set() and len(wanted) > 60
    assert {name for name in NO_METHOD if name not in dict(map(reversed, operations))} == set()


# What both kinds of program have


def public(kind: type) -> dict[str, str]:
    """The signatures of a class's public members, as blocking ones."""
    found: dict[str, str] = {}
    for name in dir(kind):
        if name.startswith("_") and name != "__init__":
            continue
        value = inspect.getattr_static(kind, name)
        value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        text = str(inspect.signature(value)) if callable(value) else ""
        found[name] = text.replace("AsyncGenerator[Event, None]", "Generator[Event, None, None]")
    return found


@pytest.mark.parametrize("name", aio.__all__)
def test_asyncio_has_the_same_members(name: str) -> None:
    blocking, asynchronous = public(getattr(package, name)), public(getattr(aio, name))
    # Attributes of a started server are properties with asyncio, where it is there later.
    ours = {"process", "ready", "ready_line"} if name == "StartedServer" else set()
    assert {one: asynchronous[one] for one in asynchronous.keys() - ours} == blocking


def test_asyncio_has_what_calls_the_server() -> None:
    waiting = {
        name
        for name in package.__all__
        if inspect.isclass(kind := getattr(package, name))
        and any("ControlAPI" in str(one) for one in inspect.get_annotations(kind).values())
    }
    assert waiting <= set(aio.__all__) and waiting


def test_a_call_in_asyncio_leaves_the_loop_to_others(own_mynah: Callable[..., Mynah]) -> None:
    async def wait_and_send(server: aio.MynahServer) -> None:
        scoped = server.scope("t1")
        phone = await scoped.device(TOPIC)
        expected = [asyncio.create_task(scoped.expect(topic=TOPIC, count=number)) for number in (1, 2)]
        for _ in range(2):
            await scoped.send(token=phone.token, topic=TOPIC, payload={"aps": {"alert": "hi"}})
        assert [result.met for result in await asyncio.gather(*expected)] == [True, True]

    result_of(wait_and_send(aio.MynahServer(own_mynah().place)))


def test_a_server_is_started_in_asyncio(tmp_path: Path) -> None:
    async def start() -> None:
        unused = aio.StartedServer(tmp_path / "never")
        with pytest.raises(package.MynahError, match=r"await StartedServer\(…\), or enter it by async with"):
            unused.pid
        async with aio.StartedServer(tmp_path / "one", binary=binary(), seed=7, documented_reasons=True) as server:
            assert (await server.status())["seed"] == 7 and server.process.is_running
            found = await aio.RunningServer(server.url, tmp_path / "found")
            assert found.port == server.port and await found.provider_token()
            named = {"MYNAH_URL": server.url, "MYNAH_APNS_PORT": "2197"}
            assert (await aio.RunningServer.from_environment(tmp_path / "named", named)).port == 2197
        assert not server.process.is_running
        with pytest.raises(package.StartError, match="--seed"):
            await aio.StartedServer(tmp_path / "wrong", "--seed", "x", binary=binary())
        with pytest.raises(package.UnavailableError, match="no mynah at http://127.0.0.1:1: "):
            await aio.ControlAPI("http://127.0.0.1:1").get("/v1/status")

    result_of(start())


def test_an_answer_that_does_not_come_in_time_is_told(mynah: Mynah) -> None:
    query = {"wait": "60s", "count": 10**6}
    message = "GET /v1/notifications: no answer from .* within 0.05 s"
    with pytest.raises(package.UnavailableError, match=message):
        mynah.control.get("/v1/notifications", query, timeout=0.05)

    async def wait() -> None:
        with pytest.raises(package.UnavailableError, match=message):
            await aio.ControlAPI(mynah.control_url).get("/v1/notifications", query, timeout=0.05)

    result_of(wait())


# Results


RECORDS = {
    "Notification": package.Notification,
    "Device": package.Device,
    "Registration": package.Registration,
    "Screen": package.Screen,
    "ScreenNotification": package.ShownNotification,
    "LiveActivity": package.Activity,
    "Arrival": package.Arrival,
    "Fault": package.Fault,
    "Channel": package.Channel,
    "AddedKey": package.Key,
    "IssuedCertificate": package.Certificate,
    "Connection": package.Connection,
    "ClosedConnection": package.ClosedConnection,
    "FailedHandshake": package.FailedHandshake,
    "MagicToken": package.MagicToken,
    "Scenario": package.Scenario,
    "ScopeUse": package.ScopeUse,
    "Fleet": package.Fleet,
    "SentNotification": package.SentNotification,
    "ClockReport": package.ClockReport,
    "NotificationPage": package.Page,
    "ExpectationResult": package.ExpectationResult,
}
# Members that are methods, parameters or attributes by another name.
BY_METHOD = {("Device", "activities"), ("Device", "inbox"), ("Fault", "timedOut")}
OWN_FIELDS = {"document", "_control", "expectation"}


@pytest.mark.parametrize("name", RECORDS)
def test_a_result_has_all_members_of_the_answer(name: str, contract: Contract) -> None:
    schema = contract.document["components"]["schemas"][name]
    members = {member for member in schema["properties"] if (name, member) not in BY_METHOD}
    fields = {one.name for one in dataclasses.fields(RECORDS[name])} - OWN_FIELDS
    assert {camel_case(field) for field in fields} == members


def test_every_record_is_compared() -> None:
    compared = {kind.__name__ for kind in RECORDS.values()}
    parts = {"Answer", "Credential", "Difference", "Event", "NearMiss", "Place", "SigningKey", "TimelineEvent"}
    records = {name for name in package.__all__ if dataclasses.is_dataclass(getattr(package, name))}
    assert records == compared | parts
