// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** Members of a rule and of its action, and filters of requests. */
public final class FaultRuleOptions extends Options<FaultRuleOptions> {
    /** None of them. */
    public FaultRuleOptions() {}

    private FaultRuleOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected FaultRuleOptions copy(Map<String, Map<String, Object>> groups) {
        return new FaultRuleOptions(groups);
    }

    /** The scope, by default one's own; null is the whole server. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions scope(@Nullable String scope) {
        return with("rule", "scope", scope);
    }

    /** {@code id}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions id(@Nullable String id) {
        return with("rule", "id", id);
    }

    /** {@code name}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions name(@Nullable String name) {
        return with("rule", "name", name);
    }

    /** {@code enabled}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions enabled(@Nullable Boolean enabled) {
        return with("rule", "enabled", enabled);
    }

    /** {@code rulePriority}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions rulePriority(@Nullable Number rulePriority) {
        return with("rule", "rulePriority", rulePriority);
    }

    /** {@code skip}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions skip(@Nullable Number skip) {
        return with("rule", "skip", skip);
    }

    /** {@code times}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions times(@Nullable Number times) {
        return with("rule", "times", times);
    }

    /** {@code every}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions every(@Nullable Number every) {
        return with("rule", "every", every);
    }

    /** {@code probability}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions probability(@Nullable Number probability) {
        return with("rule", "probability", probability);
    }

    /** {@code connections}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions connections(@Nullable Object connections) {
        return with("rule", "connections", connections);
    }

    /** {@code keys}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions keys(@Nullable Object keys) {
        return with("rule", "keys", keys);
    }

    /** {@code rateOver}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions rateOver(@Nullable Object rateOver) {
        return with("rule", "rateOver", rateOver);
    }

    /** {@code activeFrom}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions activeFrom(@Nullable Instant activeFrom) {
        return with("rule", "activeFrom", activeFrom);
    }

    /** {@code activeUntil}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions activeUntil(@Nullable Instant activeUntil) {
        return with("rule", "activeUntil", activeUntil);
    }

    /** {@code then}: {@code pass}, {@code repeat}, {@code last}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions then(@Nullable Object then) {
        return with("rule", "then", then);
    }

    /** {@code delay}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions delay(@Nullable Object delay) {
        return with("action", "delay", delay);
    }

    /** {@code clock}: {@code wall}, {@code virtual}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions clock(@Nullable Object clock) {
        return with("action", "clock", clock);
    }

    /** {@code reason}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions reason(@Nullable String reason) {
        return with("action", "reason", reason);
    }

    /** {@code timestamp}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions timestamp(@Nullable Number timestamp) {
        return with("action", "timestamp", timestamp);
    }

    /** {@code body}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions body(@Nullable String body) {
        return with("action", "body", body);
    }

    /** {@code answerHeaders}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions answerHeaders(@Nullable Map<String, ?> answerHeaders) {
        return with("action", "answerHeaders", answerHeaders);
    }

    /** {@code deliver}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions deliver(@Nullable Boolean deliver) {
        return with("action", "deliver", deliver);
    }

    /** {@code by}, with its unit: {@code 5s}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions by(@Nullable String by) {
        return with("action", "by", by);
    }

    /** {@code by}. */
    public FaultRuleOptions by(Duration by) {
        return with("action", "by", text(by));
    }

    /**
     * {@code code}: {@code NO_ERROR}, {@code PROTOCOL_ERROR}, {@code INTERNAL_ERROR}, {@code FLOW_CONTROL_ERROR},
     * {@code SETTINGS_TIMEOUT}, {@code STREAM_CLOSED}, {@code FRAME_SIZE_ERROR}, {@code REFUSED_STREAM}, {@code
     * CANCEL}, {@code COMPRESSION_ERROR}, {@code CONNECT_ERROR}, {@code ENHANCE_YOUR_CALM}, {@code
     * INADEQUATE_SECURITY}, {@code HTTP_1_1_REQUIRED}. Null clears it, or is the same as leaving it out.
     */
    public FaultRuleOptions code(@Nullable Object code) {
        return with("action", "code", code);
    }

