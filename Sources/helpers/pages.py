"""The tables of calls on the pages about the packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from calls import BY_HAND, Call
from description import Description, snake_case
from operations import all_calls

PAGES = Path(__file__).resolve().parents[1] / "Mynah" / "Mynah.docc"
SUBJECTS = {
    "Mynah": "a scope", "Device": "a device", "Fault": "a fault", "Clock": "a clock", "MynahServer": "a server",
}  # fmt: skip
# What the API has no call for.
ATTRIBUTES = {"Mynah": ["clock"], "MynahServer": ["clock"], "Device": ["token"]}
# What Java has besides, and under another name.
OF_JAVA = {"Mynah": ["close"], "Clock": ["advanceTo", "advanceToNext"], "MynahServer": ["openScope"]}


def java_name(name: str) -> str:
    """The name of a call in Java, where any object can `wait`."""
    return "await" if name == "wait" else name


# Each page: how its language writes names, and what it has besides.
TABLES: dict[str, tuple[Callable[[str], str], dict[str, list[str]]]] = {
    "HowTo/UseThePythonPackage.md": (snake_case, {}),
    "HowTo/UseTheNodePackage.md": (str, {}),
    "Tutorials/TestAProviderInJava.md": (java_name, OF_JAVA),
    "Tutorials/TestAProviderInPHP.md": (str, {}),
    "Tutorials/TestAProviderInRuby.md": (snake_case, {}),
}


def groups(told: Description, of: str) -> dict[str, list[str]]:
    """The calls of a class by what they are about, as the document groups operations."""
    tags = {
        operation["operationId"]: operation["tags"][0]
        for item in told.document["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
    }

    def tag(call: Call) -> str:
        return str(told.operation(call.method, call.template)["tags"][0])

    found = [(tags[ids[0]], name) for name, ids in BY_HAND[of].items() if ids]
    found += [(tag(call), call.name) for call in all_calls(told) if call.of == of]
    found += [("", name) for name in (*(name for name, ids in BY_HAND[of].items() if not ids), *ATTRIBUTES.get(of, []))]
    return {one: [name for about, name in found if about == one] for one in dict.fromkeys(about for about, _ in found)}


def table(told: Description, name_of: Callable[[str], str], besides: dict[str, list[str]]) -> str:
    """The rows of all classes."""
    lines = []
    for of, subject in SUBJECTS.items():
        found = groups(told, of)
        found.setdefault("", []).extend(besides.get(of, []))
        parts = [", ".join(f"`{name_of(name)}`" for name in names) for names in found.values() if names]
        lines.append(f"| {subject} | {'; '.join(parts)} |\n")
    return "".join(lines)


def modules(told: Description) -> Iterator[tuple[Path, str]]:
    """The pages, and their texts."""
    for name, (name_of, besides) in TABLES.items():
        text = (PAGES / name).read_text()
        head = "| of | calls |\n| --- | --- |\n"
        rows = table(told, name_of, besides)
        parts = re.split(re.escape(head) + r"(?:\|.*\n)+", text)
        if len(parts) != 2:
            raise SystemExit(f"{name} has {len(parts) - 1} tables of calls: expected one")
        yield PAGES / name, f"{parts[0]}{head}{rows}{parts[1]}"
