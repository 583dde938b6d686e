// Made by Sources/helpers/generate.py: change that, or what the program says.
// The JSON of the control API, as its OpenAPI document describes it.

export type Duration = string;

export type KeyID = string;

export type KeyTopics = string[];

export type Base64 = string;

export type FaultDelay = Duration | FaultDelayObject;

/** `FaultDelayObject` of the API. */
export interface FaultDelayObject {
  uniform?: Duration[] | null;
  normal?: Duration[] | null;
  clock?: FaultDelayObjectClockName | null;
}

export type FaultDelayObjectClockName = "wall" | "virtual";

/** `Match` of the API. */
export interface Match {
  token?: Matcher;
  device?: Matcher;
  scope?: Matcher;
  topic?: Matcher;
  channel?: Matcher;
  team?: Matcher;
  keyId?: Matcher;
  apnsId?: Matcher;
  uniqueId?: Matcher;
  collapseId?: Matcher;
  pushType?: Matcher;
  priority?: Matcher;
  environment?: Matcher;
  connection?: Matcher;
  kind?: Matcher;
  status?: Matcher;
  reason?: Matcher;
  outcome?: Matcher;
  shown?: Matcher;
  sounded?: Matcher;
  fault?: Matcher;
  has?: Matcher;
  since?: Matcher;
  until?: Matcher;
  text?: Matcher;
  payload?: Record<string, Matcher>;
  payloadIncludes?: Record<string, unknown> | unknown[];
  headers?: Record<string, Matcher>;
  screen?: Record<string, Matcher>;
  webPush?: Record<string, Matcher>;
  q?: string;
}

/** `FaultMatch` of the API. */
export interface FaultMatch {
  token?: Matcher;
  device?: Matcher;
  scope?: Matcher;
  topic?: Matcher;
  channel?: Matcher;
  team?: Matcher;
  keyId?: Matcher;
  apnsId?: Matcher;
  collapseId?: Matcher;
  pushType?: Matcher;
  priority?: Matcher;
  environment?: Matcher;
  connection?: Matcher;
  kind?: Matcher;
  text?: Matcher;
  payload?: Record<string, Matcher>;
  payloadIncludes?: Record<string, unknown> | unknown[];
  headers?: Record<string, Matcher>;
  event?: FaultEvent | null;
}

export type Matcher = string | number | boolean | MatcherOperator | SingleMatcher[] | null;

export type SingleMatcher = string | number | boolean | MatcherOperator | null;

/** `MatcherOperator` of the API. */
export interface MatcherOperator {
  prefix?: string;
  contains?: string;
  regex?: string;
  not?: Matcher;
  exists?: boolean;
  gte?: number | string;
  lte?: number | string;
}

/** `Expectation` of the API. */
export interface Expectation {
  match?: Match;
  otherThan?: Match[] | null;
  inOrder?: Match[];
  count?: ExpectationCount;
  within?: Duration | null;
  settle?: Duration | null;
  after?: number | null;
  scope?: string;
}

/** `ExpectationCount` of the API. */
export interface ExpectationCount {
  min?: number | null;
  max?: number | null;
  exactly?: number | null;
}

export type FaultSpecifications = FaultSpecification | FaultSpecificationList;

/** `Fault` of the API. */
export interface Fault {
  id: string;
  name: string | null;
  scope: string | null;
  enabled: boolean;
  rulePriority: number;
  match: FaultMatch;
  skip: number;
  times: number | null;
  every: number;
  probability: number;
  connections: FaultConnections | null;
  keys: FaultConnections | null;
  rateOver: FaultRateOver | null;
  activeFrom: string | null;
  activeUntil: string | null;
  action: FaultAction | null;
  actions: FaultAction[] | null;
  then: FaultThen;
  matched: number;
  fired: number;
  remaining: number | null;
  createdAt: string;
  words: FaultWords;
  timedOut?: boolean;
}

/** `FaultConnections` of the API. */
export interface FaultConnections {
  first?: number | null;
  every?: number | null;
  count?: number | null;
}

/** `FaultRateOver` of the API. */
export interface FaultRateOver {
  count: number;
  per: Duration;
  by?: FaultRateOverByName | null;
}

export type FaultRateOverByName = "token" | "topic" | "connection" | "all";

export type FaultThen = "pass" | "repeat" | "last";

/** `MagicToken` of the API. */
export interface MagicToken {
  token: string;
  channel: string;
  segment: string;
  does: string;
  status: number | null;
  reason: string | null;
}

/** `Scenario` of the API. */
export interface Scenario {
  name: string;
  description: string | null;
  scope: string | null;
  seed: number | null;
  steps: ScenarioSteps[];
  startedAt?: string;
  stepsDone?: number;
  next?: ScenarioNext | null;
  rules?: string[];
  problem?: string | null;
}

/** `ScenarioSteps` of the API. */
export interface ScenarioSteps {
  after?: Duration | ScenarioStepsAfterObject | null;
  add?: FaultSpecification[] | null;
  remove?: string[] | null;
}

/** `ScenarioStepsAfterObject` of the API. */
export interface ScenarioStepsAfterObject {
  pushes: number;
}

/** `ScenarioNext` of the API. */
export interface ScenarioNext {
  step: number;
  after: unknown;
  at: string | null;
  pushesLeft: number | null;
}

export type Scope = string;

