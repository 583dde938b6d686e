<?php

// Made by Sources/helpers/generate.py: change that, or what the program says.
declare(strict_types=1);

namespace Mynah;

/** The words that calls know when they run. */
final class Words
{
    /** The names that calls of one request take, by class and method. */
    public const KNOWN = [
        'Scope' => [
            'addDevices' => [
                'id', 'user', 'name', 'model', 'platform', 'osVersion', 'environment', 'locale', 'power', 'focus',
                'languages', 'locked', 'muted', 'watch', 'summary', 'registrations', 'activities',
            ],
            'putDevice' => [
                'id', 'user', 'name', 'model', 'platform', 'osVersion', 'environment', 'locale', 'power', 'focus',
                'languages', 'locked', 'muted', 'watch', 'summary', 'registrations', 'activities',
            ],
            'devices' => [
                'scope', 'sort', 'after', 'order', 'limit', 'cursor', 'device', 'fleet', 'topic', 'token',
                'environment', 'named', 'user', 'platform', 'online', 'power',
            ],
            'changeDevices' => [
                'scope', 'user', 'name', 'osVersion', 'locale', 'online', 'power', 'focus', 'languages', 'locked',
                'muted', 'watch', 'summary',
            ],
            'removeDevices' => [
                'scope', 'device', 'fleet', 'topic', 'token', 'environment', 'named', 'user', 'platform', 'online',
                'power',
            ],
            'startActivities' => [
                'user', 'environment', 'attributes', 'contentState', 'staleDate', 'relevanceScore', 'pushType',
            ],
            'dismissActivities' => ['user', 'channel'],
            'faults' => [
                'scope', 'order', 'limit', 'cursor', 'fault', 'name', 'enabled', 'fired', 'event', 'action',
            ],
            'removeFaults' => ['scope', 'fault', 'name', 'enabled', 'fired', 'event', 'action'],
            'send' => [
                'token', 'channel', 'topic', 'pushType', 'priority', 'expiration', 'collapseId', 'apnsId', 'payload',
                'payloadBase64', 'environment', 'timeout',
            ],
            'notifications' => [
                'scope', 'q', 'wait', 'count', 'after', 'order', 'limit', 'cursor', 'token', 'device', 'topic',
                'channel', 'team', 'keyId', 'apnsId', 'uniqueId', 'collapseId', 'pushType', 'priority', 'environment',
                'connection', 'kind', 'status', 'reason', 'outcome', 'shown', 'sounded', 'fault', 'has', 'since',
                'until', 'text', 'payload', 'screen', 'webPush',
            ],
            'removeNotifications' => [
                'scope', 'q', 'token', 'device', 'topic', 'channel', 'team', 'keyId', 'apnsId', 'uniqueId',
                'collapseId', 'pushType', 'priority', 'environment', 'connection', 'kind', 'status', 'reason',
                'outcome', 'shown', 'sounded', 'fault', 'has', 'since', 'until', 'text', 'payload', 'screen', 'webPush',
            ],
            'events' => [
                'scope', 'q', 'event', 'after', 'token', 'device', 'topic', 'channel', 'team', 'keyId', 'apnsId',
                'uniqueId', 'collapseId', 'pushType', 'priority', 'environment', 'connection', 'kind', 'status',
                'reason', 'outcome', 'shown', 'sounded', 'fault', 'has', 'since', 'until', 'text', 'payload', 'screen',
                'webPush',
            ],
        ],
        'Server' => [
            'fixtures' => ['scope'],
            'reset' => ['only', 'scope'],
            'scopes' => ['order', 'limit', 'cursor'],
            'fleets' => ['order', 'limit', 'cursor'],
            'createChannel' => ['id', 'environment', 'messageStoragePolicy'],
            'keys' => ['order', 'limit', 'cursor'],
            'addKey' => [
                'keyId', 'team', 'publicKey', 'privateKey', 'environment', 'topics', 'related', 'revokedAt',
            ],
            'putKey' => [
                'keyId', 'team', 'publicKey', 'privateKey', 'environment', 'topics', 'related', 'revokedAt',
            ],
            'certificates' => ['order', 'limit', 'cursor'],
            'issueCertificate' => [
                'voip', 'complication', 'environment', 'days', 'expired', 'keyType', 'password', 'csr',
            ],
            'connections' => [
                'wait', 'count', 'order', 'limit', 'cursor', 'environment', 'team', 'keyId', 'connection',
            ],
            'closeConnection' => ['abort'],
            'failedHandshakes' => ['order', 'limit', 'cursor'],
            'closedConnections' => ['order', 'limit', 'cursor'],
            'scenarios' => ['shipped', 'scope', 'order', 'limit', 'cursor'],
            'scenario' => ['scope'],
            'removeScenario' => ['scope'],
            'removeScenarios' => ['scope'],
            'magicTokens' => ['order', 'limit', 'cursor'],
        ],
        'Device' => [
            'change' => [
                'user', 'name', 'osVersion', 'locale', 'online', 'power', 'focus', 'languages', 'locked', 'muted',
                'watch', 'summary',
            ],
            'events' => ['connect', 'after'],
            'app' => ['environment'],
            'install' => [
                'kind', 'applicationServerKey', 'environment', 'token', 'launched', 'entitled', 'rotate',
                'backgroundRefresh', 'worker', 'appState', 'permissions', 'presentInForeground', 'appName', 'sounds',
                'categories', 'strings', 'developmentLanguage', 'serviceExtension', 'focusFilter', 'reportsCalls',
                'frequentUpdates', 'backgroundFetch', 'backgroundModes', 'state', 'since', 'endedAt', 'webPush',
                'unregisteredAt',
            ],
            'changeApp' => [
                'environment', 'backgroundRefresh', 'worker', 'appState', 'permissions', 'presentInForeground',
                'appName', 'sounds', 'categories', 'strings', 'developmentLanguage', 'serviceExtension', 'focusFilter',
                'reportsCalls', 'frequentUpdates', 'backgroundFetch', 'backgroundModes',
            ],
            'uninstall' => ['environment'],
            'inbox' => [
                'q', 'kind', 'wait', 'count', 'after', 'order', 'limit', 'cursor', 'token', 'device', 'topic',
                'channel', 'team', 'keyId', 'apnsId', 'uniqueId', 'collapseId', 'pushType', 'priority', 'environment',
                'connection', 'status', 'reason', 'outcome', 'shown', 'sounded', 'fault', 'has', 'since', 'until',
                'text', 'payload', 'screen', 'webPush',
            ],
            'startActivity' => [
                'environment', 'attributes', 'contentState', 'staleDate', 'relevanceScore', 'pushType',
            ],
            'updateActivity' => ['contentState', 'staleDate', 'relevanceScore', 'dismissalDate'],
            'endActivity' => ['contentState', 'staleDate', 'relevanceScore', 'dismissalDate'],
            'subscribe' => [
                'topic', 'environment', 'attributesType', 'attributes', 'contentState', 'staleDate', 'relevanceScore',
            ],
        ],
        'Fault' => [
            'change' => [
                'name', 'scope', 'enabled', 'rulePriority', 'match', 'skip', 'times', 'every', 'probability',
                'connections', 'keys', 'rateOver', 'activeFrom', 'activeUntil', 'action', 'actions', 'then',
            ],
        ],
        'Clock' => [],
    ];

