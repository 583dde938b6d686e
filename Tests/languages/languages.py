"""The languages that have a package: how its player is run, and what it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from server import REPOSITORY, clean_environment
from vectors import Player
from waiting import RUN_SECONDS

PLAYERS = Path(__file__).resolve().parent / "players"


@dataclass(frozen=True)
class Language:
    """A language with a package in `Sources`."""

    name: str
    # Without one of these programs its tests are skipped.
    programs: tuple[str, ...]
    # Makes the player ready in an empty folder, with the package as its users install it.
    prepare: Callable[[Path], Player]
    # Whether its compiler refuses a wrong name or type, so that such vectors are not played.
    is_typed: bool = False
    # Installs the package into the folder of a project, as a page says.
    install: Callable[[Path], object] | None = None

    @property
    def missing(self) -> list[str]:
        """The programs that are not there."""
        return [program for program in self.programs if shutil.which(program) is None]


def of_each_language() -> list[Any]:
    """The languages as parameters of a test; one worker has the tests of a language, and its player."""
    return [
        pytest.param(language, id=language.name, marks=pytest.mark.xdist_group(language.name)) for language in LANGUAGES
    ]


def run(*command: str, cwd: Path, **environment: str) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run(
        command, cwd=cwd, env=clean_environment(**environment), stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=RUN_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def python(folder: Path) -> Player:
    """The Python package, from its folder."""
    package = str(REPOSITORY / "Sources" / "python")
    return Player([sys.executable, str(PLAYERS / "player.py")], folder, PYTHONPATH=package)


def npm(folder: Path, *arguments: str) -> str:
    """npm without a network, and without what is in the user's home."""
    quiet = ("--offline", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
    return run("npm", *arguments, *quiet, cwd=folder, HOME=str(folder), npm_config_cache=str(folder / "npm-cache"))


def install_node(folder: Path) -> None:
    """Installs the Node package from its archive into a project in the folder."""
    [archive] = npm(folder, "pack", str(REPOSITORY / "Sources" / "node")).split()
    if not (folder / "package.json").exists():
        (folder / "package.json").write_text('{"private": true}\n')
    npm(folder, "install", f"./{archive}")


def node(folder: Path) -> Player:
    """The Node package, from its archive."""
    install_node(folder)
    shutil.copy(PLAYERS / "player.mjs", folder)
    return Player(["node", "player.mjs"], folder)


def install_java(folder: Path) -> Path:
    """Makes the archive of the Java package in a Maven repository in the folder."""
    archive = run(str(REPOSITORY / "Sources" / "java" / "archive.sh"), "repository", cwd=folder)
    return folder / archive.strip()


def java(folder: Path) -> Player:
    """The Java package, from its archive."""
    archive = install_java(folder)
    run("javac", "-Xlint:all", "-Werror", "-cp", str(archive), "-d", ".", str(PLAYERS / "Player.java"), cwd=folder)
    return Player(["java", "-XX:TieredStopAtLevel=1", "-cp", f"{archive}{os.pathsep}.", "Player"], folder)


LANGUAGES = (
    Language("python", (), python),
    Language("node", ("node", "npm"), node, install=install_node),
    Language("java", ("java", "javac", "jar"), java, is_typed=True, install=install_java),
)
