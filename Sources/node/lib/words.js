"use strict";
// Made by Sources/helpers/generate.py: change that, or what the program says.

/** The names that calls of one request take, by class and method. */
const known = {
  scope: {
    addDevices: [
      "id", "user", "name", "model", "platform", "osVersion", "environment", "locale", "power", "focus", "languages",
      "locked", "muted", "watch", "summary", "registrations", "activities",
    ],
    putDevice: [
      "id", "user", "name", "model", "platform", "osVersion", "environment", "locale", "power", "focus", "languages",
      "locked", "muted", "watch", "summary", "registrations", "activities",
    ],
    devices: [
      "scope", "sort", "after", "order", "limit", "cursor", "device", "fleet", "topic", "token", "environment",
      "named", "user", "platform", "online", "power",
    ],
    changeDevices: [
      "scope", "user", "name", "osVersion", "locale", "online", "power", "focus", "languages", "locked", "muted",
      "watch", "summary",
    ],
    removeDevices: [
      "scope", "device", "fleet", "topic", "token", "environment", "named", "user", "platform", "online", "power",
    ],
    startActivities: [
      "user", "environment", "attributes", "contentState", "staleDate", "relevanceScore", "pushType",
    ],
    dismissActivities: ["user", "channel"],
    faults: ["scope", "order", "limit", "cursor", "fault", "name", "enabled", "fired", "event", "action"],
    removeFaults: ["scope", "fault", "name", "enabled", "fired", "event", "action"],
    send: [
      "token", "channel", "topic", "pushType", "priority", "expiration", "collapseId", "apnsId", "payload",
      "payloadBase64", "environment", "timeout",
    ],
    notifications: [
      "scope", "q", "wait", "count", "after", "order", "limit", "cursor", "token", "device", "topic", "channel",
      "team", "keyId", "apnsId", "uniqueId", "collapseId", "pushType", "priority", "environment", "connection", "kind",
      "status", "reason", "outcome", "shown", "sounded", "fault", "has", "since", "until", "text", "payload", "screen",
      "webPush",
    ],
    removeNotifications: [
      "scope", "q", "token", "device", "topic", "channel", "team", "keyId", "apnsId", "uniqueId", "collapseId",
      "pushType", "priority", "environment", "connection", "kind", "status", "reason", "outcome", "shown", "sounded",
      "fault", "has", "since", "until", "text", "payload", "screen", "webPush",
    ],
    events: [
      "scope", "q", "event", "after", "token", "device", "topic", "channel", "team", "keyId", "apnsId", "uniqueId",
      "collapseId", "pushType", "priority", "environment", "connection", "kind", "status", "reason", "outcome",
      "shown", "sounded", "fault", "has", "since", "until", "text", "payload", "screen", "webPush",
    ],
  },
  server: {
    fixtures: ["scope"],
    reset: ["only", "scope"],
    scopes: ["order", "limit", "cursor"],
    fleets: ["order", "limit", "cursor"],
    createChannel: ["id", "environment", "messageStoragePolicy"],
    keys: ["order", "limit", "cursor"],
    addKey: ["keyId", "team", "publicKey", "privateKey", "environment", "topics", "related", "revokedAt"],
    putKey: ["keyId", "team", "publicKey", "privateKey", "environment", "topics", "related", "revokedAt"],
    certificates: ["order", "limit", "cursor"],
    issueCertificate: ["voip", "complication", "environment", "days", "expired", "keyType", "password", "csr"],
    connections: ["wait", "count", "order", "limit", "cursor", "environment", "team", "keyId", "connection"],
    closeConnection: ["abort"],
    failedHandshakes: ["order", "limit", "cursor"],
    closedConnections: ["order", "limit", "cursor"],
    scenarios: ["shipped", "scope", "order", "limit", "cursor"],
    scenario: ["scope"],
    removeScenario: ["scope"],
    removeScenarios: ["scope"],
    magicTokens: ["order", "limit", "cursor"],
  },
  device: {
    change: [
      "user", "name", "osVersion", "locale", "online", "power", "focus", "languages", "locked", "muted", "watch",
      "summary",
    ],
    events: ["connect", "after"],
    app: ["environment"],
    install: [
      "kind", "applicationServerKey", "environment", "token", "launched", "entitled", "rotate", "backgroundRefresh",
      "worker", "appState", "permissions", "presentInForeground", "appName", "sounds", "categories", "strings",
      "developmentLanguage", "serviceExtension", "focusFilter", "reportsCalls", "frequentUpdates", "backgroundFetch",
      "backgroundModes", "state", "since", "endedAt", "webPush", "unregisteredAt",
    ],
    changeApp: [
      "environment", "backgroundRefresh", "worker", "appState", "permissions", "presentInForeground", "appName",
      "sounds", "categories", "strings", "developmentLanguage", "serviceExtension", "focusFilter", "reportsCalls",
      "frequentUpdates", "backgroundFetch", "backgroundModes",
    ],
    uninstall: ["environment"],
    inbox: [
      "q", "kind", "wait", "count", "after", "order", "limit", "cursor", "token", "device", "topic", "channel", "team",
      "keyId", "apnsId", "uniqueId", "collapseId", "pushType", "priority", "environment", "connection", "status",
      "reason", "outcome", "shown", "sounded", "fault", "has", "since", "until", "text", "payload", "screen",
      "webPush",
    ],
    startActivity: ["environment", "attributes", "contentState", "staleDate", "relevanceScore", "pushType"],
    updateActivity: ["contentState", "staleDate", "relevanceScore", "dismissalDate"],
    endActivity: ["contentState", "staleDate", "relevanceScore", "dismissalDate"],
    subscribe: [
      "topic", "environment", "attributesType", "attributes", "contentState", "staleDate", "relevanceScore",
    ],
  },
  fault: {
    change: [
      "name", "scope", "enabled", "rulePriority", "match", "skip", "times", "every", "probability", "connections",
      "keys", "rateOver", "activeFrom", "activeUntil", "action", "actions", "then",
    ],
  },
  clock: {  },
};

