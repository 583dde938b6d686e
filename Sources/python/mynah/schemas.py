"""The JSON of the control API, as its OpenAPI document describes it, for type checkers."""

# Made by generate.py: change that, or the document.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Required, TypeAlias


# The version of the program that has it.
VERSION = "0.1.0"

Duration: TypeAlias = "str"
KeyID: TypeAlias = "str"
KeyTopics: TypeAlias = "list[str]"
Base64: TypeAlias = "str"
FaultDelay: TypeAlias = "Union[Duration, FaultDelayObject]"
FaultDelayObjectClockName: TypeAlias = "Literal['wall', 'virtual']"
Matcher: TypeAlias = "Optional[Union[str, float, bool, MatcherOperator, list[SingleMatcher]]]"
SingleMatcher: TypeAlias = "Optional[Union[str, float, bool, MatcherOperator]]"
FaultSpecifications: TypeAlias = "Union[FaultSpecification, FaultSpecificationList]"
FaultRateOverByName: TypeAlias = "Literal['token', 'topic', 'connection', 'all']"
FaultThen: TypeAlias = "Literal['pass', 'repeat', 'last']"
Scope: TypeAlias = "str"
InboxKind: TypeAlias = (
    "Literal['alert', 'background', 'location', 'voip', 'complication', 'fileprovider', 'mdm', 'liveactivity', "
    "'pushtotalk', 'widgets', 'controls', 'pass']"
)
EventChange: TypeAlias = "Literal['created', 'changed', 'removed', 'fired', 'opened', 'closed', 'failed']"
Environment: TypeAlias = "Literal['sandbox', 'production']"
EnvironmentScope: TypeAlias = "Literal['sandbox', 'production', 'both']"
Platform: TypeAlias = "Literal['iOS', 'iPadOS', 'macOS', 'watchOS', 'tvOS', 'visionOS']"
Power: TypeAlias = "Literal['normal', 'low', 'asleep']"
ClockMode: TypeAlias = "Literal['real', 'offset', 'frozen']"
ProviderKeyType: TypeAlias = "Literal['rsa', 'ec']"
FaultEvent: TypeAlias = "Literal['accept', 'handshake', 'request']"
RegistrationState: TypeAlias = (
    "Literal['active', 'unregistered', 'expired', 'notLaunched', 'waitingForNetwork']"
)
WakeResult: TypeAlias = "Literal['newData', 'noData', 'failed']"
Order: TypeAlias = "Literal['asc', 'desc']"
DeviceSort: TypeAlias = "Literal['id', 'lastPush']"
CredentialKind: TypeAlias = "Literal['token', 'certificate']"
AddedDevices: TypeAlias = "Union[Device, DevicePage]"
ActionReport: TypeAlias = "Optional[AppResponse]"
FaultSpecificationList: TypeAlias = "list[FaultSpecification]"
AddedFaults: TypeAlias = "Union[Fault, FaultPage]"
OpenAPI: TypeAlias = "dict[str, Any]"
AppSettingsWorkerName: TypeAlias = "Literal['shows', 'silent', 'none']"
AppSettingsBackgroundModes: TypeAlias = "Literal['remote-notification']"
RegistrationSpecificationKindName: TypeAlias = "Literal['app', 'web']"
RegistrationSpecificationRotateName: TypeAlias = "Literal['reinstall', 'restore', 'osReinstall']"
LiveActivityChangeStateName: TypeAlias = "Literal['ended']"
FaultActionType: TypeAlias = (
    "Literal['pass', 'respond', 'stall', 'lose', 'deliverLate', 'duplicate', 'resetStream', 'goaway', 'settings', "
    "'withholdWindow', 'ignorePing', 'truncate', 'malformedFrame', 'oversizedFrame', 'tls', 'close', 'throttle', "
    "'refuse']"
)
FaultActionCodeName: TypeAlias = (
    "Literal['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', "
    "'STREAM_CLOSED', 'FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', "
    "'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED']"
)
FaultActionWhenName: TypeAlias = "Literal['beforeHeaders', 'afterHeaders', 'duringHandshake', 'afterHandshake']"
FaultActionLastStreamIdName: TypeAlias = "Literal['processed', 'lower']"
FaultActionCloseName: TypeAlias = "Literal['afterStreams', 'now', 'never']"
FaultActionAlertName: TypeAlias = (
    "Literal['close_notify', 'unexpected_message', 'bad_record_mac', 'record_overflow', 'handshake_failure', "
    "'bad_certificate', 'unsupported_certificate', 'certificate_revoked', 'certificate_expired', "
    "'certificate_unknown', 'illegal_parameter', 'unknown_ca', 'access_denied', 'decode_error', 'decrypt_error', "
    "'protocol_version', 'insufficient_security', 'internal_error', 'inappropriate_fallback', 'user_canceled', "
    "'missing_extension', 'unsupported_extension', 'unrecognized_name', 'bad_certificate_status_response', "
    "'unknown_psk_identity', 'certificate_required', 'no_application_protocol']"
)
FaultActionCertificateName: TypeAlias = "Literal['expired', 'wrongHost', 'untrusted']"
FaultActionHowName: TypeAlias = "Literal['fin', 'rst', 'halfOpen']"
ResetOnly: TypeAlias = (
    "Literal['notifications', 'devices', 'channels', 'faults', 'clock', 'keys', 'connections']"
)
AppState: TypeAlias = "Literal['foreground', 'background', 'suspended', 'forceQuit']"
PermissionsAuthorizationName: TypeAlias = "Literal['authorized', 'denied', 'notDetermined', 'provisional', 'ephemeral']"
PermissionsAlertStyleName: TypeAlias = "Literal['none', 'banner', 'alert']"
PermissionsShowPreviewsName: TypeAlias = "Literal['always', 'whenUnlocked', 'never']"
ForegroundOption: TypeAlias = "Literal['banner', 'list', 'sound', 'badge']"
Sound: TypeAlias = "Union[str, SoundObject]"
Focus: TypeAlias = "Union[str, FocusObject]"
NotificationKind: TypeAlias = "Literal['push', 'broadcast', 'webPush']"
NotificationWebPushRefusalsEvidence: TypeAlias = "Literal['documented', 'observed', 'inferred']"
NotificationOutcome: TypeAlias = (
    "Literal['pending', 'stored', 'deferred', 'delivered', 'coalesced', 'discarded', 'expired', 'refused', 'lost', "
    "'unanswered']"
)
LiveActivityState: TypeAlias = "Literal['active', 'stale', 'ended', 'dismissed']"
LiveActivityHistoryEvent: TypeAlias = "Literal['start', 'update', 'end']"
ScreenNotificationInterruptionLevel: TypeAlias = "Literal['passive', 'active', 'time-sensitive', 'critical']"
ScreenNotificationMutableContent: TypeAlias = "Literal['none', 'modified', 'timedOut']"
ScreenNotificationAlertStyleName: TypeAlias = "Literal['banner', 'alert']"
WakeState: TypeAlias = "Literal['running', 'finished', 'stopped']"
ConnectionTlsName: TypeAlias = "Literal['TLSv1.2', 'TLSv1.3']"
FailedHandshakeCause: TypeAlias = (
    "Literal['serverNotTrusted', 'notTLS', 'noHTTP2', 'tlsVersion', 'clientCertificate', 'hungUp', 'timedOut', "
    "'fault', 'other']"
)
ProbeStatus: TypeAlias = "Literal['starting', 'ready', 'unavailable', 'stopping']"
StatusName: TypeAlias = "Literal['mynah']"
ProblemType: TypeAlias = (
    "Literal['urn:mynah:problem:unknown-parameter', 'urn:mynah:problem:invalid-parameter', "
    "'urn:mynah:problem:unknown-field', 'urn:mynah:problem:invalid-field', 'urn:mynah:problem:malformed-json', "
    "'urn:mynah:problem:malformed-request', 'urn:mynah:problem:unauthorized', 'urn:mynah:problem:forbidden', "
    "'urn:mynah:problem:not-found', 'urn:mynah:problem:method-not-allowed', 'urn:mynah:problem:conflict', "
    "'urn:mynah:problem:evicted', 'urn:mynah:problem:too-large', 'urn:mynah:problem:long-query', "
    "'urn:mynah:problem:long-head', 'urn:mynah:problem:unavailable', 'urn:mynah:problem:internal-error']"
)
ListChannelsEnvironment: TypeAlias = "Literal['sandbox', 'production']"
StreamEventsEvent: TypeAlias = (
    "Literal['notification', 'outcome', 'device', 'activity', 'channel', 'fault', 'connection', 'clock', 'reset']"
)


