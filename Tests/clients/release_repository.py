"""A repository of its own with the scripts of `docker/release` and what they read, and stand-ins for what they call."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from server import REPOSITORY, clean_environment
from waiting import RUN_SECONDS

sys.path.insert(0, str(REPOSITORY / "docker" / "release"))
import facts  # noqa: E402

VERSION = facts.version()
FOLDERS = ("docker/release", "docker/deb")
FILES = ("Sources/toolchain.sh", "docker/packages.versions", "Tests/clients/requirements.txt")
CHANGELOG = f"# Changelog\n\n## {VERSION} (2026-11-28)\n\n- First.\n- More.\n\n## 0.0.9 (2026-11-01)\n\n- Before.\n"
NAMED = "mynah-tests/mynah"


class ReleaseRepository:
    """With one commit, which could be published: it has the version's tag, a changelog and a name."""

    def __init__(self, folder: Path) -> None:
        self._settle_in(folder)
        shutil.copytree(first_copy().folder, self.folder, symlinks=True)
        # The copies are other files to git, which some of its commands would take for changes.
        self.git("update-index", "--refresh")

    @classmethod
    def made_in(cls, folder: Path) -> ReleaseRepository:
        """One that is no copy of another."""
        made = cls.__new__(cls)
        made._settle_in(folder)
        made._make()
        return made

    def _settle_in(self, folder: Path) -> None:
        self.folder = folder / "repository"
        self.commands = folder / "commands"
        self.commands.mkdir(parents=True)

    def _make(self) -> None:
        for path in FOLDERS:
            shutil.copytree(REPOSITORY / path, self.folder / path, ignore=shutil.ignore_patterns("__pycache__"))
        for path in (*FILES, *facts.places()):
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / path, self.folder / path)
        self.write(".gitignore", ".build/\n__pycache__/\n")
        self.write(".github/CHANGELOG.md", CHANGELOG)
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("add", "--all")
        self.run("docker/release/facts.py", "repository", NAMED)
        self.commit()
        self.git("tag", f"v{VERSION}")

    def write(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", *arguments]
        environment = clean_environment(HOME=str(self.folder.parent), GIT_CONFIG_NOSYSTEM="1")
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=RUN_SECONDS, check=True
        )
        return done.stdout.strip()

    def commit(self) -> str:
        """Commits all that is there."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "A change")
        return self.git("rev-parse", "HEAD")

    def tag_again(self) -> None:
        """Commits, and moves the version's tag there."""
        self.commit()
        self.git("tag", "--force", f"v{VERSION}")

    def stand_in(self, name: str, script: str) -> None:
        """A command that scripts find before the real one."""
        (self.commands / name).write_text(f"#!/bin/bash\n{script}\n")
        (self.commands / name).chmod(0o755)

    def run(self, script: str, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = clean_environment(
            PATH=f"{self.commands}{os.pathsep}{os.environ['PATH']}",
            HOME=str(self.folder.parent),
            PYTHONDONTWRITEBYTECODE="1",
            **variables,
        )
        return subprocess.run(
            [str(self.folder / script), *map(str, arguments)],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            check=False,
        )

    def record_set(self, name: str, *files: str) -> Path:
        """A set of files, each with its own name as its content."""
        folder = self.folder / ".build" / "sets" / name
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            (folder / file).write_text(file)
        done = self.run("docker/release/sets.py", "record", folder, name)
        assert done.returncode == 0, done
        return folder

    def all_sets(self) -> list[Path]:
        """What a release is gathered from."""
        return [
            *(
                self.record_set(f"linux-{machine}", f"mynah-{VERSION}-linux-{machine}.tar.gz", f"mynah_{machine}.deb")
                for machine in ("x86_64", "aarch64")
            ),
            self.record_set("any", f"mynah-{VERSION}-documentation.tar.gz"),
        ]


_first_folder = tempfile.TemporaryDirectory(prefix="mynah-release-", ignore_cleanup_errors=True)


@cache
def first_copy() -> ReleaseRepository:
    """What each test gets a copy of, which takes an eighth of the time of making one."""
    return ReleaseRepository.made_in(Path(_first_folder.name))
