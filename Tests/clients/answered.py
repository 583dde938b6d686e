"""What clients were answered, and what a server shows of its run, to be held against each other."""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass, field
from typing import Any

from commandline import FINE, command_in
from conftest import unique_token
from h2client import FrameConnection
from server import Mynah

# `MYNAH_LONG_TESTS=1` takes minutes.
IS_LONG = bool(os.environ.get("MYNAH_LONG_TESTS"))


def everything(mynah: Mynah) -> dict[str, Any]:
    """What the control API shows of a run."""
    control = mynah.control

    def listed(path: str, **query: Any) -> list[dict[str, Any]]:
        return control.get(path, {"limit": 1000} | query)["items"]

    devices = listed("/v1/devices")
    return {
        "devices": devices,
        "pushes": listed("/v1/notifications", order="asc"),
        "faults": listed("/v1/faults"),
        "channels": listed("/v1/channels"),
        "scenarios": listed("/v1/scenarios"),
        "scopes": listed("/v1/scopes"),
        "keys": [{name: key[name] for name in key if name != "canSign"} for key in listed("/v1/keys")],
        "screens": [control.get(f"/v1/devices/{device['id']}/screen") | {"at": None} for device in devices],
        "inboxes": [control.get(f"/v1/devices/{device['id']}/inbox") for device in devices],
        "clock": control.get("/v1/clock", {"scope": "frozen"}),
    }


def journal(mynah: Mynah) -> list[dict[str, Any]]:
    """All pushes of a server, oldest first."""
    return [json.loads(line) for line in dump(mynah).splitlines()]


def dump(mynah: Mynah) -> str:
    """What `mynah dump` prints of a server."""
    done = command_in(mynah.folder)("dump", "--url", mynah.control_url)
    assert done.returncode == FINE, done.stderr
    return done.stdout


@dataclass
class Answered:
    """What clients were answered, by `apns-id`, and what they had asked."""

    asked: set[str] = field(default_factory=set)
    pushes: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    devices: set[str] = field(default_factory=set)

    def push(self, connection: FrameConnection, chance: random.Random, token: str | None = None) -> None:
        identifier = "%08X-0000-4000-8000-%012X" % (chance.getrandbits(32), chance.getrandbits(48))
        self.asked.add(identifier)
        further = [("apns-id", identifier), ("apns-priority", chance.choice(["10", "5", "7"]))]
        reply = connection.push(token or unique_token(), further=further)
        reason = json.loads(reply.body)["reason"] if reply.body else None
        self.pushes[identifier] = (reply.status, reason)

    def add(self, other: Answered) -> None:
        """Adds what other clients asked and were answered."""
        self.asked |= other.asked
        self.pushes |= other.pushes
        self.devices |= other.devices

    def check(self, pushes: list[dict[str, Any]], refused: int | None = None) -> None:
        """Holds the answers against a journal: it has each of these pushes once, as it was answered, and no others.

        A push without an answer may be in it or not; one that was answered with the status `refused` may not.
        """
        by_id = {push["apnsId"]: push for push in pushes}
        assert len(by_id) == len(pushes), "a push is there twice"
        assert len({push["sequence"] for push in pushes}) == len(pushes)
        shown = {identifier: (push["status"], push["reason"]) for identifier, push in by_id.items()}
        expected = {identifier: answer for identifier, answer in self.pushes.items() if answer[0] != refused}
        assert {identifier: shown.get(identifier) for identifier in expected} == expected
        assert shown.keys() <= self.asked - (self.pushes.keys() - expected.keys())
