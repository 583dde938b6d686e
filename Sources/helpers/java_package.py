"""The template of Java: what of `Sources/java` follows from the program.

- `mynah/…Calls.java`, the methods of the classes, each in the forms that callers want: with and without what may be
  left out, with an id or the record that has it, with one app or several.
- `mynah/model`, the records of answers (`java_types.py`); `mynah/options`, the named arguments of calls
  (`java_options.py`).
- `mynah/Words.java`, the words that calls know when they run: presets, reasons, settings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from calls import CLASSES, Argument
from description import Description
from java_options import option_sets, options_name
from java_types import LINE_MAX, JavaTypes, Models, comment, java_file, record_type, with_imports
from methods import Method, methods

PACKAGE = Path(__file__).resolve().parents[1] / "java"
SOURCES = PACKAGE / "src" / "main" / "java" / "mynah"
# How an object knows its scope.
SCOPES = {"Mynah": "name()", "Clock": "scope"}
# Records that are classes of their own, which know the control API; a push has a header by its name.
WITH_CONTROL = ("Device", "Fault")
BY_HAND = (*WITH_CONTROL, "Notification")


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
    lines = [signature(f"    public {result_type(call.gives)} {call.name}(", parameters)]
    if returned:
        lines.append(f"        Call call = {chain[0]}{chr(10) if sentence else ''}{sentence};")
        lines.append(f"        return {returned};")
    else:
        lines.append(f"        {chain[0]}{chr(10) if sentence else ''}{sentence}\n            .send();")
        if call.gives == "refresh":
            lines.append("        return refresh();")
    canonical = "\n".join([comment(call.does, "    "), *lines, "    }"])
    return "\n\n".join([canonical, *other_forms(method, options)])


def signature(head: str, parameters: list[str]) -> str:
    """The first line of a method, or several if it is long."""
    line = f"{head}{', '.join(parameters)}) {{"
    return line if len(line) <= LINE_MAX else f"{head}\n        {', '.join(parameters)}\n    ) {{"


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
                    f"{comment(call.does, '    ')}\n{signature(f'    public {gives} {call.name}(', taken)}\n"
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


def words_file(told: Description) -> str:
    """The text of `Words.java`."""
    presets = ",\n".join(preset(name, action) for name, action in told.presets().items())
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


def preset(name: str, action: dict[str, Any]) -> str:
    """The action of a preset as Java."""
    members = [f"{json.dumps(member)}, {json.dumps(value)}" for member, value in action.items()]
    line = f"        Map.entry({json.dumps(name)}, Map.of({', '.join(members)}))"
    if len(line) < LINE_MAX:
        return line
    lines = ",\n".join(f"            {one}" for one in members)
    return f"        Map.entry({json.dumps(name)}, Map.of(\n{lines}\n        ))"


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
        "/** The members of a {@link Notification}. */\n"
        "public abstract class NotificationMembers extends JsonRecord {\n"
        "    NotificationMembers(Map<String, Object> document) {\n        super(document);\n    }\n\n"
        f"{notification}\n}}"
    )
    others = [one for one in models.reached if one not in BY_HAND and re.search(rf"\b{one}\b", notification)]
    used = [f"mynah.model.{one}" for one in others]
    yield SOURCES / "NotificationMembers.java", with_imports(java_file("mynah", text), used)
    types = JavaTypes(told.document)
    for one in option_sets(told, types):
        yield SOURCES / "options" / f"{one.name}.java", one.file()
    yield SOURCES / "Words.java", words_file(told)


def with_own_classes(text: str, models: Models) -> str:
    """A record's file, with the imports of those that are written by hand."""
    body = text.partition("public final class")[2]
    return with_imports(text, [f"mynah.{one}" for one in BY_HAND if re.search(rf"\b{one}::new", body)])
