"""The keyword arguments of calls, as the OpenAPI document describes them, for type checkers."""

# Made by generate.py: change that, or the document.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union

from . import presets, schemas
from .documents import Duration, Time

if TYPE_CHECKING:
    from typing_extensions import TypeAlias


# A condition on a value of a push.
Condition = TypedDict(
    "Condition",
    {
        "prefix": str,
        "contains": str,
        "regex": str,
        "not": "FilterValue",
        "exists": bool,
        "gte": "Union[int, float, str]",
        "lte": "Union[int, float, str]",
    },
    total=False,
)
# All values but these.
Not = TypedDict("Not", {"not": "Union[Value, Sequence[Value]]"})
NotPart = TypedDict("NotPart", {"not": "Union[ValueOrPart, Sequence[ValueOrPart]]"})
# A part of a text.
Contains = TypedDict("Contains", {"contains": str})
Value: TypeAlias = "Union[str, int, float, bool, Time]"
ValueOrPart: TypeAlias = "Union[Value, Contains]"
# A value, any of several, or a condition.
FilterValue: TypeAlias = "Union[Value, Sequence[FilterValue], Condition]"
# A value, any of several, or all others.
ListFilterValue: TypeAlias = "Union[Value, Sequence[Value], Not]"
# The same of pushes, whose texts can also be found by a part.
PushFilterValue: TypeAlias = "Union[ValueOrPart, Sequence[ValueOrPart], NotPart]"


class Paging(TypedDict, total=False):
    """Keyword arguments of lists: how many items at most, the order, and the beginning, a page's `next_cursor`."""

    limit: int
    order: schemas.Order
    cursor: Optional[str]


class DeviceSettings(TypedDict, total=False):
    """Keyword arguments: members of `DeviceSpecification`."""

    id: Optional[str]
    user: Optional[str]
    name: Optional[str]
    model: Optional[str]
    platform: Optional[schemas.Platform]
    os_version: Optional[str]
    environment: Optional[schemas.Environment]
    locale: Optional[str]
    power: Optional[schemas.Power]
    focus: Optional[schemas.Focus]
    languages: Optional[Sequence[str]]
    locked: Optional[bool]
    muted: Optional[bool]
    watch: Optional[schemas.PairedWatch]
    summary: Optional[schemas.SummarySchedule]
    registrations: Optional[Sequence[schemas.RegistrationSpecification]]
    activities: Optional[Sequence[schemas.LiveActivity]]


class DeviceChanges(TypedDict, total=False):
    """Keyword arguments: members of `DeviceChange`."""

    user: Optional[str]
    name: Optional[str]
    os_version: Optional[str]
    locale: Optional[str]
    online: Optional[bool]
    power: Optional[schemas.Power]
    focus: Optional[schemas.Focus]
    languages: Optional[Sequence[str]]
    locked: Optional[bool]
    muted: Optional[bool]
    watch: Optional[schemas.PairedWatch]
    summary: Optional[schemas.SummarySchedule]


class AppSettings(TypedDict, total=False):
    """Keyword arguments: members of `RegistrationSpecification`."""

    kind: Optional[schemas.RegistrationSpecificationKindName]
    application_server_key: Optional[str]
    environment: Optional[schemas.Environment]
    token: Optional[str]
    launched: Optional[bool]
    entitled: Optional[bool]
    rotate: Optional[schemas.RegistrationSpecificationRotateName]
    background_refresh: Optional[bool]
    worker: Optional[schemas.AppSettingsWorkerName]
    app_state: Optional[schemas.AppState]
    permissions: Optional[schemas.Permissions]
    present_in_foreground: Optional[Sequence[schemas.ForegroundOption]]
    app_name: Optional[str]
    sounds: Optional[Sequence[schemas.Sound]]
    categories: Optional[Sequence[schemas.Category]]
    strings: Optional[dict[str, Union[str, dict[str, str]]]]
    development_language: Optional[str]
    service_extension: Optional[schemas.ServiceExtension]
    focus_filter: Optional[dict[str, Sequence[str]]]
    reports_calls: Optional[bool]
    frequent_updates: Optional[bool]
    background_fetch: Optional[schemas.BackgroundFetch]
    background_modes: Optional[Sequence[schemas.AppSettingsBackgroundModes]]
    state: Optional[schemas.RegistrationState]
    since: Optional[Time]
    ended_at: Optional[Time]
    web_push: Any
    unregistered_at: Optional[Time]


