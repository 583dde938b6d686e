// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code failedHandshakes} may be given. */
public final class FailedHandshakesOptions extends Options<FailedHandshakesOptions> {
    /** None of them. */
    public FailedHandshakesOptions() {}

    private FailedHandshakesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected FailedHandshakesOptions copy(Map<String, Map<String, Object>> groups) {
        return new FailedHandshakesOptions(groups);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public FailedHandshakesOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public FailedHandshakesOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public FailedHandshakesOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }
}
