"""The scripts of the repository where something that they need is missing: what they say, with a PATH of stand-ins."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from server import REPOSITORY, binary
from waiting import RUN_SECONDS

TOOLS = ["basename", "cat", "dirname", "env", "grep", "id", "mkdir", "sed", "sh", "bash", "tr"]

Script = Callable[[Path], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder that is the whole PATH: a few tools, and what a test adds."""
    folder = tmp_path / "commands"
    folder.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found, tool
        (folder / tool).symlink_to(found)
    return folder


def add(commands: Path, name: str, script: str) -> None:
    (commands / name).unlink(missing_ok=True)
    (commands / name).write_text(f"#!/bin/sh\n{script}\n")
    (commands / name).chmod(0o755)


def run(commands: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(commands), "HOME": str(commands), **variables}
    return subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=RUN_SECONDS, check=False
    )


def serve(commands: Path) -> subprocess.CompletedProcess[str]:
    return run(commands, "sh", str(REPOSITORY / "Sources" / "serve.sh"))


def run_tests(commands: Path) -> subprocess.CompletedProcess[str]:
    return run(commands, "bash", str(REPOSITORY / "Tests" / "run.sh"), "build")


both = pytest.mark.parametrize(("script", "code"), [(serve, 1), (run_tests, 69)], ids=["serve.sh", "run.sh"])

BROKEN = "error while loading shared libraries: libncurses.so.6: cannot open shared object file"


def break_swift(commands: Path) -> None:
    """A Swift that does not start before apt-get has installed something, on a Debian that lacks all of it."""
    installed = commands.parent / "installed"
    version = "echo 'Swift version 6.1 (swift-6.1-RELEASE)'"
    add(commands, "swift", f"[ ! -e {installed} ] || {{ {version}; exit 0; }}; echo '{BROKEN}' >&2; exit 127")
    add(commands, "dpkg-query", "exit 1")
    add(commands, "apt-get", f'case "$*" in *install*) echo "$@" >{installed} ;; esac')


@both
def test_that_swift_is_missing(commands: Path, script: Script, code: int) -> None:
    done = script(commands)
    assert done.returncode == code, done
    assert done.stderr == "swift is not on the PATH; Swift 6.2 or later is at https://www.swift.org/install/linux/\n"


@both
@pytest.mark.parametrize(
    ("says", "told"),
    [("Swift version 6.1.2 (swift-6.1.2-RELEASE)", "6.1"), ("Swift version 5.10", "5.10")]
    + [("Python 3", "unknown, and says: Python 3")],
)
def test_that_swift_is_old(commands: Path, script: Script, code: int, says: str, told: str) -> None:
    add(commands, "swift", f"echo '{says}'")
    done = script(commands)
    assert done.returncode == code, done
    assert done.stderr == f"Swift 6.2 or later is needed; {commands}/swift is {told}\n"


@both
def test_which_packages_swift_lacks(commands: Path, script: Script, code: int) -> None:
    break_swift(commands)
    add(commands, "id", "echo 1000")
    done = script(commands)
    assert done.returncode == code, done
    why, remedy = done.stderr.splitlines()
    assert why == f"{commands}/swift does not start: {BROKEN}"
    assert remedy.startswith("Debian packages are missing; as root, run: apt-get install --no-install-recommends ")
    assert {"libncurses6", "libstdc++-12-dev", "libc6-dev"} <= set(remedy.split())


def test_packages_that_swift_lacks_are_installed_where_that_is_allowed(commands: Path) -> None:
    break_swift(commands)
    add(commands, "id", "echo 0")
    done = serve(commands)
    assert "libncurses6" in (commands.parent / "installed").read_text()
    # Then it starts, and is too old.
    assert done.stderr.splitlines()[-1] == f"Swift 6.2 or later is needed; {commands}/swift is 6.1"


def test_that_apt_get_is_missing(commands: Path) -> None:
    break_swift(commands)
    (commands / "apt-get").unlink()
    done = serve(commands)
    assert done.returncode == 1
    assert "Debian packages are missing, and there is no apt-get to install them with: " in done.stderr


# Recorded versions of packages


