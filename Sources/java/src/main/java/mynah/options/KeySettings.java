// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** What {@code addKey} may be given. */
public final class KeySettings extends Options<KeySettings> {
    /** None of them. */
    public KeySettings() {}

    private KeySettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected KeySettings copy(Map<String, Map<String, Object>> groups) {
        return new KeySettings(groups);
    }

    /** {@code keyId}. Null clears it, or is the same as leaving it out. */
    public KeySettings keyId(@Nullable Object keyId) {
        return with("body", "keyId", keyId);
    }

    /** {@code team}. Null clears it, or is the same as leaving it out. */
    public KeySettings team(@Nullable Object team) {
        return with("body", "team", team);
    }

    /** {@code publicKey}. Null clears it, or is the same as leaving it out. */
    public KeySettings publicKey(@Nullable String publicKey) {
        return with("body", "publicKey", publicKey);
    }

    /** {@code privateKey}. Null clears it, or is the same as leaving it out. */
    public KeySettings privateKey(@Nullable String privateKey) {
        return with("body", "privateKey", privateKey);
    }

    /**
     * {@code environment}: {@code sandbox}, {@code production}, {@code both}. Null clears it, or is the same as
     * leaving it out.
     */
    public KeySettings environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code topics}. Null clears it, or is the same as leaving it out. */
    public KeySettings topics(@Nullable Object topics) {
        return with("body", "topics", topics);
    }

    /** {@code related}. Null clears it, or is the same as leaving it out. */
    public KeySettings related(@Nullable String related) {
        return with("body", "related", related);
    }

    /** {@code revokedAt}. Null clears it, or is the same as leaving it out. */
    public KeySettings revokedAt(@Nullable Instant revokedAt) {
        return with("body", "revokedAt", revokedAt);
    }
}
