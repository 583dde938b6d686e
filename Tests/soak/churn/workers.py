"""The load: providers, tests in scopes, people at the control API, and readers of streams."""

from __future__ import annotations

import http.client
import re
import socket
import struct
import subprocess
import tempfile
import time
from typing import Any

import h2client
from mynah.documents import time as time_of
from waiting import HANG, HANG_SECONDS

from churn.world import Control, Violation, World

TOPIC = "com.example.soak"
FAULTY_TOPIC = "com.example.soak.faulty"
# Pushes of one burst of h2load, which is the only load that comes faster than Python.
BURST_COUNT = 2000
BURST_SECONDS = 600
# Tokens that devices without a name have between two resets.
TOKEN_COUNT = 2000
EVENTS_SECONDS_MAX = 6.0

# Each acts on pushes to one topic, and all of them leave it plain whether a push was accepted.
FAULTS: list[dict[str, Any]] = [
    {"action": {"type": "respond", "status": 503, "reason": "ServiceUnavailable"}, "times": 3},
    {"action": {"type": "respond", "status": 429, "reason": "TooManyRequests"}, "probability": 0.3},
    {"action": {"type": "pass", "delay": "50ms"}},
    {"action": {"type": "lose"}, "every": 2},
    {"action": {"type": "duplicate", "times": 3}},
    {"action": {"type": "deliverLate", "by": "10m"}},
    {"action": {"type": "respond", "status": 500, "reason": "InternalServerError"}, "rateOver": {"count": 5, "per": "1s"}},
]
MATCHES: list[dict[str, Any]] = [
    {"topic": TOPIC}, {"payload": {"/aps/alert": "hello"}}, {"pushType": "alert"}, {"payload": {"/n": 7}},
]


