"""What real clients make of the faults that are met most: what each of them reports, and what Mynah saw of it.

Each provider pushes three times to one device: before the fault, into it, and after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from fault_clients import ATTEMPTS, CLIENTS
from faults import device_token, inbox
from server import Mynah
from transport import fault, fired
from waiting import LONGEST_WAIT, SILENCE_SECONDS

Client = pytest.mark.parametrize("client", CLIENTS)

# One that has a connection for each push.
KALYKE = "kalyke"
ACCEPTED = (200, "delivered")
CUT = (None, "unanswered")
# A client that has closed can't be told from one that only sends no more, so the answer waits for its time.
PENDING = (None, "pending")
TIMESTAMP = 1700000000000


def refusal(client: str, status: int, reason: str, *further: object) -> str:
    """A refusal as a client reports it: kalyke by an exception that has the reason's name."""
    return " ".join(map(str, [f"kalyke.{reason}" if client == KALYKE else f"{status} {reason}", *further]))


def journal(mynah: Mynah, token: str, *, stays_pending: bool = False) -> list[tuple[int | None, str]]:
    """What became of each push; of one whose client has gone, as soon as that is known."""
    unanswered = [push for push in mynah.control.pushes(token) if push["outcome"] in ("pending", "unanswered")]
    if unanswered:
        wait = f"{SILENCE_SECONDS:g}s" if stays_pending else LONGEST_WAIT
        query = {"token": token, "outcome": "unanswered", "wait": wait, "count": len(unanswered)}
        mynah.control.get("/v1/notifications", query)
    return [(push["status"], push["outcome"]) for push in mynah.control.pushes(token)]


# Answers


@Client
@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (429, "TooManyRequests"),
        (429, "TooManyProviderTokenUpdates"),
        (403, "ExpiredProviderToken"),
        (500, "InternalServerError"),
    ],
)
def test_a_refusal_is_reported_with_its_reason_and_the_provider_goes_on(
    mynah: Mynah, client: str, status: int, reason: str
) -> None:
    device, token = device_token(mynah)
    action = {"type": "respond", "reason": reason}
    with fault(mynah, action, match={"token": token}, skip=1, times=1) as rule:
        reports = CLIENTS[client](mynah, [token] * 3)
        assert fired(mynah, rule) == 1
    assert reports == ["200", refusal(client, status, reason), "200"]
    before, refused, after = mynah.control.pushes(token)
    assert journal(mynah, token) == [ACCEPTED, (status, "refused"), ACCEPTED]
    assert (before["fault"], refused["fault"], after["fault"]) == (None, rule, None)
    assert refused["reason"] == reason
    assert inbox(mynah, device) == [before["sequence"], after["sequence"]]
    # None of them ends its connection because of a refusal.
    assert client == KALYKE or len({push["connection"] for push in (before, refused, after)}) == 1


@Client
def test_410_comes_with_the_time_since_when_the_token_is_dead(mynah: Mynah, client: str) -> None:
    device, token = device_token(mynah)
    action = {"type": "respond", "reason": "Unregistered", "timestamp": TIMESTAMP}
    with fault(mynah, action, match={"token": token}) as rule:
        reports = CLIENTS[client](mynah, [token] * 2)
        assert fired(mynah, rule) == 2
    assert reports == [refusal(client, 410, "Unregistered", TIMESTAMP)] * 2
    assert journal(mynah, token) == [(410, "refused")] * 2
    assert inbox(mynah, device) == []


@Client
def test_503_twice_and_then_it_works(mynah: Mynah, client: str) -> None:
    device, token = device_token(mynah)
    busy = {"type": "respond", "reason": "ServiceUnavailable"}
    made = mynah.control.post("/v1/faults", {"actions": [busy, busy], "match": {"token": token}})
    reports = CLIENTS[client](mynah, [token] * 3)
    assert reports == [refusal(client, 503, "ServiceUnavailable")] * 2 + ["200"]
    assert journal(mynah, token) == [(503, "refused")] * 2 + [ACCEPTED]
    assert len(inbox(mynah, device)) == 1
    found = mynah.control.get(f"/v1/faults/{made['id']}", {"wait": LONGEST_WAIT, "hits": 2})
    assert (found["timedOut"], found["fired"], found["matched"], found["remaining"]) == (False, 2, 3, 0)


