"""Files and variables as tools write them: what OpenSSL or `cryptography` reads is read, and damage is named truly."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from commandline import CONFIGURATION, FINE, FREE_PORTS, USAGE, Command, Serve
from provider_certificates import Authority, OrderedCertificate
from server import Mynah
from text_forms import BOM, DAMAGE, ONLY_HERE, forms

TEAM = ["--team-id", "TEAM123456", "--key-id", "ABC123DEFG"]


def made_key() -> tuple[ec.EllipticCurvePrivateKey, bytes, bytes]:
    """A key, as PKCS#8 and in the form of SEC 1, both with a slash, which some forms escape."""
    while True:
        key = ec.generate_private_key(ec.SECP256R1())
        p8 = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        sec1 = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
        if b"/" in p8 and b"/" in sec1:
            return key, p8, sec1


KEY, P8, SEC1 = made_key()
PARAMETERS = b"-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
NAMES = list(forms(P8))
CONVERSION = "openssl pkcs8 -topk8 -nocrypt"


def others_read(path: Path) -> bool:
    """Whether OpenSSL's command or `cryptography` reads a key."""
    command = ["openssl", "pkey", "-in", str(path), "-noout", "-passin", "pass:"]
    if subprocess.run(command, capture_output=True, check=False).returncode == 0:
        return True
    try:
        serialization.load_pem_private_key(path.read_bytes(), None)
    except (TypeError, ValueError):
        return False
    return True


@pytest.mark.parametrize("pem", [P8, PARAMETERS + SEC1, SEC1], ids=["PKCS8", "SEC1-after-parameters", "SEC1"])
@pytest.mark.parametrize("name", NAMES)
def test_a_key_is_read_where_others_read_it(mynah_command: Command, tmp_path: Path, name: str, pem: bytes) -> None:
    file = tmp_path / "key.p8"
    parameters = pem.startswith(PARAMETERS)
    # Forms are those of one block.
    file.write_bytes((PARAMETERS if parameters else b"") + forms(pem.removeprefix(PARAMETERS))[name])
    done = mynah_command("token", "--key", "key.p8", *TEAM)
    if parameters and name in DAMAGE:
        assert done.returncode == CONFIGURATION, done
        return
    if others_read(file) or name in ONLY_HERE:
        assert done.returncode == FINE, done
        assert name not in DAMAGE
        return
    assert done.returncode == CONFIGURATION, done
    words, cure = DAMAGE[name]
    assert "key.p8" in done.stderr and words in done.stderr and cure in done.stderr, done.stderr
    assert ("cut off" in done.stderr) == ("cut off" in words)


def test_what_has_to_be_converted_is_told_how(mynah_command: Command, tmp_path: Path) -> None:
    encrypted = serialization.BestAvailableEncryption(b"secret")
    cases = {
        "DER": (KEY.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()), f"{CONVERSION} -inform DER"),
        "encrypted": (KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encrypted), CONVERSION),
        "encrypted SEC 1": (KEY.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, encrypted), CONVERSION),
        "public": (KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), "public key only"),
        "RSA": (
            rsa.generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
            "type RSA",
        ),
    }
    for name, (content, words) in cases.items():
        (tmp_path / "key.p8").write_bytes(content)
        done = mynah_command("token", "--key", "key.p8", *TEAM)
        assert done.returncode == CONFIGURATION and words in done.stderr, (name, done)
        if CONVERSION not in words:
            continue
        # The command does what it says.
        flags = ["-inform", "DER"] if "-inform" in words else []
        converted = ["openssl", "pkcs8", "-topk8", "-nocrypt", *flags, "-in", "key.p8", "-out", "new.p8"]
        subprocess.run([*converted, "-passin", "pass:secret"], cwd=tmp_path, check=True)
        assert mynah_command("token", "--key", "new.p8", *TEAM).returncode == FINE


def run_the_cures(command: Command, folder: Path) -> None:
    """Does what the errors of a key in the file FILE say until it is read; no cure needs more than two steps."""
    for _ in range(3):
        done = command("token", "--key", "FILE", *TEAM)
        if done.returncode == FINE:
            return
        assert done.returncode == CONFIGURATION and done.stderr.count("`") == 2, done
        cure = done.stderr.split("`")[1]
        # In a session of its own, without a terminal, OpenSSL asks standard input for the password.
        subprocess.run(["sh", "-c", cure], cwd=folder, check=True, input=b"secret\n", start_new_session=True)
        (folder / cure.split()[-1]).replace(folder / "FILE")
    raise AssertionError(f"the cures don't cure: {done.stderr}")


@pytest.mark.parametrize("name", [name for name, (_, cure) in DAMAGE.items() if cure.startswith(("awk", "iconv", "base64"))])
def test_the_printed_cure_of_a_damaged_key_cures(mynah_command: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "FILE").write_bytes(forms(P8)[name])
    run_the_cures(mynah_command, tmp_path)


