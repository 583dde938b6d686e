// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code AddedKey} of the control API. */
public final class AddedKey extends JsonRecord {
    public AddedKey(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code keyId}. */
    public String keyId() {
        return text("keyId");
    }

    /** The member {@code team}. */
    public String team() {
        return text("team");
    }

    /** The member {@code publicKey}. */
    public String publicKey() {
        return text("publicKey");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}, {@code both}. */
    public String environment() {
        return text("environment");
    }

    /** The member {@code topics}, or null. */
    @Nullable
    public List<String> topics() {
        return collection("topics");
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

    /** The member {@code canSign}. */
    public boolean canSign() {
        return flag("canSign");
    }

    /** The member {@code privateKey}, or null. */
    @Nullable
    public String privateKey() {
        return text("privateKey");
    }
}