export type InboxKind = "alert" | "background" | "location" | "voip" | "complication" | "fileprovider" | "mdm" | "liveactivity" | "pushtotalk" | "widgets" | "controls" | "pass";

export type EventChange = "created" | "changed" | "removed" | "fired" | "opened" | "closed" | "failed";

export type Environment = "sandbox" | "production";

export type EnvironmentScope = "sandbox" | "production" | "both";

export type Platform = "iOS" | "iPadOS" | "macOS" | "watchOS" | "tvOS" | "visionOS";

export type Power = "normal" | "low" | "asleep";

export type ClockMode = "real" | "offset" | "frozen";

export type ProviderKeyType = "rsa" | "ec";

export type FaultEvent = "accept" | "handshake" | "request";

export type RegistrationState = "active" | "unregistered" | "expired" | "notLaunched" | "waitingForNetwork";

export type WakeResult = "newData" | "noData" | "failed";

export type Order = "asc" | "desc";

export type DeviceSort = "id" | "lastPush";

/** `Credential` of the API. */
export interface Credential {
  kind: CredentialKind;
  team: string | null;
  keyId: string | null;
  subject: string | null;
}

export type CredentialKind = "token" | "certificate";

export type AddedDevices = Device | DevicePage;

export type ActionReport = AppResponse | null;

export type FaultSpecificationList = FaultSpecification[];

export type AddedFaults = Fault | FaultPage;

export type OpenAPI = Record<string, unknown>;

/** `DeviceSpecification` of the API. */
export interface DeviceSpecification {
  id?: string | null;
  count?: number | null;
  scope?: string | null;
  user?: string | null;
  name?: string | null;
  model?: string | null;
  platform?: Platform | null;
  osVersion?: string | null;
  environment?: Environment | null;
  locale?: string | null;
  online?: boolean | null;
  power?: Power | null;
  focus?: Focus | null;
  languages?: string[] | null;
  locked?: boolean | null;
  muted?: boolean | null;
  watch?: PairedWatch | null;
  summary?: SummarySchedule | null;
  registrations?: RegistrationSpecification[] | null;
  activities?: LiveActivity[] | null;
  stored?: unknown;
  deferred?: unknown;
  inbox?: unknown;
}

/** `DeviceChange` of the API. */
export interface DeviceChange {
  user?: string | null;
  name?: string | null;
  osVersion?: string | null;
  locale?: string | null;
  online?: boolean | null;
  power?: Power | null;
  focus?: Focus | null;
  languages?: string[] | null;
  locked?: boolean | null;
  muted?: boolean | null;
  watch?: PairedWatch | null;
  summary?: SummarySchedule | null;
}

/** `AppSettings` of the API. */
export interface AppSettings {
  backgroundRefresh?: boolean | null;
  worker?: AppSettingsWorkerName | null;
  appState?: AppState | null;
  permissions?: Permissions | null;
  presentInForeground?: ForegroundOption[] | null;
  appName?: string | null;
  sounds?: Sound[] | null;
  categories?: Category[] | null;
  strings?: Record<string, string | Record<string, string>> | null;
  developmentLanguage?: string | null;
  serviceExtension?: ServiceExtension | null;
  focusFilter?: Record<string, string[]> | null;
  reportsCalls?: boolean | null;
  frequentUpdates?: boolean | null;
  backgroundFetch?: BackgroundFetch | null;
  backgroundModes?: AppSettingsBackgroundModes[] | null;
}

export type AppSettingsWorkerName = "shows" | "silent" | "none";

export type AppSettingsBackgroundModes = "remote-notification";

/** `RegistrationSpecification` of the API. */
export interface RegistrationSpecification {
  topic: string;
  kind?: RegistrationSpecificationKindName | null;
  applicationServerKey?: string | null;
  environment?: Environment | null;
  token?: string | null;
  launched?: boolean | null;
  entitled?: boolean | null;
  rotate?: RegistrationSpecificationRotateName | null;
  backgroundRefresh?: boolean | null;
  worker?: AppSettingsWorkerName | null;
  appState?: AppState | null;
  permissions?: Permissions | null;
  presentInForeground?: ForegroundOption[] | null;
  appName?: string | null;
  sounds?: Sound[] | null;
  categories?: Category[] | null;
  strings?: Record<string, string | Record<string, string>> | null;
  developmentLanguage?: string | null;
  serviceExtension?: ServiceExtension | null;
  focusFilter?: Record<string, string[]> | null;
  reportsCalls?: boolean | null;
  frequentUpdates?: boolean | null;
  backgroundFetch?: BackgroundFetch | null;
  backgroundModes?: AppSettingsBackgroundModes[] | null;
  state?: RegistrationState | null;
  since?: string | null;
  endedAt?: string | null;
  webPush?: unknown;
  unregisteredAt?: string | null;
}

export type RegistrationSpecificationKindName = "app" | "web";

export type RegistrationSpecificationRotateName = "reinstall" | "restore" | "osReinstall";

/** `UserAction` of the API. */
export interface UserAction {
  action: string;
  text?: string | null;
}

/** `ScreenChange` of the API. */
export interface ScreenChange {
  badges: Record<string, number>;
}

/** `LiveActivitySpecification` of the API. */
export interface LiveActivitySpecification {
  topic: string;
  environment?: Environment | null;
  attributesType: string;
  attributes?: Record<string, unknown> | null;
  contentState?: Record<string, unknown> | null;
  staleDate?: string | null;
  relevanceScore?: number | null;
  pushType?: "token" | LiveActivitySpecificationPushTypeObject | null;
}

