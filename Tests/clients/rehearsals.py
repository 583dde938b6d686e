"""What a provider sees of each scenario that comes with Mynah, on a server that has been used before."""

from __future__ import annotations

import select
import ssl
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from hyperframe.frame import PingFrame

from conftest import unique_token
from h2client import MAX_CONCURRENT_STREAMS, REFUSED_STREAM, Closed, FrameConnection, connect, tls_channel
from provider_token import Form, SigningKey, authorization
from reply import Reply
from server import Mynah
from transport import assert_reset, assert_silent, client_hello, fired, plain_channel
from waiting import LONGEST_WAIT, RUN_SECONDS, until
from web_pushes import WebApp, WebCase, subscribe

# A provider token is renewed after this time of the server's clock: it is neither too old nor renewed too often.
TOKEN_SECONDS = 40 * 60


class Stage:
    """A used server with a frozen clock, the connections of a provider, and what is answered on them."""

    def __init__(self, mynah: Mynah) -> None:
        self.mynah = mynah
        now = mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"}).json()["now"]
        self._start = datetime.fromisoformat(now.replace("Z", "+00:00")).timestamp()
        self.seconds = 0.0
        self._stack = ExitStack()
        self._authorization: tuple[str, float] = ("", -TOKEN_SECONDS)
        # It was open before the scenario began.
        self.first = self.connect()
        self.first.push(unique_token(), authorization=self.authorization).assert_accepted()

    def close(self) -> None:
        self._stack.close()

    @property
    def now(self) -> float:
        """The time of the server's clock."""
        return self._start + self.seconds

    @property
    def authorization(self) -> str:
        text, issued = self._authorization
        if self.seconds - issued >= TOKEN_SECONDS:
            text, issued = self.mynah.authorization(Form(), self.now), self.seconds
            self._authorization = (text, issued)
        return text

    def connect(self, **options: Any) -> FrameConnection:
        return self._stack.enter_context(connect(self.mynah, **options))

    def advance(self, seconds: float) -> None:
        self.seconds += seconds
        self.mynah.control.post("/v1/clock/advance", {"by": f"{seconds:.0f}s"})

    def push(self, connection: FrameConnection | None = None, token: str = "") -> Reply:
        """Pushes to an unknown device and waits for the answer, on the first connection unless another is given."""
        return (connection or self.first).push(token or unique_token(), authorization=self.authorization)

    def told(self, connection: FrameConnection | None = None, token: str = "", count: int = 1) -> list[str]:
        """The answers to so many pushes."""
        replies = [self.push(connection, token) for _ in range(count)]
        return [f"{reply.status} {reply.reason or ''}".strip() for reply in replies]

    def fault_of_unanswered(self, connection: FrameConnection | None = None) -> str | None:
        """The rule that withholds the answer to a push; `None` if it is answered."""
        connection, token = connection or self.first, unique_token()
        stream = connection.start_push(token, authorization=self.authorization)
        found = self.mynah.control.get("/v1/notifications", {"token": token, "wait": LONGEST_WAIT})["items"][0]
        if connection.reply_so_far(stream).is_over or found["status"] is not None:
            return None
        return str(found["fault"])

    def new_is_refused(self, port: int | None = None) -> bool:
        """Whether a new connection is ended before its handshake."""
        try:
            with plain_channel(port or self.mynah.port) as channel:
                channel.sendall(client_hello(self.mynah))
                return channel.recv(1) == b""
        except OSError:
            return True

    def handshake_error(self, **options: Any) -> ssl.SSLError:
        """What a client's TLS says of a new connection, also of what comes after the handshake."""
        with pytest.raises(ssl.SSLError) as caught:
            with tls_channel(self.mynah, **options) as channel:
                channel.recv(1)
        return caught.value

    def fired(self, rule: str) -> int:
        return fired(self.mynah, rule)

    def push_many(self, count: int, at_once: int = 10) -> list[FrameConnection]:
        """Starts pushes, on a new connection whenever one has ended; the connections, their streams read as far as they
        came."""
        used: list[FrameConnection] = []
        connection: FrameConnection | None = None
        left = count
        while left > 0:
            connection = connection or self.connect()
            # One push until it is answered, as its answer raises the limit of open streams.
            number = min(at_once, left) if connection.stream_limit >= at_once else 1
            try:
                token = self.authorization
                fields = [connection.push_fields(unique_token(), authorization=token) for _ in range(number)]
                connection.requests(fields)
                left -= number
                self._read_on(connection, at_once)
            except (Closed, OSError):
                connection.is_closed = True
            if connection.goaways or connection.is_closed:
                used.append(connection)
                connection = None
        return [*used, *([connection] if connection else [])]

    def _read_on(self, connection: FrameConnection, limit: int) -> None:
        """Reads what has come by the answer to a PING, and the limit after the first push, or until GOAWAY."""
        before = len(connection.pongs)
        connection.send(PingFrame(0, opaque_data=b"are you?"))
        connection.read_until(
            lambda: connection.goaways or len(connection.pongs) > before and connection.stream_limit >= limit,
            "a PONG and the limit of streams, or GOAWAY",
        )

    def push_until_step(self, number: int, at_once: int = 10) -> list[FrameConnection]:
        """Pushes until the scenario's next step is done; the connections that were told GOAWAY."""
        ended: list[FrameConnection] = []

        def is_done() -> bool:
            ended.extend(one for one in self.push_many(500, at_once) if one.goaways)
            [running] = self.mynah.control.get("/v1/scenarios")["items"]
            return bool(running["stepsDone"] > number)

        until(is_done, f"step {number + 1}", RUN_SECONDS)
        return ended


