"""The cases of `fixtures/devices`, played over APNs and the control API.

The format is described beside the other reader, in `Tests/MynahCoreTests/Devices/DeviceScript.swift`.
"""

from __future__ import annotations

import datetime
import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from devices import TOPIC, EventStream
from h2client import FrameConnection
from reply import Reply
from screens import MILLISECONDS, duration
from server import REPOSITORY, Mynah

FOLDER = REPOSITORY / "fixtures" / "devices"
# When the cases begin: a scope's clock does not go back to the past.
BEGIN = datetime.datetime(2126, 11, 21, 9, 30, tzinfo=datetime.timezone.utc)
# The flags of the settings that a case may have.
FLAGS = {
    "activityBudget": "--activity-budget",
    "activityBudget": "--activity-budget",
    "backgroundBudget": "--background-budget",
    "deferralMax": "--deferral-max",
    "devices": "--devices",
    "requestLimit": "--request-limit",
    "unregisterDelay": "--unregister-delay",
}
ACTIVITY_TOPIC = f"{TOPIC}.push-type.liveactivity"
# The dates of a Live Activity, in a push and in a call of its app.
PUSHED_DATES = {"timestamp", "stale-date", "dismissal-date"}
CALLED_DATES = {"staleDate", "dismissalDate"}
PHONE = {"id": "phone", "registrations": [{"topic": TOPIC}]}
# How a refused call is answered, by the kind of its error.
STATUSES = {
    "new": 201,
    "same": 200,
    "started": 201,
    "done": 200,
    "invalid": 400,
    "unknownName": 400,
    "forbidden": 403,
    "notFound": 404,
    "conflict": 409,
}


@dataclass(frozen=True)
class DeviceScript:
    """One case of a file."""

    file: str
    content: dict[str, Any]

    @property
    def flags(self) -> list[str] | None:
        """The settings as flags of `serve`; `None` if one of them has no flag, or a value that its flag refuses."""
        settings = self.content.get("settings", {})
        if not settings.keys() <= FLAGS.keys() or settings.get("backgroundBudget") == 0:
            return None
        return [f"{FLAGS[name]}={value}" for name, value in sorted(settings.items())]


def all_scripts() -> list[DeviceScript]:
    """All cases in the order of their files."""
    return [
        DeviceScript(path.stem, content)
        for path in sorted(FOLDER.glob("*.json"))
        for content in json.loads(path.read_text())
    ]


def expanded(value: Any) -> Any:
    """A value in which `{"repeat": [text, count]}` stands for a long text."""
    if not isinstance(value, dict):
        return value
    if value.keys() == {"repeat"}:
        text, count = value["repeat"]
        return text * count
    return {name: expanded(member) for name, member in value.items()}


