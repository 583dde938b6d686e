#!/usr/bin/env python3
"""Writes what an agent reads to use Mynah, from the help of the program and the pages of the documentation:

    llms.py PROGRAM FOLDER

FOLDER/llms.txt is the map (https://llmstxt.org), FOLDER/llms-full.txt the help of every command and every topic.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docker" / "deb"))
import manual  # noqa: E402

SITE = "https://OWNER.github.io/mynah"
CATALOGUE = ROOT / "Sources" / "Mynah" / "Mynah.docc"
# The folders of the catalogue with pages for those who use Mynah.
SECTIONS = {"Tutorials": "Tutorials", "HowTo": "How to", "Reference": "Reference", "Explanation": "Explanation"}


def address(page: str) -> str:
    return f"{SITE}/documentation/mynah/{page.lower()}"


def page(file: Path) -> str:
    """A line with the title of a page and its first sentence."""
    text = file.read_text()
    title = re.search(r"^# (.*)$", text, re.MULTILINE)
    abstract = re.search(r"^(?![#@{}\s`|<]).+(?:\n.+)*", text, re.MULTILINE)
    if not title or not abstract:
        raise SystemExit(f"{file} has no title or no abstract")
    said = re.sub(r"<doc:([A-Za-z]+)[^>]*>", r"\1", " ".join(abstract[0].split()))
    return f"- [{title[1]}]({address(file.stem)}): {said}"


def outline(root: dict[str, Any]) -> Iterator[str]:
    """The lines of llms.txt."""
    yield from ["# Mynah", "", f"> {root['abstract']}", "", root["discussion"].strip(), "", "## Commands", ""]
    for each in manual.subcommands(root):
        yield f"- [mynah {each['commandName']}]({address('Commands')}): {each['abstract']}"
    for folder, heading in SECTIONS.items():
        yield from ["", f"## {heading}", ""]
        yield from map(page, sorted((CATALOGUE / folder).glob("*.md")))
    yield from ["", "## Optional", "", f"- [The help of every command]({SITE}/llms-full.txt): all options and examples"]


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit("usage: llms.py PROGRAM FOLDER")
    program, folder = sys.argv[1], Path(sys.argv[2])

    def said(*arguments: str) -> str:
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    root = json.loads(said("--experimental-dump-help"))["command"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "llms.txt").write_text("\n".join(outline(root)) + "\n")
    commands = [command for each in manual.subcommands(root) for command in [each, *manual.below(each)]]
    helps = [f"# {' '.join(manual.words(each))}\n\n{said('help', *manual.words(each)[1:])}" for each in commands]
    listed = re.search(r"Topics of mynah help: ([^.]*)\.", root["discussion"])
    if not listed:
        raise SystemExit(f"the help of {program} lists no topics: 'Topics of mynah help: …' was expected")
    topics = [f"# mynah help {topic}\n\n{said('help', topic)}" for topic in re.split(r",\s*", listed[1])]
    (folder / "llms-full.txt").write_text("\n\n".join([f"# mynah\n\n{said('help')}", *helps, *topics]) + "\n")


if __name__ == "__main__":
    main()