    /** The names of sets of arguments. */
    public const SETS = [
        'DeviceSettings' => [
            'id', 'user', 'name', 'model', 'platform', 'osVersion', 'environment', 'locale', 'power', 'focus',
            'languages', 'locked', 'muted', 'watch', 'summary', 'registrations', 'activities',
        ],
        'DeviceChanges' => [
            'user', 'name', 'osVersion', 'locale', 'online', 'power', 'focus', 'languages', 'locked', 'muted', 'watch',
            'summary',
        ],
        'AppSettings' => [
            'kind', 'applicationServerKey', 'environment', 'token', 'launched', 'entitled', 'rotate',
            'backgroundRefresh', 'worker', 'appState', 'permissions', 'presentInForeground', 'appName', 'sounds',
            'categories', 'strings', 'developmentLanguage', 'serviceExtension', 'focusFilter', 'reportsCalls',
            'frequentUpdates', 'backgroundFetch', 'backgroundModes', 'state', 'since', 'endedAt', 'webPush',
            'unregisteredAt',
        ],
        'AppChanges' => [
            'backgroundRefresh', 'worker', 'appState', 'permissions', 'presentInForeground', 'appName', 'sounds',
            'categories', 'strings', 'developmentLanguage', 'serviceExtension', 'focusFilter', 'reportsCalls',
            'frequentUpdates', 'backgroundFetch', 'backgroundModes',
        ],
        'ActivitySettings' => [
            'environment', 'attributes', 'contentState', 'staleDate', 'relevanceScore', 'pushType',
        ],
        'ActivityChanges' => ['contentState', 'staleDate', 'relevanceScore', 'dismissalDate'],
        'SubscriptionSettings' => [
            'topic', 'environment', 'attributesType', 'attributes', 'contentState', 'staleDate', 'relevanceScore',
        ],
        'ChannelSettings' => ['id', 'environment', 'messageStoragePolicy'],
        'KeySettings' => [
            'keyId', 'team', 'publicKey', 'privateKey', 'environment', 'topics', 'related', 'revokedAt',
        ],
        'CertificateSettings' => [
            'voip', 'complication', 'environment', 'days', 'expired', 'keyType', 'password', 'csr',
        ],
        'PushSettings' => [
            'token', 'channel', 'topic', 'pushType', 'priority', 'expiration', 'collapseId', 'apnsId', 'payload',
            'payloadBase64', 'environment', 'timeout',
        ],
        'FaultSettings' => [
            'id', 'name', 'enabled', 'rulePriority', 'skip', 'times', 'every', 'probability', 'connections', 'keys',
            'rateOver', 'activeFrom', 'activeUntil', 'then',
        ],
        'FaultChanges' => [
            'name', 'scope', 'enabled', 'rulePriority', 'match', 'skip', 'times', 'every', 'probability', 'connections',
            'keys', 'rateOver', 'activeFrom', 'activeUntil', 'action', 'actions', 'then',
        ],
        'FaultOptions' => [
            'delay', 'clock', 'reason', 'timestamp', 'body', 'answerHeaders', 'deliver', 'by', 'code', 'when', 'debug',
            'lastStreamId', 'twoStep', 'frames', 'close', 'afterPushes', 'maxConcurrentStreams', 'initialWindowSize',
            'headerTableSize', 'maxFrameSize', 'withhold', 'alert', 'certificate', 'stall', 'slow', 'how', 'afterBytes',
            'afterIdle', 'bytesPerSecond', 'chunk',
        ],
        'ResetSettings' => ['only', 'scope'],
        'FaultFilters' => [
            'token', 'device', 'topic', 'channel', 'team', 'keyId', 'apnsId', 'collapseId', 'pushType', 'priority',
            'environment', 'connection', 'kind', 'text', 'payload', 'payloadIncludes', 'headers', 'event',
        ],
        'Filters' => [
            'token', 'device', 'topic', 'channel', 'team', 'keyId', 'apnsId', 'uniqueId', 'collapseId', 'pushType',
            'priority', 'environment', 'connection', 'kind', 'status', 'reason', 'outcome', 'shown', 'sounded', 'fault',
            'has', 'since', 'until', 'text', 'payload', 'payloadIncludes', 'headers', 'screen', 'webPush', 'q',
        ],
        'ListFilters' => [
            'token', 'device', 'topic', 'channel', 'team', 'keyId', 'apnsId', 'uniqueId', 'collapseId', 'pushType',
            'priority', 'environment', 'connection', 'kind', 'status', 'reason', 'outcome', 'shown', 'sounded', 'fault',
            'has', 'since', 'until', 'text', 'payload', 'screen', 'webPush',
        ],
        'InboxFilters' => [
            'token', 'device', 'topic', 'channel', 'team', 'keyId', 'apnsId', 'uniqueId', 'collapseId', 'pushType',
            'priority', 'environment', 'connection', 'status', 'reason', 'outcome', 'shown', 'sounded', 'fault', 'has',
            'since', 'until', 'text', 'payload', 'screen', 'webPush',
        ],
        'DeviceFilters' => [
            'device', 'fleet', 'topic', 'token', 'environment', 'named', 'user', 'platform', 'online', 'power',
        ],
        'ConnectionFilters' => ['environment', 'team', 'keyId', 'connection'],
        'FaultListFilters' => ['fault', 'name', 'enabled', 'fired', 'event', 'action'],
    ];

