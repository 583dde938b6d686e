// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code closeConnection} may be given. */
public final class CloseConnectionOptions extends Options<CloseConnectionOptions> {
    /** None of them. */
    public CloseConnectionOptions() {}

    private CloseConnectionOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected CloseConnectionOptions copy(Map<String, Map<String, Object>> groups) {
        return new CloseConnectionOptions(groups);
    }

    /** {@code abort}. */
    public CloseConnectionOptions abort(boolean abort) {
        return with("query", "abort", abort);
    }
}
