"""Writes the manual pages from the help of the program: mynah(1), and one page for each command, such as mynah-send(1).

python3 manual.py MYNAH FOLDER
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Command = dict[str, Any]

# Sections of mynah(1) that are topics of `mynah help`.
TOPICS = {
    "FILTERS": "filters",
    "FAULTS": "faults",
    "TIME": "time",
    "ENVIRONMENT": "environment",
    "EXIT STATUS": "exit-codes",
    "FILES": "files",
}


def escaped(text: str) -> str:
    """Text that roff prints literally, with minus signs that can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(each if each.isascii() else f"\\[u{ord(each):04X}]" for each in text)
    return "\\&" + text if text[:1] in {".", "'"} else text


def blocks(text: str) -> list[list[str]]:
    """Paragraphs and indented blocks, in their order; a line that continues an example stays with its beginning."""
    found: list[list[str]] = []
    goes_on = False
    for line in text.splitlines():
        is_indented = goes_on or line.startswith("  ")
        if not line:
            found.append([])
        elif found and found[-1] and (found[-1][0].startswith("  ") == is_indented):
            found[-1].append(line)
        else:
            found.append([line])
        goes_on = is_indented and line.endswith("\\")
    return [block for block in found if block]


def is_example(block: list[str]) -> bool:
    """Whether it shows calls."""
    return block[0].startswith("  ") and any(line.strip().startswith(("mynah ", "curl ", "while ")) for line in block)


def prose(text: list[list[str]]) -> Iterator[str]:
    """Blocks as paragraphs, headings, entries and literal lines."""
    was_example = False
    for block in text:
        # A file below the call that reads it.
        was_example = is_example(block) or was_example and block[0].startswith("  ")
        if was_example:
            yield from [".PP", ".RS 2", ".nf", *(escaped(line.removeprefix("  ")) for line in block), ".fi", ".RE"]
        elif block[0].startswith("  "):
            yield from entries(block)
        else:
            heading, rest = (block[0], block[1:]) if block[0].isupper() else (None, block)
            yield f".SS {escaped(heading.capitalize())}" if heading else ".PP"
            yield from map(escaped, rest)


def entries(block: list[str]) -> Iterator[str]:
    """Indented lines: names with a description below or beside each, or words."""
    if all(line == "  " + line.strip() and "  " not in line.strip() for line in block):
        yield from [".PP", ".RS 2", *(escaped(line.strip()) for line in block), ".RE"]
        return
    for line in block:
        name, _, text = line.strip().partition("  ")
        if line.startswith("     "):
            yield escaped(line.strip())
        else:
            yield from [".TP", f".B {escaped(name)}"]
            if text:
                yield escaped(text.strip())


def spelled(name: dict[str, str]) -> str:
    """A flag with its dashes."""
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def words(command: Command) -> list[str]:
    """The words that call a command."""
    return [*command.get("superCommands", []), command["commandName"]]


def shown(command: Command) -> list[dict[str, Any]]:
    """The arguments that the help shows."""
    own = [each for each in command.get("arguments", []) if each.get("shouldDisplay")]
    return [each for each in own if each.get("valueName") not in {"version", "help"} or each["kind"] != "flag"]


