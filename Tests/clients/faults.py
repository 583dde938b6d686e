"""Fault rules over the control API, for tests that run at the same time against one server."""

from __future__ import annotations

from typing import Any

from devices import TOPIC, add_device, token_of, unique_id
from h2client import FrameConnection
from server import Mynah

BUSY = {"type": "respond", "status": 503, "reason": "ServiceUnavailable"}


def add_fault(mynah: Mynah, action: dict[str, Any] | None = None, **members: Any) -> str:
    """Adds a rule with an id of its own; the id."""
    rule = {"id": unique_id("fault")} | members
    if action is not None:
        rule["action"] = action
    made = mynah.control.post("/v1/faults", rule)
    assert made["fired"] == 0, made
    return str(made["id"])


def remove_fault(mynah: Mynah, fault: str) -> None:
    """Takes a rule away, so that it is in no other test's way."""
    assert mynah.control.ask("DELETE", f"/v1/faults/{fault}").status == 200


def fault(mynah: Mynah, identifier: str, **query: Any) -> dict[str, Any]:
    """A rule as it is now, or when `wait` is over."""
    found: dict[str, Any] = mynah.control.get(f"/v1/faults/{identifier}", query or None)
    return found


def device_token(mynah: Mynah, **members: Any) -> tuple[str, str]:
    """A new device's id and the token of its app."""
    device = add_device(mynah, **members)
    return str(device["id"]), token_of(device)


def statuses(connection: FrameConnection, token: str, count: int, **options: Any) -> list[int]:
    """The answers to so many pushes, one after the other."""
    return [connection.push(token, **options).status for _ in range(count)]


def inbox(mynah: Mynah, device: str) -> list[int]:
    """The sequence numbers of what arrived on a device."""
    return [item["sequence"] for item in mynah.control.get(f"/v1/devices/{device}/inbox")["items"]]


def events(push: dict[str, Any]) -> list[str]:
    """The names of a push's timeline."""
    return [event["event"] for event in push["timeline"]]


__all__ = ["BUSY", "TOPIC", "add_fault", "device_token", "events", "fault", "inbox", "remove_fault", "statuses"]
