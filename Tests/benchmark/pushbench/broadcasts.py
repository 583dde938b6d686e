"""Broadcasts to many followers, and how long pushes on other connections wait meanwhile."""

import json
import os
import statistics
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict

from .connections import ANSWER_SECONDS_MAX, BATCH_PUSHES_MAX, Connections, device_paths
from .contestants import Mynah
from .load import CONNECTIONS, TOPIC, headers_of, payload_of, quantile
from .processes import BenchmarkError, ServerProcess, busy_seconds

FOLLOWERS, BROADCASTS = 100_000, 5
# What is wanted of a server with so many followers; printed beside the figures, never asserted.
BROADCAST_TARGET_MILLISECONDS, PUSH_TARGET_MILLISECONDS = 1_000, 10

PAYLOAD = 55
# Far below what a server takes, so that a push waits for the broadcast and not for other pushes.
PUSHES_PER_SECOND = 500
PUSHES_ALONE = 1_000

ACTIVITY_TOPIC = f"{TOPIC}.push-type.liveactivity"
# The device whose activity the others of the fleet get.
FIRST_DEVICE = "first"


class Waits(TypedDict):
    """How long pushes waited for their answers, in milliseconds."""

    pushes: int
    p50: float
    p99: float
    max: float


class Broadcasts(TypedDict):
    """The times of broadcasts until their answers, in milliseconds, and the waits of pushes without and with them."""

    followers: int
    broadcastMilliseconds: list[float]
    alone: Waits
    meanwhile: Waits
    # What other processes took of the processors during the broadcasts: 0 is nothing, 1 everything.
    shareOfOthers: float


def measure_broadcasts(mynah: Mynah, tokens: list[str], followers: int, count: int) -> Broadcasts:
    """Sends broadcasts to that many followers, one after the other, and pushes to the tokens on other connections.

    Raises BenchmarkError unless each broadcast reached every follower and each push was answered with 200.
    """
    with mynah.running() as (process, port):
        channel, device = _create_followers(mynah, followers)
        authorization, *_ = push_headers = headers_of(mynah.provider_token)
        broadcast_headers = [
            authorization, f"apns-channel-id: {channel}", "apns-push-type: liveactivity", "apns-expiration: 0",
        ]
        with (
            Connections(port, 1, broadcast_headers, [f"/4/broadcasts/apps/{TOPIC}"]) as broadcaster,
            Connections(port, CONNECTIONS, push_headers, device_paths(mynah.separator, tokens)) as pushing,
        ):
            # Not measured: the first pushes create their devices.
            pushing.push(len(tokens), payload_of(PAYLOAD), BATCH_PUSHES_MAX)
            alone = _push_until(pushing, lambda sent: sent == PUSHES_ALONE)
            others, began = _seconds_of_others(process), time.perf_counter()
            with ThreadPoolExecutor(max_workers=1) as pool:
                sending = pool.submit(_send_broadcasts, broadcaster, count)
                meanwhile = _push_until(pushing, lambda _: sending.done())
            seconds, last_state = sending.result()
            others = _seconds_of_others(process) - others
            share = others / (time.perf_counter() - began) / (os.cpu_count() or 1)
        _check_reach(mynah, channel, [("delivered", followers)] * count)
        _check_state(mynah, device, last_state)
    return {
        "followers": followers,
        "broadcastMilliseconds": [each * 1000 for each in seconds],
        "alone": alone,
        "meanwhile": meanwhile,
        # The kernel's ticks are coarse: a short time can seem to have less than nothing.
        "shareOfOthers": min(1.0, max(0.0, share)),
    }


def broadcasts_report(measured: Broadcasts) -> str:
    """The figures and the targets as text."""
    times = measured["broadcastMilliseconds"]
    lines = [f"a broadcast to {measured['followers']:,} followers until its answer, of {len(times)}"]
    lines += [
        f"  {what:<10} {milliseconds:>9,.1f} ms"
        for what, milliseconds in [("best", min(times)), ("median", statistics.median(times)), ("worst", max(times))]
    ]
    lines.append(f"  {'target':<10} {BROADCAST_TARGET_MILLISECONDS:>9,.1f} ms")
    lines.append(f"\na push on one of {CONNECTIONS} other connections, {PUSHES_PER_SECOND} per second, in ms")
    lines.append(f"  {'':<10} {'p50':>9} {'p99':>9} {'max':>9} {'pushes':>9}")
    for what, waits in [("alone", measured["alone"]), ("meanwhile", measured["meanwhile"])]:
        lines.append(
            f"  {what:<10} {waits['p50']:>9,.2f} {waits['p99']:>9,.2f} {waits['max']:>9,.2f} {waits['pushes']:>9,}"
        )
    lines.append(f"  {'target':<10} {'':>9} {PUSH_TARGET_MILLISECONDS:>9,.2f}")
    lines.append(f"\nother processes took {measured['shareOfOthers']:.0%} of the processors during the broadcasts")
    return "\n".join(lines)


