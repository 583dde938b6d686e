// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code StatusCounts} of the control API. */
public final class StatusCounts extends JsonRecord {
    public StatusCounts(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code received}. */
    public long received() {
        return integer("received");
    }

    /** The member {@code accepted}. */
    public long accepted() {
        return integer("accepted");
    }

    /** The member {@code refused}. */
    public long refused() {
        return integer("refused");
    }

    /** The member {@code devices}. */
    public long devices() {
        return integer("devices");
    }

    /** The member {@code stored}. */
    public long stored() {
        return integer("stored");
    }

    /** The member {@code deferred}. */
    public long deferred() {
        return integer("deferred");
    }

    /** The member {@code faults}. */
    public long faults() {
        return integer("faults");
    }

    /** The member {@code faultsFired}. */
    public long faultsFired() {
        return integer("faultsFired");
    }

    /** The member {@code scopes}. */
    public long scopes() {
        return integer("scopes");
    }

    /** The member {@code connections}. */
    public long connections() {
        return integer("connections");
    }

    /** The member {@code handshakesFailed}. */
    public long handshakesFailed() {
        return integer("handshakesFailed");
    }

    /** The member {@code connectionsRefused}. */
    public long connectionsRefused() {
        return integer("connectionsRefused");
    }
}
