"""The named arguments of Java's calls, each set of them a class."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from calls import CLASSES
from description import POINTER_FILTERS, Description, Setting, camel_case
from java_types import JavaTypes, comment, java_file
from methods import Method, methods
from operations import all_calls

# Filters of which each value has a name of its own: JSON pointers, and the names of headers.
NAMED_FILTERS = (*POINTER_FILTERS, "headers")
SCOPE = "The scope, by default one's own; null is the whole server."


class OptionSet:
    """The named arguments of calls: a class with a method for each, which gives a copy."""

    def __init__(self, types: JavaTypes, name: str, summary: str) -> None:
        self.types, self.name, self.summary = types, name, summary
        self.parts: list[str] = []

    def setter(self, group: str, name: str, parameters: str, value: str, told: str, member: str = "") -> None:
        """Adds a method."""
        nullable = "@Nullable " in parameters
        null = " Null clears it, or is the same as leaving it out." if nullable and group != "query" else ""
        written = f"    public {self.name} {name}({parameters}) {{"
        self.parts.append(
            f"{comment(told + null, '    ')}\n{written}\n"
            f"        return with({json.dumps(group)}, {json.dumps(member or name)}, {value});\n    }}"
        )

    def member(self, group: str, name: str, schema: dict[str, Any]) -> None:
        """Adds a member of a body."""
        kind = self.types.of(schema, name)
        words = self.types.words(schema)
        told = f"`{name}`{': ' + ', '.join(f'`{word}`' for word in words) if words else ''}."
        if self.types.is_duration(schema):
            self.setter(group, name, f"@Nullable String {name}", name, f"`{name}`, with its unit: `5s`.")
            self.setter(group, name, f"Duration {name}", f"text({name})", f"`{name}`.")
            return
        written = {"Long": "Number", "Double": "Number", "String": "String", "Boolean": "Boolean", "Instant": "Instant"}
        if kind == "List<String>":
            kind = "Collection<String>"
        elif kind.startswith("List<"):
            is_record = kind.removeprefix("List<")[:-1] in self.records
            kind = "Collection<? extends Map<String, ?>>" if is_record else "Collection<?>"
        elif kind.startswith("Map<") or kind in self.records:
            kind = "Map<String, ?>"
        else:
            kind = written.get(kind, "Object")
        self.setter(group, name, f"@Nullable {kind} {name}", name, told)

    @property
    def records(self) -> set[str]:
        """The names of objects whose members are known."""
        return {*self.types.inline, *(one for one in self.types.schemas if not self.types.is_reserved(one))}

    def parameter(self, name: str, member: str, schema: dict[str, Any]) -> None:
        """Adds a parameter of the query that isn't a filter."""
        words = self.types.words(schema.get("items", schema))
        told = f"`{name}`{': ' + ', '.join(f'`{word}`' for word in words) if words else ''}."
        if schema.get("type") == "array":
            parameters = f"String {name}, String... others"
            self.setter("query", name, parameters, f"values({name}, others)", f"Any of these: {told}", member)
            return
        if self.types.is_duration(schema):
            self.setter("query", name, f"Duration {name}", f"text({name})", told, member)
        kind = {"Long": "long", "Boolean": "boolean"}.get(self.types.of(schema, name), "String")
        self.setter("query", name, f"{kind} {name}", name, told, member)

    def filter(self, group: str, name: str) -> None:
        """Adds a filter."""
        check = "listed" if group == "query" else "filter"
        if name in NAMED_FILTERS:
            what = "header" if name == "headers" else "pointer"
            called = {"headers": "header"}.get(name, name)
            told = f"What is at a JSON pointer of the {name}." if what == "pointer" else "A header by its name."
            self.parts.append(
                f"{comment(told + ' Several values: any of them.', '    ')}\n"
                f"    public {self.name} {called}(String {what}, Object value, Object... others) {{\n"
                f"        return withNamed({json.dumps(group)}, {json.dumps(name)}, {what}, "
                f"{check}({json.dumps(name)}, value, others));\n    }}"
            )
        elif name == "payloadIncludes":
            self.setter(group, name, "Object part", "part", "What the payload has, maybe among other things.")
        elif name == "q":
            self.setter(group, name, "String query", "query", "A query in the language of lists.")
        else:
            told = f"A filter by `{name}`: a value, any of several, or a condition."
            value = f"{check}({json.dumps(name)}, {name}, others)"
            self.setter(group, name, f"Object {name}, Object... others", value, told)

    def settings(self, settings: list[Setting]) -> None:
        """Adds the settings of a server."""
        for one in settings:
            name = camel_case(one.flag)
            words = f": {', '.join(f'`{word}`' for word in one.choices)}" if one.choices else ""
            told = f"The flag `--{one.flag}`{words}."
            kinds = {"boolean": ["boolean"], "number": ["long", "String"], "Duration": ["Duration", "String"]}
            for kind in kinds.get(one.kind, ["String"]):
                if one.is_repeatable:
                    self.setter("flags", name, f"{kind}... {name}", f"all({name})", told, one.flag)
                else:
                    value = f"text({name})" if kind == "Duration" else name
                    self.setter("flags", name, f"{kind} {name}", value, told, one.flag)

    def file(self) -> str:
        """The class."""
        text = (
            f"{comment(self.summary)}\npublic final class {self.name} extends Options<{self.name}> {{\n"
            f"    /** None of them. */\n    public {self.name}() {{}}\n\n"
            f"    private {self.name}(Map<String, Map<String, Object>> groups) {{\n        super(groups);\n    }}\n\n"
            f"    @Override\n    protected {self.name} copy(Map<String, Map<String, Object>> groups) {{\n"
            f"        return new {self.name}(groups);\n    }}\n\n" + "\n\n".join(self.parts) + "\n}"
        )
        return java_file("mynah.options", text, self.name)


