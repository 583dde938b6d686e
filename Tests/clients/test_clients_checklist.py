"""What clients do that the server must survive: every line of the checklist has a test that names its clients.

The clients themselves are run in the other files where they can be had; here their habits are imitated, frame by
frame where it matters. `CHECKLIST` is the list, `covers` says which line a test stands for.
"""

from __future__ import annotations

import json
import signal
import ssl
import time
import uuid
from collections.abc import Callable
from typing import TypeVar

import pytest
from hyperframe.frame import DataFrame, GoAwayFrame, HeadersFrame, RstStreamFrame, SettingsFrame

from cases import all_cases
from conftest import unique_token
from h2client import CANCEL, DEFAULT_BODY, NO_ERROR, PREFACE, REFUSED_STREAM, FrameConnection, connect, trusted
from provider_token import Form
from server import Mynah

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


def test_every_line_of_the_checklist_has_a_test() -> None:
    assert [line for line, tests in COVERED.items() if not tests] == []


# TLS


@covers("TLS without ALPN")
@pytest.mark.parametrize("client", ["aioapns", "apnotic", "rpush", "pushy with setUseAlpn(false)"])
def test_a_client_without_alpn_speaks_http2(mynah: Mynah, token: str, client: str) -> None:
    """aioapns, apnotic, rpush, pushy."""
    with connect(mynah, alpn=None) as connection:
        connection.push(token, further=[("user-agent", client)]).assert_accepted()


@covers("TLS without ALPN")
@pytest.mark.parametrize("client", ["httpx", "kalyke", "AsyncHTTPClient", "undici", "curl"])
def test_a_client_that_would_also_take_http1_gets_h2(mynah: Mynah, token: str, client: str) -> None:
    """httpx, kalyke, AsyncHTTPClient, undici, curl."""
    with connect(mynah, alpn=["h2", "http/1.1"]) as connection:
        assert connection.channel.selected_alpn_protocol() == "h2"
        connection.push(token, further=[("user-agent", client)]).assert_accepted()


@covers("an optional client-certificate")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["TLS1.2", "TLS1.3"])
def test_everyone_answers_the_certificate_request_with_none(mynah: Mynah, token: str, version: ssl.TLSVersion) -> None:
    """Every client that uses provider tokens."""
    context = ssl.create_default_context(cafile=str(mynah.ca_file))
    context.minimum_version = context.maximum_version = version
    with connect(mynah, context=context) as connection:
        connection.push(token).assert_accepted()


# Requests


@covers("no :authority")
def test_aioapns_sends_host_and_no_authority(connection: FrameConnection, token: str) -> None:
    """aioapns."""
    host = [("host", "api.development.push.apple.com")]
    connection.push(token, authority=None, further=host).assert_accepted()


@covers("no :authority")
def test_flexisip_sends_both_host_and_authority(connection: FrameConnection, token: str) -> None:
    """Flexisip."""
    connection.push(
        token, authority="api.push.apple.com:443", further=[("host", "api.push.apple.com:443")]
    ).assert_accepted()
    connection.push(
        token, authority="api.push.apple.com", further=[("host", "api.push.apple.com:443")]
    ).assert_accepted()


@covers("no :authority")
def test_pushy_and_node_apn_send_authority_without_a_port(connection: FrameConnection, token: str) -> None:
    """pushy, node-apn."""
    connection.push(token, authority="localhost").assert_accepted()


