"""The template of PHP: what of `Sources/php` follows from the program.

- `src/Calls/*.php`, traits with the methods of the classes.
- `src/Words.php`, the words that calls know when they run: names, the kinds of members, presets, reasons, settings.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calls import CLASSES, RECORDS, Argument
from description import FILTERS, KEYWORDS, MATCHES, Description, Types, camel_case
from methods import Method, methods
from ruby_package import AS_THEY_ARE, Kinds, records

PACKAGE = Path(__file__).resolve().parents[1] / "php" / "src"
NOTE = "// Made by Sources/helpers/generate.py: change that, or what the program says.\n"
LINE_MAX = 120
FILES = {"Mynah": "Scope", "MynahServer": "Server", "Device": "Device", "Fault": "Fault", "Clock": "Clock"}
# How an object knows its scope.
SCOPES = {"Mynah": "$this->name", "Clock": "$this->scope"}
# Records that are classes of their own.
CLASSES_OF_RECORDS = ("Device", "Fault", "Notification")


def argument_type(one: Argument) -> str:
    """The type of an argument."""
    kinds = {"integer": "int", "string|integer": "int|string", "Time": "\\DateTimeInterface|string"}
    kind = "string|array" if one.is_list else kinds.get(one.type, "string")
    if one.record:
        kind = f"Record|{kind}"
    if one.is_optional and one.default is None:
        kind = f"?{kind}" if "|" not in kind else f"{kind}|null"
    return kind


def result_type(gives: str) -> str:
    """What a method returns."""
    head, _, rest = gives.partition(" ")
    if not gives:
        return "void"
    fixed = {"Page": "Page", "List": "array", "events": "\\Generator", "text": "string", "mode": "string",
             "time": "\\DateTimeImmutable", "refresh": "Device", "removed": "array"}
    if head in fixed:
        return fixed[head]
    if head == "document":
        return "array" if rest in AS_THEY_ARE else "Record"
    if head[0].isupper():
        return head if head in CLASSES_OF_RECORDS else "Record"
    return "int"


def documentation(text: str, known: list[str]) -> str:
    """The comment above a method."""
    paragraphs = [text, *([f"Options: {', '.join(f'`{name}`' for name in known)}."] if known else [])]
    wrapped = [textwrap.wrap(one, LINE_MAX - 7, break_on_hyphens=False) for one in paragraphs]
    lines = [line for number, part in enumerate(wrapped) for line in ([""] if number else []) + part]
    return "\n".join(["    /**", *(f"     * {line}".rstrip() for line in lines), "     */"])


def implementation(types: Types, method: Method) -> str:
    """A method of a trait."""
    call = method.call
    known = method.known(types)
    taken = []
    for one in call.arguments:
        default = f" = {json.dumps(one.default)}".replace('"', "'") if one.default is not None else (
            " = null" if one.is_optional else "")
        taken.append(f"{argument_type(one)} ${one.name}{default}")
    taken += ["mixed ...$options"] if known else []
    lines = [f"    public function {call.name}({', '.join(taken)}): {result_type(call.gives)}", "    {"]
    if known:
        words = f"Words::KNOWN['{FILES[call.of]}']['{call.name}']"
        lines.append(f"        $given = Documents::checked('{call.name}', $options, {words});")
    query, body = [], []
    if call.is_full:
        query.append("'limit' => Documents::LIST_MAX")
    if call.scope:
        (query if method.scope_place == "query" else body).append(f"'scope' => {SCOPES[call.of]}")
    for one in call.arguments:
        place = method.place(one)
        if place == "path" or call.has_apps and one.is_list:
            continue
        value = f"(array) ${one.name}" if one.is_list else f"${one.name}"
        text = f"'{one.api_name}' => {value}"
        if one.is_optional and one.default is None:
            text = f"...Documents::known([{text}])"
        (query if place == "query" else body).append(text)
    body += [f"'{member}' => '{value}'" for member, value in call.fixed.items()]
    if known:
        in_body = bool(call.keywords) and not method.has_filters
        in_query = [*(["scope"] if call.scope == "given" else []), *method.options]
        renamed = {one: member for one, member in method.options.items() if one != member}
        if renamed:
            pairs = ", ".join(f"'{one}' => '{member}'" for one, member in renamed.items())
            query.append(f"...Documents::renamed($given, [{pairs}])")
        elif not in_body:
            query.append("...$given")
        else:
            rest = "$given"
            if in_query:
                words = ", ".join(f"'{one}'" for one in in_query)
                query.append(f"...Documents::only($given, [{words}])")
                rest = f"Documents::without($given, [{words}])"
            apps = next((one.name for one in call.arguments if one.is_list), "")
            body.append(f"...Documents::withApps(${apps}, {rest})" if call.has_apps else f"...{rest}")
    pieces = re.split(r"\{(\w+)\}", call.path)
    path = " . ".join(
        in_path(method, piece) if index % 2 else f"'{piece}'" for index, piece in enumerate(pieces) if piece
    )
    parts = [path]
    if query:
        parts.append(f"query: Documents::parameters([{', '.join(query)}])")
    if method.has_body:
        parts.append(f"body: Documents::document([{', '.join(body)}])")
    if call.gives == "events":
        request = f"return $this->control->events({', '.join(parts)});"
    else:
        request = f"$this->control->call({', '.join([f'{chr(39)}{call.method}{chr(39)}', *parts])});"
    lines += finished(call.gives, request)
    return "\n".join([documentation(call.does, known), *map(wrapped, lines), "    }"])


def wrapped(line: str) -> str:
    """A line of code, with the arguments of a call on lines of their own if it is long."""
    if len(line) <= LINE_MAX:
        return line
    head, found, rest = re.split(r"(->call\(|->events\()", line, maxsplit=1)
    pieces = re.split(r", (?=query: |body: |')", rest.removesuffix(");"))
    merged: list[str] = []
    for piece in pieces:
        # Only the arguments of the call itself begin a line.
        if merged and merged[-1].count("(") + merged[-1].count("[") > merged[-1].count(")") + merged[-1].count("]"):
            merged[-1] += f", {piece}"
        else:
            merged.append(piece)
    lines = [part for piece in merged for part in broken(f"            {piece},")]
    return f"{head}{found}\n" + "\n".join(lines) + "\n        );"


def broken(line: str) -> list[str]:
    """A line, or if it is too long two."""
    if len(line) <= LINE_MAX:
        return [line]
    at = line.rindex(", ", 0, LINE_MAX)
    return [line[: at + 1], f"                {line[at + 2 :]}"]


def in_path(method: Method, name: str) -> str:
    """The expression of a part of a path."""
    if name == "self":
        return "Documents::segment($this->id)"
    one = method.call.argument(name)
    assert one is not None, f"{method.call.request}: no argument is {name}"
    member = f", '{one.record.partition('.')[2]}'" if one.record else ""
    return f"Documents::segment(${one.name}{member})"


def finished(gives: str, request: str) -> list[str]:
    """The lines that make the request, and return what the method gives."""
    head, _, rest = gives.partition(" ")
    name = RECORDS.get(rest or head, rest or head)
    if not gives or gives == "events":
        return [f"        {request}"]
    if head == "text":
        return [f"        return {request}"]
    if head == "refresh":
        return [f"        {request}", "        return $this->refresh();"]
    steps = "".join(f"['{one}']" for one in gives.split("."))
    returned = {
        "Page": f"Page::of('{name}', $answer, $this->control)",
        "List": f"Record::all('{name}', $answer['items'], $this->control)",
        "document": "$answer" if rest in AS_THEY_ARE else f"Record::of('{name}', $answer, $this->control)",
        "time": f"new \\DateTimeImmutable($answer['{rest}'])",
    }.get(head) or (f"Record::of('{name}', $answer, $this->control)" if head[0].isupper() else f"$answer{steps}")
    return [f"        $answer = {request}", f"        return {returned};"]


def calls_file(told: Description, name: str) -> str:
    """The text of a trait."""
    types = Kinds(told.document)
    texts = "\n\n".join(implementation(types, method) for method in methods(told, name))
    code = re.sub(r"/\*\*.*?\*/", "", texts, flags=re.DOTALL)
    names = [
        one
        for one in ("Device", "Documents", "Fault", "Notification", "Page", "Record", "Words")
        if re.search(rf": {one}\b|\b{one}::|[(|, ]{one}[| ][^=]", code)
    ]
    uses = "".join(f"use Mynah\\{one};\n" for one in names)
    summary = f"/** The calls of a {FILES[name].lower()} that are one request each. */"
    head = f"<?php\n\n{NOTE}declare(strict_types=1);\n\nnamespace Mynah\\Calls;\n\n{uses}\n"
    return f"{head}{summary}\ntrait {FILES[name]}Calls\n{{\n{texts}\n}}\n"


def kind_value(kind: str) -> Any:
    """The kind of a member: `Time`, the name of a record, or in a list or an object either."""
    if kind.startswith("["):
        return [kind_value(kind[1:-1])]
    if kind.startswith("{"):
        return {"any": kind_value(kind.removeprefix("{ any: ").removesuffix(" }"))}
    return kind.removeprefix(":")


def words_file(told: Description) -> str:
    """The text of `src/Words.php`."""
    types = Kinds(told.document)
    settings = {camel_case(one.flag): one.flag for one in told.settings()}
    sets = {name: list(told.keywords(types, name)) for name in (*KEYWORDS, *MATCHES)}
    sets |= {name: told.filters(name) for name in FILTERS}
    kinds = {
        name: {member: kind_value(kind) for member, (kind, _) in members.items() if kind}
        for name, members in records(told).items()
    }
    members = {name: list(members) for name, members in records(told).items()}
    tables = {
        "KNOWN": ("The names that calls of one request take, by class and method.", {
            FILES[name]: {one.call.name: one.known(types) for one in methods(told, name) if one.has_options}
            for name in CLASSES
        }),
        "SETS": ("The names of sets of arguments.", sets),
        "MEMBERS": ("The members of what calls answer.", members),
        "KINDS": ("Those that are times or records themselves.", {name: one for name, one in kinds.items() if one}),
        "PRESETS": ("The actions of the presets of faults.", told.presets()),
        "REASONS": ("The reasons that APNs gives.", told.reasons()),
        "SETTINGS": ("The flags of `mynah serve`, by the names of settings.", settings),
        "SWITCHES": ("Settings that are flags without a value.",
                     [camel_case(one.flag) for one in told.settings() if not one.value]),
        "VERSION": ("The version of the program.", told.version),
    }
    parts = [f"    /** {summary} */\n    public const {name} = {written(value, 4)};"
             for name, (summary, value) in tables.items()]
    head = "namespace Mynah;\n\n/** The words that calls know when they run. */\nfinal class Words\n{\n"
    return f"<?php\n\n{NOTE}declare(strict_types=1);\n\n{head}" + "\n\n".join(parts) + "\n}\n"


def written(value: Any, indent: int) -> str:
    """A JSON value as PHP, on several lines if it is long."""
    line = one_line(value)
    if len(line) + indent < LINE_MAX - 36 or not isinstance(value, (dict, list)):
        return line
    pad = " " * (indent + 4)
    end = " " * indent
    if isinstance(value, list):
        # No break between a quoted word and its comma.
        lines = textwrap.wrap(", ".join(map(one_line, value)) + ",", LINE_MAX - indent - 4, break_on_hyphens=False)
        return "[\n" + "".join(f"{pad}{one}\n" for one in lines) + f"{end}]"
    parts = [f"{pad}{one_line(name)} => {written(one, indent + 4)},\n" for name, one in value.items()]
    return "[\n" + "".join(parts) + end + "]"


def one_line(value: Any) -> str:
    """A JSON value as PHP, on one line."""
    if isinstance(value, dict):
        return "[" + ", ".join(f"{one_line(name)} => {one_line(one)}" for name, one in value.items()) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(map(one_line, value)) + "]"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return json.dumps(value)


def modules(told: Description) -> Iterator[tuple[Path, str]]:
    """The files that follow from others, and their texts."""
    for name, file in FILES.items():
        yield PACKAGE / "Calls" / f"{file}Calls.php", calls_file(told, name)
    yield PACKAGE / "Words.php", words_file(told)
