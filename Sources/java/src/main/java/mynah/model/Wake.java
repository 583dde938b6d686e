// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code Wake} of the control API. */
public final class Wake extends JsonRecord {
    public Wake(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code sequence}. */
    public long sequence() {
        return integer("sequence");
    }

    /** The member {@code at}. */
    public Instant at() {
        return time("at");
    }

    /** The member {@code state}, one of {@code running}, {@code finished}, {@code stopped}. */
    public String state() {
        return text("state");
    }

    /** The member {@code result}, one of {@code newData}, {@code noData}, {@code failed}, or null. */
    @Nullable
    public Object result() {
        return value("result");
    }

    /** The member {@code endedAt}, or null. */
    @Nullable
    public Instant endedAt() {
        return time("endedAt");
    }
}
