#!/usr/bin/env python3
"""Prints which tags of the image move with a version: tags.py VERSION

Its own always; 0.1, 0 and latest only where it is the newest of its line among the tags of the repository, and a
pre-release none of these. With --is-newest it prints true or false: whether it is the newest version of all.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import facts  # noqa: E402

Release = tuple[int, int, int]


def release(version: str) -> Release | None:
    """Its numbers; none for a pre-release, and for what is no version."""
    found = facts.VERSION.fullmatch(version)
    return (int(found[1]), int(found[2]), int(found[3])) if found and found[4] is None else None


def moving(version: str, others: list[str]) -> list[str]:
    """The tags that a version gets, when these versions are there as well."""
    this = release(version)
    if this is None:
        return [version]
    there = [other for other in map(release, others) if other is not None]
    found = [version]
    for length, name in ((2, f"{this[0]}.{this[1]}"), (1, str(this[0])), (0, "latest")):
        if all(other <= this for other in there if other[:length] == this[:length]):
            found.append(name)
    return found


def main(arguments: list[str]) -> None:
    command = ["git", "tag", "--list", "v*"]
    tags = subprocess.run(command, cwd=facts.ROOT, check=True, capture_output=True, text=True).stdout.split()
    others = [tag.removeprefix("v") for tag in tags]
    match arguments:
        case ["--is-newest", version]:
            print("true" if "latest" in moving(version, others) else "false")
        case [version] if not version.startswith("-"):
            print("\n".join(moving(version, others)))
        case _:
            facts.fail("usage: tags.py [--is-newest] VERSION", facts.USAGE_ERROR)


if __name__ == "__main__":
    main(sys.argv[1:])
