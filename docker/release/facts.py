#!/usr/bin/env python3
"""The version and the repository, which many files name: prints them, or writes others into all of these files.

    docker/release/facts.py version [0.2.0]
    docker/release/facts.py repository [OWNER/NAME]

A pre-release is 0.2.0-rc.1. Until a repository is named, the files have OWNER/mynah in its place.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
USAGE_ERROR, DATA_ERROR = 64, 65

# What a semantic version may be here: what the version numbers of all package managers can say.
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-rc\.(\d+))?")
PLACEHOLDER = "OWNER/mynah"


def semantic(version: str) -> str:
    return version


def python(version: str) -> str:
    """As PEP 440 spells it."""
    return version.replace("-rc.", "rc")


def debian(version: str) -> str:
    """Sorts before the version that it leads to."""
    return version.replace("-", "~")


def ruby(version: str) -> str:
    return version.replace("-rc.", ".rc")


# Each file that has the version, the pattern around it, which may be there more than once, and how it is spelled there.
Spelling = Callable[[str], str]
NODE_ARCHIVE = r"\bmynah-(\d\S*)\.tgz"
ACTION_OR_IMAGE = r"(?:docker/actions/mynah(?:/finish)?@v|image: ghcr\.io/[^:\s]+:)(\S+)$"
VERSIONS: dict[str, tuple[str, Spelling]] = {
    "Sources/MynahControl/Metrics/MetricsDocument.swift": (r'public static let current = "(.*)"', semantic),
    "Sources/python/pyproject.toml": (r'^version = "(.*)"$', python),
    "docker/Dockerfile": (r"^ARG VERSION=(.*)$", semantic),
    "docker/release/install.sh": (r"^version=(.*)$", semantic),
    "docker/actions/example-workflow.yml": (ACTION_OR_IMAGE, semantic),
    "Sources/Mynah/Mynah.docc/HowTo/InstallWithoutCompiling.md": (r"^version=(.*)$", semantic),
    "Sources/Mynah/Mynah.docc/HowTo/RunInCI.md": (ACTION_OR_IMAGE, semantic),
}
# Packages of languages, of which any may be missing.
PACKAGES: dict[str, tuple[str, Spelling]] = {
    "Sources/java/pom.xml": (r"^  <version>(.*)</version>$", semantic),
    "Sources/java/src/main/java/mynah/Words.java": (r'^    static final String VERSION = "(.*)";$', semantic),
    "Sources/Mynah/Mynah.docc/Tutorials/TestAProviderInJava.md": (r"^  <version>(.*)</version>$", semantic),
    "Sources/node/package.json": (r'^  "version": "(.*)",$', semantic),
    "Sources/node/lib/words.js": (r'^const version = "(.*)";$', semantic),
    "Sources/node/README.md": (NODE_ARCHIVE, semantic),
    "Sources/Mynah/Mynah.docc/HowTo/UseTheNodePackage.md": (NODE_ARCHIVE, semantic),
    "Sources/Mynah/Mynah.docc/Tutorials/TestAProviderInNode.md": (NODE_ARCHIVE, semantic),
    "Sources/go/words.go": (r'^const Version = "(.*)"$', semantic),
    "Sources/php/composer.json": (r'^    "version": "(.*)",$', semantic),
    "Sources/php/src/Words.php": (r"^    public const VERSION = '(.*)';$", semantic),
    "Sources/ruby/README.md": (r"\bmynah-apns-(\d\S*)\.gem\b", ruby),
    "Sources/ruby/mynah-apns.gemspec": (r'^  gem\.version = "(.*)"$', semantic),
    "Sources/ruby/lib/mynah/words.rb": (r'^    VERSION = "(.*)"$', semantic),
}


def places() -> dict[str, tuple[str, Spelling]]:
    """All files that have the version."""
    return VERSIONS | {path: place for path, place in PACKAGES.items() if (ROOT / path).exists()}


def version() -> str:
    """The version in the sources of the program."""
    path = next(iter(VERSIONS))
    found = re.search(VERSIONS[path][0], (ROOT / path).read_text())
    if not found:
        fail(f"{path} has no version: a line with 'public static let current' was expected")
    return found[1]


def set_version(new: str) -> None:
    texts = {}
    for path, (pattern, spelling) in places().items():
        written = spelling(new)
        before = (ROOT / path).read_text()
        texts[path], count = re.subn(pattern, lambda found: with_group(found, written), before, flags=re.MULTILINE)
        if count == 0:
            fail(f"{path} has no version: one was expected, by the pattern {pattern}")
    for path, text in texts.items():
        (ROOT / path).write_text(text)


def with_group(found: re.Match[str], text: str) -> str:
    """What was found, with another text in place of the first group."""
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    return found[0][:start] + text + found[0][end:]


def repository() -> str:
    """Its owner and name, as the installation script has them."""
    found = re.search(r"^repository=(.*)$", (ROOT / "docker/release/install.sh").read_text(), re.M)
    if not found:
        fail("docker/release/install.sh has no line 'repository=OWNER/NAME'")
    return found[1]


def spellings(owner_and_name: str) -> list[str]:
    """The forms in which files name a repository: the address of an image, of the site, of the owner, Java's, and the plain one."""
    owner, name = owner_and_name.split("/")
    return [
        f"ghcr.io/{owner}/{name}" if owner == "OWNER" else f"ghcr.io/{owner}/{name}".lower(),
        f"{owner}.github.io/{name}",
        f"{owner}@users.noreply.github.com",
        f"io.github.{owner}",
        f"{owner}/homebrew-{name}",
        f"{owner}/{name}",
    ]


def set_repository(new: str) -> None:
    old = spellings(repository())
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for path in filter(None, tracked.decode().split("\0")):
        file = ROOT / path
        # This file explains the placeholder.
        if file == Path(__file__).resolve() or file.is_symlink():
            continue
        content = file.read_bytes()
        changed = content
        for before, after in zip(old, spellings(new)):
            changed = changed.replace(before.encode(), after.encode())
        if changed != content:
            file.write_bytes(changed)


def fail(message: str, code: int = DATA_ERROR) -> None:
    print(message, file=sys.stderr)
    sys.exit(code)


def main(arguments: list[str]) -> None:
    match arguments:
        case ["version"]:
            print(version())
        case ["version", new]:
            if not VERSION.fullmatch(new):
                fail(f"'{new}' is no version: 1.2.3 or 1.2.3-rc.4 was expected", USAGE_ERROR)
            set_version(new)
        case ["repository"]:
            print(repository())
        case ["repository", new]:
            if not re.fullmatch(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+", new):
                fail(f"'{new}' is no repository: OWNER/NAME was expected", USAGE_ERROR)
            set_repository(new)
        case _:
            fail("usage: facts.py version [NEW], or facts.py repository [OWNER/NAME]", USAGE_ERROR)


if __name__ == "__main__":
    main(sys.argv[1:])