def certificate_rejected(stage: Stage) -> None:
    assert "CERTIFICATE_EXPIRED" in str(stage.handshake_error())
    stage.advance(600)
    assert "UNKNOWN_CA" in str(stage.handshake_error())
    stage.advance(600)
    assert stage.told(stage.connect()) == ["200"]


def errors_until_reconnect(stage: Stage) -> None:
    assert stage.told(count=12) == ["200"] * 9 + ["500 InternalServerError"] * 3
    assert stage.told(stage.connect(), count=12) == ["200"] * 12
    assert stage.told() == ["500 InternalServerError"]


def expired_credentials_at_noon(stage: Stage) -> None:
    seen = []
    for seconds in (0, 12 * 3600, 3600, 3600):
        stage.advance(seconds)
        # One that was open before is closed, as it was idle.
        seen += stage.told(stage.connect())
    assert seen == ["200", "403 ExpiredProviderToken", "403 InvalidProviderToken", "200"]


def flaky_network(stage: Stage) -> None:
    rules = ("late", "stream-reset", "delivered-and-reset", "connection-reset", "never")
    until(lambda: stage.push_many(200) and all(stage.fired(rule) > 0 for rule in rules), "a firing of each rule")


def goaway_oddities(stage: Stage) -> None:
    phases = [(1, "BadCertificateEnvironment", 2), (2, "Stream 5 does not exist", 1), (3, "Shutdown", 1)]
    for step, reason, frames in phases:
        ended = stage.push_until_step(step)
        # The last ones may have met the next step.
        found = [one for one in ended if reason in one.goaways[0].additional_data.decode()]
        assert found, (reason, [one.goaways for one in ended])
        for one in found if reason != "Shutdown" else []:
            one.read_until_closed()
        assert {len(one.goaways) for one in found} == {frames}, found[0].goaways
        assert found[0].is_closed == (reason != "Shutdown")
    assert stage.told(stage.connect()) == ["200"]


def goaway_under_load(stage: Stage) -> None:
    for step, rule in enumerate(("cut", "announced"), 1):
        ended = stage.push_until_step(step, at_once=500)
        assert ended and all("Shutdown" in one.goaways[-1].additional_data.decode() for one in ended), rule
    until(lambda: stage.push_many(1000, at_once=500) and stage.fired("denied-and-delivered"), "a firing")


def half_open(stage: Stage) -> None:
    idle = stage.connect()
    assert stage.told(idle) == ["200"]
    stage.advance(15 * 60)
    idle.start_push(unique_token(), authorization=stage.authorization)
    assert_silent(idle.channel)
    stage.advance(45 * 60)
    deaf = stage.connect()
    assert stage.told(deaf) == ["200"]
    pongs = len(deaf.pongs)
    deaf.send_bytes(bytes([0, 0, 8, 6, 0, 0, 0, 0, 0]) + b"are you?")
    assert (stage.told(deaf), len(deaf.pongs)) == (["200"], pongs)
    stage.advance(3600)
    well = stage.connect()
    well.ping()


