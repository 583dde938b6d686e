#!/usr/bin/env python3
"""The sets of files that machines make for one release, each with a record of its version, its commit and its checksums.

    sets.py record FOLDER NAME          writes FOLDER/NAME.json
    sets.py check FOLDER                the files are those of the record
    sets.py gather TARGET FOLDER…       joins sets of the same version and this commit, with what is made of all checksums:
                                        mynah-VERSION.sha256, install.sh, mynah.rb for Homebrew and mise.toml

The records of TARGET's sets stay outside of it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent))
import facts  # noqa: E402

HERE = Path(__file__).resolve().parent
# The sets without which nothing is published.
WANTED = ["linux-x86_64", "linux-aarch64", "any"]
# What mise calls the machines.
MISE = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}


def fail(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(65)


def checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def commit() -> str:
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=facts.ROOT, check=True, capture_output=True, text=True).stdout.strip()


def record(folder: Path, name: str) -> None:
    files = sorted(file for file in folder.iterdir() if file.name != f"{name}.json")
    if not files:
        fail(f"{folder} has no files to record")
    told = {
        "name": name,
        "version": facts.version(),
        "commit": commit(),
        "files": {file.name: checksum(file) for file in files},
    }
    (folder / f"{name}.json").write_text(json.dumps(told, indent=2) + "\n")


def check(folder: Path) -> tuple[dict[str, Any], list[Path]]:
    """The record of a set, and its files, which are those of the record and no others."""
    records = list(folder.glob("*.json"))
    records = [file for file in records if not file.name.endswith(".spdx.json")]
    if len(records) != 1:
        fail(f"{folder} has {len(records)} records: the one of a set of files was expected")
    told = json.loads(records[0].read_text())
    there = {file.name for file in folder.iterdir()} - {records[0].name}
    if there != set(told["files"]):
        others = ", ".join(sorted(there ^ set(told["files"])))
        fail(f"{folder} has not the files of its record {records[0].name}, but differs in {others}")
    for name, sum_of_file in told["files"].items():
        if checksum(folder / name) != sum_of_file:
            fail(f"{folder / name} is not what was recorded: its checksum differs from that in {records[0].name}")
    return told, [folder / name for name in sorted(told["files"])]


def gather(target: Path, folders: list[Path], wanted: list[str]) -> None:
    version, this = facts.version(), commit()
    sets = [check(folder) for folder in folders]
    for told, _ in sets:
        if told["commit"] != this:
            fail(f"the set {told['name']} is of the commit {told['commit']}: {this} was expected")
        if told["version"] != version:
            fail(f"the set {told['name']} is of version {told['version']}: {version} was expected")
    names = [told["name"] for told, _ in sets]
    if missing := [name for name in wanted if name not in names]:
        fail(f"there is no set {', '.join(missing)}: sets of {', '.join(wanted)} were expected")
    if len(names) != len(set(names)):
        fail(f"a set is there twice: {', '.join(sorted(names))}")
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    for _, files in sets:
        for file in files:
            shutil.copy2(file, target)
    shutil.copy2(HERE / "install.sh", target)
    archives = {machine: target / f"mynah-{version}-linux-{machine}.tar.gz" for machine in MISE}
    archives = {machine: file for machine, file in archives.items() if file.exists()}
    if set(MISE) == set(archives):
        (target / "mynah.rb").write_text(formula(version, archives))
    (target / "mise.toml").write_text(mise(version, archives))
    lines = [f"{checksum(file)}  {file.name}\n" for file in sorted(target.iterdir())]
    (target / f"mynah-{version}.sha256").write_text("".join(lines))


def formula(version: str, archives: dict[str, Path]) -> str:
    """The formula of Homebrew, which has no place for another file to read checksums from."""
    text = (HERE / "mynah.rb").read_text().replace("@VERSION@", version)
    for machine, file in archives.items():
        text = text.replace(f"@SHA256_{machine}@", checksum(file))
    return text


def mise(version: str, archives: dict[str, Path]) -> str:
    """What a project's mise.toml may have."""
    repository = facts.repository()
    lines = [f'[tools."github:{repository}"]', f'version = "{version}"', "", f'[tools."github:{repository}".platforms]']
    for machine, file in archives.items():
        lines.append(f'{MISE[machine]} = {{ asset_pattern = "{file.name}", checksum = "sha256:{checksum(file)}" }}')
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    match arguments:
        case ["record", folder, name]:
            record(Path(folder), name)
        case ["check", folder]:
            check(Path(folder))
        case ["gather", target, "--only", name, *folders]:
            gather(Path(target), list(map(Path, folders)), name.split(","))
        case ["gather", target, *folders]:
            gather(Path(target), list(map(Path, folders)), WANTED)
        case _:
            fail("usage: sets.py record FOLDER NAME | check FOLDER | gather TARGET [--only NAME,…] FOLDER…")


if __name__ == "__main__":
    main(sys.argv[1:])
