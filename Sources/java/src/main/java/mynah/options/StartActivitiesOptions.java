// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** What {@code startActivities} may be given. */
public final class StartActivitiesOptions extends Options<StartActivitiesOptions> {
    /** None of them. */
    public StartActivitiesOptions() {}

    private StartActivitiesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected StartActivitiesOptions copy(Map<String, Map<String, Object>> groups) {
        return new StartActivitiesOptions(groups);
    }

    /** Any of these: {@code user}. */
    public StartActivitiesOptions user(String user, String... others) {
        return with("query", "user", values(user, others));
    }

    /** {@code environment}: {@code sandbox}, {@code production}. Null clears it, or is the same as leaving it out. */
    public StartActivitiesOptions environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code attributes}. Null clears it, or is the same as leaving it out. */
    public StartActivitiesOptions attributes(@Nullable Map<String, ?> attributes) {
        return with("body", "attributes", attributes);
    }

    /** {@code contentState}. Null clears it, or is the same as leaving it out. */
    public StartActivitiesOptions contentState(@Nullable Map<String, ?> contentState) {
        return with("body", "contentState", contentState);
    }

    /** {@code staleDate}. Null clears it, or is the same as leaving it out. */
    public StartActivitiesOptions staleDate(@Nullable Instant staleDate) {
        return with("body", "staleDate", staleDate);
    }

    /** {@code relevanceScore}. Null clears it, or is the same as leaving it out. */
    public StartActivitiesOptions relevanceScore(@Nullable Number relevanceScore) {
        return with("body", "relevanceScore", relevanceScore);
    }

    /** {@code pushType}: {@code token}. Null clears it, or is the same as leaving it out. */
    public StartActivitiesOptions pushType(@Nullable Object pushType) {
        return with("body", "pushType", pushType);
    }
}
