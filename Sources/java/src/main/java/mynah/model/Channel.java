// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code Channel} of the control API. */
public final class Channel extends JsonRecord {
    public Channel(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}. */
    public String id() {
        return text("id");
    }

    /** The member {@code bundleId}. */
    public String bundleId() {
        return text("bundleId");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}. */
    public String environment() {
        return text("environment");
    }

    /** The member {@code messageStoragePolicy}. */
    public long messageStoragePolicy() {
        return integer("messageStoragePolicy");
    }

    /** The member {@code createdAt}. */
    public Instant createdAt() {
        return time("createdAt");
    }

    /** The member {@code broadcasts}. */
    public long broadcasts() {
        return integer("broadcasts");
    }

    /** The member {@code followers}. */
    public long followers() {
        return integer("followers");
    }

    /** The member {@code storedUntil}, or null. */
    @Nullable
    public Instant storedUntil() {
        return time("storedUntil");
    }
}
