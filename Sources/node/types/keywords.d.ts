// Made by Sources/helpers/generate.py: change that, or what the program says.
// The named arguments of calls, as the program describes them.
import type * as schemas from "./schemas";
import type { Duration, FilterValue, ListFilterValue, PushFilterValue, Time } from "./values";

/** Members of `DeviceSpecification`. */
export interface DeviceSettings {
  id?: string | null;
  user?: string | null;
  name?: string | null;
  model?: string | null;
  platform?: schemas.Platform | null;
  osVersion?: string | null;
  environment?: schemas.Environment | null;
  locale?: string | null;
  power?: schemas.Power | null;
  focus?: schemas.Focus | null;
  languages?: string[] | null;
  locked?: boolean | null;
  muted?: boolean | null;
  watch?: schemas.PairedWatch | null;
  summary?: schemas.SummarySchedule | null;
  registrations?: schemas.RegistrationSpecification[] | null;
  activities?: schemas.LiveActivity[] | null;
}

/** Members of `DeviceChange`. */
export interface DeviceChanges {
  user?: string | null;
  name?: string | null;
  osVersion?: string | null;
  locale?: string | null;
  online?: boolean | null;
  power?: schemas.Power | null;
  focus?: schemas.Focus | null;
  languages?: string[] | null;
  locked?: boolean | null;
  muted?: boolean | null;
  watch?: schemas.PairedWatch | null;
  summary?: schemas.SummarySchedule | null;
}

/** Members of `RegistrationSpecification`. */
export interface AppSettings {
  kind?: schemas.RegistrationSpecificationKindName | null;
  applicationServerKey?: string | null;
  environment?: schemas.Environment | null;
  token?: string | null;
  launched?: boolean | null;
  entitled?: boolean | null;
  rotate?: schemas.RegistrationSpecificationRotateName | null;
  backgroundRefresh?: boolean | null;
  worker?: schemas.AppSettingsWorkerName | null;
  appState?: schemas.AppState | null;
  permissions?: schemas.Permissions | null;
  presentInForeground?: schemas.ForegroundOption[] | null;
  appName?: string | null;
  sounds?: schemas.Sound[] | null;
  categories?: schemas.Category[] | null;
  strings?: Record<string, string | Record<string, string>> | null;
  developmentLanguage?: string | null;
  serviceExtension?: schemas.ServiceExtension | null;
  focusFilter?: Record<string, string[]> | null;
  reportsCalls?: boolean | null;
  frequentUpdates?: boolean | null;
  backgroundFetch?: schemas.BackgroundFetch | null;
  backgroundModes?: schemas.AppSettingsBackgroundModes[] | null;
  state?: schemas.RegistrationState | null;
  since?: Time | null;
  endedAt?: Time | null;
  webPush?: unknown;
  unregisteredAt?: Time | null;
}

/** Members of `AppSettings`. */
export interface AppChanges {
  backgroundRefresh?: boolean | null;
  worker?: schemas.AppSettingsWorkerName | null;
  appState?: schemas.AppState | null;
  permissions?: schemas.Permissions | null;
  presentInForeground?: schemas.ForegroundOption[] | null;
  appName?: string | null;
  sounds?: schemas.Sound[] | null;
  categories?: schemas.Category[] | null;
  strings?: Record<string, string | Record<string, string>> | null;
  developmentLanguage?: string | null;
  serviceExtension?: schemas.ServiceExtension | null;
  focusFilter?: Record<string, string[]> | null;
  reportsCalls?: boolean | null;
  frequentUpdates?: boolean | null;
  backgroundFetch?: schemas.BackgroundFetch | null;
  backgroundModes?: schemas.AppSettingsBackgroundModes[] | null;
}

/** Members of `LiveActivitySpecification`. */
export interface ActivitySettings {
  environment?: schemas.Environment | null;
  attributes?: Record<string, unknown> | null;
  contentState?: Record<string, unknown> | null;
  staleDate?: Time | null;
  relevanceScore?: number | null;
  pushType?: "token" | schemas.LiveActivitySpecificationPushTypeObject | null;
}

/** Members of `LiveActivityChange`. */
export interface ActivityChanges {
  contentState?: Record<string, unknown> | null;
  staleDate?: Time | null;
  relevanceScore?: number | null;
  dismissalDate?: Time | null;
}

/** Members of `SubscriptionSpecification`. */
export interface SubscriptionSettings {
  topic?: string | null;
  environment?: schemas.Environment | null;
  attributesType?: string | null;
  attributes?: Record<string, unknown> | null;
  contentState?: Record<string, unknown> | null;
  staleDate?: Time | null;
  relevanceScore?: number | null;
}

