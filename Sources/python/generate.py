#!/usr/bin/env python3
"""Makes the files of the package that follow from others: `generate.py` writes them, `generate.py --check` compares.

- The blocking modules, from those of `mynah.aio` with the same name: the methods have one source.
- `schemas.py` and `keywords.py`, the types of answers and of keyword arguments, from the OpenAPI document and
  `mynah serve --help`.
- `presets.py`, the presets and reasons of faults, from what `mynah fault add` makes.

Runs the program `mynah` (`MYNAH_BINARY`, or from the `PATH`).
"""

from __future__ import annotations

import json
import keyword
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent / "mynah"
# Modules of mynah.aio that are written by hand, like their blocking counterparts.
BY_HAND = ("__init__.py", "starting.py", "transport.py")
LINE_MAX = 120
COMMAND_SECONDS = 30

# In this order.
BLOCKING = {
    r"\basync (def|with|for)\b": r"\1",
    r"\bawait ": "",
    r"\bAsyncGenerator\[(\w+), None\]": r"Generator[\1, None, None]",
    r"\bAsyncGenerator\b": "Generator",
    r"\b__a(enter|exit)__\b": r"__\1__",
    r"\bfrom \.\.": "from .",
}

# The TypedDicts of keyword arguments: the schema, and members that a call names itself, or that only answers have.
COUNTERS = ["matched", "fired", "remaining", "createdAt"]
KEYWORDS = {
    "DeviceSettings": ("NewDevice", ["count", "scope", "online", "stored", "deferred", "inbox"]),
    "DeviceChanges": ("DeviceChange", []),
    "AppSettings": ("NewRegistration", ["topic"]),
    "AppChanges": ("AppSettings", []),
    "ActivitySettings": ("NewLiveActivity", ["topic", "attributesType"]),
    "ActivityChanges": ("LiveActivityChange", ["state"]),
    "SubscriptionSettings": ("NewSubscription", ["channel"]),
    "ChannelSettings": ("NewChannel", ["bundleId"]),
    "KeySettings": ("NewKey", ["hasPrivateKey"]),
    "CertificateSettings": ("CertificateOrder", ["topics"]),
    "PushSettings": ("NewNotification", []),
    "FaultSettings": ("NewFault", ["action", "actions", "match", "scope", *COUNTERS]),
    "FaultChanges": ("NewFault", ["id", *COUNTERS]),
    # The others have names of a rule's own members or filters.
    "FaultOptions": ("FaultAction", ["type", "status", "times", "apnsId"]),
}
# What `StartedServer` sets itself.
OWN_SETTINGS = ("ready-file", "config")
# Filters: the operation whose parameters they are.
FILTERS = {
    "ListFilters": "/v1/notifications",
    "DeviceFilters": "/v1/devices",
    "ConnectionFilters": "/v1/connections",
    "FaultListFilters": "/v1/faults",
}
# Filters of bodies: the schema, and members that a call names itself.
MATCHES = {"FaultFilters": ("FaultMatch", ["scope", "priority"]), "Filters": ("Match", ["scope"])}
FILTER_TYPES = {
    "payload": "Mapping[str, FilterValue]",
    "headers": "Mapping[str, FilterValue]",
    "screen": "Mapping[str, FilterValue]",
    "payloadIncludes": "Union[Mapping[str, Any], Sequence[Any]]",
    "event": "schemas.FaultEvent",
    "q": "str",
}
PAGE_PARAMETERS = ("q", "limit", "sort", "order", "after", "cursor", "wait", "count", "scope")


def blocking(text: str, name: str) -> str:
    """A module of `mynah.aio` as the blocking one."""
    for pattern, replacement in BLOCKING.items():
        text = re.sub(pattern, replacement, text)
    first, rest = text.split("\n", 1)
    note = f"# Made from aio/{name} by generate.py: change that.\n"
    return f"{first}\n\n{note}{rest}"