@pytest.mark.parametrize(
    ("encoding", "form", "encryption"),
    [
        (Encoding.DER, PrivateFormat.PKCS8, NoEncryption()),
        (Encoding.PEM, PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"secret")),
        (Encoding.PEM, PrivateFormat.TraditionalOpenSSL, serialization.BestAvailableEncryption(b"secret")),
    ],
    ids=["DER", "encrypted", "encrypted SEC 1"],
)
def test_the_printed_conversion_of_a_key_converts(
    mynah_command: Command, tmp_path: Path, encoding: Encoding, form: PrivateFormat, encryption: Any
) -> None:
    (tmp_path / "FILE").write_bytes(KEY.private_bytes(encoding, form, encryption))
    run_the_cures(mynah_command, tmp_path)


def test_the_printed_commands_for_other_files_do_what_they_say(
    mynah_command: Command, mynah: Mynah, tmp_path: Path
) -> None:
    def cure(*words: str, code: int) -> str:
        done = mynah_command(*words)
        assert done.returncode == code and done.stderr.count("`") == 2, done
        command = done.stderr.split("`")[1]
        subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True, capture_output=True)
        return command

    (tmp_path / "FILE").write_bytes(Authority().certificate.public_bytes(Encoding.DER))
    cure("serve", *FREE_PORTS, "--provider-ca", "FILE", code=CONFIGURATION)
    assert mynah_command("certs", "list", "FILE.pem").returncode == FINE
    (tmp_path / "FILE.csr").write_text("hello")
    request = ["certs", "provider", "--topic", "com.example.app", "--csr", "FILE.csr"]
    cure(*request, code=CONFIGURATION)
    assert mynah_command(*request).returncode == FINE
    (tmp_path / "AuthKey_….p8").write_bytes(P8)
    url = ["--url", mynah.control_url]
    add = ["key", "add", *url, "--team-id", "TEAM123456", "CURED12345", "--public-key"]
    public = cure(*add, "AuthKey_….p8", code=USAGE)
    (tmp_path / "public.pem").write_bytes(
        subprocess.run(["sh", "-c", public], cwd=tmp_path, check=True, capture_output=True).stdout
    )
    assert mynah_command(*add, "public.pem").returncode == FINE
    mynah_command("key", "remove", *url, "CURED12345")


def test_the_printed_command_for_a_key_that_others_can_read_hides_it(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    mynah.stop()
    (mynah.ca_file.parent / "server-key.pem").chmod(0o644)
    warned = own_mynah()
    warning = warned.process.wait_for_error("can be read by other users")
    warned.stop()
    subprocess.run(["sh", "-c", warning.split("`")[1]], check=True)
    quiet = own_mynah()
    quiet.stop()
    assert not any("can be read by other users" in line for line in quiet.process.errors)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in DAMAGE])
def test_keys_and_certificates_of_every_command_are_read(
    mynah_command: Command, tmp_path: Path, provider_authority: Authority, name: str
) -> None:
    identity = provider_authority.issue()
    certificate = identity.certificate.public_bytes(Encoding.PEM)
    for file, pem in {"leaf.pem": certificate, "leaf-key.pem": identity.key_pem(), "ca.pem": provider_authority.pem(),
                      "AuthKey_ABC123DEFG.p8": P8}.items():
        (tmp_path / file).write_bytes(forms(pem)[name])
    described = mynah_command("certs", "list", "--json", "leaf.pem", "leaf-key.pem", "ca.pem", "AuthKey_ABC123DEFG.p8")
    assert described.returncode == FINE, described
    assert [file["kind"] for file in json.loads(described.stdout)["files"]] == ["provider", "key", "authority", "key"]
    # Nothing listens there, but all files are read before that is found out.
    send = ["send", "--to", "00" * 32, "--alert", "hi", "--host", "127.0.0.1", "--port", "1", "--ca-file", "ca.pem"]
    separate = mynah_command(*send, "--certificate", "leaf.pem", "--certificate-key", "leaf-key.pem")
    assert separate.returncode not in (FINE, CONFIGURATION) and "127.0.0.1" in separate.stderr, separate
    (tmp_path / "both.pem").write_bytes(forms(certificate)[name] + b"\n" + forms(identity.key_pem())[name])
    together = mynah_command(*send, "--certificate", "both.pem")
    assert together.returncode == separate.returncode, together


