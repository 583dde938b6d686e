"""The template of Python: the modules of `Sources/python/mynah` that follow from others.

- `aio/*_calls.py`, the methods that follow from the calls (`python_calls.py`).
- The blocking modules, from those of `mynah.aio` with the same name: the methods have one source.
- `schemas.py` and `keywords.py`, the types of answers and of keyword arguments.
- `snapshots.py`, the members of the package's own dataclasses.
- `presets.py`, the presets and reasons of faults.
"""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import python_calls
from description import (
    FILTERS,
    KEYWORDS,
    MATCHES,
    POINTER_FILTERS,
    PUSH_FILTERS,
    Description,
    Setting,
    Types,
    member_name,
    snake_case,
)

PACKAGE = Path(__file__).resolve().parents[1] / "python" / "mynah"
# Modules of mynah.aio that are written by hand, like their blocking counterparts.
BY_HAND = ("__init__.py", "starting.py", "transport.py")
LINE_MAX = 120

# In this order.
BLOCKING = {
    r"\basync (def|with|for)\b": r"\1",
    r"\bawait ": "",
    r"\bAsyncGenerator\[(\w+), None\]": r"Generator[\1, None, None]",
    r"\bAsyncGenerator\b": "Generator",
    r"\b__a(enter|exit)__\b": r"__\1__",
    r"\bfrom \.\.": "from .",
}

FILTER_TYPES = {
    "payload": "Mapping[str, FilterValue]",
    "headers": "Mapping[str, FilterValue]",
    "screen": "Mapping[str, FilterValue]",
    "webPush": "Mapping[str, FilterValue]",
    "payloadIncludes": "Union[Mapping[str, Any], Sequence[Any]]",
    "event": "schemas.FaultEvent",
    "q": "str",
}
# The members of dataclasses: the schema, and members that the class reads by itself.
SNAPSHOTS = {
    "DeviceMembers": ("Device", ["registrations", "activities", "inbox"]),
    "RegistrationMembers": ("Registration", []),
    "NotificationMembers": ("Notification", ["credential", "expiration", "headers", "warnings", "timeline"]),
}
# Sets of named arguments that its methods write out.
WRITTEN_OUT = ("ResetSettings",)


def blocking(text: str, name: str) -> str:
    """A module of `mynah.aio` as the blocking one."""
    for pattern, replacement in BLOCKING.items():
        text = re.sub(pattern, replacement, text)
    first, rest = text.split("\n", 1)
    note = f"# Made from aio/{name} by generate.py: change that.\n"
    return f"{first}\n\n{note}{rest}"


class PythonTypes(Types):
    """Types as annotations."""

    def scalar(self, kind: str) -> str:
        names = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "any": "Any"}
        return names[kind]

    def literals(self, values: list[Any]) -> str:
        return f"Literal[{', '.join(map(literal, values))}]"

    def list_of(self, item: str) -> str:
        return f"list[{item}]"

    def map_of(self, value: str) -> str:
        return f"dict[str, {value}]"

    def union(self, types: list[str]) -> str:
        return union(types)

    def is_reserved(self, name: str) -> bool:
        return keyword.iskeyword(name)


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


def schemas_module(told: Description) -> str:
    """The text of `schemas.py`."""
    types = PythonTypes(told.document)
    aliases: list[str] = []
    parts: list[str] = []

    for name, schema, is_inline in types.all():
        if types.is_record(schema) or "allOf" in schema:
            members = {
                member: types.of(one, member_name(name, member)) for member, one in types.properties(schema).items()
            }
            summary = f"`{name}` of the API." if not is_inline else "An object within another one."
            parts.append(typed_dict(name, members, schema.get("required", []), summary))
        elif not keyword.iskeyword(name):
            aliases.append(f"{name}: TypeAlias = {alias(types.of(schema, name + 'Object'))}")

    head = '''"""The JSON of the control API, as its OpenAPI document describes it, for type checkers."""

# Made by generate.py: change that, or the document.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Required, TypeAlias
'''
    version = f"# The version of the program that has it.\nVERSION = {literal(told.version)}\n"
    return tidy(head + "\n\n" + version + "\n" + "\n".join(aliases) + "\n\n\n" + "\n\n\n".join(parts) + "\n")


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


def server_settings(settings: list[Setting]) -> list[str]:
    """The settings of a server as a TypedDict, and those that are switches."""
    members: dict[str, str] = {}
    for one in settings:
        kind = setting_type(one)
        several = f"Union[{kind.removeprefix('Union[').removesuffix(']')}, Sequence[{kind}]]"
        members[one.flag.replace("-", "_")] = several if one.is_repeatable else kind
    names = "".join(f"    {literal(one.flag.replace('-', '_'))},\n" for one in settings if not one.value)
    return [
        typed_dict("ServerSettings", members, [], "Keyword arguments: the flags of `mynah serve`."),
        f"# Those that are flags without a value.\nSWITCHES = (\n{names})",
    ]