class Providers:
    """Connections with pushes, and others that never become any."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.random = world.random(name)
        self.control = world.control()
        self.name = name

    def operation(self) -> None:
        kind = self.random.choices(
            ["polite", "aborted", "refused and aborted", "garbage", "silent", "half a handshake"], [60, 15, 8, 7, 5, 5]
        )[0]
        self.world.tally.add(f"connections, {kind}")
        match kind:
            case "polite" | "aborted":
                self._push(self.random.randint(1, 40), is_aborted=kind == "aborted")
            case "refused and aborted":
                self._refused()
            case _:
                self._raw(kind)

    def _push(self, count: int, is_aborted: bool) -> None:
        tally, random = self.world.tally, self.random
        connection = Connection(self.world, self.control)
        sent = answered = 0
        try:
            while sent < count:
                # Until a push was accepted the server takes one stream at a time, and then says so.
                size = min(random.randint(1, 20), count - sent) if len(connection.settings) > 1 else 1
                streams = []
                for _ in range(size):
                    streams.append(self._start(connection))
                    sent += 1
                for stream in streams:
                    reply = connection.reply(stream)
                    answered += 1
                    tally.add("pushes")
                    # A stream that was reset has no fields.
                    if reply.fields and reply.status == 200:
                        tally.add("accepted")
        except BaseException:
            # Whether those were accepted nobody can tell.
            tally.add("uncertain", sent - answered)
            connection.close()
            raise
        close(connection, is_aborted)

    def _start(self, connection: Connection) -> int:
        random = self.random
        token = f"{random.randrange(TOKEN_COUNT):064x}"
        further: list[tuple[str, str]] = []
        if random.random() < 0.2:
            further.append(("apns-collapse-id", f"c{random.randrange(5)}"))
        if random.random() < 0.3:
            further.append(("apns-expiration", random.choice(["0", "4102444800"])))
        if random.random() < 0.2:
            further.append(("apns-priority", random.choice(["5", "1", "7"])))
        topic = FAULTY_TOPIC if random.random() < 0.2 else TOPIC
        text = random.choice(["hello", "x" * random.randrange(3000)])
        body = f'{{"aps":{{"alert":"{text}"}},"n":{random.randrange(10)}}}'.encode()
        return connection.start_push(token, body, topic=topic, further=further)

    def _refused(self) -> None:
        connection = Connection(self.world, self.control)
        # The answers are not read; none of them is 200.
        connection.push("00" * 32, further=[("apns-priority", "7")])
        for _ in range(self.random.randint(1, 10)):
            connection.start_push("00" * 32, further=[("apns-priority", "7")])
        close(connection, is_aborted=True)

    def _raw(self, kind: str) -> None:
        with socket.create_connection(("127.0.0.1", self.world.server.port), timeout=HANG_SECONDS) as channel:
            if kind == "garbage":
                channel.sendall(self.random.randbytes(self.random.randint(1, 3000)))
            elif kind == "half a handshake":
                channel.sendall(bytes.fromhex("1603010200010001fc0303") + self.random.randbytes(40))
            if self.random.random() < 0.5:
                channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Bursts:
    """Many pushes at once by h2load."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.control = world.control()
        self.random = world.random("bursts")

    def operation(self) -> None:
        world = self.world
        with tempfile.NamedTemporaryFile("w", suffix=".json") as payload:
            payload.write('{"aps":{"alert":"' + "b" * self.random.choice([10, 500, 3000]) + '"}}')
            payload.flush()
            url = f"https://localhost:{world.server.port}/3/device/{self.random.randrange(TOKEN_COUNT):064x}"
            token = authorization(world, self.control)
            fields = [f"authorization: {token}", f"apns-topic: {TOPIC}", "apns-push-type: alert"]
            headers = [part for field in fields for part in ("-H", field)]
            load = ["-n", str(BURST_COUNT), "-c", "2", "-m", "20", "-d", payload.name]
            done = subprocess.run(
                ["h2load", *load, *headers, url], capture_output=True, text=True, timeout=BURST_SECONDS, check=False
            )
        statuses = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", done.stdout)
        if statuses is None:
            world.tally.add("uncertain", BURST_COUNT)
            raise RuntimeError(f"h2load ended with {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}")
        answers = [int(number) for number in statuses.groups()]
        world.tally.add("pushes", sum(answers))
        world.tally.add("accepted", answers[0])
        world.tally.add("uncertain", BURST_COUNT - sum(answers))


