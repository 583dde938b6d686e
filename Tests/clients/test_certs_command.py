"""`mynah certs provider`, `list` and `revoke`: provider certificates from the user's side (`ControlAPI`)."""

from __future__ import annotations

import base64
import json
import stat
import subprocess
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PublicFormat,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509.oid import NameOID, ObjectIdentifier

from commandline import CONFIGURATION, FINE, FREE_PORTS, NOT_FOUND, UNAVAILABLE, USAGE, Command, Serve
from ports import held_port
from provider_certificates import Authority

TOPIC = "com.example.app"
# Apple's extensions: sandbox, production, VoIP, list of topics (`ProviderAPI#Certificates`).
SANDBOX, PRODUCTION, VOIP, TOPICS = (ObjectIdentifier(f"1.2.840.113635.100.6.3.{last}") for last in (1, 2, 4, 6))


def certificates(file: Path) -> list[x509.Certificate]:
    return x509.load_pem_x509_certificates(file.read_bytes())


def provider(command: Command, *arguments: str) -> dict[str, object]:
    """Makes a certificate, and gives what `--json` says of it; EC, because RSA keys take longer to make."""
    done = command("certs", "provider", "--topic", TOPIC, "--key-type", "ec", "--json", *arguments)
    assert done.returncode == FINE, done
    return json.loads(done.stdout)


def has(certificate: x509.Certificate, extension: ObjectIdentifier) -> bool:
    return any(each.oid == extension for each in certificate.extensions)


# provider


def test_a_certificate_its_key_and_both_as_pkcs12(mynah_command: Command, tmp_path: Path) -> None:
    done = mynah_command("certs", "provider", "--topic", TOPIC, "--voip", "--out", "made")
    assert done.returncode == FINE, done
    folder = tmp_path / "made"
    assert sorted(file.name for file in folder.iterdir()) == [f"{TOPIC}-key.pem", f"{TOPIC}.p12", f"{TOPIC}.pem"]
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    assert modes == {f"{TOPIC}-key.pem": 0o600, f"{TOPIC}.p12": 0o600, f"{TOPIC}.pem": 0o644}

    [leaf] = certificates(folder / f"{TOPIC}.pem")
    leaf.verify_directly_issued_by(certificates(tmp_path / "certs" / "ca.pem")[0])
    key = load_pem_private_key((folder / f"{TOPIC}-key.pem").read_bytes(), None)
    spki = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert key.public_key().public_bytes(*spki) == leaf.public_key().public_bytes(*spki)
    assert leaf.subject.get_attributes_for_oid(NameOID.USER_ID)[0].value == TOPIC
    assert has(leaf, SANDBOX) and has(leaf, PRODUCTION) and has(leaf, TOPICS)

    opened = pkcs12.load_pkcs12((folder / f"{TOPIC}.p12").read_bytes(), b"mynah")
    assert opened.cert is not None and opened.cert.certificate == leaf
    assert opened.additional_certs == []
    assert "password: mynah" in done.stdout
    for line in ("mynah send --certificate", "curl --http2 --cacert", f"{format(leaf.serial_number, 'X')}"):
        assert line in done.stdout


@pytest.mark.parametrize(
    ("flags", "kinds"),
    [
        ([], {TOPIC: "app"}),
        (["--voip"], {TOPIC: "app", f"{TOPIC}.voip": "voip"}),
        (["--complication"], {TOPIC: "app", f"{TOPIC}.complication": "complication"}),
        (
            ["--voip", "--complication", "--topic", "com.example.second"],
            {
                TOPIC: "app",
                "com.example.second": "app",
                f"{TOPIC}.voip": "voip",
                f"{TOPIC}.complication": "complication",
            },
        ),
    ],
    ids=["app", "voip", "complication", "all"],
)
def test_its_topics(mynah_command: Command, tmp_path: Path, flags: list[str], kinds: dict[str, str]) -> None:
    made = provider(mynah_command, *flags)
    assert {topic["topic"]: topic["kind"] for topic in made["topics"]} == kinds
    leaf = certificates(tmp_path / f"{TOPIC}.pem")[0]
    assert has(leaf, VOIP) == ("--voip" in flags)
    # OpenSSL, which knows nothing of Apple, reads the same list out of the extension.
    value = next(each.value.value for each in leaf.extensions if each.oid == TOPICS)
    (tmp_path / "topics.der").write_bytes(value)
    lines = subprocess.run(
        ["openssl", "asn1parse", "-inform", "DER", "-in", "topics.der"], cwd=tmp_path, capture_output=True, text=True
    ).stdout.splitlines()
    strings = [line.split("UTF8STRING")[1].strip(" :") for line in lines if "UTF8STRING" in line]
    assert strings[0] == TOPIC
    assert dict(zip(strings[::2], strings[1::2], strict=True)) == kinds


