// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code scenario} may be given. */
public final class ScenarioOptions extends Options<ScenarioOptions> {
    /** None of them. */
    public ScenarioOptions() {}

    private ScenarioOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ScenarioOptions copy(Map<String, Map<String, Object>> groups) {
        return new ScenarioOptions(groups);
    }

    /** {@code scope}. */
    public ScenarioOptions scope(String scope) {
        return with("query", "scope", scope);
    }
}
