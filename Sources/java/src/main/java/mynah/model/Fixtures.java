// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code Fixtures} of the control API. */
public final class Fixtures extends JsonRecord {
    public Fixtures(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code devices}. */
    public List<NewDevice> devices() {
        return objects("devices", NewDevice::new);
    }

    /** The member {@code channels}. */
    public List<NewChannel> channels() {
        return objects("channels", NewChannel::new);
    }

    /** The member {@code faults}. */
    public List<NewFault> faults() {
        return objects("faults", NewFault::new);
    }

    /** The member {@code keys}. */
    public List<NewKey> keys() {
        return objects("keys", NewKey::new);
    }

    /** The member {@code clock}, or null. */
    @Nullable
    public ClockChange clock() {
        return object("clock", ClockChange::new);
    }
}
