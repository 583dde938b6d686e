"""The examples in `README.md` and the documentation, so that tests can run them as they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from server import REPOSITORY

CATALOGUE = REPOSITORY / "Sources" / "Mynah" / "Mynah.docc"


# Pages of packages for other languages, by the language: Tests/languages follows them, with the package installed.
OF_LANGUAGES = {
    "TestAProviderInGo": "go",
    "TestAProviderInJava": "java",
    "TestAProviderInNode": "node",
    "TestAProviderInPHP": "php",
    "TestAProviderInRuby": "ruby",
    "TestInSpring": "java",
    "UseTheNodePackage": "node",
}
# Files that a page has from another one.
FILES_OF_OTHERS = {"TestInSpring": ("TestAProviderInJava", "Provider.java")}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    """The word behind the fence, empty for output."""
    text: str
    line: int
    """The line of its fence, from 1."""
    heading: str
    """The nearest heading of level 2 above it, empty if there is none."""
    follows: bool
    """Whether nothing stands between it and the block before it."""


def pages() -> dict[str, Path]:
    """The README and the articles, by their names."""
    found = {path.stem: path for path in sorted(CATALOGUE.rglob("*.md"))}
    return {"README": REPOSITORY / "README.md", **found}


def page_blocks(page: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    return list(fenced(pages()[page].read_text()))


def fenced(text: str) -> Iterator[Block]:
    """All fenced blocks of a text, in order."""
    heading, follows = "", False
    fence: tuple[str, int] | None = None
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if fence is not None:
            if line == "```":
                yield Block(fence[0], "".join(lines), fence[1], heading, follows)
                fence, lines, follows = None, [], True
            else:
                lines.append(line + "\n")
        elif line.startswith("```"):
            fence = (line[3:], number)
        elif line.startswith("## "):
            heading, follows = line[3:], False
        elif line:
            follows = False
    assert fence is None, f"the block at line {fence} has no end"


def blocks(page: str, language: str, heading: str | None = None) -> list[str]:
    """The texts of the blocks of a language, of a page or of a section of it."""
    found = [
        block.text for block in page_blocks(page) if block.language == language and heading in (None, block.heading)
    ]
    assert found, f"{page} has no block of {language} in section {heading}"
    return found


def file_name(text: str) -> str | None:
    """The file that a block's first line names: `# conftest.py: what it is for`."""
    endings = "py|yaml|yml|json|ini|txt|sh|mjs|cjs|go|java|rb|php"
    named = re.match(rf"(?:<\?php\n\n)?(?:#|//) ([\w-]+(?:[./][\w-]+)*\.(?:{endings}))\b", text)
    return named[1] if named else None


def files(blocks: list[Block], language: str | None = None) -> dict[str, str]:
    """The blocks that begin with a comment that names their file, by that name."""
    return {
        name: block.text
        for block in blocks
        if language in (None, block.language) and (name := file_name(block.text)) is not None
    }
