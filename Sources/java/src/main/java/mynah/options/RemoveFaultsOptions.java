// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;
import mynah.Nullable;

/** What {@code removeFaults} may be given. */
public final class RemoveFaultsOptions extends Options<RemoveFaultsOptions> {
    /** None of them. */
    public RemoveFaultsOptions() {}

    private RemoveFaultsOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected RemoveFaultsOptions copy(Map<String, Map<String, Object>> groups) {
        return new RemoveFaultsOptions(groups);
    }

    /** The scope, by default one's own; null is the whole server. */
    public RemoveFaultsOptions scope(@Nullable String scope) {
        return with("query", "scope", scope);
    }

    /** A filter by {@code fault}: a value, any of several, or a condition. */
    public RemoveFaultsOptions fault(Object fault, Object... others) {
        return with("query", "fault", listed("fault", fault, others));
    }

    /** A filter by {@code name}: a value, any of several, or a condition. */
    public RemoveFaultsOptions name(Object name, Object... others) {
        return with("query", "name", listed("name", name, others));
    }

    /** A filter by {@code enabled}: a value, any of several, or a condition. */
    public RemoveFaultsOptions enabled(Object enabled, Object... others) {
        return with("query", "enabled", listed("enabled", enabled, others));
    }

    /** A filter by {@code fired}: a value, any of several, or a condition. */
    public RemoveFaultsOptions fired(Object fired, Object... others) {
        return with("query", "fired", listed("fired", fired, others));
    }

    /** A filter by {@code event}: a value, any of several, or a condition. */
    public RemoveFaultsOptions event(Object event, Object... others) {
        return with("query", "event", listed("event", event, others));
    }

    /** A filter by {@code action}: a value, any of several, or a condition. */
    public RemoveFaultsOptions action(Object action, Object... others) {
        return with("query", "action", listed("action", action, others));
    }
}
