// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code keys} may be given. */
public final class KeysOptions extends Options<KeysOptions> {
    /** None of them. */
    public KeysOptions() {}

    private KeysOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected KeysOptions copy(Map<String, Map<String, Object>> groups) {
        return new KeysOptions(groups);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public KeysOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public KeysOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public KeysOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }
}