    /** The members of what calls answer. */
    public const MEMBERS = [
        'AddedKey' => [
            'keyId', 'team', 'publicKey', 'environment', 'topics', 'related', 'revokedAt', 'canSign', 'privateKey',
        ],
        'AppResponse' => ['sequence', 'topic', 'action', 'text', 'at', 'navigate'],
        'Arrival' => [
            'sequence', 'apnsId', 'topic', 'pushType', 'kind', 'payload', 'payloadBase64', 'deliveredAt', 'evicted',
        ],
        'BackgroundFetch' => ['result', 'takes'],
        'Category' => [
            'id', 'actions', 'customDismiss', 'summaryFormat', 'hiddenPreviewsBodyPlaceholder',
        ],
        'CategoryActions' => [
            'id', 'title', 'destructive', 'foreground', 'authenticationRequired', 'textInput', 'textInputButtonTitle',
            'textInputPlaceholder',
        ],
        'CertificateTopics' => ['topic', 'kind'],
        'Channel' => [
            'id', 'bundleId', 'environment', 'messageStoragePolicy', 'createdAt', 'broadcasts', 'followers',
            'storedUntil',
        ],
        'ClockReport' => ['mode', 'now', 'lastSequence', 'delivered', 'expired', 'coalesced'],
        'ClosedConnection' => [
            'id', 'peer', 'openedAt', 'tls', 'cipher', 'sni', 'alpn', 'environment', 'credential', 'streams', 'pushes',
            'pings', 'bytesIn', 'bytesOut', 'server', 'closedAt', 'reason',
        ],
        'Connection' => [
            'id', 'peer', 'openedAt', 'tls', 'cipher', 'sni', 'alpn', 'environment', 'credential', 'streams', 'pushes',
            'pings', 'bytesIn', 'bytesOut', 'server',
        ],
        'ConnectionStreams' => ['open', 'limit', 'total'],
        'Credentials' => ['ca', 'keyId', 'teamId', 'key'],
        'Device' => [
            'id', 'scope', 'user', 'name', 'model', 'platform', 'osVersion', 'environment', 'locale', 'online', 'power',
            'focus', 'languages', 'locked', 'muted', 'watch', 'summary', 'registrations', 'activities', 'stored',
            'deferred', 'inbox',
        ],
        'DeviceInbox' => ['count', 'dropped', 'last'],
        'ExpectationResult' => [
            'met', 'matched', 'items', 'failedAt', 'nearest', 'hints', 'evicted', 'lastSequence',
        ],
        'ExpectationResultNearest' => ['sequence', 'differences', 'push'],
        'ExpectationResultNearestDifferences' => ['field', 'expected', 'actual'],
        'FailedHandshake' => ['id', 'at', 'peer', 'sni', 'environment', 'cause', 'reason', 'count'],
        'Fault' => [
            'id', 'name', 'scope', 'enabled', 'rulePriority', 'match', 'skip', 'times', 'every', 'probability',
            'connections', 'keys', 'rateOver', 'activeFrom', 'activeUntil', 'action', 'actions', 'then', 'matched',
            'fired', 'remaining', 'createdAt', 'words', 'timedOut',
        ],
        'FaultAction' => [
            'type', 'delay', 'clock', 'status', 'reason', 'timestamp', 'body', 'answerHeaders', 'apnsId', 'deliver',
            'by', 'times', 'code', 'when', 'debug', 'lastStreamId', 'twoStep', 'frames', 'close', 'afterPushes',
            'maxConcurrentStreams', 'initialWindowSize', 'headerTableSize', 'maxFrameSize', 'withhold', 'alert',
            'certificate', 'stall', 'slow', 'how', 'afterBytes', 'afterIdle', 'bytesPerSecond', 'chunk',
        ],
        'FaultMatch' => [
            'token', 'device', 'scope', 'topic', 'channel', 'team', 'keyId', 'apnsId', 'collapseId', 'pushType',
            'priority', 'environment', 'connection', 'kind', 'text', 'payload', 'payloadIncludes', 'headers', 'event',
        ],
        'FaultSpecification' => [
            'id', 'name', 'scope', 'enabled', 'rulePriority', 'match', 'skip', 'times', 'every', 'probability',
            'connections', 'keys', 'rateOver', 'activeFrom', 'activeUntil', 'action', 'actions', 'then', 'matched',
            'fired', 'remaining', 'createdAt', 'words',
        ],
        'FaultWords' => ['does', 'matches', 'fires'],
        'Fleet' => ['id', 'devices', 'lastPush'],
        'IssuedCertificate' => [
            'serialNumber', 'subject', 'topics', 'environment', 'notBefore', 'notAfter', 'issuedAt', 'revokedAt',
            'certificate', 'authority', 'privateKey', 'pkcs12', 'password',
        ],
        'LiveActivity' => [
            'id', 'topic', 'environment', 'state', 'attributesType', 'attributes', 'contentState', 'startedAt',
            'timestamp', 'staleDate', 'endedAt', 'dismissalDate', 'relevanceScore', 'token', 'channel', 'history',
        ],
        'LiveActivityHistory' => ['event', 'at', 'sequence', 'contentState'],
        'MagicToken' => ['token', 'channel', 'segment', 'does', 'status', 'reason'],
        'Notification' => [
            'sequence', 'apnsId', 'kind', 'attempt', 'repeats', 'uniqueId', 'receivedAt', 'environment', 'connection',
            'stream', 'credential', 'token', 'device', 'scope', 'topic', 'channel', 'devices', 'pushType', 'priority',
            'expiration', 'collapseId', 'method', 'path', 'headers', 'payload', 'payloadBase64', 'webPush',
            'payloadSize', 'warnings', 'status', 'reason', 'timestamp', 'fault', 'outcome', 'shown', 'sounded',
            'timeline',
        ],
        'NotificationGroup' => ['topic', 'threadId', 'count', 'sequences', 'summary'],
        'NotificationTimeline' => ['at', 'event', 'detail'],
        'NotificationWebPush' => [
            'refusals', 'claims', 'applicationServerKey', 'ttl', 'urgency', 'topic', 'encoding', 'plaintext', 'problem',
            'declarative', 'notDeclarative', 'navigate',
        ],
        'NotificationWebPushRefusals' => ['status', 'reason', 'cause', 'evidence'],
        'PlayedSound' => ['sequence', 'topic', 'at', 'sound'],
        'Registration' => [
            'topic', 'kind', 'token', 'applicationServerKey', 'webPush', 'environment', 'state', 'since', 'endedAt',
            'unregisteredAt', 'backgroundRefresh', 'worker', 'appState', 'permissions', 'presentInForeground',
            'appName', 'sounds', 'categories', 'strings', 'developmentLanguage', 'serviceExtension', 'focusFilter',
            'reportsCalls', 'frequentUpdates', 'backgroundFetch', 'backgroundModes',
        ],
        'RegistrationPermissions' => [
            'authorization', 'alert', 'badge', 'sound', 'critical', 'timeSensitive', 'location', 'lockScreen',
            'notificationCenter', 'liveActivities', 'frequentPushes', 'alertStyle', 'showPreviews',
        ],
        'Scenario' => [
            'name', 'description', 'scope', 'seed', 'steps', 'startedAt', 'stepsDone', 'next', 'rules', 'problem',
        ],
        'ScenarioSteps' => ['after', 'add', 'remove'],
        'ScopeUse' => ['name', 'devices', 'faults'],
        'Screen' => [
            'at', 'badges', 'notifications', 'groups', 'summary', 'held', 'activities', 'wakes', 'responses', 'sounds',
            'evicted',
        ],
        'ScreenHeld' => ['sequence', 'topic', 'until'],
        'ScreenNotification' => [
            'sequence', 'apnsId', 'identifier', 'topic', 'title', 'subtitle', 'body', 'previewHidden', 'sound',
            'threadId', 'category', 'actions', 'actionTitle', 'interruptionLevel', 'relevanceScore', 'collapseId',
            'mutableContent', 'shownAt', 'updatedAt', 'group', 'banner', 'alertStyle', 'lockScreen',
            'notificationCenter', 'onWatch', 'sender', 'attachments', 'details', 'warnings',
        ],
        'ScreenNotificationSound' => ['name', 'critical', 'volume'],
        'SentNotification' => ['status', 'reason', 'apnsId', 'sequence', 'problem'],
        'ShownAction' => [
            'id', 'title', 'destructive', 'foreground', 'authenticationRequired', 'textInput', 'textInputButtonTitle',
            'textInputPlaceholder',
        ],
        'StartedActivities' => ['started', 'refused', 'refusals'],
        'StartedActivitiesRefusals' => ['device', 'reason'],
        'StartedActivitiesRefused' => ['devices'],
        'StartedActivitiesStarted' => ['activities'],
        'Status' => [
            'name', 'version', 'startedAt', 'now', 'clock', 'seed', 'ports', 'environment', 'counts', 'journal',
            'memory', 'recorded',
        ],
        'StatusCounts' => [
            'received', 'accepted', 'refused', 'devices', 'stored', 'deferred', 'faults', 'faultsFired', 'scopes',
            'connections', 'handshakesFailed', 'connectionsRefused',
        ],
        'StatusMemory' => ['resident'],
        'StatusPorts' => ['apns', 'channels', 'webPush', 'cleartext', 'proxy', 'control'],
        'Wake' => ['topic', 'sequence', 'at', 'state', 'result', 'endedAt'],
    ];

