"""The languages that have a package: how its player is run, and what it needs."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from server import REPOSITORY, clean_environment
from vectors import Player
from waiting import RUN_SECONDS

# Debian's.
JUNIT = [
    Path("/usr/share/java") / f"{name}.jar"
    for name in (
        "junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params", "junit-platform-commons",
        "junit-platform-console", "junit-platform-engine", "junit-platform-launcher", "junit-platform-reporting",
        "apiguardian-api", "opentest4j", "opentest4j-reporting-events", "picocli", "univocity-parsers",
    )
]  # fmt: skip
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
    install: Callable[[Path], None] | None = None
    # The same for files.
    files: tuple[Path, ...] = ()

    @property
    def missing(self) -> list[str]:
        """The programs and files that are not there."""
        programs = [program for program in self.programs if shutil.which(program) is None]
        return [*programs, *(str(file) for file in self.files if not file.exists())]


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


@cache
def java_archive() -> Path:
    """The archive of the Java package in a Maven repository, which each worker makes once."""
    folder = Path(tempfile.mkdtemp(prefix="mynah-java-"))
    atexit.register(shutil.rmtree, folder)
    return Path(run(str(REPOSITORY / "Sources" / "java" / "archive.sh"), str(folder), cwd=folder).strip())


def install_java(folder: Path) -> None:
    """Puts the archive of the Java package beside JUnit's into `lib`."""
    library = folder / "lib"
    library.mkdir()
    library.joinpath("mynah.jar").symlink_to(java_archive())
    for jar in JUNIT:
        library.joinpath(jar.name).symlink_to(jar)


def java(folder: Path) -> Player:
    """The Java package, from its archive."""
    archive = java_archive()
    run("javac", "-J-XX:TieredStopAtLevel=1", "-Xlint:all", "-Werror", "-cp", str(archive), "-d", ".", str(PLAYERS / "Player.java"), cwd=folder)
    return Player(["java", "-XX:TieredStopAtLevel=1", "-cp", f"{archive}{os.pathsep}.", "Player"], folder)


LANGUAGES = (
    Language("python", (), python),
    Language("node", ("node", "npm"), node, install=install_node),
    Language("java", ("java", "javac", "jar"), java, is_typed=True, install=install_java, files=tuple(JUNIT)),
)
