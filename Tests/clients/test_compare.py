"""`mynah compare`: the same requests to Mynah and to another service (`ControlAPI#Command-line`).

The other service is a Mynah with other settings or fault rules, or a server of this file that accepts everything.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h2.config
import h2.connection
import h2.events
import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from cases import DEFAULT_HEADERS, Case, all_cases
from commandline import CONFIGURATION, FINE, UNAVAILABLE, UNMET, USAGE, Command
from provider_certificates import Authority
from provider_token import SigningKey
from server import Mynah

TOPIC = "com.example.app"
# What is known of a real service: it knows its devices, and the apps of a team.
LIKE_A_REAL_ONE = ["--devices", "strict", "--team-topics", TOPIC, "--magic-tokens", "off"]
# Cases that are played with a key alone.
PLAYED_MIN = 150

Start = Callable[..., Mynah]


def key_flags(mynah: Mynah) -> list[str]:
    return ["--key", str(mynah.key_file), "--key-id", mynah.key_id, "--team-id", mynah.team_id]


def host_flags(mynah: Mynah) -> list[str]:
    return ["--host", f"localhost:{mynah.port}", "--ca-file", str(mynah.ca_file), "--topic", TOPIC]


def results_of(command: Command, *flags: str, expects: int) -> dict[str, Any]:
    done = command("compare", *flags, "--json")
    assert done.returncode == expects, done
    results: dict[str, Any] = json.loads(done.stdout)
    return results


def names(results: dict[str, Any], verdict: str) -> set[str]:
    return {case["case"] for case in results["cases"] if case["result"] == verdict}


# Mynah with itself


def test_mynah_does_not_differ_from_itself(mynah_with: Start, mynah_command: Command, tmp_path: Path) -> None:
    mynah = mynah_with(*LIKE_A_REAL_ONE)
    report, saved = tmp_path / "new" / "junit.xml", tmp_path / "compare.json"
    results = results_of(
        mynah_command,
        *host_flags(mynah),
        *key_flags(mynah),
        "--broadcasts",
        "--report",
        str(report),
        "--results",
        str(saved),
        expects=FINE,
    )
    assert not names(results, "differs")
    assert results["same"] == len(names(results, "same")) > PLAYED_MIN
    assert {case.file for case in all_cases()} | {"connection"} == {case["case"] for case in results["cases"]}
    assert all(case["reason"] for case in results["cases"] if case["result"] == "not tried")

    assert json.loads(saved.read_text()) == results
    for secret in (mynah.key_id, mynah.team_id, str(mynah.key_file), "eyJ", "PRIVATE"):
        assert secret not in saved.read_text()
    suite = ElementTree.parse(report).getroot()[0]
    assert suite.attrib["failures"] == "0"
    assert len(suite) == len(results["cases"]) == int(suite.attrib["tests"])
    assert len(suite.findall("testcase/skipped")) == results["notTried"] == int(suite.attrib["skipped"])


def test_with_a_certificate_alone(mynah_with: Start, mynah_command: Command, tmp_path: Path) -> None:
    mynah = mynah_with(*LIKE_A_REAL_ONE)
    certificate = tmp_path / "provider.pem"
    order = mynah.control.post("/v1/certificates", {"topics": [TOPIC]})
    certificate.write_text(order["certificate"] + order["privateKey"])
    flags = [*host_flags(mynah)[:4], "--certificate", str(certificate)]
    results = results_of(mynah_command, *flags, expects=FINE)
    played = names(results, "same")
    assert {"certificate-topic-listed", "connection-certificate", "priority-11", "credential-missing"} <= played
    assert "token-bad-signature" in names(results, "not tried")


def test_without_tls(mynah_with: Start, mynah_command: Command) -> None:
    mynah = mynah_with(*LIKE_A_REAL_ONE)
    flags = ["--host", f"127.0.0.1:{mynah.cleartext_port}", "--cleartext", "--topic", TOPIC, *key_flags(mynah)]
    results = results_of(mynah_command, *flags, expects=FINE)
    assert results["cleartext"] and results["same"] > PLAYED_MIN


def test_the_topic_of_the_user_is_used_and_not_saved(mynah_with: Start, mynah_command: Command) -> None:
    mynah = mynah_with("--devices", "strict", "--team-topics", "org.example.news", "--magic-tokens", "off")
    flags = [*host_flags(mynah)[:-1], "org.example.news", *key_flags(mynah), "--broadcasts"]
    done = mynah_command("compare", *flags, "--json")
    assert done.returncode == FINE, done
    assert "org.example" not in done.stdout
    pushed = mynah.control.get("/v1/notifications", {"limit": 1000})["items"]
    assert "org.example.news" in {push["topic"] for push in pushed}
    assert TOPIC not in {push["topic"] for push in pushed}


def test_good_pushes_reach_the_device_that_asked_for_them(own_mynah: Start, mynah_command: Command) -> None:
    mynah = own_mynah(*LIKE_A_REAL_ONE)
    token = "ab" * 32
    mynah.control.post(
        "/v1/devices", {"id": "phone", "registrations": [{"topic": TOPIC, "token": token, "environment": "sandbox"}]}
    )
    flags = [*host_flags(mynah), *key_flags(mynah), "--device-token", token, "--deliver"]
    planned = mynah_command("compare", *flags, "--dry-run")
    assert planned.returncode == FINE, planned
    count = int(planned.stdout.split("the device would get ")[1].split(" pushes")[0])
    assert mynah.control.get("/v1/notifications")["items"] == []

    done = mynah_command("compare", *flags, "--json")
    assert done.returncode == FINE, done
    assert f"mynah: the device gets up to {count} pushes" in done.stderr
    delivered = [
        push for push in mynah.control.get("/v1/notifications", {"limit": 1000})["items"] if push["status"] == 200
    ]
    assert len(delivered) == count > 20
    assert {push["token"] for push in delivered} == {token}
    assert token not in done.stdout
    # The first accepted push raises the stream limit.
    assert "MAX_CONCURRENT_STREAMS 1000" in done.stdout


# Mynah with another Mynah


def differing_from(mynah: Mynah, command: Command) -> set[str]:
    return names(results_of(command, *host_flags(mynah), *key_flags(mynah), expects=UNMET), "differs")


# What the twenty rules do, in turn.
ACTIONS = [
    {"type": "respond", "status": 503, "reason": "ServiceUnavailable"},
    {"type": "respond", "status": 400, "reason": "BadTopic", "headers": {"retry-after": "7"}},
    {"type": "goaway", "reason": "Shutdown"},
    {"type": "resetStream", "code": "REFUSED_STREAM"},
]
RULES = 20


def headers_of(case: Case) -> list[tuple[str, str]]:
    """The headers of the case's own, repeated ones once for each value."""
    return [
        (name, value)
        for step in case.steps
        for name, values in step["request"].get("headers", {}).items()
        for value in (values if isinstance(values, list) else [values])
        if value
    ]