    /** Those that are times or records themselves. */
    public const KINDS = [
        'AddedKey' => ['revokedAt' => 'Time'],
        'AppResponse' => ['at' => 'Time'],
        'Arrival' => ['deliveredAt' => 'Time'],
        'Category' => ['actions' => ['CategoryActions']],
        'Channel' => ['createdAt' => 'Time', 'storedUntil' => 'Time'],
        'ClockReport' => ['now' => 'Time'],
        'ClosedConnection' => [
            'openedAt' => 'Time',
            'streams' => 'ConnectionStreams',
            'closedAt' => 'Time',
        ],
        'Connection' => ['openedAt' => 'Time', 'streams' => 'ConnectionStreams'],
        'Device' => [
            'registrations' => ['Registration'],
            'activities' => ['LiveActivity'],
            'inbox' => 'DeviceInbox',
        ],
        'ExpectationResult' => ['items' => ['Notification'], 'nearest' => ['ExpectationResultNearest']],
        'ExpectationResultNearest' => [
            'differences' => ['ExpectationResultNearestDifferences'],
            'push' => 'Notification',
        ],
        'FailedHandshake' => ['at' => 'Time'],
        'Fault' => [
            'match' => 'FaultMatch',
            'activeFrom' => 'Time',
            'activeUntil' => 'Time',
            'actions' => ['FaultAction'],
            'createdAt' => 'Time',
            'words' => 'FaultWords',
        ],
        'FaultSpecification' => [
            'match' => 'FaultMatch',
            'activeFrom' => 'Time',
            'activeUntil' => 'Time',
            'actions' => ['FaultAction'],
            'createdAt' => 'Time',
        ],
        'IssuedCertificate' => [
            'topics' => ['CertificateTopics'],
            'notBefore' => 'Time',
            'notAfter' => 'Time',
            'issuedAt' => 'Time',
            'revokedAt' => 'Time',
        ],
        'LiveActivity' => [
            'startedAt' => 'Time',
            'timestamp' => 'Time',
            'staleDate' => 'Time',
            'endedAt' => 'Time',
            'dismissalDate' => 'Time',
            'history' => ['LiveActivityHistory'],
        ],
        'LiveActivityHistory' => ['at' => 'Time'],
        'Notification' => [
            'receivedAt' => 'Time',
            'webPush' => 'NotificationWebPush',
            'timeline' => ['NotificationTimeline'],
        ],
        'NotificationTimeline' => ['at' => 'Time'],
        'NotificationWebPush' => ['refusals' => ['NotificationWebPushRefusals']],
        'PlayedSound' => ['at' => 'Time', 'sound' => 'ScreenNotificationSound'],
        'Registration' => [
            'since' => 'Time',
            'endedAt' => 'Time',
            'unregisteredAt' => 'Time',
            'permissions' => 'RegistrationPermissions',
            'categories' => ['Category'],
            'backgroundFetch' => 'BackgroundFetch',
        ],
        'Scenario' => ['steps' => ['ScenarioSteps'], 'startedAt' => 'Time'],
        'ScenarioSteps' => ['add' => ['FaultSpecification']],
        'Screen' => [
            'at' => 'Time',
            'notifications' => ['ScreenNotification'],
            'groups' => ['NotificationGroup'],
            'held' => ['ScreenHeld'],
            'activities' => ['LiveActivity'],
            'wakes' => ['Wake'],
            'responses' => ['AppResponse'],
            'sounds' => ['PlayedSound'],
        ],
        'ScreenHeld' => ['until' => 'Time'],
        'ScreenNotification' => ['actions' => ['ShownAction'], 'shownAt' => 'Time', 'updatedAt' => 'Time'],
        'StartedActivities' => [
            'started' => 'StartedActivitiesStarted',
            'refused' => 'StartedActivitiesRefused',
            'refusals' => ['StartedActivitiesRefusals'],
        ],
        'Status' => [
            'startedAt' => 'Time',
            'now' => 'Time',
            'ports' => 'StatusPorts',
            'counts' => 'StatusCounts',
            'memory' => 'StatusMemory',
        ],
        'Wake' => ['at' => 'Time', 'endedAt' => 'Time'],
    ];

