// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code AppResponse} of the control API. */
public final class AppResponse extends JsonRecord {
    public AppResponse(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code sequence}. */
    public long sequence() {
        return integer("sequence");
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code action}. */
    public String action() {
        return text("action");
    }

    /** The member {@code text}, or null. */
    @Nullable
    public String text() {
        return text("text");
    }

    /** The member {@code at}. */
    public Instant at() {
        return time("at");
    }

    /** The member {@code navigate}, or null. */
    @Nullable
    public String navigate() {
        return text("navigate");
    }
}
