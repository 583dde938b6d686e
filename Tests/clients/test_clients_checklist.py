"""What clients do that the server must survive: TLS, requests and replies.

Every line of `CHECKLIST` has a test that names its clients. The clients themselves are run in the other files where
they can be had; here their habits are imitated, frame by frame where it matters.
"""

from __future__ import annotations

import json
import ssl
import time

import pytest
from hyperframe.frame import DataFrame, HeadersFrame, SettingsFrame

import test_clients_checklist_connections
from cases import all_cases
from checklist import COVERED, covers
from conftest import unique_token
from h2client import DEFAULT_BODY, PREFACE, REFUSED_STREAM, FrameConnection, connect
from provider_token import Form
from server import Mynah


def test_every_line_of_the_checklist_has_a_test() -> None:
    assert test_clients_checklist_connections.__doc__, "its tests have been noted by the import"
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
    "apns_id",
    [
        "9b0f2d9c-0f64-4f4e-8d7a-0c3a3d2f8e11",
        "9B0F2D9C-0F64-4F4E-8D7A-0C3A3D2F8E11",
        "9B0f2d9c-0F64-4f4E-8D7a-0C3a3d2F8e11",
    ],
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


# ProviderAPI#Reasons, the table's device pushes as they are spelt on the wire.
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
    # They send no broadcasts, and whoever asks for the documented spellings gets one that they do not know.
    by_default = [
        case
        for case in all_cases()
        if "documented-reasons" not in case.settings and not case.file.startswith(("broadcast-", "channel-"))
    ]
    assert {case.content["expect"].get("reason") for case in by_default} - {None} <= APPLES_REASONS


def test_a_reply_is_never_more_than_two_frames(connection: FrameConnection, token: str) -> None:
    """All of them: whoever counts frames can."""
    accepted = connection.push(token).assert_accepted()
    assert [type(frame) for frame in accepted.frames] == [HeadersFrame]
