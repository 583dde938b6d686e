"""The version and the repository in all files that have them, and the tags that move with a version."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from release_repository import NAMED, VERSION, ReleaseRepository, facts
from server import REPOSITORY, binary

sys.path.insert(0, str(REPOSITORY / "docker" / "release"))
import tags  # noqa: E402


@pytest.fixture
def repository(tmp_path: Path) -> ReleaseRepository:
    return ReleaseRepository(tmp_path)


def test_the_version_is_the_same_everywhere() -> None:
    told = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert told == VERSION
    for path, (pattern, spelling) in facts.places().items():
        found = set(re.findall(pattern, (REPOSITORY / path).read_text(), re.MULTILINE))
        assert found == {spelling(VERSION)}, path
    newest = re.search(r"^## (\S+) ", (REPOSITORY / ".github/CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest and newest[1] == VERSION


def test_one_command_writes_a_version_into_all_files(repository: ReleaseRepository) -> None:
    before = {path: (repository.folder / path).read_text() for path in facts.places()}
    done = repository.run("docker/release/facts.py", "version", "1.20.3-rc.4")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert repository.run("docker/release/facts.py", "version").stdout == "1.20.3-rc.4\n"
    python = (repository.folder / "Sources/python/pyproject.toml").read_text()
    assert '\nversion = "1.20.3rc4"\n' in python
    for path, text in before.items():
        assert (repository.folder / path).read_text().count("\n") == text.count("\n")
    repository.run("docker/release/facts.py", "version", VERSION)
    assert {path: (repository.folder / path).read_text() for path in facts.places()} == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["version", "1.2"], "'1.2' is no version: 1.2.3 or 1.2.3-rc.4 was expected"),
        (["version", "1.2.3-beta"], "'1.2.3-beta' is no version: 1.2.3 or 1.2.3-rc.4 was expected"),
        (["repository", "mynah"], "'mynah' is no repository: OWNER/NAME was expected"),
        (["release"], "usage: facts.py version [NEW], or facts.py repository [OWNER/NAME]"),
    ],
)
def test_what_is_no_version_or_repository_is_refused(
    repository: ReleaseRepository, arguments: list[str], told: str
) -> None:
    done = repository.run("docker/release/facts.py", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (64, "", told + "\n")
    assert repository.git("status", "--porcelain") == ""


def test_one_command_names_the_repository_in_all_files(repository: ReleaseRepository) -> None:
    done = repository.run("docker/release/facts.py", "repository", "Some-One/mynah")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert repository.run("docker/release/facts.py", "repository").stdout == "Some-One/mynah\n"
    text = (repository.folder / "docker/actions/example-workflow.yml").read_text()
    # Images have no capital letters.
    assert "image: ghcr.io/some-one/mynah:" in text and "uses: Some-One/mynah/docker/actions/mynah@v" in text
    assert "OWNER" not in text and NAMED not in text
    assert "Some-One@users.noreply.github.com" in (repository.folder / "docker/deb/build.sh").read_text()


def test_all_files_name_the_same_repository() -> None:
    repository = facts.repository()
    owner = repository.split("/")[0]
    tracked = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout
    readers = ("README.md", ".github/", "docker/", "Sources/python/", "Sources/node/", "Sources/Mynah/Mynah.docc/")
    for path in tracked.splitlines():
        if path.startswith(readers) and not path.endswith(".png") and path != "docker/release/facts.py":
            text = (REPOSITORY / path).read_text()
            for found in re.findall(r"(?:github\.com|ghcr\.io)/([\w-]+)/mynah\b|([\w-]+)\.github\.io/mynah\b", text):
                assert (found[0] or found[1]).lower() == owner.lower(), path


@pytest.mark.parametrize(
    ("version", "others", "moving"),
    [
        ("0.1.0", [], ["0.1.0", "0.1", "0", "latest"]),
        ("0.1.1", ["0.1.0", "0.1.1"], ["0.1.1", "0.1", "0", "latest"]),
        ("0.1.2", ["0.1.1", "0.2.0"], ["0.1.2", "0.1"]),
        ("0.9.1", ["0.9.0", "0.10.0"], ["0.9.1", "0.9"]),
        ("0.3.0", ["0.2.0", "1.0.0"], ["0.3.0", "0.3", "0"]),
        ("1.0.0", ["0.9.0", "1.1.0-rc.1", "no version"], ["1.0.0", "1.0", "1", "latest"]),
        ("0.1.0", ["0.1.1"], ["0.1.0"]),
        ("1.0.0-rc.1", ["0.9.0"], ["1.0.0-rc.1"]),
    ],
)
def test_only_the_newest_version_of_its_line_moves_a_tag(version: str, others: list[str], moving: list[str]) -> None:
    assert tags.moving(version, others) == moving


def test_the_tags_are_those_of_the_repository(repository: ReleaseRepository) -> None:
    assert repository.run("docker/release/tags.py", "--is-newest", VERSION).stdout == "true\n"
    repository.git("tag", "v99.0.0")
    assert repository.run("docker/release/tags.py", "--is-newest", VERSION).stdout == "false\n"
    assert repository.run("docker/release/tags.py", "99.0.0").stdout == "99.0.0\n99.0\n99\nlatest\n"
    assert repository.run("docker/release/tags.py").returncode == 64
