// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;

/** {@code StartedActivities} of the control API. */
public final class StartedActivities extends JsonRecord {
    public StartedActivities(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code started}. */
    public StartedActivitiesStarted started() {
        return object("started", StartedActivitiesStarted::new);
    }

    /** The member {@code refused}. */
    public StartedActivitiesRefused refused() {
        return object("refused", StartedActivitiesRefused::new);
    }

    /** The member {@code refusals}. */
    public List<StartedActivitiesRefusals> refusals() {
        return objects("refusals", StartedActivitiesRefusals::new);
    }
}