@covers("streams opened before the ACK")
def test_node_apn_and_aioapns_open_streams_before_they_know_the_limit(mynah: Mynah) -> None:
    """node-apn, aioapns: preface and fifty pushes in the first write."""
    with connect(mynah, start=False) as connection:
        frames = []
        for _ in range(50):
            stream = connection.new_stream()
            frames.append(connection.headers_frame(stream, connection.push_fields(unique_token())))
            frames.append(DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM"]))
        connection.send_bytes(PREFACE + SettingsFrame(0).serialize() + b"".join(f.serialize() for f in frames))
        for number in range(50):
            connection.reply(1 + 2 * number).assert_accepted()
        assert not connection.goaways


@covers("streams opened before the ACK")
def test_pigeon_goes_over_the_limit_and_is_refused_by_the_stream(connection: FrameConnection, token: str) -> None:
    """pigeon, which opens streams without counting."""
    connection.wait_for_settings()
    first = connection.open(connection.push_fields(token))
    assert connection.reply(connection.start_push(unique_token())).reset_code == REFUSED_STREAM
    connection.send_body(first, DEFAULT_BODY)
    connection.reply(first).assert_accepted()
    assert not connection.goaways


FORMS = {
    "iat as": {
        "most libraries": Form(),
        "PyAPNs2 and pyapns_client": Form(iat="float"),
        "APNSwift": Form(iat="string", newlines=True, claims=(("kid", "ABC123DEFG"),)),
        "kalyke": Form(iat="string", header=(("typ", "JWT"),)),
        "utopia-php": Form().with_claims(exp=int(time.time()) + 3600),
    },
    "standard base64": {
        "dotAPNS and CorePush": Form(base64="standard"),
        "apnotic": Form(signature="der"),
        "pushok": Form(algorithm="ES512"),
    },
    "Bearer": {
        "hapns, a2, action_push_native": Form(scheme="Bearer"),
    },
}


@covers("iat as")
@covers("standard base64")
@covers("Bearer")
@pytest.mark.parametrize(
    "form",
    [form for forms in FORMS.values() for form in forms.values()],
    ids=[client for forms in FORMS.values() for client in forms],
)
def test_a_provider_token_as_a_library_sends_it(mynah: Mynah, token: str, form: Form) -> None:
    """PyAPNs2, pyapns_client, APNSwift, kalyke, utopia-php, dotAPNS, CorePush, apnotic, pushok, hapns, a2."""
    with connect(mynah) as connection:
        connection.push(token, form=form).assert_accepted()


@covers("requests without apns-push-type")
def test_rpush_and_reown_send_no_push_type(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    """rpush, reown push-server."""
    connection.push(token, push_type=None).assert_accepted()
    push = mynah.control.push(token)
    assert push["pushType"] == "alert"
    assert push["warnings"] == ["push type inferred"]


@covers("requests without apns-push-type")
def test_nanomdm_sends_no_apns_header_at_all(connection: FrameConnection, token: str) -> None:
    """nanomdm. It authenticates by a client certificate, which this version does not read yet: so its push is
    refused for want of a provider token, and for nothing else."""
    body = b'{"mdm":"4AE6C1B0-0000-0000-0000-000000000000"}'
    reply = connection.push(token, body, authorization=None, topic=None, push_type=None)
    reply.assert_refused(403, "MissingProviderToken")


@covers("no content-length")
@pytest.mark.parametrize(
    "further",
    [
        [],
        [("content-type", "application/json")],
        [("content-type", "text/plain")],
        [("content-type", "application/json; charset=utf-8"), ("content-length", str(len(DEFAULT_BODY)))],
        [("connection-hint", "keep"), ("x-powered-by", "airnotifier"), ("accept-encoding", "gzip"), ("cookie", "a=b")],
    ],
    ids=["bare", "json", "text (node-apn, apns2 Go, CorePush)", "with length", "stray (airnotifier)"],
)
def test_fields_that_apns_does_not_read(connection: FrameConnection, token: str, further: list) -> None:
    """node-apn, apns2 (Go), CorePush, airnotifier."""
    connection.push(token, further=further).assert_accepted()


@covers("HEADERS with END_STREAM")
def test_node_apn_with_an_empty_payload_ends_the_stream_by_headers(connection: FrameConnection, token: str) -> None:
    """node-apn."""
    connection.push(token, b"").assert_refused(400, "PayloadEmpty")


# Replies


@covers("apns-id in every reply")
@pytest.mark.parametrize(
    "apns_id", [str(uuid.uuid4()), str(uuid.uuid4()).upper(), "40636A2c-C093-493e-936A-2a4333C06deA"]
)
def test_aioapns_and_kalyke_find_their_apns_id_in_every_reply(
    connection: FrameConnection, token: str, apns_id: str
) -> None:
    """aioapns, which waits for ever otherwise; kalyke, which fails."""
    own = [("apns-id", apns_id)]
    requests = [
        {},
        {"authorization": None},
        {"authorization": "bearer nonsense"},
        {"topic": None},
        {"method": "GET"},
        {"path": "/nope"},
        {"path": "/3/device/"},
        {"push_type": "banana"},
        {"body": b""},
        {"body": b"x" * 4097},
    ]
    for options in requests:
        assert connection.push(token, further=own, **options).value("apns-id") == apns_id


@covers("a refusal is HEADERS")
def test_pushy_aioapns_rpush_and_apnswift_can_read_every_refusal(connection: FrameConnection, token: str) -> None:
    """pushy, aioapns, rpush: one DATA with END_STREAM; APNSwift: JSON of at most 1024 bytes."""
    connection.push("zz").assert_refused(400, "BadDeviceToken")
    connection.push(token, authorization=None).assert_refused(403, "MissingProviderToken")
    connection.push(token, path="/nope").assert_refused(404, "BadPath")
    connection.push(token, method="PUT").assert_refused(405, "MethodNotAllowed")
    connection.push(token, b"x" * 4097).assert_refused(413, "PayloadTooLarge")


@covers("a refusal is HEADERS")
def test_node_apn_reads_success_by_the_absence_of_a_body(connection: FrameConnection, token: str) -> None:
    """node-apn."""
    connection.push(token).assert_accepted()


@covers("timestamp is an integer")
def test_apns2_pushy_and_apnswift_find_a_timestamp_with_410_alone(connection: FrameConnection, token: str) -> None:
    """apns2 (Go), pushy, APNSwift, PyAPNs2, pyapns_client. A device can not be unregistered over the wire in this
    version, so the 410s themselves are those of the table, which the rules' own tests play."""
    gone = [case.content["expect"] for case in all_cases() if case.content["expect"]["status"] == 410]
    assert gone and all(type(expect["timestamp"]) is int for expect in gone)
    for options in ({"authorization": None}, {"topic": None}, {"path": "/nope"}):
        assert set(json.loads(connection.push(token, **options).body)) == {"reason"}


# provider-api.md §3, the table's device pushes as they are spelt on the wire.
APPLES_REASONS = set(
    "BadCollapseId BadDeviceToken BadExpirationDate BadMessageId BadPriority BadTopic DeviceTokenNotForTopic "
    "DuplicateHeaders IdleTimeout InvalidPushType MissingDeviceToken MissingTopic PayloadEmpty TopicDisallowed "
    "BadCertificate BadCertificateEnvironment ExpiredProviderToken Forbidden InvalidProviderToken MissingProviderToken "
    "UnrelatedKeyIdInToken BadEnvironmentKeyInToken BadPath MethodNotAllowed ExpiredToken Unregistered PayloadTooLarge "
    "TooManyProviderTokenUpdates TooManyRequests InternalServerError ServiceUnavailable Shutdown".split()
)


@covers("only reasons")
def test_hapns_kalyke_and_corepush_know_every_reason(connection: FrameConnection, token: str) -> None:
    """hapns, kalyke, PyAPNs2, pyapns_client, CorePush fail on a reason that they do not know."""
    odd_values = ["", " ", "x", "-1", "é", "a" * 300, "null", "0x10", "10 ", "%00"]
    names = ["apns-id", "apns-expiration", "apns-priority", "apns-collapse-id", "apns-push-type", "apns-topic"]
    seen = set()
    for name in names:
        for value in odd_values:
            fields = [field for field in connection.push_fields(token) if field[0] != name]
            reply = connection.reply(connection.request([*fields, (name, value.strip())]))
            if reply.body:
                seen.add(reply.reason)
    for path in ("", "/", "zz", "a" * 64, "../device", "%2e", "é", "a/b", token + "?a"):
        seen.add(connection.push(token, path="/3/device/" + path).reason)
    assert seen - {None} and seen - {None} <= APPLES_REASONS
    assert {case.content["expect"].get("reason") for case in all_cases()} - {None} <= APPLES_REASONS


# Connections


@covers("SETTINGS are sent at once")
def test_pushy_waits_for_settings_before_it_sends_a_push(mynah: Mynah, token: str) -> None:
    """pushy waits for them; apnotic sends one by one when there is no limit in them."""
    with connect(mynah) as connection:
        assert 3 in connection.wait_for_settings()
        connection.push(token).assert_accepted()


@covers("a client window")
def test_pigeon_opens_everything_as_wide_as_it_goes(mynah: Mynah, token: str) -> None:
    """pigeon."""
    with connect(mynah, settings={4: 2**31 - 1, 5: 2**24 - 1}) as connection:
        connection.push(token).assert_accepted()
        connection.push("zz").assert_refused(400, "BadDeviceToken")


@covers("PING every second")
@pytest.mark.parametrize("client", ["gorush", "apns2 Go", "node-apn", "pigeon", "apns-h2"])
def test_pings_between_pushes_are_answered_within_a_second(
    connection: FrameConnection, token: str, client: str
) -> None:
    """gorush pings every second; apns2 (Go), node-apn, pigeon and apns-h2 more seldom. The gaps make no difference
    to the server, so they are left out."""
    for number in range(30):
        if number % 10 == 0:
            connection.push(token, further=[("user-agent", client)]).assert_accepted()
        before = time.monotonic()
        connection.ping(number.to_bytes(8, "big"))
        assert time.monotonic() - before < 1
    assert not connection.goaways


@covers("a new connection and token")
def test_kalyke_and_novu_open_a_connection_with_a_new_token_for_each_push(mynah: Mynah, token: str) -> None:
    """kalyke, Novu."""
    for number in range(30):
        with connect(mynah) as connection:
            connection.push(token, form=Form(variant=100 + number)).assert_accepted()
    assert len(mynah.control.pushes(token)) == 30


@covers("a new connection and token")
def test_apns2_npm_and_hapns_hold_32_connections_with_a_stream_each(mynah: Mynah) -> None:
    """apns2 (npm), hapns."""
    connections = [connect(mynah) for _ in range(32)]
    for _ in range(3):
        streams = [connection.start_push(unique_token()) for connection in connections]
        for connection, stream in zip(connections, streams, strict=True):
            connection.reply(stream).assert_accepted()
    for connection in connections:
        connection.close()


@covers("a new connection and token")
def test_apns2_go_opens_a_further_connection_at_the_limit(mynah: Mynah) -> None:
    """apns2 (Go)."""
    with connect(mynah) as first, connect(mynah) as second:
        first.wait_for_settings()
        busy = first.open(first.push_fields(unique_token()))
        second.push(unique_token()).assert_accepted()
        first.send_body(busy, DEFAULT_BODY)
        first.reply(busy).assert_accepted()


@covers("RST_STREAM CANCEL")
def test_node_apn_cancels_after_its_timeout_and_goes_on(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    """node-apn, 5 s."""
    trusted(connection, unique_token())
    stream = connection.new_stream()
    connection.send(
        connection.headers_frame(stream, connection.push_fields(token)),
        DataFrame(stream, data=DEFAULT_BODY, flags=["END_STREAM"]),
        RstStreamFrame(stream, error_code=CANCEL),
    )
    connection.push(unique_token()).assert_accepted()
    assert mynah.control.push(token)["outcome"] in {"delivered", "unanswered"}
    assert not connection.goaways


@covers("connections that end early")
@pytest.mark.parametrize("how", ["goaway", "close_notify", "close", "reset", "unread"])
def test_a_connection_that_ends_early_leaves_its_push_in_the_journal(mynah: Mynah, token: str, how: str) -> None:
    """aioapns after 10 s idle, pushy after a minute, pushok after each batch, Novu after each push."""
    import socket
    import struct

    connection = connect(mynah)
    if how != "unread":
        connection.push(token).assert_accepted()
    match how:
        case "goaway":
            connection.send(GoAwayFrame(0, last_stream_id=0, error_code=NO_ERROR))
            connection.read_until_closed()
        case "close_notify":
            connection.channel.settimeout(2)
            connection.channel.unwrap()
        case "reset":
            connection.channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        case "unread":
            connection.start_push(token)
    connection.close()
    items = mynah.control.get("/v1/notifications", {"token": token, "wait": "5s", "count": 1})["items"]
    assert len(items) == 1
    with connect(mynah) as another:
        another.push(token).assert_accepted()


@covers("after GOAWAY")
def test_pushy_and_node_apn_get_their_replies_after_goaway(own_mynah: Callable[..., Mynah], token: str) -> None:
    """pushy and node-apn lose what is cut off."""
    mynah = own_mynah("--shutdown-grace", "10s")
    with connect(mynah) as connection:
        trusted(connection, token)
        streams = [connection.open(connection.push_fields(unique_token())) for _ in range(100)]
        connection.ping()
        mynah.process.signal(signal.SIGTERM)
        goaway = connection.wait_for_goaway()
        assert goaway.last_stream_id == streams[-1]
        for stream in streams:
            connection.send_body(stream, DEFAULT_BODY)
        for stream in streams:
            connection.reply(stream).assert_accepted()
        connection.read_until_closed()
    assert mynah.process.wait() == 0


@covers("the same push again")
def test_node_apn_repeats_a_push_three_times_at_once(connection: FrameConnection, mynah: Mynah, token: str) -> None:
    """node-apn: four in all, without apns-id, told apart by `attempt`."""
    for _ in range(4):
        connection.push(token).assert_accepted()
    assert [push["attempt"] for push in mynah.control.pushes(token)] == [1, 2, 3, 4]
    connection.push(token, b'{"aps":{"alert":"another"}}').assert_accepted()
    assert mynah.control.pushes(token)[-1]["attempt"] == 1


@covers("the same push again")
def test_rpush_and_sygnal_repeat_a_push_on_a_new_connection(mynah: Mynah, token: str) -> None:
    """rpush after 10 s, Sygnal after 10 and 20 s, within the 30 s in which the journal counts attempts; the pause
    itself makes no difference. With an apns-id it is the id that counts."""
    apns_id = [("apns-id", str(uuid.uuid4()))]
    for _ in range(3):
        with connect(mynah) as connection:
            connection.push(token, further=apns_id).assert_accepted()
    assert [push["attempt"] for push in mynah.control.pushes(token)] == [1, 2, 3]


def test_a_reply_is_never_more_than_two_frames(connection: FrameConnection, token: str) -> None:
    """All of them: whoever counts frames can."""
    accepted = connection.push(token).assert_accepted()
    assert [type(frame) for frame in accepted.frames] == [HeadersFrame]
