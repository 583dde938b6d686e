"""Four clients behind one call: what each reports of a push, in words that tests can compare."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol
from kalyke import ApnsClient, ApnsConfig
from kalyke.exceptions import ApnsProviderException

from commands import run
from coroutines import result_of
from devices import TOPIC
from h2client import tls_context
from server import Mynah
from waiting import HANG_SECONDS

# How long a client waits for the answer to the push that a test wants it to give up.
PATIENCE_SECONDS = 1.5

# How often aioapns tries a push whose connection is lost.
ATTEMPTS = 2

PAYLOAD = {"aps": {"alert": "hi"}}

# Pushes one after the other, as one run of a provider sends them, and gives up the one of an index soon; for each what
# the client reports: the status and the reason, or the name of the error.
Client = Callable[[Mynah, list[str], "int | None"], list[str]]


def patience(index: int, given_up: int | None) -> float:
    """How long a client waits for the answer to a push."""
    return PATIENCE_SECONDS if index == given_up else HANG_SECONDS


def told(status: int | str, body: dict[str, Any] | None) -> str:
    """Status, reason and timestamp, what of them there is."""
    words = [status, *(body or {}).values()]
    return " ".join(str(word) for word in words)


def name_of(error: BaseException) -> str:
    """An exception's name; a client's own one by its module, too."""
    module = type(error).__module__.partition(".")[0]
    return type(error).__name__ if module in ("builtins", "asyncio") else f"{module}.{type(error).__name__}"


@contextlib.contextmanager
def replaced(owner: Any, **values: Any) -> Iterator[None]:
    """Class attributes for a while."""
    before = {name: getattr(owner, name) for name in values}
    for name, value in values.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)


def with_aioapns(mynah: Mynah, tokens: list[str], given_up: int | None = None) -> list[str]:
    """One `APNs` with one connection; it has no timeout of its own, so the test's is around it."""

    async def work() -> list[str]:
        provider = APNs(
            key=mynah.key_file.read_text(), key_id=mynah.key_id, team_id=mynah.team_id, topic=TOPIC,
            use_sandbox=True, ssl_context=tls_context(mynah), max_connections=1, max_connection_attempts=ATTEMPTS,
        )  # fmt: skip
        reports = []
        for index, token in enumerate(tokens):
            request = NotificationRequest(device_token=token, message=PAYLOAD)
            try:
                result = await asyncio.wait_for(provider.send_notification(request), patience(index, given_up))
                body = {"reason": result.description, "timestamp": result.timestamp}
                reports.append(told(result.status, {name: value for name, value in body.items() if value}))
            except Exception as error:
                reports.append(name_of(error))
        for connection in provider.pool.connections:
            connection.transport.abort()
        return reports

    with (
        replaced(APNsDevelopmentClientProtocol, APNS_SERVER="localhost"),
        replaced(APNsTLSClientProtocol, APNS_PORT=mynah.port),
    ):
        return result_of(work())


def with_kalyke(mynah: Mynah, tokens: list[str], given_up: int | None = None) -> list[str]:
    """A connection for each push; an error is an exception with the reason's name."""

    class Local(ApnsClient):
        @property
        def _base_url(self) -> str:
            return f"https://localhost:{mynah.port}"

        def _init_client(self, apns_config: ApnsConfig) -> Any:
            client = super()._init_client(apns_config=apns_config)
            # Only for the answer: connecting, reading, sending, and waiting for a connection.
            client.timeout = (HANG_SECONDS, seconds, HANG_SECONDS, HANG_SECONDS)
            return client

    sender = Local(
        use_sandbox=True, team_id=mynah.team_id, auth_key_id=mynah.key_id, auth_key_filepath=mynah.key_file
    )
    reports = []
    before = os.environ.get("SSL_CERT_FILE")
    os.environ["SSL_CERT_FILE"] = str(mynah.ca_file)
    try:
        for index, token in enumerate(tokens):
            seconds = patience(index, given_up)
            try:
                result_of(sender.send_message(token, PAYLOAD, ApnsConfig(topic=TOPIC)))
                reports.append("200")
            except ApnsProviderException as error:
                reports.append(told(name_of(error), error.error))
            except Exception as error:
                reports.append(name_of(error))
    finally:
        if before is None:
            del os.environ["SSL_CERT_FILE"]
        else:
            os.environ["SSL_CERT_FILE"] = before
    return reports


def with_httpx(mynah: Mynah, tokens: list[str], given_up: int | None = None) -> list[str]:
    """One `Client`."""
    fields = {"authorization": mynah.authorization(), "apns-topic": TOPIC, "apns-push-type": "alert"}
    reports = []
    with httpx.Client(http2=True, verify=tls_context(mynah)) as client:
        for index, token in enumerate(tokens):
            # Only for the answer.
            timeout = httpx.Timeout(HANG_SECONDS, read=patience(index, given_up))
            url = f"https://localhost:{mynah.port}/3/device/{token}"
            try:
                reply = client.post(url, headers=fields, json=PAYLOAD, timeout=timeout)
                reports.append(told(reply.status_code, reply.json() if reply.content else None))
            except Exception as error:
                reports.append(name_of(error))
    return reports


def with_curl(mynah: Mynah, tokens: list[str], given_up: int | None = None) -> list[str]:
    """One command for all."""
    words = [
        "--silent", "--http2", "--cacert", str(mynah.ca_file),
        "--header", f"authorization: {mynah.authorization()}", "--header", f"apns-topic: {TOPIC}",
        "--header", "apns-push-type: alert", "--data", '{"aps":{"alert":"hi"}}',
        "--write-out", "\n%{http_code} %{exitcode}\n",
    ]  # fmt: skip
    transfers = [
        [*words, "--max-time", str(patience(index, given_up)), f"https://localhost:{mynah.port}/3/device/{token}"]
        for index, token in enumerate(tokens)
    ]
    done = run("curl", *transfers[0], *(word for transfer in transfers[1:] for word in ("--next", *transfer)))
    reports = []
    for body, status, code in re.findall(r"(.*)\n(\d{3}) (\d+)\n", done.stdout.decode()):
        reports.append(f"exit {code}" if code != "0" else told(status, json.loads(body) if body else None))
    return reports


CLIENTS: dict[str, Client] = {
    "aioapns": with_aioapns,
    "kalyke": with_kalyke,
    "httpx": with_httpx,
    "curl": with_curl,
}
