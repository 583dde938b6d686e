"""`Sources/python` as a package: installed, typed, alone with Python's own library; and what it signs."""

from __future__ import annotations

import ast
import base64
import json
import os
import ssl
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

import mynah as package
from documentation import blocks, file_name
from inner_pytest import PACKAGE
from mynah.signing import sign
from provider_token import SigningKey as OpenSSLKey
from server import Mynah, binary
from waiting import RUN_SECONDS

OLDEST_PYTHON = (3, 9)
MODULES = sorted((PACKAGE / "mynah").rglob("*.py"))


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs this Python, without the test's own search path."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )


def test_it_installs_by_pip_and_brings_its_fixtures(tmp_path: Path) -> None:
    place = tmp_path / "installed"
    # Without isolation pip needs no network, and the build leaves nothing in the sources.
    flags = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--quiet"]
    done = python("-m", "pip", "install", *flags, "--target", str(place), str(PACKAGE), cwd=tmp_path)
    assert done.returncode == 0, done
    assert not [path for path in PACKAGE.rglob("*") if path.name in ("build", "dist") or path.suffix == ".egg-info"]
    assert (place / "mynah" / "py.typed").is_file()
    (points,) = place.glob("mynah_apns-*.dist-info/entry_points.txt")
    assert points.read_text() == "[pytest11]\nmynah.pytest_plugin = mynah.pytest_plugin\n"
    (tmp_path / "test_it.py").write_text("def test_it(mynah):\n    assert mynah.device('a.b').token\n")
    found = {"PYTHONPATH": str(place), "MYNAH_BINARY": str(binary())}
    # Also where somebody names the plugin besides.
    for named in ([], ["-p", "mynah.pytest_plugin"]):
        flags = ["-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", *named]
        done = python("-m", "pytest", *flags, cwd=tmp_path, **found)
        assert done.returncode == 0 and "1 passed" in done.stdout, done


