"""`mynah completions`: bash, zsh and fish ask the program, and so complete the same."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from commandline import Command
from server import Mynah, binary, clean_environment
from waiting import RUN_SECONDS, measured

SHELLS = ["bash", "zsh", "fish"]

# Each prints the candidates for a line that ends with its last word; `$1` is the script of the completions.
BASH = r"""
source "$1"
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
compopt() { :; }
_mynah mynah
printf '%s\n' "${COMPREPLY[@]}"
"""
ZSH = r"""
compdef() { :; }
compadd() { while [ "$1" != -- ]; do shift; done; shift; print -rl -- "$@"; }
compset() { :; }
_files() { print -rl -- ${~${:-$words[CURRENT]*}}; }
source "$1"
words=("${(@s: :)2}")
CURRENT=$#words
_mynah
"""
FISH = r"""
source $argv[1]
complete -C $argv[2]
"""


def candidates(shell: str, line: str, folder: Path, **environment: str) -> set[str]:
    """What a shell offers for the last word of a line."""
    script = folder / f"completions.{shell}"
    own = clean_environment(
        HOME=str(folder),
        XDG_RUNTIME_DIR=str(folder),
        XDG_CONFIG_HOME=str(folder),
        PATH=f"{binary().parent}:{os.environ['PATH']}",
        **environment,
    )
    made = subprocess.run([str(binary()), "completions", shell], capture_output=True, text=True, env=own, check=True)
    script.write_text(made.stdout)
    command = {
        "bash": ["bash", "--norc", "-c", BASH, "bash"],
        "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
        "fish": ["fish", "--no-config", "-c", FISH],
    }[shell]
    done = subprocess.run(
        [*command, str(script), line],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=own,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.stderr == "", done
    return {candidate.split("\t")[0] for candidate in done.stdout.splitlines() if candidate}


@pytest.fixture(autouse=True)
def program_is_called_mynah() -> None:
    assert binary().name == "mynah"


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("mynah de", {"device"}),
        ("mynah device l", {"list", "launch"}),
        ("mynah serve --control-p", {"--control-port"}),
        ("mynah --control-p", {"--control-port"}),
        ("mynah exec --int", {"--intercept"}),
        ("mynah device add --platform w", {"watchOS"}),
        ("mynah fault add goa", {"goaway"}),
        ("mynah fault add goaway --aft", {"--after"}),
        ("mynah help exit", {"exit-codes"}),
        ("mynah clock set fr", {"frozen"}),
        ("mynah device ls --offl", {"--offline"}),
    ],
)
def test_words_of_the_program_are_completed(shell: str, line: str, some: set[str], tmp_path: Path) -> None:
    offered = candidates(shell, line, tmp_path)
    assert some <= offered
    beginning = line.split(" ")[-1]
    assert all(candidate.startswith(beginning) for candidate in offered), offered


@pytest.mark.parametrize("shell", SHELLS)
def test_a_filter_is_completed_key_by_key(shell: str, tmp_path: Path) -> None:
    assert candidates(shell, "mynah expect outc", tmp_path) == {"outcome:"}
    values = candidates(shell, "mynah expect outcome:exp", tmp_path)
    # bash completes only what follows the colon.
    assert values == ({"expired"} if shell == "bash" else {"outcome:expired"})


@pytest.mark.parametrize("shell", SHELLS)
def test_a_value_behind_an_equals_sign_is_completed(shell: str, tmp_path: Path) -> None:
    values = candidates(shell, "mynah device add --platform=wat", tmp_path)
    assert values == ({"watchOS"} if shell == "bash" else {"--platform=watchOS"})


@pytest.mark.parametrize("shell", SHELLS)
def test_files_are_completed_by_the_shell(shell: str, tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text("")
    assert candidates(shell, "mynah fault add --file rul", tmp_path) == {"rules.yaml"}


@pytest.mark.parametrize("shell", SHELLS)
def test_what_the_running_server_has_is_completed(
    shell: str, own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path
) -> None:
    mynah = own_mynah()
    url = mynah.control_url
    added = mynah_command(
        "device", "add", "kim", "--scope", "t42", "--user", "lee", "--app", "com.example.app", "--url", url
    )
    token = added.stdout.split()[1]
    mynah_command("fault", "add", "503", "--id", "busy", "--times", "1", "--url", url)
    mynah_command("scenario", "add", "half-open", "--url", url)
    channel = mynah_command("channel", "create", "com.example.app", "--url", url).stdout.strip()

    def offered(line: str) -> set[str]:
        return candidates(shell, line, tmp_path, MYNAH_URL=url)

    for line, value in (
        ("mynah device show k", "kim"),
        ("mynah expect --scope t4", "t42"),
        ("mynah device launch kim com", "com.example.app"),
        (f"mynah send --to {token[:4]}", token),
        ("mynah fault rm b", "busy"),
        ("mynah scenario rm h", "half-open"),
        (f"mynah channel show {channel[:4]}", channel),
        (f"mynah key show {mynah.key_id[:2]}", mynah.key_id),
        ("mynah device set --of-user l", "lee"),
    ):
        # A key press waits a second for the server, and no longer.
        measured(partial(offered, line), lambda found, value=value: found == {value})  # type: ignore[misc]


def test_without_a_server_there_is_nothing_and_no_error(mynah_command: Command) -> None:
    done = mynah_command("__complete", "device", "show", "", MYNAH_URL="http://127.0.0.1:1")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
