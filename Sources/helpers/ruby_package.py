"""The template of Ruby: what of `Sources/ruby` follows from the program.

- `lib/mynah/calls/*.rb`, the methods of the classes.
- `lib/mynah/answers/*.rb`, the classes of what calls answer, with a reader for each member.
- `lib/mynah/words.rb`, the words that calls know when they run: names, presets, reasons, settings.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calls import CALLS, CLASSES, RECORDS
from description import KEYWORDS, MATCHES, Description, Types, member_name, snake_case
from methods import Method, methods
from operations import all_calls

PACKAGE = Path(__file__).resolve().parents[1] / "ruby" / "lib" / "mynah"
NOTE = "# Made by Sources/helpers/generate.py: change that, or what the program says.\n"
LINE_MAX = 120
FILES = {"Mynah": "scope", "MynahServer": "server", "Device": "device", "Fault": "fault", "Clock": "clock"}
# How an object knows its scope.
SCOPES = {"Mynah": "name", "Clock": "scope"}
# Answers that are given as they are: documents of another form, or without known members.
AS_THEY_ARE = ("Fixtures", "Index", "OpenAPI")
# Records that are classes with calls, whose members are in a class above them.
WITH_CALLS = ("Device", "ExpectationResult", "Fault", "Notification")
# What a class has already, and needs.
RESERVED = ("class", "hash", "object_id", "__send__", "__id__", "initialize", "inspect", "to_h", "is_a")
FILE_RECORDS = 25


class Kinds(Types):
    """The kinds of members: `nil`, `Time`, `:Name` of a record, `[:Name]`, `{ any: :Name }`, or nothing for plain JSON."""

    def of(self, schema: dict[str, Any], name: str) -> str:
        return "Time" if schema.get("format") == "date-time" else super().of(schema, name)

    def scalar(self, kind: str) -> str:
        return "nil" if kind == "null" else ""

    def literals(self, values: list[Any]) -> str:
        return ""

    def list_of(self, item: str) -> str:
        return f"[{item}]" if item else ""

    def map_of(self, value: str) -> str:
        return f"{{ any: {value} }}" if value else ""

    def union(self, types: list[str]) -> str:
        parts = {one for one in types if one != "nil"}
        return parts.pop() if len(parts) == 1 else ""

    def is_reserved(self, name: str) -> bool:
        schema = self.schemas[name]
        return not (self.is_record(schema) or "allOf" in schema)


def record_name(schema: str) -> str:
    """The class with a schema's members."""
    return f"{schema}Members" if schema in WITH_CALLS else schema


def records(told: Description) -> dict[str, dict[str, tuple[str, str]]]:
    """The classes of all that calls answer: of each member its kind, and what it is."""
    types = Kinds(told.document, ":")
    wanted = ["ExpectationResult"]
    for call in all_calls(told):
        name = call.gives.rpartition(" ")[2] if call.gives.startswith(("Page ", "List ", "document ")) else call.gives
        if name[:1].isupper() and name not in AS_THEY_ARE:
            wanted.append(RECORDS.get(name, name))
    found: dict[str, dict[str, tuple[str, str]]] = {}
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        schema = types.schemas.get(name) or types.inline[name]
        members = found[name] = {}
        for member, one in types.properties(schema).items():
            kind = types.of(one, member_name(name, member))
            members[member] = ("" if kind == "nil" else kind, one.get("description", ""))
            wanted += re.findall(r":(\w+)", kind.replace("any:", ""))
    return dict(sorted(found.items()))


def record_class(told: Description, name: str, members: dict[str, tuple[str, str]]) -> str:
    """The text of a record's class."""
    calls = {snake_case(call.name) for call in all_calls(told) if call.of == name}
    lines = [f"  # `{name}` of the API.", f"  class {record_name(name)} < Record"]
    for member, (kind, _) in members.items():
        ruby = re.sub(r"\W", "_", snake_case(member))
        if ruby in calls:
            continue
        if ruby in RESERVED:
            raise SystemExit(f"{name} has a member {member}, which Ruby has another use for")
        back = re.sub(r"_(\w)", lambda one: one[1].upper(), ruby)
        parts = [f":{ruby}", *([kind] if kind else []), *([f"at: {json.dumps(member)}"] if back != member else [])]
        lines.append(f"    member {', '.join(parts)}")
    return "\n".join([*lines, "  end"])


