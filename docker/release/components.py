"""What a program consists of, by what its linker took: the notices that its licences ask for, or an SBOM.

    components.py notices MAP
    components.py sbom MAP VERSION COMMIT

MAP is the link map that `build_release` of Sources/toolchain.sh leaves beside the program. The licences of Swift packages
are named in docker/packages.versions, those of libraries and of the toolchain below; each text is read where the thing
itself came from. Whatever is linked and has no licence ends this with an error.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(os.environ.get("MYNAH_SOURCES") or Path(__file__).resolve().parents[2])
VERSIONS = "docker/packages.versions"
NOT_LINKED = "-"
REPOSITORY = "https://github.com/OWNER/mynah"

SWIFT_LICENCE = "Apache-2.0 WITH Swift-exception"
GCC_LICENCE = "GPL-3.0-only WITH GCC-exception-3.1"

# A section of an input file that the linker placed: its address, its size, and the file. The indentation is the column.
PLACED = re.compile(r"^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+ {9}(\S.*):\([^)]*\)$")

# The archives of Debian and of the toolchain, by name: the component, its licence, and the Debian package that it is of.
ARCHIVES = {
    "libnghttp2.a": ("nghttp2", "MIT", "libnghttp2-dev"),
    "libsqlite3.a": ("sqlite", "blessing", "libsqlite3-dev"),
    "libssl.a": ("openssl", "Apache-2.0", "libssl-dev"),
    "libcrypto.a": ("openssl", "Apache-2.0", "libssl-dev"),
    "libyaml.a": ("libyaml", "MIT", "libyaml-dev"),
    "libstdc++.a": ("libstdc++", GCC_LICENCE, "libstdc++-12-dev"),
    "libgcc.a": ("libgcc", GCC_LICENCE, "libgcc-12-dev"),
    "libgcc_s.a": ("libgcc", GCC_LICENCE, "libgcc-12-dev"),
    "libgcc_eh.a": ("libgcc", GCC_LICENCE, "libgcc-12-dev"),
    "libc_nonshared.a": ("glibc", "LGPL-2.1-or-later WITH GCC-exception-2.0", "libc6-dev"),
    "lib_FoundationICU.a": ("icu", "Unicode-3.0", ""),
}
# Object files that begin and end every program.
START_FILES = {
    "crt1.o": "libc_nonshared.a",
    "Scrt1.o": "libc_nonshared.a",
    "crti.o": "libc_nonshared.a",
    "crtn.o": "libc_nonshared.a",
    "crtbegin.o": "libgcc.a",
    "crtbeginS.o": "libgcc.a",
    "crtend.o": "libgcc.a",
    "crtendS.o": "libgcc.a",
}


@dataclass(frozen=True)
class Component:
    """Something that is in the program and that others have written."""

    name: str
    version: str
    licence: str
    location: str
    """Where it is to be had."""
    reference: str
    """A package URL."""
    texts: tuple[str, ...]
    """Its licence and its notice."""


def fail(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(65)


def placed(map_file: Path) -> set[str]:
    """The files of which the linker placed something: objects, and archives by their own paths."""
    found = set()
    with map_file.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            match = PLACED.match(line)
            # What has no address is for debuggers, and not in the program that is published.
            if match and int(match[1], 16) and int(match[2], 16):
                found.add(re.sub(r"\.a\(.*$", ".a", match[3]))
    if not found:
        fail(f"{map_file} has no sections: a link map of lld was expected")
    return found


def recorded() -> dict[str, tuple[str, str, str]]:
    """The Swift packages by the names of their folders: location, version and licence."""
    found = {}
    for line in (ROOT / VERSIONS).read_text().splitlines():
        if line and not line.startswith("#"):
            location, version, licence = line.split(" ", 2)
            found[location.removesuffix(".git").rsplit("/", 1)[1]] = location, version, licence
    return found


@cache
def modules(map_file: Path) -> dict[str, str]:
    """The folders of packages, by the modules that they have; the empty name is the program's own."""
    found = {}
    description = map_file.parent / "release" / "description.json"
    for command in json.loads(description.read_text())["swiftCommands"].values():
        for source in command["sources"][:1]:
            found[command["moduleName"]] = folder_of(source)
    return found


