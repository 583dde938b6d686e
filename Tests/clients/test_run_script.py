"""A copy of Tests/run.sh with a stand-in for Swift: what it says of failures and bad input, and that it can be ended."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path

import pytest

from server import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "Tests"))
import changed  # noqa: E402

# Far above what any of these takes on a busy machine.
SECONDS = 300

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A repository that has the scripts and nothing else, and the commands that come first on the PATH."""
    folder = tmp_path / "repository"
    for path in ("Tests/run.sh", "Tests/changed.py", "Sources/toolchain.sh", "docker/packages.versions"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / path, folder / path)
    (folder / "Package.resolved").write_text("{}")
    (folder / ".build/checkouts").mkdir(parents=True)
    (tmp_path / "commands").mkdir()
    stand_in(folder, "dpkg-query", "echo installed")
    stand_in(folder, "swift", "")
    return folder


def stand_in(copy: Path, name: str, script: str) -> None:
    """A command that the script finds; Swift's also has a version."""
    version = '[ "$1" != --version ] || { echo "Swift version 6.2"; exit 0; }\n' if name == "swift" else ""
    file = copy.parent / "commands" / name
    file.write_text(f"#!/bin/bash\n{version}{script}\n")
    file.chmod(0o755)


def surroundings(copy: Path) -> dict[str, str]:
    return {"PATH": f"{copy.parent / 'commands'}:{os.environ['PATH']}", "HOME": str(copy.parent), "LC_ALL": "C.UTF-8"}


@pytest.fixture
def run(copy: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(copy / "Tests/run.sh"), *arguments],
            env=surroundings(copy),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["biuld"], "unknown part 'biuld': expected one of packages build "),
        (["build", "--quick"], "unknown part '--quick': expected one of packages "),
        (["format", "--", "x"], "arguments after -- go to one part, swift-tests, client-tests or languages: format was named"),
        (["--", "x"], "arguments after -- go to one part, swift-tests, client-tests or languages: no part was named"),
        (["--changed", "a", "b"], "unexpected a b: expected --changed and at most one commit"),
        (["--changed", "nowhere"], "unknown commit 'nowhere': expected one that git has"),
    ],
)
def test_what_is_asked_for_wrongly_is_named(run: Run, arguments: list[str], told: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (64, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(told)


def test_help_names_every_part(run: Run) -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Tests/run.sh --changed [COMMIT]" in done.stdout
    assert done.stdout.splitlines()[-1].split()[:3] == ["parts:", "packages", "build"]


def test_the_last_lines_say_what_failed_and_how_to_run_it_again(run: Run, copy: Path) -> None:
    stand_in(
        copy,
        "swift",
        """echo '✘ Test first() recorded an issue at SomeTests.swift:3:5: Expectation failed: (1) == (2)'
        echo '✘ Test "second" recorded an issue at OtherTests.swift:9:1: Expectation failed: false'
        echo 'much else'
        exit 1""",
    )
    done = run("swift-tests")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-5:] == [
        "FAILED  swift-tests: exit code 1",
        "    ✘ Test first() recorded an issue at SomeTests.swift:3:5: Expectation failed: (1) == (2)",
        '    ✘ Test "second" recorded an issue at OtherTests.swift:9:1: Expectation failed: false',
        "    the whole output: .build/test-output/swift-tests; again: "
        "Tests/run.sh swift-tests -- --filter '/(OtherTests|SomeTests)\\.swift'",
        "0 passed, 1 failed",
    ]


def test_arguments_reach_the_runner_as_they_are(run: Run, copy: Path) -> None:
    stand_in(copy, "swift", 'printf "<%s>" "$@"')
    done = run("swift-tests", "--", "--filter", "a b|c'd", "$HOME")
    assert done.returncode == 0, done
    assert "<--filter><a b|c'd><$HOME>" in done.stdout


def test_a_part_whose_need_failed_is_not_begun(run: Run, copy: Path) -> None:
    stand_in(copy, "swift", 'case "$1" in build) echo "error: no such module"; exit 1 ;; esac')
    done = run("build", "swift-tests", "format")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-6:] == [
        "passed  format",
        "FAILED  build: exit code 1",
        "    error: no such module",
        "    the whole output: .build/test-output/build; again: Tests/run.sh build",
        "FAILED  swift-tests: not begun, since a part that it needs failed (build)",
        "1 passed, 2 failed",
    ]


def test_a_full_disk_is_said_before_a_build(run: Run, copy: Path) -> None:
    stand_in(copy, "df", "echo Filesystem; echo /dev/vda 100 90 17 90% /")
    shutil.rmtree(copy / ".build")
    done = run("build")
    assert (done.returncode, done.stdout) == (69, "")
    assert done.stderr == f"the disk of {copy} is nearly full: 17 MB are free, a build needs 4000 MB\n"


