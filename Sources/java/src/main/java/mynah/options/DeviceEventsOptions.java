// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code events} may be given. */
public final class DeviceEventsOptions extends Options<DeviceEventsOptions> {
    /** None of them. */
    public DeviceEventsOptions() {}

    private DeviceEventsOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected DeviceEventsOptions copy(Map<String, Map<String, Object>> groups) {
        return new DeviceEventsOptions(groups);
    }

    /** {@code connect}. */
    public DeviceEventsOptions connect(boolean connect) {
        return with("query", "connect", connect);
    }

    /** {@code after}. */
    public DeviceEventsOptions after(long after) {
        return with("query", "lastEventId", after);
    }
}
