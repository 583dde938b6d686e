// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** Which channels are listed. */
public final class ChannelsFilter extends Options<ChannelsFilter> {
    /** None of them. */
    public ChannelsFilter() {}

    private ChannelsFilter(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ChannelsFilter copy(Map<String, Map<String, Object>> groups) {
        return new ChannelsFilter(groups);
    }

    /** Those of an app. */
    public ChannelsFilter bundleId(String bundleId) {
        return with("query", "bundleId", bundleId);
    }

    /** {@code sandbox} or {@code production}. */
    public ChannelsFilter environment(String environment) {
        return with("query", "environment", environment);
    }
}
