// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;
import mynah.Nullable;

/** What {@code removeDevices} may be given. */
public final class RemoveDevicesOptions extends Options<RemoveDevicesOptions> {
    /** None of them. */
    public RemoveDevicesOptions() {}

    private RemoveDevicesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected RemoveDevicesOptions copy(Map<String, Map<String, Object>> groups) {
        return new RemoveDevicesOptions(groups);
    }

    /** The scope, by default one's own; null is the whole server. */
    public RemoveDevicesOptions scope(@Nullable String scope) {
        return with("query", "scope", scope);
    }

    /** A filter by {@code device}: a value, any of several, or a condition. */
    public RemoveDevicesOptions device(Object device, Object... others) {
        return with("query", "device", listed("device", device, others));
    }

    /** A filter by {@code fleet}: a value, any of several, or a condition. */
    public RemoveDevicesOptions fleet(Object fleet, Object... others) {
        return with("query", "fleet", listed("fleet", fleet, others));
    }

    /** A filter by {@code topic}: a value, any of several, or a condition. */
    public RemoveDevicesOptions topic(Object topic, Object... others) {
        return with("query", "topic", listed("topic", topic, others));
    }

    /** A filter by {@code token}: a value, any of several, or a condition. */
    public RemoveDevicesOptions token(Object token, Object... others) {
        return with("query", "token", listed("token", token, others));
    }

    /** A filter by {@code environment}: a value, any of several, or a condition. */
    public RemoveDevicesOptions environment(Object environment, Object... others) {
        return with("query", "environment", listed("environment", environment, others));
    }

    /** A filter by {@code named}: a value, any of several, or a condition. */
    public RemoveDevicesOptions named(Object named, Object... others) {
        return with("query", "named", listed("named", named, others));
    }

    /** A filter by {@code user}: a value, any of several, or a condition. */
    public RemoveDevicesOptions user(Object user, Object... others) {
        return with("query", "user", listed("user", user, others));
    }

    /** A filter by {@code platform}: a value, any of several, or a condition. */
    public RemoveDevicesOptions platform(Object platform, Object... others) {
        return with("query", "platform", listed("platform", platform, others));
    }

    /** A filter by {@code online}: a value, any of several, or a condition. */
    public RemoveDevicesOptions online(Object online, Object... others) {
        return with("query", "online", listed("online", online, others));
    }

    /** A filter by {@code power}: a value, any of several, or a condition. */
    public RemoveDevicesOptions power(Object power, Object... others) {
        return with("query", "power", listed("power", power, others));
    }
}
