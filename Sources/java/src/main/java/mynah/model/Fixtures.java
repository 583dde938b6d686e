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
    public List<DeviceSpecification> devices() {
        return objects("devices", DeviceSpecification::new);
    }

    /** The member {@code channels}. */
    public List<ChannelSpecification> channels() {
        return objects("channels", ChannelSpecification::new);
    }

    /** The member {@code faults}. */
    public List<FaultSpecification> faults() {
        return objects("faults", FaultSpecification::new);
    }

    /** The member {@code keys}. */
    public List<KeySpecification> keys() {
        return objects("keys", KeySpecification::new);
    }

    /** The member {@code clock}, or null. */
    @Nullable
    public ClockChange clock() {
        return object("clock", ClockChange::new);
    }
}
