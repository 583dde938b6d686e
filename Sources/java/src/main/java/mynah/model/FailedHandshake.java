// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code FailedHandshake} of the control API. */
public final class FailedHandshake extends JsonRecord {
    public FailedHandshake(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}. */
    public long id() {
        return integer("id");
    }

    /** The member {@code at}. */
    public Instant at() {
        return time("at");
    }

    /** The member {@code peer}. */
    public String peer() {
        return text("peer");
    }

    /** The member {@code sni}, or null. */
    @Nullable
    public String sni() {
        return text("sni");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}. */
    public String environment() {
        return text("environment");
    }

    /**
     * The member {@code cause}, one of {@code serverNotTrusted}, {@code notTLS}, {@code noHTTP2}, {@code tlsVersion},
     * {@code clientCertificate}, {@code hungUp}, {@code timedOut}, {@code fault}, {@code other}.
     */
    public String cause() {
        return text("cause");
    }

    /** The member {@code reason}. */
    public String reason() {
        return text("reason");
    }

    /** The member {@code count}. */
    public long count() {
        return integer("count");
    }
}