def handshake_trouble(stage: Stage) -> None:
    for rule in ("stalled", "slow"):
        channels = [plain_channel(stage.mynah.port) for _ in range(10 if rule == "stalled" else 1)]
        for channel in channels:
            channel.sendall(client_hello(stage.mynah))
        assert not stage.mynah.control.get(f"/v1/faults/{rule}", {"wait": LONGEST_WAIT, "hits": "1"})["timedOut"]
        for channel in channels:
            channel.close()
        stage.advance(60)
    with tls_channel(stage.mynah) as channel:
        assert_reset(channel)
    stage.advance(60)
    assert stage.told(stage.connect()) == ["200"]


def late_deliveries(stage: Stage) -> None:
    app = stage.mynah.control.post("/v1/devices", {"registrations": [{"topic": "com.example.app"}]})
    token = app["registrations"][0]["token"]
    assert set(stage.told(token=token, count=300)) == {"200"}
    for rule in ("late", "twice", "never"):
        assert stage.fired(rule) > 0, rule

    def arrived() -> int:
        return len(stage.mynah.control.get(f"/v1/devices/{app['id']}/inbox", {"limit": 1000})["items"])

    before = arrived()
    stage.advance(300)
    assert arrived() == before + stage.fired("late") == 300 - stage.fired("never") + stage.fired("twice")


def maintenance_shutdown(stage: Stage) -> None:
    assert stage.told() == ["200"]
    assert "Shutdown" in "".join(one.additional_data.decode() for one in stage.first.goaways)
    assert stage.new_is_refused()
    stage.advance(15)
    assert stage.told(stage.connect()) == ["200"]


def provider_token_updates_somewhere(stage: Stage) -> None:
    too_many = "429 TooManyProviderTokenUpdates"
    connections = [stage.first, *(stage.connect() for _ in range(4))]
    seen = [set(stage.told(one, count=30)) for one in connections]
    assert seen == [{"200"}, {"200", too_many}, {"200"}, {"200"}, {"200", too_many}]
    stage.advance(600)
    assert set(stage.told(connections[1], count=30)) == {"200"}


def root_change(stage: Stage) -> None:
    def is_trusted(name: str) -> bool:
        try:
            tls_channel(stage.mynah, server_name=name).close()
        except ssl.SSLCertVerificationError:
            return False
        return True

    names = ["api.sandbox.push.apple.com", "api.push.apple.com"]
    assert [is_trusted(name) for name in names] == [False, True]
    stage.advance(29 * 24 * 3600)
    assert [is_trusted(name) for name in names] == [False, False]
    stage.advance(24 * 3600)
    assert [is_trusted(name) for name in names] == [True, True]


def sandbox_down(stage: Stage) -> None:
    _, sandbox, production = stage.mynah.ready["ports"]
    assert stage.new_is_refused(sandbox)
    assert stage.told(stage.connect(port=production)) == ["200"]
    stage.advance(3600)
    assert stage.told(stage.connect(port=sandbox)) == ["200"]


def sandbox_mix_up(stage: Stage) -> None:
    def of(digit: str) -> str:
        return digit + unique_token()[1:]

    assert [stage.told(token=of(digit)) for digit in "045f"] == [["400 BadDeviceToken"]] * 2 + [["200"]] * 2
    stage.advance(600)
    assert [stage.told(token=of(digit)) for digit in "4f"] == [["403 BadEnvironmentKeyInToken"]] * 2
    stage.advance(600)
    assert stage.told(token=of("0")) == ["200"]


def slow_death(stage: Stage) -> None:
    assert stage.fault_of_unanswered() == "slow"
    stage.advance(60)
    assert stage.fault_of_unanswered() == "slower"
    stage.advance(120)
    assert set(stage.told(count=30)) == {"200", "503 ServiceUnavailable"}
    stage.advance(120)
    assert stage.fault_of_unanswered() == "silent"
    stage.advance(60)
    with pytest.raises(Closed):
        stage.push()
    stage.advance(120)
    assert stage.told(stage.connect()) == ["200"]


def sporadic_invalid_token(stage: Stage) -> None:
    answers = stage.told(count=400)
    assert set(answers) == {"200", "403 InvalidProviderToken"}
    assert 0 < len([answer for answer in answers if answer != "200"]) < 20


