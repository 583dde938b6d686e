"""The template of Java: what of `Sources/java` follows from the program.

- `mynah/…Calls.java`, the methods of the classes, each in the forms that callers want: with and without what may be
  left out, with an id or the record that has it, with one app or several.
- `mynah/model`, the records of answers; `mynah/options`, the named arguments of calls.
- `mynah/Words.java`, the words that calls know when they run: presets, reasons, settings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from calls import CALLS, CLASSES, Argument
from description import Description, Setting, camel_case
from java_types import (
    SOURCES, SCOPES, WITH_CONTROL, BY_HAND, NAMED_FILTERS, JavaTypes, comment, java_file, Models, record_type,
)
from methods import Method, methods


# Named arguments


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
            kind = "Collection<? extends Map<String, ?>>" if kind.split("<")[1][:-1] in self.records else "Collection<?>"
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
    same = [one for one in CALLS if one.name == call.name and Method(one, method.told).has_options]
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
                told_scope = "The scope, by default one's own; null is the whole server."
                found.setter(method.scope_place, "scope", "@Nullable String scope", "scope", told_scope)
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
    fault.setter("rule", "scope", "@Nullable String scope", "scope", "The scope, by default one's own.")
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
        one.setter("limits", "scope", "@Nullable String scope", "scope", "The scope, by default one's own; null is the whole server.")
        one.setter("counts", "count", "long count", "count", "So many, or more; by default 1.")
        one.setter("limits", "within", "String within", "within", "How long to wait, with its unit: `5s`.")
        one.setter("limits", "within", "Duration within", "text(within)", "How long to wait; by default 5 s.")
    expectation.setter("counts", "exactly", "long exactly", "exactly", "So many, no more.")
    expectation.setter("counts", "max", "long max", "max", "At most so many; 0 for none.")
    expectation.setter("limits", "settle", "String settle", "settle", "How long to wait for further pushes, with its unit.")
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


# Calls


def alternatives(one: Argument) -> list[tuple[str, str]]:
    """The types that an argument may have, and what is passed on of each; the first is that of the request."""
    name = one.name
    kind = {"integer": "long", "Time": "Instant"}.get(one.type, "String")
    if one.is_list:
        return [("Collection<String>", name), ("String", f"List.of({name})")]
    if one.type == "string|integer":
        return [("String", name), ("long", f"String.valueOf({name})")]
    if one.record:
        owner, _, member = one.record.partition(".")
        return [(kind, name), (record_type(owner), f"{name}.{member}()")]
    return [(kind, name)]


def result_type(gives: str) -> str:
    """What a method gives."""
    head, _, rest = gives.partition(" ")
    if head in ("Page", "List"):
        return f"{head}<{record_type(rest)}>"
    if head == "document":
        return "Map<String, Object>" if rest == "OpenAPI" else rest
    named = {"": "void", "text": "String", "mode": "String", "time": "Instant", "refresh": "Device"}
    named |= {"removed": "Map<String, Long>", "events": "EventStream"}
    return named.get(head) or ("long" if "." in gives else record_type(head))


def result(gives: str) -> str:
    """What a method returns of the answer."""
    head, _, rest = gives.partition(" ")
    if head == "Page":
        return f"Page.of(call.object(), {maker(rest)})"
    if head == "List":
        return f"Page.of(call.object(), {maker(rest)}).items()"
    if head == "document":
        return "call.object()" if rest == "OpenAPI" else f"new {rest}(call.object())"
    if head == "text":
        return "call.text()"
    if head == "events":
        return "call.events()"
    if head == "time":
        return f'Instant.parse((String) call.object().get("{rest}"))'
    if head == "mode":
        return '(String) call.object().get("mode")'
    if head == "removed":
        return 'call.counts("removed")'
    if "." in gives:
        return f'call.counts("{head.partition(".")[0]}").get("{head.partition(".")[2]}")'
    made = record_type(head)
    return f"new {made}(call.object(), control)" if made in WITH_CONTROL else f"new {made}(call.object())"


def maker(name: str) -> str:
    """What makes a record of its JSON."""
    made = record_type(name)
    return f"one -> new {made}(one, control)" if made in WITH_CONTROL else f"{made}::new"


def implementation(method: Method) -> str:
    """A method, in all its forms."""
    call = method.call
    given = [(one, alternatives(one)[0][0]) for one in call.arguments]
    parameters = [
        f"{'@Nullable ' if one.is_optional and one.default is None else ''}{kind} {one.name}" for one, kind in given
    ]
    options = options_name(method) if method.has_options else ""
    if options:
        parameters.append(f"UnaryOperator<{options}> options")
    returned = result(call.gives) if call.gives not in ("", "refresh") else ""
    path = ", ".join(path_parts(method))
    chain = [f'new Call(control, "{call.method}", {path})']
    if call.scope == "own":
        chain.append(f'.{"query" if method.scope_place == "query" else "member"}("scope", {SCOPES[call.of]})')
    chain += [f'.query("{one.api_name}", {one.name})' for one in method.arguments("query")]
    for one in method.arguments("body"):
        if not (call.has_apps and one.is_list):
            chain.append(f'.member("{one.api_name}", {one.name})')
    chain += [f'.member("{name}", {json.dumps(value)})' for name, value in call.fixed.items()]
    if options:
        start = f"new {options}()"
        if call.scope == "given":
            start += f".scope({SCOPES[call.of]})"
        if call.is_full:
            start += ".limit(LIST_MAX)"
        chain.append(f".with(options.apply({start}))")
    if call.has_apps:
        chain.append(f".apps({given[-1][0].name})")
    sentence = "\n".join(f"            {part}" for part in chain[1:])
    lines = [f"    public {result_type(call.gives)} {call.name}({', '.join(parameters)}) {{"]
    if returned:
        lines.append(f"        Call call = {chain[0]}{chr(10) if sentence else ''}{sentence};")
        lines.append(f"        return {returned};")
    else:
        lines.append(f"        {chain[0]}{chr(10) if sentence else ''}{sentence}\n            .send();")
        if call.gives == "refresh":
            lines.append("        return refresh();")
    canonical = "\n".join([comment(call.does, "    "), *lines, "    }"])
    return "\n\n".join([canonical, *other_forms(method, options)])


def path_parts(method: Method) -> list[str]:
    """The parts of a path: text, and by turns what is escaped in it."""
    parts: list[str] = []
    for index, part in enumerate(re.split(r"\{(\w+)\}", method.call.path)):
        if index % 2 == 0:
            parts += [json.dumps(part)] if part else []
        elif part == "self":
            parts.append("id()")
        else:
            one = method.call.argument(part)
            assert one is not None, f"{method.call.request}: no argument is {part}"
            parts.append(one.name)
    return parts


def other_forms(method: Method, options: str) -> Iterator[str]:
    """The forms of a method that pass on what is left out."""
    call = method.call
    needed = sum(not one.is_optional for one in call.arguments)
    # A change of nothing is none.
    needs_options = call.method == "PATCH" and not call.fixed
    for count in range(len(call.arguments), needed - 1, -1):
        for chosen in product(*(range(len(alternatives(one))) for one in call.arguments[:count])):
            for has_options in ([True, False] if options and not needs_options else [bool(options)]):
                is_canonical = count == len(call.arguments) and not any(chosen) and has_options == bool(options)
                if is_canonical:
                    continue
                taken, passed = [], []
                for index, one in enumerate(call.arguments):
                    if index >= count:
                        passed.append("null" if one.default is None else json.dumps(one.default))
                        continue
                    kind, value = alternatives(one)[chosen[index]]
                    taken.append(f"{kind} {one.name}")
                    passed.append(value)
                if options:
                    passed.append("options" if has_options else "options -> options")
                    taken += [f"UnaryOperator<{options}> options"] if has_options else []
                gives = result_type(call.gives)
                back = "" if gives == "void" else "return "
                yield (
                    f"{comment(call.does, '    ')}\n    public {gives} {call.name}({', '.join(taken)}) {{\n"
                    f"        {back}{call.name}({', '.join(passed)});\n    }}"
                )


def calls_file(told: Description, models: Models, of: str) -> str:
    """The class of a class' calls; that of a record has its members, too."""
    found = list(methods(told, of))
    texts = [implementation(method) for method in found]
    name = f"{of}Calls"
    if of in WITH_CONTROL:
        texts.insert(0, models.accessors(of, tuple(method.call.name for method in found)))
        head = (
            "extends JsonRecord {\n    final ControlApi control;\n\n"
            f"    {name}(Map<String, Object> document, ControlApi control) {{\n"
            "        super(document);\n        this.control = control;\n    }"
        )
    elif of == "Clock":
        head = (
            "{\n    final ControlApi control;\n    @Nullable final String scope;\n\n"
            f"    {name}(ControlApi control, @Nullable String scope) {{\n"
            "        this.control = control;\n        this.scope = scope;\n    }"
        )
    else:
        own = "\n\n    /** Its name. */\n    public abstract String name();" if of == "Mynah" else ""
        head = (
            f"{{\n    static final long LIST_MAX = 1000;\n\n    final ControlApi control;\n\n"
            f"    {name}(ControlApi control) {{\n        this.control = control;\n    }}{own}"
        )
    body = "\n\n".join(texts)
    text = (
        f"/** The calls of {{@link {of}}} that are one request each. */\n"
        f"public abstract class {name} {head}\n\n{body}\n}}"
    )
    written = java_file("mynah", text, name)
    used = sorted(one for one in models.reached if one not in BY_HAND and re.search(rf"\b{one}\b", body))
    sets = sorted({options_name(one) for one in found if one.has_options})
    imports = [f"mynah.model.{one}" for one in used] + [f"mynah.options.{one}" for one in sets]
    return with_imports(written, imports)


