"""The checklist of what clients do that the server must survive, and which tests stand for which of its lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

CHECKLIST = (
    "TLS without ALPN: HTTP/2 all the same; ALPN h2, http/1.1: h2 is chosen",
    "an optional client-certificate request is answered with none",
    "no :authority but host, both, :authority without the port",
    "streams opened before the ACK are served, the excess after it gets REFUSED_STREAM, never GOAWAY",
    "iat as integer, float or numeric string; further claims; JSON with newlines",
    "standard base64 with padding, DER signatures, ES512 over a P-256 key",
    "Bearer as well as bearer",
    "requests without apns-push-type and with no apns-* header at all",
    "no content-length; content-type absent, application/json or text/plain; stray headers",
    "HEADERS with END_STREAM and no body: PayloadEmpty",
    "apns-id in every reply, refusals too, letter for letter as sent",
    "a refusal is HEADERS, then exactly one DATA with END_STREAM; success has no body",
    "timestamp is an integer, and is there with 410",
    "only reasons that Apple uses by default",
    "SETTINGS are sent at once, with a stream limit in them",
    "a client window of 2^31-1 and frame size of 2^24-1",
    "PING every second, answered within one",
    "a new connection and token for each push; 32 connections with one stream each; further ones at the limit",
    "RST_STREAM CANCEL after a client's timeout: the connection lives on",
    "connections that end early, with GOAWAY or without",
    "after GOAWAY, streams up to the last id are finished before the close",
    "the same push again at once, after 10 s, after 10 and 20 s",
)

Test = TypeVar("Test", bound=Callable[..., None])
COVERED: dict[str, list[str]] = {line: [] for line in CHECKLIST}


def covers(line: str) -> Callable[[Test], Test]:
    """Marks a test as one for the line of the checklist that begins so."""
    [whole] = [entry for entry in CHECKLIST if entry.startswith(line)]

    def note(test: Test) -> Test:
        COVERED[whole].append(test.__name__)
        return test

    return note