def _seconds_of_others(process: ServerProcess) -> float:
    """The processor time of all processes but the server and this one."""
    own: float = process.cpu_seconds() + time.process_time()
    return busy_seconds() - own


def _send_broadcasts(broadcaster: Connections, count: int) -> tuple[list[float], dict[str, int]]:
    """Sends broadcasts, each when the one before is answered; their seconds, and the content state of the last one."""
    seconds: list[float] = []
    content_state: dict[str, int] = {}
    # A device ignores an update that is older than what it shows.
    now = int(time.time())
    for number in range(1, count + 1):
        content_state = {"score": number}
        update = {"aps": {"event": "update", "timestamp": now + number, "content-state": content_state}}
        body = json.dumps(update).encode()
        began = time.perf_counter()
        broadcaster.push_one(body)
        seconds.append(time.perf_counter() - began)
    return seconds, content_state


def _push_until(pushing: Connections, is_done: Callable[[int], bool]) -> Waits:
    """Sends pushes at a fixed rate until a question about their number is answered with yes.

    A push that is late because of the one before has waited since it was due; otherwise one long wait would be one
    among many short ones, however many pushes it kept from being sent.
    """
    body = payload_of(PAYLOAD)
    waits: list[float] = []
    start = answered = time.perf_counter()
    while not is_done(len(waits)):
        due = start + len(waits) / PUSHES_PER_SECOND
        if answered < due:
            time.sleep(max(0.0, due - time.perf_counter()))
            # That this process woke late is not the server's doing, nor are the later pushes late because of it.
            overslept = time.perf_counter() - due
            due += overslept
            start += overslept
        pushing.push_one(body)
        answered = time.perf_counter()
        waits.append((answered - due) * 1000)
    if not waits:
        raise BenchmarkError("no push was sent before all broadcasts were answered: one at least was expected")
    waits.sort()
    return {"pushes": len(waits), "p50": quantile(waits, 0.50), "p99": quantile(waits, 0.99), "max": waits[-1]}


def _create_followers(mynah: Mynah, followers: int) -> tuple[str, str]:
    """Creates a channel, and two devices or more that follow it; gives the ids of the channel and of one of them."""
    channel: str = _ask(mynah, "/v1/channels", {"bundleId": TOPIC})["id"]
    registrations = [{"topic": ACTIVITY_TOPIC}]
    _ask(mynah, "/v1/devices", {"id": FIRST_DEVICE, "registrations": registrations})
    start = {
        "topic": ACTIVITY_TOPIC,
        "attributesType": "Game",
        "contentState": {"score": 0},
        "pushType": {"channel": channel},
    }
    _ask(mynah, f"/v1/devices/{FIRST_DEVICE}/activities", start)
    activities = _ask(mynah, f"/v1/devices/{FIRST_DEVICE}/activities")["items"]
    fleet = {"id": "fleet", "count": followers - 1, "registrations": registrations, "activities": activities}
    created = _ask(mynah, "/v1/devices", fleet)["items"]
    return channel, created[-1]["id"]


def _check_reach(mynah: Mynah, channel: str, expected: list[tuple[str, int]]) -> None:
    """Raises BenchmarkError unless the channel's broadcasts had these outcomes and reached so many devices."""
    pushes = _ask(mynah, f"/v1/notifications?{urllib.parse.urlencode({'channel': channel})}")["items"]
    reached = [(push["outcome"], push["devices"]) for push in pushes]
    if reached != expected:
        raise BenchmarkError(f"the broadcasts had the outcomes and devices {reached}: {expected} was expected")


def _check_state(mynah: Mynah, device: str, expected: dict[str, int]) -> None:
    """Raises BenchmarkError unless the device's activity shows that content state."""
    [activity] = _ask(mynah, f"/v1/devices/{device}/activities")["items"]
    if activity["contentState"] != expected:
        raise BenchmarkError(f"{device} shows {activity['contentState']}: {expected} was expected")


def _ask(mynah: Mynah, path: str, document: dict[str, Any] | None = None) -> Any:
    """The answer of the control API to a GET, or to a POST if there is a document."""
    request = urllib.request.Request(mynah.control_url + path)
    if document is not None:
        request.data = json.dumps(document).encode()
        request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS_MAX) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise BenchmarkError(f"{request.get_method()} {path}: {error.code} {error.read().decode()}") from error