class AppChanges(TypedDict, total=False):
    """Keyword arguments: members of `AppSettings`."""

    background_refresh: Optional[bool]
    worker: Optional[schemas.AppSettingsWorkerName]
    app_state: Optional[schemas.AppState]
    permissions: Optional[schemas.Permissions]
    present_in_foreground: Optional[Sequence[schemas.ForegroundOption]]
    app_name: Optional[str]
    sounds: Optional[Sequence[schemas.Sound]]
    categories: Optional[Sequence[schemas.Category]]
    strings: Optional[dict[str, Union[str, dict[str, str]]]]
    development_language: Optional[str]
    service_extension: Optional[schemas.ServiceExtension]
    focus_filter: Optional[dict[str, Sequence[str]]]
    reports_calls: Optional[bool]
    frequent_updates: Optional[bool]
    background_fetch: Optional[schemas.BackgroundFetch]
    background_modes: Optional[Sequence[schemas.AppSettingsBackgroundModes]]


class ActivitySettings(TypedDict, total=False):
    """Keyword arguments: members of `LiveActivitySpecification`."""

    environment: Optional[schemas.Environment]
    attributes: Optional[dict[str, Any]]
    content_state: Optional[dict[str, Any]]
    stale_date: Optional[Time]
    relevance_score: Optional[float]
    push_type: Optional[
        Union[Literal["token"], schemas.LiveActivitySpecificationPushTypeObject],
    ]


class ActivityChanges(TypedDict, total=False):
    """Keyword arguments: members of `LiveActivityChange`."""

    content_state: Optional[dict[str, Any]]
    stale_date: Optional[Time]
    relevance_score: Optional[float]
    dismissal_date: Optional[Time]


class SubscriptionSettings(TypedDict, total=False):
    """Keyword arguments: members of `SubscriptionSpecification`."""

    topic: Optional[str]
    environment: Optional[schemas.Environment]
    attributes_type: Optional[str]
    attributes: Optional[dict[str, Any]]
    content_state: Optional[dict[str, Any]]
    stale_date: Optional[Time]
    relevance_score: Optional[float]


class ChannelSettings(TypedDict, total=False):
    """Keyword arguments: members of `ChannelSpecification`."""

    id: Optional[str]
    environment: Optional[schemas.Environment]
    message_storage_policy: Optional[int]


class KeySettings(TypedDict, total=False):
    """Keyword arguments: members of `KeySpecification`."""

    key_id: Optional[schemas.KeyID]
    team: Optional[schemas.KeyID]
    public_key: Optional[str]
    private_key: Optional[str]
    environment: Optional[schemas.EnvironmentScope]
    topics: Optional[schemas.KeyTopics]
    related: Optional[str]
    revoked_at: Optional[Time]


class CertificateSettings(TypedDict, total=False):
    """Keyword arguments: members of `CertificateOrder`."""

    voip: Optional[bool]
    complication: Optional[bool]
    environment: Optional[schemas.EnvironmentScope]
    days: Optional[int]
    expired: Optional[bool]
    key_type: Optional[schemas.ProviderKeyType]
    password: Optional[str]
    csr: Optional[str]


class PushSettings(TypedDict, total=False):
    """Keyword arguments: members of `NotificationSpecification`."""

    token: Optional[str]
    channel: Optional[str]
    topic: Optional[str]
    push_type: Optional[str]
    priority: Optional[Union[str, int]]
    expiration: Optional[Union[str, int]]
    collapse_id: Optional[str]
    apns_id: Optional[str]
    payload: Any
    payload_base64: Optional[schemas.Base64]
    environment: Optional[schemas.Environment]
    timeout: Optional[Duration]


class FaultSettings(TypedDict, total=False):
    """Keyword arguments: members of `FaultSpecification`."""

    id: Optional[str]
    name: Optional[str]
    enabled: Optional[bool]
    rule_priority: Optional[int]
    skip: Optional[int]
    times: Optional[int]
    every: Optional[int]
    probability: Optional[float]
    connections: Optional[schemas.FaultConnections]
    keys: Optional[schemas.FaultConnections]
    rate_over: Optional[schemas.FaultRateOver]
    active_from: Optional[Time]
    active_until: Optional[Time]
    then: Optional[schemas.FaultThen]


class FaultChanges(TypedDict, total=False):
    """Keyword arguments: members of `FaultSpecification`."""

    name: Optional[str]
    scope: Optional[str]
    enabled: Optional[bool]
    rule_priority: Optional[int]
    match: schemas.FaultMatch
    skip: Optional[int]
    times: Optional[int]
    every: Optional[int]
    probability: Optional[float]
    connections: Optional[schemas.FaultConnections]
    keys: Optional[schemas.FaultConnections]
    rate_over: Optional[schemas.FaultRateOver]
    active_from: Optional[Time]
    active_until: Optional[Time]
    action: Optional[schemas.FaultAction]
    actions: Optional[Sequence[schemas.FaultAction]]
    then: Optional[schemas.FaultThen]


