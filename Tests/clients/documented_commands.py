"""Runs the commands that the README and the documentation show, page by page, and compares the output that they show.

All blocks of `sh` of a page are one script. In it

- `# exit code 1` behind a command says how it ends, if not with 0;
- `# until Ctrl-C` says that it doesn't end: it has to print a line, or to become ready;
- a block without a language right below is output: its lines have to appear in this order, `…` stands for anything;
- a block with the name of a file in its first line is that file;
- a block that names a program of `ELSEWHERE` isn't run.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from documentation import Block, files
from server import REPOSITORY, Mynah, binary, clean_environment
from waiting import RUN_SECONDS

# Programs that a test doesn't run, and an address that it doesn't reach, each with the reason.
ELSEWHERE = {
    "Sources/go/pack.sh": "Tests/languages installs the package",
    "Sources/serve.sh": "builds the release",
    "Tests/run.sh": "runs this test",
    "docker": "needs Docker",
    "docker/deb/build.sh": "makes the Debian package",
    "docker/release/rehearse.sh": "makes what a release has",
    "https://github.com/OWNER/mynah/releases": "test_release_install.py has a release of its own",
    "brew": "needs a registry",
    "apt-get": "changes the system",
    "systemctl": "needs systemd",
    "composer": "Tests/languages installs the package",
    "gem": "Tests/languages installs the package",
    "npm": "Tests/languages installs the package",
    "Sources/java/archive.sh": "Tests/languages installs the package",
    "pip": "needs a registry",
    "npx": "needs a registry",
    "go": "needs Go",
    "mvn": "needs Maven",
    "dotnet": "needs .NET",
    "vendor/bin/phpunit": "needs PHP",
    "bundle": "needs Ruby",
}

# Runs a command that doesn't end until it has printed a line, or is ready if it is a server.
PRELUDE = r"""
set -euo pipefail
until_interrupted() {
    local command line
    command=$(cat)
    coproc RUNNING { exec setsid bash -c "exec 2>&1; $command"; }
    while IFS= read -r line <&"${RUNNING[0]}"; do
        printf '%s\n' "$line"
        case "$command:$line" in
        *mynah\ serve*:*'mynah ready'*) break ;;
        *mynah\ serve*) ;;
        *) break ;;
        esac
    done
    kill -- "-$RUNNING_PID"
    wait "$RUNNING_PID" || true
    [ -n "${line:-}" ]
}
"""

# The program, but servers get free ports: the numbers in documents are taken on some machines.
WRAPPER = """#!/bin/bash
shopt -s extglob
arguments=("$@")
if [ "${1-}" = serve ]; then
    for index in "${!arguments[@]}"; do
        [[ ${arguments[index]} != *-port ]] || arguments[index + 1]=${arguments[index + 1]/#+([0-9])/0}
    done
    for flag in --port --control-port; do
        [[ " $* " == *" $flag "* ]] || arguments+=("$flag=0")
    done
fi
exec %s "${arguments[@]}"
"""


@dataclass(frozen=True)
class Example:
    """A block of commands with the output shown below it."""

    block: Block
    output: str | None

    @property
    def elsewhere(self) -> set[str]:
        """What is in it of that which a test doesn't run."""
        return {name for name in ELSEWHERE if name in words(self.block.text) or "://" in name and name in self.block.text}


def words(text: str) -> set[str]:
    """What may be a program in a block: the first words of lines, and what follows `--`."""
    without_comments = re.sub(r"(^|\s)#.*", "", text)
    return set(re.findall(r"(?:^|-- )\s*(?:\w+=\S+ )*([\w./-]+)", without_comments, re.MULTILINE))


def examples(blocks: list[Block]) -> list[Example]:
    """The blocks of commands among the blocks of a page."""
    found: list[Example] = []
    for block, following in zip_longest(blocks, blocks[1:]):
        if block.language == "sh":
            has_output = following is not None and following.follows and not following.language
            found.append(Example(block, following.text if has_output and following else None))
    return found


def script_of(text: str) -> str:
    """The commands of a block, with what their comments say about their ends."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and lines[-1].endswith("\\"):
            lines[-1] += "\n" + line
        else:
            lines.append(line)
    return "\n".join(map(command_of, lines))


def command_of(line: str) -> str:
    if ends := re.search(r"^(.*?)\s*# exit code (\d+)\b.*$", line, re.DOTALL):
        return f'code=0; {{ {ends[1]}; }} || code=$?; [ "$code" = {ends[2]} ]'
    if stays := re.search(r"^(.*?)\s*# until Ctrl-C\b.*$", line, re.DOTALL):
        return f"until_interrupted <<'COMMAND'\n{stays[1]}\nCOMMAND"
    return line


class Runner:
    """A folder with what the commands use of the repository, and a server whose state folder is in it."""

    def __init__(self, folder: Path, server: Mynah) -> None:
        self.folder, self.server = folder, server
        # Programs of `ELSEWHERE` that are run all the same.
        self.here: frozenset[str] = frozenset()
        (folder / "certs").symlink_to(server.ca_file.parent)
        programs = folder / ".build" / "release"
        programs.mkdir(parents=True)
        wrapper = programs / "mynah"
        wrapper.write_text(WRAPPER % shlex.quote(str(binary())))
        wrapper.chmod(0o755)
        self.environment = clean_environment(
            HOME=str(folder),
            XDG_RUNTIME_DIR=str(folder),
            PATH=os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
            PYTHONPATH=str(REPOSITORY / "Sources" / "python"),
            PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
            PYTEST_ADDOPTS="-p mynah.pytest_plugin -p no:cacheprovider",
            MYNAH_URL=server.control_url,
        )

    def run(self, page: str, blocks: list[Block]) -> None:
        """Writes the files that a page shows, runs its commands, and compares their output."""
        for name, text in files(blocks).items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        shown = [example for example in examples(blocks) if not example.elsewhere - self.here]
        parts = [PRELUDE]
        for example in shown:
            output = shlex.quote(str(self.output_of(example)))
            parts.append(f"exec >{output} 2>&1\n{self.with_ports(script_of(example.block.text))}\n")
        self.run_script(page, "".join(parts), shown)
        for example in shown:
            if example.output is not None:
                self.compare(page, example)

    def run_script(self, page: str, script: str, shown: list[Example]) -> None:
        running = subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = running.wait(timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            code = -signal.SIGKILL
        if code != 0:
            reached = [example for example in shown if self.output_of(example).exists()]
            last = reached[-1]
            raise AssertionError(
                f"{page}, line {last.block.line}: {'not done in time' if code < 0 else f'exit code {code}'}\n"
                f"{last.block.text}\n{self.output_of(last).read_text()}"
            )

    def with_ports(self, text: str) -> str:
        """The commands with the server's ports in place of those in documents."""
        for number, port in ((2197, self.server.port), (8197, self.server.control_port)):
            text = re.sub(rf"\b(localhost|127\.0\.0\.1):{number}\b", rf"\g<1>:{port}", text)
        return text

    def output_of(self, example: Example) -> Path:
        return self.folder / f"output-{example.block.line}"

    def compare(self, page: str, example: Example) -> None:
        assert example.output is not None
        actual = self.output_of(example).read_text()
        lines = iter(map(comparable, actual.splitlines()))
        for line in example.output.splitlines():
            wanted = re.compile(".*".join(re.escape(part) for part in comparable(line).split("…")))
            assert any(wanted.fullmatch(one) for one in lines), (
                f"{page}, line {example.block.line}: the output has no line (in this order)\n{line}\nbut is\n{actual}"
            )


def comparable(line: str) -> str:
    """A line without what differs from run to run: ids, device tokens, times and ports."""
    line = re.sub(r"(?i)\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "UUID", line)
    line = re.sub(r"\b[0-9a-f]{64,}\b", "TOKEN", line)
    line = re.sub(r"\b\d\d:\d\d:\d\d\.\d{3}\b", "TIME", line)
    line = re.sub(r"\b\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", line)
    line = re.sub(r"\b(localhost|127\.0\.0\.1|\[::1\]):\d+", "SERVER", line)
    return line.rstrip()
