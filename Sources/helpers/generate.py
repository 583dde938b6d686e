#!/usr/bin/env python3
"""Makes the files of the packages that follow from the program: writes them, or with `--check` compares them.

The tables of calls on the pages about the packages are among them (`pages.py`).

Each language has a template, a module here with a function `modules`, which gives each file and its text. It gets the
program's own description (`description.py`) and the calls that all packages have (`operations.py`).

Runs the program `mynah` (`MYNAH_BINARY`, or from the `PATH`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import go_package
import java_package
import node_package
import pages
import php_package
import python_package
import ruby_package
import swift_package
from description import Description

# One for each language, and the pages about them.
TEMPLATES = (
    python_package,
    node_package,
    go_package,
    java_package,
    ruby_package,
    php_package,
    swift_package,
    pages,
)


def modules(url: str, binary: str) -> Iterator[tuple[Path, str]]:
    """The files that follow from others, and their texts, of a running server and its program."""
    told = Description(url, binary)
    for template in TEMPLATES:
        yield from template.modules(told)


# In the first lines of each file that is made as a whole, in whatever words of its language.
MARK = "Sources/helpers/generate.py"
MARKED_LINES = 5


def left_over(made: set[Path]) -> list[Path]:
    """Files that were made once, beside those that are made now: of a schema that is gone, or has another name."""
    files = {file for folder in {path.parent for path in made} if folder.exists() for file in folder.iterdir()}
    return sorted(file for file in files - made if file.is_file() and is_marked(file))


def is_marked(file: Path) -> bool:
    return any(MARK in line for line in file.read_text().splitlines()[:MARKED_LINES])


def main() -> int:
    binary = os.environ.get("MYNAH_BINARY", "mynah")
    if "MYNAH_URL" not in os.environ:
        # Its keys are nobody's.
        with tempfile.TemporaryDirectory() as folder:
            again = ["env", f"MYNAH_BINARY={binary}", sys.executable, *sys.argv]
            command = [binary, "exec", "--state-dir", folder, "--", *again]
            others = {name: value for name, value in os.environ.items() if name != "MYNAH_BINARY"}
            return subprocess.run(command, env=others, check=False).returncode
    is_check = sys.argv[1:] == ["--check"]
    made = dict(modules(os.environ["MYNAH_URL"], binary))
    different = [(path, text) for path, text in made.items() if not path.exists() or path.read_text() != text]
    surplus = left_over(set(made))
    for path, text in different:
        print(f"{path.name} {'differs' if is_check else 'is changed'}")
        if not is_check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for path in surplus:
        print(f"{path.name} {'follows from nothing any more' if is_check else 'is removed'}")
        if not is_check:
            path.unlink()
    return 1 if is_check and (different or surplus) else 0


if __name__ == "__main__":
    sys.exit(main())