class FaultOptions(TypedDict, total=False):
    """Keyword arguments: members of `FaultAction`."""

    delay: Optional[Union[Duration, schemas.FaultDelay]]
    clock: Optional[schemas.FaultDelayObjectClockName]
    reason: Optional[presets.Reason]
    timestamp: Optional[int]
    body: Optional[str]
    answer_headers: Optional[dict[str, Optional[str]]]
    deliver: Optional[bool]
    by: Optional[Duration]
    code: Optional[Union[schemas.FaultActionCodeName, int]]
    when: Optional[schemas.FaultActionWhenName]
    debug: Optional[str]
    last_stream_id: Optional[Union[schemas.FaultActionLastStreamIdName, int]]
    two_step: Optional[bool]
    frames: Optional[int]
    close: Optional[schemas.FaultActionCloseName]
    after_pushes: Optional[int]
    max_concurrent_streams: Optional[int]
    initial_window_size: Optional[int]
    header_table_size: Optional[int]
    max_frame_size: Optional[int]
    withhold: Optional[bool]
    alert: Optional[schemas.FaultActionAlertName]
    certificate: Optional[schemas.FaultActionCertificateName]
    stall: Optional[bool]
    slow: Optional[Duration]
    how: Optional[schemas.FaultActionHowName]
    after_bytes: Optional[int]
    after_idle: Optional[Duration]
    bytes_per_second: Optional[int]
    chunk: Optional[int]


class ListFilters(TypedDict, total=False):
    """Keyword arguments: filters of `GET /v1/notifications`."""

    token: PushFilterValue
    device: PushFilterValue
    topic: PushFilterValue
    channel: PushFilterValue
    team: PushFilterValue
    key_id: PushFilterValue
    apns_id: PushFilterValue
    unique_id: PushFilterValue
    collapse_id: PushFilterValue
    push_type: PushFilterValue
    priority: PushFilterValue
    environment: PushFilterValue
    connection: PushFilterValue
    kind: PushFilterValue
    status: PushFilterValue
    reason: PushFilterValue
    outcome: PushFilterValue
    shown: PushFilterValue
    sounded: PushFilterValue
    fault: PushFilterValue
    has: PushFilterValue
    since: PushFilterValue
    until: PushFilterValue
    text: PushFilterValue
    payload: Mapping[str, PushFilterValue]
    screen: Mapping[str, PushFilterValue]
    web_push: Mapping[str, PushFilterValue]


class InboxFilters(TypedDict, total=False):
    """Keyword arguments: filters of `GET /v1/devices/{id}/inbox`."""

    token: PushFilterValue
    device: PushFilterValue
    topic: PushFilterValue
    channel: PushFilterValue
    team: PushFilterValue
    key_id: PushFilterValue
    apns_id: PushFilterValue
    unique_id: PushFilterValue
    collapse_id: PushFilterValue
    push_type: PushFilterValue
    priority: PushFilterValue
    environment: PushFilterValue
    connection: PushFilterValue
    status: PushFilterValue
    reason: PushFilterValue
    outcome: PushFilterValue
    shown: PushFilterValue
    sounded: PushFilterValue
    fault: PushFilterValue
    has: PushFilterValue
    since: PushFilterValue
    until: PushFilterValue
    text: PushFilterValue
    payload: Mapping[str, PushFilterValue]
    screen: Mapping[str, PushFilterValue]
    web_push: Mapping[str, PushFilterValue]


class DeviceFilters(TypedDict, total=False):
    """Keyword arguments: filters of `GET /v1/devices`."""

    device: ListFilterValue
    fleet: ListFilterValue
    topic: ListFilterValue
    token: ListFilterValue
    environment: ListFilterValue
    named: ListFilterValue
    user: ListFilterValue
    platform: ListFilterValue
    online: ListFilterValue
    power: ListFilterValue


class ConnectionFilters(TypedDict, total=False):
    """Keyword arguments: filters of `GET /v1/connections`."""

    environment: ListFilterValue
    team: ListFilterValue
    key_id: ListFilterValue
    connection: ListFilterValue