def records_files(told: Description) -> Iterator[tuple[Path, str]]:
    """The files with the classes of answers."""
    classes = [record_class(told, name, members) for name, members in records(told).items()]
    parts = [classes[index : index + FILE_RECORDS] for index in range(0, len(classes), FILE_RECORDS)]
    for number, part in enumerate(parts, 1):
        text = f'# frozen_string_literal: true\n\n{NOTE}require_relative "../record"\n\nmodule Mynah\n'
        yield PACKAGE / "answers" / f"part{number}.rb", text + "\n\n".join(part) + "\nend\n"
    names = "".join(f'require_relative "answers/part{number}"\n' for number in range(1, len(parts) + 1))
    yield PACKAGE / "answers.rb", f"# frozen_string_literal: true\n\n{NOTE}{names}"


def documentation(text: str, known: list[str]) -> str:
    """The comment above a method."""
    called = {name for call in CALLS for name in (call.name, *call.options)} | set(known) | {"timedOut"}
    told = re.sub(r"`(\w+)`", lambda one: f"`{snake_case(one[1])}`" if one[1] in called else one[0], text)
    paragraphs = [told]
    if known:
        paragraphs.append(f"Options: {', '.join(f'`{snake_case(name)}`' for name in known)}.")
    wrapped = ["\n".join(textwrap.wrap(one, LINE_MAX - 6, break_on_hyphens=False)) for one in paragraphs]
    return "\n".join(f"    # {line}".rstrip() for line in "\n\n".join(wrapped).split("\n"))


def implementation(types: Types, method: Method) -> str:
    """A method in `lib/mynah/calls`."""
    call = method.call
    known = method.known(types)
    name = snake_case(call.name)
    lists = [one for one in call.arguments if one.is_list]
    taken = []
    for one in call.arguments:
        ruby = snake_case(one.name)
        default = f" = {json.dumps(one.default)}" if one.default is not None else " = nil" if one.is_optional else ""
        taken.append(f"*{ruby}" if one.is_list else f"{ruby}{default}")
    is_stream = call.gives == "events"
    taken += ["**options"] if known else []
    taken += ["&block"] if is_stream else []
    lines = [f"    def {name}({', '.join(taken)})" if taken else f"    def {name}"]
    query, body = [], []
    if known:
        lines.append(f"      given = checked(:{name}, options, Words::KNOWN[:{FILES[call.of]}][:{name}])")
    if call.is_full:
        query.append('"limit" => LIST_MAX')
    if call.scope:
        # An argument hides the object's own.
        is_hidden = SCOPES[call.of] in (one.name for one in call.arguments)
        value = f'"scope" => {"self." if is_hidden else ""}{SCOPES[call.of]}'
        (query if method.scope_place == "query" else body).append(value)
    for one in method.arguments("query"):
        query.append(f"**known({json.dumps(one.api_name)} => {snake_case(one.name)})" if one.is_optional
                     else f"{json.dumps(one.api_name)} => {snake_case(one.name)}")
    optional_body = []
    for one in method.arguments("body"):
        if call.has_apps and one.is_list:
            continue
        ruby = snake_case(one.name)
        value = f"{ruby}.flatten" if one.is_list else ruby
        text = f"{json.dumps(one.api_name)} => {value}"
        if one.is_optional and one.default is None:
            optional_body.append(text)
        else:
            body.append(text)
    if optional_body:
        body.append(f"**known({', '.join(optional_body)})")
    body += [f"{json.dumps(member)} => {json.dumps(value)}" for member, value in call.fixed.items()]
    if known:
        in_body = bool(call.keywords) and not method.has_filters
        in_query = [*(["scope"] if call.scope == "given" else []), *method.options]
        renamed = {one: member for one, member in method.options.items() if one != member}
        if renamed:
            pairs = ", ".join(f"{json.dumps(one)} => {json.dumps(member)}" for one, member in renamed.items())
            query.append(f"**given.transform_keys({pairs})")
        elif not in_body:
            query.append("**given")
        else:
            if in_query:
                words = ", ".join(json.dumps(one) for one in in_query)
                query.append(f"**given.slice({words})")
            rest = f"given.except({words})" if in_query else "given"
            body.append(f"**with_apps({snake_case(lists[0].name)}, {rest})" if call.has_apps else f"**{rest}")
    parts = []
    if query:
        parts.append(f"query: parameters({{ {', '.join(query)} }})")
    if method.has_body:
        parts.append(f"body: document({{ {', '.join(body)} }})")
    path = re.sub(r"\{(\w+)\}", lambda found: "#{" + in_path(method, found[1]) + "}", call.path)
    if is_stream:
        lines += [
            f"      query = parameters({{ {', '.join(query)} }})",
            f'      control.events("{path}", query, &block)',
        ]
    else:
        lines += result(call.gives, [f'"{call.method}"', f'"{path}"', *parts])
    text = "\n".join(lines)
    # The braces of what is one object alone.
    short = re.sub(r"\(\{ \*\*(given(?:\.\w+(?:\([^()]*\))?)?) \}\)", r"(\1)", text)
    return "\n".join([documentation(call.does, known), short, "    end"])