@Client
def test_503_whose_push_arrives_makes_the_retry_a_duplicate(mynah: Mynah, client: str) -> None:
    device, token = device_token(mynah)
    action = {"type": "respond", "reason": "ServiceUnavailable", "deliver": True}
    with fault(mynah, action, match={"token": token}, times=1):
        reports = CLIENTS[client](mynah, [token] * 2)
    assert reports == [refusal(client, 503, "ServiceUnavailable"), "200"]
    assert journal(mynah, token) == [(503, "delivered"), ACCEPTED]
    first, retry = mynah.control.pushes(token)
    assert inbox(mynah, device) == [first["sequence"], retry["sequence"]]
    assert first["payload"] == retry["payload"]


@Client
def test_an_answer_that_is_late_is_an_answer(mynah: Mynah, client: str) -> None:
    device, token = device_token(mynah)
    with fault(mynah, {"type": "pass", "delay": "500ms"}, match={"token": token}, skip=1, times=1):
        reports = CLIENTS[client](mynah, [token] * 3)
    assert reports == ["200"] * 3
    assert journal(mynah, token) == [ACCEPTED] * 3
    assert len(inbox(mynah, device)) == 3


# No answer, or the end of the connection


@dataclass(frozen=True)
class Trouble:
    """A fault that a push meets once, and what comes of that."""

    action: dict[str, Any]
    # By client: what it reports of this push, each possible report where timing decides.
    reports: dict[str, set[str]]
    # What the journal has of this push without a retry.
    first: tuple[int | None, str]
    # Whether the connection is at its end.
    ends_connection: bool = False


TIMEOUTS = {
    "aioapns": {"TimeoutError"},
    "kalyke": {"httpx2.ReadTimeout"},
    "httpx": {"httpx.ReadTimeout"},
    "curl": {"exit 28"},
}
# The error says what the client was doing when it found the connection gone.
BROKEN = {
    name: {f"{name}.{error}" for error in ("ReadError", "WriteError", "RemoteProtocolError")}
    for name in ("httpx", "httpx2")
}

TROUBLES = {
    "stall": Trouble({"type": "stall"}, TIMEOUTS, CUT),
    "a delay beyond the client's patience": Trouble({"type": "pass", "delay": "10m"}, TIMEOUTS, PENDING),
    # aioapns knows no RST_STREAM: it waits for the answer for ever. curl tries again on a connection of its own.
    "RST_STREAM REFUSED_STREAM": Trouble(
        {"type": "resetStream", "code": "REFUSED_STREAM"},
        {
            "aioapns": {"TimeoutError"},
            "kalyke": {"httpx2.RemoteProtocolError"},
            "httpx": {"httpx.RemoteProtocolError"},
            "curl": {"200"},
        },
        CUT,
    ),
    # GOAWAY is read together with the answer, which aioapns and h2, below httpx and kalyke, throw away: so the push
    # that was delivered counts as failed, and whoever repeats it makes a duplicate.
    "GOAWAY Shutdown": Trouble(
        {"type": "goaway", "reason": "Shutdown", "close": "afterStreams"},
        {
            "aioapns": {"200"},
            "kalyke": {"httpx2.LocalProtocolError", "200"},
            "httpx": {"httpx.LocalProtocolError", "200"},
            "curl": {"200"},
        },
        ACCEPTED,
        ends_connection=True,
    ),
    "GOAWAY that leaves the push out": Trouble(
        {"type": "goaway", "lastStreamId": "lower"},
        {
            "aioapns": {"200"},
            "kalyke": {"httpx2.RemoteProtocolError"},
            "httpx": {"httpx.RemoteProtocolError", "200"},
            "curl": {"exit 16"},
        },
        CUT,
        ends_connection=True,
    ),
    # curl tries again, since the connection had worked before.
    "a TCP reset": Trouble(
        {"type": "close", "how": "rst"},
        {"aioapns": {"200"}, "kalyke": BROKEN["httpx2"], "httpx": BROKEN["httpx"], "curl": {"200", "exit 56"}},
        CUT,
        ends_connection=True,
    ),
}