/** The names of sets of arguments. */
const sets = {
  DeviceSettings: [
    "id", "user", "name", "model", "platform", "osVersion", "environment", "locale", "power", "focus", "languages",
    "locked", "muted", "watch", "summary", "registrations", "activities",
  ],
  DeviceChanges: [
    "user", "name", "osVersion", "locale", "online", "power", "focus", "languages", "locked", "muted", "watch",
    "summary",
  ],
  AppSettings: [
    "kind", "applicationServerKey", "environment", "token", "launched", "entitled", "rotate", "backgroundRefresh",
    "worker", "appState", "permissions", "presentInForeground", "appName", "sounds", "categories", "strings",
    "developmentLanguage", "serviceExtension", "focusFilter", "reportsCalls", "frequentUpdates", "backgroundFetch",
    "backgroundModes", "state", "since", "endedAt", "webPush", "unregisteredAt",
  ],
  AppChanges: [
    "backgroundRefresh", "worker", "appState", "permissions", "presentInForeground", "appName", "sounds", "categories",
    "strings", "developmentLanguage", "serviceExtension", "focusFilter", "reportsCalls", "frequentUpdates",
    "backgroundFetch", "backgroundModes",
  ],
  ActivitySettings: ["environment", "attributes", "contentState", "staleDate", "relevanceScore", "pushType"],
  ActivityChanges: ["contentState", "staleDate", "relevanceScore", "dismissalDate"],
  SubscriptionSettings: [
    "topic", "environment", "attributesType", "attributes", "contentState", "staleDate", "relevanceScore",
  ],
  ChannelSettings: ["id", "environment", "messageStoragePolicy"],
  KeySettings: ["keyId", "team", "publicKey", "privateKey", "environment", "topics", "related", "revokedAt"],
  CertificateSettings: ["voip", "complication", "environment", "days", "expired", "keyType", "password", "csr"],
  PushSettings: [
    "token", "channel", "topic", "pushType", "priority", "expiration", "collapseId", "apnsId", "payload",
    "payloadBase64", "environment", "timeout",
  ],
  FaultSettings: [
    "id", "name", "enabled", "rulePriority", "skip", "times", "every", "probability", "connections", "keys",
    "rateOver", "activeFrom", "activeUntil", "then",
  ],
  FaultChanges: [
    "name", "scope", "enabled", "rulePriority", "match", "skip", "times", "every", "probability", "connections",
    "keys", "rateOver", "activeFrom", "activeUntil", "action", "actions", "then",
  ],
  FaultOptions: [
    "delay", "clock", "reason", "timestamp", "body", "answerHeaders", "deliver", "by", "code", "when", "debug",
    "lastStreamId", "twoStep", "frames", "close", "afterPushes", "maxConcurrentStreams", "initialWindowSize",
    "headerTableSize", "maxFrameSize", "withhold", "alert", "certificate", "stall", "slow", "how", "afterBytes",
    "afterIdle", "bytesPerSecond", "chunk",
  ],
  ResetSettings: ["only", "scope"],
  FaultFilters: [
    "token", "device", "topic", "channel", "team", "keyId", "apnsId", "collapseId", "pushType", "priority",
    "environment", "connection", "kind", "text", "payload", "payloadIncludes", "headers", "event",
  ],
  Filters: [
    "token", "device", "topic", "channel", "team", "keyId", "apnsId", "uniqueId", "collapseId", "pushType", "priority",
    "environment", "connection", "kind", "status", "reason", "outcome", "shown", "sounded", "fault", "has", "since",
    "until", "text", "payload", "payloadIncludes", "headers", "screen", "webPush", "q",
  ],
  ListFilters: [
    "token", "device", "topic", "channel", "team", "keyId", "apnsId", "uniqueId", "collapseId", "pushType", "priority",
    "environment", "connection", "kind", "status", "reason", "outcome", "shown", "sounded", "fault", "has", "since",
    "until", "text", "payload", "screen", "webPush",
  ],
  InboxFilters: [
    "token", "device", "topic", "channel", "team", "keyId", "apnsId", "uniqueId", "collapseId", "pushType", "priority",
    "environment", "connection", "status", "reason", "outcome", "shown", "sounded", "fault", "has", "since", "until",
    "text", "payload", "screen", "webPush",
  ],
  DeviceFilters: [
    "device", "fleet", "topic", "token", "environment", "named", "user", "platform", "online", "power",
  ],
  ConnectionFilters: ["environment", "team", "keyId", "connection"],
  FaultListFilters: ["fault", "name", "enabled", "fired", "event", "action"],
};