/** `LiveActivitySpecificationPushTypeObject` of the API. */
export interface LiveActivitySpecificationPushTypeObject {
  channel: string;
}

/** `LiveActivityChange` of the API. */
export interface LiveActivityChange {
  contentState?: Record<string, unknown> | null;
  staleDate?: string | null;
  relevanceScore?: number | null;
  state?: LiveActivityChangeStateName | null;
  dismissalDate?: string | null;
}

export type LiveActivityChangeStateName = "ended";

/** `SubscriptionSpecification` of the API. */
export interface SubscriptionSpecification {
  channel: string;
  topic?: string | null;
  environment?: Environment | null;
  attributesType?: string | null;
  attributes?: Record<string, unknown> | null;
  contentState?: Record<string, unknown> | null;
  staleDate?: string | null;
  relevanceScore?: number | null;
}

/** `ClockChange` of the API. */
export interface ClockChange {
  mode?: ClockMode | null;
  now?: string | null;
  scope?: string | null;
}

/** `ClockAdvance` of the API. */
export interface ClockAdvance {
  by?: Duration | null;
  to?: string | null;
  scope?: string | null;
}

/** `RecordedPlaceChange` of the API. */
export interface RecordedPlaceChange {
  sequence?: number | null;
  time?: string | null;
}

/** `KeySpecification` of the API. */
export interface KeySpecification {
  keyId?: KeyID | null;
  team?: KeyID | null;
  publicKey?: string | null;
  privateKey?: string | null;
  environment?: EnvironmentScope | null;
  topics?: KeyTopics | null;
  related?: string | null;
  revokedAt?: string | null;
  canSign?: boolean | null;
}

/** `CertificateOrder` of the API. */
export interface CertificateOrder {
  topics: string[];
  voip?: boolean | null;
  complication?: boolean | null;
  environment?: EnvironmentScope | null;
  days?: number | null;
  expired?: boolean | null;
  keyType?: ProviderKeyType | null;
  password?: string | null;
  csr?: string | null;
}

/** `FaultAction` of the API. */
export interface FaultAction {
  type: FaultActionType;
  delay?: FaultDelay | null;
  clock?: FaultDelayObjectClockName | null;
  status?: number | null;
  reason?: string | null;
  timestamp?: number | null;
  body?: string | null;
  answerHeaders?: Record<string, string | null> | null;
  apnsId?: string | null;
  deliver?: boolean | null;
  by?: Duration | null;
  times?: number | null;
  code?: FaultActionCodeName | number | null;
  when?: FaultActionWhenName | null;
  debug?: string | null;
  lastStreamId?: FaultActionLastStreamIdName | number | null;
  twoStep?: boolean | null;
  frames?: number | null;
  close?: FaultActionCloseName | null;
  afterPushes?: number | null;
  maxConcurrentStreams?: number | null;
  initialWindowSize?: number | null;
  headerTableSize?: number | null;
  maxFrameSize?: number | null;
  withhold?: boolean | null;
  alert?: FaultActionAlertName | null;
  certificate?: FaultActionCertificateName | null;
  stall?: boolean | null;
  slow?: Duration | null;
  how?: FaultActionHowName | null;
  afterBytes?: number | null;
  afterIdle?: Duration | null;
  bytesPerSecond?: number | null;
  chunk?: number | null;
}

export type FaultActionType = "pass" | "respond" | "stall" | "lose" | "deliverLate" | "duplicate" | "resetStream" | "goaway" | "settings" | "withholdWindow" | "ignorePing" | "truncate" | "malformedFrame" | "oversizedFrame" | "tls" | "close" | "throttle" | "refuse";

export type FaultActionCodeName = "NO_ERROR" | "PROTOCOL_ERROR" | "INTERNAL_ERROR" | "FLOW_CONTROL_ERROR" | "SETTINGS_TIMEOUT" | "STREAM_CLOSED" | "FRAME_SIZE_ERROR" | "REFUSED_STREAM" | "CANCEL" | "COMPRESSION_ERROR" | "CONNECT_ERROR" | "ENHANCE_YOUR_CALM" | "INADEQUATE_SECURITY" | "HTTP_1_1_REQUIRED";

export type FaultActionWhenName = "beforeHeaders" | "afterHeaders" | "duringHandshake" | "afterHandshake";

export type FaultActionLastStreamIdName = "processed" | "lower";

export type FaultActionCloseName = "afterStreams" | "now" | "never";

export type FaultActionAlertName = "close_notify" | "unexpected_message" | "bad_record_mac" | "record_overflow" | "handshake_failure" | "bad_certificate" | "unsupported_certificate" | "certificate_revoked" | "certificate_expired" | "certificate_unknown" | "illegal_parameter" | "unknown_ca" | "access_denied" | "decode_error" | "decrypt_error" | "protocol_version" | "insufficient_security" | "internal_error" | "inappropriate_fallback" | "user_canceled" | "missing_extension" | "unsupported_extension" | "unrecognized_name" | "bad_certificate_status_response" | "unknown_psk_identity" | "certificate_required" | "no_application_protocol";

export type FaultActionCertificateName = "expired" | "wrongHost" | "untrusted";

export type FaultActionHowName = "fin" | "rst" | "halfOpen";