class FaultDelayObject(TypedDict, total=False):
    """`FaultDelayObject` of the API."""

    uniform: Optional[list[Duration]]
    normal: Optional[list[Duration]]
    clock: Optional[FaultDelayObjectClockName]


class Match(TypedDict, total=False):
    """`Match` of the API."""

    token: Matcher
    device: Matcher
    scope: Matcher
    topic: Matcher
    channel: Matcher
    team: Matcher
    keyId: Matcher
    apnsId: Matcher
    uniqueId: Matcher
    collapseId: Matcher
    pushType: Matcher
    priority: Matcher
    environment: Matcher
    connection: Matcher
    kind: Matcher
    status: Matcher
    reason: Matcher
    outcome: Matcher
    shown: Matcher
    sounded: Matcher
    fault: Matcher
    has: Matcher
    since: Matcher
    until: Matcher
    text: Matcher
    payload: dict[str, Matcher]
    payloadIncludes: Union[dict[str, Any], list[Any]]
    headers: dict[str, Matcher]
    screen: dict[str, Matcher]
    webPush: dict[str, Matcher]
    q: str


class FaultMatch(TypedDict, total=False):
    """`FaultMatch` of the API."""

    token: Matcher
    device: Matcher
    scope: Matcher
    topic: Matcher
    channel: Matcher
    team: Matcher
    keyId: Matcher
    apnsId: Matcher
    collapseId: Matcher
    pushType: Matcher
    priority: Matcher
    environment: Matcher
    connection: Matcher
    kind: Matcher
    text: Matcher
    payload: dict[str, Matcher]
    payloadIncludes: Union[dict[str, Any], list[Any]]
    headers: dict[str, Matcher]
    event: Optional[FaultEvent]


# `MatcherOperator` of the API.
MatcherOperator = TypedDict(
    "MatcherOperator",
    {
        "prefix": "str",
        "contains": "str",
        "regex": "str",
        "not": "Matcher",
        "exists": "bool",
        "gte": "Union[float, str]",
        "lte": "Union[float, str]",
    }, total=False,
)


class Expectation(TypedDict, total=False):
    """`Expectation` of the API."""

    match: Match
    otherThan: Optional[list[Match]]
    inOrder: list[Match]
    count: ExpectationCount
    within: Optional[Duration]
    settle: Optional[Duration]
    after: Optional[int]
    scope: str


class ExpectationCount(TypedDict, total=False):
    """`ExpectationCount` of the API."""

    min: Optional[int]
    max: Optional[int]
    exactly: Optional[int]


class Fault(TypedDict):
    """`Fault` of the API."""

    id: str
    name: Optional[str]
    scope: Optional[str]
    enabled: bool
    rulePriority: int
    match: FaultMatch
    skip: int
    times: Optional[int]
    every: int
    probability: float
    connections: Optional[FaultConnections]
    keys: Optional[FaultConnections]
    rateOver: Optional[FaultRateOver]
    activeFrom: Optional[str]
    activeUntil: Optional[str]
    action: Optional[FaultAction]
    actions: Optional[list[FaultAction]]
    then: FaultThen
    matched: int
    fired: int
    remaining: Optional[int]
    createdAt: str
    words: FaultWords
    timedOut: NotRequired[bool]


