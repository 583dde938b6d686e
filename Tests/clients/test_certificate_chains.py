"""What stands between a provider's certificate and its CA, over TLS 1.2 and 1.3 (`ProviderAPI#TLS`,
`ProviderAPI#Certificates`)."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import unique_token
from h2client import FrameConnection, connect
from provider_certificates import Authority, Identity
from server import Mynah

VERSIONS = pytest.mark.parametrize(
    "version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["TLS-1.2", "TLS-1.3"]
)


@pytest.fixture(scope="session")
def authority() -> Authority:
    """The CA at the root."""
    return Authority("Root CA")


@pytest.fixture(scope="session")
def authority_file(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CA's certificate, as `--provider-ca` takes it."""
    return authority.write(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def server(mynah_with: Callable[..., Mynah], authority_file: Path) -> Mynah:
    """A server that believes the CA."""
    return mynah_with("--provider-ca", str(authority_file))


def below(authority: Authority, count: int) -> Identity:
    """A provider's certificate with so many CAs between it and the root."""
    chain = [authority]
    for number in range(count):
        chain.append(Authority(f"Intermediate {number}", chain[-1]))
    return chain[-1].issue(chain=tuple(one.certificate for one in reversed(chain[1:])))


def below_a_provider(authority: Authority) -> Identity:
    """A certificate that another provider's key signed, as if CA:FALSE were nothing."""
    provider = authority.issue("com.example.thief")
    thief = Authority()
    thief.key, thief.name, thief.certificate = provider.key, provider.certificate.subject, provider.certificate
    return thief.issue(chain=(provider.certificate,))


def below_an_expired_ca(authority: Authority) -> Identity:
    """A good certificate of a CA whose time is over."""
    old = Authority("Old CA", authority, days=-1)
    return old.issue(chain=(old.certificate,))


def without_the_middle(authority: Authority) -> Identity:
    """A certificate that does not bring the CA that signed it."""
    return Authority("Intermediate", authority).issue()


def with_strangers(authority: Authority) -> Identity:
    """A certificate with CAs behind it that have nothing to do with it."""
    return authority.issue(chain=(Authority("Stranger").certificate, authority.certificate, authority.certificate))


def of_the_root(authority: Authority) -> Identity:
    """The CA's own certificate."""
    return Identity(authority.certificate, authority.key)


def opened(server: Mynah, identity: Identity, folder: Path, version: ssl.TLSVersion) -> FrameConnection:
    return connect(server, context=identity.context(folder, server.ca_file, version))


@VERSIONS
@pytest.mark.parametrize(
    "make",
    [lambda ca: below(ca, 0), lambda ca: below(ca, 1), lambda ca: below(ca, 3), with_strangers],
    ids=["the root's", "one between", "three between", "strangers beside"],
)
def test_a_good_chain_is_believed(
    server: Mynah, authority: Authority, tmp_path: Path, version: ssl.TLSVersion, make: Callable[[Authority], Identity]
) -> None:
    with opened(server, make(authority), tmp_path, version) as connection:
        connection.push(unique_token(), authorization=None, topic=None).assert_accepted()


@VERSIONS
@pytest.mark.parametrize(
    ("make", "alert", "log"),
    [
        (lambda ca: below(ca, 4), "unknown.ca", "the chain has 5 certificates; at most 4 are allowed"),
        (lambda ca: below(ca, 12), "unknown.ca", "the client sent more than 10 certificates"),
        (below_a_provider, "unknown.ca", "UID=com.example.thief"),
        (below_an_expired_ca, "certificate.expired", "the CA CN=Old CA expired on"),
        (without_the_middle, "unknown.ca", "no known CA signed the certificate of UID=com.example.app"),
        (of_the_root, "unsupported.certificate", "CN=Root CA"),
    ],
    ids=["four between", "twelve between", "a provider's", "of an expired CA", "with a gap", "the CA itself"],
)
def test_a_bad_chain_is_refused_by_its_alert_and_the_log_says_why(
    server: Mynah,
    authority: Authority,
    tmp_path: Path,
    version: ssl.TLSVersion,
    make: Callable[[Authority], Identity],
    alert: str,
    log: str,
) -> None:
    with pytest.raises(ssl.SSLError, match=f"(?i){alert}"):
        with opened(server, make(authority), tmp_path, version) as connection:
            connection.channel.recv(1)
    # The server lives on.
    with connect(server) as connection:
        connection.push(unique_token()).assert_accepted()
    server.process.wait_for_error(log)
