// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** What {@code updateActivity} may be given. */
public final class ActivityChanges extends Options<ActivityChanges> {
    /** None of them. */
    public ActivityChanges() {}

    private ActivityChanges(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ActivityChanges copy(Map<String, Map<String, Object>> groups) {
        return new ActivityChanges(groups);
    }

    /** {@code contentState}. Null clears it, or is the same as leaving it out. */
    public ActivityChanges contentState(@Nullable Map<String, ?> contentState) {
        return with("body", "contentState", contentState);
    }

    /** {@code staleDate}. Null clears it, or is the same as leaving it out. */
    public ActivityChanges staleDate(@Nullable Instant staleDate) {
        return with("body", "staleDate", staleDate);
    }

    /** {@code relevanceScore}. Null clears it, or is the same as leaving it out. */
    public ActivityChanges relevanceScore(@Nullable Number relevanceScore) {
        return with("body", "relevanceScore", relevanceScore);
    }

    /** {@code dismissalDate}. Null clears it, or is the same as leaving it out. */
    public ActivityChanges dismissalDate(@Nullable Instant dismissalDate) {
        return with("body", "dismissalDate", dismissalDate);
    }
}