    /** The actions of the presets of faults. */
    public const PRESETS = [
        '400' => ['type' => 'respond', 'status' => 400, 'reason' => 'BadDeviceToken'],
        '403' => ['type' => 'respond', 'status' => 403, 'reason' => 'InvalidProviderToken'],
        '404' => ['type' => 'respond', 'status' => 404, 'reason' => 'BadPath'],
        '405' => ['type' => 'respond', 'status' => 405, 'reason' => 'MethodNotAllowed'],
        '410' => ['type' => 'respond', 'status' => 410, 'reason' => 'Unregistered'],
        '413' => ['type' => 'respond', 'status' => 413, 'reason' => 'PayloadTooLarge'],
        '429' => ['type' => 'respond', 'status' => 429, 'reason' => 'TooManyRequests'],
        '500' => ['type' => 'respond', 'status' => 500, 'reason' => 'InternalServerError'],
        '503' => ['type' => 'respond', 'status' => 503, 'reason' => 'ServiceUnavailable'],
        'stall' => ['type' => 'stall'],
        'slow' => ['type' => 'pass', 'delay' => '2s'],
        'lose' => ['type' => 'lose'],
        'late' => ['type' => 'deliverLate', 'by' => '1m'],
        'duplicate' => ['type' => 'duplicate', 'times' => 2],
        'reset' => [
            'type' => 'resetStream',
            'code' => 'INTERNAL_ERROR',
            'when' => 'beforeHeaders',
        ],
        'refuse-stream' => [
            'type' => 'resetStream',
            'code' => 'REFUSED_STREAM',
            'when' => 'beforeHeaders',
        ],
        'truncate' => ['type' => 'truncate'],
        'malformed' => ['type' => 'malformedFrame'],
        'oversized' => ['type' => 'oversizedFrame'],
        'goaway' => [
            'type' => 'goaway',
            'code' => 'NO_ERROR',
            'reason' => 'Shutdown',
            'lastStreamId' => 'processed',
            'twoStep' => false,
            'frames' => 1,
            'close' => 'afterStreams',
        ],
        'close' => ['type' => 'close', 'how' => 'rst'],
        'hang-up' => ['type' => 'close', 'how' => 'fin'],
        'half-open' => ['type' => 'close', 'how' => 'halfOpen'],
        'streams' => ['type' => 'settings', 'maxConcurrentStreams' => 1],
        'no-window' => ['type' => 'withholdWindow'],
        'no-ping' => ['type' => 'ignorePing'],
        'throttle' => ['type' => 'throttle', 'bytesPerSecond' => 1000],
        'refuse' => ['type' => 'refuse'],
        'tls-alert' => [
            'type' => 'tls',
            'alert' => 'handshake_failure',
            'when' => 'duringHandshake',
        ],
        'tls-expired' => ['type' => 'tls', 'certificate' => 'expired'],
        'tls-wrong-host' => ['type' => 'tls', 'certificate' => 'wrongHost'],
        'tls-untrusted' => ['type' => 'tls', 'certificate' => 'untrusted'],
        'tls-stall' => ['type' => 'tls', 'stall' => true],
        'tls-slow' => ['type' => 'tls', 'slow' => '5s'],
    ];

