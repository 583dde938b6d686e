// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code removeScenarios} may be given. */
public final class RemoveScenariosOptions extends Options<RemoveScenariosOptions> {
    /** None of them. */
    public RemoveScenariosOptions() {}

    private RemoveScenariosOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected RemoveScenariosOptions copy(Map<String, Map<String, Object>> groups) {
        return new RemoveScenariosOptions(groups);
    }

    /** {@code scope}. */
    public RemoveScenariosOptions scope(String scope) {
        return with("query", "scope", scope);
    }
}