    /**
     * {@code when}: {@code beforeHeaders}, {@code afterHeaders}, {@code duringHandshake}, {@code afterHandshake}. Null
     * clears it, or is the same as leaving it out.
     */
    public FaultRuleOptions when(@Nullable Object when) {
        return with("action", "when", when);
    }

    /** {@code debug}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions debug(@Nullable String debug) {
        return with("action", "debug", debug);
    }

    /** {@code lastStreamId}: {@code processed}, {@code lower}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions lastStreamId(@Nullable Object lastStreamId) {
        return with("action", "lastStreamId", lastStreamId);
    }

    /** {@code twoStep}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions twoStep(@Nullable Boolean twoStep) {
        return with("action", "twoStep", twoStep);
    }

    /** {@code frames}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions frames(@Nullable Number frames) {
        return with("action", "frames", frames);
    }

    /**
     * {@code close}: {@code afterStreams}, {@code now}, {@code never}. Null clears it, or is the same as leaving it
     * out.
     */
    public FaultRuleOptions close(@Nullable Object close) {
        return with("action", "close", close);
    }

    /** {@code afterPushes}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions afterPushes(@Nullable Number afterPushes) {
        return with("action", "afterPushes", afterPushes);
    }

    /** {@code maxConcurrentStreams}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions maxConcurrentStreams(@Nullable Number maxConcurrentStreams) {
        return with("action", "maxConcurrentStreams", maxConcurrentStreams);
    }

    /** {@code initialWindowSize}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions initialWindowSize(@Nullable Number initialWindowSize) {
        return with("action", "initialWindowSize", initialWindowSize);
    }

    /** {@code headerTableSize}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions headerTableSize(@Nullable Number headerTableSize) {
        return with("action", "headerTableSize", headerTableSize);
    }

    /** {@code maxFrameSize}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions maxFrameSize(@Nullable Number maxFrameSize) {
        return with("action", "maxFrameSize", maxFrameSize);
    }

    /** {@code withhold}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions withhold(@Nullable Boolean withhold) {
        return with("action", "withhold", withhold);
    }

    /**
     * {@code alert}: {@code close_notify}, {@code unexpected_message}, {@code bad_record_mac}, {@code
     * record_overflow}, {@code handshake_failure}, {@code bad_certificate}, {@code unsupported_certificate}, {@code
     * certificate_revoked}, {@code certificate_expired}, {@code certificate_unknown}, {@code illegal_parameter},
     * {@code unknown_ca}, {@code access_denied}, {@code decode_error}, {@code decrypt_error}, {@code
     * protocol_version}, {@code insufficient_security}, {@code internal_error}, {@code inappropriate_fallback}, {@code
     * user_canceled}, {@code missing_extension}, {@code unsupported_extension}, {@code unrecognized_name}, {@code
     * bad_certificate_status_response}, {@code unknown_psk_identity}, {@code certificate_required}, {@code
     * no_application_protocol}. Null clears it, or is the same as leaving it out.
     */
    public FaultRuleOptions alert(@Nullable Object alert) {
        return with("action", "alert", alert);
    }

    /**
     * {@code certificate}: {@code expired}, {@code wrongHost}, {@code untrusted}. Null clears it, or is the same as
     * leaving it out.
     */
    public FaultRuleOptions certificate(@Nullable Object certificate) {
        return with("action", "certificate", certificate);
    }

    /** {@code stall}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions stall(@Nullable Boolean stall) {
        return with("action", "stall", stall);
    }

    /** {@code slow}, with its unit: {@code 5s}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions slow(@Nullable String slow) {
        return with("action", "slow", slow);
    }

    /** {@code slow}. */
    public FaultRuleOptions slow(Duration slow) {
        return with("action", "slow", text(slow));
    }

    /** {@code how}: {@code fin}, {@code rst}, {@code halfOpen}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions how(@Nullable Object how) {
        return with("action", "how", how);
    }

    /** {@code afterBytes}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions afterBytes(@Nullable Number afterBytes) {
        return with("action", "afterBytes", afterBytes);
    }

    /** {@code afterIdle}, with its unit: {@code 5s}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions afterIdle(@Nullable String afterIdle) {
        return with("action", "afterIdle", afterIdle);
    }

    /** {@code afterIdle}. */
    public FaultRuleOptions afterIdle(Duration afterIdle) {
        return with("action", "afterIdle", text(afterIdle));
    }

