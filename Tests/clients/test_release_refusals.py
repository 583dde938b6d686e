"""What the scripts of a release refuse, in one line and before anything is made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from release_repository import CHANGELOG, NAMED, VERSION, ReleaseRepository

TAG = f"v{VERSION}"
# Tools that are there wherever these tests run; the others would be asked for as well.
TOOLS = "git python3 tar"


@pytest.fixture
def repository(tmp_path: Path) -> ReleaseRepository:
    return ReleaseRepository(tmp_path)


def preflight(repository: ReleaseRepository, **variables: str) -> tuple[int, list[str]]:
    """How it ends, and the lines that it says; RELEASE_TAG is left out where it is empty."""
    given = {"RELEASE_TAG": TAG, "RELEASE_TOOLS": TOOLS, "RELEASE_MEGABYTES_MIN": "1"} | variables
    done = repository.run("docker/release/preflight.sh", **{name: value for name, value in given.items() if value})
    assert done.stdout == ""
    return done.returncode, done.stderr.splitlines()


def test_what_can_be_published_is_not_refused(repository: ReleaseRepository) -> None:
    assert preflight(repository) == (0, [])
    assert preflight(repository, RELEASE_TAG="") == (0, [])


def write_changelog(text: str) -> Callable[[ReleaseRepository], None]:
    def write(repository: ReleaseRepository) -> None:
        repository.write(".github/CHANGELOG.md", text)
        repository.tag_again()

    return write


def leave_as_it_is(repository: ReleaseRepository) -> None:
    pass


def move_on(repository: ReleaseRepository) -> None:
    repository.commit()


def change(repository: ReleaseRepository) -> None:
    repository.write("docker/packages.versions", "changed\n")


def add_a_file(repository: ReleaseRepository) -> None:
    repository.write("new.txt", "new\n")


def forget_the_name(repository: ReleaseRepository) -> None:
    text = (repository.folder / "docker/release/install.sh").read_text()
    repository.write("docker/release/install.sh", text.replace(NAMED, "OWNER/mynah"))
    repository.tag_again()




@pytest.mark.parametrize(
    ("prepare", "variables", "code", "told"),
    [
        (leave_as_it_is, {"RELEASE_TAG": "v9.9.9"}, 65, f"the tag v9.9.9 is not that of version {VERSION}: {TAG} was"),
        (leave_as_it_is, {"RELEASE_TAG": VERSION}, 65, f"the tag {VERSION} is not that of version {VERSION}: {TAG} was"),
        (move_on, {}, 65, f"the tag {TAG} is of the commit "),
        (
            write_changelog(CHANGELOG.replace("(2026-11-28)", "(unreleased)")),
            {},
            65,
            f".github/CHANGELOG.md has no date of version {VERSION}: '## {VERSION} (YYYY-MM-DD)' was expected",
        ),
        (
            write_changelog(CHANGELOG.replace("(2026-11-28)", "(2026)")),
            {},
            65,
            f".github/CHANGELOG.md has no date of version {VERSION}: '## {VERSION} (YYYY-MM-DD)' was expected",
        ),
        (
            write_changelog(CHANGELOG.replace("- First.\n- More.\n", "")),
            {},
            65,
            f".github/CHANGELOG.md says nothing of version {VERSION}",
        ),
        (
            write_changelog(CHANGELOG.replace(f"## {VERSION}", "## 9.9.9")),
            {"RELEASE_TAG": ""},
            65,
            f".github/CHANGELOG.md has no section '## {VERSION} (DATE)'",
        ),
        (change, {}, 65, "the tree is not that of a commit; 1 files have to be committed or removed, such as docker/pack"),
        (add_a_file, {"RELEASE_TAG": ""}, 65, "the tree is not that of a commit; 1 files have to be committed or removed"),
        (leave_as_it_is, {"RELEASE_TOOLS": "git no-such-tool"}, 69, "these tools are missing: no-such-tool; Sources/tool"),
        (leave_as_it_is, {"RELEASE_MEGABYTES_MIN": "999999999"}, 69, "the disk of "),
        (forget_the_name, {}, 65, "no repository is named: docker/release/facts.py repository OWNER/NAME writes it"),
    ],
    ids=[
        "a tag of another version",
        "a tag without v",
        "a tag of another commit",
        "a version without a date",
        "half a date",
        "a version of which nothing is said",
        "a version that the changelog doesn't know",
        "a changed file",
        "a new file",
        "a missing tool",
        "a full disk",
        "no repository",
    ],
)
def test_what_is_refused(
    repository: ReleaseRepository,
    prepare: Callable[[ReleaseRepository], None],
    variables: dict[str, str],
    code: int,
    told: str,
) -> None:
    prepare(repository)
    found, lines = preflight(repository, **variables)
    assert found == code, lines
    (line,) = lines
    assert line.startswith(told), line


def test_all_that_is_wrong_is_told_at_once(repository: ReleaseRepository) -> None:
    add_a_file(repository)
    code, lines = preflight(repository, RELEASE_TAG="v9.9.9", RELEASE_MEGABYTES_MIN="999999999")
    assert code == 69 and len(lines) == 3, lines


@pytest.mark.parametrize("script", ["build.sh", "build_any.sh", "rehearse.sh", "publish.sh"])
def test_nothing_is_made_of_what_is_refused(repository: ReleaseRepository, script: str) -> None:
    for name in ("swift", "docker", "gh", "docc"):
        repository.stand_in(name, f"touch {repository.folder.parent}/called; exit 1")
    add_a_file(repository)
    (repository.folder / ".build").mkdir()
    there = repository.folder / ".build"
    arguments = [there, there] if script == "publish.sh" else [there / "made"]
    variables = {"RELEASE_TAG": TAG, "RELEASE_TOOLS": TOOLS, "RELEASE_MEGABYTES_MIN": "1"}
    done = repository.run(f"docker/release/{script}", *arguments, **variables)
    assert (done.returncode, done.stdout) == (65, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("the tree is not that of a commit"), line
    assert not (repository.folder.parent / "called").exists()
    assert not list((repository.folder / ".build").iterdir())


# The program


@pytest.mark.parametrize(
    ("says", "links", "told"),
    [
        ("9.9.9", "libc.so.6", f"has the version 9.9.9: {VERSION} was expected"),
        (VERSION, "libssl.so.3", "needs more than glibc: libssl.so.3"),
    ],
)
def test_a_program_that_is_not_what_it_should_be(
    repository: ReleaseRepository, says: str, links: str, told: str
) -> None:
    repository.stand_in("mynah", f"echo {says}")
    repository.stand_in("ldd", f'printf "\\t{links} => /lib/{links} (0x1)\\n\\tlibm.so.6 => /lib/libm.so.6 (0x1)\\n"')
    done = repository.run("docker/release/verify.sh", repository.commands / "mynah", VERSION)
    assert (done.returncode, done.stdout) == (65, "")
    assert done.stderr == f"{repository.commands}/mynah {told}\n"


# Sets of files


def gather(repository: ReleaseRepository, *folders: Path) -> tuple[int, str]:
    done = repository.run("docker/release/sets.py", "gather", repository.folder / ".build/release", *folders)
    assert (repository.folder / ".build/release").exists() == (done.returncode == 0)
    return done.returncode, done.stderr.strip()


def test_files_of_another_commit_are_refused(repository: ReleaseRepository) -> None:
    sets = repository.all_sets()
    before = repository.git("rev-parse", "HEAD")
    after = repository.commit()
    repository.record_set("any", f"mynah-{VERSION}-documentation.tar.gz")
    told = f"the set linux-x86_64 is of the commit {before}: {after} was expected"
    assert gather(repository, *sets) == (65, told)


def test_files_of_another_version_are_refused(repository: ReleaseRepository) -> None:
    sets = repository.all_sets()
    record = sets[1] / "linux-aarch64.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"version": "0.0.9"}))
    told = f"the set linux-aarch64 is of version 0.0.9: {VERSION} was expected"
    assert gather(repository, *sets) == (65, told)


def test_changed_missing_and_further_files_are_refused(repository: ReleaseRepository) -> None:
    sets = repository.all_sets()
    file = sets[1] / "mynah_aarch64.deb"
    file.write_text("changed")
    told = f"{file} is not what was recorded: its checksum differs from that in linux-aarch64.json"
    assert gather(repository, *sets) == (65, told)
    file.unlink()
    told = f"{sets[1]} has not the files of its record linux-aarch64.json, but differs in mynah_aarch64.deb"
    assert gather(repository, *sets) == (65, told)
    file.write_text("mynah_aarch64.deb")
    (sets[1] / "another").write_text("more")
    told = f"{sets[1]} has not the files of its record linux-aarch64.json, but differs in another"
    assert gather(repository, *sets) == (65, told)


def test_a_set_that_is_missing_or_there_twice_is_refused(repository: ReleaseRepository) -> None:
    sets = repository.all_sets()
    told = "there is no set linux-aarch64: sets of linux-x86_64, linux-aarch64, any were expected"
    assert gather(repository, sets[0], sets[2]) == (65, told)
    assert gather(repository, *sets, sets[2]) == (65, "a set is there twice: any, any, linux-aarch64, linux-x86_64")
    empty = repository.folder / ".build/empty"
    empty.mkdir()
    assert gather(repository, *sets, empty) == (65, f"{empty} has 0 records: the one of a set of files was expected")


def test_an_image_of_another_commit_is_refused(repository: ReleaseRepository) -> None:
    repository.stand_in("docker", "echo called >&2; exit 1")
    images = repository.folder / ".build/images"
    images.mkdir(parents=True)
    commit = repository.git("rev-parse", "HEAD")
    (images / "image-x86_64.txt").write_text(f"{commit} ghcr.io/a/mynah@sha256:1\n")
    done = repository.run("docker/release/image.sh", "tag", images, IMAGE="ghcr.io/A/mynah")
    told = f"there are 1 images in {images}: one for each of two architectures was expected\n"
    assert (done.returncode, done.stderr) == (65, told)
    (images / "image-aarch64.txt").write_text("0123 ghcr.io/a/mynah@sha256:2\n")
    done = repository.run("docker/release/image.sh", "tag", images, IMAGE="ghcr.io/A/mynah")
    told = f"ghcr.io/a/mynah@sha256:2 is of the commit 0123: {commit} was expected\n"
    assert (done.returncode, done.stderr) == (65, told)
