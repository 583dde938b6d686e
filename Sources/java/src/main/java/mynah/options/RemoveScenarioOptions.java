// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code removeScenario} may be given. */
public final class RemoveScenarioOptions extends Options<RemoveScenarioOptions> {
    /** None of them. */
    public RemoveScenarioOptions() {}

    private RemoveScenarioOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected RemoveScenarioOptions copy(Map<String, Map<String, Object>> groups) {
        return new RemoveScenarioOptions(groups);
    }

    /** {@code scope}. */
    public RemoveScenarioOptions scope(String scope) {
        return with("query", "scope", scope);
    }
}