def in_path(method: Method, name: str) -> str:
    """The expression of a part of a path."""
    if name == "self":
        return "segment(id)"
    one = method.call.argument(name)
    assert one is not None, f"{method.call.request}: no argument is {name}"
    ruby = snake_case(one.name)
    return f"segment({ruby}, :{one.record.partition('.')[2]})" if one.record else f"segment({ruby})"


def result(gives: str, request: list[str]) -> list[str]:
    """The lines that make the request, of these parts, and give what the method gives."""
    head, _, rest = gives.partition(" ")
    name = RECORDS.get(rest or head, rest or head)

    def assigned(prefix: str) -> list[str]:
        line = f"      {prefix}control.call({', '.join(request)})"
        if len(line) <= LINE_MAX:
            return [line]
        pieces = ",\n".join(f"        {part}" for part in [", ".join(request[:2]), *request[2:]])
        return [f"      {prefix}control.call(", pieces, "      )"]

    if not gives:
        return [*assigned(""), "      nil"]
    if head == "text":
        return assigned("")
    if head == "refresh":
        return [*assigned(""), "      refresh"]
    lines = assigned("answer = ")
    if head == "Page":
        return [*lines, f"      page({name}, answer)"]
    if head == "List":
        return [*lines, f'      list({name}, answer)']
    if head == "document":
        return [*lines, "      answer" if rest in AS_THEY_ARE else f"      record({name}, answer)"]
    if head == "time":
        return [*lines, f'      time(answer["{rest}"])']
    if head[0].isupper():
        return [*lines, f"      record({name}, answer)"]
    if head == "removed":
        return [*lines, '      numbers(answer["removed"])']
    steps = "".join(f'["{one}"]' for one in gives.split("."))
    return [*lines, f"      answer{steps}"]


def calls_file(told: Description, name: str) -> str:
    """The text of a file in `lib/mynah/calls`."""
    types = Kinds(told.document)
    texts = "\n\n".join(implementation(types, method) for method in methods(told, name))
    requires = "".join(f'require_relative "../{one}"\n' for one in ("answers", "documents", "words"))
    summary = f"  # The calls of `{FILES[name]}` that are one request each."
    return (
        f"# frozen_string_literal: true\n\n{NOTE}{requires}\nmodule Mynah\n{summary}\n"
        f"  module {FILES[name].capitalize()}Calls\n    include Documents\n\n{texts}\n  end\nend\n"
    )


def free_members(told: Description) -> list[str]:
    """The members of bodies that are the caller's own JSON, whose names stay as they are."""
    types = Kinds(told.document, ":")
    wanted = [source for source, _ in (*KEYWORDS.values(), *MATCHES.values())]
    done: set[str] = set()
    found: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in done:
            continue
        done.add(name)
        schema = types.schemas.get(name) or types.inline[name]
        for member, one in types.properties(schema).items():
            kind = types.of(one, member_name(name, member))
            wanted += re.findall(r":(\w+)", kind.replace("any:", ""))
            if not kind and is_free(told, one):
                found.add(member)
    return sorted(found)


