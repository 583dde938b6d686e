// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code fixtures} may be given. */
public final class FixturesOptions extends Options<FixturesOptions> {
    /** None of them. */
    public FixturesOptions() {}

    private FixturesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected FixturesOptions copy(Map<String, Map<String, Object>> groups) {
        return new FixturesOptions(groups);
    }

    /** {@code scope}. */
    public FixturesOptions scope(String scope) {
        return with("query", "scope", scope);
    }
}