def merged(arguments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The arguments, with flags of one meaning, such as --online and --offline, as one that has both names."""
    own: list[dict[str, Any]] = []
    for each in arguments:
        last = own[-1] if own else {}
        if each["kind"] == last.get("kind") == "flag" and each.get("abstract", "") == last.get("abstract"):
            own[-1] = {**last, "names": [*last["names"], *each["names"]]}
        else:
            own.append(each)
    return own


def subcommands(command: Command) -> list[Command]:
    """The subcommands in the help, each once: the parser adds a help of its own."""
    unique = {each["commandName"]: each for each in reversed(command.get("subcommands", []))}
    return [each for each in reversed(unique.values()) if each.get("shouldDisplay", True)]


def usage(command: Command) -> str:
    """One line with the required and optional arguments."""
    parts = words(command)
    arguments = shown(command)
    if any(each["kind"] != "positional" for each in arguments) or not (arguments or subcommands(command)):
        parts.append("[OPTION...]")
    for each in arguments:
        name = each.get("valueName", "").upper()
        if each["kind"] == "positional":
            name += "..." if each.get("isRepeating") else ""
            parts.append(f"[{name}]" if each.get("isOptional") else name)
        elif each["kind"] == "option" and not each.get("isOptional"):
            parts.append(f"{spelled(each['preferredName'])} {name}")
    if subcommands(command):
        parts.append("COMMAND")
    return " ".join(parts)


def option(argument: dict[str, Any]) -> Iterator[str]:
    """A flag or an argument with its help."""
    yield ".TP"
    name = argument.get("valueName", "").upper()
    if argument["kind"] == "positional":
        yield f".I {escaped(name)}"
    else:
        flags = ", ".join(f"\\fB{escaped(spelled(each))}\\fR" for each in argument.get("names", []))
        yield flags + (f" \\fI{escaped(name)}\\fR" if argument["kind"] == "option" else "")
    default = argument.get("defaultValue")
    text = argument.get("abstract", "") + (f" Default: {default}." if default else "")
    yield escaped(text) if text else "\\&"


def split(command: Command) -> tuple[list[list[str]], list[list[str]]]:
    """The description and the examples of a command, each of which keeps its introduction."""
    description: list[list[str]] = []
    examples: list[list[str]] = []
    was_example = False
    for block in blocks(command.get("discussion", "")):
        was_example = is_example(block) or was_example and block[0].startswith("  ")
        if was_example:
            if description and description[-1][-1].endswith(":"):
                examples.append(description.pop())
            examples.append(block)
        else:
            description.append(block)
    return description, examples


def body(command: Command, heading: str) -> Iterator[str]:
    """Description, options and examples under headings of a kind."""
    description, examples = split(command)
    if heading == ".SH":
        yield from [".SH DESCRIPTION", escaped(command.get("abstract", ""))]
    else:
        yield from [".B " + escaped(usage(command)), ".PP", escaped(command.get("abstract", ""))]
    yield from prose(description)
    if arguments := shown(command):
        yield f"{heading} OPTIONS" if heading == ".SH" else ".PP"
        for argument in merged(arguments):
            yield from option(argument)
    if examples:
        yield f"{heading} EXAMPLES" if heading == ".SH" else ".PP"
        yield from prose(examples)


def below(command: Command) -> Iterator[Command]:
    """The subcommands on all levels."""
    for each in subcommands(command):
        yield each
        yield from below(each)


def head(name: str, summary: str, version: str) -> list[str]:
    """The title and the NAME section."""
    return [
        f'.TH {escaped(name.upper())} 1 "" "Mynah {version}" "User Commands"',
        # Words that can be copied are not broken.
        ".nh",
        ".ad l",
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(summary)}",
    ]


def command_page(command: Command, version: str) -> Iterator[str]:
    """The page of a command and its subcommands."""
    yield from head("-".join(words(command)), command.get("abstract", "").rstrip("."), version)
    yield from [".SH SYNOPSIS", ".B " + escaped(usage(command))]
    yield from body(command, ".SH")
    if subcommands(command):
        yield ".SH COMMANDS"
        for each in below(command):
            if not subcommands(each):
                yield f".SS {escaped(' '.join(words(each)))}"
                yield from body(each, ".SS")
    yield from [".SH SEE ALSO", ".BR mynah (1),"]
    yield "which has the exit status, the environment and the files of all commands."


def main_page(root: Command, version: str, topics: dict[str, str]) -> Iterator[str]:
    """The page of the program."""
    description, examples = split(root)
    yield from head("mynah", "APNs on localhost, for tests of push providers", version)
    yield from [".SH SYNOPSIS", ".B mynah", "[\\fICOMMAND\\fR] [\\fIOPTION\\fR...]"]
    yield from [".SH DESCRIPTION", escaped(root["abstract"])]
    yield from prose(description)
    yield ".SH COMMANDS"
    for each in subcommands(root):
        yield from [".TP", f".BR mynah\\-{each['commandName']} (1)", escaped(each.get("abstract", ""))]
    for section, topic in topics.items():
        yield f".SH {section}"
        yield from prose(blocks(topic))
    yield ".SH EXAMPLES"
    yield from prose(examples)
    yield from [".SH SEE ALSO", ", ".join(f"\\fBmynah\\-{each['commandName']}\\fR(1)" for each in subcommands(root))]


def main() -> None:
    """Writes all pages."""
    if len(sys.argv) != 3:
        raise SystemExit("usage: manual.py MYNAH FOLDER")
    program, folder = sys.argv[1], Path(sys.argv[2])

    def said(*arguments: str) -> str:
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    root = json.loads(said("--experimental-dump-help"))["command"]
    version = said("version").strip()
    topics = {section: said("help", topic) for section, topic in TOPICS.items()}
    pages = {"mynah": main_page(root, version, topics)}
    pages |= {"mynah-" + each["commandName"]: command_page(each, version) for each in subcommands(root)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in pages.items():
        (folder / f"{name}.1").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