@Client
@pytest.mark.parametrize("name", TROUBLES)
@pytest.mark.measures
def test_a_push_that_meets_trouble(mynah: Mynah, client: str, name: str) -> None:
    trouble = TROUBLES[name]
    device, token = device_token(mynah)
    with fault(mynah, trouble.action, match={"token": token}, skip=1, times=1) as rule:
        # Whoever reports something else than a time-out has time for it.
        given_up = 1 if trouble.reports[client] == TIMEOUTS[client] else None
        reports = CLIENTS[client](mynah, [token] * 3, given_up)
        assert fired(mynah, rule) == 1
    assert reports[0] == reports[2] == "200", reports
    assert reports[1] in trouble.reports[client], reports
    before, met, *rest = mynah.control.pushes(token)
    # curl resets the stream that it gives up; the others close the connection.
    first = CUT if client == "curl" and trouble.first == PENDING else trouble.first
    found = journal(mynah, token, stays_pending=first == PENDING)
    # One more than were asked for is the client's own retry.
    assert found == [ACCEPTED, first] + [ACCEPTED] * len(rest)
    assert [push["fault"] for push in (before, met, *rest)] == [None, rule] + [None] * len(rest)
    assert len(rest) in (1, 2)
    if trouble.first == CUT:
        assert (len(rest) == 2) == (reports[1] == "200"), "a 200 can only be that of a retry"
    assert len(inbox(mynah, device)) == found.count(ACCEPTED)
    if trouble.ends_connection:
        assert all(push["connection"] > met["connection"] for push in rest)
    if client == "aioapns" and len(rest) == 2:
        # It repeats a push with its apns-id, so that the journal counts it as the second attempt.
        assert (rest[0]["apnsId"], rest[0]["attempt"]) == (met["apnsId"], 2)


@pytest.mark.parametrize("name", ["GOAWAY that leaves the push out", "a TCP reset"])
def test_aioapns_gives_up_after_its_attempts(mynah: Mynah, name: str) -> None:
    device, token = device_token(mynah)
    with fault(mynah, TROUBLES[name].action, match={"token": token}) as rule:
        assert CLIENTS["aioapns"](mynah, [token]) == ["aioapns.MaxAttemptsExceeded"]
        assert fired(mynah, rule) == ATTEMPTS
    assert [push["attempt"] for push in mynah.control.pushes(token)] == list(range(1, ATTEMPTS + 1))
    assert journal(mynah, token) == [CUT] * ATTEMPTS
    assert inbox(mynah, device) == []


def test_curl_repeats_a_refused_stream_five_times(mynah: Mynah) -> None:
    device, token = device_token(mynah)
    with fault(mynah, {"type": "resetStream", "code": "REFUSED_STREAM"}, match={"token": token}) as rule:
        assert CLIENTS["curl"](mynah, [token]) == ["exit 56"]
        assert fired(mynah, rule) == 6
    assert journal(mynah, token) == [CUT] * 6
    assert len({push["connection"] for push in mynah.control.pushes(token)}) == 6
    assert inbox(mynah, device) == []


# Certificates


@Client
@pytest.mark.parametrize("certificate", ["expired", "untrusted", "wrongHost"])
def test_a_certificate_that_is_not_to_be_trusted_ends_the_handshake(
    mynah: Mynah, client: str, certificate: str
) -> None:
    device, token = device_token(mynah)
    with fault(mynah, {"type": "tls", "certificate": certificate}) as rule:
        reports = CLIENTS[client](mynah, [token])
        assert fired(mynah, rule) == (ATTEMPTS if client == "aioapns" else 1)
    error = {
        "aioapns": "aioapns.MaxAttemptsExceeded",
        "kalyke": "httpx2.ConnectError",
        "httpx": "httpx.ConnectError",
        "curl": "exit 60",
    }
    assert reports == [error[client]]
    assert mynah.control.pushes(token) == []
    assert inbox(mynah, device) == []
    assert CLIENTS[client](mynah, [token]) == ["200"]