def folder_of(source: str) -> str:
    """The name of the package's folder that a source is in."""
    inside = re.search(r"/checkouts/([^/]+)/", source)
    return inside[1] if inside else ""


def package_of(module: str, map_file: Path) -> str:
    """The package of a module; those of C are told by their folders."""
    # A tool of the build, which is linked by the same options: its link was the last one, and wrote the map anew.
    if module.endswith("-tool"):
        fail(f"{map_file} is that of {module}: remove .build/release/mynah and build again, so that mynah is linked last")
    known = modules(map_file)
    if module in known:
        return known[module]
    checkouts = ROOT / ".build" / "checkouts"
    places = [*checkouts.glob(f"*/Sources/{module}"), *(ROOT / "Sources").glob(module)]
    if len(places) != 1:
        fail(f"the module {module} is linked, and of {len(places)} packages: one was expected")
    return folder_of(str(places[0]))


def swift_package(name: str) -> Component:
    packages = recorded()
    if name not in packages:
        fail(f"{name} is linked, and not in {VERSIONS}")
    location, version, licence = packages[name]
    if licence in (NOT_LINKED, "?"):
        fail(f"{name} is linked, and {VERSIONS} names no licence of it")
    folder = ROOT / ".build" / "checkouts" / name
    names = sorted(file for file in folder.iterdir() if re.match(r"(?i)(licen[cs]e|notice|copying)", file.name))
    if not names:
        fail(f"{name} is linked, and its folder {folder} has no file of its licence")
    address = location.removesuffix(".git")
    return Component(
        name, version, licence, f"git+{location}@{version}", f"pkg:swift/{address.split('://', 1)[1]}@{version}",
        tuple(file.read_text() for file in names),
    )


def library(archive: str) -> Component:
    name, licence, debian = ARCHIVES[archive]
    if not debian:
        return Component(name, swift_version(), licence, SWIFT_LOCATION, swift_reference(), (UNICODE_NOTICE,))
    command = ["dpkg-query", "--show", "--showformat", "${Version} ${source:Package}", debian]
    version, source = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    text = Path(f"/usr/share/doc/{debian}/copyright").read_text(errors="replace")
    location = f"https://sources.debian.org/src/{source}/{version}/"
    return Component(name, version, licence, location, f"pkg:deb/debian/{debian}@{version}", (text,))


SWIFT_LOCATION = "https://github.com/swiftlang/swift"

# The toolchain has no file of it. https://www.unicode.org/license.txt, as of 2024.
UNICODE_NOTICE = """UNICODE LICENSE V3

COPYRIGHT AND PERMISSION NOTICE

Copyright © 1991-2024 Unicode, Inc.

NOTICE TO USER: Carefully read the following legal agreement. BY DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING DATA
FILES, AND/OR SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE TERMS AND CONDITIONS OF THIS
AGREEMENT. IF YOU DO NOT AGREE, DO NOT DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.

Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated
documentation (the "Data Files") or software and any associated documentation (the "Software") to deal in the Data Files
or Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute,
and/or sell copies of the Data Files or Software, and to permit persons to whom the Data Files or Software are furnished
to do so, provided that either (a) this copyright and permission notice appear with all copies of the Data Files or
Software, or (b) this copyright and permission notice appear in associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS.

IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT
OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to
promote the sale, use or other dealings in these Data Files or Software without prior written authorization of the
copyright holder.
"""


@cache
def swift_version() -> str:
    said = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    return said.split("Swift version ", 1)[1].split()[0]


def swift_reference() -> str:
    return f"pkg:github/swiftlang/swift@{swift_version()}"


def toolchain() -> Component:
    """Swift's own libraries, of the toolchain that `swift` is of."""
    program = Path(shutil.which("swift") or fail("swift is not on the PATH")).resolve()
    text = (program.parents[1] / "share" / "swift" / "LICENSE.txt").read_text()
    return Component("swift", swift_version(), SWIFT_LICENCE, SWIFT_LOCATION, swift_reference(), (text,))


