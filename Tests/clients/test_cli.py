"""The command line: commands, exit codes, settings, signals (`control-api.md`, *Command line*)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import unique_token
from h2client import connect
from provider_token import SigningKey, random_identifier
from server import Mynah, Process, binary, clean_environment

FINE, UNMET, USAGE, UNAVAILABLE, CONFIGURATION = 0, 1, 64, 69, 78
SECONDS = 30
FREE_PORTS = ["--port", "0", "--control-port", "0"]


@pytest.fixture
def mynah_command(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command of mynah's to its end in an empty folder of its own."""
    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(binary()), *arguments], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env=clean_environment(HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path), **environment),
            timeout=SECONDS, check=False,
        )

    return run


@pytest.fixture
def serve(tmp_path: Path) -> Callable[..., Process]:
    """Starts `mynah serve` with exactly these arguments in an empty folder of its own."""
    running: list[Process] = []

    def start(*arguments: str, **environment: str) -> Process:
        own = clean_environment(HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path), **environment)
        running.append(Process(list(arguments), environment=own, cwd=tmp_path))
        return running[-1]

    yield start
    for process in running:
        process.kill()


Command = Callable[..., subprocess.CompletedProcess[str]]
Serve = Callable[..., Process]


def url(mynah: Mynah) -> list[str]:
    return ["--url", mynah.control_url]


def push(mynah: Mynah, token: str, body: bytes = b'{"aps":{"alert":"hi"}}', **options: object) -> None:
    with connect(mynah) as connection:
        connection.push(token, body, **options)


# Help and usage


@pytest.mark.parametrize(
    "command",
    [[], ["serve"], ["exec"], ["certs"], ["certs", "init"], ["token"], ["send"], ["tail"], ["expect"], ["dump"], ["reset"],
     ["healthcheck"]],
    ids=" ".join,
)
def test_help_teaches(mynah_command: Command, command: list[str]) -> None:
    done = mynah_command(*command, "--help")
    assert done.returncode == FINE
    assert "mynah" in done.stdout and len(done.stdout.splitlines()) > 5


def test_the_help_of_serve_names_every_flag_and_its_default(mynah_command: Command) -> None:
    shown = mynah_command("serve", "--help").stdout
    for flag in (
        "host", "port", "cleartext-port", "control-port", "control-host", "control-token", "insecure-control",
        "allowed-host", "cors-origin", "state-dir", "tls-name", "export-dir", "environment", "auth", "auth-key", "team-id",
        "devices", "retain", "retain-bytes", "seed", "ready-file", "payload-check", "push-type-check",
        "error-content-type", "documented-reasons", "stream-limits", "idle-timeout", "max-errors", "reconnect-limit",
        "token-length", "token-updates", "shutdown-grace", "log-level", "log-format", "config",
    ):
        assert f"--{flag}" in shown, flag
    for default in ("2197", "8197", "./certs", "100000", "256MB", "2s", "1h"):
        assert default in shown, default
    assert "MYNAH_" in shown


def test_the_version_is_told(mynah_command: Command) -> None:
    done = mynah_command("--version")
    assert done.returncode == FINE and any(character.isdigit() for character in done.stdout)


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [(["serve", "--contol-port", "0"], "--control-port"), (["--retian", "5"], "--retain"), (["srve"], "serve"),
     (["expect", "--tokn", "ab"], "--token")],
    ids=str,
)
def test_an_unknown_flag_names_the_nearest(mynah_command: Command, arguments: list[str], nearest: str) -> None:
    done = mynah_command(*arguments)
    assert done.returncode == USAGE, done
    assert nearest in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--port", "70000"], ["--port", "x"], ["--retain", "-1"], ["--auth", "lax"], ["--idle-timeout", "5"],
     ["--stream-limits", "0,5"], ["--token-length", "40-16"], ["--team-id", "short"], ["--port"], ["serve", "extra"]],
    ids=" ".join,
)
def test_a_wrong_value_is_a_usage_error_that_says_what_is_right(mynah_command: Command, arguments: list[str]) -> None:
    done = mynah_command(*arguments)
    assert done.returncode == USAGE, done
    assert arguments[0] in done.stderr or arguments[-1] in done.stderr
    assert done.stdout == ""


