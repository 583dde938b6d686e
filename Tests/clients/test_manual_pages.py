"""The manual pages of the Debian package: made from the program's help, one for each command."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import Command
from server import REPOSITORY, binary


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual")
    script = REPOSITORY / "docker" / "deb" / "manual.py"
    subprocess.run([sys.executable, str(script), str(binary()), str(folder)], check=True)
    return folder


def rendered(page: Path) -> str:
    """A page as `man` shows it; any complaint of roff is an error."""
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-P-cbou", str(page)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.replace("\N{HYPHEN}", "-").replace("\N{MINUS SIGN}", "-")


def sections(page: Path) -> list[str]:
    return re.findall(r"^\.SH (.*)$", page.read_text(), re.MULTILINE)


def test_every_command_has_a_page_without_complaints(manual: Path, mynah_command: Command) -> None:
    listed = mynah_command("help").stdout.partition("SUBCOMMANDS:")[2]
    commands = re.findall(r"^  ([a-z]+)", listed, re.MULTILINE)
    assert len(commands) > 15
    assert {page.name for page in manual.iterdir()} == {"mynah.1"} | {f"mynah-{command}.1" for command in commands}
    for page in manual.iterdir():
        assert "SYNOPSIS" in rendered(page)


def test_the_main_page_has_the_sections_that_a_reader_looks_for(manual: Path) -> None:
    wanted = [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "COMMANDS",
        "ENVIRONMENT",
        "EXIT STATUS",
        "FILES",
        "EXAMPLES",
        "SEE ALSO",
    ]
    assert [section for section in sections(manual / "mynah.1") if section in wanted] == wanted


def test_the_page_of_a_command_has_its_options_and_examples(manual: Path) -> None:
    page = manual / "mynah-send.1"
    assert sections(page) == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "SEE ALSO"]
    text = rendered(page)
    # The sentences after it say "it".
    assert re.search(r"DESCRIPTION\s+Sends one push over HTTP/2", text)
    assert "--collapse-id COLLAPSE-ID" in text
    assert "mynah send --to 00fc… --topic com.example.app --body @payload.json" in text


def test_the_page_of_a_group_has_all_of_its_commands(manual: Path) -> None:
    text = rendered(manual / "mynah-device.1")
    for command in ("device add", "device app", "device activity start"):
        assert f"   mynah {command}\n" in text


def test_the_page_of_serve_has_every_setting(manual: Path) -> None:
    text = rendered(manual / "mynah-serve.1")
    assert "--control-port PORT" in text and "--log-pushes" in text


def test_the_exit_status_is_that_of_the_program(manual: Path, mynah_command: Command) -> None:
    status = rendered(manual / "mynah.1").partition("EXIT STATUS")[2].partition("FILES")[0]
    told = mynah_command("help", "exit-codes").stdout
    codes = re.findall(r"^  (\d+) ", told, re.MULTILINE)
    assert len(codes) == 8
    assert re.findall(r"^ +(\d+) {2,}", status, re.MULTILINE) == codes
    assert status.split() == told.split()