def test_exactly_what_twenty_fault_rules_change_is_found(own_mynah: Start, mynah_command: Command) -> None:
    mynah = own_mynah(*LIKE_A_REAL_ONE)
    flags = [*host_flags(mynah), *key_flags(mynah)]
    played = names(results_of(mynah_command, *flags, expects=FINE), "same")
    cases = [case for case in all_cases() if case.file in played]
    # Not those that the other cases have without saying so.
    own = {header for case in cases for header in headers_of(case)} - set(DEFAULT_HEADERS.items())
    for number, (name, value) in enumerate(sorted(own)[:RULES]):
        rule = {"match": {"headers": {name: value}}, "action": ACTIONS[number % len(ACTIONS)]}
        mynah.control.post("/v1/faults", rule)
    changed = set(sorted(own)[:RULES])
    wanted = {case.file for case in cases if changed & set(headers_of(case))}
    assert len(changed) == RULES <= len(wanted) < len(played)
    assert differing_from(mynah, mynah_command) == wanted


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("--payload-check=strict", {"payload-not-json"}),
        (
            "--push-type-check=strict",
            {
                "background-inferred-priority-10",
                "content-available-0",
                "content-available-2",
                "content-available-missing",
                "content-available-string",
                "content-available-string-inferred",
                "content-available-true",
                "liveactivity-priority-1",
                "payload-empty-object",
                "payload-voip-plain-topic-4096-bytes",
                "payload-without-aps",
                "push-type-alert-to-voip-topic",
                "push-type-alert-without-alert",
                "push-type-background-priority-10",
                "push-type-background-with-alert",
            },
        ),
        # The first SETTINGS of every connection, of which one is compared.
        ("--stream-limits=2,1000", {"connection"}),
    ],
)
def test_exactly_what_a_setting_changes_is_found(
    setting: str, expected: set[str], mynah_with: Start, mynah_command: Command
) -> None:
    differing = differing_from(mynah_with(*LIKE_A_REAL_ONE, setting), mynah_command)
    # A rejected credential lowers the limit as well.
    if "connection" in expected:
        differing -= {case.file for case in all_cases() if case.content["expect"]["status"] == 403}
    assert differing == expected