class FaultConnections(TypedDict, total=False):
    """`FaultConnections` of the API."""

    first: Optional[int]
    every: Optional[int]
    count: Optional[int]


class FaultRateOver(TypedDict):
    """`FaultRateOver` of the API."""

    count: int
    per: Duration
    by: NotRequired[Optional[FaultRateOverByName]]


class MagicToken(TypedDict):
    """`MagicToken` of the API."""

    token: str
    channel: str
    segment: str
    does: str
    status: Optional[int]
    reason: Optional[str]


class Scenario(TypedDict, total=False):
    """`Scenario` of the API."""

    name: Required[str]
    description: Required[Optional[str]]
    scope: Required[Optional[str]]
    seed: Required[Optional[int]]
    steps: Required[list[ScenarioSteps]]
    startedAt: str
    stepsDone: int
    next: Optional[ScenarioNext]
    rules: list[str]
    problem: Optional[str]


class ScenarioSteps(TypedDict, total=False):
    """`ScenarioSteps` of the API."""

    after: Optional[Union[Duration, ScenarioStepsAfterObject]]
    add: Optional[list[FaultSpecification]]
    remove: Optional[list[str]]


class ScenarioStepsAfterObject(TypedDict):
    """`ScenarioStepsAfterObject` of the API."""

    pushes: int


class ScenarioNext(TypedDict):
    """`ScenarioNext` of the API."""

    step: int
    after: Any
    at: Optional[str]
    pushesLeft: Optional[int]


class Credential(TypedDict):
    """`Credential` of the API."""

    kind: CredentialKind
    team: Optional[str]
    keyId: Optional[str]
    subject: Optional[str]


class DeviceSpecification(TypedDict, total=False):
    """`DeviceSpecification` of the API."""

    id: Optional[str]
    count: Optional[int]
    scope: Optional[str]
    user: Optional[str]
    name: Optional[str]
    model: Optional[str]
    platform: Optional[Platform]
    osVersion: Optional[str]
    environment: Optional[Environment]
    locale: Optional[str]
    online: Optional[bool]
    power: Optional[Power]
    focus: Optional[Focus]
    languages: Optional[list[str]]
    locked: Optional[bool]
    muted: Optional[bool]
    watch: Optional[PairedWatch]
    summary: Optional[SummarySchedule]
    registrations: Optional[list[RegistrationSpecification]]
    activities: Optional[list[LiveActivity]]
    stored: Any
    deferred: Any
    inbox: Any


class DeviceChange(TypedDict, total=False):
    """`DeviceChange` of the API."""

    user: Optional[str]
    name: Optional[str]
    osVersion: Optional[str]
    locale: Optional[str]
    online: Optional[bool]
    power: Optional[Power]
    focus: Optional[Focus]
    languages: Optional[list[str]]
    locked: Optional[bool]
    muted: Optional[bool]
    watch: Optional[PairedWatch]
    summary: Optional[SummarySchedule]


class AppSettings(TypedDict, total=False):
    """`AppSettings` of the API."""

    backgroundRefresh: Optional[bool]
    worker: Optional[AppSettingsWorkerName]
    appState: Optional[AppState]
    permissions: Optional[Permissions]
    presentInForeground: Optional[list[ForegroundOption]]
    appName: Optional[str]
    sounds: Optional[list[Sound]]
    categories: Optional[list[Category]]
    strings: Optional[dict[str, Union[str, dict[str, str]]]]
    developmentLanguage: Optional[str]
    serviceExtension: Optional[ServiceExtension]
    focusFilter: Optional[dict[str, list[str]]]
    reportsCalls: Optional[bool]
    frequentUpdates: Optional[bool]
    backgroundFetch: Optional[BackgroundFetch]
    backgroundModes: Optional[list[AppSettingsBackgroundModes]]


class RegistrationSpecification(TypedDict, total=False):
    """`RegistrationSpecification` of the API."""

    topic: Required[str]
    kind: Optional[RegistrationSpecificationKindName]
    applicationServerKey: Optional[str]
    environment: Optional[Environment]
    token: Optional[str]
    launched: Optional[bool]
    entitled: Optional[bool]
    rotate: Optional[RegistrationSpecificationRotateName]
    backgroundRefresh: Optional[bool]
    worker: Optional[AppSettingsWorkerName]
    appState: Optional[AppState]
    permissions: Optional[Permissions]
    presentInForeground: Optional[list[ForegroundOption]]
    appName: Optional[str]
    sounds: Optional[list[Sound]]
    categories: Optional[list[Category]]
    strings: Optional[dict[str, Union[str, dict[str, str]]]]
    developmentLanguage: Optional[str]
    serviceExtension: Optional[ServiceExtension]
    focusFilter: Optional[dict[str, list[str]]]
    reportsCalls: Optional[bool]
    frequentUpdates: Optional[bool]
    backgroundFetch: Optional[BackgroundFetch]
    backgroundModes: Optional[list[AppSettingsBackgroundModes]]
    state: Optional[RegistrationState]
    since: Optional[str]
    endedAt: Optional[str]
    webPush: Any
    unregisteredAt: Optional[str]


class UserAction(TypedDict, total=False):
    """`UserAction` of the API."""

    action: Required[str]
    text: Optional[str]


class ScreenChange(TypedDict):
    """`ScreenChange` of the API."""

    badges: dict[str, int]


class LiveActivitySpecification(TypedDict, total=False):
    """`LiveActivitySpecification` of the API."""

    topic: Required[str]
    environment: Optional[Environment]
    attributesType: Required[str]
    attributes: Optional[dict[str, Any]]
    contentState: Optional[dict[str, Any]]
    staleDate: Optional[str]
    relevanceScore: Optional[float]
    pushType: Optional[Union[Literal["token"], LiveActivitySpecificationPushTypeObject]]


