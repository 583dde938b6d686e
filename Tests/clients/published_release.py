"""A release on a server of its own: what install.sh and GitHub's action download."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tarfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from release_repository import VERSION
from server import REPOSITORY, binary

INSTALLER = REPOSITORY / "docker" / "release" / "install.sh"
MACHINES = ("x86_64", "aarch64")
ARCHIVE = f"mynah-{VERSION}-linux-{os.uname().machine}"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """The files of a version, as a release has them: the archive's program is the tested one."""
    folder = tmp_path / "releases" / "download" / f"v{VERSION}"
    folder.mkdir(parents=True)
    program = f"#!/bin/sh\nexec {binary()} \"$@\"\n".encode()
    with tarfile.open(folder / f"{ARCHIVE}.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo(f"{ARCHIVE}/mynah")
        entry.size, entry.mode = len(program), 0o755
        archive.addfile(entry, io.BytesIO(program))
    shutil.copy(INSTALLER, folder)
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / f"mynah-{VERSION}.sha256").write_text("".join(lines))
    (tmp_path / "releases" / "latest").mkdir()
    (tmp_path / "releases" / "latest" / "download").symlink_to(folder)
    return folder


@pytest.fixture
def address(published: Path) -> Iterator[str]:
    """Where the releases are."""
    handler = partial(Quiet, directory=str(published.parents[1]))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