/** `FaultSpecification` of the API. */
export interface FaultSpecification {
  id?: string | null;
  name?: string | null;
  scope?: string | null;
  enabled?: boolean | null;
  rulePriority?: number | null;
  match?: FaultMatch;
  skip?: number | null;
  times?: number | null;
  every?: number | null;
  probability?: number | null;
  connections?: FaultConnections | null;
  keys?: FaultConnections | null;
  rateOver?: FaultRateOver | null;
  activeFrom?: string | null;
  activeUntil?: string | null;
  action?: FaultAction | null;
  actions?: FaultAction[] | null;
  then?: FaultThen | null;
  matched?: number | null;
  fired?: number | null;
  remaining?: number | null;
  createdAt?: string | null;
  words?: FaultWords | null;
}

/** `FaultChange` of the API. */
export interface FaultChange {
  id?: string | null;
  name?: string | null;
  scope?: string | null;
  enabled?: boolean | null;
  rulePriority?: number | null;
  match?: FaultMatch;
  skip?: number | null;
  times?: number | null;
  every?: number | null;
  probability?: number | null;
  connections?: FaultConnections | null;
  keys?: FaultConnections | null;
  rateOver?: FaultRateOver | null;
  activeFrom?: string | null;
  activeUntil?: string | null;
  action?: FaultAction | null;
  actions?: FaultAction[] | null;
  then?: FaultThen | null;
  matched?: number | null;
  fired?: number | null;
  remaining?: number | null;
  createdAt?: string | null;
  words?: FaultWords | null;
}

/** `ChannelSpecification` of the API. */
export interface ChannelSpecification {
  id?: string | null;
  bundleId: string;
  environment?: Environment | null;
  messageStoragePolicy?: number | null;
}

/** `ScenarioSpecification` of the API. */
export interface ScenarioSpecification {
  name: string;
  description?: string | null;
  scope?: string | null;
  seed?: number | null;
  steps?: ScenarioSteps[] | null;
}

/** `Reset` of the API. */
export interface Reset {
  only?: ResetOnly[];
  scope?: string;
}

export type ResetOnly = "notifications" | "devices" | "channels" | "faults" | "clock" | "keys" | "connections";

/** `NotificationSpecification` of the API. */
export interface NotificationSpecification {
  token?: string | null;
  channel?: string | null;
  topic?: string | null;
  pushType?: string | null;
  priority?: string | number | null;
  expiration?: string | number | null;
  collapseId?: string | null;
  apnsId?: string | null;
  payload?: unknown;
  payloadBase64?: Base64 | null;
  environment?: Environment | null;
  timeout?: Duration | null;
}

export type AppState = "foreground" | "background" | "suspended" | "forceQuit";

/** `Permissions` of the API. */
export interface Permissions {
  authorization?: PermissionsAuthorizationName | null;
  alert?: boolean | null;
  badge?: boolean | null;
  sound?: boolean | null;
  critical?: boolean | null;
  timeSensitive?: boolean | null;
  location?: boolean | null;
  lockScreen?: boolean | null;
  notificationCenter?: boolean | null;
  liveActivities?: boolean | null;
  frequentPushes?: boolean | null;
  alertStyle?: PermissionsAlertStyleName | null;
  showPreviews?: PermissionsShowPreviewsName | null;
}

export type PermissionsAuthorizationName = "authorized" | "denied" | "notDetermined" | "provisional" | "ephemeral";

export type PermissionsAlertStyleName = "none" | "banner" | "alert";

export type PermissionsShowPreviewsName = "always" | "whenUnlocked" | "never";

export type ForegroundOption = "banner" | "list" | "sound" | "badge";

export type Sound = string | SoundObject;

/** `SoundObject` of the API. */
export interface SoundObject {
  name: string;
  duration?: Duration | null;
}

/** `Category` of the API. */
export interface Category {
  id: string;
  actions?: CategoryActions[] | null;
  customDismiss?: boolean | null;
  summaryFormat?: string | null;
  hiddenPreviewsBodyPlaceholder?: string | null;
}

/** `CategoryActions` of the API. */
export interface CategoryActions {
  id: string;
  title?: string | null;
  destructive?: boolean | null;
  foreground?: boolean | null;
  authenticationRequired?: boolean | null;
  textInput?: boolean | null;
  textInputButtonTitle?: string | null;
  textInputPlaceholder?: string | null;
}

/** `ServiceExtension` of the API. */
export interface ServiceExtension {
  rewrite?: Record<string, unknown> | null;
  takes?: Duration | null;
  attachments?: string[] | null;
  sender?: string | null;
}

/** `BackgroundFetch` of the API. */
export interface BackgroundFetch {
  result?: WakeResult | null;
  takes?: Duration | null;
}

export type Focus = string | FocusObject;

/** `FocusObject` of the API. */
export interface FocusObject {
  name: string;
  apps?: string[] | null;
  people?: string[] | null;
}

/** `PairedWatch` of the API. */
export interface PairedWatch {
  worn?: boolean | null;
  locked?: boolean | null;
}

/** `SummarySchedule` of the API. */
export interface SummarySchedule {
  times: string[];
  apps: string[];
}

/** `FaultWords` of the API. */
export interface FaultWords {
  does: string[];
  matches: string[];
  fires: string[];
}

