"""`--export-dir`: what another container or another user finds the server by (`ControlAPI#Command-line`)."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from commandline import CONFIGURATION, FINE, Command
from mynah.errors import StartError
from server import Mynah

# Of the user's own, beside what is laid out.
OWN_KEY = "AuthKey_MYOWNKEY12.p8"
TRUST = {"ca.pem", "ca-bundle.pem"}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """The folder, in which a file of the user's lies already."""
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / OWN_KEY).write_text("mine")
    return folder


def names(export: Path) -> set[str]:
    found = {path.name for path in export.iterdir()}
    assert OWN_KEY in found
    return found - {OWN_KEY}


def exported(export: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((export / "ready.json").read_text())
    return document


def test_the_ready_file_names_files_of_its_own_folder(own_mynah: Callable[..., Mynah], export: Path) -> None:
    mynah = own_mynah("--export-dir", str(export))
    ready = exported(export)
    assert names(export) == TRUST | {"ready.json", mynah.key_file.name}
    assert (export / "ca.pem").read_text() in (export / "ca-bundle.pem").read_text()
    assert {oct(path.stat().st_mode & 0o777) for path in export.iterdir() if path.name != OWN_KEY} == {"0o644"}
    files = {"caFile": "ca.pem", "caBundleFile": "ca-bundle.pem", "keyFile": mynah.key_file.name}
    assert {name: ready[name] for name in files} == {name: str(export / file) for name, file in files.items()}
    rest = {name: value for name, value in mynah.ready.items() if name not in files}
    assert {name: ready[name] for name in rest} == rest
    # What the banner tells to paste works for every user.
    mynah.process.wait_for_error(f"--cacert {export / 'ca.pem'}")


def test_its_url_leads_here_from_other_containers(
    own_mynah: Callable[..., Mynah], export: Path, mynah_command: Command, tmp_path: Path
) -> None:
    everywhere = ["--export-dir", str(export), "--host", "0.0.0.0", "--insecure-control"]
    mynah = own_mynah(*everywhere)
    port = mynah.ready["controlPort"]
    assert mynah.ready["controlUrl"] == f"http://127.0.0.1:{port}"
    name = socket.gethostname()
    assert exported(export)["controlUrl"] == f"http://{'127.0.0.1' if '.' in name else name}:{port}"
    mynah.stop()
    # A name that the control API would refuse if nobody had given it.
    mynah = own_mynah(*everywhere, "--export-host", "apns.example.com", folder=tmp_path / "second")
    assert exported(export)["controlUrl"] == f"http://apns.example.com:{mynah.ready['controlPort']}"
    assert httpx.get(mynah.url + "/v1/status", headers={"host": "apns.example.com"}).status_code == 200
    assert httpx.get(mynah.url + "/v1/status", headers={"host": "other.example.com"}).status_code == 403
    mynah.stop()
    mynah = own_mynah(*everywhere, "--export-host", "localhost", folder=tmp_path / "third")
    push = ["--topic", "com.example.app", "--alert", "hi", "--to", "00" * 32]
    sent = mynah_command("send", "--ready-file", str(export / "ready.json"), *push)
    assert sent.returncode == FINE, sent


def test_what_only_this_server_accepts_goes_with_it(own_mynah: Callable[..., Mynah], export: Path) -> None:
    mynah = own_mynah("--export-dir", str(export))
    mynah.stop()
    assert names(export) == TRUST


def test_what_a_killed_server_left_goes_with_the_next_start(
    own_mynah: Callable[..., Mynah], export: Path, tmp_path: Path
) -> None:
    first = own_mynah("--export-dir", str(export))
    first.process.kill()
    left = names(export)
    assert left == TRUST | {"ready.json", first.key_file.name}
    # Before anything else: who waits for the file must not see it of a server that fails.
    with pytest.raises(StartError, match="no-such-file"):
        own_mynah("--export-dir", str(export), "--fixtures", "no-such-file.yaml")
    assert names(export) == TRUST
    second = own_mynah("--export-dir", str(export), folder=tmp_path / "second")
    assert names(export) == TRUST | {"ready.json", second.key_file.name}
    assert second.key_file.name != first.key_file.name


def test_what_another_server_laid_out_stays(own_mynah: Callable[..., Mynah], export: Path, tmp_path: Path) -> None:
    first = own_mynah("--export-dir", str(export))
    second = own_mynah("--export-dir", str(export), folder=tmp_path / "second")
    first.stop()
    assert names(export) == TRUST | {"ready.json", second.key_file.name}
    assert exported(export)["pid"] == second.ready["pid"]


@pytest.mark.measures
def test_a_key_of_the_user_s_own_stays(own_mynah: Callable[..., Mynah], export: Path, tmp_path: Path) -> None:
    made = own_mynah()
    made.stop()
    mine = export / made.key_file.name
    mine.write_bytes(made.key_file.read_bytes())
    keys = ["--auth-key", str(mine), "--team-id", made.team_id]
    mynah = own_mynah("--export-dir", str(export), *keys, folder=tmp_path / "second")
    assert exported(export)["keyFile"] is None and exported(export)["keyId"] == made.key_id
    mynah.stop(signal.SIGINT)
    assert names(export) == TRUST | {mine.name}


def test_a_folder_that_cannot_be_cleared_is_named(mynah_command: Command, tmp_path: Path) -> None:
    (tmp_path / "export" / "ready.json").mkdir(parents=True)
    done = mynah_command("serve", "--port", "0", "--control-port", "0", "--export-dir", "export")
    assert done.returncode == CONFIGURATION and "export/ready.json" in done.stderr, done
