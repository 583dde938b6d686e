"""Signing keys with a scope, by the control API, the command and files, on HTTP/2 connections
(`ProviderAPI#Key-scopes`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from commandline import CONFIGURATION, FINE, FREE_PORTS, Command
from conftest import unique_token
from h2client import FrameConnection, connect
from provider_token import SigningKey, authorization
from reply import Reply
from server import Mynah

APP, NEWS, SPORT = "com.example.app", "com.example.news", "com.example.sport"


def made(mynah: Mynah, **wanted: Any) -> SigningKey:
    """A key that the server makes."""
    added = mynah.control.post("/v1/keys", wanted)
    return SigningKey(added["keyId"], added["team"], load_pem_private_key(added["privateKey"].encode(), None))


def given(mynah: Mynah, half: str, **wanted: Any) -> SigningKey:
    """A key of one's own, of which the server gets one half."""
    key = SigningKey.stranger(mynah.team_id)
    text = key.pem() if half == "privateKey" else key.public_pem()
    added = mynah.control.post(
        "/v1/keys", {"keyId": key.key_id, "team": key.team_id, half: text.decode(), **wanted}
    )
    assert added["canSign"] is (half == "privateKey")
    assert "PRIVATE" not in json.dumps(added)
    return key


def push(connection: FrameConnection, key: SigningKey, topic: str, **fields: str) -> Reply:
    return connection.push(unique_token(), authorization=authorization(key), topic=topic, **fields)


@pytest.mark.parametrize("half", [None, "publicKey", "privateKey"])
def test_a_key_is_good_in_its_scope_from_its_answer_on(mynah: Mynah, half: str | None) -> None:
    wanted = {"environment": "sandbox", "topics": [NEWS]}
    key = made(mynah, **wanted) if half is None else given(mynah, half, **wanted)
    with connect(mynah) as connection:
        push(connection, key, NEWS).assert_accepted()
        push(connection, key, f"{NEWS}.voip", push_type="voip").assert_accepted()
        push(connection, key, SPORT).assert_refused(400, "TopicDisallowed")
    with connect(mynah, server_name="api.push.apple.com") as connection:
        push(connection, key, NEWS).assert_refused(403, "BadEnvironmentKeyInToken")
    listed = {item["keyId"]: item for item in mynah.control.get("/v1/keys")["items"]}
    assert (listed[key.key_id]["environment"], listed[key.key_id]["topics"]) == ("sandbox", [NEWS])


def test_the_first_push_binds_the_connection_and_each_violation_has_its_reason(mynah: Mynah) -> None:
    scope = {"environment": "sandbox"}
    news = made(mynah, topics=[NEWS], **scope)
    related = made(mynah, topics=[SPORT], related=news.key_id, **scope)
    unrelated = made(mynah, topics=[APP], **scope)
    elsewhere = made(mynah, topics=[NEWS], environment="production")
    other_team = made(mynah, team="OTHERTEAM1")
    whole_team = made(mynah)
    violations = [
        (unrelated, APP, 403, "UnrelatedKeyIdInToken"),
        (whole_team, NEWS, 403, "UnrelatedKeyIdInToken"),
        (elsewhere, NEWS, 403, "BadEnvironmentKeyInToken"),
        (other_team, NEWS, 403, "InvalidProviderToken"),
        (news, APP, 400, "TopicDisallowed"),
        (related, NEWS, 400, "TopicDisallowed"),
        (replace(news, team_id="OTHERTEAM1"), NEWS, 403, "InvalidProviderToken"),
        (SigningKey.stranger(mynah.team_id), NEWS, 403, "InvalidProviderToken"),
    ]
    for key, topic, status, reason in violations:
        with connect(mynah) as connection:
            push(connection, news, NEWS).assert_accepted()
            push(connection, related, SPORT).assert_accepted()
            push(connection, key, topic).assert_refused(status, reason)
    # A team's key binds too: to the team, and to keys of the whole team.
    with connect(mynah) as connection:
        push(connection, whole_team, NEWS).assert_accepted()
        push(connection, news, NEWS).assert_refused(403, "UnrelatedKeyIdInToken")
        push(connection, other_team, NEWS).assert_refused(403, "InvalidProviderToken")
        push(connection, made(mynah, environment="production"), NEWS).assert_refused(403, "BadEnvironmentKeyInToken")