    /** {@code bytesPerSecond}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions bytesPerSecond(@Nullable Number bytesPerSecond) {
        return with("action", "bytesPerSecond", bytesPerSecond);
    }

    /** {@code chunk}. Null clears it, or is the same as leaving it out. */
    public FaultRuleOptions chunk(@Nullable Number chunk) {
        return with("action", "chunk", chunk);
    }

    /** A filter by {@code token}: a value, any of several, or a condition. */
    public FaultRuleOptions token(Object token, Object... others) {
        return with("match", "token", filter("token", token, others));
    }

    /** A filter by {@code device}: a value, any of several, or a condition. */
    public FaultRuleOptions device(Object device, Object... others) {
        return with("match", "device", filter("device", device, others));
    }

    /** A filter by {@code topic}: a value, any of several, or a condition. */
    public FaultRuleOptions topic(Object topic, Object... others) {
        return with("match", "topic", filter("topic", topic, others));
    }

    /** A filter by {@code channel}: a value, any of several, or a condition. */
    public FaultRuleOptions channel(Object channel, Object... others) {
        return with("match", "channel", filter("channel", channel, others));
    }

    /** A filter by {@code team}: a value, any of several, or a condition. */
    public FaultRuleOptions team(Object team, Object... others) {
        return with("match", "team", filter("team", team, others));
    }

    /** A filter by {@code keyId}: a value, any of several, or a condition. */
    public FaultRuleOptions keyId(Object keyId, Object... others) {
        return with("match", "keyId", filter("keyId", keyId, others));
    }

    /** A filter by {@code apnsId}: a value, any of several, or a condition. */
    public FaultRuleOptions apnsId(Object apnsId, Object... others) {
        return with("match", "apnsId", filter("apnsId", apnsId, others));
    }

    /** A filter by {@code collapseId}: a value, any of several, or a condition. */
    public FaultRuleOptions collapseId(Object collapseId, Object... others) {
        return with("match", "collapseId", filter("collapseId", collapseId, others));
    }

    /** A filter by {@code pushType}: a value, any of several, or a condition. */
    public FaultRuleOptions pushType(Object pushType, Object... others) {
        return with("match", "pushType", filter("pushType", pushType, others));
    }

    /** A filter by {@code priority}: a value, any of several, or a condition. */
    public FaultRuleOptions priority(Object priority, Object... others) {
        return with("match", "priority", filter("priority", priority, others));
    }

    /** A filter by {@code environment}: a value, any of several, or a condition. */
    public FaultRuleOptions environment(Object environment, Object... others) {
        return with("match", "environment", filter("environment", environment, others));
    }

    /** A filter by {@code connection}: a value, any of several, or a condition. */
    public FaultRuleOptions connection(Object connection, Object... others) {
        return with("match", "connection", filter("connection", connection, others));
    }

    /** A filter by {@code kind}: a value, any of several, or a condition. */
    public FaultRuleOptions kind(Object kind, Object... others) {
        return with("match", "kind", filter("kind", kind, others));
    }

    /** A filter by {@code text}: a value, any of several, or a condition. */
    public FaultRuleOptions text(Object text, Object... others) {
        return with("match", "text", filter("text", text, others));
    }

    /** What is at a JSON pointer of the payload. Several values: any of them. */
    public FaultRuleOptions payload(String pointer, Object value, Object... others) {
        return withNamed("match", "payload", pointer, filter("payload", value, others));
    }

    /** What the payload has, maybe among other things. */
    public FaultRuleOptions payloadIncludes(Object part) {
        return with("match", "payloadIncludes", part);
    }

    /** A header by its name. Several values: any of them. */
    public FaultRuleOptions header(String header, Object value, Object... others) {
        return withNamed("match", "headers", header, filter("headers", value, others));
    }

    /** A filter by {@code event}: a value, any of several, or a condition. */
    public FaultRuleOptions event(Object event, Object... others) {
        return with("match", "event", filter("event", event, others));
    }
}
