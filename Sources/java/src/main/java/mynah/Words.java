// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The words of the program that calls know. */
final class Words {
    /** The version of the program. */
    static final String VERSION = "0.1.0";

    /** Settings that are flags without a value. */
    static final Set<String> SWITCHES = Set.of("watch", "documented-reasons", "insecure-control", "quiet");

    /** The reasons that APNs gives. */
    static final List<String> REASONS = List.of(
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
        "VapidPkHashMismatch");

    private static final List<Map.Entry<String, Map<String, Object>>> PRESETS = List.of(
        Map.entry("400", Map.of("type", "respond", "status", 400, "reason", "BadDeviceToken")),
        Map.entry("403", Map.of("type", "respond", "status", 403, "reason", "InvalidProviderToken")),
        Map.entry("404", Map.of("type", "respond", "status", 404, "reason", "BadPath")),
        Map.entry("405", Map.of("type", "respond", "status", 405, "reason", "MethodNotAllowed")),
        Map.entry("410", Map.of("type", "respond", "status", 410, "reason", "Unregistered")),
        Map.entry("413", Map.of("type", "respond", "status", 413, "reason", "PayloadTooLarge")),
        Map.entry("429", Map.of("type", "respond", "status", 429, "reason", "TooManyRequests")),
        Map.entry("500", Map.of("type", "respond", "status", 500, "reason", "InternalServerError")),
        Map.entry("503", Map.of("type", "respond", "status", 503, "reason", "ServiceUnavailable")),
        Map.entry("stall", Map.of("type", "stall")),
        Map.entry("slow", Map.of("type", "pass", "delay", "2s")),
        Map.entry("lose", Map.of("type", "lose")),
        Map.entry("late", Map.of("type", "deliverLate", "by", "1m")),
        Map.entry("duplicate", Map.of("type", "duplicate", "times", 2)),
        Map.entry("reset", Map.of("type", "resetStream", "code", "INTERNAL_ERROR", "when", "beforeHeaders")),
        Map.entry("refuse-stream", Map.of("type", "resetStream", "code", "REFUSED_STREAM", "when", "beforeHeaders")),
        Map.entry("truncate", Map.of("type", "truncate")),
        Map.entry("malformed", Map.of("type", "malformedFrame")),
        Map.entry("oversized", Map.of("type", "oversizedFrame")),
        Map.entry("goaway", Map.of(
            "type", "goaway",
            "code", "NO_ERROR",
            "reason", "Shutdown",
            "lastStreamId", "processed",
            "twoStep", false,
            "frames", 1,
            "close", "afterStreams"
        )),
        Map.entry("close", Map.of("type", "close", "how", "rst")),
        Map.entry("hang-up", Map.of("type", "close", "how", "fin")),
        Map.entry("half-open", Map.of("type", "close", "how", "halfOpen")),
        Map.entry("streams", Map.of("type", "settings", "maxConcurrentStreams", 1)),
        Map.entry("no-window", Map.of("type", "withholdWindow")),
        Map.entry("no-ping", Map.of("type", "ignorePing")),
        Map.entry("throttle", Map.of("type", "throttle", "bytesPerSecond", 1000)),
        Map.entry("refuse", Map.of("type", "refuse")),
        Map.entry("tls-alert", Map.of("type", "tls", "alert", "handshake_failure", "when", "duringHandshake")),
        Map.entry("tls-expired", Map.of("type", "tls", "certificate", "expired")),
        Map.entry("tls-wrong-host", Map.of("type", "tls", "certificate", "wrongHost")),
        Map.entry("tls-untrusted", Map.of("type", "tls", "certificate", "untrusted")),
        Map.entry("tls-stall", Map.of("type", "tls", "stall", true)),
        Map.entry("tls-slow", Map.of("type", "tls", "slow", "5s")));

    private Words() {}

    /** The actions of the presets of faults, in order. */
    static Map<String, Map<String, Object>> presets() {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        PRESETS.forEach(one -> found.put(one.getKey(), one.getValue()));
        return found;
    }
}
