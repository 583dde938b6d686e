// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code KeySpecification} of the control API. */
public final class KeySpecification extends JsonRecord {
    public KeySpecification(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code keyId}, or null. */
    @Nullable
    public Object keyId() {
        return value("keyId");
    }

    /** The member {@code team}, or null. */
    @Nullable
    public Object team() {
        return value("team");
    }

    /** The member {@code publicKey}, or null. */
    @Nullable
    public String publicKey() {
        return text("publicKey");
    }

    /** The member {@code privateKey}, or null. */
    @Nullable
    public String privateKey() {
        return text("privateKey");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}, {@code both}, or null. */
    @Nullable
    public Object environment() {
        return value("environment");
    }

    /** The member {@code topics}, or null. */
    @Nullable
    public Object topics() {
        return value("topics");
    }

    /** The member {@code related}, or null. */
    @Nullable
    public String related() {
        return text("related");
    }

    /** The member {@code revokedAt}, or null. */
    @Nullable
    public Instant revokedAt() {
        return time("revokedAt");
    }

    /** The member {@code canSign}, or null. */
    @Nullable
    public Boolean canSign() {
        return flag("canSign");
    }
}