def test_its_wheel_has_the_package_alone(tmp_path: Path) -> None:
    flags = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--quiet"]
    done = python("-m", "pip", "wheel", *flags, "--wheel-dir", str(tmp_path), str(PACKAGE), cwd=tmp_path)
    assert done.returncode == 0, done
    (wheel,) = tmp_path.glob("mynah_apns-*-py3-none-any.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == {str(module.relative_to(PACKAGE)) for module in MODULES} | {"mynah/py.typed"}


def test_its_version_is_the_program_s() -> None:
    told = subprocess.run([str(binary()), "--version"], capture_output=True, text=True, timeout=RUN_SECONDS, check=True)
    assert f'\nversion = "{told.stdout.strip()}"\n' in (PACKAGE / "pyproject.toml").read_text()


def test_it_is_typed(tmp_path: Path) -> None:
    done = python("-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "mynah", cwd=PACKAGE)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(PACKAGE / "mynah")))
def test_it_needs_nothing_but_an_old_python(module: Path) -> None:
    tree = ast.parse(module.read_text(), feature_version=OLDEST_PYTHON)
    # What only type checkers read.
    tree.body = [one for one in tree.body if not (isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING")]
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
    }
    allowed = sys.stdlib_module_names | ({"pytest"} if module.name == "pytest_plugin.py" else set())
    assert imported <= allowed, f"{module.name} imports {imported - allowed}"


def test_importing_it_loads_no_pytest(tmp_path: Path) -> None:
    done = python("-c", "import sys, mynah; print('pytest' in sys.modules)", cwd=tmp_path, PYTHONPATH=str(PACKAGE))
    assert done.stdout == "False\n", done


def test_all_code_of_its_page_is_run() -> None:
    """`test_documentation.py` writes each file and runs the commands."""
    commands = "".join(blocks("UseThePythonPackage", "sh"))
    for text in blocks("UseThePythonPackage", "python"):
        name = file_name(text)
        assert name is not None and (name.startswith("test_") or f"python {name}\n" in commands), text
    assert "python -m pytest -q\n" in commands


# What it signs


@pytest.mark.parametrize("number", range(20))
def test_a_signature_is_good(number: int) -> None:
    stranger = OpenSSLKey.stranger()
    key = package.SigningKey(stranger.key_id, stranger.team_id, stranger.pem().decode())
    header, claims, signature = key.provider_token(1_700_000_000 + number).split(".")
    assert json.loads(decoded(header)) == {"alg": "ES256", "kid": key.key_id}
    assert json.loads(decoded(claims)) == {"iss": key.team_id, "iat": 1_700_000_000 + number}
    verify(stranger.private_key, decoded(signature), f"{header}.{claims}".encode())


@pytest.mark.parametrize("secret", [1, 2, 3, 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550])
def test_the_ends_of_the_range_of_keys(secret: int) -> None:
    signature = sign(secret, b"message")
    verify(ec.derive_private_key(secret, ec.SECP256R1()), signature, b"message")


def test_the_nonce_is_that_of_rfc_6979() -> None:
    # A.2.5, SHA-256, message "sample".
    secret = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
    assert sign(secret, b"sample").hex() == (
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
        "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
    )


def test_another_key_is_told() -> None:
    other = ec.generate_private_key(ec.SECP384R1()), rsa.generate_private_key(65537, 2048)
    for key in other:
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()
        with pytest.raises(ValueError, match="wrong key ABC123DEFG: expected a P-256 key in PKCS #8, PEM"):
            package.SigningKey("ABC123DEFG", "TEAM123456", pem)
    with pytest.raises(ValueError, match="expected a P-256 key"):
        package.SigningKey("ABC123DEFG", "TEAM123456", "nothing")


def test_a_key_does_not_show_itself(mynah: Mynah) -> None:
    assert "PRIVATE" not in repr(mynah.signing_key) and mynah.key_id in repr(mynah.signing_key)


# How it gets at a server


def test_a_running_server_is_found_by_its_address(mynah: Mynah, tmp_path: Path, token: str) -> None:
    with package.RunningServer(mynah.url, tmp_path) as found:
        assert (found.host, found.port) == ("127.0.0.1", mynah.port)
        assert (found.key_id, found.team_id) == (mynah.key_id, mynah.team_id)
        assert found.key_file.read_text() == mynah.key_file.read_text()
        assert found.key_file.stat().st_mode & 0o077 == 0
        headers = {"authorization": f"bearer {found.provider_token()}", "apns-topic": "com.example.app"}
        with httpx.Client(http2=True, verify=found.ssl_context()) as client:
            reply = client.post(f"{found.apns_url}/3/device/{token}", headers=headers, json={"aps": {"alert": "hi"}})
        assert (reply.status_code, reply.http_version) == (200, "HTTP/2")
    assert mynah.process.is_running
    elsewhere = {"MYNAH_URL": mynah.url, "MYNAH_APNS_HOST": "apns.test", "MYNAH_APNS_PORT": "49152"}
    assert package.RunningServer.from_environment(tmp_path, elsewhere).apns_url == "https://apns.test:49152"
    for wrong in ("x", "0", "65536"):
        with pytest.raises(package.MynahError, match=f"invalid MYNAH_APNS_PORT={wrong}: expected a port from 1 to 65535"):
            package.RunningServer.from_environment(tmp_path, {**elsewhere, "MYNAH_APNS_PORT": wrong})


def test_a_link_of_kubernetes_is_no_port(mynah: Mynah, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    linked = {"MYNAH_URL": mynah.url, "MYNAH_APNS_PORT": "tcp://10.0.0.1:2197"}
    assert package.RunningServer.from_environment(tmp_path, linked).port == mynah.port
    assert "ignored MYNAH_APNS_PORT=tcp://10.0.0.1:2197" in caplog.text


def test_a_context_trusts_this_server_alone(mynah: Mynah) -> None:
    assert len(mynah.ssl_context().get_ca_certs()) == 1
    assert mynah.ssl_context().verify_mode == ssl.CERT_REQUIRED


def test_a_token_stays_until_it_gets_old(tmp_path: Path) -> None:
    with package.StartedServer(tmp_path, binary=binary()) as server:
        first = server.provider_token()
        assert server.provider_token() == first
        clock = package.Clock(server.control, None)
        clock.advance("49m")
        assert server.provider_token() == first
        clock.advance("2m")
        assert server.provider_token() != first


def test_a_server_of_its_own_hands_out_no_key_of_its_user_s(tmp_path: Path) -> None:
    key = OpenSSLKey.stranger("OWNTEAM123")
    file = tmp_path / f"AuthKey_{key.key_id}.p8"
    file.write_bytes(key.pem())
    flags = ["--auth-key", str(file), "--team-id", "OWNTEAM123"]
    with package.StartedServer(tmp_path / "server", *flags, binary=binary()) as server:
        assert server.team_id == "OWNTEAM123"
        found = package.RunningServer(server.url, tmp_path / "found")
        with pytest.raises(package.MynahError, match="uses its user's own keys"):
            found.provider_token()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify(key: ec.EllipticCurvePrivateKey, signature: bytes, message: bytes) -> None:
    first, second = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    key.public_key().verify(encode_dss_signature(first, second), message, ec.ECDSA(hashes.SHA256()))
