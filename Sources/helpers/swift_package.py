"""The template of Swift: the types of answers in `Sources/MynahClient/Answers`.

They are the documents that the calls in `Sources/MynahClient/Calls` give, those of events, and what is in them. Each such
document has a file, with all that no earlier one has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from description import Description, member_name

TARGET = Path(__file__).resolve().parents[1] / "MynahClient"
# The files of calls, in the order in which their documents are declared.
SUBJECTS = ("Server", "Push", "Device", "Activity", "Fault", "Clock", "Channel", "Connection", "Key")
NOTE = "// Made by Sources/helpers/generate.py: change that, or what the program says.\n"
LINE_MAX = 120
FILE_LINES_MAX = 580
# The documents of events, which no call gives by itself.
EVENTS = ("ClockEvent", "ResetEvent", "ActivityEvent", "GapEvent")
RESERVED = {
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
    "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
}  # fmt: skip
SCALARS = {"string": "String", "integer": "Int", "number": "Double", "boolean": "Bool"}
# Names that types have already: the schema is a text with its own form.
OWN_TYPES = {"Duration": "Duration"}
# Numbers that `Int` is too small for: a seed may have 64 bits.
WIDE_NUMBERS = {("Status", "seed"): "UInt64"}
# Members that answers have and events of the same type don't.
NOT_IN_EVENTS = {("Fault", "words")}
# A value that is one of two: the case of each, how JSON shows it, and what an error calls it.
CASES = {
    "string": ("text", ".string", "a string"),
    "integer": ("number", ".number", "a number"),
    "number": ("number", ".number", "a number"),
    "boolean": ("flag", ".bool", "true or false"),
    "array": ("list", ".array", "an array"),
    "object": ("object", ".object", "an object"),
}


def swift_name(name: str) -> str:
    """`apnsId` as Swift writes it: `apnsID`."""
    return re.sub(r"Id(?=s?$|[A-Z])", "ID", name)


def escaped(name: str) -> str:
    """A name of a member or a case."""
    return f"`{name}`" if name in RESERVED else name


def constant_name(word: str) -> str:
    """`handshake_failure`, `REFUSED_STREAM` or `iOS` as the name of a constant."""
    first, *rest = [part.lower() if part.isupper() else part for part in re.split(r"[^A-Za-z0-9]+", word)]
    joined = re.sub(r"^[A-Z]+", lambda one: one[0].lower(), first)
    joined += "".join(part[:1].upper() + part[1:] for part in rest)
    return escaped(joined)


def comment(text: str, indent: int) -> list[str]:
    """A documentation comment, with its first sentence by itself."""
    first, end, rest = text.partition(". ")
    parts = [first + ".", rest] if end else [text]
    lines: list[str] = []
    for part in parts:
        lines += [*([""] if lines else []), *wrapped(part, LINE_MAX - indent - 4)]
    return [" " * indent + f"/// {line}".rstrip() for line in lines]


def wrapped(text: str, room: int) -> list[str]:
    """The lines of a text."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > room:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line]