# Starting and stopping


def test_mynah_alone_serves(serve: Serve) -> None:
    process = serve(*FREE_PORTS)
    process.wait_for_line("mynah ready")
    process.signal(signal.SIGTERM)
    assert process.wait() == FINE


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_stops_the_server_with_0(serve: Serve, number: signal.Signals) -> None:
    process = serve("serve", *FREE_PORTS)
    process.wait_for_line("mynah ready")
    process.signal(number)
    assert process.wait() == FINE


def test_the_ready_line_has_both_urls_and_the_seed(serve: Serve, tmp_path: Path) -> None:
    process = serve("serve", *FREE_PORTS, "--seed", "12345", "--ready-file", "ready.json")
    line = process.wait_for_line("mynah ready")
    ready = json.loads((tmp_path / "ready.json").read_text())
    assert f"https://localhost:{ready['port']}" in line
    assert ready["controlUrl"] in line and "12345" in line
    assert [line for line in process.lines if line.startswith("mynah ready")] == [line]


def test_the_ready_file_says_everything(mynah: Mynah) -> None:
    assert set(mynah.ready) >= {
        "port", "ports", "controlPort", "controlUrl", "cleartextPort", "channelsPort", "proxyPort", "caFile",
        "caBundleFile", "keyFile", "keyId", "teamId", "pid",
    }
    assert mynah.ready["pid"] == mynah.process.child.pid
    assert len(mynah.key_id) == len(mynah.team_id) == 10
    assert mynah.key_file.name == f"AuthKey_{mynah.key_id}.p8"


def test_the_banner_tells_a_newcomer_what_to_paste(mynah: Mynah) -> None:
    banner = "\n".join(mynah.process.lines + mynah.process.errors)
    for needed in (str(mynah.port), str(mynah.ca_file), str(mynah.key_file), mynah.key_id, mynah.team_id, "curl"):
        assert needed in banner, needed


def test_no_line_is_logged_for_a_push_or_a_control_call(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
        connection.push("zz").assert_refused(400, "BadDeviceToken")
        mynah.control.get("/v1/status")
    mynah.stop()
    assert token not in mynah.process.log() and "/v1/status" not in mynah.process.log()


def test_trust_material_is_used_again(own_mynah: Callable[..., Mynah], tmp_path: Path, token: str) -> None:
    first = own_mynah(folder=tmp_path / "same")
    kept = (first.ca_file.read_bytes(), first.key_file.read_bytes(), first.key_id, first.team_id)
    first.stop()
    second = own_mynah(folder=tmp_path / "same")
    assert (second.ca_file.read_bytes(), second.key_file.read_bytes(), second.key_id, second.team_id) == kept
    push(second, token)


def test_trust_material_is_laid_out_for_another_container(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    export = tmp_path / "export"
    mynah = own_mynah("--export-dir", str(export))
    names = {path.name for path in export.iterdir()}
    assert names == {"ca.pem", "ca-bundle.pem", f"AuthKey_{mynah.key_id}.p8", "ready.json"}
    assert {oct(path.stat().st_mode & 0o777) for path in export.iterdir()} == {"0o644"}
    assert (export / "ca.pem").read_text() in (export / "ca-bundle.pem").read_text()
    assert json.loads((export / "ready.json").read_text())["port"] == mynah.port


# Things that are in the way


def test_a_taken_port_is_unavailable(mynah_command: Command) -> None:
    for flag in ("--port", "--control-port", "--cleartext-port"):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            others = [part for name in ("--port", "--control-port") if name != flag for part in (name, "0")]
            done = mynah_command("serve", *others, flag, port)
        assert done.returncode == UNAVAILABLE, done
        assert port in done.stderr and flag in done.stderr


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("port: [", "mynah.yaml"), ("prot: 0\n", "port"), ("retain: many\n", "retain"), ("- a\n- b\n", "mynah.yaml"),
        ("port: 0\nport: 0\n", "port"), ("control-token: {a: 1}\n", "control-token"), ("\tport: 0\n", "mynah.yaml"),
    ],
    ids=["broken", "misspelt", "wrong-value", "a-list", "twice", "a-map", "tab"],
)
def test_a_bad_file_is_a_configuration_error(mynah_command: Command, tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "mynah.yaml").write_text(text)
    done = mynah_command("serve", *FREE_PORTS)
    assert done.returncode == CONFIGURATION, done
    assert "mynah.yaml" in done.stderr and named in done.stderr