/** `Notification` of the API. */
export interface Notification {
  sequence: number;
  apnsId: string;
  kind: NotificationKind;
  attempt: number;
  repeats: number | null;
  uniqueId: string | null;
  receivedAt: string;
  environment: Environment;
  connection: number;
  stream: number;
  credential: Credential | null;
  token: string | null;
  device: string | null;
  scope: string | null;
  topic: string | null;
  channel: string | null;
  devices: number | null;
  pushType: string | null;
  priority: number | null;
  expiration: string | number | null;
  collapseId: string | null;
  method: string | null;
  path: string | null;
  headers: string[][];
  payload: unknown;
  payloadBase64?: string;
  webPush?: NotificationWebPush;
  payloadSize: number;
  warnings: string[];
  status: number | null;
  reason: string | null;
  timestamp: number | null;
  fault: string | null;
  outcome: NotificationOutcome;
  shown: boolean;
  sounded: boolean;
  timeline: NotificationTimeline[];
}

export type NotificationKind = "push" | "broadcast" | "webPush";

/** `NotificationWebPush` of the API. */
export interface NotificationWebPush {
  refusals: NotificationWebPushRefusals[];
  claims: Record<string, unknown> | null;
  applicationServerKey: string | null;
  ttl: number | null;
  urgency: string | null;
  topic: string | null;
  encoding: string | null;
  plaintext: string | null;
  problem: string | null;
  declarative: boolean | null;
  notDeclarative: string | null;
  navigate: string | null;
}

/** `NotificationWebPushRefusals` of the API. */
export interface NotificationWebPushRefusals {
  status: number;
  reason: string;
  cause: string;
  evidence: NotificationWebPushRefusalsEvidence;
}

export type NotificationWebPushRefusalsEvidence = "documented" | "observed" | "inferred";

export type NotificationOutcome = "pending" | "stored" | "deferred" | "delivered" | "coalesced" | "discarded" | "expired" | "refused" | "lost" | "unanswered";

/** `NotificationTimeline` of the API. */
export interface NotificationTimeline {
  at: string;
  event: string;
  detail: string | null;
}

/** `SentNotification` of the API. */
export interface SentNotification {
  status: number | null;
  reason: string | null;
  apnsId: string;
  sequence: number | null;
  problem: string | null;
}

/** `ExpectationResult` of the API. */
export interface ExpectationResult {
  met: boolean;
  matched: number;
  items: Notification[];
  failedAt: number | null;
  nearest: ExpectationResultNearest[];
  hints: string[];
  evicted: number;
  lastSequence: number;
}

/** `ExpectationResultNearest` of the API. */
export interface ExpectationResultNearest {
  sequence: number;
  differences: ExpectationResultNearestDifferences[];
  push: Notification;
}

/** `ExpectationResultNearestDifferences` of the API. */
export interface ExpectationResultNearestDifferences {
  field: string;
  expected: Matcher;
  actual: unknown;
}

/** `Device` of the API. */
export interface Device {
  id: string;
  scope: string | null;
  user: string | null;
  name: string;
  model: string;
  platform: Platform;
  osVersion: string;
  environment: Environment;
  locale: string;
  online: boolean;
  power: Power;
  focus: Focus | null;
  languages: string[];
  locked: boolean;
  muted: boolean;
  watch: PairedWatch | null;
  summary: SummarySchedule | null;
  registrations: Registration[];
  activities: LiveActivity[];
  stored: number;
  deferred: number;
  inbox: DeviceInbox;
}

/** `DeviceInbox` of the API. */
export interface DeviceInbox {
  count: number;
  dropped: number;
  last: number | null;
}

/** `Arrival` of the API. */
export interface Arrival {
  sequence: number;
  apnsId: string | null;
  topic: string | null;
  pushType: string | null;
  kind: InboxKind | null;
  payload: unknown;
  payloadBase64: string | null;
  deliveredAt: string;
  evicted: boolean;
}

/** `Registration` of the API. */
export interface Registration {
  topic: string;
  kind: RegistrationSpecificationKindName;
  token: string | null;
  applicationServerKey: string | null;
  webPush: WebPushSubscription | null;
  environment: Environment;
  state: RegistrationState;
  since: string;
  endedAt: string | null;
  unregisteredAt: string | null;
  backgroundRefresh: boolean;
  worker: AppSettingsWorkerName;
  appState: AppState;
  permissions: RegistrationPermissions;
  presentInForeground: ForegroundOption[];
  appName: string | null;
  sounds: Sound[];
  categories: Category[];
  strings: Record<string, string>;
  developmentLanguage: string;
  serviceExtension: ServiceExtension | null;
  focusFilter: Record<string, string[]> | null;
  reportsCalls: boolean;
  frequentUpdates: boolean;
  backgroundFetch: BackgroundFetch;
  backgroundModes: string[];
}

/** `RegistrationPermissions` of the API. */
export interface RegistrationPermissions {
  authorization: PermissionsAuthorizationName;
  alert: boolean;
  badge: boolean;
  sound: boolean;
  critical: boolean;
  timeSensitive: boolean;
  location: boolean;
  lockScreen: boolean;
  notificationCenter: boolean;
  liveActivities: boolean;
  frequentPushes: boolean;
  alertStyle: PermissionsAlertStyleName;
  showPreviews: PermissionsShowPreviewsName;
}

/** `WebPushSubscription` of the API. */
export interface WebPushSubscription {
  endpoint: string;
  expirationTime: string | null;
  keys: WebPushSubscriptionKeys;
}

