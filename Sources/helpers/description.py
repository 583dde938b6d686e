"""What a program `mynah` says of itself, as the templates of all languages use it.

The types of the control API and the filters come from its OpenAPI document, the settings of a server from
`mynah serve --help`, presets and reasons from what `mynah fault add` makes.
"""

from __future__ import annotations

import json
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

COMMAND_SECONDS = 30

# The sets of named arguments: the schema, and members that a call names itself, or that only answers have.
COUNTERS = ["matched", "fired", "remaining", "createdAt", "words"]
KEYWORDS = {
    "DeviceSettings": ("DeviceSpecification", ["count", "scope", "online", "stored", "deferred", "inbox"]),
    "DeviceChanges": ("DeviceChange", []),
    "AppSettings": ("RegistrationSpecification", ["topic"]),
    "AppChanges": ("AppSettings", []),
    "ActivitySettings": ("LiveActivitySpecification", ["topic", "attributesType"]),
    "ActivityChanges": ("LiveActivityChange", ["state"]),
    "SubscriptionSettings": ("SubscriptionSpecification", ["channel"]),
    "ChannelSettings": ("ChannelSpecification", ["bundleId"]),
    "KeySettings": ("KeySpecification", ["canSign"]),
    "CertificateSettings": ("CertificateOrder", ["topics"]),
    "PushSettings": ("NotificationSpecification", []),
    "FaultSettings": ("FaultSpecification", ["action", "actions", "match", "scope", *COUNTERS]),
    "FaultChanges": ("FaultSpecification", ["id", *COUNTERS]),
    # The others have names of a rule's own members or filters.
    "FaultOptions": ("FaultAction", ["type", "status", "times", "apnsId"]),
    "ResetSettings": ("Reset", []),
}
# What a started server sets itself.
OWN_SETTINGS = ("ready-file", "config")
# Filters: the operation whose parameters they are.
FILTERS = {
    "ListFilters": "/v1/notifications",
    "InboxFilters": "/v1/devices/{id}/inbox",
    "DeviceFilters": "/v1/devices",
    "ConnectionFilters": "/v1/connections",
    "FaultListFilters": "/v1/faults",
}
# Filters of bodies: the schema, and members that a call names itself.
MATCHES = {"FaultFilters": ("FaultMatch", ["scope"]), "Filters": ("Match", ["scope"])}
# The filters of pushes, which take more than one value.
PUSH_FILTERS = ("ListFilters", "InboxFilters")
# Filters whose values have JSON pointers as keys.
POINTER_FILTERS = ("payload", "screen", "webPush")
PAGE_PARAMETERS = ("q", "limit", "sort", "order", "after", "cursor", "wait", "count", "scope")