def test_a_config_file_that_is_not_there_is_a_configuration_error(mynah_command: Command) -> None:
    done = mynah_command("serve", *FREE_PORTS, "--config", "nowhere.yaml")
    assert done.returncode == CONFIGURATION
    assert "nowhere.yaml" in done.stderr


def test_flag_wins_over_variable_wins_over_file(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "mynah.yaml").write_text("seed: 1\nteam-id: FILETEAM01\ncontrol-port: 0\nport: 0\nready-file: ready.json\n")
    process = serve("serve", "--seed", "3", MYNAH_SEED="2", MYNAH_ENVIRONMENT="production")
    assert "3" in process.wait_for_line("mynah ready")
    ready = json.loads((tmp_path / "ready.json").read_text())
    assert ready["teamId"] == "FILETEAM01"
    from control import Control

    status = Control(ready["controlPort"]).get("/v1/status")
    assert (status["seed"], status["environment"]) == (3, "production")


def key_file(folder: Path, name: str, content: bytes | None = None) -> Path:
    path = folder / name
    path.write_bytes(SigningKey.stranger().pem() if content is None else content)
    return path


def test_a_key_of_ones_own(own_mynah: Callable[..., Mynah], tmp_path: Path, token: str) -> None:
    key_id = random_identifier()
    path = key_file(tmp_path, f"AuthKey_{key_id}.p8")
    mynah = own_mynah("--auth-key", str(path), "--team-id", "OWNTEAM123")
    assert (mynah.key_id, mynah.team_id) == (key_id, "OWNTEAM123")
    assert mynah.key_file.read_bytes() == path.read_bytes()
    with connect(mynah) as connection:
        connection.push(token).assert_accepted()
    # Never the user's own keys.
    assert path.read_text() not in json.dumps(mynah.control.get("/v1/credentials"))


EC_P384 = subprocess.run(["openssl", "ecparam", "-name", "secp384r1", "-genkey", "-noout"], capture_output=True).stdout
RSA = subprocess.run(["openssl", "genrsa", "1024"], capture_output=True).stdout


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("AuthKey_ABC123DEFG.p8", b"hello"), ("AuthKey_ABC123DEFG.p8", b""), ("AuthKey_ABC123DEFG.p8", EC_P384),
        ("AuthKey_ABC123DEFG.p8", RSA), ("key.p8", None), ("AuthKey_SHORT.p8", None),
    ],
    ids=["no-key", "empty", "P-384", "RSA", "no-key-id", "short-key-id"],
)
def test_a_wrong_key_file_is_a_configuration_error(
    mynah_command: Command, tmp_path: Path, name: str, content: bytes | None
) -> None:
    path = key_file(tmp_path, name, content)
    done = mynah_command("serve", *FREE_PORTS, "--auth-key", str(path), "--team-id", "TEAM123456")
    assert done.returncode == CONFIGURATION, done
    assert name in done.stderr


def test_a_key_file_that_can_not_be_read_is_a_configuration_error(mynah_command: Command, tmp_path: Path) -> None:
    done = mynah_command("serve", *FREE_PORTS, "--auth-key", "AuthKey_ABC123DEFG.p8", "--team-id", "TEAM123456")
    assert done.returncode == CONFIGURATION
    assert "AuthKey_ABC123DEFG.p8" in done.stderr
    folder = tmp_path / "AuthKey_FOLDER1234.p8"
    folder.mkdir()
    done = mynah_command("serve", *FREE_PORTS, "--auth-key", str(folder), "--team-id", "TEAM123456")
    assert done.returncode == CONFIGURATION


def test_a_key_id_that_does_not_match_the_file_name_is_a_configuration_error(
    mynah_command: Command, tmp_path: Path
) -> None:
    path = key_file(tmp_path, "AuthKey_ABC123DEFG.p8")
    done = mynah_command("token", "--key", str(path), "--key-id", "XYZ123DEFG", "--team-id", "TEAM123456")
    assert done.returncode == CONFIGURATION, done
    assert "ABC123DEFG" in done.stderr and "XYZ123DEFG" in done.stderr


