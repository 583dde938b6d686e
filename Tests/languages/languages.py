"""The languages that have a package: how its player is run, and what it needs."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
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
    # The variables of a project in a folder, in which its programs find the package.
    variables: Callable[[Path], dict[str, str]] = lambda folder: {}
    # Libraries that its pages use: without one of these commands they are skipped.
    libraries: tuple[tuple[str, ...], ...] = ()
    # Programs that its pages run, and others don't.
    runs: frozenset[str] = frozenset()
    # Files without which its tests are skipped, too.
    files: tuple[Path, ...] = ()

    @property
    def missing(self) -> list[str]:
        """The programs and files that are not there."""
        programs = [program for program in self.programs if shutil.which(program) is None]
        return [*programs, *(str(file) for file in self.files if not file.exists())]

    @property
    def missing_libraries(self) -> list[str]:
        """The commands that fail."""
        return [
            " ".join(command)
            for command in self.libraries
            if subprocess.run(command, capture_output=True, check=False).returncode != 0
        ]


def of_each_language() -> list[Any]:
    """The languages as parameters of a test; one worker has the tests of a language, and its player."""
    return [
        pytest.param(language, id=language.name, marks=pytest.mark.xdist_group(language.name)) for language in LANGUAGES
    ]


def run(*command: str, cwd: Path, **environment: str) -> str:
    """The output of a command that must succeed."""
    return run_with_errors(*command, cwd=cwd, **environment)[0]


def run_with_errors(*command: str, cwd: Path, **environment: str) -> tuple[str, str]:
    """The output of a command that must succeed, and what it wrote to standard error."""
    done = subprocess.run(
        command, cwd=cwd, env=clean_environment(**environment), stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=RUN_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


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


def ruby_variables(folder: Path) -> dict[str, str]:
    """Gems in a folder of the project, beside those of the system."""
    gems = folder / "gems"
    return {"GEM_HOME": str(gems), "GEM_PATH": os.pathsep.join([str(gems), *system_gems()]), "HOME": str(folder)}


@functools.cache
def system_gems() -> list[str]:
    """The folders of the gems of the system."""
    return run("ruby", "-e", "puts Gem.path", cwd=REPOSITORY).split()


def install_ruby(folder: Path) -> None:
    """Installs the gem from its archive, for a project in the folder."""
    sources = REPOSITORY / "Sources" / "ruby"
    archive = folder / "mynah-apns.gem"
    run("gem", "build", "mynah-apns.gemspec", "--output", str(archive), cwd=sources)
    run("gem", "install", "--local", "--no-document", archive.name, cwd=folder, **ruby_variables(folder))


def ruby(folder: Path) -> Player:
    """The Ruby package, from its archive."""
    install_ruby(folder)
    shutil.copy(PLAYERS / "player.rb", folder)
    return Player(["ruby", "-W", "player.rb"], folder, **ruby_variables(folder))


# Where `toolchains.sh` puts Go, if it isn't there already; what it has built is kept, which takes long the first time.
GO_FOLDER = REPOSITORY / ".build" / "go"
# Names a repository in the end; the version comes from the archive.
GO_MODULE = (REPOSITORY / "Sources" / "go" / "go.mod").read_text().split()[1]
_go_modules = tempfile.TemporaryDirectory(prefix="mynah-go-modules-", ignore_cleanup_errors=True)
GO_VARIABLES = {
    # So that what it installs can be removed.
    "GOFLAGS": "-modcacherw",
    "GOCACHE": str(GO_FOLDER / "cache"),
    "GOENV": "off",
    "GOMODCACHE": _go_modules.name,
    "GOPROXY": "off",
    "GONOSUMDB": GO_MODULE,
    "GOTOOLCHAIN": "local",
}
if (GO_FOLDER / "go" / "bin").exists():
    os.environ["PATH"] = f"{GO_FOLDER / 'go' / 'bin'}{os.pathsep}{os.environ['PATH']}"
os.environ.update(GO_VARIABLES)


def install_go(folder: Path) -> None:
    """Makes the Go package of its archive a requirement of a module in the folder."""
    archive = folder.parent / f"{folder.name}-archive"
    run(str(REPOSITORY / "Sources" / "go" / "pack.sh"), str(archive), cwd=folder)
    if not (folder / "go.mod").exists():
        run("go", "mod", "init", "example.com/provider", cwd=folder)
    run("go", "get", f"{GO_MODULE}@latest", cwd=folder, GOPROXY=archive.as_uri())


def go(folder: Path) -> Player:
    """The Go package, from its archive."""
    install_go(folder)
    shutil.copy(PLAYERS / "player.go", folder)
    run("go", "build", "-o", "player", "player.go", cwd=folder)
    return Player(["./player"], folder)


# Debian's.
JUNIT = tuple(
    Path("/usr/share/java") / f"{name}.jar"
    for name in (
        "junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params", "junit-platform-commons",
        "junit-platform-console", "junit-platform-engine", "junit-platform-launcher", "junit-platform-reporting",
        "apiguardian-api", "opentest4j", "opentest4j-reporting-events", "picocli", "univocity-parsers",
    )
)  # fmt: skip
_maven_repository = tempfile.TemporaryDirectory(prefix="mynah-maven-", ignore_cleanup_errors=True)


@functools.cache
def java_archive() -> Path:
    """The archive of the Java package in a Maven repository, which each worker makes once."""
    script = str(REPOSITORY / "Sources" / "java" / "archive.sh")
    return Path(run(script, _maven_repository.name, cwd=REPOSITORY).strip())


def install_java(folder: Path) -> None:
    """Puts the archive of the Java package beside JUnit's into `lib`."""
    library = folder / "lib"
    library.mkdir()
    library.joinpath("mynah.jar").symlink_to(java_archive())
    for jar in JUNIT:
        library.joinpath(jar.name).symlink_to(jar)


