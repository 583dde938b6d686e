// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;
import mynah.Nullable;

/** What {@code removeNotifications} may be given. */
public final class RemoveNotificationsOptions extends Options<RemoveNotificationsOptions> {
    /** None of them. */
    public RemoveNotificationsOptions() {}

    private RemoveNotificationsOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected RemoveNotificationsOptions copy(Map<String, Map<String, Object>> groups) {
        return new RemoveNotificationsOptions(groups);
    }

    /** The scope, by default one's own; null is the whole server. */
    public RemoveNotificationsOptions scope(@Nullable String scope) {
        return with("query", "scope", scope);
    }

    /** {@code q}. */
    public RemoveNotificationsOptions q(String q) {
        return with("query", "q", q);
    }

    /** A filter by {@code token}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions token(Object token, Object... others) {
        return with("query", "token", listed("token", token, others));
    }

    /** A filter by {@code device}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions device(Object device, Object... others) {
        return with("query", "device", listed("device", device, others));
    }

    /** A filter by {@code topic}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions topic(Object topic, Object... others) {
        return with("query", "topic", listed("topic", topic, others));
    }

    /** A filter by {@code channel}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions channel(Object channel, Object... others) {
        return with("query", "channel", listed("channel", channel, others));
    }

    /** A filter by {@code team}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions team(Object team, Object... others) {
        return with("query", "team", listed("team", team, others));
    }

    /** A filter by {@code keyId}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions keyId(Object keyId, Object... others) {
        return with("query", "keyId", listed("keyId", keyId, others));
    }

    /** A filter by {@code apnsId}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions apnsId(Object apnsId, Object... others) {
        return with("query", "apnsId", listed("apnsId", apnsId, others));
    }

    /** A filter by {@code uniqueId}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions uniqueId(Object uniqueId, Object... others) {
        return with("query", "uniqueId", listed("uniqueId", uniqueId, others));
    }

    /** A filter by {@code collapseId}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions collapseId(Object collapseId, Object... others) {
        return with("query", "collapseId", listed("collapseId", collapseId, others));
    }

    /** A filter by {@code pushType}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions pushType(Object pushType, Object... others) {
        return with("query", "pushType", listed("pushType", pushType, others));
    }

    /** A filter by {@code priority}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions priority(Object priority, Object... others) {
        return with("query", "priority", listed("priority", priority, others));
    }

    /** A filter by {@code environment}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions environment(Object environment, Object... others) {
        return with("query", "environment", listed("environment", environment, others));
    }

    /** A filter by {@code connection}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions connection(Object connection, Object... others) {
        return with("query", "connection", listed("connection", connection, others));
    }

    /** A filter by {@code kind}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions kind(Object kind, Object... others) {
        return with("query", "kind", listed("kind", kind, others));
    }

    /** A filter by {@code status}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions status(Object status, Object... others) {
        return with("query", "status", listed("status", status, others));
    }

    /** A filter by {@code reason}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions reason(Object reason, Object... others) {
        return with("query", "reason", listed("reason", reason, others));
    }

    /** A filter by {@code outcome}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions outcome(Object outcome, Object... others) {
        return with("query", "outcome", listed("outcome", outcome, others));
    }

    /** A filter by {@code shown}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions shown(Object shown, Object... others) {
        return with("query", "shown", listed("shown", shown, others));
    }

    /** A filter by {@code sounded}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions sounded(Object sounded, Object... others) {
        return with("query", "sounded", listed("sounded", sounded, others));
    }

    /** A filter by {@code fault}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions fault(Object fault, Object... others) {
        return with("query", "fault", listed("fault", fault, others));
    }

    /** A filter by {@code has}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions has(Object has, Object... others) {
        return with("query", "has", listed("has", has, others));
    }

    /** A filter by {@code since}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions since(Object since, Object... others) {
        return with("query", "since", listed("since", since, others));
    }

    /** A filter by {@code until}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions until(Object until, Object... others) {
        return with("query", "until", listed("until", until, others));
    }

    /** A filter by {@code text}: a value, any of several, or a condition. */
    public RemoveNotificationsOptions text(Object text, Object... others) {
        return with("query", "text", listed("text", text, others));
    }

    /** What is at a JSON pointer of the payload. Several values: any of them. */
    public RemoveNotificationsOptions payload(String pointer, Object value, Object... others) {
        return withNamed("query", "payload", pointer, listed("payload", value, others));
    }

    /** What is at a JSON pointer of the screen. Several values: any of them. */
    public RemoveNotificationsOptions screen(String pointer, Object value, Object... others) {
        return withNamed("query", "screen", pointer, listed("screen", value, others));
    }

    /** What is at a JSON pointer of the webPush. Several values: any of them. */
    public RemoveNotificationsOptions webPush(String pointer, Object value, Object... others) {
        return withNamed("query", "webPush", pointer, listed("webPush", value, others));
    }
}
