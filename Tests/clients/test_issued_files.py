"""The files that Mynah issues have the form of Apple's and Keychain Access', and many readers take them."""

from __future__ import annotations

import base64
import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

from commandline import CONFIGURATION, FINE, FREE_PORTS, USAGE, Command, Serve
from provider_certificates import DEVELOPMENT, PRODUCTION
from server import Mynah
from text_forms import BOM, forms
from waiting import RUN_SECONDS

TOPIC = "com.example.app"
KEY_TYPES = pytest.mark.parametrize("key_type", ["rsa", "ec"])
MDM = "com.apple.mgmt.External.11111111-2222-3333-4444-555555555555"
PASS, WEBSITE = "pass.com.example.ticket", "web.com.example.shop"
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(arguments), cwd=folder, capture_output=True, text=True, check=False, timeout=RUN_SECONDS)


def provider(command: Command, *arguments: str) -> dict[str, object]:
    """Makes a certificate, and gives what `--json` says of it."""
    done = command("certs", "provider", "--json", "--topic", TOPIC, *arguments)
    assert done.returncode == FINE, done
    made: dict[str, object] = json.loads(done.stdout)
    return made


# PKCS #12


@KEY_TYPES
def test_pkcs12_has_two_bags_as_keychain_access_writes_them(
    mynah_command: Command, tmp_path: Path, key_type: str
) -> None:
    provider(mynah_command, "--key-type", key_type)
    shown = run("openssl", "pkcs12", "-info", "-noout", "-in", f"{TOPIC}.p12", "-passin", "pass:mynah", folder=tmp_path)
    cipher = "pbeWithSHA1And3-KeyTripleDES-CBC, Iteration 2048"
    assert shown.stderr.splitlines() == [
        "MAC: sha1, Iteration 2048",
        "MAC length: 20, salt length: 8",
        f"PKCS7 Encrypted data: {cipher}",
        "Certificate bag",
        "PKCS7 Data",
        f"Shrouded Keybag: {cipher}",
    ], shown


READERS = {
    "node": 'const pfx = require("fs").readFileSync(process.argv[1]); '
    'require("tls").createSecureContext({pfx, passphrase: "mynah"})',
    "ruby": 'require "openssl"; p12 = OpenSSL::PKCS12.new(File.binread(ARGV[0]), "mynah"); '
    "exit(p12.certificate.check_private_key(p12.key) && p12.ca_certs.to_a.empty?)",
}


@KEY_TYPES
@pytest.mark.parametrize("reader", ["openssl", "cryptography", "keytool", *READERS])
def test_pkcs12_is_read_by(mynah_command: Command, tmp_path: Path, reader: str, key_type: str) -> None:
    if reader != "cryptography" and shutil.which(reader) is None:
        pytest.skip(f"{reader} is not installed")
    provider(mynah_command, "--key-type", key_type)
    file = f"{TOPIC}.p12"
    if reader == "cryptography":
        opened = pkcs12.load_pkcs12((tmp_path / file).read_bytes(), b"mynah")
        assert opened.key is not None and opened.cert is not None and opened.additional_certs == []
        return
    if reader == "openssl":
        arguments = ["openssl", "pkcs12", "-in", file, "-nodes", "-passin", "pass:mynah"]
    elif reader == "keytool":
        arguments = ["keytool", "-list", "-storetype", "PKCS12", "-keystore", file, "-storepass", "mynah"]
    else:
        arguments = [reader, "-e", READERS[reader], file]
    done = run(*arguments, folder=tmp_path)
    assert done.returncode == 0, done
    if reader == "keytool":
        assert "PrivateKeyEntry" in done.stdout


def test_by_default_the_key_is_rsa_as_keychain_access_makes_it(mynah_command: Command, tmp_path: Path) -> None:
    provider(mynah_command)
    key = serialization.load_pem_private_key((tmp_path / f"{TOPIC}-key.pem").read_bytes(), None)
    assert isinstance(key, rsa.RSAPrivateKey) and key.key_size == 2048


def test_the_certificates_file_has_one(mynah_command: Command, tmp_path: Path) -> None:
    done = mynah_command("certs", "provider", "--topic", TOPIC, "--key-type", "ec")
    assert len(x509.load_pem_x509_certificates((tmp_path / f"{TOPIC}.pem").read_bytes())) == 1
    # Where the CA is can be read.
    assert str(tmp_path / "certs" / "ca.pem") in done.stdout
    verified = run("openssl", "verify", "-CAfile", "certs/ca.pem", f"{TOPIC}.pem", folder=tmp_path)
    assert verified.returncode == 0, verified