    /** The reasons that APNs gives. */
    public const REASONS = [
        'BadAuthorizationHeader', 'BadCertificate', 'BadCertificateEnvironment', 'BadChannelId', 'BadCollapseId',
        'BadDeviceToken', 'BadEnvironmentKeyInToken', 'BadExpirationDate', 'BadJwtToken', 'BadMessageId', 'BadPath',
        'BadPriority', 'BadRequestParams', 'BadRequestPayload', 'BadTopic', 'BadTtl', 'BadUrgency', 'BadVapidPublicKey',
        'BadWebPushRequest', 'BadWebPushTopic', 'BroadcastFeatureNotEnabled', 'CannotCreateChannelConfig',
        'ChannelNotRegistered', 'DeviceTokenNotForTopic', 'DuplicateHeaders', 'ExpiredProviderToken', 'ExpiredToken',
        'Forbidden', 'IdleTimeout', 'InternalServerError', 'InvalidProviderToken', 'InvalidPushType',
        'MethodNotAllowed', 'MissingChannelId', 'MissingChannelQueueSize', 'MissingDeviceToken', 'MissingProviderToken',
        'MissingPushType', 'MissingTopic', 'PayloadEmpty', 'PayloadTooLarge', 'ServiceUnavailable', 'Shutdown',
        'TooManyProviderTokenUpdates', 'TooManyRequests', 'TopicDisallowed', 'TopicMismatch', 'Unregistered',
        'UnrelatedKeyIdInToken', 'VapidPkHashMismatch',
    ];

