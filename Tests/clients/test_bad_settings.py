"""What is wrong with flags, files, variables, keys and ports, and how `mynah serve` says so."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commandline import CONFIGURATION, FINE, FREE_PORTS, UNAVAILABLE, USAGE, Command, Serve
from control import Control
from h2client import connect
from provider_token import SigningKey, random_identifier
from server import Mynah

# Things that are in the way


@pytest.mark.parametrize("flag", ["--port", "--control-port", "--cleartext-port"])
def test_a_taken_port_is_unavailable(mynah_command: Command, flag: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        others = [part for name in ("--port", "--control-port") if name != flag for part in (name, "0")]
        done = mynah_command("serve", *others, flag, port)
    assert done.returncode == UNAVAILABLE, done
    assert port in done.stderr


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("port: [", "mynah.yaml"),
        ("prot: 0\n", "port"),
        ("retain: many\n", "retain"),
        ("- a\n- b\n", "mynah.yaml"),
        ("port: 0\nport: 0\n", "port"),
        ("control-token: {a: 1}\n", "control-token"),
        ("\tport: 0\n", "mynah.yaml"),
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
    (tmp_path / "mynah.yaml").write_text(
        "seed: 1\nteam-id: FILETEAM01\ncontrol-port: 0\nport: 0\nready-file: ready.json\n"
    )
    process = serve("serve", "--seed", "3", MYNAH_SEED="2", MYNAH_ENVIRONMENT="production")
    assert "3" in process.wait_for_line("mynah ready")
    ready = json.loads((tmp_path / "ready.json").read_text())
    assert ready["teamId"] == "FILETEAM01"
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
        ("AuthKey_ABC123DEFG.p8", b"hello"),
        ("AuthKey_ABC123DEFG.p8", b""),
        ("AuthKey_ABC123DEFG.p8", EC_P384),
        ("AuthKey_ABC123DEFG.p8", RSA),
        ("key.p8", None),
        ("AuthKey_SHORT.p8", None),
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
    assert mynah.ca_file.name in done.stderr
    # The command of the message mends it.
    words = shlex.split(done.stderr.split("`")[1])
    assert words[:3] == ["mynah", "certs", "init"], done.stderr
    assert mynah_command(*words[1:]).returncode == FINE
    own_mynah().stop()


def test_a_broken_server_certificate_is_renewed_by_the_command_of_its_error(
    own_mynah: Callable[..., Mynah], mynah_command: Command
) -> None:
    mynah = own_mynah()
    mynah.stop()
    folder = mynah.ca_file.parent
    authority = mynah.ca_file.read_bytes()
    (folder / "server.pem").write_text("hello")
    done = mynah_command("serve", *FREE_PORTS, "--state-dir", str(folder))
    assert done.returncode == CONFIGURATION and "server.pem" in done.stderr, done
    words = shlex.split(done.stderr.split("`")[1])
    assert "--renew" in words and mynah_command(*words[1:]).returncode == FINE
    own_mynah().stop()
    assert mynah.ca_file.read_bytes() == authority


def test_a_name_that_the_ca_may_not_sign_is_had_by_the_command_of_the_warning(
    own_mynah: Callable[..., Mynah], mynah_command: Command
) -> None:
    mynah = own_mynah()
    mynah.stop()
    warned = own_mynah("--tls-name", "push.example.com")
    warning = warned.process.wait_for_error("Not in the server's certificate")
    warned.stop()
    assert mynah_command(*shlex.split(warning.split("`")[1])[1:]).returncode == FINE
    quiet = own_mynah("--tls-name", "push.example.com")
    quiet.stop()
    assert not any("Not in the server's certificate" in line for line in quiet.process.errors)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_state_folder_that_can_not_be_written_is_one_warning(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    process = serve("serve", *FREE_PORTS, "--state-dir", str(folder / "state"))
    process.wait_for_line("mynah ready")
    process.signal(signal.SIGTERM)
    assert process.wait() == FINE
    assert process.log().count(str(folder / "state")) == 1


def test_a_state_folder_that_can_not_be_made_means_memory_and_one_warning(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    process = serve("serve", *FREE_PORTS, "--state-dir", str(tmp_path / "file" / "state"))
    process.wait_for_line("mynah ready")
    warning = process.wait_for_error(" warning ")
    assert "memory" in warning and str(tmp_path / "file" / "state") in warning


def test_an_unknown_variable_is_a_warning(serve: Serve) -> None:
    process = serve("serve", *FREE_PORTS, MYNAH_RETIAN="5")
    process.wait_for_line("mynah ready")
    line = process.wait_for_error("MYNAH_RETIAN")
    assert "MYNAH_RETAIN" in line


def test_a_wrong_value_in_a_variable_is_a_configuration_error(mynah_command: Command) -> None:
    done = mynah_command("serve", *FREE_PORTS, MYNAH_RETAIN="many")
    assert done.returncode == CONFIGURATION
    assert "MYNAH_RETAIN" in done.stderr and "many" in done.stderr


def test_variables_of_kubernetes_and_of_links_are_ignored(serve: Serve) -> None:
    injected = {
        "MYNAH_PORT": "tcp://10.0.0.7:2197",
        "MYNAH_SERVICE_HOST": "10.0.0.7",
        "MYNAH_SERVICE_PORT": "2197",
        "MYNAH_PORT_2197_TCP": "tcp://10.0.0.7:2197",
        "MYNAH_PORT_2197_TCP_ADDR": "10.0.0.7",
        "MYNAH_PORT_2197_TCP_PROTO": "tcp",
        "MYNAH_NAME": "/web/mynah",
    }
    process = serve("serve", *FREE_PORTS, **injected)
    process.wait_for_line("mynah ready")
    process.signal(signal.SIGTERM)
    assert process.wait() == FINE
    assert len([line for line in process.errors if "MYNAH_SERVICE_HOST" in line]) == 1
    assert not [line for line in process.errors if "unknown variable" in line]


def test_the_control_api_off_loopback_needs_a_token(mynah_command: Command) -> None:
    done = mynah_command("serve", *FREE_PORTS, "--control-host", "0.0.0.0")
    assert done.returncode == CONFIGURATION
    assert "--control-token" in done.stderr and "--insecure-control" in done.stderr


def test_no_message_has_the_password_of_an_address(mynah_command: Command) -> None:
    for arguments, environment in (
        (["serve", "--cluster", "tls://user:PASS@host:badport"], {}),
        (["serve"], {"MYNAH_CLUSTER": "user:PASS@host"}),
        (["status", "--url", "http://user:PASS@host"], {}),
        (["status"], {"MYNAH_URL": "https://user:PASS@host"}),
    ):
        done = mynah_command(*arguments, **environment)
        assert done.returncode in (USAGE, CONFIGURATION), done
        assert "...@host" in done.stderr and "PASS" not in done.stderr + done.stdout, done
