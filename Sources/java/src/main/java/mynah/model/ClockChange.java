// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code ClockChange} of the control API. */
public final class ClockChange extends JsonRecord {
    public ClockChange(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code mode}, one of {@code real}, {@code offset}, {@code frozen}, or null. */
    @Nullable
    public Object mode() {
        return value("mode");
    }

    /** The member {@code now}, or null. */
    @Nullable
    public Instant now() {
        return time("now");
    }

    /** The member {@code scope}, or null. */
    @Nullable
    public String scope() {
        return text("scope");
    }
}
