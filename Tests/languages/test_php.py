"""The PHP package: its archive, servers that it starts and finds, and the glue for PHPUnit."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from languages import LANGUAGES, install_php, run
from mynah import ControlAPI, UnavailableError
from server import REPOSITORY, Mynah, binary, clean_environment
from waiting import HANG_SECONDS, RUN_SECONDS, until

PACKAGE = REPOSITORY / "Sources" / "php"
MISSING = next(one for one in LANGUAGES if one.name == "php").missing
pytestmark = [
    pytest.mark.xdist_group("php"),
    pytest.mark.skipif(bool(MISSING), reason=f"without {', '.join(MISSING)}"),
]
HEAD = """<?php
declare(strict_types=1);
require 'vendor/autoload.php';
use Mynah\\ControlAPI;
use Mynah\\ControlException;
use Mynah\\Mynah;
"""


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the package and nothing else."""
    folder = tmp_path_factory.mktemp("php-project")
    install_php(folder)
    return folder


@pytest.fixture
def project(installed: Path, tmp_path: Path) -> Path:
    """A project of this test's own."""
    (tmp_path / "vendor").symlink_to(installed / "vendor")
    return tmp_path


def php(project: Path, text: str, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program."""
    (project / "ProgramTest.php").write_text(HEAD + text)
    return subprocess.run(
        [*(command or ("php", "-d", "display_errors=stderr", "-d", "error_reporting=-1")), "ProgramTest.php"],
        cwd=project,
        env=clean_environment(**{"MYNAH_BINARY": str(binary()), **environment}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )


def result_of(project: Path, text: str, **environment: str) -> Any:
    """What a program prints as JSON; a warning of PHP fails the test."""
    done = php(project, text, **environment)
    assert done.returncode == 0 and not done.stderr, done
    return json.loads(done.stdout)


# The archive


def test_its_archive_has_what_it_needs_and_no_dependencies(installed: Path) -> None:
    folder = installed / "vendor" / "mynah" / "apns"
    description = json.loads((folder / "composer.json").read_text())
    assert set(description["require"]) == {"php", "ext-json", "ext-openssl"} and "require-dev" not in description
    [(prefix, sources)] = description["autoload"]["psr-4"].items()
    # PSR-4: a class is where its name says.
    for file in (folder / sources).rglob("*.php"):
        space = "\\".join([prefix.rstrip("\\"), *file.relative_to(folder / sources).parent.parts])
        text = file.read_text()
        assert f"\nnamespace {space};\n" in text and f" {file.stem}" in text, file


def test_its_version_is_the_program_s() -> None:
    told = run(str(binary()), "--version", cwd=PACKAGE).strip()
    assert json.loads((PACKAGE / "composer.json").read_text())["version"] == told


# Servers


def test_a_server_is_started_with_settings_and_ends(project: Path) -> None:
    text = """
        $server = Mynah::startServer(
            devices: 'strict', seed: 7, documentedReasons: true, tlsName: ['a.test', 'b.test'], logLevel: 'debug',
        );
        $files = [file_get_contents($server->caFile) === $server->ca];
        $files[] = file_get_contents($server->keyFile) === $server->signingKey;
        $seed = $server->status()->document['seed'];
        $server->close();
        $server->close();
        $isLogged = $server->logLines() !== [];
        echo json_encode(compact('seed', 'files', 'isLogged') + ['url' => $server->url, 'host' => $server->host]);
    """
    told = result_of(project, text)
    assert (told["seed"], told["files"], told["isLogged"], told["host"]) == (7, [True, True], True, "localhost")
    with pytest.raises(UnavailableError):
        ControlAPI(told["url"]).get("/v1/status")


def test_the_folders_of_a_server_are_removed_with_it(project: Path) -> None:
    folder = project / "temporary"
    folder.mkdir()
    text = """
        $server = Mynah::startServer();
        echo json_encode([is_file($server->caFile), count(glob(getenv('TMPDIR') . '/*'))]);
    """
    assert result_of(project, text, TMPDIR=str(folder)) == [True, 2]
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("number", [None, signal.SIGKILL, signal.SIGTERM], ids=["by itself", "killed", "terminated"])
def test_a_server_ends_with_the_process_that_has_started_it(project: Path, number: int | None) -> None:
    # Nobody writes to the other end.
    pair = "$ends = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);"
    stays = "" if number is None else f"{pair}\nwhile (true) {{ fread($ends[0], 1); }}"
    (project / "program.php").write_text(f'{HEAD}echo Mynah::startServer()->url, "\\n";\n{stays}\n')
    environment = clean_environment(MYNAH_BINARY=str(binary()))
    with subprocess.Popen(
        ["php", "program.php"], cwd=project, env=environment, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        url = child.stdout.readline().strip()
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


@pytest.mark.parametrize(
    ("settings", "environment", "kind", "message"),
    [
        ("sede: 7", {}, "ArgumentException", 'unknown named argument $sede: did you mean "seed"?'),
        ("seed: 'x'", {}, "StartException", "--seed"),
        ("", {"MYNAH_BINARY": "/nowhere/mynah"}, "StartException", "MYNAH_BINARY=/nowhere/mynah is not executable"),
        ("binary: '/nowhere/mynah'", {}, "StartException", "/nowhere/mynah cannot be run"),
        ("binary: '/bin/false'", {}, "StartException", "mynah ended with 1"),
    ],
)
def test_a_server_that_does_not_start_says_why(
    settings: str, environment: dict[str, str], kind: str, message: str, project: Path
) -> None:
    folder = project / "temporary"
    folder.mkdir()
    text = f"""
        try {{
            Mynah::startServer({settings});
        }} catch (\\Exception $error) {{
            echo json_encode([$error::class, $error->getMessage()]);
        }}
    """
    name, told = result_of(project, text, TMPDIR=str(folder), **environment)
    assert name == f"Mynah\\{kind}" and message in told
    assert list(folder.iterdir()) == []


def test_without_a_program_it_says_what_to_set(project: Path) -> None:
    command = ["/usr/bin/env", f"PATH={project}", run("which", "php", cwd=PACKAGE).strip()]
    text = "try { Mynah::openScope(); } catch (\\Exception $error) { echo $error->getMessage(); }"
    assert php(project, text, *command, MYNAH_BINARY="").stdout == (
        "mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server"
    )


def test_the_server_of_the_environment_is_found(project: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--control-token", "secret")
    text = """
        $scope = Mynah::openScope("a name: with / much in it, that is longer than a scope's name may be");
        $scope->device('com.example.app');
        $told = ['name' => $scope->name, 'host' => $scope->host];
        $told['names'] = array_map(fn ($one) => $one->name, $scope->server->scopes()->items);
        try {
            Mynah::connectFromEnvironment(['MYNAH_URL' => $scope->server->url]);
        } catch (ControlException $error) {
            $told['refused'] = $error->status;
        }
        try {
            Mynah::connectFromEnvironment(['MYNAH_APNS_PORT' => 'x'] + getenv());
        } catch (\\Mynah\\MynahException $error) {
            $told['port'] = $error->getMessage();
        }
        set_error_handler(fn () => true);
        $told['ignored'] = Mynah::connectFromEnvironment(['MYNAH_APNS_PORT' => 'tcp://10.0.0.1:2197'] + getenv())->port;
        $scope->remove();
        echo json_encode($told);
    """
    named = {"MYNAH_URL": mynah.control_url + "/\r", "MYNAH_CONTROL_TOKEN": "secret", "MYNAH_APNS_HOST": "localhost"}
    told = result_of(project, text, **named)
    assert told["names"] == [told["name"]] and len(told["name"]) == 64 and told["name"].startswith("a-name-with-much")
    assert (told["host"], told["refused"], told["ignored"]) == ("localhost", 401, mynah.port)
    assert told["port"] == "invalid MYNAH_APNS_PORT=x: expected a port from 1 to 65535"


# Calls


def test_a_call_that_is_not_answered_in_time_says_so(project: Path, server: Mynah) -> None:
    text = f"""
        try {{
            $query = ['wait' => '60s', 'count' => 1000000];
            (new ControlAPI('{server.control_url}'))->call('GET', '/v1/notifications', $query, timeout: 0.05);
        }} catch (\\Mynah\\UnavailableException $error) {{
            echo json_encode($error->getMessage());
        }}
    """
    message = result_of(project, text)
    assert message == f"GET /v1/notifications: no answer from {server.control_url} within 0.05 s"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("new ControlAPI('https://a.test')", '"https://a.test": expected a URL like http://127.0.0.1:8197'),
        ("new ControlAPI('nothing')", 'wrong control API "nothing"'),
        ("(new ControlAPI('http://127.0.0.1:1'))->call('GET', '/a b')", 'wrong path "/a b"'),
        ("$mynah->clock()->advance()", "advance(): expected a duration, or to: with a time"),
        ("$mynah->devices('x')", "devices() got an argument too many: expected named ones"),
        ("$mynah->wait(max: 1)", "wait(): unknown named argument $max"),
    ],
)
def test_wrong_arguments_say_what_is_right(expression: str, message: str, project: Path, server: Mynah) -> None:
    text = f"""
        $mynah = Mynah::connect('{server.control_url}')->scope('wrong');
        try {{
            {expression};
        }} catch (\\Mynah\\ArgumentException $error) {{
            echo json_encode($error->getMessage());
        }}
    """
    assert message in result_of(project, text)


def test_values_have_php_s_types(project: Path, server: Mynah) -> None:
    text = f"""
        $mynah = Mynah::openScope('values', Mynah::connect('{server.control_url}'));
        $phone = $mynah->device(['com.example.app', 'com.example.b']);
        $payload = ['aps' => ['alert' => 'é']];
        $sent = $mynah->send(token: $phone->tokenOf('com.example.b'), topic: 'com.example.b', payload: $payload);
        $push = $mynah->notification($sent->sequence);
        $mynah->clock()->freeze(new DateTimeImmutable('@4102444800'));
        try {{
            $phone->platfrom;
        }} catch (\\Error $error) {{
            $wrong = $error->getMessage();
        }}
        try {{
            $mynah->fault('refuse');
        }} catch (ControlException $error) {{
            $scope = $error->getMessage();
        }}
        foreach ($mynah->events(event: 'notification', after: 0) as $event) {{
            break;
        }}
        $told = [$push->receivedAt instanceof DateTimeImmutable, $push->payload, $mynah->clock()->now()->format('Y')];
        $told[] = [$push->header('apns-topic'), count($mynah->notifications()), $event->data['device'] === $phone->id];
        $removed = $mynah->remove()['devices'];
        echo json_encode([$told, $wrong, $scope, $removed]);
    """
    told, wrong, scope, removed = result_of(project, text)
    assert told == [True, {"aps": {"alert": "é"}}, "2100", ["com.example.b", 1, True]]
    assert wrong == 'a Device has no $platfrom: did you mean "platform"?' and removed == 1
    assert scope.endswith(": pass scope: null, for a rule of the whole server")


# PHPUnit

PHPUNIT = """
final class ProgramTest extends PHPUnit\\Framework\\TestCase
{
    use \\Mynah\\PHPUnit\\UsesMynah;

    public function testMet(): void
    {
        $phone = $this->mynah()->device('com.example.app');
        $payload = ['aps' => ['alert' => 'hi']];
        $this->mynah()->send(token: $phone->token(), topic: 'com.example.app', payload: $payload);
        self::assertSame($phone->id, $this->assertPush(topic: 'com.example.app')->push()->device);
        $this->assertNoPush(topic: 'com.example.other', within: '0s');
        self::assertStringStartsWith('ProgramTest-testMet-', $this->mynah()->name);
    }

    public function testUnmet(): void
    {
        $this->assertPush(topic: 'com.example.app', within: '0s');
    }

    public function testLate(): void
    {
        $this->mynah()->device('com.example.app')->wait(within: '1ms');
    }
}
"""


def test_phpunit_has_a_scope_for_each_test_and_failures_of_its_own(
    project: Path, own_mynah: Callable[..., Mynah]
) -> None:
    mynah = own_mynah()
    done = php(project, PHPUNIT, "phpunit", MYNAH_URL=mynah.control_url)
    assert done.returncode == 1 and "Tests: 3, Assertions: 5, Failures: 2." in done.stdout, done
    assert "unmet: 0 pushes matched; expected at least 1 within 0s" in done.stdout
    assert mynah.control.get("/v1/scopes")["items"] == []
