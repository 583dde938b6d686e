// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code Credentials} of the control API. */
public final class Credentials extends JsonRecord {
    public Credentials(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code ca}. */
    public String ca() {
        return text("ca");
    }

    /** The member {@code keyId}, or null. */
    @Nullable
    public String keyId() {
        return text("keyId");
    }

    /** The member {@code teamId}, or null. */
    @Nullable
    public String teamId() {
        return text("teamId");
    }

    /** The member {@code key}, or null. */
    @Nullable
    public String key() {
        return text("key");
    }
}