class SwiftTypes:
    """The types of the schemas that answers are made of."""

    def __init__(self, told: Description) -> None:
        self.schemas: dict[str, Any] = told.document["components"]["schemas"]
        # Values that are one of two, where the document has no name for them.
        self.inline: dict[str, Any] = {}
        # Where each type is met first, as a sentence about it.
        self.places: dict[str, str] = {}

    def schema(self, name: str) -> dict[str, Any]:
        """The schema of a type."""
        found: dict[str, Any] = self.inline.get(name) or self.schemas[name]
        return found

    def is_declared(self, name: str) -> bool:
        """Whether a component is a type; others are written out in their place."""
        schema = self.schemas[name]
        return bool(schema.get("properties")) or "enum" in schema or self.choices(schema) is not None

    def parts(self, schema: dict[str, Any]) -> list[dict[str, Any]]:
        """The forms that a value may have, but null."""
        kinds = schema.get("type", [])
        if isinstance(kinds, list) and kinds:
            return [{**schema, "type": kind} for kind in kinds if kind != "null"]
        found = schema.get("anyOf") or schema.get("oneOf")
        return [part for part in found if part.get("type") != "null"] if found else [schema]

    def may_be_null(self, schema: dict[str, Any]) -> bool:
        """Whether null is one of the values."""
        if "$ref" in schema:
            return self.may_be_null(self.schemas[reference(schema)])
        kinds = schema.get("type", [])
        parts = [*schema.get("anyOf", []), *schema.get("oneOf", [])]
        is_any = not (parts or kinds or "enum" in schema)
        return is_any or "null" in ([kinds] if isinstance(kinds, str) else kinds) or any(map(self.may_be_null, parts))

    def kind(self, schema: dict[str, Any]) -> str:
        """The JSON type of a value with one form; without one, several."""
        if "$ref" in schema:
            return self.kind(self.schemas[reference(schema)])
        kinds = schema.get("type", "")
        return kinds if isinstance(kinds, str) else ""

    def choices(self, schema: dict[str, Any]) -> list[dict[str, Any]] | None:
        """The forms of a value that is one of two which JSON tells apart, and which have a type each."""
        parts = self.parts(schema)
        kinds = {self.kind(part) for part in parts}
        is_typed = all(self.kind(part) and not self.is_open(part) for part in parts)
        return parts if len(parts) == 2 and len(kinds) == 2 and is_typed else None

    def is_open(self, schema: dict[str, Any]) -> bool:
        """Whether it is an object or an array of anything."""
        if "$ref" in schema or schema.get("properties"):
            return False
        kind = schema.get("type")
        return (kind == "object" and not schema.get("additionalProperties")) or (
            kind == "array" and not schema.get("items")
        )

    def of(self, schema: dict[str, Any], name: str) -> str:
        """The type of a value, without null; `name` is for one that has none."""
        if "$ref" in schema:
            target = reference(schema)
            return OWN_TYPES.get(target) or (target if self.is_declared(target) else self.of(self.schemas[target], name))
        parts = self.parts(schema)
        if len(parts) > 1:
            if not self.choices(schema):
                return "JSONValue"
            self.inline[name] = schema
            return name
        one = parts[0]
        if one is not schema and "$ref" in one:
            return self.of(one, name)
        kind = one.get("type")
        if one.get("properties") or "enum" in one:
            raise SystemExit(f"{name} has no schema of its own: swift_package.py makes types of components alone")
        if kind == "array":
            return f"[{self.element(one.get('items', {}), name + 'Item')}]"
        if kind == "object":
            values = one.get("additionalProperties")
            return f"[String: {self.element(values, name + 'Value')}]" if values else "JSONValue"
        if kind == "string" and one.get("format") == "date-time":
            return "Instant"
        return SCALARS.get(str(kind), "JSONValue")

    def element(self, schema: dict[str, Any], name: str) -> str:
        """The type of what is in a list or under a free name."""
        kind = self.of(schema, name)
        return kind if kind == "JSONValue" or not self.may_be_null(schema) else f"{kind}?"

    def members(self, name: str) -> Iterator[tuple[str, str, bool, str]]:
        """The members of an object: the name, the type, whether it may be missing or null, and what it is."""
        schema = self.schema(name)
        for member, one in schema["properties"].items():
            kind = WIDE_NUMBERS.get((name, member)) or self.of(one, member_name(name, member))
            is_required = member in schema.get("required", []) and (name, member) not in NOT_IN_EVENTS
            is_optional = not is_required or self.may_be_null(one)
            yield member, kind, is_optional, one.get("description", "")

    def named_in(self, name: str) -> Iterator[str]:
        """The types that a declared type is made of, in order."""
        schema = self.schema(name)
        if schema.get("properties"):
            for member, kind, _, _ in self.members(name):
                link = f"``ControlClient/{name}/{swift_name(member)}``"
                yield from self.met(kind, f"{'An element' if kind.startswith('[') else 'The value'} of {link}")
        for part in self.choices(schema) or []:
            yield from self.met(self.of(part, name), f"One form of ``ControlClient/{name}``")

    def met(self, kind: str, place: str) -> Iterator[str]:
        """The declared types in one, of which the place is noted."""
        for one in re.findall(r"\w+", kind):
            if one in self.inline or (one in self.schemas and one not in OWN_TYPES):
                self.places.setdefault(one, place)
                yield one


def reference(schema: dict[str, Any]) -> str:
    """The name of the component that is referred to."""
    return str(schema["$ref"]).rpartition("/")[2]


def called(types: SwiftTypes) -> dict[str, str]:
    """The documents that the calls give, in their order, each with a sentence that names its first call."""
    found: dict[str, str] = {}
    text = "".join((TARGET / "Calls" / f"{subject}Calls.swift").read_text() for subject in SUBJECTS)
    signature = r"public func (\w+)\(([^{}]*?)\) async throws\(ClientError\) -> (\[?)(\w+)"
    for name, parameters, is_list, kind in re.findall(signature, text):
        labels = re.findall(r"(\w+)(?: \w+)?: ", parameters)
        link = f"``ControlClient/{name}({''.join(f'{label}:' for label in labels)})``"
        if kind in types.schemas:
            found.setdefault(kind, f"{'One of what' if is_list else 'What'} {link} returns.")
    return found