def options_name(method: Method) -> str:
    """The class of a call's named arguments; a set of them that is all has its own name."""
    call = method.call
    if not call.options and call.scope != "given" and not call.is_full:
        return call.keywords
    calls = all_calls(method.told)
    same = [one for one in calls if one.name == call.name and Method(one, method.told).has_options]
    head = call.of.removeprefix("Mynah") if len(same) > 1 else ""
    return head + call.name[:1].upper() + call.name[1:] + "Options"


def option_sets(told: Description, types: JavaTypes) -> Iterator[OptionSet]:
    """The classes of named arguments."""
    done: set[str] = set()
    for of in CLASSES:
        for method in methods(told, of):
            if not method.has_options or options_name(method) in done:
                continue
            done.add(options_name(method))
            found = OptionSet(types, options_name(method), f"What `{method.call.name}` may be given.")
            if method.call.scope == "given":
                found.setter(method.scope_place, "scope", "@Nullable String scope", "scope", SCOPE)
            for name, schema in method.option_schemas().items():
                found.parameter(name, method.options[name], schema)
            for name, schema in method.keyword_schemas(types).items():
                if method.has_filters:
                    found.filter("query", name)
                else:
                    found.member("body", name, schema)
            yield found
    yield from hand_made(told, types)


def hand_made(told: Description, types: JavaTypes) -> Iterator[OptionSet]:
    """The named arguments of calls that are written by hand, as far as they follow from the program."""
    device = OptionSet(types, "DeviceOptions", "What a new device may be given.")
    device.setter("own", "online", "boolean online", "online", "Whether it is online once its apps have got tokens.")
    for name, schema in told.keywords(types, "DeviceSettings").items():
        device.member("body", name, schema)
    yield device

    fault = OptionSet(types, "FaultRuleOptions", "Members of a rule and of its action, and filters of requests.")
    fault.setter("rule", "scope", "@Nullable String scope", "scope", SCOPE)
    for group, names in (("rule", "FaultSettings"), ("action", "FaultOptions")):
        for name, schema in told.keywords(types, names).items():
            fault.member(group, name, schema)
    for name in told.keywords(types, "FaultFilters"):
        fault.filter("match", name)
    yield fault

    match = OptionSet(types, "Match", "Filters of pushes: a step of `inOrder`, or what `otherThan` leaves out.")
    wait = OptionSet(types, "AwaitOptions", "How many pushes are awaited, and filters.")
    expectation = OptionSet(types, "Expectation", "What is expected of pushes, and filters.")
    for one in (wait, expectation):
        one.setter("limits", "scope", "@Nullable String scope", "scope", SCOPE)
        one.setter("counts", "count", "long count", "count", "So many, or more; by default 1.")
        one.setter("limits", "within", "String within", "within", "How long to wait, with its unit: `5s`.")
        one.setter("limits", "within", "Duration within", "text(within)", "How long to wait; by default 5 s.")
    expectation.setter("counts", "exactly", "long exactly", "exactly", "So many, no more.")
    expectation.setter("counts", "max", "long max", "max", "At most so many; 0 for none.")
    expectation.setter("limits", "settle", "String settle", "settle", "How long to wait for further pushes: `50ms`.")
    expectation.setter("limits", "settle", "Duration settle", "text(settle)", "How long to wait for further pushes.")
    expectation.setter("limits", "after", "long after", "after", "Only pushes with a higher sequence number.")
    for name, summary in (
        ("inOrder", "One push for each, in this order; others may come in between."),
        ("otherThan", "Pushes that any of these selects don't count."),
    ):
        expectation.parts.append(
            f"{comment(summary, '    ')}\n    @SafeVarargs\n    @SuppressWarnings(\"varargs\")\n"
            f"    public final Expectation {name}(UnaryOperator<Match>... matches) {{\n"
            f'        return with("matches", "{name}", Options.matches(matches));\n    }}'
        )
    for one in (match, wait, expectation):
        for name in told.keywords(types, "Filters"):
            one.filter("match", name)
        yield one

    arrival = OptionSet(types, "ArrivalOptions", "How many arrivals are awaited.")
    arrival.setter("query", "kind", "String kind, String... others", "values(kind, others)", "Any of these kinds.")
    arrival.setter("query", "count", "long count", "count", "So many; by default 1.")
    hit = OptionSet(types, "HitOptions", "How often a rule has to fire.")
    hit.setter("query", "hits", "long hits", "hits", "So often in all; by default once.")
    for one in (arrival, hit):
        one.setter("query", "within", "String within", "within", "How long to wait, with its unit: `5s`.", "wait")
        one.setter("query", "within", "Duration within", "text(within)", "How long to wait; by default 5 s.", "wait")
        yield one
    channels = OptionSet(types, "ChannelsFilter", "Which channels are listed.")
    channels.setter("query", "bundleId", "String bundleId", "bundleId", "Those of an app.")
    channels.setter("query", "environment", "String environment", "environment", "`sandbox` or `production`.")
    yield channels

    settings = OptionSet(types, "ServerSettings", "The flags of `mynah serve`, and how it is started.")
    own = {
        "binary": ("Path binary", "The program, by default `MYNAH_BINARY` or `mynah` on the `PATH`."),
        "folder": ("Path folder", "Where the server keeps its keys, by default a folder that is removed at the end."),
        "variables": ("Map<String, String> variables", "Variables `MYNAH_…` for the server."),
    }
    for name, (parameters, summary) in own.items():
        settings.setter("own", name, parameters, name, summary)
    settings.settings(told.settings())
    yield settings