def test_a_change_of_keys_holds_on_open_connections(mynah: Mynah) -> None:
    key = made(mynah, environment="sandbox", topics=[NEWS, SPORT])
    with connect(mynah) as connection, connect(mynah) as other:
        push(connection, key, NEWS).assert_accepted()
        document = {"environment": "sandbox", "topics": [NEWS, APP]}
        assert mynah.control.ask("PUT", f"/v1/keys/{key.key_id}", body=document).status == 200
        push(connection, key, SPORT).assert_refused(400, "TopicDisallowed")
        # What came meanwhile is for connections that begin now.
        push(connection, key, APP).assert_refused(400, "TopicDisallowed")
        push(other, key, APP).assert_accepted()
        assert mynah.control.ask("DELETE", f"/v1/keys/{key.key_id}").json()["revokedAt"]
        push(connection, key, NEWS).assert_refused(403, "Forbidden")
    with connect(mynah) as connection:
        push(connection, key, NEWS).assert_refused(403, "InvalidProviderToken")


@pytest.mark.parametrize("place", ["--fixtures", "--config"])
def test_keys_of_a_file_are_there_from_the_start(
    own_mynah: Callable[..., Mynah], tmp_path: Path, place: str
) -> None:
    news, sport = (SigningKey.stranger("TEAM123456") for _ in range(2))
    (tmp_path / "news.pem").write_bytes(news.public_pem())
    (tmp_path / "sport.p8").write_bytes(sport.pem())
    (tmp_path / "keys.yaml").write_text(
        f"""
keys:
  - keyId: {news.key_id}
    team: TEAM123456
    publicKeyFile: news.pem
    environment: sandbox
    topics: [{NEWS}]
  - keyId: {sport.key_id}
    team: TEAM123456
    privateKeyFile: sport.p8
    environment: sandbox
    topics: [{SPORT}]
    related: {news.key_id}
"""
    )
    mynah = own_mynah(place, str(tmp_path / "keys.yaml"))
    with connect(mynah) as connection:
        push(connection, news, NEWS).assert_accepted()
        push(connection, sport, SPORT).assert_accepted()
        push(connection, sport, NEWS).assert_refused(400, "TopicDisallowed")
    assert mynah.control.ask("DELETE", f"/v1/keys/{news.key_id}").status == 200
    mynah.control.post("/v1/reset", {"only": ["keys"]})
    with connect(mynah) as connection:
        push(connection, news, NEWS).assert_accepted()


@pytest.mark.parametrize(
    ("field", "content", "words"),
    [
        ("publicKeyFile", None, "there is no file mine.pem"),
        ("publicKeyFile", b"", "mine.pem: "),
        ("publicKeyFile", b"hello", "mine.pem: "),
        ("publicKeyFile", SigningKey.stranger().pem(), "mine.pem: publicKey is a private key"),
        ("privateKeyFile", SigningKey.stranger().public_pem(), "mine.pem: privateKey is a public key"),
        ("privateKeyFile", SigningKey.stranger().pem()[:-40], "mine.pem: "),
    ],
    ids=["none", "empty", "text", "private", "public", "cut off"],
)
def test_a_bad_file_of_a_key_ends_the_start(
    mynah_command: Command, tmp_path: Path, field: str, content: bytes | None, words: str
) -> None:
    if content is not None:
        (tmp_path / "mine.pem").write_bytes(content)
    (tmp_path / "keys.yaml").write_text(f"keys:\n  - keyId: NEWS123456\n    {field}: mine.pem\n")
    for place in ("--fixtures", "--config"):
        done = mynah_command("serve", *FREE_PORTS, place, "keys.yaml")
        assert done.returncode == CONFIGURATION, done
        assert f"keys.yaml:3: /keys/0/{field}: " in done.stderr and words in done.stderr, done


def test_the_commands_make_list_and_revoke_keys(
    own_mynah: Callable[..., Mynah], mynah_command: Command, tmp_path: Path
) -> None:
    mynah = own_mynah()
    at = ["--url", mynah.control_url]
    team = ["--team-id", "TEAM123456"]
    added = mynah_command(
        *["key", "add", "--out", "news.p8", *team, "--environment", "sandbox", "--topic", NEWS, *at]
    )
    assert added.returncode == FINE, added
    key_id = added.stdout.strip()
    key = SigningKey.load(tmp_path / "news.p8", key_id, "TEAM123456")
    with connect(mynah) as connection:
        push(connection, key, NEWS).assert_accepted()
    sent = mynah_command(
        *["send", "--key", "news.p8", "--key-id", key_id, *team, "--topic", APP, "--alert", "hi"],
        *["--to", unique_token(), *at],
    )
    assert "TopicDisallowed" in sent.stdout, sent
    assert key_id in mynah_command("key", "list", *at).stdout
    assert mynah_command("key", "remove", key_id, *at).returncode == FINE
    with connect(mynah) as connection:
        push(connection, key, NEWS).assert_refused(403, "InvalidProviderToken")
