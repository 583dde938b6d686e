"""The template of Node: what of `Sources/node` follows from the program.

- `lib/calls/*.js`, the methods of the classes; `types/calls.d.ts`, their types.
- `types/schemas.d.ts` and `types/keywords.d.ts`, the types of answers and of named arguments.
- `lib/words.js`, the words that calls know when they run: names, presets, reasons, settings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calls import CLASSES, RECORDS, Argument
from description import (
    FILTERS,
    KEYWORDS,
    MATCHES,
    POINTER_FILTERS,
    PUSH_FILTERS,
    Description,
    Setting,
    Types,
    camel_case,
    member_name,
)
from methods import Method, methods

PACKAGE = Path(__file__).resolve().parents[1] / "node"
NOTE = "// Made by Sources/helpers/generate.py: change that, or what the program says.\n"
LINE_MAX = 120
# A longer path has a line of its own.
PATH_MAX = 60
# The base classes of those with the same names.
BASES = {name: f"{name}Calls" for name in CLASSES}
FILES = {"Mynah": "scope", "MynahServer": "server", "Device": "device", "Fault": "fault", "Clock": "clock"}
# How an object knows its scope.
SCOPES = {"Mynah": "this.name", "Clock": "this.scope"}
# Records that are classes, with what their answers have.
MADE_HERE = ("Device", "Fault", "Notification")
FILTER_TYPES = {
    "payload": "Record<string, FilterValue>",
    "headers": "Record<string, FilterValue>",
    "screen": "Record<string, FilterValue>",
    "webPush": "Record<string, FilterValue>",
    "payloadIncludes": "Record<string, unknown> | unknown[]",
    "event": "schemas.FaultEvent",
    "q": "string",
}


class TypeScriptTypes(Types):
    """Types as TypeScript writes them."""

    def scalar(self, kind: str) -> str:
        return {"integer": "number", "any": "unknown"}.get(kind, kind)

    def literals(self, values: list[Any]) -> str:
        return " | ".join(json.dumps(value) for value in values)

    def list_of(self, item: str) -> str:
        return f"({item})[]" if " | " in item else f"{item}[]"

    def map_of(self, value: str) -> str:
        return f"Record<string, {value}>"

    def union(self, types: list[str]) -> str:
        parts = list(dict.fromkeys(types or ["unknown"]))
        return "unknown" if "unknown" in parts else " | ".join([*(one for one in parts if one != "null"), *(
            ["null"] if "null" in parts else []
        )])


def interface(name: str, members: dict[str, str], required: list[str], summary: str) -> str:
    """The text of an interface."""
    lines = [
        f"  {member if member.isidentifier() else json.dumps(member)}{'' if member in required else '?'}: {kind};"
        for member, kind in members.items()
    ]
    return "\n".join([f"/** {summary} */", f"export interface {name} {{", *lines, "}"])


def schemas_file(told: Description) -> str:
    """The text of `types/schemas.d.ts`."""
    types = TypeScriptTypes(told.document)
    parts: list[str] = []
    for name, schema, is_inline in types.all():
        if types.is_record(schema) or "allOf" in schema:
            members = {
                member: types.of(one, member_name(name, member)) for member, one in types.properties(schema).items()
            }
            summary = "An object within another one." if is_inline else f"`{name}` of the API."
            parts.append(interface(name, members, required(types, schema), summary))
        else:
            parts.append(f"export type {name} = {types.of(schema, name + 'Object')};")
    head = "// The JSON of the control API, as its OpenAPI document describes it.\n"
    return NOTE + head + "\n" + "\n\n".join(parts) + "\n"


def required(types: Types, schema: dict[str, Any]) -> list[str]:
    """The members that an object always has, also of one that is composed."""
    if "$ref" in schema:
        return required(types, types.schemas[schema["$ref"].rpartition("/")[2]])
    return [*schema.get("required", []), *(one for part in schema.get("allOf", []) for one in required(types, part))]


def argument_type(types: Types, schema: dict[str, Any], name: str) -> str:
    """The type of what a caller gives: times may be dates, lists may be read-only."""
    is_null = "null" in schema.get("type", []) and schema.get("type") != "null"
    if schema.get("format") == "date-time":
        return "Time | null" if is_null else "Time"
    kind = types.of(schema, name)
    return f"readonly {kind}" if kind.endswith("[]") and " | " not in kind.rpartition(")")[2] else kind


def parameter_type(types: Types, schema: dict[str, Any], name: str) -> str:
    """The type of a parameter of a URL, where a list may be one of its items."""
    if schema.get("type") != "array":
        return argument_type(types, schema, name)
    item = types.of(schema["items"], name)
    return f"{item} | readonly ({item})[]" if " | " in item else f"{item} | readonly {item}[]"


def keywords_file(told: Description) -> str:
    """The text of `types/keywords.d.ts`."""
    types = TypeScriptTypes(told.document, "schemas.")
    parts = []
    for name, (source, _) in KEYWORDS.items():
        members = {
            member: argument_type(types, one, member_name(source, member))
            for member, one in told.keywords(types, name).items()
        }
        if name == "FaultOptions":
            members["reason"] = "Reason"
        parts.append(interface(name, members, [], f"Members of `{source}`."))
    for name, path in FILTERS.items():
        value = "PushFilterValue" if name in PUSH_FILTERS else "ListFilterValue"
        members = {
            one: f"Record<string, {value}>" if one in POINTER_FILTERS else value for one in told.filters(name)
        }
        parts.append(interface(name, members, [], f"Filters of `GET {path}`."))
    for name, (source, _) in MATCHES.items():
        members = {one: FILTER_TYPES.get(one, "FilterValue") for one in told.keywords(types, name)}
        parts.append(interface(name, members, [], f"Members of `{source}`."))
    settings = {camel_case(one.flag): setting_type(one) for one in told.settings()}
    parts.append(interface("ServerSettings", settings, [], "The flags of `mynah serve`."))
    parts += [
        f"/** {summary} */\nexport type {name} =\n  | {union};"
        for name, summary, union in (
            ("Preset", "The presets of faults.", "\n  | ".join(map(json.dumps, told.presets()))),
            ("Reason", "The reasons that APNs gives.", "\n  | ".join(map(json.dumps, told.reasons()))),
        )
    ]
    head = (
        "// The named arguments of calls, as the program describes them.\n"
        'import type * as schemas from "./schemas";\n'
        'import type { Duration, FilterValue, ListFilterValue, PushFilterValue, Time } from "./values";\n'
    )
    return NOTE + head + "\n" + "\n\n".join(parts) + "\n"


def setting_type(setting: Setting) -> str:
    """The type of a setting of a server."""
    names = {"number": "number | string", "path": "string", "Duration": "Duration"}
    kind = " | ".join(map(json.dumps, setting.choices)) or names.get(setting.kind, setting.kind)
    return f"{kind} | readonly ({kind})[]" if setting.is_repeatable else kind


def record_type(name: str) -> str:
    """The type of a record."""
    return name if name in MADE_HERE else f"schemas.{RECORDS.get(name, name)}"


def result_type(gives: str) -> str:
    """What a method promises."""
    head, _, rest = gives.partition(" ")
    if not gives:
        return "void"
    if head == "Page":
        return f"Page<{record_type(rest)}>"
    if head == "List":
        return f"readonly {record_type(rest)}[]"
    if head == "document":
        return f"schemas.{rest}"
    if head in ("text", "mode"):
        return "string"
    if head == "time":
        return "Date"
    if head == "refresh":
        return "Device"
    if "." in gives:
        return "number"
    return "Record<string, number>" if head == "removed" else record_type(head)


def value_type(types: Types, method: Method, one: Argument) -> str:
    """The type of an argument."""
    kinds = {"integer": "number", "string|integer": "string | number"}
    kind = kinds.get(one.type, one.type)
    if one.is_query and one.is_optional:
        return f"{kind} | null"
    if one.is_list:
        return "string | readonly string[]"
    if one.record:
        owner, _, member = one.record.partition(".")
        return f"{kind} | Pick<{record_type(owner)}, {json.dumps(member)}>"
    return kind


def declaration(types: Types, method: Method) -> str:
    """A method in `types/calls.d.ts`."""
    call = method.call
    parts = [
        f"{one.name}{'?' if one.is_optional and not one.is_query else ''}: {value_type(types, method, one)}"
        for one in call.arguments
    ]
    if method.has_options:
        options = {
            name: parameter_type(types, schema, member_name(call.name, name))
            for name, schema in method.option_schemas().items()
        }
        if call.scope == "given":
            options = {"scope": "string | null", **options}
        both = [f"keywords.{call.keywords}"] if call.keywords else []
        if options:
            both.insert(0, object_type(options, max_length=LINE_MAX - 40))
        parts.append(f"options?: {' & '.join(both)}")
    is_stream = call.gives == "events"
    gives = "AsyncGenerator<Event, void, undefined>" if is_stream else f"Promise<{result_type(call.gives)}>"
    line = f"  {call.name}({', '.join(parts)}): {gives};"
    if len(line) > LINE_MAX or "\n" in line:
        line = f"  {call.name}(\n" + "".join(f"    {part},\n" for part in parts) + f"  ): {gives};"
    return f"{documentation(call.does)}\n{line}"


def object_type(members: dict[str, str], max_length: int) -> str:
    """The type of an object without a name."""
    parts = [f"{name}?: {kind}" for name, kind in members.items()]
    line = f"{{ {'; '.join(parts)} }}"
    return line if len(line) <= max_length else "{\n" + "".join(f"      {part};\n" for part in parts) + "    }"


def documentation(text: str) -> str:
    """A comment above a method."""
    line = f"  /** {text} */"
    if len(line) <= LINE_MAX:
        return line
    lines, rest = [], text
    while rest:
        cut = rest if len(rest) <= LINE_MAX - 5 else rest[: LINE_MAX - 5].rpartition(" ")[0]
        lines.append(f"   * {cut}")
        rest = rest[len(cut) :].lstrip()
    return "\n".join(["  /**", *lines, "   */"])


def calls_types(told: Description) -> str:
    """The text of `types/calls.d.ts`."""
    types = TypeScriptTypes(told.document, "schemas.")
    parts = []
    for name, base in BASES.items():
        members = "\n\n".join(declaration(types, method) for method in methods(told, name))
        parts.append(f"declare abstract class {base} {{\n{members}\n}}")
    head = (
        "// The calls that are one request each.\n"
        'import type { Device, Event, Fault, Notification, Page } from "../index";\n'
        'import type * as keywords from "./keywords";\n'
        'import type * as schemas from "./schemas";\n'
        'import type { Time } from "./values";\n'
    )
    return NOTE + head + "\n" + "\n\n".join(f"export {part}" for part in parts) + "\n"


def implementation(types: Types, method: Method) -> str:
    """A method in `lib/calls`."""
    call = method.call
    named = [one.name for one in call.arguments]
    written = [
        f"{one.name} = {json.dumps(one.default)}" if one.default is not None else one.name for one in call.arguments
    ]
    is_stream = call.gives == "events"
    taken = ", ".join([*written, *(["options"] if method.has_options else [])])
    lines = [f"  {'' if is_stream else 'async '}{call.name}({taken}) {{"]
    query, body = [], []
    if method.has_options:
        own = ["scope"] if call.scope == "given" else []
        plain = [f"{one} = LIST_MAX" if one == "limit" and call.is_full else one for one in [*own, *method.options]]
        rest = ["...rest"] if call.keywords else []
        words = f"known.{FILES[call.of]}.{call.name}"
        names = f"{{ {', '.join([*plain, *rest])} }}" if plain else "rest"
        lines.append(f"    const {names} = checked({json.dumps(call.name)}, options, {words});")
        query += [name if name == member else f"{member}: {name}" for name, member in method.options.items()]
    if call.scope:
        value = SCOPES[call.of] if call.scope == "own" else f"scopeOf({SCOPES[call.of]}, scope)"
        (query if method.scope_place == "query" else body).insert(0, f"scope: {value}")
    for one in method.arguments("query"):
        query.append(f"{one.api_name}: {one.name} ?? undefined" if one.is_optional else f"{one.api_name}: {one.name}")
    for one in method.arguments("body"):
        if call.has_apps and one.is_list:
            continue
        value = f"[{one.name}].flat()" if one.is_list else one.name
        body.append(one.api_name if value == one.api_name else f"{one.api_name}: {value}")
    body += [f"{name}: {json.dumps(value)}" for name, value in call.fixed.items()]
    if call.keywords:
        (query if method.has_filters else body).append("...rest")
    if call.has_apps:
        body[-1] = f"...withApps({named[-1]}, rest)"
    given = []
    if query:
        given.append(f"query: parameters({{ {', '.join(query)} }})")
    if method.has_body:
        given.append("body: members(rest)" if body == ["...rest"] else f"body: members({{ {', '.join(body)} }})")
    path = re.sub(r"\{(\w+)\}", lambda found: "${" + in_path(method, found[1]) + "}", call.path)
    target = f"`{path}`" if "${" in path else json.dumps(path)
    if len(target) > PATH_MAX:
        lines.append(f"    const path = {target};")
        target = "path"
    if is_stream:
        lines.append(f"    return this.control.events({target}, parameters({{ {', '.join(query)} }}));")
        return "\n".join([documentation(call.does), *lines, "  }"])
    together = f", {{ {', '.join(given)} }}" if given else ""
    returned = result(call.gives)
    answered = "const answer = " if "answer" in returned else ""
    lines.append(f'    {answered}await this.control.call("{call.method}", {target}{together});')
    if returned:
        lines.append(f"    return {returned};")
    return "\n".join([documentation(call.does), *map(wrapped, lines), "  }"])


def wrapped(line: str) -> str:
    """A line of code, with the parts of a request on lines of their own if it is long."""
    if len(line) <= LINE_MAX:
        return line
    head, found, rest = line.partition(", { query: ")
    if not found:
        head, found, rest = line.partition(", { body: ")
    if found:
        pieces = re.split(r", (?=body: )", found[4:] + rest.removesuffix(" });"))
        return head + ", {\n" + "".join(f"      {piece},\n" for piece in pieces) + "    });"
    names = re.fullmatch(r"( *const \{) (.+) (\} = .+)", line)
    if not names:
        return line
    return f"{names[1]}\n      {names[2]},\n    {names[3]}".replace("...rest,", "...rest")


def in_path(method: Method, name: str) -> str:
    """The expression of a part of a path."""
    if name == "self":
        return "segment(this.id)"
    one = method.call.argument(name)
    assert one is not None, f"{method.call.request}: no argument is {name}"
    if one.record:
        return f"segment({one.name}?.{one.record.partition('.')[2]} ?? {one.name})"
    return f"segment({one.name})"


def result(gives: str) -> str:
    """What a method returns of the answer."""
    head, _, rest = gives.partition(" ")
    if not gives:
        return ""
    if head == "Page":
        return f'pageOf("{rest}", answer, this.control)'
    if head == "List":
        return f'answer.items.map((one) => recordOf("{rest}", one, this.control))'
    if head in ("document", "text"):
        return "answer"
    if head == "time":
        return f"new Date(answer.{rest})"
    if head == "refresh":
        return "this.refresh()"
    if head[0].isupper():
        return f'recordOf("{head}", answer, this.control)'
    return f"answer.{gives}"


def calls_file(told: Description, name: str) -> str:
    """The text of a file in `lib/calls`."""
    types = TypeScriptTypes(told.document)
    texts = "\n\n".join(implementation(types, method) for method in methods(told, name))
    helpers = [
        one for one in ("LIST_MAX", "checked", "members", "parameters", "scopeOf", "segment", "withApps")
        if re.search(rf"\b{one}\b", texts)
    ]
    lines = [f'const {{ {", ".join(helpers)} }} = require("../documents.js");']
    records = [one for one in ("pageOf", "recordOf") if one in texts]
    if records:
        lines.append(f'const {{ {", ".join(records)} }} = require("../records.js");')
    if "known." in texts:
        lines.append('const { known } = require("../words.js");')
    head = "\n".join(lines)
    base = BASES[name]
    return f'"use strict";\n{NOTE}{head}\n\nclass {base} {{\n{texts}\n}}\n\nmodule.exports = {{ {base} }};\n'


def words_file(told: Description) -> str:
    """The text of `lib/words.js`."""
    types = TypeScriptTypes(told.document)
    known = {
        FILES[name]: {method.call.name: method.known(types) for method in methods(told, name) if method.has_options}
        for name in CLASSES
    }
    sets = {name: list(told.keywords(types, name)) for name in (*KEYWORDS, *MATCHES)}
    sets |= {name: told.filters(name) for name in FILTERS}
    settings = {camel_case(one.flag): one.flag for one in told.settings()}
    switches = [camel_case(one.flag) for one in told.settings() if not one.value]
    tables = {
        "known": ("The names that calls of one request take, by class and method.", known),
        "sets": ("The names of sets of arguments.", sets),
        "presets": ("The actions of the presets of faults.", told.presets()),
        "reasons": ("The reasons that APNs gives.", told.reasons()),
        "settings": ("The flags of `mynah serve`, by the names of settings.", settings),
        "switches": ("Settings that are flags without a value.", switches),
        "version": ("The version of the program.", told.version),
    }
    texts = [f"/** {summary} */\nconst {name} = {written(value)};" for name, (summary, value) in tables.items()]
    return f'"use strict";\n{NOTE}\n' + "\n\n".join(texts) + f"\n\nmodule.exports = {{ {', '.join(tables)} }};\n"


def written(value: Any, indent: int = 0) -> str:
    """A JSON value as JavaScript, on several lines if it is long."""
    line = one_line(value)
    if len(line) + indent < LINE_MAX - 20 or not isinstance(value, (dict, list)):
        return line
    pad = " " * (indent + 2)
    if isinstance(value, list):
        lines = [pad]
        for one in value:
            text = f"{json.dumps(one)}, "
            if len(lines[-1]) + len(text) > LINE_MAX:
                lines.append(pad)
            lines[-1] += text
        return "[\n" + "\n".join(line.rstrip() for line in lines) + "\n" + " " * indent + "]"
    parts = [f"{pad}{key(name)}: {written(one, indent + 2)},\n" for name, one in value.items()]
    return "{\n" + "".join(parts) + " " * indent + "}"


def one_line(value: Any) -> str:
    """A JSON value as JavaScript, on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key(name)}: {one_line(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(one_line, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def key(name: str) -> str:
    """A member's name."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else json.dumps(name)


def modules(told: Description) -> Iterator[tuple[Path, str]]:
    """The files that follow from others, and their texts."""
    for name, file in FILES.items():
        yield PACKAGE / "lib" / "calls" / f"{file}.js", calls_file(told, name)
    yield PACKAGE / "lib" / "words.js", words_file(told)
    yield PACKAGE / "types" / "calls.d.ts", calls_types(told)
    yield PACKAGE / "types" / "keywords.d.ts", keywords_file(told)
    yield PACKAGE / "types" / "schemas.d.ts", schemas_file(told)
