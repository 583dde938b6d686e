"""How the template of Java writes types, files and records."""

from __future__ import annotations

import json
import re
from typing import Any

from calls import RECORDS
from description import Description, Types, member_name
from operations import all_calls

NOTE = "// Made by Sources/helpers/generate.py: change that, or what the program says.\n"
LINE_MAX = 120
# Methods of all objects, or of all records here.
TAKEN = ("clone", "document", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait")


class JavaTypes(Types):
    """Types as Java writes them; what isn't a record is written out in the place of its name."""

    def scalar(self, kind: str) -> str:
        names = {"string": "String", "integer": "Long", "number": "Double", "boolean": "Boolean", "any": "Object"}
        return names.get(kind, kind)

    def literals(self, values: list[Any]) -> str:
        return self.union([{str: "String", type(None): "null"}.get(type(one), "Object") for one in values])

    def list_of(self, item: str) -> str:
        return f"List<{item}>"

    def map_of(self, value: str) -> str:
        return f"Map<String, {value}>"

    def union(self, types: list[str]) -> str:
        parts = [one for one in dict.fromkeys(types) if one != "null"]
        return parts[0] if len(parts) == 1 else "Object"

    def plain(self, kind: str, schema: dict[str, Any], name: str) -> str:
        is_time = kind == "string" and schema.get("format") == "date-time"
        return "Instant" if is_time else super().plain(kind, schema, name)

    def is_reserved(self, name: str) -> bool:
        schema = self.schemas[name]
        return not (self.is_record(schema) or "allOf" in schema)

    def may_be_null(self, schema: dict[str, Any]) -> bool:
        """Whether null is one of its values."""
        if "$ref" in schema:
            return self.may_be_null(self.schemas[schema["$ref"].rpartition("/")[2]])
        parts = [*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])]
        kinds = schema.get("type", [])
        is_named = "null" in ([kinds] if isinstance(kinds, str) else kinds) or None in schema.get("enum", [])
        return is_named or not (parts or kinds or "enum" in schema or "const" in schema) or any(
            map(self.may_be_null, parts)
        )

    def words(self, schema: dict[str, Any]) -> list[str]:
        """The words that it may be."""
        if "$ref" in schema:
            return self.words(self.schemas[schema["$ref"].rpartition("/")[2]])
        parts = [*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])]
        found = [one for one in [*schema.get("enum", []), schema.get("const")] if isinstance(one, str)]
        return found + [word for part in parts for word in self.words(part)]

    def is_duration(self, schema: dict[str, Any]) -> bool:
        """Whether it is a duration, and maybe null."""
        parts = [one for one in schema.get("anyOf", schema.get("oneOf", [])) if one.get("type") != "null"]
        if len(parts) == 1:
            return self.is_duration(parts[0])
        return str(schema.get("$ref", "")).endswith("/Duration")


def comment(text: str, indent: str = "") -> str:
    """A documentation comment, whose backticks are code."""
    told = re.sub(r"`([^`]+)`", r"{@code \1}", text.replace("&", "&amp;").replace("<", "&lt;"))
    line = f"{indent}/** {told} */"
    if len(line) <= LINE_MAX:
        return line
    lines, rest = [], told
    while rest:
        room = LINE_MAX - len(indent) - 3
        cut = rest if len(rest) <= room else rest[:room].rpartition(" ")[0]
        lines.append(f"{indent} * {cut}")
        rest = rest[len(cut) :].lstrip()
    return "\n".join([f"{indent}/**", *lines, f"{indent} */"])


def java_file(package: str, text: str, own: str = "") -> str:
    """A file with the imports that its text needs; `own` is the class in it."""
    known = {
        "Collection": "java.util", "List": "java.util", "Map": "java.util", "Set": "java.util",
        "Duration": "java.time", "Instant": "java.time", "Path": "java.nio.file", "UnaryOperator": "java.util.function",
        "Nullable": "mynah", "JsonRecord": "mynah.model", "Filter": "mynah", "Options": "mynah.options",
        "Notification": "mynah",
    }  # fmt: skip
    code = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)
    used = sorted(
        f"{place}.{name}" for name, place in known.items()
        if place != package and name != own and re.search(rf"(?<![\w.]){name}\b", code)
    )
    head = "".join(f"import {one};\n" for one in used)
    return f"{NOTE}package {package};\n\n{head}{chr(10) if head else ''}{text}\n"


