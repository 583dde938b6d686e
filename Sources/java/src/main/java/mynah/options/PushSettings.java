// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Duration;
import java.util.Map;
import mynah.Nullable;

/** What {@code send} may be given. */
public final class PushSettings extends Options<PushSettings> {
    /** None of them. */
    public PushSettings() {}

    private PushSettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected PushSettings copy(Map<String, Map<String, Object>> groups) {
        return new PushSettings(groups);
    }

    /** {@code token}. Null clears it, or is the same as leaving it out. */
    public PushSettings token(@Nullable String token) {
        return with("body", "token", token);
    }

    /** {@code channel}. Null clears it, or is the same as leaving it out. */
    public PushSettings channel(@Nullable String channel) {
        return with("body", "channel", channel);
    }

    /** {@code topic}. Null clears it, or is the same as leaving it out. */
    public PushSettings topic(@Nullable String topic) {
        return with("body", "topic", topic);
    }

    /** {@code pushType}. Null clears it, or is the same as leaving it out. */
    public PushSettings pushType(@Nullable String pushType) {
        return with("body", "pushType", pushType);
    }

    /** {@code priority}. Null clears it, or is the same as leaving it out. */
    public PushSettings priority(@Nullable Object priority) {
        return with("body", "priority", priority);
    }

    /** {@code expiration}. Null clears it, or is the same as leaving it out. */
    public PushSettings expiration(@Nullable Object expiration) {
        return with("body", "expiration", expiration);
    }

    /** {@code collapseId}. Null clears it, or is the same as leaving it out. */
    public PushSettings collapseId(@Nullable String collapseId) {
        return with("body", "collapseId", collapseId);
    }

    /** {@code apnsId}. Null clears it, or is the same as leaving it out. */
    public PushSettings apnsId(@Nullable String apnsId) {
        return with("body", "apnsId", apnsId);
    }

    /** {@code payload}. Null clears it, or is the same as leaving it out. */
    public PushSettings payload(@Nullable Object payload) {
        return with("body", "payload", payload);
    }

    /** {@code payloadBase64}. Null clears it, or is the same as leaving it out. */
    public PushSettings payloadBase64(@Nullable Object payloadBase64) {
        return with("body", "payloadBase64", payloadBase64);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. Null clears it, or is the same as leaving it out. */
    public PushSettings environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code timeout}, with its unit: {@code 5s}. Null clears it, or is the same as leaving it out. */
    public PushSettings timeout(@Nullable String timeout) {
        return with("body", "timeout", timeout);
    }

    /** {@code timeout}. */
    public PushSettings timeout(Duration timeout) {
        return with("body", "timeout", text(timeout));
    }
}