    /** The flags of `mynah serve`, by the names of settings. */
    public const SETTINGS = [
        'host' => 'host',
        'port' => 'port',
        'channelsPort' => 'channels-port',
        'webPushPort' => 'web-push-port',
        'cleartextPort' => 'cleartext-port',
        'proxyPort' => 'proxy-port',
        'stateDir' => 'state-dir',
        'tlsName' => 'tls-name',
        'exportDir' => 'export-dir',
        'exportHost' => 'export-host',
        'auth' => 'auth',
        'authKey' => 'auth-key',
        'providerCa' => 'provider-ca',
        'teamId' => 'team-id',
        'teamTopics' => 'team-topics',
        'broadcastApps' => 'broadcast-apps',
        'environment' => 'environment',
        'devices' => 'devices',
        'fixtures' => 'fixtures',
        'watch' => 'watch',
        'magicTokens' => 'magic-tokens',
        'scenario' => 'scenario',
        'seed' => 'seed',
        'payloadCheck' => 'payload-check',
        'pushTypeCheck' => 'push-type-check',
        'errorContentType' => 'error-content-type',
        'documentedReasons' => 'documented-reasons',
        'streamLimits' => 'stream-limits',
        'idleTimeout' => 'idle-timeout',
        'requestTimeout' => 'request-timeout',
        'maxErrors' => 'max-errors',
        'reconnectLimit' => 'reconnect-limit',
        'requestLimit' => 'request-limit',
        'tokenLength' => 'token-length',
        'issuedTokenLength' => 'issued-token-length',
        'unregisterDelay' => 'unregister-delay',
        'backgroundBudget' => 'background-budget',
        'activityBudget' => 'activity-budget',
        'deferralMax' => 'deferral-max',
        'tokenUpdates' => 'token-updates',
        'retain' => 'retain',
        'retainBytes' => 'retain-bytes',
        'data' => 'data',
        'sync' => 'sync',
        'keep' => 'keep',
        'leaveOut' => 'leave-out',
        'cluster' => 'cluster',
        'clusterName' => 'cluster-name',
        'clusterServer' => 'cluster-server',
        'clusterReplicas' => 'cluster-replicas',
        'clusterCa' => 'cluster-ca',
        'clusterCredentials' => 'cluster-credentials',
        'controlPort' => 'control-port',
        'controlHost' => 'control-host',
        'controlToken' => 'control-token',
        'insecureControl' => 'insecure-control',
        'allowedHost' => 'allowed-host',
        'corsOrigin' => 'cors-origin',
        'shutdownGrace' => 'shutdown-grace',
        'logLevel' => 'log-level',
        'logFormat' => 'log-format',
        'quiet' => 'quiet',
        'logPushes' => 'log-pushes',
    ];

    /** Settings that are flags without a value. */
    public const SWITCHES = ['watch', 'documentedReasons', 'insecureControl', 'quiet'];

    /** The version of the program. */
    public const VERSION = '0.1.0';
}
