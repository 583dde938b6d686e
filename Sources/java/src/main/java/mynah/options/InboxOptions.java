// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Duration;
import java.util.Map;

/** What {@code inbox} may be given. */
public final class InboxOptions extends Options<InboxOptions> {
    /** None of them. */
    public InboxOptions() {}

    private InboxOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected InboxOptions copy(Map<String, Map<String, Object>> groups) {
        return new InboxOptions(groups);
    }

    /** {@code q}. */
    public InboxOptions q(String q) {
        return with("query", "q", q);
    }

    /**
     * Any of these: {@code kind}: {@code alert}, {@code background}, {@code location}, {@code voip}, {@code
     * complication}, {@code fileprovider}, {@code mdm}, {@code liveactivity}, {@code pushtotalk}, {@code widgets},
     * {@code controls}, {@code pass}.
     */
    public InboxOptions kind(String kind, String... others) {
        return with("query", "kind", values(kind, others));
    }

    /** {@code wait}. */
    public InboxOptions wait(Duration wait) {
        return with("query", "wait", text(wait));
    }

    /** {@code wait}. */
    public InboxOptions wait(String wait) {
        return with("query", "wait", wait);
    }

    /** {@code count}. */
    public InboxOptions count(long count) {
        return with("query", "count", count);
    }

    /** {@code after}. */
    public InboxOptions after(long after) {
        return with("query", "after", after);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public InboxOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public InboxOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public InboxOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }

    /** A filter by {@code token}: a value, any of several, or a condition. */
    public InboxOptions token(Object token, Object... others) {
        return with("query", "token", listed("token", token, others));
    }

    /** A filter by {@code device}: a value, any of several, or a condition. */
    public InboxOptions device(Object device, Object... others) {
        return with("query", "device", listed("device", device, others));
    }

    /** A filter by {@code topic}: a value, any of several, or a condition. */
    public InboxOptions topic(Object topic, Object... others) {
        return with("query", "topic", listed("topic", topic, others));
    }

    /** A filter by {@code channel}: a value, any of several, or a condition. */
    public InboxOptions channel(Object channel, Object... others) {
        return with("query", "channel", listed("channel", channel, others));
    }

    /** A filter by {@code team}: a value, any of several, or a condition. */
    public InboxOptions team(Object team, Object... others) {
        return with("query", "team", listed("team", team, others));
    }

    /** A filter by {@code keyId}: a value, any of several, or a condition. */
    public InboxOptions keyId(Object keyId, Object... others) {
        return with("query", "keyId", listed("keyId", keyId, others));
    }

    /** A filter by {@code apnsId}: a value, any of several, or a condition. */
    public InboxOptions apnsId(Object apnsId, Object... others) {
        return with("query", "apnsId", listed("apnsId", apnsId, others));
    }

    /** A filter by {@code uniqueId}: a value, any of several, or a condition. */
    public InboxOptions uniqueId(Object uniqueId, Object... others) {
        return with("query", "uniqueId", listed("uniqueId", uniqueId, others));
    }

    /** A filter by {@code collapseId}: a value, any of several, or a condition. */
    public InboxOptions collapseId(Object collapseId, Object... others) {
        return with("query", "collapseId", listed("collapseId", collapseId, others));
    }

    /** A filter by {@code pushType}: a value, any of several, or a condition. */
    public InboxOptions pushType(Object pushType, Object... others) {
        return with("query", "pushType", listed("pushType", pushType, others));
    }

    /** A filter by {@code priority}: a value, any of several, or a condition. */
    public InboxOptions priority(Object priority, Object... others) {
        return with("query", "priority", listed("priority", priority, others));
    }

    /** A filter by {@code environment}: a value, any of several, or a condition. */
    public InboxOptions environment(Object environment, Object... others) {
        return with("query", "environment", listed("environment", environment, others));
    }

    /** A filter by {@code connection}: a value, any of several, or a condition. */
    public InboxOptions connection(Object connection, Object... others) {
        return with("query", "connection", listed("connection", connection, others));
    }

    /** A filter by {@code status}: a value, any of several, or a condition. */
    public InboxOptions status(Object status, Object... others) {
        return with("query", "status", listed("status", status, others));
    }

    /** A filter by {@code reason}: a value, any of several, or a condition. */
    public InboxOptions reason(Object reason, Object... others) {
        return with("query", "reason", listed("reason", reason, others));
    }

    /** A filter by {@code outcome}: a value, any of several, or a condition. */
    public InboxOptions outcome(Object outcome, Object... others) {
        return with("query", "outcome", listed("outcome", outcome, others));
    }

    /** A filter by {@code shown}: a value, any of several, or a condition. */
    public InboxOptions shown(Object shown, Object... others) {
        return with("query", "shown", listed("shown", shown, others));
    }

    /** A filter by {@code sounded}: a value, any of several, or a condition. */
    public InboxOptions sounded(Object sounded, Object... others) {
        return with("query", "sounded", listed("sounded", sounded, others));
    }

    /** A filter by {@code fault}: a value, any of several, or a condition. */
    public InboxOptions fault(Object fault, Object... others) {
        return with("query", "fault", listed("fault", fault, others));
    }

    /** A filter by {@code has}: a value, any of several, or a condition. */
    public InboxOptions has(Object has, Object... others) {
        return with("query", "has", listed("has", has, others));
    }

    /** A filter by {@code since}: a value, any of several, or a condition. */
    public InboxOptions since(Object since, Object... others) {
        return with("query", "since", listed("since", since, others));
    }

    /** A filter by {@code until}: a value, any of several, or a condition. */
    public InboxOptions until(Object until, Object... others) {
        return with("query", "until", listed("until", until, others));
    }

    /** A filter by {@code text}: a value, any of several, or a condition. */
    public InboxOptions text(Object text, Object... others) {
        return with("query", "text", listed("text", text, others));
    }

    /** What is at a JSON pointer of the payload. Several values: any of them. */
    public InboxOptions payload(String pointer, Object value, Object... others) {
        return withNamed("query", "payload", pointer, listed("payload", value, others));
    }

    /** What is at a JSON pointer of the screen. Several values: any of them. */
    public InboxOptions screen(String pointer, Object value, Object... others) {
        return withNamed("query", "screen", pointer, listed("screen", value, others));
    }

    /** What is at a JSON pointer of the webPush. Several values: any of them. */
    public InboxOptions webPush(String pointer, Object value, Object... others) {
        return withNamed("query", "webPush", pointer, listed("webPush", value, others));
    }
}
