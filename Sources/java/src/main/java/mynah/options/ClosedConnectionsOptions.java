// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code closedConnections} may be given. */
public final class ClosedConnectionsOptions extends Options<ClosedConnectionsOptions> {
    /** None of them. */
    public ClosedConnectionsOptions() {}

    private ClosedConnectionsOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ClosedConnectionsOptions copy(Map<String, Map<String, Object>> groups) {
        return new ClosedConnectionsOptions(groups);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public ClosedConnectionsOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public ClosedConnectionsOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public ClosedConnectionsOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }
}
