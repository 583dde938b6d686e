"""How users get a release: the script, the page's commands, GitHub's action, the formula and mise's lines."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from documentation import blocks
from published_release import ARCHIVE, INSTALLER, MACHINES, address, published
from release_repository import NAMED, VERSION, ReleaseRepository
from server import REPOSITORY, clean_environment
from waiting import RUN_SECONDS
from workflow import Job

ACTION = REPOSITORY / "docker" / "actions" / "mynah"
RELEASES = "https://github.com/OWNER/mynah/releases"

__all__ = ["address", "published"]

pytestmark = pytest.mark.skipif(os.uname().machine not in MACHINES, reason="there is no program for this machine")


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder that comes first on the PATH."""
    folder = tmp_path / "commands"
    folder.mkdir()
    return folder


def stand_in(commands: Path, name: str, script: str) -> None:
    (commands / name).write_text(f"#!/bin/sh\n{script}\n")
    (commands / name).chmod(0o755)


def shell(commands: Path, command: str) -> subprocess.CompletedProcess[str]:
    home = commands.parent / "home"
    home.mkdir(exist_ok=True)
    environment = clean_environment(HOME=str(home), PATH=f"{commands}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return subprocess.run(
        ["sh", "-c", command],
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )


def install(commands: Path, address: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return shell(commands, " ".join(["sh", str(INSTALLER), "--from", f"{address}/download", *arguments]))


def test_the_page_s_command_installs_the_program(commands: Path, address: str) -> None:
    (command, *_) = blocks("InstallWithoutCompiling", "sh", "A program for any Linux")
    (readme,) = [line for line in blocks("README", "sh", "Install")[0].splitlines() if "install.sh" in line]
    assert re.sub(r"\s+#.*", "", readme) == command.strip()
    here = command.replace(RELEASES, address).replace("| sh", f"| sh -s -- --from {address}/download")
    done = shell(commands, here)
    home = commands.parent / "home"
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.splitlines() == [
        f"mynah {VERSION} is in {home}/.local/bin",
        f'{home}/.local/bin is not on the PATH: export PATH="{home}/.local/bin:$PATH"',
    ]
    assert [file.name for file in (home / ".local/bin").iterdir()] == ["mynah"]
    assert shell(commands, ".local/bin/mynah --version").stdout == f"{VERSION}\n"


def test_another_folder_and_version_are_named(commands: Path, address: str) -> None:
    folder = commands.parent / "a folder"
    done = install(commands, address, "--version", f"v{VERSION}", "--to", f"'{folder}'")
    assert done.returncode == 0, done
    # A second time it takes the place of the first.
    done = install(commands, address, "--to", f"'{folder}'")
    assert done.returncode == 0 and [file.name for file in folder.iterdir()] == ["mynah"], done


def test_a_file_that_was_changed_is_not_installed(commands: Path, address: str, published: Path) -> None:
    with (published / f"{ARCHIVE}.tar.gz").open("ab") as file:
        file.write(b"x")
    done = install(commands, address)
    told = f"mynah: {ARCHIVE}.tar.gz is not what was published: its checksum differs from that in mynah-{VERSION}.sha256\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)
    (published / f"mynah-{VERSION}.sha256").write_text("0123  another\n")
    done = install(commands, address)
    assert done.stderr == f"mynah: mynah-{VERSION}.sha256 has no checksum of {ARCHIVE}.tar.gz\n"
    assert not list((commands.parent / "home").iterdir())


@pytest.mark.parametrize(
    ("name", "script", "arguments", "told"),
    [
        ("uname", "echo Darwin", [], "there is no program for Darwin, only for Linux; the image runs there: ghcr.io/"),
        ("uname", '[ "$1" = -s ] && echo Linux || echo riscv64', [], "there is no program for riscv64: x86_64 or aarch64"),
        ("getconf", "exit 1", [], "this Linux has no glibc, as Alpine hasn't; the program needs 2.35 or later: use the"),
        ("getconf", "echo glibc 2.31", [], "glibc is 2.31 here; 2.35 or later is needed, as in Debian 12 and Ubuntu 22.04"),
        ("unused", "", ["--version", "9.9.9"], "/v9.9.9/mynah-9.9.9.sha256 could not be downloaded: is version 9.9.9"),
        ("unused", "", ["--version", "../../x"], "'../../x' is no version: one such as 0.1.0 was expected"),
        ("unused", "", ["--version"], "--version has no value: --version VERSION, --to FOLDER or --from ADDRESS was"),
        ("unused", "", ["--verison", "1"], "unknown option --verison: --version, --to or --from was expected"),
    ],
    ids=["macOS", "another machine", "musl", "an old glibc", "no such version", "no version", "no value", "no option"],
)
def test_what_it_cannot_install_is_said_in_one_line(
    commands: Path, address: str, name: str, script: str, arguments: list[str], told: str
) -> None:
    stand_in(commands, name, script)
    done = install(commands, address, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("mynah: ") and told in line, done.stderr
    assert not list((commands.parent / "home").iterdir())


# GitHub's action


@pytest.mark.parametrize("inputs", [{}, {"version": VERSION}], ids=["the action's own version", "a version"])
def test_the_action_downloads_the_program(tmp_path: Path, address: str, inputs: dict[str, str]) -> None:
    job = Job(tmp_path / "job")
    job.use(ACTION, **{"from": f"{address}/download"}, **inputs)
    try:
        assert not job.failed, job.output
        job.run([{"run": "mynah send --topic a.b --alert hi --to $(printf %064d 7) && mynah expect --topic a.b"}])
        assert not job.failed, job.output
    finally:
        job.use(ACTION / "finish")
    assert not job.failed, job.output


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"version": "9.9.9"}, "could not be downloaded: is version 9.9.9 published?"),
        ({"version": VERSION, "image": "mynah"}, "of version, binary and image one can be given, and there are: version image"),
    ],
)
def test_what_the_action_cannot_download_is_said(
    tmp_path: Path, address: str, inputs: dict[str, str], told: str
) -> None:
    job = Job(tmp_path / "job")
    job.use(ACTION, **{"from": f"{address}/download"}, **inputs)
    assert job.failed and "::error title=mynah::" in job.output and told in job.output, job.output
    assert job.environment == {}