class LiveActivitySpecificationPushTypeObject(TypedDict):
    """`LiveActivitySpecificationPushTypeObject` of the API."""

    channel: str


class LiveActivityChange(TypedDict, total=False):
    """`LiveActivityChange` of the API."""

    contentState: Optional[dict[str, Any]]
    staleDate: Optional[str]
    relevanceScore: Optional[float]
    state: Optional[LiveActivityChangeStateName]
    dismissalDate: Optional[str]


class SubscriptionSpecification(TypedDict, total=False):
    """`SubscriptionSpecification` of the API."""

    channel: Required[str]
    topic: Optional[str]
    environment: Optional[Environment]
    attributesType: Optional[str]
    attributes: Optional[dict[str, Any]]
    contentState: Optional[dict[str, Any]]
    staleDate: Optional[str]
    relevanceScore: Optional[float]


class ClockChange(TypedDict, total=False):
    """`ClockChange` of the API."""

    mode: Optional[ClockMode]
    now: Optional[str]
    scope: Optional[str]


class ClockAdvance(TypedDict, total=False):
    """`ClockAdvance` of the API."""

    by: Optional[Duration]
    to: Optional[str]
    scope: Optional[str]


class RecordedPlaceChange(TypedDict, total=False):
    """`RecordedPlaceChange` of the API."""

    sequence: Optional[int]
    time: Optional[str]


class KeySpecification(TypedDict, total=False):
    """`KeySpecification` of the API."""

    keyId: Optional[KeyID]
    team: Optional[KeyID]
    publicKey: Optional[str]
    privateKey: Optional[str]
    environment: Optional[EnvironmentScope]
    topics: Optional[KeyTopics]
    related: Optional[str]
    revokedAt: Optional[str]
    canSign: Optional[bool]


class CertificateOrder(TypedDict, total=False):
    """`CertificateOrder` of the API."""

    topics: Required[list[str]]
    voip: Optional[bool]
    complication: Optional[bool]
    environment: Optional[EnvironmentScope]
    days: Optional[int]
    expired: Optional[bool]
    keyType: Optional[ProviderKeyType]
    password: Optional[str]
    csr: Optional[str]


class FaultAction(TypedDict, total=False):
    """`FaultAction` of the API."""

    type: Required[FaultActionType]
    delay: Optional[FaultDelay]
    clock: Optional[FaultDelayObjectClockName]
    status: Optional[int]
    reason: Optional[str]
    timestamp: Optional[int]
    body: Optional[str]
    answerHeaders: Optional[dict[str, Optional[str]]]
    apnsId: Optional[str]
    deliver: Optional[bool]
    by: Optional[Duration]
    times: Optional[int]
    code: Optional[Union[FaultActionCodeName, int]]
    when: Optional[FaultActionWhenName]
    debug: Optional[str]
    lastStreamId: Optional[Union[FaultActionLastStreamIdName, int]]
    twoStep: Optional[bool]
    frames: Optional[int]
    close: Optional[FaultActionCloseName]
    afterPushes: Optional[int]
    maxConcurrentStreams: Optional[int]
    initialWindowSize: Optional[int]
    headerTableSize: Optional[int]
    maxFrameSize: Optional[int]
    withhold: Optional[bool]
    alert: Optional[FaultActionAlertName]
    certificate: Optional[FaultActionCertificateName]
    stall: Optional[bool]
    slow: Optional[Duration]
    how: Optional[FaultActionHowName]
    afterBytes: Optional[int]
    afterIdle: Optional[Duration]
    bytesPerSecond: Optional[int]
    chunk: Optional[int]


class FaultSpecification(TypedDict, total=False):
    """`FaultSpecification` of the API."""

    id: Optional[str]
    name: Optional[str]
    scope: Optional[str]
    enabled: Optional[bool]
    rulePriority: Optional[int]
    match: FaultMatch
    skip: Optional[int]
    times: Optional[int]
    every: Optional[int]
    probability: Optional[float]
    connections: Optional[FaultConnections]
    keys: Optional[FaultConnections]
    rateOver: Optional[FaultRateOver]
    activeFrom: Optional[str]
    activeUntil: Optional[str]
    action: Optional[FaultAction]
    actions: Optional[list[FaultAction]]
    then: Optional[FaultThen]
    matched: Optional[int]
    fired: Optional[int]
    remaining: Optional[int]
    createdAt: Optional[str]
    words: Optional[FaultWords]


class FaultChange(TypedDict, total=False):
    """`FaultChange` of the API."""

    id: Optional[str]
    name: Optional[str]
    scope: Optional[str]
    enabled: Optional[bool]
    rulePriority: Optional[int]
    match: FaultMatch
    skip: Optional[int]
    times: Optional[int]
    every: Optional[int]
    probability: Optional[float]
    connections: Optional[FaultConnections]
    keys: Optional[FaultConnections]
    rateOver: Optional[FaultRateOver]
    activeFrom: Optional[str]
    activeUntil: Optional[str]
    action: Optional[FaultAction]
    actions: Optional[list[FaultAction]]
    then: Optional[FaultThen]
    matched: Optional[int]
    fired: Optional[int]
    remaining: Optional[int]
    createdAt: Optional[str]
    words: Optional[FaultWords]


class ChannelSpecification(TypedDict, total=False):
    """`ChannelSpecification` of the API."""

    id: Optional[str]
    bundleId: Required[str]
    environment: Optional[Environment]
    messageStoragePolicy: Optional[int]


class ScenarioSpecification(TypedDict, total=False):
    """`ScenarioSpecification` of the API."""

    name: Required[str]
    description: Optional[str]
    scope: Optional[str]
    seed: Optional[int]
    steps: Optional[list[ScenarioSteps]]


