"""`mynah exec --intercept` with commands that know no host but Apple's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import FINE, USAGE, Command
from commands import run
from server import REPOSITORY, binary

TOKEN = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"

CURL = (
    f"curl --silent --show-error --fail --suppress-connect-headers --output /dev/null --write-out '%{{http_version}}'"
    f" -H \"authorization: bearer $('{binary()}' token)\" -H 'apns-topic: com.example.app' -H 'apns-push-type: alert'"
    f" -d '{{\"aps\":{{\"alert\":\"hi\"}}}}' https://api.push.apple.com/3/device/{TOKEN}"
)
EXPECT = f"'{binary()}' expect --topic com.example.app --within 180s"

PROVIDER = f"""
import os, sys
sys.path.insert(0, {str(REPOSITORY / "Tests" / "clients")!r})
import httpx
from provider_token import SigningKey, authorization
from pathlib import Path

key = SigningKey.load(Path(os.environ["MYNAH_KEY_FILE"]), os.environ["MYNAH_KEY_ID"], os.environ["MYNAH_TEAM_ID"])
headers = {{"authorization": authorization(key), "apns-topic": "com.example.app", "apns-push-type": "alert"}}
with httpx.Client(http2=True) as client:
    reply = client.post("https://api.sandbox.push.apple.com/3/device/{TOKEN}", headers=headers, json={{"aps": {{}}}})
    assert (reply.status_code, reply.http_version) == (200, "HTTP/2"), reply
    [push] = client.get(os.environ["MYNAH_URL"] + "/v1/notifications").json()["items"]
    assert push["environment"] == "sandbox", push
    # The control API was not asked through the proxy: that would have been refused.
"""


def test_curl(mynah_command: Command) -> None:
    done = mynah_command("exec", "--intercept", "--", "sh", "-c", f"{CURL} && {EXPECT}")
    assert done.returncode == FINE, done
    assert done.stdout.startswith("2")


def test_the_command_may_stand_without_dashes(mynah_command: Command) -> None:
    done = mynah_command("exec", "--intercept", "sh", "-c", f"{CURL} && {EXPECT}")
    assert done.returncode == FINE, done


def test_a_program_of_python(mynah_command: Command, tmp_path: Path) -> None:
    (tmp_path / "provider.py").write_text(PROVIDER)
    done = mynah_command("exec", "--intercept", "--", sys.executable, "provider.py")
    assert done.returncode == FINE, done


@pytest.mark.parametrize(
    "spared", ["apple.com", ".apple.com,example.test", "*", "*.push.apple.com", "api.push.apple.com"]
)
def test_a_no_proxy_that_names_apple_does_not_spoil_it(mynah_command: Command, spared: str) -> None:
    done = mynah_command(
        "exec", "--intercept", "--", "sh", "-c", f"{CURL} && {EXPECT}", NO_PROXY=spared, no_proxy=spared
    )
    assert done.returncode == FINE, done


def test_without_a_state_folder_everything_is_in_a_temporary_one(mynah_command: Command, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    (tmp_path / "file").write_text("no folder")
    script = (
        f"{CURL} && {EXPECT} && ls $TMPDIR/mynah-*/ca.pem $MYNAH_CA_FILE $MYNAH_KEY_FILE $SSL_CERT_FILE"
        " $NODE_EXTRA_CA_CERTS $CURL_CA_BUNDLE $REQUESTS_CA_BUNDLE $DENO_CERT"
    )
    done = mynah_command(
        *["exec", "--intercept", "--state-dir", "file/certs", "--", "sh", "-c", script],
        TMPDIR=str(tmp_path / "temporary"),
    )
    assert done.returncode == FINE, done
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not (tmp_path / "certs").exists()


def test_the_folder_is_removed_when_the_server_does_not_start(mynah_command: Command, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    done = mynah_command(
        *["exec", "--intercept", "--port", "5", "--port", "5", "--", "true"], TMPDIR=str(tmp_path / "temporary")
    )
    assert done.returncode != FINE
    assert list((tmp_path / "temporary").iterdir()) == []


def test_the_bundle_has_the_systems_roots_and_ours(mynah_command: Command) -> None:
    script = "grep -c BEGIN $SSL_CERT_FILE; grep -c BEGIN $MYNAH_CA_FILE; cmp $NODE_EXTRA_CA_CERTS $MYNAH_CA_FILE"
    chosen_by_nobody = {
        name: ""
        for name in ("SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "DENO_CERT")
    }
    done = mynah_command("exec", "--intercept", "--", "sh", "-c", script, **chosen_by_nobody)
    assert done.returncode == FINE, done
    bundle, ours = map(int, done.stdout.split())
    assert ours == 1
    roots = Path("/etc/ssl/certs/ca-certificates.crt")
    assert bundle == 1 + (roots.read_text().count("BEGIN CERT") if roots.exists() else 0)


def test_other_hosts_are_where_they_always_are(mynah_command: Command, tmp_path: Path) -> None:
    """A server with a certificate of somebody else's, whom the caller trusts by a variable of their own."""
    made = run(
        *["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=other"],
        *["-addext", "subjectAltName=IP:127.0.0.2", "-keyout", "other-key.pem", "-out", "other.pem"],
        cwd=tmp_path,
    )
    assert made.returncode == 0, made.stderr
    (tmp_path / "page").write_text("from elsewhere")
    server = subprocess.Popen(
        ["openssl", "s_server", "-accept", "127.0.0.2:0", "-cert", "other.pem", "-key", "other-key.pem", "-WWW"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert server.stdout is not None
        port = next(line.rsplit(":", 1)[1] for line in server.stdout if line.startswith("ACCEPT")).strip()
        get = ["curl", "--silent", "--show-error", "--fail", f"https://127.0.0.2:{port}/page"]
        flags = ["--intercept", "--log-level", "debug"]
        done = mynah_command("exec", *flags, "--", *get, SSL_CERT_FILE=str(tmp_path / "other.pem"))
    finally:
        server.kill()
        server.wait()
    assert (done.returncode, done.stdout) == (FINE, "from elsewhere"), done
    assert f"the proxy tunnels to 127.0.0.2:{port}" in done.stderr


def test_a_proxy_that_is_turned_off_is_a_contradiction(mynah_command: Command) -> None:
    done = mynah_command("exec", "--intercept", "--proxy-port", "off", "--", "true")
    assert done.returncode == USAGE and "--proxy-port" in done.stderr


def test_without_the_flag_nothing_is_intercepted(mynah_command: Command) -> None:
    script = "import os; print([os.environ.get(name) for name in ('HTTPS_PROXY', 'SSL_CERT_FILE')])"
    kept = {name: os.environ.get(name, "") for name in ("HTTPS_PROXY", "SSL_CERT_FILE")}
    done = mynah_command("exec", "--", sys.executable, "-c", script, **kept)
    assert done.stdout.strip() == str([kept["HTTPS_PROXY"], kept["SSL_CERT_FILE"]])