def test_a_part_that_fails_on_a_full_disk_says_so(run: Run, copy: Path) -> None:
    stand_in(copy, "df", "echo Filesystem; echo /dev/vda 100 90 17 90% /")
    stand_in(copy, "swift", "exit 1")
    done = run("build")
    assert "FAILED  build: the disk is nearly full, 17 MB are free; exit code 1" in done.stdout.splitlines()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_nothing_running(copy: Path, number: signal.Signals) -> None:
    begun = copy.parent / "begun"
    os.mkfifo(begun)
    # It ends with no signal but the one that nothing survives.
    stand_in(copy, "swift", f"trap '' INT TERM HUP; echo $$ >{begun}; while :; do read -r -t 100 <> <(:); done")
    script = subprocess.Popen(
        ["env", "--default-signal", str(copy / "Tests/run.sh"), "build", "format"],
        env=surroundings(copy),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with script:
        # Open for writing, too, so that a reading never ends between the two, however late the second one comes.
        with open(os.open(begun, os.O_RDWR), encoding="utf-8") as lines:
            processes = [os.pidfd_open(int(lines.readline())) for _ in range(2)]
        script.send_signal(number)
        _, errors = script.communicate(timeout=SECONDS)
    assert script.returncode == 128 + number
    [line] = errors.splitlines()
    assert line.startswith("interrupted: ") and set(line.split()[1:3]) == {"build", "format"}
    for process in processes:
        # The kernel ends a process some time after the signal; then its descriptor becomes readable.
        ended, _, _ = select.select([process], [], [], SECONDS)
        os.close(process)
        assert ended, "a part still runs"


def test_without_debian_the_missing_programs_are_named_in_one_line(copy: Path) -> None:
    commands = copy.parent / "commands"
    (commands / "dpkg-query").unlink()
    for tool in ("bash", "cat", "df", "dirname", "env", "grep", "mkdir", "paste", "sed", "setsid", "sort", "tail",
                 "timeout", "tr", "head", "sh"):
        (commands / tool).symlink_to(shutil.which(tool) or tool)
    stand_in(copy, "git", "")
    done = subprocess.run(
        [str(copy / "Tests/run.sh"), "packages"],
        env=surroundings(copy) | {"PATH": str(commands)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 1
    said = [line for line in done.stdout.splitlines() if line.startswith("This is not Debian")]
    assert said, done
    assert {"curl", "jq", "python3", "openssl.pc"} <= set(said[0].partition(":")[2].split())
    assert "git" not in said[0].partition(":")[2].split()


# What a change can break


def test_each_row_of_what_sees_a_change_leads_somewhere() -> None:
    tests = [file.stem for file in (REPOSITORY / changed.CLIENTS).glob("test_*.py")]
    for path, patterns in changed.SEEN_BY.items():
        assert (REPOSITORY / path).exists(), path
        for pattern in patterns:
            assert any(fnmatch(test, pattern) for test in tests), (path, pattern)


def test_every_target_with_tests_over_the_wire_has_a_row() -> None:
    targets = {f"Sources/{folder.name}" for folder in (REPOSITORY / "Sources").iterdir() if folder.is_dir()}
    # C edges, and what only tests or builds use.
    without = {f"Sources/{name}" for name in ("EmbedFiles", "FileEmbedder", "MynahSystem", "MynahTesting")}
    targets = {target for target in targets if not Path(target).name.startswith("C")}
    assert targets - without <= set(changed.SEEN_BY)


PACKAGE: dict[str, object] = {
    "targets": [
        {"name": "Rules", "type": "regular", "dependencies": []},
        {"name": "Server", "type": "regular", "dependencies": [{"byName": ["Rules", None]}]},
        {"name": "Other", "type": "regular", "dependencies": [{"product": ["NIO", "nio", None, None]}]},
        {"name": "RulesTests", "type": "test", "dependencies": [{"byName": ["Rules", None]}]},
        {"name": "ServerTests", "type": "test", "dependencies": [{"byName": ["Server", None]}]},
        {"name": "OtherTests", "type": "test", "dependencies": [{"byName": ["Other", None]}]},
    ]
}


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("Sources/Rules/A.swift", {"RulesTests", "ServerTests"}),
        ("Sources/Server/A.swift", {"ServerTests"}),
        ("Tests/OtherTests/A.swift", {"OtherTests"}),
        ("Package.swift", {"RulesTests", "ServerTests", "OtherTests"}),
        ("README.md", set()),
    ],
)
def test_a_change_concerns_the_tests_of_all_that_depends_on_it(file: str, expected: set[str]) -> None:
    assert changed.swift_tests([file], PACKAGE) == expected | {"RepositoryTests"}


def test_a_changed_helper_concerns_the_tests_that_import_it() -> None:
    assert "test_page_recorded" in changed.client_tests(["Tests/clients/browser.py"])
    assert changed.client_tests(["Tests/clients/test_curl.py"]) == {"test_curl"}
    assert "test_page_live" in changed.client_tests(["Sources/MynahControl/Page/Web/feed.js"])
    assert "test_page_live" not in changed.client_tests(["Sources/MynahControl/Routes/FaultRoutes.swift"])


def test_the_failures_of_pytest_end_with_the_command_that_runs_them_again(tmp_path: Path) -> None:
    shutil.copy(REPOSITORY / "Tests/clients/failures.py", tmp_path / "failures.py")
    (tmp_path / "test_it.py").write_text(
        'import pytest\n\n\n@pytest.mark.parametrize("name", ["a b"])\ndef test_it(name):\n    assert [name] == ["c"]\n'
    )
    command = [sys.executable, "-m", "pytest", "--disable-plugin-autoload", "-p", "failures"]
    command += ["-p", "no:cacheprovider", "-q", "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 1, done
    told = [line for line in done.stdout.splitlines() if line.startswith("✘")]
    assert told[0] == "✘ test_it.py::test_it[a b]"
    assert told[1] == "✘   AssertionError: assert ['a b'] == ['c']"
    assert told[-1] == "✘   again: Tests/run.sh client-tests -- " + shlex.quote("test_it.py::test_it[a b]")
