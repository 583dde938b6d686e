"""The methods of Python that follow from the calls: `mynah/aio/*_calls.py`, the classes above those with the calls.

A class writes itself what has a form of its own in Python, and what is said there at more length; of that nothing is
made here.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from calls import Argument
from description import FILTERS, Description, Types, member_name, snake_case
from methods import Method, methods

PACKAGE = Path(__file__).resolve().parents[1] / "python" / "mynah"
LINE_MAX = 120
# The modules of the classes: a clock has attributes in place of calls.
FILES = {"Mynah": "scoped", "MynahServer": "server", "Device": "devices", "Fault": "faults"}
# What a class has for its calls: how it reaches the control API, and what an object's path is.
OWN_PARTS = '''    if TYPE_CHECKING:

        @property
        def _control(self) -> ControlAPI: ...

        @property
        def _path(self) -> str: ...

        def _now(self, document: Mapping[str, Any]) -> {of}: ...
'''
PARTS = {
    "Mynah": """    name: str

    if TYPE_CHECKING:

        @property
        def control(self) -> ControlAPI: ...
""",
    "MynahServer": "    control: ControlAPI\n",
    "Device": OWN_PARTS.format(of="Device"),
    "Fault": OWN_PARTS.format(of="Fault"),
}
PAGING = ("order", "limit", "cursor")
# The modules of the classes of answers; the first two are made here or beside it.
RECORD_FILES = ("notifications", "screens", "records")
IMPORTS = {
    "..documents": ("Duration", "Time", "changes_document", "checked", "members", "query"),
    "..keywords": (
        "ActivityChanges", "ActivitySettings", "AppChanges", "AppSettings", "CertificateSettings", "ChannelSettings",
        "DeviceChanges", "DeviceSettings", "FaultChanges", "KeySettings", "Paging", "PushSettings", "ResetSettings",
        "SubscriptionSettings",
    ),
}  # fmt: skip


def class_of_answers(name: str) -> str:
    """The module of the class of an answer; empty for one without a class."""
    for file in RECORD_FILES:
        if re.search(rf"^class {name}\b", (PACKAGE / f"{file}.py").read_text(), re.MULTILINE):
            return file
    return ""


def written(of: str) -> set[str]:
    """The methods that a class writes itself."""
    text = (PACKAGE / "aio" / f"{FILES[of]}.py").read_text()
    body = re.split(r"^class ", text.partition(f"\nclass {of}")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return set(re.findall(r"^    (?:async )?def (\w+)", body, re.MULTILINE))


def argument_type(one: Argument) -> str:
    """The type of an argument."""
    kind = {"integer": "int", "string|integer": "Union[int, str]", "Time": "Time"}.get(one.type, "str")
    kind = f"Union[{kind}, {one.record.partition('.')[0]}]" if one.record else kind
    return f"Optional[{kind}]" if one.is_optional and one.default is None else kind


def parameter(one: Argument) -> str:
    """An argument in a signature."""
    default = "" if not one.is_optional else f" = {'None' if one.default is None else json.dumps(one.default)}"
    return f"{snake_case(one.name)}: {argument_type(one)}{default}"


def result_type(gives: str) -> str:
    """What a method returns."""
    head, _, rest = gives.partition(" ")
    name = rest or head
    if head in ("Page", "List"):
        return f"Page[{name}]" if head == "Page" else f"tuple[{name}, ...]"
    if head == "document":
        return f"schemas.{rest}"
    if head in ("removed", "changed"):
        return "dict[str, int]"
    named = {"": "None", "text": "str", "refresh": "Device"}
    return named.get(head) or ("int" if "." in gives else name)


def is_paged(method: Method) -> bool:
    """Whether it takes what each list takes."""
    return set(PAGING) <= set(method.options) and not method.call.is_full


def options(method: Method, types: Types) -> dict[str, tuple[str, str]]:
    """The named arguments of the query: their types with defaults, and what is sent of each."""
    found = {}
    for name, schema in method.option_schemas().items():
        if is_paged(method) and name in PAGING:
            continue
        one, plain = snake_case(name), method.told.resolved(schema)
        if plain.get("type") == "boolean":
            found[name] = (f"{one}: bool = False", f'"true" if {one} else None')
        elif plain.get("type") == "array":
            item = types.of(plain["items"], member_name(method.call.name, name))
            found[name] = (f"{one}: Union[{item}, Sequence[{item}], None] = None", one)
        else:
            kind = re.sub(r"schemas\.Duration\b", "Duration", types.of(schema, member_name(method.call.name, name)))
            found[name] = (f"{one}: Optional[{kind}] = None", one)
    return found


def path_of(method: Method) -> tuple[list[str], str]:
    """The lines before a request, and the path in it."""
    before, path = [], method.call.path
    start = re.match(r"/v1/\w+/\{self\}", path)
    text = "{self._path}" + path[start.end() :] if start else path
    for name in method.call.in_path:
        one = method.call.argument(name)
        assert one is not None, f"{method.call.request}: no argument is {name}"
        value = snake_case(one.name)
        if one.record:
            member = one.record.partition(".")[2]
            kind = "int" if one.type == "integer" else "str"
            before.append(f"{value}_{member} = {value} if isinstance({value}, {kind}) else {value}.{member}")
            value = f"{value}_{member}"
        quoted = {"integer": value, "string": f"quote({value}, safe='')"}.get(one.type, f"quote(str({value}), safe='')")
        text = text.replace(f"{{{name}}}", f"{{{quoted}}}")
    if text == "{self._path}":
        return before, "self._path"
    return before, ("f" if "{" in text else "") + f'"{text}"'


def body_of(method: Method) -> tuple[list[str], str]:
    """The lines before a request, and the body in it."""
    call = method.call
    values = {one.api_name: snake_case(one.name) for one in method.arguments("body")}
    values |= {name: json.dumps(value) for name, value in call.fixed.items()}
    pairs = [f"{json.dumps(name)}: {value}" for name, value in values.items()]
    if any(one.is_optional for one in method.arguments("body")):
        return [], f"members({{{', '.join(pairs)}}})"
    if not call.keywords:
        return [], f"{{{', '.join(pairs)}}}"
    given = f"changes_document(checked(self.{snake_case(call.name)}, {keywords_name(method)}, {call.keywords}))"
    if not pairs:
        return [f"body = {given}"], "body"
    return [f"given = {given}", f"body = {{{', '.join(pairs)}, **given}}"], "body"


def keywords_name(method: Method) -> str:
    """The name of the other keyword arguments together."""
    return "changes" if method.call.method == "PATCH" else "settings"


def query_of(method: Method, types: Types) -> str:
    """The query of a request, or nothing."""
    named = options(method, types)
    pairs = ['"scope": self.name'] if method.call.scope == "own" and method.scope_place == "query" else []
    pairs += [f'"{snake_case(method.options[name])}": {sent}' for name, (_, sent) in named.items()]
    if is_paged(method):
        pairs.append(f"**checked(self.{snake_case(method.call.name)}, page, Paging)")
    given = f"members({{{', '.join(pairs)}}})" if pairs else ""
    if pairs == [f"**checked(self.{snake_case(method.call.name)}, page, Paging)"]:
        given = f"members({pairs[0].removeprefix('**')})"
    is_listed = any("Sequence[" in kind for kind, _ in named.values())
    return f"list(query({given}))" if is_listed else given


def implementation(method: Method, types: Types) -> str:
    """A method."""
    call, me = method.call, "self.control" if method.call.of.startswith("Mynah") else "self._control"
    name = snake_case(call.name)
    if call.scope == "given" or call.has_apps or call.keywords in FILTERS or call.gives == "events":
        raise SystemExit(f"{call.request} has a form of its own: write {name} in mynah/aio/{FILES[call.of]}.py")
    named = [kind for kind, _ in options(method, types).values()]
    taken = ["self", *map(parameter, call.arguments), *(["*"] if named else []), *named]
    taken += [f"**{keywords_name(method)}: Unpack[{call.keywords}]"] if call.keywords else []
    taken += ["**page: Unpack[Paging]"] if is_paged(method) else []
    head = f"    async def {name}({', '.join(taken)}) -> {result_type(call.gives)}:"
    if len(head) > LINE_MAX:
        line = f"        {', '.join(taken)}\n"
        signature = line if len(line) <= LINE_MAX else "".join(f"        {one},\n" for one in taken)
        head = f"    async def {name}(\n{signature}    ) -> {result_type(call.gives)}:"
    before, path = path_of(method)
    parts = [path]
    if method.has_body:
        more, body = body_of(method)
        before += more
        parts.append(body)
    if query := query_of(method, types):
        if len(query) > LINE_MAX - 21:
            rest, _, page = query.removesuffix("})").rpartition(", **")
            before.append(f"own = {rest}}})")
            query = f"{{**own, **members({page})}}"
        before.append(f"parameters = {query}")
        parts.append("parameters")
    last = answer(method, f"await {me}.{call.method.lower()}({', '.join(parts)})")
    if max(map(len, last)) > LINE_MAX - 8:
        before.append(f"path = {path}")
        last = answer(method, f"await {me}.{call.method.lower()}({', '.join(['path', *parts[1:]])})")
    lines = [*documentation(method), *(f"        {one}" for one in [*before, *last])]
    return "\n".join([head, *lines])


def answer(method: Method, request: str) -> list[str]:
    """The lines that make the request, and return what the method gives."""
    gives = method.call.gives
    head, _, rest = gives.partition(" ")
    if not gives:
        return [request]
    if head == "refresh":
        return [request, "return await self.refresh()"]
    if head == "text":
        return [f"return str({request})"]
    if head == "document":
        return [f"answer: schemas.{rest} = {request}", "return answer"]
    if head == "Page":
        return [f"return Page.of({request}, {rest}.of)"]
    if head == "List":
        return [f"answer = {request}", f'return tuple(map({rest}.of, answer["items"]))']
    if gives in ("removed", "changed"):
        return [f"answer = {request}", f'counts: dict[str, int] = answer["{gives}"]', "return counts"]
    if "." in gives:
        steps = "".join(f'["{one}"]' for one in gives.split("."))
        return [f"answer = {request}", f"return int(answer{steps})"]
    if gives == method.call.of:
        return [f"return self._now({request})"]
    return [f"return {gives}.of({request}{', self.control' if gives in FILES else ''})"]


def documentation(method: Method) -> list[str]:
    """The comment of a method."""
    call = method.call
    told = re.sub(r"`(\w+)`", lambda one: f"`{snake_case(one[1])}`", call.does).replace("gives ", "returns ")
    more = f"`{keywords_name(method)}` are members of `{call.method} {call.path.replace('{self}', '{id}')}`."
    paragraphs = [f'"""{told}', *([more] if call.keywords else [])]
    lines = textwrap.wrap(paragraphs[0], LINE_MAX, initial_indent=" " * 8, subsequent_indent=" " * 8)
    lines += [line for one in paragraphs[1:] for line in ("", f"        {one}")]
    if len(lines) == 1 and len(lines[0]) <= LINE_MAX - 3:
        return [f'{lines[0]}"""']
    return [*lines, '        """']


