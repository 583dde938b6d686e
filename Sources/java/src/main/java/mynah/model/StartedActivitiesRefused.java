// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code StartedActivitiesRefused} of the control API. */
public final class StartedActivitiesRefused extends JsonRecord {
    public StartedActivitiesRefused(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code devices}. */
    public long devices() {
        return integer("devices");
    }
}
