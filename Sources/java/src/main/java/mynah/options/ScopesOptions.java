// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code scopes} may be given. */
public final class ScopesOptions extends Options<ScopesOptions> {
    /** None of them. */
    public ScopesOptions() {}

    private ScopesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ScopesOptions copy(Map<String, Map<String, Object>> groups) {
        return new ScopesOptions(groups);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public ScopesOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public ScopesOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public ScopesOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }
}