def test_openssl_trusts_what_is_made(mynah_command: Command, tmp_path: Path) -> None:
    made = provider(mynah_command, "--password", "chosen one")
    verified = subprocess.run(
        ["openssl", "verify", "-purpose", "sslclient", "-CAfile", str(tmp_path / "certs" / "ca.pem"), f"{TOPIC}.pem"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert verified.returncode == 0, verified
    assert made["password"] == "chosen one"
    pkcs12.load_pkcs12((tmp_path / f"{TOPIC}.p12").read_bytes(), b"chosen one")


@pytest.mark.parametrize(
    ("environment", "sandbox", "production"),
    [("sandbox", True, False), ("production", False, True), ("both", True, True)],
)
def test_the_environment(
    mynah_command: Command, tmp_path: Path, environment: str, sandbox: bool, production: bool
) -> None:
    made = provider(mynah_command, "--environment", environment)
    assert made["environment"] == environment
    leaf = certificates(tmp_path / str(made["files"]["certificate"]))[0]
    assert (has(leaf, SANDBOX), has(leaf, PRODUCTION)) == (sandbox, production)


def test_its_time(mynah_command: Command, tmp_path: Path) -> None:
    before = datetime.now(timezone.utc)
    good = certificates(tmp_path / str(provider(mynah_command, "--days", "7")["files"]["certificate"]))[0]
    after = datetime.now(timezone.utc)
    assert good.not_valid_before_utc < before
    # Certificates count whole seconds.
    week = timedelta(days=7)
    assert before + week - timedelta(seconds=1) < good.not_valid_after_utc <= after + week
    over = certificates(tmp_path / str(provider(mynah_command, "--expired")["files"]["certificate"]))[0]
    assert over.not_valid_before_utc < over.not_valid_after_utc < before


def test_no_file_is_replaced_unless_asked(mynah_command: Command, tmp_path: Path) -> None:
    mine = tmp_path / f"{TOPIC}-key.pem"
    mine.write_text("mine")
    refused = mynah_command("certs", "provider", "--topic", TOPIC)
    assert refused.returncode == CONFIGURATION
    assert mine.name in refused.stderr and "--force" in refused.stderr
    assert mine.read_text() == "mine"
    # Nothing was issued, either.
    assert not (tmp_path / "certs").exists()
    assert provider(mynah_command, "--force")["files"]["key"] == mine.name
    assert mine.read_text() != "mine"
    assert provider(mynah_command, "--name", "other")["files"]["certificate"] == "other.pem"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--topic"),
        (["--topic", "com example"], "letters, digits, hyphens and periods"),
        (["--topic", TOPIC, "--topic", TOPIC], "twice"),
        (["--topic", TOPIC, "--days", "0"], "1 to 3600"),
        (["--topic", TOPIC, "--environment", "sandbx"], 'did you mean "sandbox"?'),
        (["--topic", TOPIC, "--password", ""], "--password"),
        (["--topic", TOPIC, "--name", "a/b"], "--out"),
    ],
)
def test_a_wrong_flag_is_named(mynah_command: Command, tmp_path: Path, arguments: list[str], words: str) -> None:
    done = mynah_command("certs", "provider", *arguments)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("named", ["by the environment", "by a flag", "by a ready file", "by running alone"])
