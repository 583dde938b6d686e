// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code Arrival} of the control API. */
public final class Arrival extends JsonRecord {
    public Arrival(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code sequence}. */
    public long sequence() {
        return integer("sequence");
    }

    /** The member {@code apnsId}, or null. */
    @Nullable
    public String apnsId() {
        return text("apnsId");
    }

    /** The member {@code topic}, or null. */
    @Nullable
    public String topic() {
        return text("topic");
    }

    /** The member {@code pushType}, or null. */
    @Nullable
    public String pushType() {
        return text("pushType");
    }

    /**
     * The member {@code kind}, one of {@code alert}, {@code background}, {@code location}, {@code voip}, {@code
     * complication}, {@code fileprovider}, {@code mdm}, {@code liveactivity}, {@code pushtotalk}, {@code widgets},
     * {@code controls}, {@code pass}, or null.
     */
    @Nullable
    public Object kind() {
        return value("kind");
    }

    /** The member {@code payload}, or null. */
    @Nullable
    public Object payload() {
        return value("payload");
    }

    /** The member {@code payloadBase64}, or null. */
    @Nullable
    public String payloadBase64() {
        return text("payloadBase64");
    }

    /** The member {@code deliveredAt}. */
    public Instant deliveredAt() {
        return time("deliveredAt");
    }

    /** The member {@code evicted}. */
    public boolean evicted() {
        return flag("evicted");
    }
}