class Scopes:
    """Tests that share the server: each makes a scope, uses it and removes it."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.random = world.random(name)
        self.control = world.control()
        self.name = name
        self.number = 0

    def operation(self) -> None:
        self.number += 1
        random, control, scope = self.random, self.control, f"{self.name}-{self.number}"
        devices = [self._device(scope, index) for index in range(random.randint(1, 4))]
        fault = None
        if random.random() < 0.4:
            fault = control.must("POST", "/v1/faults", random.choice(FAULTS) | {"scope": scope})["id"]
        if random.random() < 0.4:
            control.must("POST", "/v1/clock/advance", {"by": f"{random.randint(1, 5000)}s", "scope": scope})
        for device in devices:
            if random.random() < 0.3:
                control.must("PATCH", f"/v1/devices/{device['id']}", {"online": False})
        accepted = self._push(devices)
        self._expect(scope, accepted)
        for device in devices:
            self._look(device["id"])
        if fault is not None and random.random() < 0.5:
            control.must("DELETE", f"/v1/faults/{fault}")
        match random.choices(["remove", "reset", "leave"], [85, 10, 5])[0]:
            case "remove":
                control.must("DELETE", f"/v1/scopes/{scope}")
                left = control.must("GET", f"/v1/devices?scope={scope}")["items"]
                if left:
                    raise Violation(f"scope {scope} was removed and has {len(left)} devices")
            case "reset":
                control.must("POST", "/v1/reset", {"scope": scope})
            case _:
                pass
        self.world.tally.add("scopes")

    def _device(self, scope: str, index: int) -> Any:
        device = {
            "id": f"{scope}-{index}", "scope": scope, "name": f"Phone {self.number} of {scope}",
            "registrations": [{"topic": f"{TOPIC}.{self.random.choice(['a', 'b', scope])}"}],
        }  # fmt: skip
        if self.random.random() < 0.3:
            device["locale"] = self.random.choice(["de", "fr"])
        return self.control.must("POST", "/v1/devices", device)

    def _push(self, devices: list[Any]) -> int:
        tally = self.world.tally
        connection = Connection(self.world, self.control)
        accepted = 0
        stream = None
        try:
            for device in devices:
                app = device["registrations"][0]
                for _ in range(self.random.randint(1, 3)):
                    stream = connection.start_push(app["token"], topic=app["topic"])
                    reply = connection.reply(stream)
                    stream = None
                    tally.add("pushes")
                    if reply.status == 200:
                        tally.add("accepted")
                        accepted += 1
        except BaseException:
            tally.add("uncertain", 0 if stream is None else 1)
            connection.close()
            raise
        close(connection, is_aborted=self.random.random() < 0.1)
        return accepted

    def _expect(self, scope: str, accepted: int) -> None:
        met = self.control.must(
            "POST", "/v1/expectations",
            {"scope": scope, "match": {"status": 200}, "count": {"exactly": accepted}, "within": HANG},
        )  # fmt: skip
        if not met["met"]:
            raise Violation(f"{accepted} pushes to {scope} were accepted and the journal has {met['matched']}")
        unmet = self.control.must(
            "POST", "/v1/expectations",
            {"scope": scope, "match": {"topic": "com.example.nothing"}, "within": self.random.choice(["0s", "30ms"])},
        )  # fmt: skip
        if unmet["met"]:
            raise Violation(f"an expectation of {scope} that nothing meets is met: {unmet}")
        self.world.tally.add("expectations", 2)

    def _look(self, device: str) -> None:
        match self.random.randrange(5):
            case 0:
                self.control.must("GET", f"/v1/devices/{device}/inbox")
            case 1:
                self.control.must("GET", f"/v1/devices/{device}/inbox?wait=50ms&count=99")
            case 2:
                self.control.must("GET", f"/v1/devices/{device}/screen")
            case 3:
                self.control.must("PATCH", f"/v1/devices/{device}", {"online": True, "name": f"{device} again"})
            case _:
                self.control.must("GET", f"/v1/devices/{device}")


class People:
    """Everything else that the control API is asked for."""

    READS = [
        "/v1/status", "/v1/notifications?limit=50", "/v1/notifications?status=200&limit=5", "/v1/devices?limit=20",
        "/v1/scopes", "/v1/faults", "/v1/connections", "/v1/clock", "/metrics", "/v1/keys", "/v1/scenarios", "/openapi.json",
    ]  # fmt: skip

    def __init__(self, world: World) -> None:
        self.world = world
        self.random = world.random("people")
        self.control = world.control()
        self.faults: list[str] = []

    def operation(self) -> None:
        random, control, tally = self.random, self.control, self.world.tally
        match random.choices(["read", "fault", "unmet", "wait", "clock", "fleet", "key"], [50, 20, 10, 10, 4, 4, 2])[0]:
            case "read":
                control.must("GET", random.choice(self.READS))
            case "fault":
                self._fault()
            case "unmet":
                expectation = {"match": random.choice(MATCHES), "count": {"min": 10_000_000}, "within": "0s"}
                if control.must("POST", "/v1/expectations", expectation)["met"]:
                    raise Violation("ten million pushes were found")
                tally.add("expectations")
            case "wait":
                control.must("GET", f"/v1/notifications?topic={TOPIC}&wait=1s&count=3&limit=3")
            case "clock":
                # Less than a provider token's life, so that most pushes are accepted.
                control.must("POST", "/v1/clock/advance", {"by": f"{random.randint(1, 600)}s"})
            case "fleet":
                fleet = f"fleet{random.randrange(1 << 30)}"
                registrations = [{"topic": TOPIC}]
                control.must("POST", "/v1/devices", {"id": fleet, "count": 200, "scope": fleet, "registrations": registrations})
                control.must("DELETE", f"/v1/devices?scope={fleet}")
            case "key":
                made = control.must("POST", "/v1/keys", {})
                control.must("DELETE", f"/v1/keys/{made['keyId']}")

    def _fault(self) -> None:
        if len(self.faults) < 8 and self.random.random() < 0.6:
            rule = self.random.choice(FAULTS) | {"match": {"topic": FAULTY_TOPIC}}
            self.faults.append(self.control.must("POST", "/v1/faults", rule)["id"])
        elif self.faults:
            fault = self.faults.pop(self.random.randrange(len(self.faults)))
            # A reset may have removed it.
            self.control.ask("DELETE", f"/v1/faults/{fault}")


class Readers:
    """Readers of events and of deliveries, who come and go, some without taking leave."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.random = world.random(name)
        self.control = world.control()
        self.name = name

    def operation(self) -> None:
        random = self.random
        target = random.choice(["/v1/events", f"/v1/events?topic={TOPIC}", "/v1/events?scope=nothing", None])
        if target is None:
            device = f"{self.name}-{random.randrange(1 << 30)}"
            self.control.must("POST", "/v1/devices", {"id": device, "registrations": [{"topic": TOPIC}]})
            target = f"/v1/devices/{device}/stream?connect=true"
        connection = http.client.HTTPConnection("127.0.0.1", self.world.control_port, timeout=HANG_SECONDS)
        try:
            connection.request("GET", target, headers={"accept": "text/event-stream"})
            self._read(connection, time.monotonic() + random.uniform(0.2, EVENTS_SECONDS_MAX))
        finally:
            connection.close()
        self.world.tally.add("readers")

    def _read(self, connection: http.client.HTTPConnection, end: float) -> None:
        channel = connection.sock
        response = connection.getresponse()
        if response.status != 200:
            raise Violation(f"a stream was answered {response.status}")
        last = -1
        events = 0
        # Not for longer than is left, so that a silent stream does not hold up a measurement.
        channel.settimeout(1)
        try:
            while time.monotonic() < end and self.world.turnstile.is_open:
                line = response.readline()
                if not line:
                    break
                if line.startswith(b"id: "):
                    number = int(line[4:])
                    if number <= last:
                        raise Violation(f"event {number} came after {last}")
                    last = number
                    events += 1
        except TimeoutError:
            pass
        finally:
            response.close()
            channel.close()
        self.world.tally.add("events", events)