def javac(folder: Path, *arguments: str) -> None:
    """Compiles for Java 11, without warnings."""
    # Debian's jars name others that it hasn't.
    strict = ("--release", "11", "-Xlint:all,-path", "-Werror")
    run("javac", "-J-XX:TieredStopAtLevel=1", *strict, *arguments, cwd=folder)


def java(folder: Path) -> Player:
    """The Java package, from its archive."""
    archive = java_archive()
    javac(folder, "-cp", str(archive), "-d", ".", str(PLAYERS / "Player.java"))
    return Player(["java", "-XX:TieredStopAtLevel=1", "-cp", f"{archive}{os.pathsep}.", "Player"], folder)


def install_php(folder: Path) -> None:
    """Installs the PHP package from its archive into a project in the folder, as Composer does with a path."""
    package = REPOSITORY / "Sources" / "php"
    archive = folder / "mynah-apns.tar"
    vendor = folder / "vendor"
    target = vendor / "mynah" / "apns"
    target.mkdir(parents=True)
    run("tar", "-cf", str(archive), ".", cwd=package)
    run("tar", "-xf", str(archive), cwd=target)
    (vendor / "autoload.php").write_text("<?php\n\nrequire __DIR__ . '/mynah/apns/autoload.php';\n")


def php(folder: Path) -> Player:
    """The PHP package, from its archive."""
    install_php(folder)
    shutil.copy(PLAYERS / "player.php", folder)
    return Player(["php", "-d", "display_errors=stderr", "player.php"], folder)


LANGUAGES = (
    Language("python", (), python),
    Language("node", ("node", "npm"), node, install=install_node),
    Language(
        "ruby", ("ruby", "gem", "rspec"), ruby, install=install_ruby, variables=ruby_variables,
        libraries=(("ruby", "-e", "require 'http/2'"),),
    ),
    Language("go", ("go",), go, is_typed=True, install=install_go, runs=frozenset({"go"})),
    Language(
        "java", ("java", "javac", "jar"), java, is_typed=True, install=install_java, files=JUNIT,
        libraries=(("ls", "/usr/share/java/spring3-context.jar"),),
    ),
    Language(
        "php", ("php", "phpunit"), php, install=install_php,
        libraries=(("php", "-r", "exit(extension_loaded('curl') ? 0 : 1);"),),
    ),
)