/** `WebPushSubscriptionKeys` of the API. */
export interface WebPushSubscriptionKeys {
  p256dh: string;
  auth: string;
}

/** `Screen` of the API. */
export interface Screen {
  at: string;
  badges: Record<string, number>;
  notifications: ScreenNotification[];
  groups: NotificationGroup[];
  summary: number[];
  held: ScreenHeld[];
  activities: LiveActivity[];
  wakes: Wake[];
  responses: AppResponse[];
  sounds: PlayedSound[];
  evicted: number;
}

/** `ScreenHeld` of the API. */
export interface ScreenHeld {
  sequence: number;
  topic: string;
  until: string;
}

/** `LiveActivity` of the API. */
export interface LiveActivity {
  id: string;
  topic: string;
  environment: Environment;
  state: LiveActivityState;
  attributesType: string | null;
  attributes: Record<string, unknown> | null;
  contentState: Record<string, unknown>;
  startedAt: string;
  timestamp: string | null;
  staleDate: string | null;
  endedAt: string | null;
  dismissalDate: string | null;
  relevanceScore: number | null;
  token: string | null;
  channel: string | null;
  history: LiveActivityHistory[];
}

export type LiveActivityState = "active" | "stale" | "ended" | "dismissed";

/** `LiveActivityHistory` of the API. */
export interface LiveActivityHistory {
  event: LiveActivityHistoryEvent;
  at: string;
  sequence: number | null;
  contentState: Record<string, unknown>;
}

export type LiveActivityHistoryEvent = "start" | "update" | "end";

/** `StartedActivities` of the API. */
export interface StartedActivities {
  started: StartedActivitiesStarted;
  refused: StartedActivitiesRefused;
  refusals: StartedActivitiesRefusals[];
}

/** `StartedActivitiesStarted` of the API. */
export interface StartedActivitiesStarted {
  activities: number;
}

/** `StartedActivitiesRefused` of the API. */
export interface StartedActivitiesRefused {
  devices: number;
}

/** `StartedActivitiesRefusals` of the API. */
export interface StartedActivitiesRefusals {
  device: string;
  reason: string;
}

/** `NotificationGroup` of the API. */
export interface NotificationGroup {
  topic: string;
  threadId: string | null;
  count: number;
  sequences: number[];
  summary: string | null;
}

/** `ScreenNotification` of the API. */
export interface ScreenNotification {
  sequence: number;
  apnsId: string;
  identifier: string;
  topic: string;
  title: string | null;
  subtitle: string | null;
  body: string | null;
  previewHidden: boolean;
  sound: ScreenNotificationSound | null;
  threadId: string | null;
  category: string | null;
  actions: ShownAction[];
  actionTitle: string | null;
  interruptionLevel: ScreenNotificationInterruptionLevel;
  relevanceScore: number | null;
  collapseId: string | null;
  mutableContent: ScreenNotificationMutableContent;
  shownAt: string;
  updatedAt: string | null;
  group: string;
  banner: ScreenNotificationBanner | null;
  alertStyle: ScreenNotificationAlertStyleName | null;
  lockScreen: boolean;
  notificationCenter: boolean;
  onWatch: boolean;
  sender: string | null;
  attachments: string[];
  details: Record<string, unknown>;
  warnings: string[];
}

/** `ScreenNotificationSound` of the API. */
export interface ScreenNotificationSound {
  name: string;
  critical: boolean;
  volume: number | null;
}

export type ScreenNotificationInterruptionLevel = "passive" | "active" | "time-sensitive" | "critical";

export type ScreenNotificationMutableContent = "none" | "modified" | "timedOut";

/** `ScreenNotificationBanner` of the API. */
export interface ScreenNotificationBanner {
  actions: ShownAction[];
}

export type ScreenNotificationAlertStyleName = "banner" | "alert";

/** `ShownAction` of the API. */
export interface ShownAction {
  id: string;
  title: string;
  destructive: boolean;
  foreground: boolean;
  authenticationRequired: boolean;
  textInput: boolean;
  textInputButtonTitle: string | null;
  textInputPlaceholder: string | null;
}

/** `Wake` of the API. */
export interface Wake {
  topic: string;
  sequence: number;
  at: string;
  state: WakeState;
  result: WakeResult | null;
  endedAt: string | null;
}

export type WakeState = "running" | "finished" | "stopped";

/** `PlayedSound` of the API. */
export interface PlayedSound {
  sequence: number;
  topic: string;
  at: string;
  sound: ScreenNotificationSound;
}

/** `AppResponse` of the API. */
export interface AppResponse {
  sequence: number;
  topic: string;
  action: string;
  text: string | null;
  at: string;
  navigate: string | null;
}

/** `Clock` of the API. */
export interface Clock {
  mode: ClockMode;
  now: string;
}

/** `ClockReport` of the API. */
export interface ClockReport {
  mode: ClockMode;
  now: string;
  lastSequence: number;
  delivered: number;
  expired: number;
  coalesced: number;
}

/** `ClockEvent` of the API. */
export interface ClockEvent {
  mode: ClockMode;
  now: string;
  scope: string | null;
}

/** `Key` of the API. */
export interface Key {
  keyId: string;
  team: string;
  publicKey: string;
  environment: EnvironmentScope;
  topics: string[] | null;
  related: string | null;
  revokedAt: string | null;
  canSign: boolean;
}