@pytest.mark.parametrize("damage", ["cut", "garbage", "swapped"])
def test_broken_trust_material_is_an_error_that_says_how_to_renew(
    own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path, damage: str
) -> None:
    mynah = own_mynah()
    mynah.stop()
    content = mynah.ca_file.read_bytes()
    match damage:
        case "cut":
            mynah.ca_file.write_bytes(content[: len(content) // 2])
        case "garbage":
            mynah.ca_file.write_bytes(b"hello")
        case "swapped":
            assert mynah_command("certs", "init", "--state-dir", str(tmp_path / "other")).returncode == FINE
            shutil.copy(tmp_path / "other" / mynah.ca_file.name, mynah.ca_file)
    done = mynah_command("serve", *FREE_PORTS, "--state-dir", str(mynah.ca_file.parent))
    assert done.returncode == CONFIGURATION, done
    assert mynah.ca_file.name in done.stderr and "mynah certs" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_state_folder_that_can_not_be_written_is_one_warning(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    process = serve("serve", *FREE_PORTS, "--state-dir", str(folder / "state"))
    process.wait_for_line("mynah ready")
    assert process.log().count(str(folder / "state")) == 1


def test_a_state_folder_in_the_way_of_a_file_is_kept_in_memory_or_refused(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    process = serve("serve", *FREE_PORTS, "--state-dir", str(tmp_path / "file" / "state"))
    process.wait_for_line("mynah ready")
    warnings = [line for line in process.lines + process.errors if "memory" in line]
    assert len(warnings) == 1


def test_an_unknown_variable_is_a_warning(serve: Serve) -> None:
    process = serve("serve", *FREE_PORTS, MYNAH_RETIAN="5")
    process.wait_for_line("mynah ready")
    [line] = [line for line in process.lines + process.errors if "MYNAH_RETIAN" in line]
    assert "MYNAH_RETAIN" in line


def test_a_wrong_value_in_a_variable_is_a_configuration_error(mynah_command: Command) -> None:
    done = mynah_command("serve", *FREE_PORTS, MYNAH_RETAIN="many")
    assert done.returncode == CONFIGURATION
    assert "MYNAH_RETAIN" in done.stderr and "many" in done.stderr


def test_variables_of_kubernetes_and_of_links_are_ignored(serve: Serve) -> None:
    injected = {
        "MYNAH_PORT": "tcp://10.0.0.7:2197", "MYNAH_SERVICE_HOST": "10.0.0.7", "MYNAH_SERVICE_PORT": "2197",
        "MYNAH_PORT_2197_TCP": "tcp://10.0.0.7:2197", "MYNAH_PORT_2197_TCP_ADDR": "10.0.0.7",
        "MYNAH_PORT_2197_TCP_PROTO": "tcp", "MYNAH_NAME": "/web/mynah",
    }
    process = serve("serve", *FREE_PORTS, **injected)
    process.wait_for_line("mynah ready")
    assert len([line for line in process.lines + process.errors if "MYNAH_SERVICE_HOST" in line]) == 1
    assert not [line for line in process.errors if "unknown variable" in line]


def test_the_control_api_off_loopback_needs_a_token(mynah_command: Command) -> None:
    done = mynah_command("serve", *FREE_PORTS, "--control-host", "0.0.0.0")
    assert done.returncode == CONFIGURATION
    assert "--control-token" in done.stderr and "--insecure-control" in done.stderr


# Commands that need no server


def test_certs_init_makes_trust_that_serve_uses(mynah_command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "certs"
    assert mynah_command("certs", "init", "--state-dir", str(folder)).returncode == FINE
    ca = (folder / "ca.pem").read_bytes()
    assert mynah_command("certs", "init", "--state-dir", str(folder)).returncode == FINE
    assert (folder / "ca.pem").read_bytes() == ca
    verified = subprocess.run(["openssl", "x509", "-in", str(folder / "ca.pem"), "-noout", "-text"], capture_output=True)
    assert b"Name Constraints" in verified.stdout


def test_token_signs_with_a_key_file(mynah_command: Command, mynah: Mynah, token: str) -> None:
    done = mynah_command("token", "--key", str(mynah.key_file), "--key-id", mynah.key_id, "--team-id", mynah.team_id)
    assert done.returncode == FINE, done.stderr
    with connect(mynah) as connection:
        connection.push(token, authorization=f"bearer {done.stdout.strip()}").assert_accepted()
    assert mynah.control.push(token)["warnings"] == []


# Commands that talk to a server


def test_send_pushes_over_the_wire(mynah_command: Command, mynah: Mynah, token: str) -> None:
    done = mynah_command("send", *url(mynah), "--topic", "com.example.app", token, "--alert", "from send")
    assert done.returncode == FINE, done
    assert "200" in done.stdout and "apns-id" in done.stdout
    assert mynah.control.push(token)["payload"]["aps"]["alert"] == "from send"


def test_send_says_why_it_was_refused(mynah_command: Command, mynah: Mynah) -> None:
    done = mynah_command("send", *url(mynah), "--topic", "com.example.app", "abcd", "--alert", "x")
    assert done.returncode == UNMET
    assert "400" in done.stdout and "BadDeviceToken" in done.stdout + done.stderr


def test_expect_is_met(mynah_command: Command, mynah: Mynah, token: str) -> None:
    push(mynah, token)
    done = mynah_command("expect", *url(mynah), "--token", token, "--within", "5s")
    assert done.returncode == FINE, done


def test_expect_waits(mynah: Mynah, tmp_path: Path, token: str) -> None:
    waiting = Process(["expect", *url(mynah), "--token", token, "--count", "2", "--within", "20s"], cwd=tmp_path)
    push(mynah, token), push(mynah, token)
    assert waiting.wait() == FINE, waiting.log()


def test_expect_is_unmet_and_shows_the_near_miss(mynah_command: Command, mynah: Mynah, token: str) -> None:
    push(mynah, token)
    done = mynah_command(
        "expect", *url(mynah), "--token", token, "--topic", "com.example.other", "--within", "100ms"
    )
    assert done.returncode == UNMET
    assert "com.example.app" in done.stdout + done.stderr


def test_expect_exactly_and_max(mynah_command: Command, mynah: Mynah, token: str) -> None:
    expect = ["expect", *url(mynah), "--token", token, "--within", "100ms"]
    assert mynah_command(*expect, "--max", "0", "--settle", "50ms").returncode == FINE
    push(mynah, token), push(mynah, token)
    assert mynah_command(*expect, "--exactly", "2").returncode == FINE
    assert mynah_command(*expect, "--exactly", "1").returncode == UNMET
    assert mynah_command(*expect, "--max", "1", "--settle", "50ms").returncode == UNMET


def test_dump_writes_json_lines(mynah_command: Command, mynah: Mynah, token: str) -> None:
    push(mynah, token), push(mynah, token)
    done = mynah_command("dump", *url(mynah), f"token:{token}")
    assert done.returncode == FINE, done
    assert [json.loads(line)["token"] for line in done.stdout.splitlines()] == [token] * 2


def test_tail_shows_a_push_as_it_comes(mynah: Mynah, serve: Serve, token: str) -> None:
    tail = serve("tail", *url(mynah), f"token:{token}")
    line = None
    # Nothing tells when the follower is there, so pushes go on until one shows.
    for _ in range(200):
        push(mynah, token)
        if tail.lines:
            line = tail.wait_for_line("{")
            break
    assert line is not None, tail.log()
    assert json.loads(line)["token"] == token
    tail.signal(signal.SIGINT)
    assert tail.wait() == FINE


def test_reset_empties_the_journal(own_mynah: Callable[..., Mynah], mynah_command: Command, token: str) -> None:
    mynah = own_mynah()
    push(mynah, token)
    assert mynah_command("reset", *url(mynah)).returncode == FINE
    assert mynah.control.pushes(token) == []


def test_healthcheck(mynah_command: Command, mynah: Mynah) -> None:
    assert mynah_command("healthcheck", *url(mynah)).returncode == FINE
    assert mynah_command("healthcheck", MYNAH_URL=mynah.control_url).returncode == FINE


def test_healthcheck_waits_for_a_server_that_comes(own_mynah: Callable[..., Mynah], serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    waiting = serve("healthcheck", "--wait", "30s", "--url", f"http://127.0.0.1:{port}")
    own_mynah("--control-port", str(port))
    assert waiting.wait(SECONDS) == FINE, waiting.log()


@pytest.mark.parametrize(
    "command",
    [["healthcheck"], ["healthcheck", "--wait", "200ms"], ["reset"], ["dump"], ["expect", "--within", "1s"], ["tail"],
     ["send", "--topic", "a", "00" * 32, "--alert", "x"]],
    ids=" ".join,
)
def test_without_a_server_a_command_is_unavailable(mynah_command: Command, command: list[str]) -> None:
    done = mynah_command(command[0], "--url", "http://127.0.0.1:1", *command[1:])
    assert done.returncode == UNAVAILABLE, done
    assert "127.0.0.1:1" in done.stderr


def test_commands_find_the_one_server_that_runs(serve: Serve, mynah_command: Command) -> None:
    """By the locator file, which every server of a user keeps."""
    process = serve("serve", *FREE_PORTS)
    process.wait_for_line("mynah ready")
    assert mynah_command("healthcheck").returncode == FINE
    another = serve("serve", *FREE_PORTS, "--state-dir", "another")
    another.wait_for_line("mynah ready")
    done = mynah_command("healthcheck")
    assert done.returncode != FINE
    assert done.stderr.count("http://") >= 2
    another.signal(signal.SIGTERM)
    assert another.wait() == FINE
    assert mynah_command("healthcheck").returncode == FINE


# exec


def test_exec_gives_the_command_a_server(mynah_command: Command, tmp_path: Path) -> None:
    script = tmp_path / "provider.py"
    script.write_text(
        "import json, os, subprocess, sys, urllib.request\n"
        "names = ['URL', 'APNS_HOST', 'APNS_PORT', 'CA_FILE', 'KEY_FILE', 'KEY_ID', 'TEAM_ID']\n"
        "values = {name: os.environ['MYNAH_' + name] for name in names}\n"
        "assert os.path.exists(values['CA_FILE']) and values['KEY_ID'] in values['KEY_FILE']\n"
        "status = json.load(urllib.request.urlopen(values['URL'] + '/v1/status'))\n"
        "assert status['name'] == 'mynah'\n"
        "sent = subprocess.run([sys.argv[1], 'send', '--topic', 'a.b', '00' * 32, '--alert', 'x'])\n"
        "sys.exit(40 + sent.returncode)\n"
    )
    done = mynah_command("exec", "--", sys.executable, str(script), str(binary()))
    assert done.returncode == 40, done


@pytest.mark.parametrize("code", [0, 3, 77])
def test_exec_ends_with_the_commands_code(mynah_command: Command, code: int) -> None:
    assert mynah_command("exec", "--retain", "10", "--", "sh", "-c", f"exit {code}").returncode == code


def test_exec_of_a_command_that_is_not_there(mynah_command: Command) -> None:
    done = mynah_command("exec", "--", "no-such-command-here")
    assert done.returncode in (126, 127, USAGE, UNAVAILABLE)
    assert "no-such-command-here" in done.stderr


def test_exec_passes_signals_on(serve: Serve) -> None:
    process = serve("exec", "--", "sh", "-c", "trap 'exit 9' TERM; echo started; while :; do read -r _ < /dev/zero; done")
    process.wait_for_line("started")
    process.signal(signal.SIGTERM)
    assert process.wait() == 9


def test_exec_writes_the_journal_when_the_command_fails(mynah_command: Command, tmp_path: Path) -> None:
    token = unique_token()
    send = f"'{binary()}' send --topic a.b {token} --alert x"
    done = mynah_command("exec", "--dump", "journal.jsonl", "--", "sh", "-c", f"{send}; exit 5")
    assert done.returncode == 5, done
    [entry] = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert entry["token"] == token
    done = mynah_command("exec", "--dump", "fine.jsonl", "--", "true")
    assert done.returncode == FINE and not (tmp_path / "fine.jsonl").exists()
