"""Prints what the program consists of, as SPDX 2.3: sbom.py VERSION FILE, the file of the Swift packages' versions."""

import datetime
import json
import os
import subprocess
import sys

# The Debian packages whose archives are linked in.
ARCHIVES = ["libnghttp2-dev", "libsqlite3-dev", "libssl-dev", "libyaml-dev", "libstdc++-12-dev", "libgcc-12-dev"]


def package(name: str, version: str, location: str, reference: str) -> dict:
    identifier = "SPDXRef-" + "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in name)
    return {
        "SPDXID": identifier,
        "name": name,
        "versionInfo": version,
        "downloadLocation": location,
        "filesAnalyzed": False,
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}
        ],
    }


def swift_packages(path: str) -> list[dict]:
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return [
        package(
            location.removesuffix(".git").rsplit("/", 1)[1], version, f"git+{location}@{version}",
            f"pkg:swift/{location.removesuffix('.git').split('://', 1)[1]}@{version}",
        )
        for location, version in lines
    ]


def archives() -> list[dict]:
    command = ["dpkg-query", "--show", "--showformat", "${Package} ${Version}\n", *ARCHIVES]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [
        package(name, version, "NOASSERTION", f"pkg:deb/debian/{name}@{version}")
        for name, version in (line.split() for line in said.splitlines())
    ]


def swift() -> dict:
    said = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    version = said.split("Swift version ", 1)[1].split()[0]
    return package("swift", version, "https://github.com/swiftlang/swift", f"pkg:github/swiftlang/swift@{version}")


def main() -> None:
    version, path = sys.argv[1:]
    parts = [*swift_packages(path), *archives(), swift()]
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    mynah = {
        "SPDXID": "SPDXRef-mynah", "name": "mynah", "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseDeclared": "Apache-2.0",
    }
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"mynah-{version}",
        "documentNamespace": f"urn:mynah:{version}:{created:%Y%m%dT%H%M%SZ}",
        "creationInfo": {"created": f"{created:%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: docker/release/sbom.py"]},
        "packages": [mynah, *parts],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-mynah"},
            *(
                {"spdxElementId": "SPDXRef-mynah", "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]}
                for part in parts
            ),
        ],
    }
    json.dump(document, sys.stdout, indent=2)
    print()


main()