/** `AddedKey` of the API. */
export interface AddedKey {
  keyId: string;
  team: string;
  publicKey: string;
  environment: EnvironmentScope;
  topics: string[] | null;
  related: string | null;
  revokedAt: string | null;
  canSign: boolean;
  privateKey?: string;
}

/** `Certificate` of the API. */
export interface Certificate {
  serialNumber: string;
  subject: string;
  topics: CertificateTopics[];
  environment: EnvironmentScope;
  notBefore: string;
  notAfter: string;
  issuedAt: string;
  revokedAt: string | null;
  certificate: string;
}

/** `CertificateTopics` of the API. */
export interface CertificateTopics {
  topic: string;
  kind: string;
}

/** `IssuedCertificate` of the API. */
export interface IssuedCertificate {
  serialNumber: string;
  subject: string;
  topics: CertificateTopics[];
  environment: EnvironmentScope;
  notBefore: string;
  notAfter: string;
  issuedAt: string;
  revokedAt: string | null;
  certificate: string;
  authority: string;
  privateKey: string | null;
  pkcs12: Base64 | null;
  password: string | null;
}

/** `Credentials` of the API. */
export interface Credentials {
  ca: string;
  keyId: string | null;
  teamId: string | null;
  key: string | null;
}

/** `Channel` of the API. */
export interface Channel {
  id: string;
  bundleId: string;
  environment: Environment;
  messageStoragePolicy: number;
  createdAt: string;
  broadcasts: number;
  followers: number;
  storedUntil: string | null;
}

/** `Connection` of the API. */
export interface Connection {
  id: number;
  peer: string;
  openedAt: string;
  tls: ConnectionTlsName | null;
  cipher: string | null;
  sni: string | null;
  alpn: string | null;
  environment: Environment;
  credential: Credential | null;
  streams: ConnectionStreams;
  pushes: number;
  pings: number;
  bytesIn: number;
  bytesOut: number;
  server?: string;
}

export type ConnectionTlsName = "TLSv1.2" | "TLSv1.3";

/** `ConnectionStreams` of the API. */
export interface ConnectionStreams {
  open: number;
  limit: number;
  total: number;
}

/** `ClosedConnection` of the API. */
export interface ClosedConnection {
  id: number;
  peer: string;
  openedAt: string;
  tls: ConnectionTlsName | null;
  cipher: string | null;
  sni: string | null;
  alpn: string | null;
  environment: Environment;
  credential: Credential | null;
  streams: ConnectionStreams;
  pushes: number;
  pings: number;
  bytesIn: number;
  bytesOut: number;
  server?: string;
  closedAt: string;
  reason: string | null;
}

/** `FailedHandshake` of the API. */
export interface FailedHandshake {
  id: number;
  at: string;
  peer: string;
  sni: string | null;
  environment: Environment;
  cause: FailedHandshakeCause;
  reason: string;
  count: number;
}

export type FailedHandshakeCause = "serverNotTrusted" | "notTLS" | "noHTTP2" | "tlsVersion" | "clientCertificate" | "hungUp" | "timedOut" | "fault" | "other";

/** `Fixtures` of the API. */
export interface Fixtures {
  devices: DeviceSpecification[];
  channels: ChannelSpecification[];
  faults: FaultSpecification[];
  keys: KeySpecification[];
  clock?: ClockChange;
}

/** `Index` of the API. */
export interface Index {
  version: string;
  openapi: string;
  paths: string[];
}

/** `Probe` of the API. */
export interface Probe {
  status: ProbeStatus;
  problem: string | null;
}

export type ProbeStatus = "starting" | "ready" | "unavailable" | "stopping";

/** `Removed` of the API. */
export interface Removed {
  removed: Record<string, number>;
}

/** `Changed` of the API. */
export interface Changed {
  changed: Record<string, number>;
}

/** `ResetEvent` of the API. */
export interface ResetEvent {
  removed: Record<string, number>;
  only: string[];
  scope: string | null;
}

/** `ActivityEvent` of the API. */
export interface ActivityEvent {
  at: string;
  device: string;
  scope: string | null;
  activity: ActivityEventActivity;
}

/** `ActivityEventActivity` of the API. */
export interface ActivityEventActivity {
  id: string;
  topic: string;
  environment: Environment;
  state: LiveActivityState;
  attributesType: string | null;
  attributes: Record<string, unknown> | null;
  contentState: Record<string, unknown>;
  startedAt: string;
  timestamp: string | null;
  staleDate: string | null;
  endedAt: string | null;
  dismissalDate: string | null;
  relevanceScore: number | null;
  token: string | null;
  channel: string | null;
}

/** `GapEvent` of the API. */
export interface GapEvent {
  from: number;
  to: number;
}

/** `Fleet` of the API. */
export interface Fleet {
  id: string;
  devices: number;
  lastPush: number | null;
}

/** `ScopeUse` of the API. */
export interface ScopeUse {
  name: string;
  devices: number;
  faults: number;
}

/** `Status` of the API. */
export interface Status {
  name: StatusName;
  version: string;
  startedAt: string;
  now: string;
  clock: ClockMode;
  seed: number;
  ports: StatusPorts;
  environment: Environment;
  counts: StatusCounts;
  journal: Record<string, number>;
  memory: StatusMemory;
  recorded: RecordedRun | null;
}

export type StatusName = "mynah";

/** `StatusPorts` of the API. */
export interface StatusPorts {
  apns: number[];
  channels: number[];
  webPush: number | null;
  cleartext: number | null;
  proxy: number | null;
  control: number | null;
}

