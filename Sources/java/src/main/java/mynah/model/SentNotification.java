// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code SentNotification} of the control API. */
public final class SentNotification extends JsonRecord {
    public SentNotification(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code status}, or null. */
    @Nullable
    public Long status() {
        return integer("status");
    }

    /** The member {@code reason}, or null. */
    @Nullable
    public String reason() {
        return text("reason");
    }

    /** The member {@code apnsId}. */
    public String apnsId() {
        return text("apnsId");
    }

    /** The member {@code sequence}, or null. */
    @Nullable
    public Long sequence() {
        return integer("sequence");
    }

    /** The member {@code problem}, or null. */
    @Nullable
    public String problem() {
        return text("problem");
    }
}
