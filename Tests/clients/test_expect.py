"""`mynah expect` with files and reports, and expectations of what the user saw (`Documents#Expectations`)."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from commandline import CONFIGURATION, FINE, UNAVAILABLE, UNMET, USAGE, Command
from devices import add_device, token_of, unique_id
from h2client import connect
from server import Mynah, binary, clean_environment
from waiting import RUN_SECONDS, measured, stopwatch

HELLO = b'{"aps":{"alert":{"title":"Hello","body":"there"},"badge":3,"thread-id":"t"}}'


def url(mynah: Mynah) -> list[str]:
    return ["--url", mynah.control_url]


def push(mynah: Mynah, token: str, body: bytes = HELLO) -> None:
    with connect(mynah) as connection:
        connection.push(token, body).assert_accepted()


def write(folder: Path, token: str) -> Path:
    """A file of three expectations, the second of which is not met."""
    file = folder / "expectations.yaml"
    file.write_text(
        f"""
within: 300ms
expectations:
  - name: the greeting is shown
    match: {{token: {token}, screen: {{/title: Hello, /badge: 3}}}}
  - name: "a second one, \\"quoted\\" & <tagged>"
    match: {{token: {token}, screen: {{/title: Goodbye}}}}
  - name: nothing else comes
    match: {{token: {token}, topic: {{not: com.example.app}}}}
    count: {{max: 0}}
    settle: 100ms
"""
    )
    return file


def test_a_file_may_say_that_nothing_else_is_sent(
    mynah_command: Command, mynah: Mynah, tmp_path: Path
) -> None:
    scope = unique_id("scope")
    token = token_of(add_device(mynah, scope=scope))
    file = tmp_path / "exclusive.yaml"
    file.write_text(f"""
scope: {scope}
exclusive: true
expectations:
  - match: {{payload: {{/aps/alert/title: Hello}}}}
  - inOrder: [{{payload: {{/aps/category: A}}}}, {{q: "payload:/aps/category:B"}}]
  - match: {{has: warnings}}
    count: {{max: 0}}
