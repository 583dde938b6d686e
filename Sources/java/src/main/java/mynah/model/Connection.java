// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code Connection} of the control API. */
public final class Connection extends JsonRecord {
    public Connection(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}. */
    public long id() {
        return integer("id");
    }

    /** The member {@code peer}. */
    public String peer() {
        return text("peer");
    }

    /** The member {@code openedAt}. */
    public Instant openedAt() {
        return time("openedAt");
    }

    /** The member {@code tls}, one of {@code TLSv1.2}, {@code TLSv1.3}, or null. */
    @Nullable
    public Object tls() {
        return value("tls");
    }

    /** The member {@code cipher}, or null. */
    @Nullable
    public String cipher() {
        return text("cipher");
    }

    /** The member {@code sni}, or null. */
    @Nullable
    public String sni() {
        return text("sni");
    }

    /** The member {@code alpn}, or null. */
    @Nullable
    public String alpn() {
        return text("alpn");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}. */
    public String environment() {
        return text("environment");
    }

    /** The member {@code credential}, or null. */
    @Nullable
    public Object credential() {
        return value("credential");
    }

    /** The member {@code streams}. */
    public ConnectionStreams streams() {
        return object("streams", ConnectionStreams::new);
    }

    /** The member {@code pushes}. */
    public long pushes() {
        return integer("pushes");
    }

    /** The member {@code pings}. */
    public long pings() {
        return integer("pings");
    }

    /** The member {@code bytesIn}. */
    public long bytesIn() {
        return integer("bytesIn");
    }

    /** The member {@code bytesOut}. */
    public long bytesOut() {
        return integer("bytesOut");
    }

    /** The member {@code server}, or null. */
    @Nullable
    public String server() {
        return text("server");
    }
}
