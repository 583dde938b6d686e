"""The Java package: its archive, servers that it starts and finds, its types, and the extension for JUnit."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from languages import LANGUAGES, install_java, java_archive, javac, run
from mynah import ControlAPI, UnavailableError
from server import REPOSITORY, Mynah, binary, clean_environment
from waiting import HANG_SECONDS, RUN_SECONDS, until

PACKAGE = REPOSITORY / "Sources" / "java"
PROGRAMS = Path(__file__).resolve().parent / "programs"
MISSING = next(one for one in LANGUAGES if one.name == "java").missing
pytestmark = [
    pytest.mark.xdist_group("java"),
    pytest.mark.skipif(bool(MISSING), reason=f"without {', '.join(MISSING)}"),
]
# Java 11's, in a class file.
CLASS_VERSION = 55


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the package, and the programs of these tests."""
    folder = tmp_path_factory.mktemp("java-project")
    install_java(folder)
    javac(folder, "-cp", "lib/*", "-d", "classes", *map(str, PROGRAMS.glob("*.java")))
    return folder


def java(project: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a class."""
    return subprocess.run(
        ["java", "-XX:TieredStopAtLevel=1", "-cp", "classes:lib/*", *arguments],
        cwd=project,
        env=clean_environment(**{"MYNAH_BINARY": str(binary()), **environment}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )


def told(project: Path, *names: str, **environment: str) -> list[Any]:
    """What methods of the probe give, in one process."""
    done = java(project, "Probe", *names, **environment)
    assert done.returncode == 0, done
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(names), done
    return answers


# The archive


def test_its_archive_has_what_it_needs_and_nothing_else(tmp_path: Path) -> None:
    archive = java_archive()
    names = {file.name for file in archive.parent.iterdir()}
    assert names == {archive.name, archive.name.replace(".jar", "-sources.jar"), archive.name.replace(".jar", ".pom")}
    with zipfile.ZipFile(archive) as packed:
        classes = {name for name in packed.namelist() if name.endswith(".class")}
        assert {name for name in packed.namelist() if not name.endswith("/")} - classes == {"META-INF/MANIFEST.MF"}
        assert {packed.read(name)[7] for name in classes} == {CLASS_VERSION}
    sources = {str(file.relative_to(PACKAGE / "src/main/java")) for file in PACKAGE.rglob("*.java")}
    assert {re.sub(r"(\$\w+)?\.class$", ".java", name) for name in classes} == sources
    # Only the extension needs more than Java.
    found = run("jdeps", "--ignore-missing-deps", "--multi-release", "base", "-verbose:class", str(archive), cwd=tmp_path)
    outside = set(re.findall(r"^ +(\S+) +-> (?:org\.junit)\S+", found, re.MULTILINE))
    assert not [one for one in outside if not one.startswith("mynah.junit.")]


def test_its_version_is_the_program_s_and_no_dependency_is_needed() -> None:
    space = "{http://maven.apache.org/POM/4.0.0}"
    description = ElementTree.parse(PACKAGE / "pom.xml").getroot()
    assert description.findtext(f"{space}version") == run(str(binary()), "--version", cwd=PACKAGE).strip()
    dependencies = description.findall(f"{space}dependencies/{space}dependency")
    assert [one.findtext(f"{space}optional") for one in dependencies] == ["true"]
    tutorial = (REPOSITORY / "Sources/Mynah/Mynah.docc/Tutorials/TestAProviderInJava.md").read_text()
    for name in ("groupId", "artifactId", "version"):
        assert f"<{name}>{description.findtext(space + name)}</{name}>" in tutorial


# Servers


def test_a_server_is_started_with_settings_and_ends(project: Path) -> None:
    [answer] = told(project, "started")
    assert (answer["seed"], answer["host"], answer["isLogged"], answer["remains"]) == (7, "localhost", True, False)
    assert answer["files"] == answer["streams"] == [True, True]
    assert answer["answer"] == '{"reason":"MissingTopic"}'
    with pytest.raises(UnavailableError):
        ControlAPI(answer["url"]).get("/v1/status")


@pytest.mark.parametrize("number", [None, signal.SIGKILL, signal.SIGTERM], ids=["by itself", "killed", "terminated"])
def test_a_server_ends_with_the_process_that_has_started_it(project: Path, number: int | None) -> None:
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", "classes:lib/*", "Probe", "ends" if number is None else "stays"]
    environment = clean_environment(MYNAH_BINARY=str(binary()))
    with subprocess.Popen(command, cwd=project, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        url = child.stdout.readline().strip().strip('"')
        if number is not None:
            assert ControlAPI(url).get("/v1/status")["name"] == "mynah"
            child.send_signal(number)
        child.wait(timeout=HANG_SECONDS)

    def is_gone() -> bool:
        try:
            ControlAPI(url).get("/v1/status")
        except UnavailableError:
            return True
        return False

    until(is_gone, "the server to end")


def test_a_server_that_does_not_start_says_why(project: Path) -> None:
    flag, nowhere, other = told(project, "wrongSetting", "wrongProgram", "otherProgram")
    assert {kind for kind, _ in (flag, nowhere, other)} == {"StartException"}
    assert "--seed" in flag[1] and "mynah ended with" in flag[1]
    assert nowhere[1].startswith("/nowhere/mynah cannot be run") and "mynah ended with 1" in other[1]
    [chosen] = told(project, "found", MYNAH_BINARY="/nowhere/mynah")
    expected = "MYNAH_BINARY=/nowhere/mynah is not executable: expected the program mynah"
    assert chosen == ["StartException", expected]


def test_the_server_of_the_environment_is_found(project: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--control-token", "secret")
    named = {"MYNAH_URL": mynah.control_url + "/\r", "MYNAH_CONTROL_TOKEN": "secret", "MYNAH_APNS_HOST": "localhost"}
    found, port, refused, nothing, late = told(
        project, "environment", "wrongPort", "withoutToken", "withoutUrl", "late", **named
    )
    assert found["names"] == [found["name"]]
    assert len(found["name"]) == 64 and found["name"].startswith("a-name-with-much")
    assert (found["host"], found["ignored"]) == ("localhost", mynah.port)
    assert port == ["MynahException", "invalid MYNAH_APNS_PORT=x: expected a port from 1 to 65535"]
    assert refused[0] == "ControlException" and "was answered 401" in refused[1]
    assert nothing[0] == "MynahException" and nothing[1].startswith("MYNAH_URL is not set: expected")
    assert late == ["UnavailableException", f"GET /v1/notifications: no answer from {mynah.control_url} within 0.05 s"]


# Values


def test_wrong_arguments_say_what_is_right(project: Path, server: Mynah) -> None:
    names = ["wrongUrl", "wrongPath", "nullFilter", "matcherInAList", "shortDuration"]
    answers = told(project, *names, MYNAH_URL=server.control_url)
    assert {kind for kind, _ in answers} == {"ArgumentException"}
    url, path, null, matcher, duration = (message for _, message in answers)
    assert '"https://a.test": expected a URL like http://127.0.0.1:8197' in url
    assert 'wrong path "/a b"' in path
    assert "wrong filter reason: null: expected a value, or Filter.exists(false)" in null
    assert 'wrong filter topic: {"prefix":"com."}: expected a value' in matcher and "only expect()" in matcher
    assert "expected whole milliseconds" in duration


def test_values_are_read_and_written(project: Path, server: Mynah) -> None:
    names = ["json", "wrongJson", "durations", "immutable", "stream"]
    document, accepted, durations, options, streamed = told(project, *names, MYNAH_URL=server.control_url)
    assert document == {"a": [1, -2.5, 1000, 18446744073709551615, True, None, "\U0001f600\0\\ /\n"], "b": {}}
    assert accepted == []
    assert durations == ["0s", "5s", "90s", "120m", "250ms", "60500ms"]
    assert options == {"first": {"user": "kim"}, "second": {"user": "kim", "focus": None}}
    assert streamed is True


# JUnit


def test_junit_has_a_scope_for_each_test(project: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    parallel = ("--config", "junit.jupiter.execution.parallel.enabled=true", "--disable-ansi-colors")
    launcher = ("org.junit.platform.console.ConsoleLauncher", "--select-class", "ScopesTest", *parallel)
    done = java(project, *launcher, MYNAH_URL=mynah.control_url)
    assert done.returncode == 1, done
    assert "2 tests successful" in done.stdout and "1 tests failed" in done.stdout, done.stdout
    assert "mynah.ExpectationUnmet: unmet: 0 pushes matched; expected at least 1 within 0s" in done.stdout
    assert '- /screen/title "News"' in done.stdout and '+ /screen/title "Olds"' in done.stdout
    assert ControlAPI(mynah.control_url).get("/v1/scopes")["items"] == []


# Types

GOOD = (
    'mynah.device("a.b", it -> it.platform("iOS").focus(null).online(false)).change(it -> it.user(null))',
    'mynah.device(List.of("a.b", "c.d")).install("e.f", it -> it.appName("Other").launched(true))',
    'mynah.fault("slow", it -> it.delay("5s").topic("a.b").activeFrom(Instant.now()).times(2))',
    'mynah.fault(List.of(503, "stall"), it -> it.then("repeat").scope(null))',
    "mynah.expect(it -> it.status(200, 410).reason(Filter.exists(false)).within(Duration.ofSeconds(1)))",
    'mynah.expect(it -> it.inOrder(one -> one.status(200), two -> two.payload("/aps/badge", 3)))',
    'long matched = mynah.notifications(it -> it.reason(Filter.not("a", "b")).wait("1s").count(2)).matched()',
    "Long status = mynah.notification(3).status()",
    'long number = mynah.clock().advance(Duration.ofHours(2)).expired()',
)
# Each is an error.
BAD = (
    'mynah.device("a.b", it -> it.platfrom("iOS"))',
    'mynah.device("a.b", it -> it.online("yes"))',
    "mynah.device(5)",
    'mynah.devices(it -> it.zzz(1))',
    'mynah.expect(it -> it.wihtin("1s"))',
    "mynah.expect(it -> it.within(5))",
    "mynah.expect(it -> it.topic())",
    'mynah.notifications(it -> it.tpoic("a"))',
    "mynah.notifications(it -> it.wait(5))",
    'mynah.removeNotifications(it -> it.payload())',
    'mynah.fault("slow", it -> it.dealy("5s"))',
    "mynah.fault(5.5)",
    'mynah.send(it -> it.tokne("x"))',
    "mynah.clock().advance(5)",
    'mynah.clock().freeze("2100-01-01T00:00:00Z")',
    'mynah.server().issueCertificate("a.b", it -> it.dys(1))',
    'MynahServer.start(it -> it.sede(7))',
)


def errors(project: Path, folder: Path, lines: tuple[str, ...]) -> set[str]:
    """The lines that the compiler refuses."""
    imports = "import java.time.*;\nimport java.util.*;\nimport mynah.*;\n"
    methods = [f"void number{index}(Mynah mynah) {{ {line}; }}" for index, line in enumerate(lines)]
    (folder / "Lines.java").write_text(f"{imports}abstract class Lines {{\n" + "\n".join(methods) + "\n}\n")
    done = subprocess.run(
        ["javac", "-cp", "lib/*", "-d", str(folder), str(folder / "Lines.java")], cwd=project,
        env=clean_environment(), capture_output=True, text=True, timeout=RUN_SECONDS, check=False,
    )  # fmt: skip
    numbers = {int(one) for one in re.findall(r"Lines\.java:(\d+): error", done.stderr)}
    first = imports.count("\n") + 2
    return {lines[number - first] for number in numbers}


def test_the_compiler_refuses_what_is_wrong_and_nothing_else(project: Path, tmp_path: Path) -> None:
    assert errors(project, tmp_path, GOOD + BAD) == set(BAD)
    # What isn't parsed or resolved hides other errors.
    assert errors(project, tmp_path, GOOD) == set()