def test_a_server_issues_certificates_of_its_own_ca(
    mynah_command: Command, serve: Serve, tmp_path: Path, named: str
) -> None:
    own = ["--state-dir", "theirs", "--ready-file", "ready.json", "--control-token", "secret"]
    server = serve("serve", *FREE_PORTS, *own)
    server.wait_for_line("mynah ready")
    ready = json.loads((tmp_path / "ready.json").read_text())
    url = ready["controlUrl"]
    flags, environment = {
        "by the environment": ([], {"MYNAH_URL": url}),
        "by a flag": (["--url", url], {}),
        "by a ready file": (["--ready-file", "ready.json"], {}),
        "by running alone": ([], {}),
    }[named]
    order = ["--topic", TOPIC, "--voip", "--days", "7", "--password", "chosen one", "--environment", "sandbox"]
    refused = mynah_command("certs", "provider", *order, *flags, **environment)
    assert refused.returncode == CONFIGURATION and "MYNAH_CONTROL_TOKEN" in refused.stderr, refused
    assert not list(tmp_path.glob("*.pem"))

    done = mynah_command("certs", "provider", *order, *flags, **environment, MYNAH_CONTROL_TOKEN="secret")
    assert done.returncode == FINE, done
    [leaf] = certificates(tmp_path / f"{TOPIC}-sandbox.pem")
    leaf.verify_directly_issued_by(certificates(tmp_path / "theirs" / "ca.pem")[0])
    assert has(leaf, SANDBOX) and not has(leaf, PRODUCTION) and has(leaf, VOIP)
    assert leaf.not_valid_after_utc < datetime.now(timezone.utc) + timedelta(days=8)
    opened = pkcs12.load_pkcs12((tmp_path / f"{TOPIC}-sandbox.p12").read_bytes(), b"chosen one")
    assert opened.cert is not None and opened.cert.certificate == leaf
    assert url in done.stdout and f"api.sandbox.push.apple.com:443:127.0.0.1:{ready['port']} https://" in done.stdout
    # No CA that no server has.
    assert not (tmp_path / "certs").exists()
    pair = ["--certificate", f"{TOPIC}-sandbox.pem", "--certificate-key", f"{TOPIC}-sandbox-key.pem"]
    push = ["--topic", TOPIC, "--alert", "hi", "--to", "00" * 32]
    sent = mynah_command("send", *pair, *push, MYNAH_CONTROL_TOKEN="secret")
    assert sent.returncode == FINE, sent


def test_a_server_that_is_named_and_not_there_is_an_error(mynah_command: Command, tmp_path: Path) -> None:
    done = mynah_command("certs", "provider", "--topic", TOPIC, MYNAH_URL="http://127.0.0.1:1")
    assert done.returncode == UNAVAILABLE and "http://127.0.0.1:1" in done.stderr, done
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_named_comes_before_servers(mynah_command: Command, serve: Serve, tmp_path: Path) -> None:
    server = serve("serve", *FREE_PORTS, "--state-dir", "theirs")
    url = server.wait_for_line("mynah ready").split(" control ")[1].split()[0]
    done = mynah_command("certs", "provider", "--topic", TOPIC, "--state-dir", "mine", MYNAH_URL=url)
    assert done.returncode == FINE, done
    [leaf] = certificates(tmp_path / f"{TOPIC}.pem")
    leaf.verify_directly_issued_by(certificates(tmp_path / "mine" / "ca.pem")[0])
    assert f"made a new CA, {tmp_path / 'mine' / 'ca.pem'}: " in done.stderr
    both = mynah_command("certs", "provider", "--topic", TOPIC, "--state-dir", "mine", "--url", url)
    assert both.returncode == USAGE and "--state-dir" in both.stderr


# list


def test_the_list_has_everything_in_the_folder(mynah_command: Command, tmp_path: Path) -> None:
    made = [provider(mynah_command, "--voip"), provider(mynah_command, "--expired")]
    done = mynah_command("certs", "list", "--json")
    assert done.returncode == FINE, done
    listed = json.loads(done.stdout)
    assert listed["stateDirectory"] == str(tmp_path / "certs")
    assert listed["authority"]["file"] == str(tmp_path / "certs" / "ca.pem")
    assert listed["server"]["file"] == str(tmp_path / "certs" / "server.pem")
    assert [key["file"] for key in listed["keys"]] == [str(file) for file in (tmp_path / "certs").glob("AuthKey_*.p8")]
    shown = {"files", "password"}
    expected = [{name: value for name, value in each.items() if name not in shown} for each in made]
    assert listed["certificates"] == expected

    table = mynah_command("certs", "list").stdout
    assert all(str(each["serialNumber"]) in table for each in made)
    assert f"{TOPIC}, {TOPIC}.voip" in table and "expired" in table


