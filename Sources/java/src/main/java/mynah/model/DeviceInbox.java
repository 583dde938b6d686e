// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code DeviceInbox} of the control API. */
public final class DeviceInbox extends JsonRecord {
    public DeviceInbox(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code count}. */
    public long count() {
        return integer("count");
    }

    /** The member {@code dropped}. */
    public long dropped() {
        return integer("dropped");
    }

    /** The member {@code last}, or null. */
    @Nullable
    public Long last() {
        return integer("last");
    }
}