def summary(types: SwiftTypes, name: str) -> str:
    """What a type is, in a sentence."""
    if name in EVENTS:
        return f"The data of an event `{name.removesuffix('Event').lower()}` (`Documents#Event-stream`)."
    return called(types).get(name) or f"{types.places[name]}."


def record(types: SwiftTypes, name: str) -> list[str]:
    """An object as a struct."""
    lines = [*comment(summary(types, name), 4), f"    public struct {name}: ControlAnswer, AnswerObject {{"]
    reads = []
    for member, kind, is_optional, meaning in types.members(name):
        told = re.sub(r"\bnull\b", "`nil`", meaning) if is_optional else meaning
        lines += comment(told or f"The member `{member}`.", 8)
        lines.append(f"        public let {escaped(swift_name(member))}: {kind}{'?' if is_optional else ''}")
        reader = "optional" if is_optional else "member"
        reads.append(f"            {escaped(swift_name(member))} = try answer.{reader}({json.dumps(member)})")
    return [
        *lines,
        "        /// The whole document as the server wrote it.",
        "        public let json: JSONValue",
        "",
        "        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.",
        "        public init(json: JSONValue) throws(ClientError) {",
        f'            try self.init(AnswerReader(json, of: "{name}"))',
        "        }",
        "",
        "        init(_ answer: AnswerReader) throws(ClientError) {",
        "            try answer.requireObject()",
        *reads,
        "            json = answer.json",
        "        }",
        "    }",
    ]


def words(types: SwiftTypes, name: str) -> list[str]:
    """A string of which some values are known."""
    lines = [*comment(summary(types, name), 4), f"    public struct {name}: ControlWord, AnswerWord {{"]
    for word in types.schema(name)["enum"]:
        constant = f"public static let {constant_name(word)} = Self(rawValue: {json.dumps(word)})"
        lines += [f"        /// The word `{word}`.", f"        {constant}"]
    return [
        *lines,
        "",
        "        /// The word as the API has it.",
        "        public let rawValue: String",
        "        /// A word, also one that this version doesn't know.",
        "        public init(rawValue: String) { self.rawValue = rawValue }",
        "    }",
    ]


def choice(types: SwiftTypes, name: str) -> list[str]:
    """A value that has one of two forms."""
    lines = [*comment(summary(types, name), 4), f"    public enum {name}: Hashable, Sendable, AnswerValue {{"]
    reads, expected = [], []
    for part in types.choices(types.schema(name)) or []:
        label, pattern, text = CASES[types.kind(part)]
        kind = types.of(part, name)
        is_word = kind in types.schemas and "enum" in types.schemas[kind]
        label = "word" if is_word else {"Duration": "duration", "Instant": "time"}.get(kind, label)
        text = {"Duration": "a duration", "Instant": "a time"}.get(kind, text)
        lines += [f"        /// The form of {text}.", f"        case {label}({kind})"]
        reads.append(f"            case {pattern}: self = .{label}(try answer.value())")
        expected.append(text)
    return [
        *lines,
        "",
        f'        static var expected: String {{ "{" or ".join(expected)}" }}',
        "",
        "        init(_ answer: AnswerReader) throws(ClientError) {",
        "            switch answer.json {",
        *reads,
        "            default: throw answer.unexpected(insteadOf: Self.expected)",
        "            }",
        "        }",
        "    }",
    ]


def declaration(types: SwiftTypes, name: str) -> list[str]:
    """A type."""
    schema = types.schema(name)
    if schema.get("properties"):
        return record(types, name)
    return words(types, name) if "enum" in schema else choice(types, name)


def groups(types: SwiftTypes) -> Iterator[tuple[str, list[str]]]:
    """The types of each file, by the name of its first one."""
    done: set[str] = set()
    for root in (*called(types), *EVENTS):
        wanted, found = [root], []
        while wanted:
            name = wanted.pop(0)
            if name in done:
                continue
            done.add(name)
            found.append(name)
            wanted = [*types.named_in(name), *wanted]
        if found:
            yield root, found


def file(lines: list[list[str]]) -> str:
    """A file of types."""
    body = "\n\n".join("\n".join(one) for one in lines)
    return f"{NOTE}public import APNsRules\n\nextension ControlClient {{\n{body}\n}}\n"


def modules(told: Description) -> Iterator[tuple[Path, str]]:
    """The files that follow from others, and their texts."""
    types = SwiftTypes(told)
    for _, names in list(groups(types)):
        lines: list[list[str]] = []
        first = names[0]
        for name in names:
            one = declaration(types, name)
            if lines and sum(len(part) + 1 for part in lines) + len(one) > FILE_LINES_MAX:
                yield TARGET / "Answers" / f"ControlClient+{first}.swift", file(lines)
                lines, first = [], name
            lines.append(one)
        yield TARGET / "Answers" / f"ControlClient+{first}.swift", file(lines)