def stream_limit_at_the_start(stage: Stage) -> None:
    assert stage.connect().wait_for_settings()[MAX_CONCURRENT_STREAMS] == 1000
    assert set(stage.told(count=100)) == {"200"}
    without = stage.connect()
    stage.told(without)
    assert without.settings == []
    assert set(stage.told(count=99)) == {"200"}
    assert stage.connect().wait_for_settings() != {}


def stream_limit_collapse(stage: Stage) -> None:
    seen = [stage.first.reply(stage.first.start_push(unique_token())).reset_code for _ in range(60)]
    assert [place + 1 for place, code in enumerate(seen) if code == REFUSED_STREAM] == [20, 40, 60]
    stage.first.ping()
    assert stage.first.stream_limit == 1
    stage.advance(60)
    until(lambda: any(one.goaways for one in stage.push_many(200, at_once=1)), "GOAWAY")
    stage.advance(60)
    after = stage.connect()
    stage.push(after)
    after.wait_for_stream_limit(1000)
    assert set(stage.told(after, count=100)) == {"200"}


def throttling_storm(stage: Stage) -> None:
    assert stage.told(token=unique_token(), count=7) == ["200"] * 5 + ["429 TooManyRequests"] * 2
    assert set(stage.told(count=30)) == {"200"}
    stage.advance(60)
    assert stage.told(count=9) == ["200", "200", "429 TooManyProviderTokenUpdates"] * 3
    assert stage.told(token=unique_token(), count=8)[6:] == ["429 TooManyRequests"] * 2
    stage.advance(120)
    assert set(stage.told(count=9)) == {"200"}
    assert stage.told(token=unique_token(), count=7)[5:] == ["429 TooManyRequests"] * 2


def token_purge_day(stage: Stage) -> None:
    replies = [stage.push() for _ in range(200)]
    gone = [reply for reply in replies if reply.status == 410]
    assert 0 < len(gone) < 30 and all(b"1735689600000" in reply.body for reply in gone)


def unanswered_requests(stage: Stage) -> None:
    found = {stage.fault_of_unanswered() for _ in range(200)}
    assert found == {None, "some", "some-delivered"}
    stage.advance(300)
    others = [stage.connect() for _ in range(3)]
    seen = [stage.fault_of_unanswered(one) for one in [stage.first, *others]]
    assert seen == ["whole-connections", None, "whole-connections", None]
    stage.advance(300)
    assert stage.told(stage.connect()) == ["200"]


def unreachable_at_start(stage: Stage) -> None:
    assert stage.new_is_refused()
    assert stage.told() == ["200"]
    stage.advance(30)
    assert stage.told(stage.connect()) == ["200"]


def unregistered_once(stage: Stage) -> None:
    assert stage.told(count=3) == ["410 Unregistered", "200", "200"]


def errors_for_everybody(stage: Stage) -> None:
    error = "500 InternalServerError"
    assert (stage.told(), stage.told(stage.connect())) == ([error], [error])
    stage.advance(300)
    assert stage.told() == ["200"]


def gateway_errors(stage: Stage) -> None:
    replies = [stage.push() for _ in range(30)]
    assert {reply.status for reply in replies} == {200, 502}
    for reply in [reply for reply in replies if reply.status == 502]:
        assert (reply.value("content-type"), reply.value("apns-id")) == ("text/html", None)
        assert reply.body.startswith(b"<html>")
    stage.advance(300)
    reply = stage.push()
    assert (reply.status, reply.value("retry-after"), reply.value("apns-id")) == (503, "120", None)
    stage.advance(300)
    assert stage.told() == ["200"]


def key_revoked(stage: Stage) -> None:
    assert stage.told() == ["200"]
    stage.advance(60)
    refused = "403 InvalidProviderToken"
    assert (stage.told(), stage.told(stage.connect())) == ([refused], [refused])
    made = stage.mynah.control.post("/v1/keys", {})
    key = load_pem_private_key(made["privateKey"].encode(), password=None)
    assert isinstance(key, EllipticCurvePrivateKey)
    with_other = authorization(SigningKey(made["keyId"], made["team"], key), Form(), stage.now)
    assert stage.connect().push(unique_token(), authorization=with_other).status == 200
    assert stage.told(stage.connect()) == [refused]


