"""The members of the package's dataclasses, as the OpenAPI document describes them."""

# Made by generate.py: change that, or the document.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Optional

from . import schemas


@dataclass(frozen=True)
class DeviceMembers:
    """The members of `Device`."""

    # The device's ID.
    id: str
    # The device's scope; null if it belongs to none.
    scope: Optional[str]
    # The label of its owner's devices, by which they are listed, changed and removed together; null for none.
    user: Optional[str]
    # The name that its user sees.
    name: str
    # The product, such as iPhone 17.
    model: str
    # The platform, which determines what the device can show.
    platform: schemas.Platform
    # The system's version, such as 26.1.
    os_version: str
    # The environment of apps that name none; by default the server's.
    environment: schemas.Environment
    # The language, a tag of BCP 47 such as en-GB.
    locale: str
    # Whether it has a network.
    online: bool
    # Its power: low is Low Power Mode, which defers some pushes; asleep has the screen off.
    power: schemas.Power
    # The active Focus; null for none.
    focus: Optional[schemas.Focus]
    # The language tags (BCP 47) of the user's preferred languages, in order, by which an app's strings are chosen;
    # without one, the locale's.
    languages: Sequence[str]
    # Whether it is locked.
    locked: bool
    # Whether only critical sounds are heard.
    muted: bool
    # The Apple Watch that is paired with an iPhone; null for none.
    watch: Optional[schemas.PairedWatch]
    # The scheduled summary of an iPhone or iPad; null for none.
    summary: Optional[schemas.SummarySchedule]
    # Pushes stored while it is offline.
    stored: int
    # Pushes that its state or a budget holds back.
    deferred: int


@dataclass(frozen=True)
class RegistrationMembers:
    """The members of `Registration`."""

    # The app's topic: its bundle ID, with a suffix for some push types.
    topic: str
    # Whether it is an app or a web app.
    kind: schemas.RegistrationSpecificationKindName
    # The device token, in lower-case digits, or what the endpoint of a web app ends in; null while it has none.
    token: Optional[str]
    # The key that a web app has subscribed with; null for any other app.
    application_server_key: Optional[str]
    # The subscription of a web app, as a browser prints it; null for any other app, while it has none, and on a server
    # without --web-push-port.
    web_push: Optional[schemas.WebPushSubscription]
    # The environment in which the token is valid.
    environment: schemas.Environment
    # Whether the token is valid, and if not, why.
    state: schemas.RegistrationState
    # When the token was issued, or the app installed while it has none.
    since: datetime
    # When the app was removed or needed another token; null for none.
    ended_at: Optional[datetime]
    # When APNs notices that: the timestamp of its 410; null for none.
    unregistered_at: Optional[datetime]
    # Whether the user lets it refresh in the background.
    background_refresh: bool
    # What the service worker of a web app does with a push that declares no notification.
    worker: schemas.AppSettingsWorkerName
    # Whether the app runs, and where.
    app_state: schemas.AppState
    # What the user lets its notifications do.
    permissions: schemas.RegistrationPermissions
    # What of a notification appears while the app is in the foreground.
    present_in_foreground: Sequence[schemas.ForegroundOption]
    # The name under its icon and above its notifications; null for one derived from its topic.
    app_name: Optional[str]
    # The sound files in its bundle.
    sounds: Sequence[schemas.Sound]
    # The categories of notifications that it has registered.
    categories: Sequence[schemas.Category]
    # For each language the text of a strings file, or an object of strings.
    strings: Mapping[str, str]
    # The language of its strings when no other fits.
    development_language: str
    # Its notification service extension, by what that does to a payload; null for none.
    service_extension: Optional[schemas.ServiceExtension]
    # For each Focus the filter-criteria that pass; null for none.
    focus_filter: Optional[Mapping[str, Sequence[str]]]
    # Whether the app reports a call for each VoIP push.
    reports_calls: bool
    # Whether the app's NSSupportsLiveActivitiesFrequentUpdates lifts the activity budget.
    frequent_updates: bool
    # How the app answers when it is woken.
    background_fetch: schemas.BackgroundFetch
    # The app's UIBackgroundModes: content-available wakes it only with remote-notification.
    background_modes: Sequence[str]


@dataclass(frozen=True)
class NotificationMembers:
    """The members of `Notification`."""

    # Orders everything that happens on the server; never decreases. Pushes to one device are numbered in the order in
    # which they were accepted for it, except for a push whose answer a fault delays: it has the number of its arrival,
    # and is accepted when the delay is over. When one of two pushes replaces the other, the one with the higher number
    # stays.
    sequence: int
    # The push's apns-id.
    apns_id: str
    # Whether it went to a device token, to a channel, or to a web app's subscription.
    kind: schemas.NotificationKind
    # How many pushes have had this apns-id, if the sender gave it; otherwise 1.
    attempt: int
    # The latest push in the journal with the same token and body, at most 30 s earlier by the server's clock. It need
    # not be a retry: an app may send the same text twice.
    repeats: Optional[int]
    # The answer's apns-unique-id.
    unique_id: Optional[str]
    # When the push arrived, by the server's clock.
    received_at: datetime
    # The environment of APNs.
    environment: schemas.Environment
    # The number of the connection.
    connection: int
    # The number of the HTTP/2 stream.
    stream: int
    # The device token, lower-case hexadecimal digits.
    token: Optional[str]
    # The device's ID.
    device: Optional[str]
    # The device's scope; null if it belongs to none.
    scope: Optional[str]
    # The topic (apns-topic); of a broadcast, the app's bundle ID.
    topic: Optional[str]
    # The ID of the broadcast channel (apns-channel-id).
    channel: Optional[str]
    # How many devices a broadcast went to.
    devices: Optional[int]
    # The push's apns-push-type.
    push_type: Optional[str]
    # The push's apns-priority.
    priority: Optional[int]
    # The push's apns-collapse-id.
    collapse_id: Optional[str]
    # The HTTP method, if it is not POST.
    method: Optional[str]
    # The path of the request, if it names no device token.
    path: Optional[str]
    # The body's own bytes if it is JSON, else null; of a web push, what its browser decrypts.
    payload: Any
    # The body if it is not JSON, up to the limit of its push type.
    payload_base64: Optional[str]
    # What only a web push has.
    web_push: Optional[schemas.NotificationWebPush]
    # Bytes of the body. If it is too large: content-length, or without that field what had arrived.
    payload_size: int
    # The HTTP status of the answer.
    status: Optional[int]
    # APNs' reason of a refusal.
    reason: Optional[str]
    # Milliseconds since 1970, with 410.
    timestamp: Optional[int]
    # The ID of the fault rule that acted.
    fault: Optional[str]
    # What became of the push.
    outcome: schemas.NotificationOutcome
    # Whether the user saw it.
    shown: bool
    # Whether the user heard it, with an alert or without.
    sounded: bool