/** `StatusCounts` of the API. */
export interface StatusCounts {
  received: number;
  accepted: number;
  refused: number;
  devices: number;
  stored: number;
  deferred: number;
  faults: number;
  faultsFired: number;
  scopes: number;
  connections: number;
  handshakesFailed: number;
  connectionsRefused: number;
}

/** `StatusMemory` of the API. */
export interface StatusMemory {
  resident: number | null;
}

/** `RecordedRun` of the API. */
export interface RecordedRun {
  file: string;
  position: number;
  sequence: number;
  time: string;
  first: RecordedRunFirst;
  last: RecordedRunFirst;
  differs: RecordedRunDiffers | null;
}

/** `RecordedRunFirst` of the API. */
export interface RecordedRunFirst {
  sequence: number;
  time: string;
}

/** `RecordedRunDiffers` of the API. */
export interface RecordedRunDiffers {
  position: number;
  detail: string;
}

/** `Problem` of the API. */
export interface Problem {
  type: ProblemType;
  title: string;
  status: number;
  detail: string;
  field: string | null;
  allowed: string[] | null;
}

export type ProblemType = "urn:mynah:problem:unknown-parameter" | "urn:mynah:problem:invalid-parameter" | "urn:mynah:problem:unknown-field" | "urn:mynah:problem:invalid-field" | "urn:mynah:problem:malformed-json" | "urn:mynah:problem:malformed-request" | "urn:mynah:problem:unauthorized" | "urn:mynah:problem:forbidden" | "urn:mynah:problem:not-found" | "urn:mynah:problem:method-not-allowed" | "urn:mynah:problem:conflict" | "urn:mynah:problem:evicted" | "urn:mynah:problem:too-large" | "urn:mynah:problem:long-query" | "urn:mynah:problem:long-head" | "urn:mynah:problem:unavailable" | "urn:mynah:problem:internal-error";

/** `NotificationPage` of the API. */
export interface NotificationPage {
  items: Notification[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `InboxPage` of the API. */
export interface InboxPage {
  items: Arrival[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `ClosedConnectionPage` of the API. */
export interface ClosedConnectionPage {
  items: ClosedConnection[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `FailedHandshakePage` of the API. */
export interface FailedHandshakePage {
  items: FailedHandshake[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `DevicePage` of the API. */
export interface DevicePage {
  items: Device[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `RegistrationPage` of the API. */
export interface RegistrationPage {
  items: Registration[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `LiveActivityPage` of the API. */
export interface LiveActivityPage {
  items: LiveActivity[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `ChannelPage` of the API. */
export interface ChannelPage {
  items: Channel[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `ConnectionPage` of the API. */
export interface ConnectionPage {
  items: Connection[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `FaultPage` of the API. */
export interface FaultPage {
  items: Fault[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `MagicTokenPage` of the API. */
export interface MagicTokenPage {
  items: MagicToken[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `ScenarioPage` of the API. */
export interface ScenarioPage {
  items: Scenario[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `KeyPage` of the API. */
export interface KeyPage {
  items: Key[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `CertificatePage` of the API. */
export interface CertificatePage {
  items: Certificate[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `ScopeUsePage` of the API. */
export interface ScopeUsePage {
  items: ScopeUse[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `FleetPage` of the API. */
export interface FleetPage {
  items: Fleet[];
  nextCursor: string | null;
  matched: number;
  timedOut: boolean;
  evicted: number;
  lastSequence: number;
}

/** `ListNotificationsFilters` of the API. */
export interface ListNotificationsFilters {
  token?: string[];
  device?: string[];
  scope?: string[];
  topic?: string[];
  channel?: string[];
  team?: string[];
  keyId?: string[];
  apnsId?: string[];
  uniqueId?: string[];
  collapseId?: string[];
  pushType?: string[];
  priority?: string[];
  environment?: string[];
  connection?: string[];
  kind?: string[];
  status?: string[];
  reason?: string[];
  outcome?: string[];
  shown?: string[];
  sounded?: string[];
  fault?: string[];
  has?: string[];
  since?: string[];
  until?: string[];
  text?: string[];
}

/** `ListDevicesFilters` of the API. */
export interface ListDevicesFilters {
  device?: string[];
  fleet?: string[];
  scope?: string[];
  topic?: string[];
  token?: string[];
  environment?: string[];
  named?: string[];
  user?: string[];
  platform?: string[];
  online?: string[];
  power?: string[];
}

/** `ClearScreenFilters` of the API. */
export interface ClearScreenFilters {
  topic?: string[];
  identifier?: string[];
}

/** `DismissActivitiesFilters` of the API. */
export interface DismissActivitiesFilters {
  device?: string[];
  fleet?: string[];
  scope?: string[];
  topic?: string[];
  token?: string[];
  environment?: string[];
  named?: string[];
  user?: string[];
  platform?: string[];
  online?: string[];
  power?: string[];
  channel?: string[];
  attributesType?: string[];
}

export type ListChannelsEnvironment = "sandbox" | "production";

/** `ListConnectionsFilters` of the API. */
export interface ListConnectionsFilters {
  environment?: string[];
  team?: string[];
  keyId?: string[];
  connection?: string[];
}

export type StreamEventsEvent = "notification" | "outcome" | "device" | "activity" | "channel" | "fault" | "connection" | "clock" | "reset";