/** Members of `ChannelSpecification`. */
export interface ChannelSettings {
  id?: string | null;
  environment?: schemas.Environment | null;
  messageStoragePolicy?: number | null;
}

/** Members of `KeySpecification`. */
export interface KeySettings {
  keyId?: schemas.KeyID | null;
  team?: schemas.KeyID | null;
  publicKey?: string | null;
  privateKey?: string | null;
  environment?: schemas.EnvironmentScope | null;
  topics?: schemas.KeyTopics | null;
  related?: string | null;
  revokedAt?: Time | null;
}

/** Members of `CertificateOrder`. */
export interface CertificateSettings {
  voip?: boolean | null;
  complication?: boolean | null;
  environment?: schemas.EnvironmentScope | null;
  days?: number | null;
  expired?: boolean | null;
  keyType?: schemas.ProviderKeyType | null;
  password?: string | null;
  csr?: string | null;
}

/** Members of `NotificationSpecification`. */
export interface PushSettings {
  token?: string | null;
  channel?: string | null;
  topic?: string | null;
  pushType?: string | null;
  priority?: string | number | null;
  expiration?: string | number | null;
  collapseId?: string | null;
  apnsId?: string | null;
  payload?: unknown;
  payloadBase64?: schemas.Base64 | null;
  environment?: schemas.Environment | null;
  timeout?: schemas.Duration | null;
}

/** Members of `FaultSpecification`. */
export interface FaultSettings {
  id?: string | null;
  name?: string | null;
  enabled?: boolean | null;
  rulePriority?: number | null;
  skip?: number | null;
  times?: number | null;
  every?: number | null;
  probability?: number | null;
  connections?: schemas.FaultConnections | null;
  keys?: schemas.FaultConnections | null;
  rateOver?: schemas.FaultRateOver | null;
  activeFrom?: Time | null;
  activeUntil?: Time | null;
  then?: schemas.FaultThen | null;
}

/** Members of `FaultSpecification`. */
export interface FaultChanges {
  name?: string | null;
  scope?: string | null;
  enabled?: boolean | null;
  rulePriority?: number | null;
  match?: schemas.FaultMatch;
  skip?: number | null;
  times?: number | null;
  every?: number | null;
  probability?: number | null;
  connections?: schemas.FaultConnections | null;
  keys?: schemas.FaultConnections | null;
  rateOver?: schemas.FaultRateOver | null;
  activeFrom?: Time | null;
  activeUntil?: Time | null;
  action?: schemas.FaultAction | null;
  actions?: schemas.FaultAction[] | null;
  then?: schemas.FaultThen | null;
}

/** Members of `FaultAction`. */
export interface FaultOptions {
  delay?: schemas.FaultDelay | null;
  clock?: schemas.FaultDelayObjectClockName | null;
  reason?: Reason;
  timestamp?: number | null;
  body?: string | null;
  answerHeaders?: Record<string, string | null> | null;
  deliver?: boolean | null;
  by?: schemas.Duration | null;
  code?: schemas.FaultActionCodeName | number | null;
  when?: schemas.FaultActionWhenName | null;
  debug?: string | null;
  lastStreamId?: schemas.FaultActionLastStreamIdName | number | null;
  twoStep?: boolean | null;
  frames?: number | null;
  close?: schemas.FaultActionCloseName | null;
  afterPushes?: number | null;
  maxConcurrentStreams?: number | null;
  initialWindowSize?: number | null;
  headerTableSize?: number | null;
  maxFrameSize?: number | null;
  withhold?: boolean | null;
  alert?: schemas.FaultActionAlertName | null;
  certificate?: schemas.FaultActionCertificateName | null;
  stall?: boolean | null;
  slow?: schemas.Duration | null;
  how?: schemas.FaultActionHowName | null;
  afterBytes?: number | null;
  afterIdle?: schemas.Duration | null;
  bytesPerSecond?: number | null;
  chunk?: number | null;
}

/** Members of `Reset`. */
export interface ResetSettings {
  only?: readonly schemas.ResetOnly[];
  scope?: string;
}

