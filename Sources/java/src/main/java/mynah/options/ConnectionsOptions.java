// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Duration;
import java.util.Map;

/** What {@code connections} may be given. */
public final class ConnectionsOptions extends Options<ConnectionsOptions> {
    /** None of them. */
    public ConnectionsOptions() {}

    private ConnectionsOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ConnectionsOptions copy(Map<String, Map<String, Object>> groups) {
        return new ConnectionsOptions(groups);
    }

    /** {@code wait}. */
    public ConnectionsOptions wait(Duration wait) {
        return with("query", "wait", text(wait));
    }

    /** {@code wait}. */
    public ConnectionsOptions wait(String wait) {
        return with("query", "wait", wait);
    }

    /** {@code count}. */
    public ConnectionsOptions count(long count) {
        return with("query", "count", count);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public ConnectionsOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public ConnectionsOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public ConnectionsOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }

    /** A filter by {@code environment}: a value, any of several, or a condition. */
    public ConnectionsOptions environment(Object environment, Object... others) {
        return with("query", "environment", listed("environment", environment, others));
    }

    /** A filter by {@code team}: a value, any of several, or a condition. */
    public ConnectionsOptions team(Object team, Object... others) {
        return with("query", "team", listed("team", team, others));
    }

    /** A filter by {@code keyId}: a value, any of several, or a condition. */
    public ConnectionsOptions keyId(Object keyId, Object... others) {
        return with("query", "keyId", listed("keyId", keyId, others));
    }

    /** A filter by {@code connection}: a value, any of several, or a condition. */
    public ConnectionsOptions connection(Object connection, Object... others) {
        return with("query", "connection", listed("connection", connection, others));
    }
}
