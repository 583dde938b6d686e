// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code Scenario} of the control API. */
public final class Scenario extends JsonRecord {
    public Scenario(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code name}. */
    public String name() {
        return text("name");
    }

    /** The member {@code description}, or null. */
    @Nullable
    public String description() {
        return text("description");
    }

    /** The member {@code scope}, or null. */
    @Nullable
    public String scope() {
        return text("scope");
    }

    /** The member {@code seed}, or null. */
    @Nullable
    public Long seed() {
        return integer("seed");
    }

    /** The member {@code steps}. */
    public List<ScenarioSteps> steps() {
        return objects("steps", ScenarioSteps::new);
    }

    /** The member {@code startedAt}, or null. */
    @Nullable
    public Instant startedAt() {
        return time("startedAt");
    }

    /** The member {@code stepsDone}, or null. */
    @Nullable
    public Long stepsDone() {
        return integer("stepsDone");
    }

    /** The member {@code next}, or null. */
    @Nullable
    public Object next() {
        return value("next");
    }

    /** The member {@code rules}, or null. */
    @Nullable
    public List<String> rules() {
        return collection("rules");
    }

    /** The member {@code problem}, or null. */
    @Nullable
    public String problem() {
        return text("problem");
    }
}
