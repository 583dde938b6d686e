// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;

/** {@code ClockReport} of the control API. */
public final class ClockReport extends JsonRecord {
    public ClockReport(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code mode}, one of {@code real}, {@code offset}, {@code frozen}. */
    public String mode() {
        return text("mode");
    }

    /** The member {@code now}. */
    public Instant now() {
        return time("now");
    }

    /** The member {@code lastSequence}. */
    public long lastSequence() {
        return integer("lastSequence");
    }

    /** The member {@code delivered}. */
    public long delivered() {
        return integer("delivered");
    }

    /** The member {@code expired}. */
    public long expired() {
        return integer("expired");
    }

    /** The member {@code coalesced}. */
    public long coalesced() {
        return integer("coalesced");
    }
}