class Types:
    """The types of an OpenAPI document's schemas; each language says how it writes them."""

    def __init__(self, document: dict[str, Any], prefix: str = "") -> None:
        self.schemas: dict[str, Any] = document["components"]["schemas"]
        # Before the names of components: "schemas." from another module.
        self.prefix = prefix
        # Objects without a name of their own, by the name that they get here.
        self.inline: dict[str, Any] = {}

    # How a language writes them

    def scalar(self, kind: str) -> str:
        """`string`, `integer`, `number`, `boolean`, `null` or `any`."""
        raise NotImplementedError

    def literals(self, values: list[Any]) -> str:
        """One of these values."""
        raise NotImplementedError

    def list_of(self, item: str) -> str:
        """A list."""
        raise NotImplementedError

    def map_of(self, value: str) -> str:
        """An object with free names."""
        raise NotImplementedError

    def union(self, types: list[str]) -> str:
        """One of several types."""
        raise NotImplementedError

    def is_reserved(self, name: str) -> bool:
        """Whether the language has another use for the name of a schema, which is written out in its place."""
        return False

    # How they are found

    def of(self, schema: dict[str, Any], name: str) -> str:
        """The type of a schema; `name` is for an object without a name."""
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            return self.of(self.schemas[target], name) if self.is_reserved(target) else self.prefix + target
        if "const" in schema:
            return self.literals([schema["const"]])
        if "enum" in schema:
            return self.literals(schema["enum"])
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            return self.union([self.of(one, f"{name}{index or ''}") for index, one in enumerate(options)])
        if len(schema.get("allOf", [])) == 1:
            return self.of(schema["allOf"][0], name)
        types = schema.get("type", [])
        return self.union([self.plain(one, schema, name) for one in ([types] if isinstance(types, str) else types)])

    def plain(self, kind: str, schema: dict[str, Any], name: str) -> str:
        """The type of a schema of one JSON type."""
        if kind == "array":
            return self.list_of(self.of(schema.get("items", {}), name + "Item"))
        if kind == "object":
            if not self.is_record(schema):
                values = schema.get("additionalProperties")
                if schema.get("properties") or not isinstance(values, dict):
                    return self.map_of(self.scalar("any"))
                return self.map_of(self.of(values, name + "Value"))
            self.inline[name] = schema
            return self.prefix + name
        return self.scalar(kind)

    @staticmethod
    def is_record(schema: dict[str, Any]) -> bool:
        """Whether the names of all members are known."""
        return bool(schema.get("properties")) and not isinstance(schema.get("additionalProperties"), dict)

    def properties(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The members of an object, also of one that is composed."""
        if "$ref" in schema:
            return self.properties(self.schemas[schema["$ref"].rpartition("/")[2]])
        found = dict(schema.get("properties", {}))
        for part in schema.get("allOf", []):
            found.update(self.properties(part))
        return found

    def all(self) -> Iterator[tuple[str, dict[str, Any], bool]]:
        """Every schema with its name, and whether it is within another one; call `of` on its members meanwhile."""
        done: set[str] = set()
        for name, schema in self.schemas.items():
            yield name, schema, False
        while rest := [name for name in self.inline if name not in done]:
            for name in rest:
                done.add(name)
                yield name, self.inline[name], True


def member_name(owner: str, member: str) -> str:
    """The name of an object without one, by whose member it is."""
    return owner + member[:1].upper() + member[1:]


@dataclass(frozen=True)
class Setting:
    """A flag of `mynah serve`: its name, the placeholder of its value, and whether it may be repeated."""

    flag: str
    value: str
    is_repeatable: bool

    @property
    def choices(self) -> list[str]:
        """The words that it may have; none if it has other values."""
        return self.value.split("|") if self.value.islower() and self.value != "on|off" else []

    @property
    def kind(self) -> str:
        """`boolean`, `choice`, `Duration`, `number`, `path` or `string`."""
        if self.value in ("", "on|off"):
            return "boolean"
        if self.choices:
            return "choice"
        if self.value == "DURATION":
            return "Duration"
        if self.value.split("[")[0] in ("PORT", "COUNT", "NUMBER"):
            return "number"
        return "path" if self.value.split("|")[0] in ("FILE", "DIR") else "string"


class Description:
    """A program and a server of it."""

    def __init__(self, url: str, binary: str) -> None:
        self.url, self.binary = url, binary
        self.document: dict[str, Any] = answer(f"{url}/openapi.json")
        self.version = run(binary, "--version").strip()

    def schema(self, name: str) -> dict[str, Any]:
        """A schema by its name."""
        schemas = self.document["components"]["schemas"]
        if name not in schemas:
            raise SystemExit(f"the OpenAPI document has no schema {name}: change what names it in Sources/helpers")
        found: dict[str, Any] = schemas[name]
        return found

    def keywords(self, types: Types, name: str) -> dict[str, dict[str, Any]]:
        """The schemas of a set of named arguments for a body, by the API's names."""
        source, without = {**KEYWORDS, **MATCHES}[name]
        members = types.properties(self.schema(source))
        return {member: one for member, one in members.items() if member not in without}

    def resolved(self, found: dict[str, Any]) -> dict[str, Any]:
        """What a reference leads to."""
        while "$ref" in found:
            at: Any = self.document
            for step in found["$ref"].removeprefix("#/").split("/"):
                at = at[step]
            found = at
        return found

    def operation(self, method: str, template: str) -> dict[str, Any]:
        """The operation of a path, in which `{}` stands for any name."""
        for path, item in self.document["paths"].items():
            if re.sub(r"\{\w+\}", "{}", path) == re.sub(r"\{\w+\}", "{}", template) and method.lower() in item:
                parameters = [*item.get("parameters", []), *item[method.lower()].get("parameters", [])]
                return {**item[method.lower()], "parameters": [self.resolved(one) for one in parameters]}
        raise SystemExit(f"the OpenAPI document has no {method} {template}: change Sources/helpers/calls.py")

    def query(self, method: str, template: str) -> dict[str, dict[str, Any]]:
        """The schemas of an operation's parameters in the query, by their names."""
        parameters = self.operation(method, template)["parameters"]
        return {one["name"]: one["schema"] for one in parameters if one["in"] == "query"}

    def flat_query(self, method: str, template: str) -> dict[str, dict[str, Any]]:
        """The schemas of what an operation's query may have, by their names; filters may be in one parameter."""
        found: dict[str, dict[str, Any]] = {}
        for name, one in self.query(method, template).items():
            schema = self.resolved(one)
            heads = [re.match(r"\^!\?\(([\w|]+)\)", pattern) for pattern in schema.get("patternProperties", {})]
            inner = {name: {} for head in heads if head for name in head[1].split("|")}
            inner |= {name.lstrip("!"): each for name, each in schema.get("properties", {}).items()}
            found |= inner or {name: one}
        return found

    def filters(self, name: str) -> list[str]:
        """The filters of a list."""
        # Filters in one parameter, and those that have a parameter of their own.
        together: list[str] = []
        apart: list[str] = []
        for parameter, found in self.query("GET", FILTERS[name]).items():
            schema = self.resolved(found)
            properties = schema.get("properties", {})
            if patterns := schema.get("patternProperties"):
                heads = [re.match(r"\^!\?\(([\w|]+)\)", pattern) for pattern in patterns]
                together += [*properties, *(one for head in heads if head for one in head[1].split("|"))]
            elif properties:
                together += [one.lstrip("!") for one in properties]
            else:
                apart.append(parameter.lstrip("!"))
        # An inbox has a parameter with the name of a filter, which its call names itself.
        left_out = {*PAGE_PARAMETERS, *(set(together) & set(apart))}
        return [one for one in dict.fromkeys([*together, *apart]) if one not in left_out]

    def settings(self) -> list[Setting]:
        """The settings of a server that a caller may give."""
        found = re.findall(
            r"^  --([a-z-]+)(?: (\S+))?\n((?:      .*\n)+)", run(self.binary, "serve", "--help"), re.MULTILINE
        )
        return [
            Setting(name, value, "repeatable" in " ".join(meaning.split()))
            for name, value, meaning in found
            if name not in OWN_SETTINGS
        ]

    def presets(self) -> dict[str, dict[str, Any]]:
        """The actions of the presets of faults, by their names."""
        told = run(self.binary, "fault", "add", "--help")
        listed = told.rpartition("Presets, with their own options below:")[2].partition("USAGE")[0]
        found: dict[str, dict[str, Any]] = {}
        for name in re.findall(r"^  ([a-z0-9][a-z0-9-]*) +\S", listed, re.MULTILINE):
            identifier = run(self.binary, "fault", "add", name, "--url", self.url).split()[0]
            found[name] = answer(f"{self.url}/v1/faults/{identifier}")["action"]
            run(self.binary, "fault", "remove", identifier, "--url", self.url)
        return found

    def reasons(self) -> list[str]:
        """The reasons that APNs gives."""
        return sorted(answer(f"{self.url}/v1/notifications?reason=Bad")["allowed"])


def run(*command: str) -> str:
    """The output of a command."""
    return subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=True).stdout


def answer(url: str) -> Any:
    """The JSON of an answer, also of a refusal."""
    try:
        with urllib.request.urlopen(url, timeout=COMMAND_SECONDS) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)


def snake_case(name: str) -> str:
    """`apnsId` as some languages write it: `apns_id`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda one: "_" + one[1].lower(), name)


def camel_case(flag: str) -> str:
    """`control-port` as others write it: `controlPort`."""
    first, *rest = flag.split("-")
    return first + "".join(part.capitalize() for part in rest)
