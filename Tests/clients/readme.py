"""The examples in `README.md`, so that tests can run them as they stand there."""

from __future__ import annotations

import re

from server import REPOSITORY


def blocks(heading: str, language: str) -> list[str]:
    """The code blocks of a language in the section below a heading."""
    text = (REPOSITORY / "README.md").read_text()
    _, found, rest = text.partition(f"\n## {heading}\n")
    assert found, f"README.md has no section '{heading}'"
    section = rest.partition("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def named_blocks(heading: str, language: str) -> dict[str, str]:
    """Those of the blocks that begin with a comment that names their file, by that name."""
    named = [(re.match(r"# ([\w./-]+)", block), block) for block in blocks(heading, language)]
    return {name[1].rstrip(":"): block for name, block in named if name}
