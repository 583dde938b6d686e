"""`--cluster-credentials`: an engine that knows its users by tokens (`RunACluster`, *Settings*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from clusters import Cluster, state
from commandline import CONFIGURATION, FREE_PORTS, Serve
from conftest import unique_token
from engine import Engine
from nats_accounts import Key, Operator, write_credentials


@dataclass
class Guarded:
    """An engine and the accounts that it knows."""

    folder: Path
    engine: Engine
    pushes: Key
    others: Key
    without_jetstream: Key
    unknown: Key

    def credentials(self, name: str, account: Key, signer: Key | None = None) -> str:
        return str(write_credentials(self.folder / f"{name}.creds", account, signer))


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Guarded]:
    operator = Operator()
    accounts = operator.account("pushes"), operator.account("others"), operator.account("bare", has_jetstream=False)
    unknown = operator.account("unknown", is_known=False)
    configuration = operator.write_configuration(tmp_path / "engine.conf")
    engine = Engine(tmp_path / "engine", 1, "--config", str(configuration))
    yield Guarded(tmp_path, engine, *accounts, unknown)
    engine.kill()


@pytest.fixture
def said(guarded: Guarded, serve: Serve) -> Callable[..., str]:
    """What a server says that ends at its start, because the engine is not as it wants it."""

    def run(*flags: str) -> str:
        process = serve("serve", *FREE_PORTS, "--cluster", guarded.engine.url, *flags)
        assert process.wait() == CONFIGURATION
        # What stands before it is the command line.
        return str(process.log()).split("--- stderr")[1]

    return run


def test_users_of_one_account_share_a_cluster(guarded: Guarded) -> None:
    cluster = Cluster(guarded.folder / "cluster", engine=guarded.engine)
    try:
        one, other, elsewhere = (
            cluster.join("--cluster-credentials", guarded.credentials(name, account))
            for name, account in [("one", guarded.pushes), ("other", guarded.pushes), ("elsewhere", guarded.others)]
        )
        token = unique_token()
        with one.connect() as connection:
            connection.push(token).assert_accepted()
        assert other.control.push(token)["status"] == 200
        assert state(one) == state(other)
        # Each account has streams of its own.
        assert elsewhere.control.pushes(token) == []
    finally:
        cluster.end()


def test_a_user_whom_the_engine_does_not_know_is_refused(guarded: Guarded, said: Callable[..., str]) -> None:
    for flags in (
        [],
        ["--cluster-credentials", guarded.credentials("stranger", guarded.unknown)],
        ["--cluster-credentials", guarded.credentials("forged", guarded.pushes, signer=guarded.unknown)],
    ):
        words = said(*flags)
        assert "NATS refuses the credentials" in words
        assert "Check the user and password of the URL, or --cluster-credentials" in words


def test_an_account_without_jetstream_is_said(guarded: Guarded, said: Callable[..., str]) -> None:
    words = said("--cluster-credentials", guarded.credentials("bare", guarded.without_jetstream))
    assert "JetStream not enabled for account" in words


@pytest.mark.parametrize("content", [None, "", "-----BEGIN NATS USER JWT-----\n"], ids=["missing", "empty", "cut"])
def test_a_credentials_file_that_cannot_be_used_is_named(
    guarded: Guarded, said: Callable[..., str], content: str | None
) -> None:
    path = guarded.folder / "bad.creds"
    if content is not None:
        path.write_text(content)
    assert str(path) in said("--cluster-credentials", str(path))
