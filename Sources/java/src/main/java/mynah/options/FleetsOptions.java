// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code fleets} may be given. */
public final class FleetsOptions extends Options<FleetsOptions> {
    /** None of them. */
    public FleetsOptions() {}

    private FleetsOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected FleetsOptions copy(Map<String, Map<String, Object>> groups) {
        return new FleetsOptions(groups);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public FleetsOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public FleetsOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public FleetsOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }
}