def test_a_stream_limit_is_printed_with_its_section(mynah_with: Start, mynah_command: Command) -> None:
    mynah = mynah_with(*LIKE_A_REAL_ONE, "--stream-limits=3,500")
    done = mynah_command("compare", *host_flags(mynah), *key_flags(mynah))
    assert "MAX_CONCURRENT_STREAMS 3" in done.stdout and "ProviderAPI#Stream-limits" in done.stdout


def test_differences_are_printed_with_both_answers_and_the_rule(
    own_mynah: Start, mynah_command: Command, tmp_path: Path
) -> None:
    mynah = own_mynah(*LIKE_A_REAL_ONE)
    action = {"type": "respond", "status": 400, "reason": "BadTopic"}
    mynah.control.post("/v1/faults", {"match": {"headers": {"apns-priority": "11"}}, "action": action})
    report = tmp_path / "compare.xml"
    done = mynah_command("compare", *host_flags(mynah), *key_flags(mynah), "--report", str(report))
    assert done.returncode == UNMET, done
    assert "differs: priority-11: " in done.stdout
    suite = ElementTree.parse(report).getroot()[0]
    [failure] = suite.findall("testcase/failure")
    assert suite.attrib["failures"] == "1" and failure.attrib["message"] == "differs: body"
    expected = """
  body
    mynah  {"reason":"BadPriority"}
    other  {"reason":"BadTopic"}
"""
    assert expected in done.stdout
    assert "not tried: is about --push-type-check, a setting of Mynah's\n" in done.stdout


def test_nothing_more_is_sent_after_429(own_mynah: Start, mynah_command: Command) -> None:
    mynah = own_mynah(*LIKE_A_REAL_ONE)
    action = {"type": "respond", "status": 429, "reason": "TooManyRequests"}
    mynah.control.post("/v1/faults", {"match": {"headers": {"apns-priority": "11"}}, "action": action})
    results = results_of(mynah_command, *host_flags(mynah), *key_flags(mynah), expects=UNMET)
    assert results["stopped"] == "the other service answered 429"
    assert names(results, "differs") == {"priority-11"}
    answered = [push["status"] for push in mynah.control.get("/v1/notifications", {"limit": 1000})["items"]]
    assert answered.count(429) == 1
    stopped = [case["case"] for case in results["cases"] if case.get("reason") == results["stopped"]]
    assert stopped


def test_nothing_more_is_sent_after_a_refused_connection(own_mynah: Start, mynah_command: Command) -> None:
    mynah = own_mynah(*LIKE_A_REAL_ONE)
    # The first connection is taken.
    mynah.control.post("/v1/faults", {"match": {"event": "accept"}, "skip": 1, "action": {"type": "refuse"}})
    results = results_of(mynah_command, *host_flags(mynah), *key_flags(mynah), expects=UNAVAILABLE)
    assert results["stopped"].startswith("the other service refused a connection: ")
    assert not names(results, "differs") and names(results, "same")


# A server that accepts everything


class Accepting:
    """HTTP/2 over TLS that answers 200 to each request, and sends nothing else."""

    def __init__(self, certificate: Path) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate)
        self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                plain, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(plain,), daemon=True).start()

    def serve(self, plain: socket.socket) -> None:
        with self.context.wrap_socket(plain, server_side=True) as channel:
            connection = h2.connection.H2Connection(
                h2.config.H2Configuration(client_side=False, validate_inbound_headers=False)
            )
            connection.initiate_connection()
            channel.sendall(connection.data_to_send())
            while data := channel.recv(65_536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.DataReceived) and event.flow_controlled_length:
                        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    if isinstance(event, h2.events.StreamEnded):
                        connection.send_headers(event.stream_id, [(":status", "200")], end_stream=True)
                channel.sendall(connection.data_to_send())


@pytest.fixture
def accepting(provider_authority: Authority, tmp_path: Path) -> Iterator[Accepting]:
    identity = provider_authority.issue(
        None, usage=ExtendedKeyUsageOID.SERVER_AUTH, environments=(), common_name="localhost"
    )
    server = Accepting(identity.write(tmp_path, "server"))
    yield server
    server.listener.close()


def test_a_server_that_accepts_everything_differs_everywhere(
    accepting: Accepting, mynah: Mynah, provider_ca_file: Path, mynah_command: Command
) -> None:
    flags = ["--host", f"localhost:{accepting.port}", "--ca-file", str(provider_ca_file), "--topic", TOPIC]
    results = results_of(mynah_command, *flags, *key_flags(mynah), expects=UNMET)
    assert not names(results, "same")
    by_name = {case["case"]: case for case in results["cases"]}
    [answers] = by_name["priority-11"]["answers"]
    assert (answers["mynah"]["status"], answers["other"]["status"]) == ("400", "200")
    assert "apns-id" in answers["mynah"] and "apns-id" not in answers["other"]


