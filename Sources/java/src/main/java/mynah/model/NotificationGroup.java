// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code NotificationGroup} of the control API. */
public final class NotificationGroup extends JsonRecord {
    public NotificationGroup(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code threadId}, or null. */
    @Nullable
    public String threadId() {
        return text("threadId");
    }

    /** The member {@code count}. */
    public long count() {
        return integer("count");
    }

    /** The member {@code sequences}. */
    public List<Long> sequences() {
        return collection("sequences");
    }

    /** The member {@code summary}, or null. */
    @Nullable
    public String summary() {
        return text("summary");
    }
}
