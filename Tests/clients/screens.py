"""The cases of `fixtures/screen`, played by a provider, a user and an app over APNs and the control API.

The format is described beside the other reader, in `Tests/MynahCoreTests/Screen/ScreenCase.swift`.
"""

from __future__ import annotations

import datetime
import json
import re
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from control import Answer
from devices import TOPIC, unique_id
from h2client import FrameConnection
from server import REPOSITORY, Mynah

FOLDER = REPOSITORY / "fixtures" / "screen"
# When the cases begin, and when they do here: a scope's clock does not go back to the past.
TABLE_BEGIN = datetime.datetime(2026, 11, 21, 9, 30, tzinfo=datetime.timezone.utc)
BEGIN = TABLE_BEGIN.replace(year=2126)
# What the control API tells in no place: whether the app in the foreground got the payload, which notification another
# one replaced, and when the screen next changes.
UNTOLD = {"reachesApp", "replaces", "due"}
MILLISECONDS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}


@dataclass(frozen=True)
class ScreenCase:
    """One file."""

    file: str
    content: dict[str, Any]

    @property
    def apps(self) -> dict[str, dict[str, Any]]:
        """The apps by topic, also those of which the case only has pushes and names."""
        apps: dict[str, dict[str, Any]] = {TOPIC: self.content.get("app", {})}
        apps |= self.content.get("apps", {})
        for step in self.content["steps"]:
            topics = [step.get("topic"), *step.get("badge", {})]
            clear = step.get("clear", {})
            topics.append(clear if isinstance(clear, str) else clear.get("topic"))
            for topic in topics:
                if topic:
                    apps.setdefault(topic, {})
        return apps


def duration(text: str) -> float:
    """A duration of the cases in seconds."""
    parts = re.findall(r"([0-9]+)(ms|s|m|h|d)", text)
    assert "".join(count + unit for count, unit in parts) == text, f"{text!r} is no duration"
    return sum(int(count) * MILLISECONDS[unit] for count, unit in parts) / 1000


def all_screens() -> list[ScreenCase]:
    """All cases in the order of their files."""
    return [ScreenCase(path.stem, json.loads(path.read_text())) for path in sorted(FOLDER.glob("*.json"))]