def snake_case(name: str) -> str:
    """`apnsId` as Python writes it: `apns_id`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda one: "_" + one[1].lower(), name)


class Types:
    """The types of an OpenAPI document's schemas."""

    def __init__(self, document: dict[str, Any], prefix: str = "") -> None:
        self.schemas: dict[str, Any] = document["components"]["schemas"]
        # Before the names of components: "schemas." from another module.
        self.prefix = prefix
        # Objects without a name of their own, by the name that they get here.
        self.inline: dict[str, Any] = {}

    def of(self, schema: dict[str, Any], name: str) -> str:
        """The type of a schema; `name` is for an object without a name."""
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            return self.of(self.schemas[target], name) if keyword.iskeyword(target) else self.prefix + target
        if "const" in schema:
            return f"Literal[{literal(schema['const'])}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(literal, schema['enum']))}]"
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            return union([self.of(one, f"{name}{index or ''}") for index, one in enumerate(options)])
        if len(schema.get("allOf", [])) == 1:
            return self.of(schema["allOf"][0], name)
        types = schema.get("type", [])
        return union([self.plain(one, schema, name) for one in ([types] if isinstance(types, str) else types)])

    def plain(self, kind: str, schema: dict[str, Any], name: str) -> str:
        """The type of a schema of one JSON type."""
        if kind == "array":
            item = self.of(schema.get("items", {}), name + "Item")
            return f"list[{item}]"
        if kind == "object":
            if not self.is_record(schema):
                values = schema.get("additionalProperties")
                if schema.get("properties") or not isinstance(values, dict):
                    return "dict[str, Any]"
                return f"dict[str, {self.of(values, name + 'Value')}]"
            self.inline[name] = schema
            return self.prefix + name
        return {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}[kind]

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


def union(types: list[str]) -> str:
    """One of several types."""
    parts = list(dict.fromkeys(types or ["Any"]))
    if "Any" in parts:
        return "Any"
    rest = [part for part in parts if part != "None"]
    if not rest:
        return "None"
    one = rest[0] if len(rest) == 1 else f"Union[{', '.join(rest)}]"
    return one if len(rest) == len(parts) else f"Optional[{one}]"


def typed_dict(name: str, members: dict[str, str], required: list[str], summary: str) -> str:
    """The text of a TypedDict."""
    is_total = len(required) > len(members) / 2
    types = {
        member: kind if (member in required) == is_total else f"{'NotRequired' if is_total else 'Required'}[{kind}]"
        for member, kind in members.items()
    }
    total = "" if is_total else ", total=False"
    if all(member.isidentifier() and not keyword.iskeyword(member) for member in members):
        lines = [f"class {name}(TypedDict{total}):", f'    """{summary}"""', ""]
        return "\n".join([*lines, *(f"    {member}: {wrapped(kind, 4)}" for member, kind in types.items())])
    body = "\n".join(f"        {json.dumps(member)}: {alias(kind)}," for member, kind in types.items())
    return f'# {summary}\n{name} = TypedDict(\n    "{name}",\n    {{\n{body}\n    }}{total},\n)'


def wrapped(kind: str, indent: int) -> str:
    """A type, with its parts on lines of their own if it is long."""
    if len(kind) < 80:
        return kind
    pad = " " * (indent + 4)
    lines, line = [], pad
    for part in re.findall(r".+?(?:, |$)", kind):
        if len(line) + len(part) > LINE_MAX - 2:
            lines.append(line.rstrip())
            line = pad
        line += part
    # An annotation may break within brackets alone.
    opened = kind.index("[") + 1
    text = "\n".join([*lines, line]).lstrip()
    return text[:opened] + "\n" + pad + text[opened:-1] + ",\n" + " " * indent + "]"