def with_imports(text: str, names: list[str]) -> str:
    """A file with further imports, in order."""
    imports = sorted({*re.findall(r"^import (.+);$", text, re.MULTILINE), *names})
    head, _, rest = text.partition("\n\n")
    body = re.sub(r"^(import .+\n)+\n?", "", rest, flags=re.MULTILINE)
    return f"{head}\n\n" + "".join(f"import {one};\n" for one in imports) + f"\n{body}"


def words_file(told: Description) -> str:
    """The text of `Words.java`."""
    presets = ",\n".join(f"        Map.entry({json.dumps(name)}, {written(one)})" for name, one in told.presets().items())
    reasons = ",\n".join(f"        {json.dumps(one)}" for one in told.reasons())
    switches = ", ".join(json.dumps(one.flag) for one in told.settings() if not one.value)
    text = f"""/** The words of the program that calls know. */
final class Words {{
    /** The version of the program. */
    static final String VERSION = {json.dumps(told.version)};

    /** Settings that are flags without a value. */
    static final Set<String> SWITCHES = Set.of({switches});

    /** The reasons that APNs gives. */
    static final List<String> REASONS = List.of(
{reasons});

    private static final List<Map.Entry<String, Map<String, Object>>> PRESETS = List.of(
{presets});

    private Words() {{}}

    /** The actions of the presets of faults, in order. */
    static Map<String, Map<String, Object>> presets() {{
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        PRESETS.forEach(one -> found.put(one.getKey(), one.getValue()));
        return found;
    }}
}}"""
    return with_imports(java_file("mynah", text, "Words"), ["java.util.LinkedHashMap"])


