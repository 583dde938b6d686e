// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code StartedActivitiesStarted} of the control API. */
public final class StartedActivitiesStarted extends JsonRecord {
    public StartedActivitiesStarted(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code activities}. */
    public long activities() {
        return integer("activities");
    }
}
