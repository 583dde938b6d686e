// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code magicTokens} may be given. */
public final class MagicTokensOptions extends Options<MagicTokensOptions> {
    /** None of them. */
    public MagicTokensOptions() {}

    private MagicTokensOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected MagicTokensOptions copy(Map<String, Map<String, Object>> groups) {
        return new MagicTokensOptions(groups);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public MagicTokensOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public MagicTokensOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public MagicTokensOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }
}