class Reset(TypedDict, total=False):
    """`Reset` of the API."""

    only: list[ResetOnly]
    scope: str


class NotificationSpecification(TypedDict, total=False):
    """`NotificationSpecification` of the API."""

    token: Optional[str]
    channel: Optional[str]
    topic: Optional[str]
    pushType: Optional[str]
    priority: Optional[Union[str, int]]
    expiration: Optional[Union[str, int]]
    collapseId: Optional[str]
    apnsId: Optional[str]
    payload: Any
    payloadBase64: Optional[Base64]
    environment: Optional[Environment]
    timeout: Optional[Duration]


class Permissions(TypedDict, total=False):
    """`Permissions` of the API."""

    authorization: Optional[PermissionsAuthorizationName]
    alert: Optional[bool]
    badge: Optional[bool]
    sound: Optional[bool]
    critical: Optional[bool]
    timeSensitive: Optional[bool]
    location: Optional[bool]
    lockScreen: Optional[bool]
    notificationCenter: Optional[bool]
    liveActivities: Optional[bool]
    frequentPushes: Optional[bool]
    alertStyle: Optional[PermissionsAlertStyleName]
    showPreviews: Optional[PermissionsShowPreviewsName]


class SoundObject(TypedDict, total=False):
    """`SoundObject` of the API."""

    name: Required[str]
    duration: Optional[Duration]


class Category(TypedDict, total=False):
    """`Category` of the API."""

    id: Required[str]
    actions: Optional[list[CategoryActions]]
    customDismiss: Optional[bool]
    summaryFormat: Optional[str]
    hiddenPreviewsBodyPlaceholder: Optional[str]


class CategoryActions(TypedDict, total=False):
    """`CategoryActions` of the API."""

    id: Required[str]
    title: Optional[str]
    destructive: Optional[bool]
    foreground: Optional[bool]
    authenticationRequired: Optional[bool]
    textInput: Optional[bool]
    textInputButtonTitle: Optional[str]
    textInputPlaceholder: Optional[str]


class ServiceExtension(TypedDict, total=False):
    """`ServiceExtension` of the API."""

    rewrite: Optional[dict[str, Any]]
    takes: Optional[Duration]
    attachments: Optional[list[str]]
    sender: Optional[str]


class BackgroundFetch(TypedDict, total=False):
    """`BackgroundFetch` of the API."""

    result: Optional[WakeResult]
    takes: Optional[Duration]


class FocusObject(TypedDict, total=False):
    """`FocusObject` of the API."""

    name: Required[str]
    apps: Optional[list[str]]
    people: Optional[list[str]]


class PairedWatch(TypedDict, total=False):
    """`PairedWatch` of the API."""

    worn: Optional[bool]
    locked: Optional[bool]


class SummarySchedule(TypedDict):
    """`SummarySchedule` of the API."""

    times: list[str]
    apps: list[str]


class FaultWords(TypedDict):
    """`FaultWords` of the API."""

    does: list[str]
    matches: list[str]
    fires: list[str]


class Notification(TypedDict):
    """`Notification` of the API."""

    sequence: int
    apnsId: str
    kind: NotificationKind
    attempt: int
    repeats: Optional[int]
    uniqueId: Optional[str]
    receivedAt: str
    environment: Environment
    connection: int
    stream: int
    credential: Optional[Credential]
    token: Optional[str]
    device: Optional[str]
    scope: Optional[str]
    topic: Optional[str]
    channel: Optional[str]
    devices: Optional[int]
    pushType: Optional[str]
    priority: Optional[int]
    expiration: Optional[Union[str, int]]
    collapseId: Optional[str]
    method: Optional[str]
    path: Optional[str]
    headers: list[list[str]]
    payload: Any
    payloadBase64: NotRequired[str]
    webPush: NotRequired[NotificationWebPush]
    payloadSize: int
    warnings: list[str]
    status: Optional[int]
    reason: Optional[str]
    timestamp: Optional[int]
    fault: Optional[str]
    outcome: NotificationOutcome
    shown: bool
    sounded: bool
    timeline: list[NotificationTimeline]


class NotificationWebPush(TypedDict):
    """`NotificationWebPush` of the API."""

    refusals: list[NotificationWebPushRefusals]
    claims: Optional[dict[str, Any]]
    applicationServerKey: Optional[str]
    ttl: Optional[int]
    urgency: Optional[str]
    topic: Optional[str]
    encoding: Optional[str]
    plaintext: Optional[str]
    problem: Optional[str]
    declarative: Optional[bool]
    notDeclarative: Optional[str]
    navigate: Optional[str]


class NotificationWebPushRefusals(TypedDict):
    """`NotificationWebPushRefusals` of the API."""

    status: int
    reason: str
    cause: str
    evidence: NotificationWebPushRefusalsEvidence


class NotificationTimeline(TypedDict):
    """`NotificationTimeline` of the API."""

    at: str
    event: str
    detail: Optional[str]


class SentNotification(TypedDict):
    """`SentNotification` of the API."""

    status: Optional[int]
    reason: Optional[str]
    apnsId: str
    sequence: Optional[int]
    problem: Optional[str]


class ExpectationResult(TypedDict):
    """`ExpectationResult` of the API."""

    met: bool
    matched: int
    items: list[Notification]
    failedAt: Optional[int]
    nearest: list[ExpectationResultNearest]
    hints: list[str]
    evicted: int
    lastSequence: int


class ExpectationResultNearest(TypedDict):
    """`ExpectationResultNearest` of the API."""

    sequence: int
    differences: list[ExpectationResultNearestDifferences]
    push: Notification


class ExpectationResultNearestDifferences(TypedDict):
    """`ExpectationResultNearestDifferences` of the API."""

    field: str
    expected: Matcher
    actual: Any


