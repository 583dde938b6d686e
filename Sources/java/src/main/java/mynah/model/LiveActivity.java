// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code LiveActivity} of the control API. */
public final class LiveActivity extends JsonRecord {
    public LiveActivity(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}. */
    public String id() {
        return text("id");
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}. */
    public String environment() {
        return text("environment");
    }

    /** The member {@code state}, one of {@code active}, {@code stale}, {@code ended}, {@code dismissed}. */
    public String state() {
        return text("state");
    }

    /** The member {@code attributesType}, or null. */
    @Nullable
    public String attributesType() {
        return text("attributesType");
    }

    /** The member {@code attributes}, or null. */
    @Nullable
    public Map<String, Object> attributes() {
        return collection("attributes");
    }

    /** The member {@code contentState}. */
    public Map<String, Object> contentState() {
        return collection("contentState");
    }

    /** The member {@code startedAt}. */
    public Instant startedAt() {
        return time("startedAt");
    }

    /** The member {@code timestamp}, or null. */
    @Nullable
    public Instant timestamp() {
        return time("timestamp");
    }

    /** The member {@code staleDate}, or null. */
    @Nullable
    public Instant staleDate() {
        return time("staleDate");
    }

    /** The member {@code endedAt}, or null. */
    @Nullable
    public Instant endedAt() {
        return time("endedAt");
    }

    /** The member {@code dismissalDate}, or null. */
    @Nullable
    public Instant dismissalDate() {
        return time("dismissalDate");
    }

    /** The member {@code relevanceScore}, or null. */
    @Nullable
    public Double relevanceScore() {
        return decimal("relevanceScore");
    }

    /** The member {@code token}, or null. */
    @Nullable
    public String token() {
        return text("token");
    }

    /** The member {@code channel}, or null. */
    @Nullable
    public String channel() {
        return text("channel");
    }

    /** The member {@code history}. */
    public List<LiveActivityHistory> history() {
        return objects("history", LiveActivityHistory::new);
    }
}
