// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code Fleet} of the control API. */
public final class Fleet extends JsonRecord {
    public Fleet(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}. */
    public String id() {
        return text("id");
    }

    /** The member {@code devices}. */
    public long devices() {
        return integer("devices");
    }

    /** The member {@code lastPush}, or null. */
    @Nullable
    public Long lastPush() {
        return integer("lastPush");
    }
}