def is_free(told: Description, schema: dict[str, Any]) -> bool:
    """Whether a value may be an object with any names."""
    schema = told.resolved(schema)
    if not schema.keys() - {"description"}:
        return True
    kinds = schema.get("type", [])
    options = [*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])]
    is_map = "object" in ([kinds] if isinstance(kinds, str) else kinds) and not Types.is_record(schema)
    return is_map or any(is_free(told, one) for one in options)


def words_file(told: Description) -> str:
    """The text of `lib/mynah/words.rb`."""
    types = Kinds(told.document)
    known = {
        FILES[name]: {snake_case(one.call.name): one.known(types) for one in methods(told, name) if one.has_options}
        for name in CLASSES
    }
    sets = {snake_case(name).lower(): list(told.keywords(types, name)) for name in (*KEYWORDS, *MATCHES)}
    tables = {
        "KNOWN": ("The names that calls of one request take, by class and method.", known),
        "SETS": ("The names of sets of arguments.", sets),
        "FREE": ("Members with JSON of the caller's own, whose names stay as they are.", free_members(told)),
        "PRESETS": ("The actions of the presets of faults.", Strings(told.presets())),
        "REASONS": ("The reasons that APNs gives.", told.reasons()),
        "SETTINGS": ("The settings of a server, which are the flags of `mynah serve`.",
                     [one.flag.replace("-", "_") for one in told.settings()]),
        "SWITCHES": ("Settings that are flags without a value.",
                     [one.flag.replace("-", "_") for one in told.settings() if not one.value]),
        "VERSION": ("The version of the program.", told.version),
    }
    parts = [f"    # {summary}\n    {name} = {written(value, 4)}" for name, (summary, value) in tables.items()]
    head = "  # The words that calls know when they run.\n  module Words\n"
    return f"# frozen_string_literal: true\n\n{NOTE}module Mynah\n{head}" + "\n\n".join(parts) + "\n  end\nend\n"


class Strings(dict[str, Any]):
    """An object whose names are strings in Ruby, and not symbols."""


def written(value: Any, indent: int) -> str:
    """A JSON value as Ruby, on several lines if it is long."""
    is_words = isinstance(value, list) and all(isinstance(one, str) and re.fullmatch(r"[\w-]+", one) for one in value)
    line = one_line(value)
    if len(line) + indent < LINE_MAX - 24 or not isinstance(value, (dict, list)):
        return line
    pad = " " * (indent + 2)
    end = " " * indent
    if isinstance(value, list):
        assert is_words, value
        lines = textwrap.wrap(" ".join(value), LINE_MAX - indent - 2, break_on_hyphens=False)
        return "%w[\n" + "".join(f"{pad}{one}\n" for one in lines) + f"{end}].freeze"
    parts = [f"{pad}{key(name, value)}{written(one, indent + 2)},\n" for name, one in value.items()]
    return "{\n" + "".join(parts) + end + "}.freeze"


def one_line(value: Any) -> str:
    """A JSON value as Ruby, on one line."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{key(name, value)}{one_line(one)}" for name, one in value.items())
        return f"{{ {pairs} }}.freeze" if value else "{}.freeze"
    if isinstance(value, list):
        return f"%w[{' '.join(value)}].freeze"
    if value is None:
        return "nil"
    return json.dumps(value, ensure_ascii=False)


def key(name: str, owner: dict[str, Any]) -> str:
    """A member's name: in words of calls a symbol, in actions a text."""
    is_symbol = not isinstance(owner, Strings) and re.fullmatch(r"[a-z_][a-z0-9_]*", name) is not None
    return f"{name}: " if is_symbol and all(isinstance(one, (dict, list)) for one in owner.values()) else (
        f"{json.dumps(name)} => "
    )


def modules(told: Description) -> Iterator[tuple[Path, str]]:
    """The files that follow from others, and their texts."""
    for name, file in FILES.items():
        yield PACKAGE / "calls" / f"{file}.rb", calls_file(told, name)
    yield PACKAGE / "words.rb", words_file(told)
    yield from records_files(told)