""")
    order = ["expect", *url(mynah), "--file", str(file)]
    for body in (HELLO, b'{"aps":{"alert":"x","category":"A"}}', b'{"aps":{"alert":"x","category":"B"}}'):
        push(mynah, token, body)
    done = mynah_command(*order)
    assert done.returncode == FINE and "4 of 4 met" in done.stdout, done
    push(mynah, token, b'{"aps":{"alert":"x","contentavailable":1}}')
    done = mynah_command(*order)
    assert done.returncode == UNMET and "2 of 4 met" in done.stdout, done
    assert "unmet: nothing else is sent: 1 push matched" in done.stdout
    assert "hint: 1 push matches, more than the 0 expected" in done.stdout
    found = mynah_command("dump", *url(mynah), f"scope:{scope} has:warnings").stdout.splitlines()
    assert ["contentavailable" in line for line in found] == [True]
    assert len(mynah_command("dump", *url(mynah), f"scope:{scope} -has:warnings").stdout.splitlines()) == 3


def test_a_file_is_checked_together_and_reported_as_junit(
    mynah_command: Command, mynah: Mynah, tmp_path: Path, token: str
) -> None:
    push(mynah, token)
    report = tmp_path / "junit.xml"
    done = mynah_command("expect", *url(mynah), "--file", str(write(tmp_path, token)), "--report", str(report))
    assert done.returncode == UNMET, done
    assert "met: the greeting is shown: 1 push matched" in done.stdout
    assert '  - /screen/title "Goodbye"\n  + /screen/title "Hello"' in done.stdout
    assert done.stdout.endswith("2 of 3 met\n")
    (suite,) = ElementTree.parse(report).getroot().findall("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [
        "the greeting is shown",
        'a second one, "quoted" & <tagged>',
        "nothing else comes",
    ]
    (failure,) = cases[1].findall("failure")
    assert failure.text and '+ /screen/title "Hello"' in failure.text
    assert not cases[0].findall("failure") and not cases[2].findall("failure")


@pytest.mark.measures
def test_many_wait_at_the_same_time(mynah_command: Command, mynah: Mynah, tmp_path: Path) -> None:
    file = tmp_path / "many.json"
    quiet = {"match": {"topic": "never"}, "count": {"max": 0}, "settle": "1s"}
    file.write_text(json.dumps([quiet | {"name": f"quiet {number}"} for number in range(50)]))

    def seconds_of_all() -> float:
        elapsed = stopwatch()
        done = mynah_command("expect", *url(mynah), "--file", str(file), "--scope", unique_id("scope"))
        assert done.returncode == FINE, done
        assert done.stdout.endswith("50 of 50 met\n")
        return elapsed()

    # One after the other they would take 50 s.
    assert measured(seconds_of_all, lambda seconds: seconds < 50) >= 1


def test_github_gets_annotations_and_a_summary(
    mynah_command: Command, mynah: Mynah, tmp_path: Path, token: str
) -> None:
    push(mynah, token)
    file, summary = write(tmp_path, token), tmp_path / "summary.md"
    summary.write_text("before\n")
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    done = mynah_command("expect", *url(mynah), "--file", str(file), **github)
    assert done.returncode == UNMET
    (annotation,) = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert annotation.startswith('::error title=mynah expect%3A a second one%2C "quoted"')
    assert ",line=6::unmet: 0 pushes matched" in annotation and "%0A+ /screen/title" in annotation
    text = summary.read_text()
    assert text.startswith("before\n### mynah expect: 2 of 3 met\n") and "```diff\n" in text
    quiet = mynah_command("expect", *url(mynah), "--file", str(file), "--annotations", "off", **github)
    assert "::error" not in quiet.stdout and summary.read_text() == text
    lines = mynah_command("expect", *url(mynah), "--file", str(file), "--json", "--annotations", "github")
    assert [json.loads(line)["met"] for line in lines.stdout.splitlines()] == [True, False, True]
    assert "::error" in lines.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- macth: {}", "e.yaml:1: /macth"),
        ("expectations:\n- name: a\n  match:\n    screen: {/tilte: x}", "e.yaml:4: /match/screen/~1tilte"),
        ("- scope: a b", 'e.yaml:1: /scope: "a b" is not valid: expected a scope name of 1 to 64 characters'),
        ("a: [", "e.yaml:"),
    ],
)
def test_a_file_with_a_mistake_is_bad_configuration(
    mynah_command: Command, mynah: Mynah, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "e.yaml").write_text(text)
    done = mynah_command("expect", *url(mynah), "--file", "e.yaml")
    assert done.returncode == CONFIGURATION and message in done.stderr, done


@pytest.mark.parametrize("report", ["junit.xml", "reports/junit.xml", "./reports/of/today/junit.xml"])
def test_the_folders_of_a_report_are_made(
    mynah_command: Command, mynah: Mynah, tmp_path: Path, token: str, report: str
) -> None:
    push(mynah, token)
    for _ in range(2):
        done = mynah_command("expect", *url(mynah), "--token", token, "--report", report)
        assert done.returncode == FINE, done
    assert ElementTree.parse(tmp_path / report).getroot().get("tests") == "1"


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ("file/junit.xml", "can't make the folder ./file: File exists"),
        ("file/of/junit.xml", "can't make the folder ./file: File exists"),
        ("folder", "can't write folder: Is a directory"),
    ],
)
def test_a_report_that_cannot_be_written_is_bad_configuration(
    mynah_command: Command, mynah: Mynah, tmp_path: Path, token: str, report: str, message: str
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    push(mynah, token)
    done = mynah_command("expect", *url(mynah), "--token", token, "--report", report)
    assert done.returncode == CONFIGURATION and message in done.stderr, done
    assert "1 push matched" in done.stdout, "what was found is told all the same"


def test_1_means_unmet_and_nothing_else(mynah_command: Command, mynah: Mynah, tmp_path: Path, token: str) -> None:
    nobody = ["--url", "http://127.0.0.1:1"]
    assert mynah_command("expect", *nobody, "--within", "0s").returncode == UNAVAILABLE
    file, report = write(tmp_path, token), tmp_path / "junit.xml"
    done = mynah_command("expect", *nobody, "--file", str(file), "--report", str(report))
    assert done.returncode == UNAVAILABLE
    assert ElementTree.parse(report).getroot().get("errors") == "3"
    assert mynah_command("expect", *url(mynah), "--scope", "a b").returncode == USAGE
    assert mynah_command("expect", *url(mynah), "tpoic:x").returncode == USAGE
    assert mynah_command("expect", *url(mynah), "--file", "e.yaml", "--topic", "a").returncode == USAGE


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_a_terminal_gets_colours_unless_it_wants_none(
    mynah: Mynah, tmp_path: Path, token: str, environment: dict[str, str], coloured: bool
) -> None:
    push(mynah, token)
    command = [str(binary()), "expect", *url(mynah), "--token", token, "--screen", "/title=Goodbye", "--within", "0s"]
    reader, writer = pty.openpty()
    own = clean_environment(HOME=str(tmp_path), **({"TERM": "xterm"} | environment))
    done = subprocess.run(command, stdout=writer, stdin=writer, env=own, timeout=RUN_SECONDS, check=False)
    os.close(writer)
    text = b""
    try:
        while part := os.read(reader, 4096):
            text += part
    except OSError:
        pass  # Linux says so that the other end is closed.
    os.close(reader)
    assert done.returncode == UNMET and b'+ /screen/title "Hello"' in text
    assert (b"\x1b[31m" in text) == coloured


def test_a_push_for_a_device_that_is_offline_is_hinted_at(mynah_command: Command, mynah: Mynah) -> None:
    device = add_device(mynah, online=False)
    push(mynah, token_of(device))
    shown = ["expect", *url(mynah), "--device", device["id"], "--screen", "/title=Hello", "--within", "0s"]
    done = mynah_command(*shown)
    assert done.returncode == UNMET and "is stored: " in done.stdout and "offline" in done.stdout, done
    assert mynah.control.ask("PATCH", f"/v1/devices/{device['id']}", body={"online": True}).status == 200
    assert mynah_command(*shown).returncode == FINE