class DevicePlay:
    """Devices in a scope of their own, whose clock stands still between the steps of a case.

    A device that a push makes has no scope and the server's clock, which stands still as well.
    """

    def __init__(self, mynah: Mynah, connect: Callable[[str], FrameConnection], script: DeviceScript) -> None:
        self.mynah = mynah
        self.connect = connect
        self.script = script
        self.name = uuid.uuid4().hex
        self.begin = BEGIN
        self.now = 0.0
        self.sequences: dict[str, int] = {}
        # When each push was sent, in seconds after the beginning.
        self.sent: dict[str, float] = {}
        # The tokens that an app has had, by device and topic.
        self.tokens: dict[str, list[str]] = {}
        self.clock: dict[str, str] = {"scope": self.name}
        self.first_event = mynah.control.get("/v1/notifications", {"limit": "1"})["lastSequence"]
        devices = script.content.get("devices", [PHONE])
        if devices:
            self.freeze({"now": BEGIN.strftime("%Y-%m-%dT%H:%M:%SZ")})
        else:
            self.clock = {}
            self.begin = datetime.datetime.fromisoformat(self.freeze({})["now"])
        for device in devices:
            self.create(device)

    def freeze(self, further: dict[str, str]) -> dict[str, Any]:
        """Stops the clock."""
        answer = self.mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen", **self.clock, **further})
        assert answer.status == 200, answer
        return dict(answer.json())

    # Names of the case and of the server, where other cases use the same

    def own(self, text: str) -> str:
        """A device's id or a token as this case's own; an id that is a token stays one."""
        if re.fullmatch("[0-9a-fA-F]{64,}", text) is None:
            return f"{self.name}-{text}"
        end = uuid.uuid5(uuid.UUID(self.name), text.lower()).hex
        return text[: -len(end)] + (end if text.islower() else end.upper())

    def path(self, device: str) -> str:
        """The path of a device."""
        return f"/v1/devices/{self.own(device)}"

    # Steps

    def play(self) -> None:
        """Takes all steps, and compares what became of the pushes."""
        for step in self.script.content["steps"]:
            self.take(step)
            self.learn_tokens()
        expected = self.script.content["expect"]
        assert sorted(self.sequences) == sorted(expected)
        for name, outcome in expected.items():
            self.check_outcome(name, outcome)
        if "activityChanges" in self.script.content:
            assert self.activity_changes() == self.script.content["activityChanges"]

    def activity_changes(self) -> list[str]:
        """The states to which time alone has brought Live Activities, as events."""
        self.mynah.control.post("/v1/devices", {"id": self.own("last"), **self.clock})
        path = f"/v1/events?after={self.first_event}&scope={self.name}&event=activity&event=device"
        changes = []
        with EventStream(self.mynah, path) as stream:
            for event in stream.events():
                if event.name == "device" and event.data["id"] == self.own("last"):
                    break
                if event.name == "activity":
                    activity = event.data["activity"]
                    device, at = event.data["device"].removeprefix(f"{self.name}-"), event.data["at"]
                    time = self.text((datetime.datetime.fromisoformat(at) - self.begin).total_seconds())
                    changes.append(f"{device} {activity['id']} {activity['state']} at {time}")
        return changes

    def take(self, step: dict[str, Any]) -> None:
        """Takes one step."""
        (verb, value), device = next(iter(step.items())), step.get("device", "phone")
        if verb == "send":
            self.send(value, step, device)
        elif verb in ("online", "offline"):
            self.patch(self.path(value), {"online": verb == "online"})
        elif verb == "power":
            self.patch(self.path(device), {"power": value})
        elif verb == "change":
            self.patch(self.path(device), value)
        elif verb == "app":
            self.patch(f"{self.path(device)}/registrations/{step.get('topic', TOPIC)}", value)
        elif verb == "register":
            body = value | ({"token": self.own(value["token"])} if "token" in value else {})
            answer = self.mynah.control.ask("POST", f"{self.path(device)}/registrations", body=body)
            assert answer.status == STATUSES[step.get("expect", "new")], answer
        elif verb in ("uninstall", "remove"):
            path = f"{self.path(device)}/registrations/{value}" if verb == "uninstall" else self.path(value)
            assert self.mynah.control.ask("DELETE", path).status == 200
        elif verb == "start":
            answer = self.mynah.control.ask("POST", f"{self.path(device)}/activities", body=self.called(value))
            assert answer.status == STATUSES[step.get("expect", "started")], answer
        elif verb == "activity":
            method, body = ("PATCH", self.called(step["patch"])) if "patch" in step else ("DELETE", None)
            answer = self.mynah.control.ask(method, f"{self.path(device)}/activities/{value}", body=body)
            assert answer.status == STATUSES[step.get("expect", "done")], answer
        elif verb == "create":
            self.create(value)
        elif verb in ("after", "advance"):
            self.advance(value)
        elif verb == "check":
            self.check(value, device)
        else:
            raise AssertionError(f"there is no verb {verb}")

    def patch(self, path: str, body: dict[str, Any]) -> None:
        """Changes a device or an app."""
        answer = self.mynah.control.ask("PATCH", path, body=body)
        assert answer.status == 200, answer

    def create(self, device: dict[str, Any]) -> None:
        """Makes a device; one that takes over a token that a push made is as that one was, in no scope."""
        registrations = [
            app | ({"token": self.own(app["token"])} if "token" in app else {})
            for app in device.get("registrations", [])
        ]
        body = device | self.clock | {"id": self.own(device["id"]), "registrations": registrations}
        self.mynah.control.post("/v1/devices", body)
        self.learn_tokens()

    def learn_tokens(self) -> None:
        """Remembers the tokens of each app in their order."""
        for device in self.mynah.control.get("/v1/devices", {**self.clock, "limit": "1000"})["items"]:
            for app in device["registrations"]:
                known = self.tokens.setdefault(f"{device['id']} {app['topic']}", [])
                if app["token"] is not None and app["token"] not in known:
                    known.append(app["token"])

    def advance(self, by: str) -> None:
        """Moves the clock on."""
        body = {"to": "next"} if by == "next" else {"by": by}
        report = self.mynah.control.post("/v1/clock/advance", {**self.clock, **body})
        self.now = (datetime.datetime.fromisoformat(report["now"]) - self.begin).total_seconds()

    # Pushes

    def send(self, name: str, step: dict[str, Any], device: str) -> None:
        """Sends a push, and compares what becomes of it at once."""
        is_of_activity, is_background = "aps" in step or "activity" in step, step.get("background", False)
        topic = step.get("topic", ACTIVITY_TOPIC if is_of_activity else TOPIC)
        further: list[tuple[str, str]] = []
        if "priority" in step or is_background:
            further.append(("apns-priority", str(step.get("priority", 5))))
        if "collapseId" in step:
            further.append(("apns-collapse-id", step["collapseId"]))
        if "expiration" in step:
            further.append(("apns-expiration", self.expiration(step["expiration"])))
        usual = {"aps": {"content-available": 1}} if is_background else {"aps": {"alert": "hi"}}
        if "aps" in step:
            usual = {"aps": self.pushed(step["aps"])}
        payload = step.get("payload", usual)
        body = payload if isinstance(payload, str) else json.dumps(payload)
        token = (
            self.activity(device, step["activity"])["token"]
            if "activity" in step
            else self.token(f"{self.own(device)} {step.get('toTopic', topic)}", step.get("token"))
        )
        reply = self.connect(step.get("environment", "sandbox")).push(
            token,
            body.encode(),
            topic=topic,
            push_type=step.get("pushType", "background" if is_background else None),
            further=further,
        )
        push = self.mynah.control.get(f"/v1/notifications/{reply.value('apns-id')}")
        assert step.get("detail", "") in json.dumps(push["timeline"]), push
        if reply.status == 200:
            self.sequences[name], self.sent[name] = push["sequence"], self.now
            assert push["outcome"] == step.get("expect", push["outcome"]), push
        else:
            refusal = self.refusal(reply)
            assert refusal == step.get("expect"), f"{name}: {refusal}"

    def expiration(self, value: int | str) -> str:
        """Seconds since 1970, from a duration."""
        if isinstance(value, int):
            return str(value)
        return str(int(self.begin.timestamp() + self.now + self.offset(value)))

    # Live Activities

    def pushed(self, aps: dict[str, Any]) -> dict[str, Any]:
        """`aps` with the dates that are durations from now as seconds since 1970."""
        at = self.begin.timestamp() + self.now
        return {
            name: int(at + self.offset(value)) if name in PUSHED_DATES and self.is_duration(value) else expanded(value)
            for name, value in aps.items()
        }

    def called(self, activity: dict[str, Any]) -> dict[str, Any]:
        """An app's call with the dates that are durations from now as times."""

        def date(text: str) -> str:
            return (self.begin + datetime.timedelta(seconds=self.now + self.offset(text))).isoformat()

        return {
            name: date(value) if name in CALLED_DATES and self.is_duration(value) else expanded(value)
            for name, value in activity.items()
        }

    @staticmethod
    def is_duration(value: Any) -> bool:
        """Whether it is a duration, before now or after."""
        return isinstance(value, str) and re.fullmatch(r"-?([0-9]+(ms|s|m|h|d))+", value) is not None

    @staticmethod
    def offset(text: str) -> float:
        """A duration in seconds, before now or after."""
        return duration(text.removeprefix("-")) * (-1 if text.startswith("-") else 1)

    def activity(self, device: str, number: str) -> dict[str, Any]:
        """A device's activity by its id."""
        activities = self.mynah.control.get(f"{self.path(device)}/activities")["items"]
        return dict(next(one for one in activities if str(one["id"]) == number))

    def shown_activity(self, name: str, value: Any) -> Any:
        """A member of an activity as the cases write it: dates as durations from the beginning."""
        if name == "history":
            return [state["contentState"] for state in value]
        if name == "token":
            return value is not None
        if isinstance(value, str) and value.startswith(f"{self.begin.year}-"):
            return self.text((datetime.datetime.fromisoformat(value) - self.begin).total_seconds())
        return value

    def token(self, app: str, given: int | str | None) -> str:
        """A token as the case has it, the n-th of an app, or its newest."""
        if isinstance(given, str):
            return self.own(given)
        return self.tokens[app][-1 if given is None else given - 1]

    def refusal(self, reply: Reply) -> str:
        """Status and reason, and since when the token is dead."""
        body = json.loads(reply.body)
        since = ""
        if "timestamp" in body:
            since = f" since {self.text(body['timestamp'] / 1000 - self.begin.timestamp())}"
        return f"{reply.status} {body['reason']}{since}"

    def text(self, seconds: float) -> str:
        """A time after the beginning as the cases write it: in the largest units that leave no rest."""
        rest, parts = round(seconds * 1000), ""
        for unit, size in MILLISECONDS.items():
            count, rest = divmod(rest, size)
            parts += f"{count}{unit}" if count else ""
        return parts or "0s"

    # Results

    def check_outcome(self, name: str, expected: str) -> None:
        """Compares what became of a push, and when."""
        push = self.mynah.control.get(f"/v1/notifications/{self.sequences[name]}")
        outcome = push["outcome"]
        if " at " in expected:
            time = [step["at"] for step in push["timeline"] if step["event"] == outcome][-1]
            # What happens when a push is received has the time of that, which is by the server's clock.
            at = self.sent[name]
            if time != push["receivedAt"]:
                at = (datetime.datetime.fromisoformat(time) - self.begin).total_seconds()
            wanted = duration(expected.partition(" at ")[2])
            assert (outcome, at) == (expected.partition(" at ")[0], wanted), (name, push["timeline"])
        else:
            assert outcome == expected, (name, push["timeline"])

    def check(self, expected: dict[str, Any], device: str) -> None:
        """Compares a device."""
        view = self.mynah.control.get(self.path(device))
        for name, value in expected.items():
            if name == "outcomes":
                for push, outcome in value.items():
                    self.check_outcome(push, outcome)
            elif name == "inbox":
                names = {sequence: push for push, sequence in self.sequences.items()}
                items = self.mynah.control.get(f"{self.path(device)}/inbox", {"limit": "1000"})["items"]
                assert [names[item["sequence"]] for item in items] == value
            elif name == "activities":
                activities = self.mynah.control.get(f"{self.path(device)}/activities")["items"]
                shown = [
                    {member: self.shown_activity(member, activity[member]) for member in one}
                    for activity, one in zip(activities, value)
                ]
                assert len(activities) == len(value) and shown == [expanded(one) for one in value], activities
            elif name == "registrations":
                assert [app["state"] for app in view["registrations"]] == value
            elif name == "tokens":
                assert len({app["token"] for app in view["registrations"]} - {None}) == value
            elif name in ("id", "name"):
                assert view[name] == self.own(value)
            else:
                assert view[name] == value, name