/** Filters of `GET /v1/notifications`. */
export interface ListFilters {
  token?: PushFilterValue;
  device?: PushFilterValue;
  topic?: PushFilterValue;
  channel?: PushFilterValue;
  team?: PushFilterValue;
  keyId?: PushFilterValue;
  apnsId?: PushFilterValue;
  uniqueId?: PushFilterValue;
  collapseId?: PushFilterValue;
  pushType?: PushFilterValue;
  priority?: PushFilterValue;
  environment?: PushFilterValue;
  connection?: PushFilterValue;
  kind?: PushFilterValue;
  status?: PushFilterValue;
  reason?: PushFilterValue;
  outcome?: PushFilterValue;
  shown?: PushFilterValue;
  sounded?: PushFilterValue;
  fault?: PushFilterValue;
  has?: PushFilterValue;
  since?: PushFilterValue;
  until?: PushFilterValue;
  text?: PushFilterValue;
  payload?: Record<string, PushFilterValue>;
  screen?: Record<string, PushFilterValue>;
  webPush?: Record<string, PushFilterValue>;
}

/** Filters of `GET /v1/devices/{id}/inbox`. */
export interface InboxFilters {
  token?: PushFilterValue;
  device?: PushFilterValue;
  topic?: PushFilterValue;
  channel?: PushFilterValue;
  team?: PushFilterValue;
  keyId?: PushFilterValue;
  apnsId?: PushFilterValue;
  uniqueId?: PushFilterValue;
  collapseId?: PushFilterValue;
  pushType?: PushFilterValue;
  priority?: PushFilterValue;
  environment?: PushFilterValue;
  connection?: PushFilterValue;
  status?: PushFilterValue;
  reason?: PushFilterValue;
  outcome?: PushFilterValue;
  shown?: PushFilterValue;
  sounded?: PushFilterValue;
  fault?: PushFilterValue;
  has?: PushFilterValue;
  since?: PushFilterValue;
  until?: PushFilterValue;
  text?: PushFilterValue;
  payload?: Record<string, PushFilterValue>;
  screen?: Record<string, PushFilterValue>;
  webPush?: Record<string, PushFilterValue>;
}

/** Filters of `GET /v1/devices`. */
export interface DeviceFilters {
  device?: ListFilterValue;
  fleet?: ListFilterValue;
  topic?: ListFilterValue;
  token?: ListFilterValue;
  environment?: ListFilterValue;
  named?: ListFilterValue;
  user?: ListFilterValue;
  platform?: ListFilterValue;
  online?: ListFilterValue;
  power?: ListFilterValue;
}

/** Filters of `GET /v1/connections`. */
export interface ConnectionFilters {
  environment?: ListFilterValue;
  team?: ListFilterValue;
  keyId?: ListFilterValue;
  connection?: ListFilterValue;
}

/** Filters of `GET /v1/faults`. */
export interface FaultListFilters {
  fault?: ListFilterValue;
  name?: ListFilterValue;
  enabled?: ListFilterValue;
  fired?: ListFilterValue;
  event?: ListFilterValue;
  action?: ListFilterValue;
}

/** Members of `FaultMatch`. */
export interface FaultFilters {
  token?: FilterValue;
  device?: FilterValue;
  topic?: FilterValue;
  channel?: FilterValue;
  team?: FilterValue;
  keyId?: FilterValue;
  apnsId?: FilterValue;
  collapseId?: FilterValue;
  pushType?: FilterValue;
  priority?: FilterValue;
  environment?: FilterValue;
  connection?: FilterValue;
  kind?: FilterValue;
  text?: FilterValue;
  payload?: Record<string, FilterValue>;
  payloadIncludes?: Record<string, unknown> | unknown[];
  headers?: Record<string, FilterValue>;
  event?: schemas.FaultEvent;
}

/** Members of `Match`. */
export interface Filters {
  token?: FilterValue;
  device?: FilterValue;
  topic?: FilterValue;
  channel?: FilterValue;
  team?: FilterValue;
  keyId?: FilterValue;
  apnsId?: FilterValue;
  uniqueId?: FilterValue;
  collapseId?: FilterValue;
  pushType?: FilterValue;
  priority?: FilterValue;
  environment?: FilterValue;
  connection?: FilterValue;
  kind?: FilterValue;
  status?: FilterValue;
  reason?: FilterValue;
  outcome?: FilterValue;
  shown?: FilterValue;
  sounded?: FilterValue;
  fault?: FilterValue;
  has?: FilterValue;
  since?: FilterValue;
  until?: FilterValue;
  text?: FilterValue;
  payload?: Record<string, FilterValue>;
  payloadIncludes?: Record<string, unknown> | unknown[];
  headers?: Record<string, FilterValue>;
  screen?: Record<string, FilterValue>;
  webPush?: Record<string, FilterValue>;
  q?: string;
}