def schemas_module(document: dict[str, Any]) -> str:
    """The text of `schemas.py`."""
    types = Types(document)
    aliases: list[str] = []
    parts: list[str] = []

    def add(name: str, schema: dict[str, Any], is_inline: bool = False) -> None:
        if types.is_record(schema) or "allOf" in schema:
            members = {
                member: types.of(one, name + member[:1].upper() + member[1:])
                for member, one in types.properties(schema).items()
            }
            summary = f"`{name}` of the API." if not is_inline else "An object within another one."
            parts.append(typed_dict(name, members, schema.get("required", []), summary))
        elif not keyword.iskeyword(name):
            aliases.append(f"{name}: TypeAlias = {alias(types.of(schema, name + 'Object'))}")

    done: set[str] = set()
    for name, schema in types.schemas.items():
        add(name, schema)
    while rest := [name for name in types.inline if name not in done]:
        for name in rest:
            done.add(name)
            add(name, types.inline[name], is_inline=True)
    head = '''"""The JSON of the control API, as its OpenAPI document describes it, for type checkers."""

# Made by generate.py: change that, or the document.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Required, TypeAlias
'''
    return tidy(head + "\n\n" + "\n".join(aliases) + "\n\n\n" + "\n\n\n".join(parts) + "\n")


def alias(kind: str) -> str:
    """A type as a string, on several lines if it is long."""
    kind = kind.replace('"', "'")
    if len(kind) < 80:
        return f'"{kind}"'
    pieces, line = [], ""
    for part in re.findall(r".+?(?:, |$)", kind):
        if len(line) + len(part) > LINE_MAX - 8:
            pieces.append(line)
            line = ""
        line += part
    return "(\n" + "\n".join(f'    "{piece}"' for piece in [*pieces, line]) + "\n)"


def tidy(text: str) -> str:
    """The text without imports that it doesn't use."""
    head, end, body = text.partition("\n\n\n")

    def used(line: re.Match[str]) -> str:
        names = [name for name in line[2].split(", ") if re.search(rf"\b{name.split(' ')[-1]}\b", body)]
        if line[2] == "TYPE_CHECKING" or "TYPE_CHECKING" in line[2].split(", "):
            names = ["TYPE_CHECKING", *(name for name in names if name != "TYPE_CHECKING")]
        return f"{line[1]}{', '.join(names)}" if names else line[0]

    return re.sub(r"^( *from (?!__future__)[\w.]+ import )(.+)$", used, head, flags=re.MULTILINE) + end + body


def server_settings(help_text: str) -> list[str]:
    """The settings of a server as a TypedDict, and those that are switches, from `mynah serve --help`."""
    members: dict[str, str] = {}
    switches: list[str] = []
    for name, value, meaning in re.findall(r"^  --([a-z-]+)(?: (\S+))?\n((?:      .*\n)+)", help_text, re.MULTILINE):
        if name in OWN_SETTINGS:
            continue
        member = name.replace("-", "_")
        if not value:
            switches.append(member)
        members[member] = setting_type(value)
        if "repeatable" in " ".join(meaning.split()):
            one = members[member]
            members[member] = f"Union[{one.removeprefix('Union[').removesuffix(']')}, Sequence[{one}]]"
    names = "".join(f"    {literal(one)},\n" for one in switches)
    return [
        typed_dict("ServerSettings", members, [], "Keyword arguments: the flags of `mynah serve`."),
        f"# Those that are flags without a value.\nSWITCHES = (\n{names})",
    ]


def setting_type(value: str) -> str:
    """The type of a setting, by the placeholder of its flag's value."""
    if value in ("", "on|off"):
        return "bool"
    if value.islower():
        return f"Literal[{', '.join(map(literal, value.split('|')))}]"
    if value == "DURATION":
        return "Duration"
    if value.split("[")[0] in ("PORT", "COUNT", "NUMBER"):
        return "Union[int, str]"
    return "Union[str, Path]" if value.split("|")[0] in ("FILE", "DIR") else "str"


def keyword_type(types: Types, schema: dict[str, Any], name: str) -> str:
    """The type of a keyword argument: times and durations may be Python's own."""
    is_null = "null" in schema.get("type", []) and schema.get("type") != "null"
    if schema.get("format") == "date-time":
        return "Optional[Time]" if is_null else "Time"
    kind = types.of(schema, name)
    if "NullableDuration" in kind:
        return "Optional[Duration]"
    kind = re.sub(r"\blist\[", "Sequence[", kind).replace("schemas.Duration", "Duration")
    # One that is random is an object; one that isn't may be Python's own.
    return re.sub(r"\bschemas\.FaultDelay\b", "Union[Duration, schemas.FaultDelay]", kind)