def calls_file(told: Description, types: Types, of: str) -> str:
    """The text of a module of `mynah/aio`."""
    own = written(of)
    found = [one for one in methods(told, of) if snake_case(one.call.name) not in own]
    texts = PARTS[of] + "\n" + "\n\n".join(implementation(one, types) for one in found)
    subject = {"Mynah": "scope", "MynahServer": "server"}.get(of, of.lower())
    text = f'class {of}Calls:\n    """The calls of a {subject} that are one request each."""\n\n{texts}\n'

    code = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)

    def used(names: tuple[str, ...]) -> list[str]:
        return [name for name in names if re.search(rf"(?<![\w\".]){name}\b", code)]

    classes = set(re.findall(r"\b([A-Z]\w+)\.of\b", text)) | {"Page"} & set(re.findall(r"\w+", text))
    classes |= {one.record.partition(".")[0] for method in found for one in method.call.arguments if one.record}
    lines = ["from __future__ import annotations", ""]
    abstract = used(("Mapping", "Sequence"))
    lines += [f"from collections.abc import {', '.join(abstract)}"] if abstract else []
    checking = ["TYPE_CHECKING"] if "TYPE_CHECKING" in text or "Unpack" in text else []
    typing = checking + used(("Any", "Optional", "Union"))
    lines += [f"from typing import {', '.join(typing)}"] if typing else []
    lines += ["from urllib.parse import quote"] if "quote(" in text else []
    lines += ["", *(["from .. import schemas"] if "schemas." in text else [])]
    wanted = {module: used(names) for module, names in IMPORTS.items()}
    wanted["..errors"] = ["hides_frames"]
    for name in sorted(classes - set(FILES)):
        wanted.setdefault(f"..{class_of_answers(name)}", []).append(name)
    wanted[".control"] = ["ControlAPI"]
    for name in sorted(classes & set(FILES) - {of}):
        wanted[f".{FILES[name]}"] = [name]
    for module, names in sorted(wanted.items(), key=lambda one: (one[0].count(".") == 1, one[0])):
        if names:
            line = f"from {module} import {', '.join(names)}"
            if len(line) > LINE_MAX:
                line = f"from {module} import (\n    {', '.join(names)}\n)  # fmt: skip"
            lines.append(line)
    guarded = ["    from typing_extensions import Unpack"] if "Unpack" in text else []
    guarded += [f"    from .{FILES[of]} import {of}"] if of in ("Device", "Fault") else []
    lines += ["", "if TYPE_CHECKING:", *guarded] if guarded else []
    lines += ["", "__tracebackhide__ = hides_frames", "", "", text]
    head = f'"""The calls of a {subject} that are one request each."""\n\n'
    return head + "# Made by generate.py: change that, or the document.\n" + "\n".join(lines)


def modules(told: Description, types: Types) -> Iterator[tuple[Path, str]]:
    """The modules of `mynah/aio` that are made."""
    for of, file in FILES.items():
        yield PACKAGE / "aio" / f"{file.removesuffix('s')}_calls.py", calls_file(told, types, of)
