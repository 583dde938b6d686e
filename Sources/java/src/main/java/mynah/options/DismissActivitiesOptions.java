// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code dismissActivities} may be given. */
public final class DismissActivitiesOptions extends Options<DismissActivitiesOptions> {
    /** None of them. */
    public DismissActivitiesOptions() {}

    private DismissActivitiesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected DismissActivitiesOptions copy(Map<String, Map<String, Object>> groups) {
        return new DismissActivitiesOptions(groups);
    }

    /** Any of these: {@code user}. */
    public DismissActivitiesOptions user(String user, String... others) {
        return with("query", "user", values(user, others));
    }

    /** Any of these: {@code channel}. */
    public DismissActivitiesOptions channel(String channel, String... others) {
        return with("query", "channel", values(channel, others));
    }
}