/** The actions of the presets of faults. */
const presets = {
  "400": { type: "respond", status: 400, reason: "BadDeviceToken" },
  "403": { type: "respond", status: 403, reason: "InvalidProviderToken" },
  "404": { type: "respond", status: 404, reason: "BadPath" },
  "405": { type: "respond", status: 405, reason: "MethodNotAllowed" },
  "410": { type: "respond", status: 410, reason: "Unregistered" },
  "413": { type: "respond", status: 413, reason: "PayloadTooLarge" },
  "429": { type: "respond", status: 429, reason: "TooManyRequests" },
  "500": { type: "respond", status: 500, reason: "InternalServerError" },
  "503": { type: "respond", status: 503, reason: "ServiceUnavailable" },
  stall: { type: "stall" },
  slow: { type: "pass", delay: "2s" },
  lose: { type: "lose" },
  late: { type: "deliverLate", by: "1m" },
  duplicate: { type: "duplicate", times: 2 },
  reset: { type: "resetStream", code: "INTERNAL_ERROR", when: "beforeHeaders" },
  "refuse-stream": { type: "resetStream", code: "REFUSED_STREAM", when: "beforeHeaders" },
  truncate: { type: "truncate" },
  malformed: { type: "malformedFrame" },
  oversized: { type: "oversizedFrame" },
  goaway: {
    type: "goaway",
    code: "NO_ERROR",
    reason: "Shutdown",
    lastStreamId: "processed",
    twoStep: false,
    frames: 1,
    close: "afterStreams",
  },
  close: { type: "close", how: "rst" },
  "hang-up": { type: "close", how: "fin" },
  "half-open": { type: "close", how: "halfOpen" },
  streams: { type: "settings", maxConcurrentStreams: 1 },
  "no-window": { type: "withholdWindow" },
  "no-ping": { type: "ignorePing" },
  throttle: { type: "throttle", bytesPerSecond: 1000 },
  refuse: { type: "refuse" },
  "tls-alert": { type: "tls", alert: "handshake_failure", when: "duringHandshake" },
  "tls-expired": { type: "tls", certificate: "expired" },
  "tls-wrong-host": { type: "tls", certificate: "wrongHost" },
  "tls-untrusted": { type: "tls", certificate: "untrusted" },
  "tls-stall": { type: "tls", stall: true },
  "tls-slow": { type: "tls", slow: "5s" },
};