def with_imports(text: str, names: list[str]) -> str:
    """A file with further imports, in order."""
    imports = sorted({*re.findall(r"^import (.+);$", text, re.MULTILINE), *names})
    head, _, rest = text.partition("\n\n")
    body = re.sub(r"^(import .+\n)+\n?", "", rest, flags=re.MULTILINE)
    return f"{head}\n\n" + "".join(f"import {one};\n" for one in imports) + f"\n{body}"


# Records


class Models:
    """The records that answers are made of, each a class."""

    def __init__(self, told: Description) -> None:
        self.types = JavaTypes(told.document)
        self.schemas = {
            name: schema for name, schema, _ in self.types.all() if self.members_of(name, schema) is not None
        }
        wanted = [record_type(name) for call in all_calls(told) for name in records_of(call.gives)]
        self.reached: list[str] = []
        while wanted:
            name = wanted.pop()
            if name in self.reached or name not in self.schemas:
                continue
            self.reached.append(name)
            for kind, _, _ in self.members(name).values():
                wanted += re.findall(r"\w+", kind)

    def members_of(self, name: str, schema: dict[str, Any]) -> dict[str, Any] | None:
        """The schemas of a record's members; also finds those that have no name."""
        if not (self.types.is_record(schema) or "allOf" in schema):
            self.types.of(schema, name)
            return None
        found = self.types.properties(schema)
        for member, one in found.items():
            self.types.of(one, member_name(name, member))
        return found

    def members(self, name: str) -> dict[str, tuple[str, bool, list[str]]]:
        """The types of a record's members, whether they may be null, and their words."""
        schema = self.schemas[name]
        always = required(self.types, schema)
        found = self.members_of(name, schema) or {}
        return {
            member: (
                self.types.of(one, member_name(name, member)),
                member not in always or self.types.may_be_null(one),
                self.types.words(one),
            )
            for member, one in found.items()
        }

    def accessors(self, name: str, without: tuple[str, ...] = ()) -> str:
        """The methods of a record that give its members."""
        return "\n\n".join(
            self.accessor(member, *one) for member, one in self.members(name).items()
            if member not in (*without, *TAKEN)
        )

    def accessor(self, member: str, kind: str, is_nullable: bool, words: list[str]) -> str:
        """The method that gives a member."""
        primitives = {"Long": "long", "Boolean": "boolean", "Double": "double"}
        gives = kind if is_nullable else primitives.get(kind, kind)
        text = json.dumps(member)
        readers = {
            "String": "text", "Long": "integer", "Double": "decimal", "Boolean": "flag", "Instant": "time",
            "Object": "value",
        }  # fmt: skip
        item = re.fullmatch(r"List<(\w+)>", kind)
        if kind in readers:
            value = f"{readers[kind]}({text})"
        elif kind in self.schemas:
            value = f"object({text}, {kind}::new)"
        elif item and item[1] in self.schemas:
            value = f"objects({text}, {item[1]}::new)"
        else:
            value = f"collection({text})"
        listed = f", one of {', '.join(f'`{word}`' for word in words)}" if words else ""
        null = ", or null" if is_nullable else ""
        nullable = "    @Nullable\n" if is_nullable else ""
        return (
            f"{comment(f'The member `{member}`{listed}{null}.', '    ')}\n{nullable}"
            f"    public {gives} {member}() {{\n        return {value};\n    }}"
        )

    def file(self, name: str) -> str:
        """A record's class."""
        text = (
            f"/** {{@code {name}}} of the control API. */\n"
            f"public final class {name} extends JsonRecord {{\n"
            f"    public {name}(Map<String, Object> document) {{\n        super(document);\n    }}\n\n"
            f"{self.accessors(name)}\n}}"
        )
        return java_file("mynah.model", text, name)


def required(types: Types, schema: dict[str, Any]) -> list[str]:
    """The members that an object always has, also of one that is composed."""
    if "$ref" in schema:
        return required(types, types.schemas[schema["$ref"].rpartition("/")[2]])
    return [*schema.get("required", []), *(one for part in schema.get("allOf", []) for one in required(types, part))]


def records_of(gives: str) -> list[str]:
    """The records that a call gives."""
    head, _, rest = gives.partition(" ")
    names = [rest] if head in ("Page", "List", "document") else [head]
    # What calls by hand give.
    return [*names, "Scenario", "ExpectationResultNearestDifferences", "Channel"]


def record_type(name: str) -> str:
    """The class of a record."""
    return RECORDS.get(name, name)
