"""Plays vectors with the Python package: reads a command a line, and answers with a line, as `README.md` says."""

from __future__ import annotations

import inspect
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import mynah
from mynah.documents import time_text


def snake_case(name: str) -> str:
    """The name as Python writes it."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


class Player:
    """The objects of a vector, by their names."""

    def __init__(self) -> None:
        self.objects: dict[str, Any] = {}
        self.folder = tempfile.TemporaryDirectory(prefix="mynah-player-")

    def find(self, path: str) -> Any:
        """An object, or what is in it: `phone/registrations/0/topic`."""
        first, *rest = path.split("/")
        value = self.objects[first]
        for name in rest:
            if isinstance(value, Mapping):
                value = value[name]
            elif name.isdecimal():
                value = value[int(name)]
            elif name == "text" and isinstance(value, mynah.ExpectationResult):
                value = str(value)
            else:
                value = getattr(value, snake_case(name))
        return value

    def given(self, value: Any) -> Any:
        """An argument: `{"$": path}` stands for an object."""
        if isinstance(value, Mapping):
            return self.find(value["$"]) if "$" in value else {name: self.given(one) for name, one in value.items()}
        return [self.given(one) for one in value] if isinstance(value, list) else value

    def connect(self, url: str, name: str) -> None:
        """Makes `server`, and `mynah`, a scope in it."""
        server = mynah.RunningServer(url, Path(self.folder.name))
        self.objects = {"server": server, "mynah": server.scope(name)}

    def call(
        self, on: str, call: str, arguments: list[Any], options: dict[str, Any], saved: str | None, take: int | None
    ) -> None:
        """Calls a method, and keeps its result; of a stream the first events."""
        member = getattr(self.find(on), snake_case(call))
        positional = self.given(arguments)
        is_variadic = callable(member) and any(
            one.kind == one.VAR_POSITIONAL for one in inspect.signature(member).parameters.values()
        )
        if is_variadic and positional and isinstance(positional[-1], list):
            positional[-1:] = positional[-1]
        named = {snake_case(name): self.given(value) for name, value in options.items()}
        result = member(*positional, **named) if callable(member) else member
        if take is not None:
            stream, result = result, []
            for event in stream:
                result.append(event)
                if len(result) == take:
                    break
            stream.close()
        if saved is not None:
            self.objects[saved] = result

    def play(self, command: dict[str, Any]) -> dict[str, Any]:
        """The answer to a command."""
        kind = command.pop("do")
        try:
            if kind == "read":
                return {"values": {path: shown(self.find(path)) for path in command["paths"]}}
            {"connect": self.connect, "call": self.call}[kind](**command)
        except (mynah.MynahError, mynah.ArgumentError, mynah.MissingError, mynah.UnmetError) as error:
            return {"error": error_of(error)}
        return {}


def error_of(error: Exception) -> dict[str, Any]:
    """An error as vectors name it."""
    told: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)}
    if isinstance(error, mynah.ControlError):
        told |= {"status": error.status, "field": error.field, "allowed": list(error.allowed), "type": error.type}
    return told


def shown(value: Any) -> Any:
    """A value as JSON; of a record only that it is there."""
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, Mapping):
        return {name: shown(one) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [shown(one) for one in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else type(value).__name__


def main() -> None:
    player = Player()
    for line in sys.stdin:
        print(json.dumps(player.play(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