class Connection(h2client.FrameConnection):
    """A connection over TLS whose pushes have a good token."""

    def __init__(self, world: World, control: Control) -> None:
        self.authorization = authorization(world, control)
        # It looks at port and CA alone, which every server has.
        server: Any = world.server
        super().__init__(h2client.tls_channel(server, context=world.context), server)
        self.start()

    def push_fields(self, token: str, **options: Any) -> h2client.Fields:
        return super().push_fields(token, authorization=self.authorization, **options)


def authorization(world: World, control: Control) -> str:
    """A provider token of the server's present time."""
    now = time_of(control.must("GET", "/v1/clock")["now"])
    return f"bearer {world.server.signing_key.provider_token(int(now.timestamp()))}"


def close(connection: Connection, is_aborted: bool) -> None:
    """Closes a connection, or resets it."""
    if is_aborted:
        connection.channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def start_all(world: World) -> None:
    """Starts every worker; they begin when the turnstile opens."""
    for number in range(2):
        world.start(f"provider {number}", 0.02, Providers(world, f"p{number}").operation)
        world.start(f"scopes {number}", 0.02, Scopes(world, f"s{number}").operation)
        world.start(f"readers {number}", 0.1, Readers(world, f"r{number}").operation)
    world.start("people", 0.02, People(world).operation)
    world.start("bursts", 15, Bursts(world).operation)