class Device(TypedDict):
    """`Device` of the API."""

    id: str
    scope: Optional[str]
    user: Optional[str]
    name: str
    model: str
    platform: Platform
    osVersion: str
    environment: Environment
    locale: str
    online: bool
    power: Power
    focus: Optional[Focus]
    languages: list[str]
    locked: bool
    muted: bool
    watch: Optional[PairedWatch]
    summary: Optional[SummarySchedule]
    registrations: list[Registration]
    activities: list[LiveActivity]
    stored: int
    deferred: int
    inbox: DeviceInbox


class DeviceInbox(TypedDict):
    """`DeviceInbox` of the API."""

    count: int
    dropped: int
    last: Optional[int]


class Arrival(TypedDict):
    """`Arrival` of the API."""

    sequence: int
    apnsId: Optional[str]
    topic: Optional[str]
    pushType: Optional[str]
    kind: Optional[InboxKind]
    payload: Any
    payloadBase64: Optional[str]
    deliveredAt: str
    evicted: bool


class Registration(TypedDict):
    """`Registration` of the API."""

    topic: str
    kind: RegistrationSpecificationKindName
    token: Optional[str]
    applicationServerKey: Optional[str]
    webPush: Optional[WebPushSubscription]
    environment: Environment
    state: RegistrationState
    since: str
    endedAt: Optional[str]
    unregisteredAt: Optional[str]
    backgroundRefresh: bool
    worker: AppSettingsWorkerName
    appState: AppState
    permissions: RegistrationPermissions
    presentInForeground: list[ForegroundOption]
    appName: Optional[str]
    sounds: list[Sound]
    categories: list[Category]
    strings: dict[str, str]
    developmentLanguage: str
    serviceExtension: Optional[ServiceExtension]
    focusFilter: Optional[dict[str, list[str]]]
    reportsCalls: bool
    frequentUpdates: bool
    backgroundFetch: BackgroundFetch
    backgroundModes: list[str]


class RegistrationPermissions(TypedDict):
    """`RegistrationPermissions` of the API."""

    authorization: PermissionsAuthorizationName
    alert: bool
    badge: bool
    sound: bool
    critical: bool
    timeSensitive: bool
    location: bool
    lockScreen: bool
    notificationCenter: bool
    liveActivities: bool
    frequentPushes: bool
    alertStyle: PermissionsAlertStyleName
    showPreviews: PermissionsShowPreviewsName


class WebPushSubscription(TypedDict):
    """`WebPushSubscription` of the API."""

    endpoint: str
    expirationTime: Optional[str]
    keys: WebPushSubscriptionKeys


class WebPushSubscriptionKeys(TypedDict):
    """`WebPushSubscriptionKeys` of the API."""

    p256dh: str
    auth: str


class Screen(TypedDict):
    """`Screen` of the API."""

    at: str
    badges: dict[str, int]
    notifications: list[ScreenNotification]
    groups: list[NotificationGroup]
    summary: list[int]
    held: list[ScreenHeld]
    activities: list[LiveActivity]
    wakes: list[Wake]
    responses: list[AppResponse]
    sounds: list[PlayedSound]
    evicted: int


class ScreenHeld(TypedDict):
    """`ScreenHeld` of the API."""

    sequence: int
    topic: str
    until: str


class LiveActivity(TypedDict):
    """`LiveActivity` of the API."""

    id: str
    topic: str
    environment: Environment
    state: LiveActivityState
    attributesType: Optional[str]
    attributes: Optional[dict[str, Any]]
    contentState: dict[str, Any]
    startedAt: str
    timestamp: Optional[str]
    staleDate: Optional[str]
    endedAt: Optional[str]
    dismissalDate: Optional[str]
    relevanceScore: Optional[float]
    token: Optional[str]
    channel: Optional[str]
    history: list[LiveActivityHistory]


class LiveActivityHistory(TypedDict):
    """`LiveActivityHistory` of the API."""

    event: LiveActivityHistoryEvent
    at: str
    sequence: Optional[int]
    contentState: dict[str, Any]


class StartedActivities(TypedDict):
    """`StartedActivities` of the API."""

    started: StartedActivitiesStarted
    refused: StartedActivitiesRefused
    refusals: list[StartedActivitiesRefusals]


class StartedActivitiesStarted(TypedDict):
    """`StartedActivitiesStarted` of the API."""

    activities: int


class StartedActivitiesRefused(TypedDict):
    """`StartedActivitiesRefused` of the API."""

    devices: int


class StartedActivitiesRefusals(TypedDict):
    """`StartedActivitiesRefusals` of the API."""

    device: str
    reason: str


class NotificationGroup(TypedDict):
    """`NotificationGroup` of the API."""

    topic: str
    threadId: Optional[str]
    count: int
    sequences: list[int]
    summary: Optional[str]


class ScreenNotification(TypedDict):
    """`ScreenNotification` of the API."""

    sequence: int
    apnsId: str
    identifier: str
    topic: str
    title: Optional[str]
    subtitle: Optional[str]
    body: Optional[str]
    previewHidden: bool
    sound: Optional[ScreenNotificationSound]
    threadId: Optional[str]
    category: Optional[str]
    actions: list[ShownAction]
    actionTitle: Optional[str]
    interruptionLevel: ScreenNotificationInterruptionLevel
    relevanceScore: Optional[float]
    collapseId: Optional[str]
    mutableContent: ScreenNotificationMutableContent
    shownAt: str
    updatedAt: Optional[str]
    group: str
    banner: Optional[ScreenNotificationBanner]
    alertStyle: Optional[ScreenNotificationAlertStyleName]
    lockScreen: bool
    notificationCenter: bool
    onWatch: bool
    sender: Optional[str]
    attachments: list[str]
    details: dict[str, Any]
    warnings: list[str]


class ScreenNotificationSound(TypedDict):
    """`ScreenNotificationSound` of the API."""

    name: str
    critical: bool
    volume: Optional[float]


