// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code StartedActivitiesRefusals} of the control API. */
public final class StartedActivitiesRefusals extends JsonRecord {
    public StartedActivitiesRefusals(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code device}. */
    public String device() {
        return text("device");
    }

    /** The member {@code reason}. */
    public String reason() {
        return text("reason");
    }
}