# Bad input


def fails(command: Command, *flags: str, code: int, text: str) -> None:
    done = command("compare", *flags)
    assert done.returncode == code, done
    assert done.stderr.startswith("mynah: ") and done.stderr.count("\n") == 1, done
    assert text in done.stderr, done
    assert not done.stdout


def test_a_host_that_does_not_answer(mynah: Mynah, mynah_command: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    flags = ["--host", f"127.0.0.1:{port}", "--topic", TOPIC, "--ca-file", str(mynah.ca_file), *key_flags(mynah)]
    text = f"https://127.0.0.1:{port}: connection refused: expected HTTP/2 with a known CA"
    fails(mynah_command, *flags, code=UNAVAILABLE, text=text)


def test_a_host_without_http2(mynah: Mynah, mynah_command: Command) -> None:
    flags = ["--host", f"127.0.0.1:{mynah.control_port}", "--cleartext", "--topic", TOPIC, *key_flags(mynah)]
    fails(mynah_command, *flags, code=UNAVAILABLE, text="the server doesn't speak HTTP/2")


def test_a_certificate_of_an_unknown_ca(mynah: Mynah, provider_ca_file: Path, mynah_command: Command) -> None:
    flags = ["--host", f"localhost:{mynah.port}", "--ca-file", str(provider_ca_file), "--topic", TOPIC]
    fails(mynah_command, *flags, *key_flags(mynah), code=UNAVAILABLE, text="certificate verify failed")


def test_a_key_that_the_service_does_not_know(mynah: Mynah, mynah_command: Command, tmp_path: Path) -> None:
    stranger = SigningKey.stranger(mynah.team_id)
    file = tmp_path / "AuthKey_ABCDE12345.p8"
    file.write_bytes(stranger.pem())
    flags = [*host_flags(mynah), "--key", str(file), "--team-id", mynah.team_id]
    text = 'refuses the credential: 403 {"reason":"InvalidProviderToken"}'
    fails(mynah_command, *flags, code=CONFIGURATION, text=text)
    flags = [*host_flags(mynah), "--key", str(mynah.key_file), "--key-id", mynah.key_id, "--team-id", "WRONGTEAM1"]
    fails(mynah_command, *flags, code=CONFIGURATION, text="--key, --key-id and --team-id")


@pytest.mark.parametrize(
    ("flags", "code", "text"),
    [
        (["--key", "no.p8"], USAGE, "--key: there is no file no.p8"),
        (["--key", "bad.p8"], USAGE, "give --key-id"),
        (["--key", "bad.p8", "--key-id", "ABCDE12345", "--team-id", "TEAM123456"], CONFIGURATION, "bad.p8: is not PEM"),
        ([], USAGE, "missing credential: expected --key AuthKey_<KEYID>.p8 with --team-id, or --certificate"),
        (["--certificate", "bad.p8"], CONFIGURATION, "neither PKCS#12 nor PEM"),
        (["--device-token", "ab" * 32], USAGE, "expected --deliver too"),
        (["--deliver"], USAGE, "expected --device-token too"),
        (["--device-token", "xy" * 32, "--deliver"], USAGE, "expected 64 to 200 hexadecimal digits"),
        (["--cleartext", "--ca-file", "ca.pem"], USAGE, "leave out --ca-file"),
        (["--cleartext", "--certificate", "bad.p8"], USAGE, "leave out --certificate"),
        (["--environment", "beta"], USAGE, "expected sandbox or production"),
    ],
)
def test_wrong_usage(flags: list[str], code: int, text: str, mynah_command: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.p8").write_text("no key")
    fails(mynah_command, "--host", "localhost:1", "--topic", TOPIC, *flags, code=code, text=text)


def test_a_topic_and_a_host_are_needed(mynah: Mynah, mynah_command: Command) -> None:
    fails(mynah_command, "--host", "localhost:1", *key_flags(mynah), code=USAGE, text="missing --topic: expected")
    flags = ["--host", "localhost:1", "--topic", f"{TOPIC}.voip", *key_flags(mynah)]
    fails(mynah_command, *flags, code=USAGE, text="expected a bundle id, without a suffix")
    for host in ("", "localhost:0", "localhost:x", "a b", "localhost:65536"):
        flags = ["--host", host, "--topic", TOPIC, *key_flags(mynah)]
        fails(mynah_command, *flags, code=USAGE, text="expected a name or an address")
