// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;

/** {@code ScreenHeld} of the control API. */
public final class ScreenHeld extends JsonRecord {
    public ScreenHeld(Map<String, Object> document) {
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

    /** The member {@code until}. */
    public Instant until() {
        return time("until");
    }
}