def test_an_rsa_certificate_pushes(mynah: Mynah, mynah_command: Command, tmp_path: Path, token: str) -> None:
    provider(mynah_command, "--url", mynah.control_url)
    push = ["send", "--url", mynah.control_url, "--to", token, "--alert", "hi"]
    pair = ["--certificate", f"{TOPIC}.pem", "--certificate-key", f"{TOPIC}-key.pem"]
    assert mynah_command(*push, *pair).returncode == FINE
    done = mynah_command(*push, "--certificate", f"{TOPIC}.p12", "--password", "mynah")
    assert done.returncode == FINE, done


# Signing keys


def assert_apples_form(pem: str) -> None:
    """PKCS #8 with four elements in its ECPrivateKey, the third of which is the curve."""
    lines = pem.splitlines()
    assert (lines[0], lines[-1]) == ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----")
    text = "".join(lines[1:-1])
    der = base64.b64decode(text)
    assert len(der) == 150
    assert text.startswith("MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQg")
    assert der[68:82].hex() == "a00a06082a8648ce3d030107a144", der.hex()
    key = serialization.load_pem_private_key(pem.encode(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    # The public half is that of the number.
    assert der[-65:] == key.public_key().public_bytes(
        Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def test_every_generated_key_has_the_form_of_apples(mynah: Mynah, mynah_command: Command, tmp_path: Path) -> None:
    assert mynah_command("certs", "init", "--export-dir", "given").returncode == FINE
    assert mynah_command("key", "add", "--url", mynah.control_url, "--out", "news.p8").returncode == FINE
    provider(mynah_command, "--key-type", "ec")
    files = [*tmp_path.glob("*/AuthKey_*.p8"), tmp_path / "news.p8", tmp_path / f"{TOPIC}-key.pem"]
    assert len(files) == 4
    for file in files:
        assert_apples_form(file.read_text())
    assert_apples_form(mynah.control.ask("GET", "/v1/credentials").json()["key"])
    # A key in OpenSSL's form, with three elements, is read as well.
    run("openssl", "pkcs8", "-topk8", "-nocrypt", "-in", "news.p8", "-out", "short.p8", folder=tmp_path)
    short = (tmp_path / "short.p8").read_text().splitlines()[1:-1]
    assert len(base64.b64decode("".join(short))) == 138
    ids = ["--key-id", "ABC123DEFG", "--team-id", "TEAM123456"]
    assert mynah_command("token", "--key", "short.p8", *ids).returncode == FINE


# Requests


def request(key: Key, *, encoding: Encoding = Encoding.PEM) -> bytes:
    """A signing request as a provider makes it, with a subject of its own."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a server")])
    algorithm = None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256()
    return x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, algorithm).public_bytes(encoding)


@pytest.fixture(scope="module")
def rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


@pytest.fixture(scope="module")
def ec_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@KEY_TYPES
@pytest.mark.parametrize("issuer", ["folder", "server"])
def test_a_request_is_signed_for_its_own_key(
    mynah: Mynah,
    mynah_command: Command,
    tmp_path: Path,
    token: str,
    key_type: str,
    issuer: str,
    rsa_key: rsa.RSAPrivateKey,
    ec_key: ec.EllipticCurvePrivateKey,
) -> None:
    key: Key = rsa_key if key_type == "rsa" else ec_key
    (tmp_path / "own.csr").write_bytes(request(key))
    (tmp_path / "own.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    by = ["--url", mynah.control_url] if issuer == "server" else []
    made = provider(mynah_command, "--csr", "own.csr", *by)
    assert (made["files"]["key"], made["files"]["pkcs12"], made["password"]) == (None, None, None)
    assert sorted(file.name for file in tmp_path.glob(f"{TOPIC}*")) == [f"{TOPIC}.pem"]
    leaf = x509.load_pem_x509_certificate((tmp_path / f"{TOPIC}.pem").read_bytes())
    assert leaf.public_key() == key.public_key()
    assert leaf.subject.get_attributes_for_oid(NameOID.USER_ID)[0].value == TOPIC
    assert "a server" not in leaf.subject.rfc4514_string()
    if issuer == "server":
        push = ["send", "--url", mynah.control_url, "--to", token, "--alert", "hi", "--certificate", f"{TOPIC}.pem"]
        done = mynah_command(*push, "--certificate-key", "own.key")
        assert done.returncode == FINE, done
    shown = mynah_command("certs", "provider", "--topic", TOPIC, "--csr", "own.csr", "--name", "again", *by).stdout
    assert "--key KEY.pem" in shown and "PKCS #12" not in shown


def test_requests_are_read_in_all_their_forms(
    mynah_command: Command, tmp_path: Path, ec_key: ec.EllipticCurvePrivateKey
) -> None:
    pem = request(ec_key)
    cases = [
        request(ec_key, encoding=Encoding.DER),
        pem.replace(b" CERTIFICATE REQUEST", b" NEW CERTIFICATE REQUEST"),
        BOM + pem.replace(b"\n", b"\r\n"),
        forms(pem)["spaces for line breaks"],
    ]
    for content in cases:
        (tmp_path / "own.csr").write_bytes(content)
        provider(mynah_command, "--csr", "own.csr", "--force")


def bad_requests(rsa_key: rsa.RSAPrivateKey, ec_key: ec.EllipticCurvePrivateKey) -> dict[str, tuple[bytes, str]]:
    """Requests that can't be signed, and the words for it."""
    good = request(ec_key, encoding=Encoding.DER)
    changed = good.replace(b"a server", b"a sErver")
    unsigned = request(rsa_key, encoding=Encoding.DER)
    # A BIT STRING of zeros in place of the signature.
    unsigned = unsigned[:-256] + bytes(256)

    def pem(der: bytes) -> bytes:
        return b"-----BEGIN CERTIFICATE REQUEST-----\n%b\n-----END CERTIFICATE REQUEST-----\n" % base64.b64encode(der)

    return {
        "empty": (b"", "is empty"),
        "text": (b"hello", "is not PEM"),
        "cut off": (request(ec_key)[:-40], "is cut off"),
        "broken": (pem(good[:-10]), "OpenSSL cannot read"),
        "changed": (pem(changed), "its own key has not signed"),
        "unsigned": (pem(unsigned), "its own key has not signed"),
        "RSA of 1024 bits": (request(rsa.generate_private_key(65537, 1024)), "RSA of 1024 bits: expected RSA of 2048"),
        "P-384": (request(ec.generate_private_key(ec.SECP384R1())), "on the curve secp384r1"),
        "Ed25519": (request(ed25519.Ed25519PrivateKey.generate()), "of type ED25519"),
        "a key": (ec_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), "holds a PRIVATE KEY"),
    }


def test_a_bad_request_is_named_with_its_fault(
    mynah: Mynah,
    mynah_command: Command,
    tmp_path: Path,
    rsa_key: rsa.RSAPrivateKey,
    ec_key: ec.EllipticCurvePrivateKey,
) -> None:
    for name, (content, words) in bad_requests(rsa_key, ec_key).items():
        (tmp_path / "bad.csr").write_bytes(content)
        done = mynah_command("certs", "provider", "--topic", TOPIC, "--csr", "bad.csr")
        assert done.returncode == CONFIGURATION, (name, done)
        assert "--csr: bad.csr" in done.stderr and words in done.stderr, (name, done.stderr)
        if not content:
            continue
        body = {"topics": [TOPIC], "csr": content.decode()}
        answer = mynah.control.ask("POST", "/v1/certificates", body=body)
        assert answer.status == 400 and answer.json()["field"] == "/csr", (name, answer)
        assert words in answer.json()["detail"], (name, answer)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.csr"]
    missing = mynah_command("certs", "provider", "--topic", TOPIC, "--csr", "none.csr")
    assert missing.returncode == CONFIGURATION and "none.csr" in missing.stderr


def test_what_a_request_makes_needless_is_refused(
    mynah: Mynah, mynah_command: Command, tmp_path: Path, ec_key: ec.EllipticCurvePrivateKey
) -> None:
    (tmp_path / "own.csr").write_bytes(request(ec_key))
    for flags in (["--key-type", "ec"], ["--password", "x"]):
        done = mynah_command("certs", "provider", "--topic", TOPIC, "--csr", "own.csr", *flags)
        assert done.returncode == USAGE and "--csr" in done.stderr, done
    wrong = mynah_command("certs", "provider", "--topic", TOPIC, "--key-type", "dsa")
    assert wrong.returncode == USAGE and "rsa or ec" in wrong.stderr, wrong
    csr = request(ec_key).decode()
    for name, value in (("keyType", "rsa"), ("password", "x")):
        answer = mynah.control.ask("POST", "/v1/certificates", body={"topics": [TOPIC], "csr": csr, name: value})
        assert answer.status == 400 and answer.json()["field"] == f"/{name}", answer


# Certificates that are not an app's


@pytest.mark.parametrize(
    ("topic", "name"),
    [(MDM, "APSP:11111111-2222-3333-4444-555555555555"), (PASS, f"Pass Type ID: {PASS}"),
     (WEBSITE, f"Website Push ID: {WEBSITE}")],
)
def test_what_is_not_for_an_app_is_like_apples(
    mynah_command: Command, tmp_path: Path, topic: str, name: str
) -> None:
    made = mynah_command("certs", "provider", "--topic", topic, "--key-type", "ec", "--json")
    assert made.returncode == FINE, made
    assert json.loads(made.stdout)["environment"] == "production"
    leaf = x509.load_pem_x509_certificate((tmp_path / f"{topic}.pem").read_bytes())
    assert leaf.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value == name
    assert leaf.subject.get_attributes_for_oid(NameOID.USER_ID)[0].value == topic
    extensions = {each.oid: each.value for each in leaf.extensions}
    assert PRODUCTION in extensions and DEVELOPMENT not in extensions
    is_pass = topic == PASS
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert ExtendedKeyUsageOID.CLIENT_AUTH in usage
    assert (ObjectIdentifier("1.2.840.113635.100.4.14") in usage) == is_pass
    assert (ObjectIdentifier("1.2.840.113635.100.6.1.16") in extensions) == is_pass
    both = mynah_command("certs", "provider", "--topic", topic, "--environment", "both", "--json", "--name", "both")
    assert json.loads(both.stdout)["environment"] == "both"


def printed(text: str, program: str) -> str:
    """A command that an output shows, in one line."""
    lines = text.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith(f"  {program} "))
    command = []
    for line in lines[first:]:
        command.append(line.strip().removesuffix("\\"))
        if not line.endswith("\\"):
            return " ".join(command)
    raise AssertionError(text)


@pytest.mark.parametrize(
    ("arguments", "push_type"),
    [
        ([TOPIC], "alert"),
        ([TOPIC, "--voip"], "alert"),
        ([f"{TOPIC}.voip"], "voip"),
        ([TOPIC, "--environment", "sandbox"], "alert"),
        ([MDM], "mdm"),
        ([PASS], None),
        ([WEBSITE], "alert"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_the_printed_commands_push(
    mynah_with: Callable[..., Mynah],
    mynah_command: Command,
    serve: Serve,
    tmp_path: Path,
    arguments: list[str],
    push_type: str | None,
) -> None:
    server = serve("serve", *FREE_PORTS, "--ready-file", "ready.json")
    server.wait_for_line("mynah ready")
    done = mynah_command("certs", "provider", "--key-type", "ec", "--topic", *arguments, "--ready-file", "ready.json")
    assert done.returncode == FINE, done
    shown = printed(done.stdout, "curl")
    assert ("apns-push-type" in shown) == (push_type is not None)
    assert push_type is None or f"apns-push-type: {push_type}" in shown
    ran = run("sh", "-c", shown + " -s -o answer -w '%{http_code}'", folder=tmp_path)
    assert ran.stdout == "200", (shown, ran, (tmp_path / "answer").read_text())
    # `mynah send` has no name but the server's, so the server is one of the certificate's environment.
    environment = "production" if arguments[0] in (MDM, PASS, WEBSITE) else "sandbox"
    if environment == "production":
        assert "--environment production" in done.stdout
    other = serve("serve", *FREE_PORTS, "--ready-file", "other.json", "--environment", environment)
    other.wait_for_line("mynah ready")
    words = printed(done.stdout, "mynah").removeprefix("mynah ")
    sent = mynah_command(*shlex.split(words), "--ready-file", "other.json")
    assert sent.returncode == FINE, (words, sent)
