// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code NotificationTimeline} of the control API. */
public final class NotificationTimeline extends JsonRecord {
    public NotificationTimeline(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code at}. */
    public Instant at() {
        return time("at");
    }

    /** The member {@code event}. */
    public String event() {
        return text("event");
    }

    /** The member {@code detail}, or null. */
    @Nullable
    public String detail() {
        return text("detail");
    }
}