/** The flags of `mynah serve`. */
export interface ServerSettings {
  host?: string;
  port?: number | string | readonly (number | string)[];
  channelsPort?: number | string | readonly (number | string)[];
  webPushPort?: number | string;
  cleartextPort?: number | string;
  proxyPort?: number | string;
  stateDir?: string;
  tlsName?: string | readonly (string)[];
  exportDir?: string;
  exportHost?: string;
  auth?: "strict" | "structural";
  authKey?: string | readonly (string)[];
  providerCa?: string | readonly (string)[];
  teamId?: string;
  teamTopics?: string | readonly (string)[];
  broadcastApps?: string | readonly (string)[];
  environment?: "sandbox" | "production";
  devices?: "open" | "strict";
  fixtures?: string;
  watch?: boolean;
  magicTokens?: boolean;
  scenario?: string | readonly (string)[];
  seed?: number | string;
  payloadCheck?: "lenient" | "strict";
  pushTypeCheck?: "lenient" | "strict";
  errorContentType?: boolean;
  documentedReasons?: boolean;
  streamLimits?: string;
  idleTimeout?: Duration;
  requestTimeout?: Duration;
  maxErrors?: number | string;
  reconnectLimit?: string;
  requestLimit?: string;
  tokenLength?: string;
  issuedTokenLength?: number | string;
  unregisterDelay?: string;
  backgroundBudget?: number | string;
  activityBudget?: number | string;
  deferralMax?: Duration;
  tokenUpdates?: "connection" | "key";
  retain?: number | string;
  retainBytes?: string;
  data?: string;
  sync?: "full" | "normal";
  keep?: "journal" | "all";
  leaveOut?: string | readonly (string)[];
  cluster?: string | readonly (string)[];
  clusterName?: string;
  clusterServer?: string;
  clusterReplicas?: number | string;
  clusterCa?: string;
  clusterCredentials?: string;
  controlPort?: number | string;
  controlHost?: string;
  controlToken?: string;
  insecureControl?: boolean;
  allowedHost?: string | readonly (string)[];
  corsOrigin?: string | readonly (string)[];
  shutdownGrace?: Duration;
  logLevel?: string;
  logFormat?: "text" | "json";
  quiet?: boolean;
  logPushes?: boolean;
}

/** The presets of faults. */
export type Preset =
  | "400"
  | "403"
  | "404"
  | "405"
  | "410"
  | "413"
  | "429"
  | "500"
  | "503"
  | "stall"
  | "slow"
  | "lose"
  | "late"
  | "duplicate"
  | "reset"
  | "refuse-stream"
  | "truncate"
  | "malformed"
  | "oversized"
  | "goaway"
  | "close"
  | "hang-up"
  | "half-open"
  | "streams"
  | "no-window"
  | "no-ping"
  | "throttle"
  | "refuse"
  | "tls-alert"
  | "tls-expired"
  | "tls-wrong-host"
  | "tls-untrusted"
  | "tls-stall"
  | "tls-slow";

/** The reasons that APNs gives. */
export type Reason =
  | "BadAuthorizationHeader"
  | "BadCertificate"
  | "BadCertificateEnvironment"
  | "BadChannelId"
  | "BadCollapseId"
  | "BadDeviceToken"
  | "BadEnvironmentKeyInToken"
  | "BadExpirationDate"
  | "BadJwtToken"
  | "BadMessageId"
  | "BadPath"
  | "BadPriority"
  | "BadRequestParams"
  | "BadRequestPayload"
  | "BadTopic"
  | "BadTtl"
  | "BadUrgency"
  | "BadVapidPublicKey"
  | "BadWebPushRequest"
  | "BadWebPushTopic"
  | "BroadcastFeatureNotEnabled"
  | "CannotCreateChannelConfig"
  | "ChannelNotRegistered"
  | "DeviceTokenNotForTopic"
  | "DuplicateHeaders"
  | "ExpiredProviderToken"
  | "ExpiredToken"
  | "Forbidden"
  | "IdleTimeout"
  | "InternalServerError"
  | "InvalidProviderToken"
  | "InvalidPushType"
  | "MethodNotAllowed"
  | "MissingChannelId"
  | "MissingChannelQueueSize"
  | "MissingDeviceToken"
  | "MissingProviderToken"
  | "MissingPushType"
  | "MissingTopic"
  | "PayloadEmpty"
  | "PayloadTooLarge"
  | "ServiceUnavailable"
  | "Shutdown"
  | "TooManyProviderTokenUpdates"
  | "TooManyRequests"
  | "TopicDisallowed"
  | "TopicMismatch"
  | "Unregistered"
  | "UnrelatedKeyIdInToken"
  | "VapidPkHashMismatch";