class FaultListFilters(TypedDict, total=False):
    """Keyword arguments: filters of `GET /v1/faults`."""

    fault: ListFilterValue
    name: ListFilterValue
    enabled: ListFilterValue
    fired: ListFilterValue
    event: ListFilterValue
    action: ListFilterValue


class FaultFilters(TypedDict, total=False):
    """Keyword arguments: members of `FaultMatch`."""

    token: FilterValue
    device: FilterValue
    topic: FilterValue
    channel: FilterValue
    team: FilterValue
    key_id: FilterValue
    apns_id: FilterValue
    collapse_id: FilterValue
    push_type: FilterValue
    priority: FilterValue
    environment: FilterValue
    connection: FilterValue
    kind: FilterValue
    text: FilterValue
    payload: Mapping[str, FilterValue]
    payload_includes: Union[Mapping[str, Any], Sequence[Any]]
    headers: Mapping[str, FilterValue]
    event: schemas.FaultEvent


class Filters(TypedDict, total=False):
    """Keyword arguments: members of `Match`."""

    token: FilterValue
    device: FilterValue
    topic: FilterValue
    channel: FilterValue
    team: FilterValue
    key_id: FilterValue
    apns_id: FilterValue
    unique_id: FilterValue
    collapse_id: FilterValue
    push_type: FilterValue
    priority: FilterValue
    environment: FilterValue
    connection: FilterValue
    kind: FilterValue
    status: FilterValue
    reason: FilterValue
    outcome: FilterValue
    shown: FilterValue
    sounded: FilterValue
    fault: FilterValue
    has: FilterValue
    since: FilterValue
    until: FilterValue
    text: FilterValue
    payload: Mapping[str, FilterValue]
    payload_includes: Union[Mapping[str, Any], Sequence[Any]]
    headers: Mapping[str, FilterValue]
    screen: Mapping[str, FilterValue]
    web_push: Mapping[str, FilterValue]
    q: str


class FaultKeywords(FaultSettings, FaultOptions, FaultFilters, total=False):
    """Keyword arguments of `Mynah.fault`."""


class ServerSettings(TypedDict, total=False):
    """Keyword arguments: the flags of `mynah serve`."""

    host: str
    port: Union[int, str, Sequence[Union[int, str]]]
    channels_port: Union[int, str, Sequence[Union[int, str]]]
    web_push_port: Union[int, str]
    cleartext_port: Union[int, str]
    proxy_port: Union[int, str]
    state_dir: Union[str, Path]
    tls_name: Union[str, Sequence[str]]
    export_dir: Union[str, Path]
    export_host: str
    auth: Literal["strict", "structural"]
    auth_key: Union[str, Path, Sequence[Union[str, Path]]]
    provider_ca: Union[str, Path, Sequence[Union[str, Path]]]
    team_id: str
    team_topics: Union[str, Sequence[str]]
    broadcast_apps: Union[str, Sequence[str]]
    environment: Literal["sandbox", "production"]
    devices: Literal["open", "strict"]
    fixtures: Union[str, Path]
    watch: bool
    magic_tokens: bool
    scenario: Union[str, Path, Sequence[Union[str, Path]]]
    seed: Union[int, str]
    payload_check: Literal["lenient", "strict"]
    push_type_check: Literal["lenient", "strict"]
    error_content_type: bool
    documented_reasons: bool
    stream_limits: str
    idle_timeout: Duration
    request_timeout: Duration
    max_errors: Union[int, str]
    reconnect_limit: str
    request_limit: str
    token_length: str
    issued_token_length: Union[int, str]
    unregister_delay: str
    background_budget: Union[int, str]
    activity_budget: Union[int, str]
    deferral_max: Duration
    token_updates: Literal["connection", "key"]
    retain: Union[int, str]
    retain_bytes: str
    data: Union[str, Path]
    sync: Literal["full", "normal"]
    keep: Literal["journal", "all"]
    leave_out: Union[str, Sequence[str]]
    cluster: Union[str, Sequence[str]]
    cluster_name: str
    cluster_server: str
    cluster_replicas: Union[int, str]
    cluster_ca: Union[str, Path]
    cluster_credentials: Union[str, Path]
    control_port: Union[int, str]
    control_host: str
    control_token: str
    insecure_control: bool
    allowed_host: Union[str, Sequence[str]]
    cors_origin: Union[str, Sequence[str]]
    shutdown_grace: Duration
    log_level: str
    log_format: Literal["text", "json"]
    quiet: bool
    log_pushes: bool


# Those that are flags without a value.
SWITCHES = (
    "watch",
    "documented_reasons",
    "insecure_control",
    "quiet",
)