def filter_names(document: dict[str, Any], path: str) -> list[str]:
    """The filters that a list takes."""
    names: list[str] = []
    for parameter in document["paths"][path]["get"]["parameters"]:
        while "$ref" in parameter:
            parameter = document["components"]["parameters"][parameter["$ref"].rpartition("/")[2]]
        if parameter["in"] != "query":
            continue
        schema = parameter["schema"]
        while "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        patterns = schema.get("patternProperties")
        # Filters in one parameter, or one that has a parameter of its own.
        named = [one.lstrip("!") for one in schema.get("properties", {})] or [parameter["name"].lstrip("!")]
        if patterns:
            found = [re.match(r"\^!\?\(([\w|]+)\)", pattern) for pattern in patterns]
            named = [*schema.get("properties", {}), *(name for one in found if one for name in one[1].split("|"))]
        names += named
    return [name for name in dict.fromkeys(names) if name not in PAGE_PARAMETERS]


CONDITIONS = '''# A condition on a value of a push.
Condition = TypedDict(
    "Condition",
    {
        "prefix": str,
        "contains": str,
        "regex": str,
        "not": "FilterValue",
        "exists": bool,
        "gte": "Union[int, float, str]",
        "lte": "Union[int, float, str]",
    },
    total=False,
)
# All values but these.
Not = TypedDict("Not", {"not": "Union[Value, Sequence[Value]]"})
NotPart = TypedDict("NotPart", {"not": "Union[ValueOrPart, Sequence[ValueOrPart]]"})
# A part of a text.
Contains = TypedDict("Contains", {"contains": str})
Value: TypeAlias = "Union[str, int, float, bool, Time]"
ValueOrPart: TypeAlias = "Union[Value, Contains]"
# A value, any of several, or a condition.
FilterValue: TypeAlias = "Union[Value, Sequence[FilterValue], Condition]"
# A value, any of several, or all others.
ListFilterValue: TypeAlias = "Union[Value, Sequence[Value], Not]"
# The same of pushes, whose texts can also be found by a part.
PushFilterValue: TypeAlias = "Union[ValueOrPart, Sequence[ValueOrPart], NotPart]"


class Paging(TypedDict, total=False):
    """Keyword arguments of lists: how many items at most, the order, and the beginning, a page's `next_cursor`."""

    limit: int
    order: schemas.Order
    cursor: Optional[str]
'''


def keywords_module(document: dict[str, Any], serve_help: str) -> str:
    """The text of `keywords.py`."""
    types = Types(document, "schemas.")
    parts = [CONDITIONS.rstrip()]
    for name, (source, without) in KEYWORDS.items():
        if source not in types.schemas:
            raise SystemExit(f"the OpenAPI document has no schema {source}: change KEYWORDS")
        members = {
            snake_case(member): keyword_type(types, one, source + member[:1].upper() + member[1:])
            for member, one in types.properties(types.schemas[source]).items()
            if member not in without
        }
        if name == "FaultOptions":
            members["reason"] = "Optional[presets.Reason]"
        parts.append(typed_dict(name, members, [], f"Keyword arguments: members of `{source}`."))
    for name, path in FILTERS.items():
        value = "PushFilterValue" if path == "/v1/notifications" else "ListFilterValue"
        members = {
            snake_case(one): f"Mapping[str, {value}]" if one in ("payload", "screen") else value
            for one in filter_names(document, path)
        }
        parts.append(typed_dict(name, members, [], f"Keyword arguments: filters of `GET {path}`."))
    for name, (source, without) in MATCHES.items():
        members = {
            snake_case(one): FILTER_TYPES.get(one, "FilterValue")
            for one in types.properties(types.schemas[source])
            if one not in without
        }
        parts.append(typed_dict(name, members, [], f"Keyword arguments: members of `{source}`."))
    parts.append(
        'class FaultKeywords(FaultSettings, FaultOptions, FaultFilters, total=False):\n'
        '    """Keyword arguments of `Mynah.fault`."""'
    )
    parts += server_settings(serve_help)
    head = '''"""The keyword arguments of calls, as the OpenAPI document describes them, for type checkers."""

# Made by generate.py: change that, or the document.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union

from . import presets, schemas
from .documents import Duration, Time

if TYPE_CHECKING:
    from typing_extensions import TypeAlias
'''
    return tidy(head + "\n\n" + "\n\n\n".join(parts) + "\n")


