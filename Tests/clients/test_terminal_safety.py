"""What a push or a device holds must not drive the terminal of the person who looks at it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from commandline import FINE, UNMET, Command, command_in
from devices import add_device, token_of
from h2client import connect
from server import Mynah

# CSI in one character, delete, the turn of direction by override and by isolate, a line separator; escape and bell.
HOSTILE = "a\u009b2Jb\u007fc\u202ed\u2066e\u2028f\u001bg\u0007h"
RAW = [character for character in HOSTILE if not character.isalnum()]


@pytest.fixture
def hostile(own_mynah: Callable[..., Mynah]) -> tuple[Mynah, str, str]:
    """A server with a device and a push that carry such a text: the server, the device's id, the token."""
    mynah = own_mynah()
    device = add_device(mynah, name=HOSTILE)
    rule = {"name": HOSTILE, "match": {"topic": "none"}, "action": {"type": "respond", "status": 503}}
    mynah.control.post("/v1/faults", rule)
    # As UTF-8, without an escape where JSON needs none.
    body = json.dumps({"aps": {"alert": HOSTILE}}, ensure_ascii=False).encode()
    with connect(mynah) as connection:
        connection.push(token_of(device), body).assert_accepted()
    return mynah, device["id"], token_of(device)


@pytest.mark.parametrize(
    ("command", "holds"),
    [
        (["dump"], True),
        (["device", "show", "ID"], True),
        (["device", "list", "--json"], True),
        (["device", "list"], False),
        (["device", "inbox", "ID"], True),
        (["device", "screen", "ID"], False),
        (["device", "screen", "ID", "--json"], True),
        (["device", "set", "ID", "--online", "--json"], True),
        (["fault", "list"], False),
        (["fault", "list", "--json"], True),
        (["fault", "show", "f-1"], True),
        (["export"], True),
        (["expect", "--token", "TOKEN", "--json"], True),
        (["expect", "--token", "TOKEN", "--status", "410", "--within", "0s", "--json"], True),
        (["expect", "--token", "TOKEN", "--payload", f"/aps/alert={HOSTILE}x", "--within", "0s"], False),
        (["export", "--yaml"], False),
        (["reset", "--only", HOSTILE], False),
        (["device", "show", HOSTILE], False),
    ],
    ids=lambda value: " ".join(value).encode("ascii", "ignore").decode() if isinstance(value, list) else "",
)
def test_no_command_prints_what_drives_a_terminal(
    hostile: tuple[Mynah, str, str], tmp_path: Path, command: list[str], holds: bool
) -> None:
    mynah, device, token = hostile
    words = [{"ID": device, "TOKEN": token}.get(word, word) for word in command]
    done = command_in(tmp_path)(*words, "--url", mynah.control_url)
    printed = done.stdout + done.stderr
    assert printed
    assert [character for character in RAW if character in printed] == []
    if holds:
        assert done.returncode in (FINE, UNMET), done
        # The value is the same, whatever its form.
        assert HOSTILE in _texts([json.loads(text) for text in _documents(done.stdout)])


def test_files_hold_no_such_characters_and_the_same_values(
    hostile: tuple[Mynah, str, str], mynah_command: Command, own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    mynah, device, _ = hostile
    for form in ([], ["--yaml"]):
        path = tmp_path / f"fixtures{len(form)}.yaml"
        assert mynah_command("export", *form, "--out", str(path), "--url", mynah.control_url).returncode == FINE
        assert [character for character in RAW if character in path.read_text()] == []
        read = own_mynah("--fixtures", str(path), folder=tmp_path / f"read{len(form)}")
        assert read.control.get(f"/v1/devices/{device}")["name"] == HOSTILE


def _documents(text: str) -> list[str]:
    """A document in all lines, or one in each."""
    return [text] if text.startswith("{\n") else text.splitlines()


def _texts(value: object) -> list[str]:
    """All texts within a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [value] if isinstance(value, str) else []