def production_down(stage: Stage) -> None:
    _, sandbox, production = stage.mynah.ready["ports"]
    assert stage.new_is_refused(production)
    assert stage.told(stage.connect(port=sandbox)) == ["200"]
    stage.advance(3600)
    assert stage.told(stage.connect(port=production)) == ["200"]


def provider_clock_wrong(stage: Stage) -> None:
    assert stage.told() == ["403 ExpiredProviderToken"]
    stage.advance(1800)
    assert stage.told() == ["200"]


def some_connections_fail(stage: Stage) -> None:
    assert stage.told() == ["200"]

    def handshake() -> str:
        """What becomes of a connection."""
        before = stage.fired("silent")
        try:
            with plain_channel(stage.mynah.port) as channel:
                channel.sendall(client_hello(stage.mynah))
                until(
                    lambda: select.select([channel], [], [], 0)[0] or stage.fired("silent") > before,
                    "an answer, or the rule that there is none",
                )
                if stage.fired("silent") > before:
                    return "silent"
                return "well" if channel.recv(1) else "refused"
        except OSError:
            return "refused"

    seen = [handshake() for _ in range(30)]
    assert set(seen) == {"refused", "silent", "well"}, seen
    assert seen.count("well") > len(seen) / 4, seen
    stage.advance(600)
    assert stage.told(stage.connect()) == ["200"]


def web_told(app: WebApp, count: int = 1) -> list[str]:
    """The answers to so many web pushes with the app's key."""
    request = WebCase("", {"request": {}}).request(app, app.key, app.key)
    replies = [request.over_http1(app.mynah) for _ in range(count)]
    return [f"{reply.status} {reply.reason or ''}".strip() for reply in replies]


def vapid_key_rotated(stage: Stage) -> None:
    app = subscribe(stage.mynah)
    assert web_told(app) == ["201"]
    stage.advance(60)
    refused = ["400 VapidPkHashMismatch"]
    assert web_told(app, 2) == 2 * refused
    assert web_told(subscribe(stage.mynah, device=app.device)) == ["201"]
    assert web_told(app) == web_told(subscribe(stage.mynah, app.key)) == refused
    assert stage.told() == ["200"]


def dead_subscriptions(stage: Stage) -> None:
    fleet: list[WebApp] = []
    while len({app.registration["token"][0] in "0123" for app in fleet}) < 2 or len(fleet) < 6:
        fleet.append(subscribe(stage.mynah))
    dead = [app for app in fleet if app.registration["token"][0] in "0123"]
    for app in fleet:
        assert web_told(app) == ["201"]
        assert [push["outcome"] for push in app.pushes()] == ["lost" if app in dead else "delivered"]
    stage.advance(60)
    for app in fleet:
        assert web_told(app, 2) == (["410 Unregistered"] * 2 if app in dead else ["201"] * 2)
    assert stage.told() == ["200"]


def web_push_storm(stage: Stage) -> None:
    app, other = subscribe(stage.mynah), subscribe(stage.mynah)
    refused = ["429 TooManyRequests"]
    assert web_told(app, 7) == ["201"] * 5 + 2 * refused
    assert web_told(other) == ["201"]
    stage.advance(1)
    assert web_told(app) == ["201"]
    stage.advance(59)
    assert sorted(web_told(app, 3) + web_told(other, 3)) == ["201"] * 4 + 2 * refused
    assert stage.told(count=3) == ["200"] * 3
    stage.advance(120)
    assert web_told(app, 3) == ["201"] * 3


REHEARSALS: dict[str, Callable[[Stage], None]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        certificate_rejected, errors_for_everybody, errors_until_reconnect, gateway_errors, key_revoked,
        production_down, provider_clock_wrong, some_connections_fail, expired_credentials_at_noon,
        flaky_network, goaway_oddities, goaway_under_load, half_open, handshake_trouble, late_deliveries,
        maintenance_shutdown,
        provider_token_updates_somewhere, root_change, sandbox_down, sandbox_mix_up, slow_death, sporadic_invalid_token,
        stream_limit_at_the_start, stream_limit_collapse, throttling_storm, token_purge_day, unanswered_requests,
        unreachable_at_start, unregistered_once, vapid_key_rotated, dead_subscriptions, web_push_storm,
    )
}  # fmt: skip
