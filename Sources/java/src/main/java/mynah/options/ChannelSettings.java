// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;
import mynah.Nullable;

/** What {@code createChannel} may be given. */
public final class ChannelSettings extends Options<ChannelSettings> {
    /** None of them. */
    public ChannelSettings() {}

    private ChannelSettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ChannelSettings copy(Map<String, Map<String, Object>> groups) {
        return new ChannelSettings(groups);
    }

    /** {@code id}. Null clears it, or is the same as leaving it out. */
    public ChannelSettings id(@Nullable String id) {
        return with("body", "id", id);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. Null clears it, or is the same as leaving it out. */
    public ChannelSettings environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code messageStoragePolicy}. Null clears it, or is the same as leaving it out. */
    public ChannelSettings messageStoragePolicy(@Nullable Number messageStoragePolicy) {
        return with("body", "messageStoragePolicy", messageStoragePolicy);
    }
}