# What is made of the checksums


@pytest.fixture
def gathered(tmp_path: Path) -> Path:
    repository = ReleaseRepository(tmp_path / "of-the-release")
    target = repository.folder / ".build/release"
    done = repository.run("docker/release/sets.py", "gather", target, *repository.all_sets())
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return target


def test_every_file_has_its_checksum(gathered: Path) -> None:
    sums = gathered / f"mynah-{VERSION}.sha256"
    listed = dict(line.split("  ")[::-1] for line in sums.read_text().splitlines())
    assert set(listed) == {file.name for file in gathered.iterdir()} - {sums.name}
    assert {"install.sh", "mynah.rb", "mise.toml", f"{ARCHIVE}.tar.gz", "mynah_x86_64.deb"} <= set(listed)
    done = subprocess.run(["sha256sum", "--check", "--quiet", sums.name], cwd=gathered, check=False)
    assert done.returncode == 0


def sum_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_formula_has_the_addresses_and_checksums(gathered: Path) -> None:
    text = (gathered / "mynah.rb").read_text()
    assert "@" not in text and f'version "{VERSION}"' in text
    found = re.findall(r'url "(.*)"\n    sha256 "(.*)"', text)
    names = [f"mynah-{VERSION}-linux-{machine}.tar.gz" for machine in MACHINES]
    address = f"https://github.com/{NAMED}/releases/download/v{VERSION}"
    assert found == [(f"{address}/{name}", sum_of(gathered / name)) for name in names]


def test_the_formula_is_ruby(gathered: Path) -> None:
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("there is no ruby")
    done = subprocess.run([ruby, "-wc", str(gathered / "mynah.rb")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Syntax OK\n", "")


def test_mise_has_the_names_and_checksums(gathered: Path) -> None:
    (named,) = tomllib.loads((gathered / "mise.toml").read_text())["tools"].items()
    assert named[0] == f"github:{NAMED}" and named[1]["version"] == VERSION
    assert named[1]["platforms"] == {
        platform: {"asset_pattern": name, "checksum": f"sha256:{sum_of(gathered / name)}"}
        for platform, name in (
            ("linux-x64", f"mynah-{VERSION}-linux-x86_64.tar.gz"),
            ("linux-arm64", f"mynah-{VERSION}-linux-aarch64.tar.gz"),
        )
    }


def test_the_page_names_what_there_is(gathered: Path) -> None:
    (use,) = [block for block in blocks("InstallWithoutCompiling", "sh") if "mise use" in block]
    assert "mise use github:OWNER/mynah\n" in use and "brew install OWNER/mynah/mynah\n" in use
    pip, pipx, uvx = blocks("InstallWithoutCompiling", "sh", "Python")[0].splitlines()
    project = tomllib.loads((REPOSITORY / "Sources/python/pyproject.toml").read_text())["project"]
    assert project["name"] == "mynah-apns"
    assert all(f" {project['name']} " in line for line in (pip, pipx, uvx))
