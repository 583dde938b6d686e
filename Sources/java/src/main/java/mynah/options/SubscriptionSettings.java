// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** What {@code subscribe} may be given. */
public final class SubscriptionSettings extends Options<SubscriptionSettings> {
    /** None of them. */
    public SubscriptionSettings() {}

    private SubscriptionSettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected SubscriptionSettings copy(Map<String, Map<String, Object>> groups) {
        return new SubscriptionSettings(groups);
    }

    /** {@code topic}. Null clears it, or is the same as leaving it out. */
    public SubscriptionSettings topic(@Nullable String topic) {
        return with("body", "topic", topic);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. Null clears it, or is the same as leaving it out. */
    public SubscriptionSettings environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code attributesType}. Null clears it, or is the same as leaving it out. */
    public SubscriptionSettings attributesType(@Nullable String attributesType) {
        return with("body", "attributesType", attributesType);
    }

    /** {@code attributes}. Null clears it, or is the same as leaving it out. */
    public SubscriptionSettings attributes(@Nullable Map<String, ?> attributes) {
        return with("body", "attributes", attributes);
    }

    /** {@code contentState}. Null clears it, or is the same as leaving it out. */
    public SubscriptionSettings contentState(@Nullable Map<String, ?> contentState) {
        return with("body", "contentState", contentState);
    }

    /** {@code staleDate}. Null clears it, or is the same as leaving it out. */
    public SubscriptionSettings staleDate(@Nullable Instant staleDate) {
        return with("body", "staleDate", staleDate);
    }

    /** {@code relevanceScore}. Null clears it, or is the same as leaving it out. */
    public SubscriptionSettings relevanceScore(@Nullable Number relevanceScore) {
        return with("body", "relevanceScore", relevanceScore);
    }
}