def test_a_list_makes_nothing(mynah_command: Command, tmp_path: Path) -> None:
    done = mynah_command("certs", "list")
    assert done.returncode == CONFIGURATION
    assert "certs" in done.stderr and "mynah certs init" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_told_what_it_is(mynah_command: Command, tmp_path: Path) -> None:
    made = provider(mynah_command)
    files = made["files"]
    done = mynah_command("certs", "list", "--json", files["certificate"], files["key"], str(tmp_path / "certs/ca.pem"))
    assert done.returncode == FINE, done
    leaf, key, authority = json.loads(done.stdout)["files"]
    assert (leaf["kind"], leaf["serialNumber"]) == ("provider", made["serialNumber"])
    assert [topic["topic"] for topic in leaf["topics"]] == [TOPIC]
    assert key["kind"] == "key"
    assert authority["kind"] == "authority"
    opened = mynah_command("certs", "list", "--json", "--password", "mynah", files["pkcs12"])
    assert json.loads(opened.stdout)["files"][0]["serialNumber"] == made["serialNumber"], opened
    shown = mynah_command("certs", "list", "--password", "mynah", files["pkcs12"]).stdout
    assert "provider certificate with its key, PKCS #12" in shown


def test_a_certificate_in_der_is_described_as_in_pem(mynah_command: Command, tmp_path: Path) -> None:
    made = provider(mynah_command)
    for pem, kind, words in [
        (made["files"]["certificate"], "provider", "provider certificate\n"),
        (str(tmp_path / "certs/ca.pem"), "authority", "CA\n"),
        (str(tmp_path / "certs/server.pem"), "certificate", "certificate\n"),
    ]:
        file = tmp_path / f"{kind}.der"
        file.write_bytes(certificates(Path(tmp_path, pem))[0].public_bytes(Encoding.DER))
        done = mynah_command("certs", "list", "--json", pem, str(file))
        assert done.returncode == FINE, done
        of_pem, of_der = json.loads(done.stdout)["files"]
        assert of_der["kind"] == kind
        assert {**of_der, "file": ""} == {**of_pem, "file": ""}
        assert words in mynah_command("certs", "list", str(file)).stdout


def test_an_archive_without_a_key_is_said_to_have_none(mynah_command: Command, tmp_path: Path) -> None:
    provider(mynah_command)
    leaf = certificates(tmp_path / f"{TOPIC}.pem")[0]
    archive = pkcs12.serialize_key_and_certificates(None, None, None, [leaf], NoEncryption())
    (tmp_path / "alone.p12").write_bytes(archive)
    shown = mynah_command("certs", "list", "--password", "", "alone.p12")
    assert shown.returncode == FINE, shown
    assert "provider certificate, PKCS #12\n" in shown.stdout


def test_a_broken_file_is_named_with_its_fault(mynah_command: Command, tmp_path: Path) -> None:
    provider(mynah_command)
    (tmp_path / "broken.pem").write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    for name, words in [("broken.pem", "broken.pem"), ("none.pem", "none.pem"), (f"{TOPIC}.p12", "password")]:
        done = mynah_command("certs", "list", name)
        assert done.returncode == CONFIGURATION, done
        assert words in done.stderr


# revoke


def test_revoked_without_a_server(mynah_command: Command) -> None:
    made = [provider(mynah_command, "--name", name) for name in ("one", "two", "three")]
    done = mynah_command("certs", "revoke", "one.pem", str(made[1]["serialNumber"]).lower())
    assert done.returncode == FINE, done
    listed = json.loads(mynah_command("certs", "list", "--json").stdout)["certificates"]
    assert [each["revokedAt"] is not None for each in listed] == [True, True, False]
    again = mynah_command("certs", "revoke", "one.pem")
    assert again.returncode == FINE, again
    assert json.loads(mynah_command("certs", "list", "--json").stdout)["certificates"] == listed


def test_what_cannot_be_revoked_is_named_and_nothing_is(mynah_command: Command, tmp_path: Path) -> None:
    made = provider(mynah_command)
    for argument, code in [("00FF", NOT_FOUND), ("none.pem", USAGE), (f"{TOPIC}-key.pem", CONFIGURATION)]:
        done = mynah_command("certs", "revoke", str(made["serialNumber"]), argument)
        assert done.returncode == code, done
        assert argument in done.stderr
    listed = json.loads(mynah_command("certs", "list", "--json").stdout)["certificates"]
    assert [each["revokedAt"] for each in listed] == [None]


