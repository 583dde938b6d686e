// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code uninstall} may be given. */
public final class UninstallOptions extends Options<UninstallOptions> {
    /** None of them. */
    public UninstallOptions() {}

    private UninstallOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected UninstallOptions copy(Map<String, Map<String, Object>> groups) {
        return new UninstallOptions(groups);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. */
    public UninstallOptions environment(String environment) {
        return with("query", "environment", environment);
    }
}
