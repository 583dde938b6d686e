// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** What {@code startActivity} may be given. */
public final class ActivitySettings extends Options<ActivitySettings> {
    /** None of them. */
    public ActivitySettings() {}

    private ActivitySettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ActivitySettings copy(Map<String, Map<String, Object>> groups) {
        return new ActivitySettings(groups);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. Null clears it, or is the same as leaving it out. */
    public ActivitySettings environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code attributes}. Null clears it, or is the same as leaving it out. */
    public ActivitySettings attributes(@Nullable Map<String, ?> attributes) {
        return with("body", "attributes", attributes);
    }

    /** {@code contentState}. Null clears it, or is the same as leaving it out. */
    public ActivitySettings contentState(@Nullable Map<String, ?> contentState) {
        return with("body", "contentState", contentState);
    }

    /** {@code staleDate}. Null clears it, or is the same as leaving it out. */
    public ActivitySettings staleDate(@Nullable Instant staleDate) {
        return with("body", "staleDate", staleDate);
    }

    /** {@code relevanceScore}. Null clears it, or is the same as leaving it out. */
    public ActivitySettings relevanceScore(@Nullable Number relevanceScore) {
        return with("body", "relevanceScore", relevanceScore);
    }

    /** {@code pushType}: {@code token}. Null clears it, or is the same as leaving it out. */
    public ActivitySettings pushType(@Nullable Object pushType) {
        return with("body", "pushType", pushType);
    }
}