class ScreenPlay:
    """A device in a scope of its own, whose clock stands still between the steps of a case."""

    def __init__(self, mynah: Mynah, connection: FrameConnection, case: ScreenCase) -> None:
        self.mynah = mynah
        self.connection = connection
        self.case = case
        self.scope = unique_id("screen")
        self.now = 0.0
        # The sequence numbers of the case's pushes: its first one is 1.
        self.sequences: list[int] = []
        # The last action: on which push, and how it was answered.
        self.acted_on = 0
        self.answer: Answer | None = None
        clock = {"scope": self.scope, "mode": "frozen", "now": BEGIN.strftime("%Y-%m-%dT%H:%M:%SZ")}
        assert mynah.control.ask("PUT", "/v1/clock", body=clock).status == 200
        registrations = [{"topic": topic, **app} for topic, app in case.apps.items()]
        device = {"locale": "en-GB", **case.content.get("device", {})}
        made = mynah.control.post(
            "/v1/devices", {"id": unique_id(), "scope": self.scope, "registrations": registrations, **device}
        )
        self.path = f"/v1/devices/{made['id']}"
        self.tokens = {app["topic"]: app["token"] for app in made["registrations"]}
        self.screen()

    def screen(self) -> dict[str, Any]:
        """What the user sees now."""
        screen: dict[str, Any] = self.mynah.control.get(f"{self.path}/screen")
        return screen

    def play(self) -> None:
        """Takes all steps, and moves on to the time of the comparison."""
        for step in self.case.content["steps"]:
            self.move_to(step.get("at", "0s"))
            self.take(step)
        self.move_to(self.case.content["expect"].get("at", "0s"))

    def remove(self) -> None:
        """Removes all that the case has made."""
        assert self.mynah.control.ask("DELETE", f"/v1/scopes/{self.scope}").status == 200

    def move_to(self, offset: str) -> None:
        """Sets the clock so much after the beginning."""
        by = round((duration(offset) - self.now) * 1000)
        if by > 0:
            self.mynah.control.post("/v1/clock/advance", {"scope": self.scope, "by": f"{by}ms"})
            self.now = duration(offset)

    def take(self, step: dict[str, Any]) -> None:
        """Takes one step."""
        control = self.mynah.control
        if "push" in step:
            self.push(step)
        elif "do" in step:
            body = {"action": step["do"]} | ({"text": step["text"]} if "text" in step else {})
            self.acted_on = step["on"]
            self.answer = control.ask("POST", f"{self.path}/screen/{self.sequence(step['on'])}/actions", body=body)
        elif "remove" in step:
            assert control.ask("DELETE", f"{self.path}/screen/{self.sequence(step['remove'])}").status == 200
        elif "clear" in step:
            clear = step["clear"]
            query = urlencode({"topic": clear} if isinstance(clear, str) else clear)
            assert control.ask("DELETE", f"{self.path}/screen?{query}").status == 200
        elif "badge" in step:
            assert control.ask("PATCH", f"{self.path}/screen", body={"badges": step["badge"]}).status == 200
        elif "set" in step:
            path = f"{self.path}/registrations/{quote(TOPIC)}"
            assert control.ask("PATCH", path, body=step["set"]).status == 200
        elif "device" in step:
            assert control.ask("PATCH", self.path, body=step["device"]).status == 200
        else:
            raise AssertionError(f"{self.case.file} has a step without a verb: {step}")

    def push(self, step: dict[str, Any]) -> None:
        """Sends a push, whose `apns-id` is its number."""
        topic = step.get("topic", TOPIC)
        body = b"no JSON" if step["push"] is None else json.dumps(step["push"]).encode()
        further = [("apns-id", str(uuid.UUID(int=len(self.sequences) + 1)))]
        if "collapseId" in step:
            further.append(("apns-collapse-id", step["collapseId"]))
        self.connection.push(self.tokens[topic], body, topic=topic, further=further).assert_accepted()
        self.sequences.append(self.last_push()["sequence"])

    def last_push(self) -> dict[str, Any]:
        """The newest push, as the journal has it."""
        query = {"scope": self.scope, "order": "desc", "limit": "1"}
        push: dict[str, Any] = self.mynah.control.get("/v1/notifications", query)["items"][0]
        return push

    def reason(self, push: dict[str, Any]) -> str:
        """Why the last push is shown or isn't; what the user has turned off doesn't reach the device."""
        told = [step for step in push["timeline"] if step["event"] in ("shown", "notShown", "discarded")][-1]
        return ("not shown: " if told["event"] == "discarded" else "") + str(told["detail"])

    def refusal(self) -> dict[str, Any]:
        """How the last action was refused."""
        assert self.answer is not None and self.answer.status in (400, 404, 409), self.answer
        if self.answer.status == 404:
            return {"notOnScreen": self.acted_on}
        problem = self.answer.json()
        return {"field": problem["field"], "problem": problem["detail"], "allowed": problem["allowed"] or []}

    def sequence(self, number: int) -> int:
        """The sequence number of a push of the case; that of no push for a number that it has not."""
        return self.sequences[number - 1] if number <= len(self.sequences) else 2**52 + number

    def number(self, sequence: int) -> int:
        """The other way round."""
        return self.sequences.index(sequence) + 1

    def in_terms_of_the_case(self, value: Any, name: str = "") -> Any:
        """What was answered, with the numbers and times of the case."""
        if isinstance(value, dict):
            return {key: self.in_terms_of_the_case(member, key) for key, member in value.items()}
        if isinstance(value, list):
            return [self.in_terms_of_the_case(member, name) for member in value]
        if name in ("sequence", "sequences", "summary", "held") and isinstance(value, int):
            return self.number(value)
        if isinstance(value, str) and value.startswith(f"{BEGIN.year}-"):
            return value.replace(str(BEGIN.year), str(TABLE_BEGIN.year), 1)
        return value

    def actual(self, name: str) -> Any:
        """What a member of `expect` is compared with."""
        screen, push = self.in_terms_of_the_case(self.screen()), self.last_push()
        number = len(self.sequences)
        if name in ("badges", "notifications", "responses", "sounds", "groups", "summary"):
            return screen[name]
        if name == "held":
            return [one["sequence"] for one in screen["held"]]
        if name == "shown":
            return push["shown"] or bool(screen["held"])
        if name == "warnings":
            return push["warnings"]
        if name == "reason":
            return self.reason(push)
        if name == "refused":
            return self.refusal()
        if name == "sound":
            heard = [one["sound"] for one in screen["sounds"] if one["sequence"] == number]
            return heard[-1] if heard else None
        if name == "wakesApp":
            return any(self.number(wake["sequence"]) == number for wake in self.screen()["wakes"])
        if name == "opensApp":
            apps = self.mynah.control.get(self.path)["registrations"]
            return apps[0]["appState"] == "foreground"
        raise AssertionError(f"{self.case.file} expects {name}")