def test_running_servers_are_told(mynah_command: Command, serve: Serve, tmp_path: Path) -> None:
    servers = [serve("serve", *FREE_PORTS) for _ in range(2)]
    elsewhere = serve("serve", *FREE_PORTS, "--state-dir", "others")
    urls = [server.wait_for_line("mynah ready").split(" control ")[1].split()[0] for server in [*servers, elsewhere]]
    made = provider(mynah_command)
    done = mynah_command("certs", "revoke", f"{TOPIC}.pem")
    assert done.returncode == FINE, done
    assert [url in done.stdout for url in urls] == [True, True, False]
    for url in urls[:2]:
        assert get(url)["items"][0]["revokedAt"] is not None
        assert get(url)["items"][0]["serialNumber"] == made["serialNumber"]
    assert get(urls[2])["items"] == []


def test_a_server_that_cannot_be_told_is_named(mynah_command: Command, serve: Serve) -> None:
    server = serve("serve", *FREE_PORTS, "--control-token", "secret")
    url = server.wait_for_line("mynah ready").split(" control ")[1].split()[0]
    provider(mynah_command)
    done = mynah_command("certs", "revoke", f"{TOPIC}.pem")
    assert done.returncode == UNAVAILABLE
    assert url in done.stderr and "MYNAH_CONTROL_TOKEN" in done.stderr
    assert mynah_command("certs", "revoke", f"{TOPIC}.pem", MYNAH_CONTROL_TOKEN="secret").returncode == FINE


def test_the_server_that_is_named_is_told_alone(mynah_command: Command, serve: Serve) -> None:
    # Not to be written to, so everything is in memory.
    server = serve("serve", *FREE_PORTS, "--state-dir", "/proc/none")
    url = server.wait_for_line("mynah ready").split(" control ")[1].split()[0]
    issued = post(url, {"topics": [TOPIC]})
    done = mynah_command("certs", "revoke", issued["serialNumber"], "--url", url)
    assert done.returncode == FINE, done
    assert get(url)["items"][0]["revokedAt"] is not None
    unknown = mynah_command("certs", "revoke", "00FF", "--url", url)
    assert unknown.returncode == NOT_FOUND
    assert "00FF" in unknown.stderr


def test_a_certificate_of_another_ca_is_revoked_on_a_named_server(
    mynah_command: Command, serve: Serve, tmp_path: Path, provider_authority: Authority, provider_ca_file: Path
) -> None:
    server = serve("serve", *FREE_PORTS, "--provider-ca", str(provider_ca_file))
    url = server.wait_for_line("mynah ready").split(" control ")[1].split()[0]
    theirs = [provider_authority.issue() for _ in range(2)]
    files = [str(each.write(tmp_path, f"their-{number}")) for number, each in enumerate(theirs)]
    for file, arguments, environment in [(files[0], ["--url", url], {}), (files[1], [], {"MYNAH_URL": url})]:
        done = mynah_command("certs", "revoke", file, *arguments, **environment)
        assert done.returncode == FINE, done
        assert f"updated {url}" in done.stdout
    assert [(each["serialNumber"], each["revokedAt"] is not None) for each in get(url)["items"]] == [
        (each.serial, True) for each in theirs
    ]
    # One in memory has no folder where it would learn of it.
    elsewhere = serve("serve", *FREE_PORTS, "--state-dir", "/proc/none", "--provider-ca", str(provider_ca_file))
    url = elsewhere.wait_for_line("mynah ready").split(" control ")[1].split()[0]
    refused = mynah_command("certs", "revoke", files[0], "--url", url)
    assert refused.returncode == NOT_FOUND
    assert theirs[0].serial in refused.stderr and "no state folder here" in refused.stderr


def get(url: str) -> dict[str, list[dict[str, object]]]:
    """The certificates of a server."""
    return json.loads(subprocess.check_output(["curl", "-s", f"{url}/v1/certificates"]))


def post(url: str, order: dict[str, object]) -> dict[str, str]:
    """A certificate of a server's."""
    return json.loads(subprocess.check_output(["curl", "-s", f"{url}/v1/certificates", "-d", json.dumps(order)]))


# Rounds of key derivation


ROUNDS_FOR_HOURS = 2**31 - 1


def der(tag: int, content: bytes) -> bytes:
    """An element of DER."""
    length = len(content)
    size = b"" if length < 0x80 else length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(size) if size else length]) + size + content


