// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;
import mynah.Nullable;

/** What {@code faults} may be given. */
public final class FaultsOptions extends Options<FaultsOptions> {
    /** None of them. */
    public FaultsOptions() {}

    private FaultsOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected FaultsOptions copy(Map<String, Map<String, Object>> groups) {
        return new FaultsOptions(groups);
    }

    /** The scope, by default one's own; null is the whole server. */
    public FaultsOptions scope(@Nullable String scope) {
        return with("query", "scope", scope);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public FaultsOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public FaultsOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public FaultsOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }

    /** A filter by {@code fault}: a value, any of several, or a condition. */
    public FaultsOptions fault(Object fault, Object... others) {
        return with("query", "fault", listed("fault", fault, others));
    }

    /** A filter by {@code name}: a value, any of several, or a condition. */
    public FaultsOptions name(Object name, Object... others) {
        return with("query", "name", listed("name", name, others));
    }

    /** A filter by {@code enabled}: a value, any of several, or a condition. */
    public FaultsOptions enabled(Object enabled, Object... others) {
        return with("query", "enabled", listed("enabled", enabled, others));
    }

    /** A filter by {@code fired}: a value, any of several, or a condition. */
    public FaultsOptions fired(Object fired, Object... others) {
        return with("query", "fired", listed("fired", fired, others));
    }

    /** A filter by {@code event}: a value, any of several, or a condition. */
    public FaultsOptions event(Object event, Object... others) {
        return with("query", "event", listed("event", event, others));
    }

    /** A filter by {@code action}: a value, any of several, or a condition. */
    public FaultsOptions action(Object action, Object... others) {
        return with("query", "action", listed("action", action, others));
    }
}