@pytest.mark.parametrize("name", ["BOM and CR LF", "no line breaks", "double quotes"])
def test_a_server_reads_its_files(mynah_command: Command, serve: Serve, tmp_path: Path, name: str) -> None:
    authority = Authority()
    key = forms(P8)[name]
    (tmp_path / "their-ca.pem").write_bytes(forms(authority.pem())[name])
    (tmp_path / "AuthKey_ABC123DEFG.p8").write_bytes(key)
    (tmp_path / "news.p8").write_bytes(forms(SEC1)[name])
    settings = "provider-ca: their-ca.pem\r\nteam-id: TEAM123456\r\nauth-key: AuthKey_ABC123DEFG.p8\r\nkeys:\r\n"
    settings += "  - {keyId: NEWS123456, team: TEAM123456, privateKeyFile: news.p8}\r\n"
    (tmp_path / "mynah.yaml").write_bytes(BOM + settings.encode())
    (tmp_path / "devices.json").write_bytes(
        BOM + b'{"devices": [{"id": "kim", "registrations": [{"topic": "com.example.app"}]}]}\r\n'
    )
    server = serve("serve", *FREE_PORTS, "--fixtures", "devices.json")
    url = server.wait_for_line("mynah ready").split(" control ")[1].split()[0]
    shown = mynah_command("key", "list", "--url", url)
    assert "ABC123DEFG" in shown.stdout and "NEWS123456" in shown.stdout, shown
    identity = authority.issue()
    (tmp_path / "both.pem").write_bytes(identity.pem())
    push = ["send", "--url", url, "--to", "00" * 32, "--alert", "hi"]
    assert mynah_command(*push, "--certificate", "both.pem").returncode == FINE
    assert mynah_command(*push, "--key", "news.p8", "--key-id", "NEWS123456", "--team-id", "TEAM123456", "--topic",
                         "com.example.app").returncode == FINE
    (tmp_path / "expected.yaml").write_bytes(BOM + b"- name: one\r\n  match: {topic: com.example.app}\r\n")
    assert mynah_command("expect", "--url", url, "--file", "expected.yaml").returncode == FINE


ENDINGS = pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\r", b"\nsecond line\n", b"\r\nsecond line\r\n"])
MARKS = pytest.mark.parametrize("mark", [b"", BOM], ids=["plain", "BOM"])


@ENDINGS
@MARKS
def test_a_password_is_the_first_line_of_its_file(
    mynah_command: Command, tmp_path: Path, provider_authority: Authority, ending: bytes, mark: bytes
) -> None:
    provider_authority.issue().write_pkcs12(tmp_path, " pä ss ")
    (tmp_path / "password").write_bytes(mark + " pä ss ".encode() + ending)
    done = mynah_command("certs", "list", "provider.p12", "--password-file", "password")
    assert done.returncode == FINE, done


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", " \r\n\r\n"])
@MARKS
def test_a_control_token_is_read_from_its_file(
    mynah_command: Command, serve: Serve, tmp_path: Path, ending: str, mark: bytes
) -> None:
    (tmp_path / "theirs").write_bytes(mark + b"secret" + ending.encode())
    server = serve("serve", *FREE_PORTS, MYNAH_CONTROL_TOKEN_FILE="theirs")
    url = server.wait_for_line("mynah ready").split(" control ")[1].split()[0]
    for environment in ({"MYNAH_CONTROL_TOKEN_FILE": "theirs"}, {"MYNAH_CONTROL_TOKEN": "secret" + ending}):
        done = mynah_command("device", "list", MYNAH_URL=url + ending, **environment)
        assert done.returncode == FINE, done
    assert mynah_command("device", "list", MYNAH_URL=url).returncode == CONFIGURATION


def test_variables_of_a_file_with_windows_line_ends_count(serve: Serve, tmp_path: Path) -> None:
    # Docker leaves the CR.
    server = serve("serve", "--ready-file", "ready.json", MYNAH_PORT="0\r", MYNAH_CONTROL_PORT="0\r",
                   MYNAH_TEAM_ID="TEAM123456\r", MYNAH_CLEARTEXT_PORT=" \r")
    server.wait_for_line("mynah ready")
    ready = json.loads((tmp_path / "ready.json").read_text())
    assert (ready["teamId"], ready["cleartextPort"]) == ("TEAM123456", None)


def test_a_body_has_no_byte_order_mark(mynah: Mynah, mynah_command: Command, tmp_path: Path, token: str) -> None:
    (tmp_path / "body.json").write_bytes(BOM + b'{"aps":{"alert":"hi"}}\r\n')
    push = ["send", "--url", mynah.control_url, "--to", token, "--topic", "com.example.app"]
    assert mynah_command(*push, "--body", "@body.json").returncode == FINE
    assert mynah.control.push(token)["payload"] == {"aps": {"alert": "hi"}}