def run(*command: str) -> str:
    """The output of a command."""
    return subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=True).stdout


def presets_module(url: str, binary: str) -> str:
    """The text of `presets.py`."""
    told = run(binary, "fault", "add", "--help")
    listed = told.rpartition("Presets, with their own options below:")[2].partition("USAGE")[0]
    names = re.findall(r"^  ([a-z0-9][a-z0-9-]*) +\S", listed, re.MULTILINE)
    reasons = sorted(answer(f"{url}/v1/notifications?reason=x")["allowed"])
    lines = []
    for name in names:
        identifier = run(binary, "fault", "add", name, "--url", url).split()[0]
        action = answer(f"{url}/v1/faults/{identifier}")["action"]
        run(binary, "fault", "remove", identifier, "--url", url)
        one = f"    {literal(name)}: {literal(action)},"
        if len(one) > LINE_MAX:
            members = "".join(f"        {literal(member)}: {literal(value)},\n" for member, value in action.items())
            one = f"    {literal(name)}: {{\n{members}    }},"
        lines.append(one)
    types = [
        f"{one}: TypeAlias = {alias('Literal[' + ', '.join(map(literal, values)) + ']')}"
        for one, values in (("Preset", names), ("Reason", reasons))
    ]
    head = '''"""The presets and reasons of faults, by the names of `mynah fault add`."""

# Made by generate.py: change that, or the presets of the program.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from typing_extensions import TypeAlias
'''
    actions = "# The action of each.\nPRESETS: dict[str, dict[str, Any]] = {\n" + "\n".join(lines) + "\n}"
    known = "REASONS = (\n" + "\n".join(f"    {literal(one)}," for one in reasons) + "\n)"
    return head + "\n\n" + "\n".join(types) + "\n\n" + actions + "\n" + known + "\n"


def answer(url: str) -> Any:
    """The JSON of an answer, also of a refusal."""
    try:
        with urllib.request.urlopen(url, timeout=COMMAND_SECONDS) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)


def literal(value: Any) -> str:
    """A JSON value as Python, quoted as the code around it is."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)}: {literal(one)}" for name, one in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def modules(url: str, binary: str) -> Iterator[tuple[Path, str]]:
    """The files that follow from others, and their texts, of a running server and its program."""
    yield from blocking_modules()
    document = answer(f"{url}/openapi.json")
    yield PACKAGE / "schemas.py", schemas_module(document)
    yield PACKAGE / "keywords.py", keywords_module(document, run(binary, "serve", "--help"))
    yield PACKAGE / "presets.py", presets_module(url, binary)


def blocking_modules() -> Iterator[tuple[Path, str]]:
    """The blocking modules, and their texts."""
    for file in sorted((PACKAGE / "aio").glob("*.py")):
        if file.name not in BY_HAND:
            yield PACKAGE / file.name, blocking(file.read_text(), file.name)


def main() -> int:
    binary = os.environ.get("MYNAH_BINARY", "mynah")
    if "MYNAH_URL" not in os.environ:
        # Its keys are nobody's.
        with tempfile.TemporaryDirectory() as folder:
            again = ["env", f"MYNAH_BINARY={binary}", sys.executable, *sys.argv]
            command = [binary, "exec", "--state-dir", folder, "--", *again]
            others = {name: value for name, value in os.environ.items() if name != "MYNAH_BINARY"}
            return subprocess.run(command, env=others, check=False).returncode
    is_check = sys.argv[1:] == ["--check"]
    different = [
        (path, text)
        for path, text in modules(os.environ["MYNAH_URL"], binary)
        if not path.exists() or path.read_text() != text
    ]
    for path, text in different:
        print(f"{path.name} {'differs' if is_check else 'is changed'}")
        if not is_check:
            path.write_text(text)
    return 1 if is_check and different else 0


if __name__ == "__main__":
    sys.exit(main())
