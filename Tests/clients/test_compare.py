"""`mynah compare`: the same requests to Mynah and to another service (`ControlAPI#Command-line`).

The other service is a Mynah with other settings or fault rules, or a server of this file that accepts everything.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h2.config
import h2.connection
import h2.events
import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from cases import DEFAULT_HEADERS, DEFAULT_TOKEN, Case, all_cases
from commandline import CONFIGURATION, FINE, UNAVAILABLE, UNMET, USAGE, Command
from provider_certificates import Authority, OrderedCertificate
from provider_token import SigningKey
from server import Mynah
from ports import held_port
from waiting import takes_at_least

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
    played = {case["case"] for case in results["cases"]}
    behaviours = played - {case.file for case in all_cases()}
    assert played >= {case.file for case in all_cases()}
    # What no case has is left out by name.
    assert {"connection", "tls-old-version", "tls-bad-certificate", "goaway-connections"} <= behaviours
    assert behaviours - {"connection"} <= names(results, "not tried")
    # Nothing harmless gets further than its device token, channel or topic.
    ends = {None, "BadDeviceToken", "BadChannelId", "TopicDisallowed"}
    assert {case.get("upTo") for case in results["cases"]} == ends
    partly = {case["case"] for case in results["cases"] if case.get("upTo")}
    assert "accepted" in partly and "priority-11" not in partly
    assert results["samePartly"] == len(partly)
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
    assert "accepted" in {case["case"] for case in json.loads(done.stdout)["cases"] if "upTo" not in case}
    # The first accepted push raises the stream limit.
    assert "MAX_CONCURRENT_STREAMS 1000" in done.stdout


# Mynah with another Mynah


def differing_from(mynah: Mynah, command: Command) -> set[str]:
    return names(results_of(command, *host_flags(mynah), *key_flags(mynah), expects=UNMET), "differs")


# What the twenty rules do, in turn.
ACTIONS = [
    {"type": "respond", "status": 503, "reason": "ServiceUnavailable"},
    {"type": "respond", "status": 400, "reason": "BadTopic", "answerHeaders": {"retry-after": "7"}},
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


def test_what_the_strict_push_type_check_changes_is_found_with_a_device(
    own_mynah: Start, mynah_command: Command
) -> None:
    mynah = own_mynah(*LIKE_A_REAL_ONE, "--push-type-check=strict")
    token = "ab" * 32
    mynah.control.post(
        "/v1/devices", {"id": "phone", "registrations": [{"topic": TOPIC, "token": token, "environment": "sandbox"}]}
    )
    # Without a device, both refuse the device token before they look at the push type.
    flags = [*host_flags(mynah), *key_flags(mynah)]
    assert not names(results_of(mynah_command, *flags, expects=FINE), "differs")
    results = results_of(mynah_command, *flags, "--device-token", token, "--deliver", expects=UNMET)
    assert names(results, "differs") == {
        "background-inferred-priority-10",
        "content-available-0",
        "content-available-2",
        "content-available-missing",
        "content-available-string",
        "content-available-string-inferred",
        "content-available-true",
        "management-app-topic",
        "payload-empty-object",
        "payload-voip-plain-topic-4096-bytes",
        "payload-without-aps",
        "push-type-alert-without-alert",
        "push-type-background-priority-10",
        "push-type-background-with-alert",
        "push-type-voip-to-plain-topic",
    }


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
    setting = "is about --push-type-check, a setting of Mynah's\n"
    [count] = re.findall(rf"^ +(\d+)  {setting}", done.stdout, re.MULTILINE)
    listed = mynah_command("compare", *host_flags(mynah), *key_flags(mynah), "--dry-run", "--not-tried")
    cases = listed.stdout.partition(f"not tried, {count}: {setting}")[2].partition("\n\n")[0]
    assert len(cases.split()) == int(count) > 0


def test_nothing_more_is_sent_after_429(own_mynah: Start, mynah_command: Command) -> None:
    mynah = own_mynah(*LIKE_A_REAL_ONE)
    action = {"type": "respond", "status": 429, "reason": "TooManyRequests"}
    mynah.control.post("/v1/faults", {"match": {"headers": {"apns-priority": "11"}}, "action": action})
    results = results_of(mynah_command, *host_flags(mynah), *key_flags(mynah), expects=UNAVAILABLE)
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


# Other servers


Fields = list[tuple[str, str]]


@dataclass(frozen=True)
class Answer:
    """What ``Recorder`` does with a request; without a status it closes the connection."""

    status: int | None = 200
    body: bytes = b""
    headers: Fields = field(default_factory=list)


class Recorder:
    """HTTP/2 that keeps the fields of each request, and answers as it is told; without TLS if it has no certificate."""

    def __init__(self, certificate: Path | None, answer: Callable[[Fields], Answer], host: str = "127.0.0.1") -> None:
        self.answer = answer
        self.requests: list[Fields] = []
        self.connections = 0
        self.context: ssl.SSLContext | None = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
            self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server((host, 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.close()

    def paths(self) -> set[str]:
        return {dict(request)[":path"] for request in self.requests}

    def accept(self) -> None:
        while True:
            try:
                plain, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=(plain,), daemon=True).start()

    def serve(self, plain: socket.socket) -> None:
        with self.context.wrap_socket(plain, server_side=True) if self.context else plain as channel:
            connection = h2.connection.H2Connection(
                h2.config.H2Configuration(client_side=False, validate_inbound_headers=False)
            )
            connection.initiate_connection()
            channel.sendall(connection.data_to_send())
            fields: dict[int, Fields] = {}
            while data := channel.recv(65_536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        fields[event.stream_id] = [(text(name), text(value)) for name, value in event.headers]
                    if isinstance(event, h2.events.DataReceived) and event.flow_controlled_length:
                        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    if isinstance(event, h2.events.StreamEnded):
                        self.requests.append(fields[event.stream_id])
                        answer = self.answer(fields[event.stream_id])
                        if not answer.status:
                            return
                        head = [(":status", str(answer.status)), *answer.headers]
                        connection.send_headers(event.stream_id, head, end_stream=not answer.body)
                        if answer.body:
                            connection.send_data(event.stream_id, answer.body, end_stream=True)
                channel.sendall(connection.data_to_send())


def text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


@pytest.fixture
def accepting(provider_authority: Authority, tmp_path: Path) -> Iterator[Recorder]:
    identity = provider_authority.issue(
        None, usage=ExtendedKeyUsageOID.SERVER_AUTH, environments=(), common_name="localhost"
    )
    with Recorder(identity.write(tmp_path, "server"), lambda _: Answer()) as server:
        yield server


def cleartext_flags(server: Recorder, mynah: Mynah, host: str = "127.0.0.1", topic: str = TOPIC) -> list[str]:
    return ["--host", f"{host}:{server.port}", "--cleartext", "--topic", topic, *key_flags(mynah)]


def test_only_what_is_harmless_is_sent(
    accepting: Recorder, mynah: Mynah, provider_ca_file: Path, mynah_command: Command
) -> None:
    flags = ["--host", f"localhost:{accepting.port}", "--ca-file", str(provider_ca_file), "--topic", TOPIC]
    results = results_of(mynah_command, *flags, *key_flags(mynah), expects=UNMET)
    played = [case for case in all_cases() if case.file in names(results, "differs")]
    requests = [step["request"] for case in played for step in case.steps]
    # One more, which shows that the key is known.
    assert len(accepting.requests) == len(requests) + 1
    known = {request.get("token", DEFAULT_TOKEN).lower() for request in requests}
    others = {request["path"] for request in requests if "path" in request}
    for path in accepting.paths() - others:
        assert path.removeprefix("/3/device/").lower() in known, path
    assert not any(path.startswith(("/4/broadcasts/", "/1/apps/")) for path in accepting.paths())
    # One with the usual token, one without any, and one for each case with a token of its own.
    own = [case for case in played if any(isinstance(step["request"].get("credential"), dict) for step in case.steps)]
    assert accepting.connections <= 2 + len(own) < len(played)


def test_what_the_service_sends_back_is_not_shown(mynah: Mynah, mynah_command: Command, tmp_path: Path) -> None:
    def echo(fields: Fields) -> Answer:
        sent = dict(fields)
        headers = [("server", sent["authorization"])] if "authorization" in sent else []
        return Answer(400, b"x" * 900 + json.dumps(fields).encode(), headers)

    team, topic = "SECRETTEAM", "org.secret.news"
    saved, report = tmp_path / "results.json", tmp_path / "report.xml"
    with Recorder(None, echo) as server:
        flags = [*cleartext_flags(server, mynah, topic=topic)[:-1], team]
        done = mynah_command("compare", *flags, "--results", str(saved), "--report", str(report))
    assert done.returncode == UNMET, done
    credentials = [step["request"].get("credential") for case in all_cases() for step in case.steps]
    made_up = {one["raw"] for one in credentials if one and "raw" in one}
    sent = {dict(request).get("authorization", "") for request in server.requests} - made_up
    signed = {value.rpartition(" ")[2] for value in sent if value.count(".") >= 2}
    parts = {part for token in signed for part in token.split(".") if len(part) > 15}
    assert len(signed) > 10 and "(provider token)" in done.stdout
    for place in (done.stdout, done.stderr, saved.read_text(), report.read_text()):
        assert not [secret for secret in {mynah.key_id, team, topic} | parts if secret in place]


@pytest.mark.measures
def test_a_service_elsewhere_gets_few_requests_a_second(mynah: Mynah, mynah_command: Command) -> None:
    answers = iter([Answer()] * 11)
    # The connection and twelve requests, four a second, as the address isn't one that counts as this machine.
    with takes_at_least(12 / 4), Recorder(None, lambda _: next(answers, Answer(429)), host="127.0.0.2") as server:
        results = results_of(mynah_command, *cleartext_flags(server, mynah, host="127.0.0.2"), expects=UNAVAILABLE)
    assert results["stopped"] == "the other service answered 429"
    assert len(server.requests) == 12


def test_a_service_that_closes_every_connection(mynah: Mynah, mynah_command: Command) -> None:
    with Recorder(None, lambda _: Answer(status=None)) as server:
        text = ": the connection was closed: expected an answer to a good push"
        fails(mynah_command, *cleartext_flags(server, mynah), code=UNAVAILABLE, text=text)
    assert len(server.requests) == 1


def test_files_that_cannot_be_written_are_found_before_anything_is_sent(
    mynah: Mynah, mynah_command: Command, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with Recorder(None, lambda _: Answer()) as server:
        for option in ("--report", "--results"):
            for path in (tmp_path, tmp_path / "file" / "results.json"):
                flags = [*cleartext_flags(server, mynah), option, str(path)]
                fails(mynah_command, *flags, code=CONFIGURATION, text="can't ")
    assert not server.connections


def test_a_server_that_accepts_everything_differs_everywhere(
    accepting: Recorder, mynah: Mynah, provider_ca_file: Path, mynah_command: Command
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
    with held_port() as port:
        flags = ["--host", f"127.0.0.1:{port}", "--topic", TOPIC, "--ca-file", str(mynah.ca_file), *key_flags(mynah)]
        expected = "expected HTTP/2 over TLS, with a certificate of a known CA"
        text = f"https://127.0.0.1:{port}: connection refused: {expected}"
        fails(mynah_command, *flags, code=UNAVAILABLE, text=text)


def test_a_time_below_a_second_is_named_as_it_was_given(mynah_with: Start, mynah_command: Command) -> None:
    mynah = mynah_with(*LIKE_A_REAL_ONE)
    # One of them is over while the connection to Mynah itself is made.
    for milliseconds in (1, 3, 5, 6, 7, 8, 9, 10, 15):
        limit = f"--timeout {milliseconds}ms"
        done = mynah_command("compare", *host_flags(mynah), *key_flags(mynah), *limit.split())
        assert done.returncode == UNAVAILABLE, done
        assert f"no answer to a good push within {limit}" in done.stderr or f"took longer than {limit}" in done.stdout


def test_a_host_without_http2(mynah: Mynah, mynah_command: Command) -> None:
    flags = ["--host", f"127.0.0.1:{mynah.control_port}", "--cleartext", "--topic", TOPIC, *key_flags(mynah)]
    fails(mynah_command, *flags, code=UNAVAILABLE, text="the server doesn't speak HTTP/2")


def test_a_certificate_of_an_unknown_ca(mynah: Mynah, provider_ca_file: Path, mynah_command: Command) -> None:
    flags = ["--host", f"localhost:{mynah.port}", "--ca-file", str(provider_ca_file), "--topic", TOPIC]
    text = "the server's certificate can't be verified: "
    fails(mynah_command, *flags, *key_flags(mynah), code=UNAVAILABLE, text=text)


def test_a_host_without_tls(mynah: Mynah, mynah_command: Command) -> None:
    flags = ["--host", f"127.0.0.1:{mynah.control_port}", "--ca-file", str(mynah.ca_file), "--topic", TOPIC]
    fails(mynah_command, *flags, *key_flags(mynah), code=UNAVAILABLE, text="the server doesn't speak TLS")


def test_a_certificate_that_the_service_does_not_take(
    mynah: Mynah, provider_authority: Authority, mynah_command: Command, tmp_path: Path
) -> None:
    stranger = Authority("another CA").issue(TOPIC).write(tmp_path, "stranger")
    text = "the server refused the certificate: unknown CA: expected it to take --certificate"
    fails(mynah_command, *host_flags(mynah), "--certificate", str(stranger), code=CONFIGURATION, text=text)


def test_a_certificate_of_the_other_environment(
    mynah_with: Start, mynah_command: Command, tmp_path: Path
) -> None:
    mynah = mynah_with(*LIKE_A_REAL_ONE, "--environment", "production")
    certificate = OrderedCertificate(mynah, tmp_path, environment="sandbox")
    reason = 'NO_ERROR {"reason":"BadCertificateEnvironment"}'
    text = f"ended the connection: {reason}: expected it to take --certificate"
    # It is found before any case is played with the key.
    flags = [*host_flags(mynah), *key_flags(mynah), *certificate.flags]
    fails(mynah_command, *flags, code=CONFIGURATION, text=text)
    assert len(mynah.control.get("/v1/notifications", {"limit": 1000})["items"]) == 1


def test_a_ca_file_without_a_certificate(mynah: Mynah, mynah_command: Command) -> None:
    flags = ["--host", "localhost:1", "--ca-file", str(mynah.key_file), "--topic", TOPIC, *key_flags(mynah)]
    text = f"--ca-file: {mynah.key_file}: holds no certificate. Give a PEM file with the CA's certificate."
    fails(mynah_command, *flags, code=CONFIGURATION, text=text)


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
        (["--key", "no.p8"], CONFIGURATION, "--key: there is no file no.p8"),
        (["--key", "bad.p8"], USAGE, "give --key-id"),
        (["--key", "bad.p8", "--key-id", "ABCDE12345", "--team-id", "TEAM123456"], CONFIGURATION, "bad.p8: is not PEM"),
        ([], USAGE, "missing credential: expected --key AuthKey_<KEYID>.p8 with --team-id, or --certificate"),
        (["--certificate", "no.p12"], CONFIGURATION, "--certificate: there is no file no.p12"),
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
