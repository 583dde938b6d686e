"""The presets and reasons of faults, by the names of `mynah fault add`."""

# Made by generate.py: change that, or the presets of the program.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from typing_extensions import TypeAlias


Preset: TypeAlias = (
    "Literal['400', '403', '404', '405', '410', '413', '429', '500', '503', 'stall', 'slow', 'lose', 'late', "
    "'duplicate', 'reset', 'refuse-stream', 'truncate', 'malformed', 'oversized', 'goaway', 'close', 'hang-up', "
    "'half-open', 'streams', 'no-window', 'no-ping', 'throttle', 'refuse', 'tls-alert', 'tls-expired', "
    "'tls-wrong-host', 'tls-untrusted', 'tls-stall', 'tls-slow']"
)
Reason: TypeAlias = (
    "Literal['BadAuthorizationHeader', 'BadCertificate', 'BadCertificateEnvironment', 'BadChannelId', "
    "'BadCollapseId', 'BadDeviceToken', 'BadEnvironmentKeyInToken', 'BadExpirationDate', 'BadJwtToken', "
    "'BadMessageId', 'BadPath', 'BadPriority', 'BadRequestParams', 'BadRequestPayload', 'BadTopic', 'BadTtl', "
    "'BadUrgency', 'BadVapidPublicKey', 'BadWebPushRequest', 'BadWebPushTopic', 'BroadcastFeatureNotEnabled', "
    "'CannotCreateChannelConfig', 'ChannelNotRegistered', 'DeviceTokenNotForTopic', 'DuplicateHeaders', "
    "'ExpiredProviderToken', 'ExpiredToken', 'Forbidden', 'IdleTimeout', 'InternalServerError', "
    "'InvalidProviderToken', 'InvalidPushType', 'MethodNotAllowed', 'MissingChannelId', 'MissingChannelQueueSize', "
    "'MissingDeviceToken', 'MissingProviderToken', 'MissingPushType', 'MissingTopic', 'PayloadEmpty', "
    "'PayloadTooLarge', 'ServiceUnavailable', 'Shutdown', 'TooManyProviderTokenUpdates', 'TooManyRequests', "
    "'TopicDisallowed', 'TopicMismatch', 'Unregistered', 'UnrelatedKeyIdInToken', 'VapidPkHashMismatch']"
)

# The action of each.
PRESETS: dict[str, dict[str, Any]] = {
    "400": {"type": "respond", "status": 400, "reason": "BadDeviceToken"},
    "403": {"type": "respond", "status": 403, "reason": "InvalidProviderToken"},
    "404": {"type": "respond", "status": 404, "reason": "BadPath"},
    "405": {"type": "respond", "status": 405, "reason": "MethodNotAllowed"},
    "410": {"type": "respond", "status": 410, "reason": "Unregistered"},
    "413": {"type": "respond", "status": 413, "reason": "PayloadTooLarge"},
    "429": {"type": "respond", "status": 429, "reason": "TooManyRequests"},
    "500": {"type": "respond", "status": 500, "reason": "InternalServerError"},
    "503": {"type": "respond", "status": 503, "reason": "ServiceUnavailable"},
    "stall": {"type": "stall"},
    "slow": {"type": "pass", "delay": "2s"},
    "lose": {"type": "lose"},
    "late": {"type": "deliverLate", "by": "1m"},
    "duplicate": {"type": "duplicate", "times": 2},
    "reset": {"type": "resetStream", "code": "INTERNAL_ERROR", "when": "beforeHeaders"},
    "refuse-stream": {"type": "resetStream", "code": "REFUSED_STREAM", "when": "beforeHeaders"},
    "truncate": {"type": "truncate"},
    "malformed": {"type": "malformedFrame"},
    "oversized": {"type": "oversizedFrame"},
    "goaway": {
        "type": "goaway",
        "code": "NO_ERROR",
        "reason": "Shutdown",
        "lastStreamId": "processed",
        "twoStep": False,
        "frames": 1,
        "close": "afterStreams",
    },
    "close": {"type": "close", "how": "rst"},
    "hang-up": {"type": "close", "how": "fin"},
    "half-open": {"type": "close", "how": "halfOpen"},
    "streams": {"type": "settings", "maxConcurrentStreams": 1},
    "no-window": {"type": "withholdWindow"},
    "no-ping": {"type": "ignorePing"},
    "throttle": {"type": "throttle", "bytesPerSecond": 1000},
    "refuse": {"type": "refuse"},
    "tls-alert": {"type": "tls", "alert": "handshake_failure", "when": "duringHandshake"},
    "tls-expired": {"type": "tls", "certificate": "expired"},
    "tls-wrong-host": {"type": "tls", "certificate": "wrongHost"},
    "tls-untrusted": {"type": "tls", "certificate": "untrusted"},
    "tls-stall": {"type": "tls", "stall": True},
    "tls-slow": {"type": "tls", "slow": "5s"},
}
REASONS = (
    "BadAuthorizationHeader",
    "BadCertificate",
    "BadCertificateEnvironment",
    "BadChannelId",
    "BadCollapseId",
    "BadDeviceToken",
    "BadEnvironmentKeyInToken",
    "BadExpirationDate",
    "BadJwtToken",
    "BadMessageId",
    "BadPath",
    "BadPriority",
    "BadRequestParams",
    "BadRequestPayload",
    "BadTopic",
    "BadTtl",
    "BadUrgency",
    "BadVapidPublicKey",
    "BadWebPushRequest",
    "BadWebPushTopic",
    "BroadcastFeatureNotEnabled",
    "CannotCreateChannelConfig",
    "ChannelNotRegistered",
    "DeviceTokenNotForTopic",
    "DuplicateHeaders",
    "ExpiredProviderToken",
    "ExpiredToken",
    "Forbidden",
    "IdleTimeout",
    "InternalServerError",
    "InvalidProviderToken",
    "InvalidPushType",
    "MethodNotAllowed",
    "MissingChannelId",
    "MissingChannelQueueSize",
    "MissingDeviceToken",
    "MissingProviderToken",
    "MissingPushType",
    "MissingTopic",
    "PayloadEmpty",
    "PayloadTooLarge",
    "ServiceUnavailable",
    "Shutdown",
    "TooManyProviderTokenUpdates",
    "TooManyRequests",
    "TopicDisallowed",
    "TopicMismatch",
    "Unregistered",
    "UnrelatedKeyIdInToken",
    "VapidPkHashMismatch",
)