@pytest.mark.parametrize(
    "arguments",
    [
        ["certs", "list", "utf16"],
        ["certs", "list", "utf16", "--password-file", "utf16"],
        ["serve", *FREE_PORTS, "--provider-ca", "utf16"],
        ["serve", *FREE_PORTS, "--fixtures", "utf16"],
        ["serve", *FREE_PORTS, "--config", "utf16"],
        ["expect", "--file", "utf16"],
        ["key", "add", "--private-key", "utf16", "--url", "http://127.0.0.1:1"],
        ["certs", "provider", "--topic", "com.example.app", "--csr", "utf16"],
        ["send", "--to", "00" * 32, "--alert", "hi", "--host", "localhost", "--port", "1", "--ca-file", "utf16"],
    ],
    ids=lambda arguments: " ".join(arguments[:2] + arguments[-2:]),
)
def test_utf_16_is_named_with_its_cure(mynah_command: Command, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "utf16").write_bytes("port: 2197\r\n".encode("utf-16"))
    done = mynah_command(*arguments)
    assert done.returncode == CONFIGURATION, done
    assert "UTF-16" in done.stderr and "iconv -f UTF-16 -t UTF-8" in done.stderr, done.stderr


def test_another_encoding_is_named_with_its_line_and_cure(mynah_command: Command, tmp_path: Path) -> None:
    settings = tmp_path / "mynah.yaml"
    settings.write_bytes("# a setting\nlog-level: info # für alle\n".encode("latin-1"))
    done = mynah_command("serve", *FREE_PORTS, "--config", str(settings))
    assert done.returncode == CONFIGURATION and "line 2 has bytes of another encoding" in done.stderr, done
    cure = done.stderr.split("`")[1]
    converted = cure.replace("FILE.new", f"'{settings}.new'").replace("FILE", f"'{settings}'")
    subprocess.run(["bash", "-c", converted], check=True)
    assert "für alle" in Path(f"{settings}.new").read_text(encoding="utf-8")


def test_comments_of_a_key_may_be_in_any_encoding(mynah_command: Command, tmp_path: Path) -> None:
    key = tmp_path / "AuthKey_ABC123DEFG.p8"
    key.write_bytes("friendlyName: Schlüssel\n".encode("latin-1") + P8)
    done = mynah_command("token", "--key", str(key), *TEAM)
    assert done.returncode == FINE, done


def test_a_body_of_the_api_may_have_a_byte_order_mark(mynah: Mynah) -> None:
    answer = mynah.control.ask("POST", "/v1/expectations", body=BOM + b'{"count": {"max": 0}, "within": "0s"}')
    assert answer.status == 200, answer


def test_the_api_reads_keys_of_both_forms(mynah_with: Callable[..., Mynah]) -> None:
    mynah = mynah_with("--seed", "7")
    for index, pem in enumerate([P8, SEC1, BOM + P8, forms(P8)["spaces for line breaks"]]):
        body = {"keyId": f"TEXTFORM0{index}", "privateKey": pem.decode()}
        answer = mynah.control.ask("POST", "/v1/keys", body=body)
        assert answer.status == 201, answer
    answer = mynah.control.ask("POST", "/v1/keys", body={"privateKey": forms(P8)["literal line breaks"].decode()})
    assert answer.status == 400 and "Undo the escapes" in answer.json()["detail"], answer


def test_a_certificate_by_openssls_other_names_is_read(
    mynah_command: Command, tmp_path: Path, provider_authority: Authority
) -> None:
    pem = provider_authority.issue().certificate.public_bytes(Encoding.PEM)
    (tmp_path / "old.pem").write_bytes(pem.replace(b" CERTIFICATE", b" X509 CERTIFICATE"))
    (tmp_path / "leaf.pem").write_bytes(pem)
    trusted = ["openssl", "x509", "-in", "leaf.pem", "-addtrust", "clientAuth", "-trustout", "-out", "trusted.pem"]
    subprocess.run(trusted, cwd=tmp_path, check=True)
    for name in ("old.pem", "trusted.pem"):
        done = mynah_command("certs", "list", "--json", name)
        assert done.returncode == FINE and json.loads(done.stdout)["files"][0]["kind"] == "provider", done


def test_a_provider_token_may_have_line_ends(mynah: Mynah, mynah_command: Command, token: str) -> None:
    issued = mynah_command("token", "--url", mynah.control_url).stdout.strip()
    push = ["send", "--url", mynah.control_url, "--to", token, "--topic", "com.example.app", "--alert", "hi"]
    for ending in ("\n", "\r\n", "\r"):
        assert mynah_command(*push, "--provider-token", issued + ending).returncode == FINE


def test_a_file_with_both_of_mynahs_own(mynah: Mynah, mynah_command: Command, tmp_path: Path, token: str) -> None:
    made = OrderedCertificate(mynah, tmp_path)
    made.both.write_bytes(BOM + made.both.read_bytes().replace(b"\n", b"\r\n"))
    push = ["send", "--url", mynah.control_url, "--to", token, "--alert", "hi", "--certificate", str(made.both)]
    assert mynah_command(*push).returncode == FINE
