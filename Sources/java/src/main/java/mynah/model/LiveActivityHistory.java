// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code LiveActivityHistory} of the control API. */
public final class LiveActivityHistory extends JsonRecord {
    public LiveActivityHistory(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code event}, one of {@code start}, {@code update}, {@code end}. */
    public String event() {
        return text("event");
    }

    /** The member {@code at}. */
    public Instant at() {
        return time("at");
    }

    /** The member {@code sequence}, or null. */
    @Nullable
    public Long sequence() {
        return integer("sequence");
    }

    /** The member {@code contentState}. */
    public Map<String, Object> contentState() {
        return collection("contentState");
    }
}