def found_by(path: str, map_file: Path) -> Callable[[], Component] | None:
    """How the component of a linked file is found; none for what is Mynah's own."""
    name = path.rsplit("/", 1)[-1]
    if module := re.search(r"/([^/]+?)\.build/", path):
        package = package_of(module[1], map_file)
        return (lambda: swift_package(package)) if package else None
    archive = START_FILES.get(name, name)
    if archive in ARCHIVES:
        return lambda: library(archive)
    if re.search(r"/lib/swift(_static)?/", path):
        return toolchain
    if name == "<internal>":
        return None
    fail(f"{path} is linked, and docker/release/components.py names no licence of it")


def components(map_file: Path) -> list[Component]:
    """All of them, each once, by name."""
    unique = {}
    for path in sorted(placed(map_file)):
        if find := found_by(path, map_file):
            component = find()
            unique[component.name] = component
    for name, (_, _, licence) in recorded().items():
        if licence != NOT_LINKED and name not in unique:
            fail(f"nothing of {name} is linked, and {VERSIONS} names a licence of it: '{NOT_LINKED}' was expected")
    return [unique[name] for name in sorted(unique)]


def notices(parts: list[Component]) -> Iterator[str]:
    """A list of the components, and then each text once, with the components that it is of."""
    yield "Mynah is licensed under Apache-2.0 (LICENSE). Its program contains the following software of others.\n"
    width = max(len(part.name) + len(part.version) for part in parts) + 1
    for part in parts:
        yield f"  {f'{part.name} {part.version}':{width}}  {part.licence}"
        yield f"  {'':{width}}  {part.location}"
    owners: dict[str, list[str]] = {}
    for part in parts:
        for text in part.texts:
            owners.setdefault(text.strip("\n"), []).append(part.name)
    for text, names in owners.items():
        yield f"\n{'=' * 100}\n{', '.join(names)}\n{'=' * 100}\n\n{text}"


def sbom(parts: list[Component], version: str, commit: str) -> dict[str, Any]:
    """SPDX 2.3."""
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    mynah = {
        "SPDXID": "SPDXRef-mynah", "name": "mynah", "versionInfo": version,
        "downloadLocation": f"git+{REPOSITORY}@{commit}", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0", "copyrightText": "Copyright 2026 The authors of Mynah",
    }
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-mynah")]
    relations += [("SPDXRef-mynah", "STATIC_LINK", identifier(part)) for part in parts]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"mynah-{version}",
        "documentNamespace": f"{REPOSITORY}/sbom/{version}/{commit}/{os.uname().machine}",
        "creationInfo": {"created": f"{created:%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: docker/release/components.py"]},
        "packages": [mynah, *map(described, parts)],
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations
        ],
    }


def identifier(part: Component) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", part.name)


def described(part: Component) -> dict[str, Any]:
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.reference}
    return {
        "SPDXID": identifier(part), "name": part.name, "versionInfo": part.version, "downloadLocation": part.location,
        "filesAnalyzed": False, "licenseConcluded": part.licence, "licenseDeclared": part.licence,
        "copyrightText": "NOASSERTION", "externalRefs": [reference],
    }


def main(arguments: list[str]) -> None:
    if len(arguments) < 2 or not Path(arguments[1]).is_file():
        fail(f"{arguments[1] if len(arguments) > 1 else 'the link map'} is missing: build_release leaves it beside the program")
    parts = components(Path(arguments[1]).resolve())
    match arguments:
        case ["notices", _]:
            print("\n".join(notices(parts)))
        case ["sbom", _, version, commit]:
            json.dump(sbom(parts, version, commit), sys.stdout, indent=2)
            print()
        case _:
            fail("usage: components.py notices MAP, or components.py sbom MAP VERSION COMMIT")


if __name__ == "__main__":
    main(sys.argv[1:])
