"""The calls that all packages have: the rows of `calls.py`, and a call for each other operation of the document.

Such a call has the operation's id as its name and its summary as its sentence. It is of what its path is about, takes
by position what the path and the body need, and by name what they may have, and gives the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Optional

from calls import BY_HAND, CALLS, NO_CALL, Argument, Call
from description import KEYWORDS, Description

# The paths below which a call is of an object, and what is in place of the object's id.
OBJECTS = {
    "/v1/devices/{id}": ("Device", "/v1/devices/{self}"),
    "/v1/faults/{id}": ("Fault", "/v1/faults/{self}"),
}
# What a row gives as a record, others have as a document.
RECORDS_GIVEN = {call.gives.rpartition(" ")[2] for call in CALLS if not call.gives.startswith("document ")}


@cache
def all_calls(told: Description) -> tuple[Call, ...]:
    """The calls of all packages."""
    return (*CALLS, *further_calls(told))


def further_calls(told: Description) -> Iterator[Call]:
    """The calls that only the document has."""
    written = {(call.method, call.template) for call in CALLS}
    done = NO_CALL | {one for calls in BY_HAND.values() for ids in calls.values() for one in ids}
    for path, item in told.document["paths"].items():
        for method in ("get", "put", "post", "patch", "delete"):
            if method not in item or item[method]["operationId"] in done:
                continue
            if (method.upper(), re.sub(r"\{\w+\}", "{}", path)) not in written:
                yield call_of(told, method.upper(), path)


def call_of(told: Description, method: str, path: str) -> Call:
    """The call of an operation."""
    operation = told.operation(method, path)
    start = next((one for one in OBJECTS if path == one or path.startswith(f"{one}/")), None)
    of, place = OBJECTS[start] if start else ("MynahServer", "")
    own = place + path.removeprefix(start) if start else path
    needed, keywords = body_of(told, operation)
    types = {one["name"]: one["schema"] for one in operation["parameters"] if one["in"] == "path"}
    names = [name for name in re.findall(r"\{(\w+)\}", own) if name != "self"]
    arguments = [Argument(name, type=str(types[name]["type"])) for name in names]
    call = Call(
        of, operation["operationId"], f"{method} {own}", f"{in_third_person(operation['summary'])}.",
        given(told, operation),
        (*arguments, *needed), keywords=keywords,
    )  # fmt: skip
    return Call(**{**vars(call), "options": tuple(told.flat_query(method, path))})


def in_third_person(summary: str) -> str:
    """A summary that says what to do, as what a call does: `Open or dismiss it` becomes `Opens or dismisses it`."""

    def does(verb: str) -> str:
        if re.search(r"[^aeiou]y$", verb):
            return f"{verb[:-1]}ies"
        return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x")) else f"{verb}s"

    verbs = re.compile(r"^(\w+)(?: or (\w+))?")
    return verbs.sub(lambda found: " or ".join(does(verb) for verb in found.groups() if verb), summary)


def body_of(told: Description, operation: dict[str, Any]) -> tuple[list[Argument], str]:
    """The members that a body needs as arguments, and the name of the set of the others, or these as well."""
    if "requestBody" not in operation:
        return [], ""
    found = operation["requestBody"]["content"]["application/json"]["schema"]
    schema = told.resolved(found)
    name, members = found.get("$ref", "").rpartition("/")[2], schema.get("properties", {})
    needed = {member: plain_type(told, one) for member, one in members.items() if member in schema.get("required", [])}
    others = {member: plain_type(told, one) for member, one in members.items() if member not in needed}
    sets = [one for one, (of, without) in KEYWORDS.items() if of == name and set(without) >= set(needed)]
    together = needed if sets else needed | others
    if not members or None in together.values():
        raise SystemExit(
            f"{operation['operationId']} has a body of its own form: give KEYWORDS in Sources/helpers/description.py a "
            "set of its optional members, or calls.py a row"
        )
    arguments = [Argument(one, type=kind or "", is_optional=one in others) for one, kind in together.items()]
    return arguments, sets[0] if sets and others else ""


def plain_type(told: Description, schema: dict[str, Any]) -> Optional[str]:
    """`string` or `integer`; `None` for what isn't an argument by position."""
    kinds = told.resolved(schema).get("type", "")
    plain = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null"]
    return plain[0] if plain in (["string"], ["integer"]) else None


def given(told: Description, operation: dict[str, Any]) -> str:
    """What a call gives of the answer, as a row says it."""
    answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    content = told.resolved(answers[0]).get("content", {})
    if not content:
        return ""
    if "application/json" not in content:
        return "events" if "text/event-stream" in content else "text"
    name: str = content["application/json"]["schema"].get("$ref", "").rpartition("/")[2]
    if name in ("Removed", "Changed"):
        return name.lower()
    members = told.schema(name).get("properties")
    if not members:
        raise SystemExit(f"{operation['operationId']} answers no plain object: give Sources/helpers/calls.py a row")
    item = members.get("items", {}).get("items", {}).get("$ref", "").rpartition("/")[2]
    if item:
        return f"{'Page' if 'nextCursor' in members else 'List'} {item}"
    return name if name in RECORDS_GIVEN else f"document {name}"