def written(action: dict[str, Any]) -> str:
    """An action as Java."""
    return f"Map.of({', '.join(f'{json.dumps(name)}, {json.dumps(value)}' for name, value in action.items())})"


def modules(told: Description) -> Iterator[tuple[Path, str]]:
    """The files that follow from others, and their texts."""
    models = Models(told)
    for of in CLASSES:
        yield SOURCES / f"{of}Calls.java", calls_file(told, models, of)
    for name in models.reached:
        if name not in BY_HAND:
            yield SOURCES / "model" / f"{name}.java", with_own_classes(models.file(name), models)
    notification = models.accessors("Notification", ())
    text = (
        "/** The members of a {@link Notification}. */\npublic abstract class NotificationMembers extends JsonRecord {\n"
        "    NotificationMembers(Map<String, Object> document) {\n        super(document);\n    }\n\n"
        f"{notification}\n}}"
    )
    used = [f"mynah.model.{one}" for one in models.reached if one not in BY_HAND and re.search(rf"\b{one}\b", notification)]
    yield SOURCES / "NotificationMembers.java", with_imports(java_file("mynah", text), used)
    types = JavaTypes(told.document)
    for one in option_sets(told, types):
        text = one.file()
        yield SOURCES / "options" / f"{one.name}.java", with_imports(text, ["java.nio.file.Path"]) if "Path " in text else text
    yield SOURCES / "Words.java", words_file(told)


def with_own_classes(text: str, models: Models) -> str:
    """A record's file, with the imports of those that are written by hand."""
    body = text.partition("public final class")[2]
    return with_imports(text, [f"mynah.{one}" for one in BY_HAND if re.search(rf"\b{one}::new", body)])
