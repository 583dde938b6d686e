// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code StatusPorts} of the control API. */
public final class StatusPorts extends JsonRecord {
    public StatusPorts(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code apns}. */
    public List<Long> apns() {
        return collection("apns");
    }

    /** The member {@code channels}. */
    public List<Long> channels() {
        return collection("channels");
    }

    /** The member {@code webPush}, or null. */
    @Nullable
    public Long webPush() {
        return integer("webPush");
    }

    /** The member {@code cleartext}, or null. */
    @Nullable
    public Long cleartext() {
        return integer("cleartext");
    }

    /** The member {@code proxy}, or null. */
    @Nullable
    public Long proxy() {
        return integer("proxy");
    }

    /** The member {@code control}, or null. */
    @Nullable
    public Long control() {
        return integer("control");
    }
}
