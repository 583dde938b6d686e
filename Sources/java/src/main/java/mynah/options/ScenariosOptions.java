// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code scenarios} may be given. */
public final class ScenariosOptions extends Options<ScenariosOptions> {
    /** None of them. */
    public ScenariosOptions() {}

    private ScenariosOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ScenariosOptions copy(Map<String, Map<String, Object>> groups) {
        return new ScenariosOptions(groups);
    }

    /** {@code shipped}. */
    public ScenariosOptions shipped(boolean shipped) {
        return with("query", "shipped", shipped);
    }

    /** {@code scope}. */
    public ScenariosOptions scope(String scope) {
        return with("query", "scope", scope);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public ScenariosOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public ScenariosOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public ScenariosOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }
}