def elements(content: bytes) -> list[tuple[int, bytes]]:
    """The elements in the content of another one."""
    found = []
    while content:
        tag, length, start = content[0], content[1], 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(content[2:start], "big")
        found.append((tag, content[start : start + length]))
        content = content[start + length :]
    return found


def with_rounds(document: bytes, present: int, rounds: int) -> bytes:
    """DER in which a number of rounds is another one, wherever it stands, also in octet strings that are DER."""
    changed = b""
    for tag, content in elements(document):
        if tag == 0x02 and int.from_bytes(content, "big") == present:
            content = rounds.to_bytes(8, "big").lstrip(b"\0")
        elif tag & 0x20 or (tag == 0x04 and content[:1] == b"\x30" and len(content) > 100):
            content = with_rounds(content, present, rounds)
        changed += der(tag, content)
    return changed


def test_a_file_that_asks_for_hours_of_work_is_refused_before_it_is_done(mynah_command: Command, tmp_path: Path) -> None:
    provider(mynah_command)
    pem, key = tmp_path / f"{TOPIC}.pem", tmp_path / f"{TOPIC}-key.pem"
    export = ["openssl", "pkcs12", "-export", "-in", str(pem), "-inkey", str(key), "-passout", "pass:secret"]

    def refused(name: str, document: bytes, rounds: int, *password: str) -> None:
        (tmp_path / name).write_bytes(document)
        done = mynah_command("certs", "list", name, *password)
        assert done.returncode == CONFIGURATION, done
        assert f"{name}: asks for {rounds} rounds" in done.stderr and "expected at most 5000000" in done.stderr, done

    # 1,234 rounds of the MAC, and of the two encrypted parts.
    for number, algorithms in enumerate((["-macalg", "sha1", "-certpbe", "PBE-SHA1-3DES", "-keypbe", "PBE-SHA1-3DES"], [])):
        file = tmp_path / f"whole-{number}.p12"
        subprocess.run([*export, "-iter", "1234", *algorithms, "-out", str(file)], check=True)
        refused(f"{number}.p12", with_rounds(file.read_bytes(), 1234, ROUNDS_FOR_HOURS), 3 * ROUNDS_FOR_HOURS, "--password", "secret")
    subprocess.run([*export, "-iter", "1234", "-nomac", "-out", str(tmp_path / "no-mac.p12")], check=True)
    without = (tmp_path / "no-mac.p12").read_bytes()
    # Without a MAC OpenSSL leaves the certificates open.
    refused("2.p12", with_rounds(without, 1234, ROUNDS_FOR_HOURS), ROUNDS_FOR_HOURS, "--password", "secret")
    # An encrypted key is only tried where it is used.
    subprocess.run(
        ["openssl", "pkcs8", "-topk8", "-in", str(key), "-passout", "pass:secret", "-iter", "1234", "-outform", "DER",
         "-out", str(tmp_path / "key.der")], check=True,
    )  # fmt: skip
    encrypted = base64.encodebytes(with_rounds((tmp_path / "key.der").read_bytes(), 1234, ROUNDS_FOR_HOURS)).decode()
    (tmp_path / "both.pem").write_text(
        f"{pem.read_text()}-----BEGIN ENCRYPTED PRIVATE KEY-----\n{encrypted}-----END ENCRYPTED PRIVATE KEY-----\n"
    )
    with held_port() as port:
        send = ["send", "--to", "00" * 32, "--alert", "hi", "--host", "127.0.0.1", "--port", str(port)]
        done = mynah_command(*send, "--certificate", "both.pem", "--password", "secret")
    assert done.returncode == CONFIGURATION and f"both.pem: asks for {ROUNDS_FOR_HOURS} rounds" in done.stderr, done


# Renewing


def test_the_ca_and_the_server_s_certificate_are_renewed(mynah_command: Command, tmp_path: Path) -> None:
    def made(*flags: str) -> tuple[bytes, bytes]:
        done = mynah_command("certs", "init", *flags)
        assert done.returncode == FINE, done
        return (tmp_path / "certs" / "ca.pem").read_bytes(), (tmp_path / "certs" / "server.pem").read_bytes()

    authority, server = made()
    assert made() == (authority, server)
    renewed = made("--renew")
    assert renewed[0] == authority and renewed[1] != server
    assert made("--renew-ca")[0] != authority
    both = mynah_command("certs", "init", "--renew", "--renew-ca")
    assert both.returncode == USAGE and "give one of them" in both.stderr
