// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code FaultMatch} of the control API. */
public final class FaultMatch extends JsonRecord {
    public FaultMatch(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code token}, or null. */
    @Nullable
    public Object token() {
        return value("token");
    }

    /** The member {@code device}, or null. */
    @Nullable
    public Object device() {
        return value("device");
    }

    /** The member {@code scope}, or null. */
    @Nullable
    public Object scope() {
        return value("scope");
    }

    /** The member {@code topic}, or null. */
    @Nullable
    public Object topic() {
        return value("topic");
    }

    /** The member {@code channel}, or null. */
    @Nullable
    public Object channel() {
        return value("channel");
    }

    /** The member {@code team}, or null. */
    @Nullable
    public Object team() {
        return value("team");
    }

    /** The member {@code keyId}, or null. */
    @Nullable
    public Object keyId() {
        return value("keyId");
    }

    /** The member {@code apnsId}, or null. */
    @Nullable
    public Object apnsId() {
        return value("apnsId");
    }

    /** The member {@code collapseId}, or null. */
    @Nullable
    public Object collapseId() {
        return value("collapseId");
    }

    /** The member {@code pushType}, or null. */
    @Nullable
    public Object pushType() {
        return value("pushType");
    }

    /** The member {@code priority}, or null. */
    @Nullable
    public Object priority() {
        return value("priority");
    }

    /** The member {@code environment}, or null. */
    @Nullable
    public Object environment() {
        return value("environment");
    }

    /** The member {@code connection}, or null. */
    @Nullable
    public Object connection() {
        return value("connection");
    }

    /** The member {@code kind}, or null. */
    @Nullable
    public Object kind() {
        return value("kind");
    }

    /** The member {@code text}, or null. */
    @Nullable
    public Object text() {
        return value("text");
    }

    /** The member {@code payload}, or null. */
    @Nullable
    public Map<String, Object> payload() {
        return collection("payload");
    }

    /** The member {@code payloadIncludes}, or null. */
    @Nullable
    public Object payloadIncludes() {
        return value("payloadIncludes");
    }

    /** The member {@code headers}, or null. */
    @Nullable
    public Map<String, Object> headers() {
        return collection("headers");
    }

    /** The member {@code event}, one of {@code accept}, {@code handshake}, {@code request}, or null. */
    @Nullable
    public Object event() {
        return value("event");
    }
}
