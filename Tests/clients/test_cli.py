"""The commands around a server, and their exit codes (`ControlAPI#Command-line`)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from commandline import FINE, FREE_PORTS, NOT_FOUND, UNAVAILABLE, UNMET, USAGE, Command, Serve, process_in
from conftest import unique_token
from devices import add_device, unique_id
from h2client import connect
from pushes import alert
from server import Mynah, binary
from ports import held_port
from waiting import HANG, until


def url(mynah: Mynah) -> list[str]:
    return ["--url", mynah.control_url]


def push(mynah: Mynah, token: str, body: bytes = b'{"aps":{"alert":"hi"}}', **options: object) -> None:
    with connect(mynah) as connection:
        connection.push(token, body, **options)


@contextmanager
def recording_api(folder: Path, port: int) -> Iterator[list[str]]:
    """A control API that knows nothing, with a ready file `ready.json` of a server that listens on a port for pushes, and the
    calls that come to it."""
    calls: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            calls.append(self.path)
            self.send_response(404)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ready = {"port": port, "controlPort": server.server_port, "pid": os.getpid()}
        ready["controlUrl"] = f"http://127.0.0.1:{server.server_port}"
        (folder / "ready.json").write_text(json.dumps(ready))
        yield calls
        server.shutdown()


@pytest.mark.parametrize("is_own", [False, True], ids=["another service", "its own port"])
def test_a_push_is_asked_for_only_where_it_went(
    mynah: Mynah, mynah_command: Command, tmp_path: Path, token: str, is_own: bool
) -> None:
    bearer = mynah.authorization().removeprefix("bearer ")
    with recording_api(tmp_path, mynah.port if is_own else 1) as calls:
        done = mynah_command(
            "send", "--ready-file", "ready.json", "--to", token, "--alert", "hi", "--topic", "com.example.app",
            "--host", "localhost", "--port", str(mynah.port), "--ca-file", str(mynah.ca_file), "--provider-token", bearer,
        )  # fmt: skip
        assert done.returncode == FINE, done
        assert [path.rpartition("/")[0] for path in calls] == (["/v1/notifications"] if is_own else [])


# Commands that need no server


def test_certs_init_makes_trust_that_serve_uses(mynah_command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "certs"
    assert mynah_command("certs", "init", "--state-dir", str(folder)).returncode == FINE
    ca = (folder / "ca.pem").read_bytes()
    assert mynah_command("certs", "init", "--state-dir", str(folder)).returncode == FINE
    assert (folder / "ca.pem").read_bytes() == ca
    verified = subprocess.run(
        ["openssl", "x509", "-in", str(folder / "ca.pem"), "-noout", "-text"], capture_output=True
    )
    assert b"Name Constraints" in verified.stdout


def test_token_signs_with_a_key_file(mynah_command: Command, mynah: Mynah, token: str) -> None:
    done = mynah_command("token", "--key", str(mynah.key_file), "--key-id", mynah.key_id, "--team-id", mynah.team_id)
    assert done.returncode == FINE, done.stderr
    with connect(mynah) as connection:
        connection.push(token, authorization=f"bearer {done.stdout.strip()}").assert_accepted()
    assert mynah.control.push(token)["warnings"] == []


# Commands that talk to a server


def test_send_pushes_over_the_wire(mynah_command: Command, mynah: Mynah, token: str) -> None:
    done = mynah_command("send", *url(mynah), "--topic", "com.example.app", "--to", token, "--alert", "from send")
    assert done.returncode == FINE, done
    assert "200" in done.stdout and "apns-id" in done.stdout
    assert mynah.control.push(token)["payload"]["aps"]["alert"] == "from send"


def test_send_says_what_is_wrong_though_it_is_accepted(
    mynah_command: Command, mynah: Mynah, token: str
) -> None:
    order = ["send", *url(mynah), "--topic", "com.example.app", "--to", token, "--body", '{"aps":{"alert":"x"}']
    done = mynah_command(*order)
    assert (done.returncode, done.stdout.split("\n")[0]) == (FINE, "200 accepted"), done
    expected = mynah.control.push(token)["warnings"]
    assert expected and done.stderr.splitlines() == [f"warning: {text}" for text in expected]
    printed = json.loads(mynah_command(*order, "--json").stdout)
    assert printed["warnings"] == expected
    good = mynah_command("send", *url(mynah), "--topic", "com.example.app", "--to", token, "--alert", "hi")
    assert good.stderr == ""


def test_send_says_why_it_was_refused(mynah_command: Command, mynah: Mynah) -> None:
    done = mynah_command("send", *url(mynah), "--topic", "com.example.app", "--to", "abcd", "--alert", "x")
    assert done.returncode == UNMET
    assert "400" in done.stdout and "BadDeviceToken" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        ("tls-expired", "certificate has expired; the server's certificate has expired, or a fault shows such a one"),
        ("tls-wrong-host", "mismatch; the server's certificate is for other names, or a fault shows such a one"),
        ("tls-untrusted", "or a fault shows a certificate of another CA: see mynah fault list"),
    ],
)
def test_send_says_why_it_does_not_trust_the_server(
    preset: str, words: str, own_mynah: Callable[..., Mynah], mynah_command: Command, token: str
) -> None:
    mynah = own_mynah()
    assert mynah_command("fault", "add", preset, "--url", mynah.control_url).returncode == FINE
    sent = mynah_command("send", "--url", mynah.control_url, "--to", token, "--topic", "a.b", "--alert", "hi")
    assert sent.returncode == UNAVAILABLE
    assert words in sent.stderr


def test_expect_is_met(mynah_command: Command, mynah: Mynah, token: str) -> None:
    push(mynah, token)
    done = mynah_command("expect", *url(mynah), "--token", token, "--within", HANG)
    assert done.returncode == FINE, done


def test_expect_waits(mynah: Mynah, tmp_path: Path, token: str) -> None:
    waiting = process_in(tmp_path, "expect", *url(mynah), "--token", token, "--count", "2", "--within", HANG)
    push(mynah, token), push(mynah, token)
    assert waiting.wait() == FINE, waiting.log()


def test_expect_is_unmet_and_shows_the_near_miss(mynah_command: Command, mynah: Mynah, token: str) -> None:
    push(mynah, token)
    done = mynah_command("expect", *url(mynah), "--token", token, "--topic", "com.example.other", "--within", "100ms")
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


@pytest.mark.measures
def test_tail_shows_a_push_as_it_comes(mynah: Mynah, serve: Serve, token: str) -> None:
    tail = serve("tail", *url(mynah), f"token:{token}")

    def shown() -> list[str]:
        push(mynah, token)
        return tail.lines

    # Nothing tells when the follower is there, so pushes go on until one shows.
    until(shown, "a line of tail")
    assert json.loads(tail.wait_for_line("{"))["token"] == token
    tail.signal(signal.SIGINT)
    assert tail.wait() in (FINE, -signal.SIGINT)


def test_tail_and_an_empty_dump_say_which_devices_are_not_there(
    mynah: Mynah, mynah_command: Command, serve: Serve, token: str
) -> None:
    absent, device = unique_id("absent"), add_device(mynah, id=unique_id("kim"))
    done = mynah_command("dump", *url(mynah), "--device", absent, "--device", device["id"])
    assert (done.returncode, done.stdout) == (FINE, "")
    assert done.stderr == f"mynah: there is no device {absent}\n"
    tail = serve("tail", *url(mynah), "--device", absent)
    tail.wait_for_error(f"there is no device {absent}")
    for flags, status in (["--max", "0"], FINE), (["--within", "0s"], UNMET):
        done = mynah_command("expect", *url(mynah), "--device", absent, *flags)
        assert done.returncode == status
        assert f"hint: there is no device {absent}" in done.stdout


def test_remove_takes_the_named_pushes_and_no_other(mynah: Mynah, mynah_command: Command, token: str) -> None:
    for text in ("one", "two", "three", "four"):
        push(mynah, token, alert(text))
    first, second, third, fourth = (one["sequence"] for one in mynah.control.pushes(token))
    apns_id = mynah.control.pushes(token)[1]["apnsId"]
    assert mynah_command("remove", *url(mynah), str(first), apns_id).returncode == FINE
    assert mynah_command("remove", *url(mynah), str(first)).returncode == NOT_FOUND
    done = mynah_command("remove", *url(mynah), "--json", "--token", token, "--payload", "/aps/alert/title~=hre")
    assert (done.returncode, json.loads(done.stdout)) == (FINE, {"removed": {"notifications": 1}})
    assert [one["sequence"] for one in mynah.control.pushes(token)] == [fourth]
    for wrong, says in (
        ([], "expected ids of pushes, or filters"),
        ([str(fourth), "--token", token], "ids of pushes and filters exclude each other"),
    ):
        done = mynah_command("remove", *url(mynah), *wrong)
        assert done.returncode == USAGE and says in done.stderr
    assert [one["sequence"] for one in mynah.control.pushes(token)] == [fourth]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["remove", "a b/ü"], USAGE, "invalid ID a b/ü: expected a sequence number"),
        (["key", "show", "a b/ü"], NOT_FOUND, "unknown key a b/ü: `mynah key list` lists them"),
        (["key", "remove", "a b/ü"], NOT_FOUND, "unknown key a b/ü: `mynah key list` lists them"),
        (["fault", "show", "a b/ü"], NOT_FOUND, "a b/ü"),
        (["device", "show", "a b/ü"], NOT_FOUND, "a b/ü"),
    ],
)
def test_a_name_is_told_as_it_was_given(
    mynah: Mynah, mynah_command: Command, words: list[str], code: int, told: str
) -> None:
    done = mynah_command(*words, *url(mynah))
    assert done.returncode == code and told in done.stderr and "%" not in done.stderr, done


def test_a_serial_number_may_have_encoded_colons(mynah: Mynah) -> None:
    answer = mynah.control.ask("GET", "/v1/certificates/5A%3A7F")
    assert answer.status == 404 and "unknown serial number 5A7F" in answer.json()["detail"], answer


def test_status_says_where_a_server_is_and_what_it_has_counted(
    own_mynah: Callable[..., Mynah], mynah_command: Command, token: str
) -> None:
    mynah = own_mynah()
    push(mynah, token)
    done = mynah_command("status", *url(mynah))
    assert done.returncode == FINE, done
    facts = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if not line.startswith("control API"))
    assert facts["ports"] == str(mynah.port)
    assert facts["pushes"] == "1 received, 1 accepted, 0 refused, 0 stored"
    assert f"control API    {mynah.control_url}" in done.stdout
    done = mynah_command("status", *url(mynah), "--json")
    assert json.loads(done.stdout)["ports"]["apns"] == [mynah.port]


def test_a_reason_that_is_nearly_one_of_apns_is_named(mynah: Mynah, mynah_command: Command, token: str) -> None:
    for reason, code, says in (
        ("Unregisterd", USAGE, "Unregisterd is no reason of APNs: did you mean \"Unregistered\"?"),
        ("MyOwnReason", FINE, ""),
        ("Unregistered", FINE, ""),
    ):
        done = mynah_command("fault", "add", *url(mynah), "410", "--reason", reason, "--token", token)
        assert done.returncode == code and says in done.stderr, done
        mynah.control.ask("DELETE", f"/v1/faults/{done.stdout.strip()}")


@pytest.mark.parametrize(
    "command",
    [
        ["key", "create"],
        ["fault", "create"],
        ["certs", "create"],
        ["certs", "issue"],
        ["connection", "kill"],
        ["scenario", "create"],
        ["scenario", "delete"],
        ["channel", "add"],
        ["device", "activity", "create"],
        ["device", "update"],
        ["key", "delete"],
        ["certs", "rm"],
    ],
    ids=" ".join,
)
def test_other_words_for_commands_are_understood(mynah_command: Command, command: list[str]) -> None:
    done = mynah_command(*command, "--help")
    assert done.returncode == FINE and "USAGE: mynah" in done.stdout, done


def test_a_key_that_is_created_is_added(mynah: Mynah, mynah_command: Command) -> None:
    done = mynah_command("key", "create", *url(mynah), "--json", "CREATED123")
    assert (done.returncode, json.loads(done.stdout)["keyId"]) == (FINE, "CREATED123"), done
    assert mynah_command("key", "delete", *url(mynah), "CREATED123").returncode == FINE


def test_a_filter_that_can_match_nothing_is_a_wrong_command(mynah: Mynah, mynah_command: Command) -> None:
    for words, says in (
        (["topic.com"], "expected a colon, as in topic:com"),
        (["--topic", "com.*"], "prefix, contains and regex in JSON match a part"),
        (["--reason", "BadTopik"], 'did you mean "BadTopic"?'),
        (["--kind", "webPush", "--push-type", "alert"], "a web push has no pushType"),
        (["--web-push", "/ttl=soon"], "a whole number"),
        ([""], "q is empty"),
        (["--status", "4xx"], "a range is a condition in JSON"),
        (["--payload", "/aps.alert=hi"], "as in /aps/alert"),
        (["--after", "1000000"], "--after: 1000000 is beyond the newest sequence number"),
    ):
        done = mynah_command("expect", *url(mynah), "--max", "0", "--within", "0s", *words)
        assert done.returncode == USAGE and says in done.stderr, done
    done = mynah_command("fault", "add", *url(mynah), "503", "--header", "apns-topik=com.example.app")
    assert done.returncode == USAGE and 'did you mean "apns-topic"?' in done.stderr, done
    for words in (["remove", "--scope", ""], ["fault", "remove", "--scope", ""]):
        done = mynah_command(*words, *url(mynah))
        assert done.returncode == USAGE and "scope is empty" in done.stderr, done


@pytest.mark.parametrize(
    "words",
    [
        ["remove", ""],
        ["device", "remove", ""],
        ["device", "show", ""],
        ["fault", "remove", ""],
        ["key", "revoke", ""],
        ["channel", "remove", ""],
    ],
)
def test_an_empty_id_is_a_wrong_command(mynah: Mynah, mynah_command: Command, words: list[str]) -> None:
    done = mynah_command(*words[:-1], *url(mynah), words[-1])
    assert done.returncode == USAGE and "an empty id was given" in done.stderr.lower(), done


def test_nothing_is_removed_with_an_empty_id_among_others(mynah: Mynah, mynah_command: Command) -> None:
    mynah.control.put("/v1/devices/stays", {})
    done = mynah_command("device", "remove", *url(mynah), "stays", "")
    assert done.returncode == USAGE and "an empty id was given" in done.stderr, done
    assert mynah.control.get("/v1/devices/stays")["id"] == "stays"
    mynah.control.delete("/v1/devices/stays")


def test_a_value_of_an_option_may_be_a_number_where_one_stands(
    mynah: Mynah, mynah_command: Command, token: str
) -> None:
    push(mynah, token, b'{"aps":{"alert":{"title":"7"},"badge":3}}')
    for words in (
        ["--screen", "/badge=3", "--screen", "/title=7", "--screen", "/lockScreen=false"],
        ["--payload", "/aps/badge=3", "--payload", "/aps/alert/title=7"],
    ):
        done = mynah_command("expect", *url(mynah), "--token", token, "--within", HANG, *words)
        assert done.returncode == FINE, done
    done = mynah_command("expect", *url(mynah), "--payload", "/aps/badge>=3")
    assert done.returncode == USAGE and "an option compares no values" in done.stderr, done


@pytest.mark.parametrize(
    "header", ["connection: close", "te: gzip", "transfer-encoding: chunked", "upgrade: h2c", "content-length: 1"]
)
def test_a_header_of_a_connection_is_not_sent(
    mynah: Mynah, mynah_command: Command, token: str, header: str
) -> None:
    done = mynah_command("send", *url(mynah), "--to", token, "--alert", "hi", "--header", header)
    assert done.returncode == USAGE and f"the header {header.split(':')[0]} can't be sent" in done.stderr, done


def test_options_of_a_preset_that_say_the_same_exclude_each_other(mynah: Mynah, mynah_command: Command) -> None:
    done = mynah_command("fault", "add", *url(mynah), "goaway", "--reason", "BadTopic", "--debug", "x")
    assert done.returncode == USAGE and "--reason and --debug exclude each other" in done.stderr, done


def test_a_flag_of_a_preset_takes_no_value(mynah: Mynah, mynah_command: Command) -> None:
    done = mynah_command("fault", "add", *url(mynah), "503", "--deliver=false")
    assert done.returncode == USAGE and "--deliver takes no value" in done.stderr, done
    done = mynah_command("fault", "add", *url(mynah), "streams", "--limit", "-1")
    assert done.returncode == USAGE and done.stderr.startswith("mynah: --limit: -1 is not valid"), done


def test_what_http2_cannot_carry_is_not_sent(mynah: Mynah, mynah_command: Command, token: str) -> None:
    before = mynah.control.get("/v1/notifications?limit=1")["lastSequence"]
    for words, says in (
        (["--to", "00 fc", "--topic", "com.example.app"], "without spaces"),
        (["--to", token, "--topic", "com.example\napp"], "the header apns-topic can't be sent"),
        (["--to", token, "--topic", "com.example.app", "--header", "x y: z"], 'the header "x y" can\'t be sent'),
        (["--to", token, "--topic", " com.example.app"], "without spaces around it"),
    ):
        done = mynah_command("send", *url(mynah), "--alert", "hi", *words)
        assert done.returncode == USAGE and says in done.stderr, done
    for member in ({"token": "00 fc"}, {"channel": "a", "topic": "com. example"}, {"token": token, "topic": "a\nb"}):
        answer = mynah.control.ask("POST", "/v1/notifications", body={"payload": {}, **member})
        assert "without" in answer.problem(400)["detail"], answer
    assert mynah.control.get(f"/v1/notifications?after={before}")["items"] == []


def test_reset_empties_the_journal(own_mynah: Callable[..., Mynah], mynah_command: Command, token: str) -> None:
    mynah = own_mynah()
    push(mynah, token)
    assert mynah_command("reset", *url(mynah)).returncode == FINE
    assert mynah.control.pushes(token) == []


def test_healthcheck(mynah_command: Command, mynah: Mynah) -> None:
    assert mynah_command("healthcheck", *url(mynah)).returncode == FINE
    assert mynah_command("healthcheck", MYNAH_URL=mynah.control_url).returncode == FINE


def test_healthcheck_waits_for_a_server_that_comes(own_mynah: Callable[..., Mynah], serve: Serve) -> None:
    with held_port() as port:
        waiting = serve("healthcheck", "--wait", HANG, "--url", f"http://127.0.0.1:{port}")
        own_mynah("--control-port", str(port))
        assert waiting.wait() == FINE, waiting.log()


@pytest.mark.parametrize(
    "command",
    [
        ["healthcheck"],
        ["healthcheck", "--wait", "200ms"],
        ["reset"],
        ["dump"],
        ["expect", "--within", "1s"],
        ["tail"],
        ["send", "--topic", "a", "--to", "00" * 32, "--alert", "x"],
    ],
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
    process.signal(signal.SIGTERM)
    assert process.wait() == FINE
    assert mynah_command("healthcheck").returncode != FINE


def test_commands_find_the_server_of_their_folder_though_others_run(
    serve: Serve, mynah_command: Command, tmp_path: Path
) -> None:
    own = serve("serve", *FREE_PORTS, "--ready-file", "ready.json")
    own.wait_for_line("mynah ready")
    url = json.loads((tmp_path / "ready.json").read_text())["controlUrl"]
    for name in ("other", "third"):
        serve("serve", *FREE_PORTS, "--state-dir", name).wait_for_line("mynah ready")
    done = mynah_command("reset", "--only", "clock")
    assert done.returncode == FINE
    [note] = done.stderr.splitlines()
    assert note.startswith("mynah: 3 servers are running") and url in note and "./certs" in note
    # Asks for the port, the CA, the key and the time, and says once where.
    sent = mynah_command("send", "--topic", "a.b", "--alert", "x", "--to", unique_token())
    assert (sent.returncode, sent.stderr) == (FINE, note + "\n")
    own.signal(signal.SIGTERM)
    assert own.wait() == FINE
    done = mynah_command("healthcheck")
    assert done.returncode == USAGE
    assert done.stderr.count("http://") == 2 and "--url" in done.stderr


def test_the_server_of_an_exec_is_not_taken_for_ones_own(serve: Serve, mynah_command: Command) -> None:
    own = serve("serve", *FREE_PORTS, "--state-dir", "own")
    own.wait_for_line("mynah ready")
    other = serve("exec", "--", sys.executable, "-c", "import signal; print('started', flush=True); signal.pause()")
    other.wait_for_line("started")
    done = mynah_command("reset", "--only", "clock")
    assert (done.returncode, done.stderr) == (FINE, "")


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
        "sent = subprocess.run([sys.argv[1], 'send', '--topic', 'a.b', '--to', '00' * 32, '--alert', 'x'])\n"
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


@pytest.mark.measures
def test_exec_passes_signals_on(serve: Serve) -> None:
    script = (
        "import signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))\n"
        "print('started', flush=True)\n"
        "signal.pause()\n"
    )
    process = serve("exec", "--", sys.executable, "-c", script)
    process.wait_for_line("started")
    process.signal(signal.SIGTERM)
    assert process.wait() == 9


def test_exec_writes_the_journal_when_the_command_fails(mynah_command: Command, tmp_path: Path) -> None:
    token = unique_token()
    send = f"'{binary()}' send --topic a.b --to {token} --alert x"
    done = mynah_command("exec", "--dump", "journal.jsonl", "--", "sh", "-c", f"{send}; exit 5")
    assert done.returncode == 5, done
    [entry] = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert entry["token"] == token
    done = mynah_command("exec", "--dump", "fine.jsonl", "--", "true")
    assert done.returncode == FINE and not (tmp_path / "fine.jsonl").exists()