/** The reasons that APNs gives. */
const reasons = [
  "BadAuthorizationHeader", "BadCertificate", "BadCertificateEnvironment", "BadChannelId", "BadCollapseId",
  "BadDeviceToken", "BadEnvironmentKeyInToken", "BadExpirationDate", "BadJwtToken", "BadMessageId", "BadPath",
  "BadPriority", "BadRequestParams", "BadRequestPayload", "BadTopic", "BadTtl", "BadUrgency", "BadVapidPublicKey",
  "BadWebPushRequest", "BadWebPushTopic", "BroadcastFeatureNotEnabled", "CannotCreateChannelConfig",
  "ChannelNotRegistered", "DeviceTokenNotForTopic", "DuplicateHeaders", "ExpiredProviderToken", "ExpiredToken",
  "Forbidden", "IdleTimeout", "InternalServerError", "InvalidProviderToken", "InvalidPushType", "MethodNotAllowed",
  "MissingChannelId", "MissingChannelQueueSize", "MissingDeviceToken", "MissingProviderToken", "MissingPushType",
  "MissingTopic", "PayloadEmpty", "PayloadTooLarge", "ServiceUnavailable", "Shutdown", "TooManyProviderTokenUpdates",
  "TooManyRequests", "TopicDisallowed", "TopicMismatch", "Unregistered", "UnrelatedKeyIdInToken",
  "VapidPkHashMismatch",
];

/** The flags of `mynah serve`, by the names of settings. */
const settings = {
  host: "host",
  port: "port",
  channelsPort: "channels-port",
  webPushPort: "web-push-port",
  cleartextPort: "cleartext-port",
  proxyPort: "proxy-port",
  stateDir: "state-dir",
  tlsName: "tls-name",
  exportDir: "export-dir",
  exportHost: "export-host",
  auth: "auth",
  authKey: "auth-key",
  providerCa: "provider-ca",
  teamId: "team-id",
  teamTopics: "team-topics",
  broadcastApps: "broadcast-apps",
  environment: "environment",
  devices: "devices",
  fixtures: "fixtures",
  watch: "watch",
  magicTokens: "magic-tokens",
  scenario: "scenario",
  seed: "seed",
  payloadCheck: "payload-check",
  pushTypeCheck: "push-type-check",
  errorContentType: "error-content-type",
  documentedReasons: "documented-reasons",
  streamLimits: "stream-limits",
  idleTimeout: "idle-timeout",
  requestTimeout: "request-timeout",
  maxErrors: "max-errors",
  reconnectLimit: "reconnect-limit",
  requestLimit: "request-limit",
  tokenLength: "token-length",
  issuedTokenLength: "issued-token-length",
  unregisterDelay: "unregister-delay",
  backgroundBudget: "background-budget",
  activityBudget: "activity-budget",
  deferralMax: "deferral-max",
  tokenUpdates: "token-updates",
  retain: "retain",
  retainBytes: "retain-bytes",
  data: "data",
  sync: "sync",
  keep: "keep",
  leaveOut: "leave-out",
  cluster: "cluster",
  clusterName: "cluster-name",
  clusterServer: "cluster-server",
  clusterReplicas: "cluster-replicas",
  clusterCa: "cluster-ca",
  clusterCredentials: "cluster-credentials",
  controlPort: "control-port",
  controlHost: "control-host",
  controlToken: "control-token",
  insecureControl: "insecure-control",
  allowedHost: "allowed-host",
  corsOrigin: "cors-origin",
  shutdownGrace: "shutdown-grace",
  logLevel: "log-level",
  logFormat: "log-format",
  quiet: "quiet",
  logPushes: "log-pushes",
};

/** Settings that are flags without a value. */
const switches = ["watch", "documentedReasons", "insecureControl", "quiet"];

/** The version of the program. */
const version = "0.1.0";

module.exports = { known, sets, presets, reasons, settings, switches, version };
