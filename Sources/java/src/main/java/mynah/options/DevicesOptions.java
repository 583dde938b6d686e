// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;
import mynah.Nullable;

/** What {@code devices} may be given. */
public final class DevicesOptions extends Options<DevicesOptions> {
    /** None of them. */
    public DevicesOptions() {}

    private DevicesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected DevicesOptions copy(Map<String, Map<String, Object>> groups) {
        return new DevicesOptions(groups);
    }

    /** The scope, by default one's own; null is the whole server. */
    public DevicesOptions scope(@Nullable String scope) {
        return with("query", "scope", scope);
    }

    /** {@code sort}: {@code id}, {@code lastPush}. */
    public DevicesOptions sort(String sort) {
        return with("query", "sort", sort);
    }

    /** {@code after}. */
    public DevicesOptions after(String after) {
        return with("query", "after", after);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public DevicesOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public DevicesOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public DevicesOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }

    /** A filter by {@code device}: a value, any of several, or a condition. */
    public DevicesOptions device(Object device, Object... others) {
        return with("query", "device", listed("device", device, others));
    }

    /** A filter by {@code fleet}: a value, any of several, or a condition. */
    public DevicesOptions fleet(Object fleet, Object... others) {
        return with("query", "fleet", listed("fleet", fleet, others));
    }

    /** A filter by {@code topic}: a value, any of several, or a condition. */
    public DevicesOptions topic(Object topic, Object... others) {
        return with("query", "topic", listed("topic", topic, others));
    }

    /** A filter by {@code token}: a value, any of several, or a condition. */
    public DevicesOptions token(Object token, Object... others) {
        return with("query", "token", listed("token", token, others));
    }

    /** A filter by {@code environment}: a value, any of several, or a condition. */
    public DevicesOptions environment(Object environment, Object... others) {
        return with("query", "environment", listed("environment", environment, others));
    }

    /** A filter by {@code named}: a value, any of several, or a condition. */
    public DevicesOptions named(Object named, Object... others) {
        return with("query", "named", listed("named", named, others));
    }

    /** A filter by {@code user}: a value, any of several, or a condition. */
    public DevicesOptions user(Object user, Object... others) {
        return with("query", "user", listed("user", user, others));
    }

    /** A filter by {@code platform}: a value, any of several, or a condition. */
    public DevicesOptions platform(Object platform, Object... others) {
        return with("query", "platform", listed("platform", platform, others));
    }

    /** A filter by {@code online}: a value, any of several, or a condition. */
    public DevicesOptions online(Object online, Object... others) {
        return with("query", "online", listed("online", online, others));
    }

    /** A filter by {@code power}: a value, any of several, or a condition. */
    public DevicesOptions power(Object power, Object... others) {
        return with("query", "power", listed("power", power, others));
    }
}
