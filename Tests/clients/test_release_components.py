"""What a release says that its program consists of: by the linker's map, with a licence of everything."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server import REPOSITORY, clean_environment
from waiting import RUN_SECONDS

SCRIPT = REPOSITORY / "docker" / "release" / "components.py"
PACKAGES = """# Versions.
https://github.com/apple/swift-one.git 1.2.3 Apache-2.0
https://github.com/apple/swift-two.git 4.5.6 -
https://github.com/apple/swift-three.git 7.8.9 -
"""
HEADER = "             VMA              LMA     Size Align Out     In      Symbol\n"
COMMIT = "0123456789abcdef"

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg-query") is None or shutil.which("swift") is None, reason="the sources of notices are Debian's"
)


class Sources:
    """A folder with the map of a link, and what the modules and licences in it are of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.map = folder / ".build" / "mynah.map"
        (folder / ".build/release").mkdir(parents=True)
        (folder / "docker").mkdir()
        (folder / "docker/packages.versions").write_text(PACKAGES)
        commands = {}
        for name, package in {"One": "swift-one", "Two": "swift-two", "Three": "swift-three", "New": "swift-new", "MynahCore": ""}.items():
            source = folder / (f".build/checkouts/{package}/Sources" if package else "Sources") / name / "File.swift"
            source.parent.mkdir(parents=True)
            if package:
                (folder / f".build/checkouts/{package}/LICENSE.txt").write_text(f"The licence of {package}\n")
            commands[f"C.{name}-release.module"] = {"moduleName": name, "sources": [str(source)]}
        (folder / ".build/checkouts/swift-one/Sources/COne").mkdir()
        (folder / ".build/checkouts/swift-one/NOTICE.txt").write_text("The notice of swift-one\n")
        (folder / ".build/release/description.json").write_text(json.dumps({"swiftCommands": commands}))
        (folder / "Sources/COwn").mkdir()

    def link(self, *files: str) -> None:
        """Writes a map in which something of each file was placed; a file that ends in ~ has nothing with an address."""
        lines = [HEADER, "             2a8              2a8       1c     1 .text\n"]
        for file in files:
            address = "0" if file.endswith("~") else "15c0"
            lines.append(f"{address:>16} {address:>16}       22    16         {file.rstrip('~')}:(.text.function)\n")
            lines.append(f"{address:>16} {address:>16}       22     1                 $s3One5thing\n")
        self.map.write_text("".join(lines))

    def object(self, module: str) -> str:
        return f"{self.folder}/.build/x86_64-unknown-linux-gnu/release/{module}.build/file.o"

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = clean_environment(MYNAH_SOURCES=str(self.folder), SOURCE_DATE_EPOCH="0")
        return subprocess.run(
            [sys.executable, str(SCRIPT), arguments[0], str(self.map), *arguments[1:]],
            env=environment,
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            check=False,
        )


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    return Sources(tmp_path)


def test_the_notices_are_of_what_is_linked(sources: Sources) -> None:
    own = [sources.object("MynahCore"), sources.object("COwn"), "<internal>"]
    unlinked = [sources.object("Two") + "~"]
    sources.link(sources.object("One"), sources.object("COne"), "/usr/lib/libgcc.a(unwind.o)", *own, *unlinked)
    done = sources.run("notices")
    assert done.returncode == 0, done
    beginning, *texts = done.stdout.split("=" * 100 + "\n")
    listed = [line.split() for line in beginning.splitlines() if line.startswith("  ")][::2]
    assert [words[0] for words in listed] == ["libgcc", "swift-one"]
    assert listed[1] == ["swift-one", "1.2.3", "Apache-2.0"]
    assert "The licence of swift-one" in done.stdout and "The notice of swift-one" in done.stdout
    assert "swift-two" not in done.stdout and len(texts) == 2 * 3


def test_the_sbom_has_the_same_with_their_licences(sources: Sources) -> None:
    swift = Path(shutil.which("swift") or "").resolve().parents[1]
    sources.link(sources.object("One"), f"{swift}/lib/swift_static/linux/libswiftCore.a(Array.o)")
    done = sources.run("sbom", "1.0.0", COMMIT)
    assert done.returncode == 0, done
    document = json.loads(done.stdout)
    found = {part["name"]: part["licenseConcluded"] for part in document["packages"]}
    assert found == {
        "mynah": "Apache-2.0", "swift": "Apache-2.0 WITH Swift-exception", "swift-one": "Apache-2.0",
    }
    assert document["packages"][0]["downloadLocation"].endswith(f"@{COMMIT}")
    kinds = [relation["relationshipType"] for relation in document["relationships"]]
    assert kinds == ["DESCRIBES", "STATIC_LINK", "STATIC_LINK"]


@pytest.mark.parametrize(
    ("modules", "archives", "told"),
    [
        (["One", "Two"], [], "swift-two is linked, and docker/packages.versions names no licence of it"),
        (["One", "New"], [], "swift-new is linked, and docker/packages.versions names no licence of it"),
        (["One"], ["/usr/lib/libnew.a"], "/usr/lib/libnew.a is linked, and docker/release/components.py names no licence"),
        (["One", "Unknown"], [], "the module Unknown is linked, and of 0 packages: one was expected"),
        (["MynahCore"], [], "nothing of swift-one is linked, and docker/packages.versions names a licence of it: '-'"),
    ],
    ids=["without a licence", "with a ?", "a library", "a module of nowhere", "nothing is linked any more"],
)
def test_what_has_no_licence_is_refused(
    sources: Sources, modules: list[str], archives: list[str], told: str
) -> None:
    if "New" in modules:
        # As the update of the versions leaves it.
        with (sources.folder / "docker/packages.versions").open("a") as file:
            file.write("https://github.com/apple/swift-new.git 1.0.0 ?\n")
    sources.link(*map(sources.object, modules), *(f"{archive}(member.o)" for archive in archives))
    done = sources.run("notices")
    assert (done.returncode, done.stdout) == (65, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(told)


def test_a_package_without_a_file_of_its_licence_is_refused(sources: Sources) -> None:
    sources.link(sources.object("One"))
    for name in ("LICENSE.txt", "NOTICE.txt"):
        (sources.folder / ".build/checkouts/swift-one" / name).unlink()
    done = sources.run("notices")
    assert (done.returncode, done.stdout) == (65, "") and "has no file of its licence" in done.stderr


def test_what_is_no_map_is_refused(sources: Sources) -> None:
    assert sources.run("notices").stderr == f"{sources.map} is missing: build_release leaves it beside the program\n"
    sources.map.write_text("nothing\n")
    assert sources.run("notices").stderr == f"{sources.map} has no sections: a link map of lld was expected\n"


def test_the_map_of_another_program_is_refused(sources: Sources) -> None:
    sources.link(sources.object("FileEmbedder-tool"), sources.object("One"))
    done = sources.run("notices")
    assert (done.returncode, done.stdout) == (65, "")
    assert done.stderr.startswith(f"{sources.map} is that of FileEmbedder-tool: remove .build/release/mynah")