def setting_type(setting: Setting) -> str:
    """The type of a setting."""
    if setting.choices:
        return f"Literal[{', '.join(map(literal, setting.choices))}]"
    names = {"boolean": "bool", "number": "Union[int, str]", "path": "Union[str, Path]", "string": "str"}
    return names.get(setting.kind, setting.kind)


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


def keywords_module(told: Description) -> str:
    """The text of `keywords.py`."""
    types = PythonTypes(told.document, "schemas.")
    parts = [CONDITIONS.rstrip()]
    for name, (source, _) in KEYWORDS.items():
        if name in WRITTEN_OUT:
            continue
        members = {
            snake_case(member): keyword_type(types, one, member_name(source, member))
            for member, one in told.keywords(types, name).items()
        }
        if name == "FaultOptions":
            members["reason"] = "Optional[presets.Reason]"
        parts.append(typed_dict(name, members, [], f"Keyword arguments: members of `{source}`."))
    for name, path in FILTERS.items():
        value = "PushFilterValue" if name in PUSH_FILTERS else "ListFilterValue"
        members = {
            snake_case(one): f"Mapping[str, {value}]" if one in POINTER_FILTERS else value
            for one in told.filters(name)
        }
        parts.append(typed_dict(name, members, [], f"Keyword arguments: filters of `GET {path}`."))
    for name, (source, _) in MATCHES.items():
        members = {snake_case(one): FILTER_TYPES.get(one, "FilterValue") for one in told.keywords(types, name)}
        parts.append(typed_dict(name, members, [], f"Keyword arguments: members of `{source}`."))
    parts.append(
        'class FaultKeywords(FaultSettings, FaultOptions, FaultFilters, total=False):\n'
        '    """Keyword arguments of `Mynah.fault`."""'
    )
    parts += server_settings(told.settings())
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


def snapshot_type(types: Types, schema: dict[str, Any], name: str) -> str:
    """The type of a dataclass' member: times are Python's own, and nothing in it can be changed."""
    if schema.get("format") == "date-time":
        return "Optional[datetime]" if "null" in schema["type"] else "datetime"
    kind = types.of(schema, name)
    return re.sub(r"\bdict\[", "Mapping[", re.sub(r"\blist\[", "Sequence[", kind))


def snapshots_module(told: Description) -> str:
    """The text of `snapshots.py`."""
    types = PythonTypes(told.document, "schemas.")
    parts = []
    for name, (source, without) in SNAPSHOTS.items():
        lines = ["@dataclass(frozen=True)", f"class {name}:", f'    """The members of `{source}`."""', ""]
        for member, schema in types.properties(types.schemas[source]).items():
            if member in without:
                continue
            lines += textwrap.wrap(
                schema["description"], LINE_MAX, initial_indent="    # ", subsequent_indent="    # "
            )
            kind = snapshot_type(types, schema, member_name(source, member))
            if member not in types.schemas[source]["required"]:
                kind = union([kind, "None"])
            lines.append(f"    {snake_case(member)}: {wrapped(kind, 4)}")
        parts.append("\n".join(lines))
    head = '''"""The members of the package's dataclasses, as the OpenAPI document describes them."""

# Made by generate.py: change that, or the document.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Optional, Union

from . import schemas
'''
    return tidy(head + "\n\n" + "\n\n\n".join(parts) + "\n")


def presets_module(told: Description) -> str:
    """The text of `presets.py`."""
    names, reasons = told.presets(), told.reasons()
    lines = []
    for name, action in names.items():
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


def literal(value: Any) -> str:
    """A JSON value as Python, quoted as the code around it is."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)}: {literal(one)}" for name, one in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def modules(told: Description) -> Iterator[tuple[Path, str]]:
    """The files that follow from others, and their texts."""
    made = dict(python_calls.modules(told, PythonTypes(told.document, "schemas.")))
    yield from made.items()
    yield from blocking_modules(made)
    yield PACKAGE / "schemas.py", schemas_module(told)
    yield PACKAGE / "keywords.py", keywords_module(told)
    yield PACKAGE / "snapshots.py", snapshots_module(told)
    yield PACKAGE / "presets.py", presets_module(told)


def blocking_modules(made: dict[Path, str]) -> Iterator[tuple[Path, str]]:
    """The blocking modules, and their texts; of some the other one is made, too."""
    for file in sorted({*(PACKAGE / "aio").glob("*.py"), *made}):
        if file.name not in BY_HAND:
            yield PACKAGE / file.name, blocking(made.get(file) or file.read_text(), file.name)