def toolchain(folder: Path, call: str) -> subprocess.CompletedProcess[str]:
    script = f". {REPOSITORY}/Sources/toolchain.sh && {call}"
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, capture_output=True, text=True, timeout=RUN_SECONDS, check=False
    )


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with recorded versions."""
    (tmp_path / "docker").mkdir()
    (tmp_path / ".build").mkdir()
    recorded = "# Versions.\nhttps://example.com/a/One.git 1.2.3\nhttps://example.com/b/two 4.5.6\n"
    (tmp_path / "docker" / "packages.versions").write_text(recorded)
    return tmp_path


def test_recorded_versions_are_what_swiftpm_is_to_take(package: Path) -> None:
    done = toolchain(package, "pin_packages .")
    assert (done.returncode, done.stderr) == (0, "")
    pins = json.loads((package / "Package.resolved").read_text())["pins"]
    assert [(pin["identity"], pin["location"], pin["state"]) for pin in pins] == [
        ("one", "https://example.com/a/One.git", {"version": "1.2.3"}),
        ("two", "https://example.com/b/two", {"version": "4.5.6"}),
    ]
    # Who has chosen versions keeps them.
    (package / "Package.resolved").write_text("chosen")
    assert toolchain(package, "pin_packages .").returncode == 0
    assert (package / "Package.resolved").read_text() == "chosen"


def test_other_versions_than_the_recorded_ones_are_told(package: Path) -> None:
    def resolved(two: str) -> None:
        versions = {"https://example.com/b/two": two, "https://example.com/a/One.git": "1.2.3"}
        pins = [{"location": each, "state": {"revision": "c0ffee", "version": versions[each]}} for each in versions]
        text = json.dumps({"originHash": "1", "pins": pins, "version": 3}, indent=2, separators=(",", " : "))
        (package / "Package.resolved").write_text(text)

    resolved("4.5.6")
    assert toolchain(package, "check_packages .").returncode == 0
    resolved("4.6.0")
    done = toolchain(package, "check_packages .")
    assert done.returncode == 1
    assert "< https://example.com/b/two 4.5.6" in done.stderr and "> https://example.com/b/two 4.6.0" in done.stderr
    assert "docker/packages.versions" in done.stderr


# The release


def test_a_build_leaves_the_variables_of_its_script_alone(commands: Path) -> None:
    add(commands, "swift", '[ "$1" = --version ] && echo "Swift version 6.2" || echo built')
    add(commands, "dpkg-query", "echo installed")
    folder = commands.parent / "package"
    folder.mkdir()
    (folder / "Package.resolved").write_text("{}")
    script = f'. {REPOSITORY}/Sources/toolchain.sh; build_release {folder}; echo "$folder $version"'
    done = run(commands, "sh", "-c", f"folder=mine; version=mine; {script}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "mine mine\n", "built\n")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """What decides whether a version may be published, around a program that only has one."""
    folder = tmp_path / "repository"
    for path in ("docker/release", "Sources/toolchain.sh"):
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.symlink_to(REPOSITORY / path)
    (folder / ".github").mkdir()
    (folder / ".github" / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 0.3.0 (unreleased)\n\n- Third.\n\n"
        "## 0.2.0 (2026-11-23)\n\n- Second.\n- More.\n\n## 0.1.9 (2026)\n"
    )
    return folder


def release(repository: Path, commands: Path, version: str, tag: str | None) -> subprocess.CompletedProcess[str]:
    for tool in ("awk", "realpath", "mktemp", "rm", "uname"):
        if not (commands / tool).exists():
            (commands / tool).symlink_to(shutil.which(tool) or tool)
    add(commands, "mynah", f"echo {version}")
    add(commands, "ldd", 'printf "\\tlibc.so.6 => /lib/libc.so.6 (0x1)\\n\\tlibssl.so.3 => /lib/libssl.so.3 (0x2)\\n"')
    build = [str(repository / "docker/release/build.sh"), "--mynah", str(commands / "mynah"), str(repository / "dist")]
    variables = {"SOURCE_DATE_EPOCH": "0"} | ({"RELEASE_TAG": tag} if tag else {})
    return run(commands, "bash", *build, **variables)


@pytest.mark.parametrize(
    ("version", "tag", "told"),
    [
        ("0.2.0", "v0.3.0", "the tag v0.3.0 is not that of version 0.2.0: v0.2.0 was expected"),
        ("0.4.0", "v0.4.0", ".github/CHANGELOG.md has no section '## 0.4.0 (DATE)'"),
        ("0.2", None, ".github/CHANGELOG.md has no section '## 0.2 (DATE)'"),
        ("0.1.9", None, ".github/CHANGELOG.md says nothing of version 0.1.9"),
        (
            "0.3.0",
            "v0.3.0",
            ".github/CHANGELOG.md has no date of version 0.3.0: '## 0.3.0 (YYYY-MM-DD)' was expected",
        ),
        ("0.3.0", None, "/mynah needs more than glibc: libssl.so.3"),
        ("0.2.0", "v0.2.0", "/mynah needs more than glibc: libssl.so.3"),
    ],
)
def test_what_a_release_is_refused_for(
    repository: Path, commands: Path, version: str, tag: str | None, told: str
) -> None:
    done = release(repository, commands, version, tag)
    assert done.returncode == 65, done
    assert done.stderr.splitlines()[-1].endswith(told)


def test_the_notes_of_a_release_are_its_section_of_the_changelog(repository: Path) -> None:
    done = run_notes(repository, "0.2.0")
    assert (done.returncode, done.stdout) == (0, "- Second.\n- More.\n\n")
    done = run_notes(repository, "2.0")
    assert (done.returncode, done.stdout) == (65, "")


def run_notes(repository: Path, version: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(repository / "docker" / "release" / "notes.sh"), version]
    return subprocess.run(command, capture_output=True, text=True, timeout=RUN_SECONDS, check=False)


def test_the_version_is_the_same_everywhere() -> None:
    version = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    places = {
        ".github/CHANGELOG.md": r"^## (\S+) ",
        "Sources/java/pom.xml": r"^  <version>(.*)</version>$",
        "Sources/node/package.json": r'^  "version": "(.*)",$',
        "Sources/python/pyproject.toml": r'^version = "(.*)"$',
        "docker/Dockerfile": r"^ARG VERSION=(.*)$",
        "docker/bake.hcl": r'default = "v(\d.*)"$',
        "docker/deb/changelog": r"^mynah \((.*?)\) ",
    }
    for path, pattern in places.items():
        found = re.search(pattern, (REPOSITORY / path).read_text(), re.MULTILINE)
        assert found and found[1] == version, path
