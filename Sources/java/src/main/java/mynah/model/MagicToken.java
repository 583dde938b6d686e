// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code MagicToken} of the control API. */
public final class MagicToken extends JsonRecord {
    public MagicToken(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code token}. */
    public String token() {
        return text("token");
    }

    /** The member {@code channel}. */
    public String channel() {
        return text("channel");
    }

    /** The member {@code segment}. */
    public String segment() {
        return text("segment");
    }

    /** The member {@code does}. */
    public String does() {
        return text("does");
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
}