class ScreenNotificationBanner(TypedDict):
    """`ScreenNotificationBanner` of the API."""

    actions: list[ShownAction]


class ShownAction(TypedDict):
    """`ShownAction` of the API."""

    id: str
    title: str
    destructive: bool
    foreground: bool
    authenticationRequired: bool
    textInput: bool
    textInputButtonTitle: Optional[str]
    textInputPlaceholder: Optional[str]


class Wake(TypedDict):
    """`Wake` of the API."""

    topic: str
    sequence: int
    at: str
    state: WakeState
    result: Optional[WakeResult]
    endedAt: Optional[str]


class PlayedSound(TypedDict):
    """`PlayedSound` of the API."""

    sequence: int
    topic: str
    at: str
    sound: ScreenNotificationSound


class AppResponse(TypedDict):
    """`AppResponse` of the API."""

    sequence: int
    topic: str
    action: str
    text: Optional[str]
    at: str
    navigate: Optional[str]


class Clock(TypedDict):
    """`Clock` of the API."""

    mode: ClockMode
    now: str


class ClockReport(TypedDict):
    """`ClockReport` of the API."""

    mode: ClockMode
    now: str
    lastSequence: int
    delivered: int
    expired: int
    coalesced: int


class ClockEvent(TypedDict):
    """`ClockEvent` of the API."""

    mode: ClockMode
    now: str
    scope: Optional[str]


class Key(TypedDict):
    """`Key` of the API."""

    keyId: str
    team: str
    publicKey: str
    environment: EnvironmentScope
    topics: Optional[list[str]]
    related: Optional[str]
    revokedAt: Optional[str]
    canSign: bool


class AddedKey(TypedDict):
    """`AddedKey` of the API."""

    keyId: str
    team: str
    publicKey: str
    environment: EnvironmentScope
    topics: Optional[list[str]]
    related: Optional[str]
    revokedAt: Optional[str]
    canSign: bool
    privateKey: NotRequired[str]


class Certificate(TypedDict):
    """`Certificate` of the API."""

    serialNumber: str
    subject: str
    topics: list[CertificateTopics]
    environment: EnvironmentScope
    notBefore: str
    notAfter: str
    issuedAt: str
    revokedAt: Optional[str]
    certificate: str


class CertificateTopics(TypedDict):
    """`CertificateTopics` of the API."""

    topic: str
    kind: str


class IssuedCertificate(TypedDict):
    """`IssuedCertificate` of the API."""

    serialNumber: str
    subject: str
    topics: list[CertificateTopics]
    environment: EnvironmentScope
    notBefore: str
    notAfter: str
    issuedAt: str
    revokedAt: Optional[str]
    certificate: str
    authority: str
    privateKey: Optional[str]
    pkcs12: Optional[Base64]
    password: Optional[str]


class Credentials(TypedDict):
    """`Credentials` of the API."""

    ca: str
    keyId: Optional[str]
    teamId: Optional[str]
    key: Optional[str]


class Channel(TypedDict):
    """`Channel` of the API."""

    id: str
    bundleId: str
    environment: Environment
    messageStoragePolicy: int
    createdAt: str
    broadcasts: int
    followers: int
    storedUntil: Optional[str]


class Connection(TypedDict):
    """`Connection` of the API."""

    id: int
    peer: str
    openedAt: str
    tls: Optional[ConnectionTlsName]
    cipher: Optional[str]
    sni: Optional[str]
    alpn: Optional[str]
    environment: Environment
    credential: Optional[Credential]
    streams: ConnectionStreams
    pushes: int
    pings: int
    bytesIn: int
    bytesOut: int
    server: NotRequired[str]


class ConnectionStreams(TypedDict):
    """`ConnectionStreams` of the API."""

    open: int
    limit: int
    total: int


class ClosedConnection(TypedDict):
    """`ClosedConnection` of the API."""

    id: int
    peer: str
    openedAt: str
    tls: Optional[ConnectionTlsName]
    cipher: Optional[str]
    sni: Optional[str]
    alpn: Optional[str]
    environment: Environment
    credential: Optional[Credential]
    streams: ConnectionStreams
    pushes: int
    pings: int
    bytesIn: int
    bytesOut: int
    server: NotRequired[str]
    closedAt: str
    reason: Optional[str]


class FailedHandshake(TypedDict):
    """`FailedHandshake` of the API."""

    id: int
    at: str
    peer: str
    sni: Optional[str]
    environment: Environment
    cause: FailedHandshakeCause
    reason: str
    count: int


class Fixtures(TypedDict):
    """`Fixtures` of the API."""

    devices: list[DeviceSpecification]
    channels: list[ChannelSpecification]
    faults: list[FaultSpecification]
    keys: list[KeySpecification]
    clock: NotRequired[ClockChange]


class Index(TypedDict):
    """`Index` of the API."""

    version: str
    openapi: str
    paths: list[str]


class Probe(TypedDict):
    """`Probe` of the API."""

    status: ProbeStatus
    problem: Optional[str]


class Removed(TypedDict):
    """`Removed` of the API."""

    removed: dict[str, int]


class Changed(TypedDict):
    """`Changed` of the API."""

    changed: dict[str, int]


class ResetEvent(TypedDict):
    """`ResetEvent` of the API."""

    removed: dict[str, int]
    only: list[str]
    scope: Optional[str]


class ActivityEvent(TypedDict):
    """`ActivityEvent` of the API."""

    at: str
    device: str
    scope: Optional[str]
    activity: ActivityEventActivity


class ActivityEventActivity(TypedDict):
    """`ActivityEventActivity` of the API."""

    id: str
    topic: str
    environment: Environment
    state: LiveActivityState
    attributesType: Optional[str]
    attributes: Optional[dict[str, Any]]
    contentState: dict[str, Any]
    startedAt: str
    timestamp: Optional[str]
    staleDate: Optional[str]
    endedAt: Optional[str]
    dismissalDate: Optional[str]
    relevanceScore: Optional[float]
    token: Optional[str]
    channel: Optional[str]


