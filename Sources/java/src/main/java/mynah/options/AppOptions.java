// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code app} may be given. */
public final class AppOptions extends Options<AppOptions> {
    /** None of them. */
    public AppOptions() {}

    private AppOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected AppOptions copy(Map<String, Map<String, Object>> groups) {
        return new AppOptions(groups);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. */
    public AppOptions environment(String environment) {
        return with("query", "environment", environment);
    }
}
