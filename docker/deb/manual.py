"""Writes the manual page mynah(1) from the help of the program.

    mynah --experimental-dump-help | python3 manual.py VERSION >mynah.1
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

Command = dict[str, Any]


def escaped(text: str) -> str:
    """Text that roff prints literally, with minus signs that can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in {".", "'"} else text


def prose(text: str) -> Iterator[str]:
    """Paragraphs; indented lines, of examples and tables, stay lines."""
    is_example = False
    goes_on = False
    for line in text.splitlines():
        # A continued line of an example stays with its beginning, whatever its indentation.
        if line and not goes_on and line.startswith("  ") != is_example:
            is_example = not is_example
            yield from [".PP", ".RS 2", ".nf"] if is_example else [".fi", ".RE", ".PP"]
        goes_on = is_example and line.endswith("\\")
        if line:
            yield escaped(line.removeprefix("  ") if is_example else line)
        else:
            yield ".sp" if is_example else ".PP"
    if is_example:
        yield from [".fi", ".RE"]


def spelled(name: dict[str, str]) -> str:
    """A flag with its dashes."""
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def shown(command: Command) -> list[dict[str, Any]]:
    """The arguments that the help shows."""
    return [each for each in command.get("arguments", []) if each.get("shouldDisplay")]


def usage(command: Command) -> str:
    """One line with the required and optional arguments."""
    words = [*command.get("superCommands", []), command["commandName"]]
    arguments = shown(command)
    if any(each["kind"] != "positional" for each in arguments) or not arguments:
        words.append("[OPTION...]")
    for each in arguments:
        name = each.get("valueName", "").upper()
        if each["kind"] == "positional":
            name += "..." if each.get("isRepeating") else ""
            words.append(f"[{name}]" if each.get("isOptional") else name)
        elif each["kind"] == "option" and not each.get("isOptional"):
            words.append(f"{spelled(each['preferredName'])} {name}")
    if subcommands(command):
        words.append("COMMAND")
    return " ".join(words)


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


def section(command: Command) -> Iterator[str]:
    """A command and its subcommands."""
    name = " ".join([*command.get("superCommands", []), command["commandName"]])
    yield f".SS {escaped(name)}"
    yield ".B " + escaped(usage(command))
    yield ".PP"
    yield escaped(command.get("abstract", ""))
    for argument in shown(command):
        yield from option(argument)
    if command.get("discussion"):
        yield ".PP"
        yield from prose(command["discussion"])
    for each in subcommands(command):
        yield from section(each)


def subcommands(command: Command) -> list[Command]:
    """The subcommands in the help, without `help` itself."""
    return [
        each
        for each in command.get("subcommands", [])
        if each.get("shouldDisplay", True) and each["commandName"] != "help"
    ]


def page(root: Command, version: str) -> Iterator[str]:
    """The complete page."""
    yield f'.TH MYNAH 1 "" "Mynah {version}" "User Commands"'
    yield ".SH NAME"
    yield "mynah \\- APNs on localhost, for tests of push providers"
    yield ".SH SYNOPSIS"
    yield ".B mynah"
    yield "[\\fICOMMAND\\fR] [\\fIOPTION\\fR...]"
    yield ".SH DESCRIPTION"
    yield escaped(root["abstract"])
    yield ".PP"
    yield from prose(root.get("discussion", ""))
    yield ".SH COMMANDS"
    for each in subcommands(root):
        yield from section(each)
    yield ".SH FILES"
    for path, text in [
        ("/etc/mynah/mynah.yaml", "The settings of the service."),
        ("/var/lib/mynah", "CA, certificates and keys of the service."),
        ("/run/mynah", "What a provider needs: ca.pem, ca\\-bundle.pem, the development key, ready.json."),
        ("./mynah.yaml", "The settings of a server that somebody starts, unless \\-\\-config names another file."),
    ]:
        yield from [".TP", f".I {path}", text]


def main() -> None:
    """Converts standard input to standard output."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: mynah --experimental-dump-help | python3 manual.py VERSION")
    root = json.load(sys.stdin)["command"]
    sys.stdout.write("\n".join(page(root, sys.argv[1])) + "\n")


main()