# `GapEvent` of the API.
GapEvent = TypedDict(
    "GapEvent",
    {
        "from": "int",
        "to": "int",
    },
)


class Fleet(TypedDict):
    """`Fleet` of the API."""

    id: str
    devices: int
    lastPush: Optional[int]


class ScopeUse(TypedDict):
    """`ScopeUse` of the API."""

    name: str
    devices: int
    faults: int


class Status(TypedDict):
    """`Status` of the API."""

    name: StatusName
    version: str
    startedAt: str
    now: str
    clock: ClockMode
    seed: int
    ports: StatusPorts
    environment: Environment
    counts: StatusCounts
    journal: dict[str, int]
    memory: StatusMemory
    recorded: Optional[RecordedRun]


class StatusPorts(TypedDict):
    """`StatusPorts` of the API."""

    apns: list[int]
    channels: list[int]
    webPush: Optional[int]
    cleartext: Optional[int]
    proxy: Optional[int]
    control: Optional[int]


class StatusCounts(TypedDict):
    """`StatusCounts` of the API."""

    received: int
    accepted: int
    refused: int
    devices: int
    stored: int
    deferred: int
    faults: int
    faultsFired: int
    scopes: int
    connections: int
    handshakesFailed: int
    connectionsRefused: int


class StatusMemory(TypedDict):
    """`StatusMemory` of the API."""

    resident: Optional[int]


class RecordedRun(TypedDict):
    """`RecordedRun` of the API."""

    file: str
    position: int
    sequence: int
    time: str
    first: RecordedRunFirst
    last: RecordedRunFirst
    differs: Optional[RecordedRunDiffers]


class RecordedRunFirst(TypedDict):
    """`RecordedRunFirst` of the API."""

    sequence: int
    time: str


class RecordedRunDiffers(TypedDict):
    """`RecordedRunDiffers` of the API."""

    position: int
    detail: str


class Problem(TypedDict):
    """`Problem` of the API."""

    type: ProblemType
    title: str
    status: int
    detail: str
    field: Optional[str]
    allowed: Optional[list[str]]


class NotificationPage(TypedDict):
    """`NotificationPage` of the API."""

    items: list[Notification]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class InboxPage(TypedDict):
    """`InboxPage` of the API."""

    items: list[Arrival]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class ClosedConnectionPage(TypedDict):
    """`ClosedConnectionPage` of the API."""

    items: list[ClosedConnection]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class FailedHandshakePage(TypedDict):
    """`FailedHandshakePage` of the API."""

    items: list[FailedHandshake]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class DevicePage(TypedDict):
    """`DevicePage` of the API."""

    items: list[Device]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class RegistrationPage(TypedDict):
    """`RegistrationPage` of the API."""

    items: list[Registration]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class LiveActivityPage(TypedDict):
    """`LiveActivityPage` of the API."""

    items: list[LiveActivity]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class ChannelPage(TypedDict):
    """`ChannelPage` of the API."""

    items: list[Channel]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class ConnectionPage(TypedDict):
    """`ConnectionPage` of the API."""

    items: list[Connection]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class FaultPage(TypedDict):
    """`FaultPage` of the API."""

    items: list[Fault]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class MagicTokenPage(TypedDict):
    """`MagicTokenPage` of the API."""

    items: list[MagicToken]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class ScenarioPage(TypedDict):
    """`ScenarioPage` of the API."""

    items: list[Scenario]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class KeyPage(TypedDict):
    """`KeyPage` of the API."""

    items: list[Key]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class CertificatePage(TypedDict):
    """`CertificatePage` of the API."""

    items: list[Certificate]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class ScopeUsePage(TypedDict):
    """`ScopeUsePage` of the API."""

    items: list[ScopeUse]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class FleetPage(TypedDict):
    """`FleetPage` of the API."""

    items: list[Fleet]
    nextCursor: Optional[str]
    matched: int
    timedOut: bool
    evicted: int
    lastSequence: int


class ListNotificationsFilters(TypedDict, total=False):
    """`ListNotificationsFilters` of the API."""

    token: list[str]
    device: list[str]
    scope: list[str]
    topic: list[str]
    channel: list[str]
    team: list[str]
    keyId: list[str]
    apnsId: list[str]
    uniqueId: list[str]
    collapseId: list[str]
    pushType: list[str]
    priority: list[str]
    environment: list[str]
    connection: list[str]
    kind: list[str]
    status: list[str]
    reason: list[str]
    outcome: list[str]
    shown: list[str]
    sounded: list[str]
    fault: list[str]
    has: list[str]
    since: list[str]
    until: list[str]
    text: list[str]


class ListDevicesFilters(TypedDict, total=False):
    """`ListDevicesFilters` of the API."""

    device: list[str]
    fleet: list[str]
    scope: list[str]
    topic: list[str]
    token: list[str]
    environment: list[str]
    named: list[str]
    user: list[str]
    platform: list[str]
    online: list[str]
    power: list[str]


class ClearScreenFilters(TypedDict, total=False):
    """`ClearScreenFilters` of the API."""

    topic: list[str]
    identifier: list[str]


class DismissActivitiesFilters(TypedDict, total=False):
    """`DismissActivitiesFilters` of the API."""

    device: list[str]
    fleet: list[str]
    scope: list[str]
    topic: list[str]
    token: list[str]
    environment: list[str]
    named: list[str]
    user: list[str]
    platform: list[str]
    online: list[str]
    power: list[str]
    channel: list[str]
    attributesType: list[str]


class ListConnectionsFilters(TypedDict, total=False):
    """`ListConnectionsFilters` of the API."""

    environment: list[str]
    team: list[str]
    keyId: list[str]
    connection: list[str]
