// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code ScenarioSteps} of the control API. */
public final class ScenarioSteps extends JsonRecord {
    public ScenarioSteps(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code after}, or null. */
    @Nullable
    public Object after() {
        return value("after");
    }

    /** The member {@code add}, or null. */
    @Nullable
    public List<FaultSpecification> add() {
        return objects("add", FaultSpecification::new);
    }

    /** The member {@code remove}, or null. */
    @Nullable
    public List<String> remove() {
        return collection("remove");
    }
}
