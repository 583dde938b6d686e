// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import mynah.Nullable;

/** What is expected of pushes, and filters. */
public final class Expectation extends Options<Expectation> {
    /** None of them. */
    public Expectation() {}

    private Expectation(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected Expectation copy(Map<String, Map<String, Object>> groups) {
        return new Expectation(groups);
    }

    /** The scope, by default one's own; null is the whole server. Null clears it, or is the same as leaving it out. */
    public Expectation scope(@Nullable String scope) {
        return with("limits", "scope", scope);
    }

    /** So many, or more; by default 1. */
    public Expectation count(long count) {
        return with("counts", "count", count);
    }

    /** How long to wait, with its unit: {@code 5s}. */
    public Expectation within(String within) {
        return with("limits", "within", within);
    }

    /** How long to wait; by default 5 s. */
    public Expectation within(Duration within) {
        return with("limits", "within", text(within));
    }

    /** So many, no more. */
    public Expectation exactly(long exactly) {
        return with("counts", "exactly", exactly);
    }

    /** At most so many; 0 for none. */
    public Expectation max(long max) {
        return with("counts", "max", max);
    }

    /** How long to wait for further pushes: {@code 50ms}. */
    public Expectation settle(String settle) {
        return with("limits", "settle", settle);
    }

    /** How long to wait for further pushes. */
    public Expectation settle(Duration settle) {
        return with("limits", "settle", text(settle));
    }

    /** Only pushes with a higher sequence number. */
    public Expectation after(long after) {
        return with("limits", "after", after);
    }

    /** One push for each, in this order; others may come in between. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final Expectation inOrder(UnaryOperator<Match>... matches) {
        return with("matches", "inOrder", Options.matches(matches));
    }

    /** Pushes that any of these selects don't count. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final Expectation otherThan(UnaryOperator<Match>... matches) {
        return with("matches", "otherThan", Options.matches(matches));
    }

    /** A filter by {@code token}: a value, any of several, or a condition. */
    public Expectation token(Object token, Object... others) {
        return with("match", "token", filter("token", token, others));
    }

    /** A filter by {@code device}: a value, any of several, or a condition. */
    public Expectation device(Object device, Object... others) {
        return with("match", "device", filter("device", device, others));
    }

    /** A filter by {@code topic}: a value, any of several, or a condition. */
    public Expectation topic(Object topic, Object... others) {
        return with("match", "topic", filter("topic", topic, others));
    }

    /** A filter by {@code channel}: a value, any of several, or a condition. */
    public Expectation channel(Object channel, Object... others) {
        return with("match", "channel", filter("channel", channel, others));
    }

    /** A filter by {@code team}: a value, any of several, or a condition. */
    public Expectation team(Object team, Object... others) {
        return with("match", "team", filter("team", team, others));
    }

    /** A filter by {@code keyId}: a value, any of several, or a condition. */
    public Expectation keyId(Object keyId, Object... others) {
        return with("match", "keyId", filter("keyId", keyId, others));
    }

    /** A filter by {@code apnsId}: a value, any of several, or a condition. */
    public Expectation apnsId(Object apnsId, Object... others) {
        return with("match", "apnsId", filter("apnsId", apnsId, others));
    }

    /** A filter by {@code uniqueId}: a value, any of several, or a condition. */
    public Expectation uniqueId(Object uniqueId, Object... others) {
        return with("match", "uniqueId", filter("uniqueId", uniqueId, others));
    }

    /** A filter by {@code collapseId}: a value, any of several, or a condition. */
    public Expectation collapseId(Object collapseId, Object... others) {
        return with("match", "collapseId", filter("collapseId", collapseId, others));
    }

    /** A filter by {@code pushType}: a value, any of several, or a condition. */
    public Expectation pushType(Object pushType, Object... others) {
        return with("match", "pushType", filter("pushType", pushType, others));
    }

    /** A filter by {@code priority}: a value, any of several, or a condition. */
    public Expectation priority(Object priority, Object... others) {
        return with("match", "priority", filter("priority", priority, others));
    }

    /** A filter by {@code environment}: a value, any of several, or a condition. */
    public Expectation environment(Object environment, Object... others) {
        return with("match", "environment", filter("environment", environment, others));
    }

    /** A filter by {@code connection}: a value, any of several, or a condition. */
    public Expectation connection(Object connection, Object... others) {
        return with("match", "connection", filter("connection", connection, others));
    }

    /** A filter by {@code kind}: a value, any of several, or a condition. */
    public Expectation kind(Object kind, Object... others) {
        return with("match", "kind", filter("kind", kind, others));
    }

    /** A filter by {@code status}: a value, any of several, or a condition. */
    public Expectation status(Object status, Object... others) {
        return with("match", "status", filter("status", status, others));
    }

    /** A filter by {@code reason}: a value, any of several, or a condition. */
    public Expectation reason(Object reason, Object... others) {
        return with("match", "reason", filter("reason", reason, others));
    }

    /** A filter by {@code outcome}: a value, any of several, or a condition. */
    public Expectation outcome(Object outcome, Object... others) {
        return with("match", "outcome", filter("outcome", outcome, others));
    }

    /** A filter by {@code shown}: a value, any of several, or a condition. */
    public Expectation shown(Object shown, Object... others) {
        return with("match", "shown", filter("shown", shown, others));
    }

    /** A filter by {@code sounded}: a value, any of several, or a condition. */
    public Expectation sounded(Object sounded, Object... others) {
        return with("match", "sounded", filter("sounded", sounded, others));
    }

    /** A filter by {@code fault}: a value, any of several, or a condition. */
    public Expectation fault(Object fault, Object... others) {
        return with("match", "fault", filter("fault", fault, others));
    }

    /** A filter by {@code has}: a value, any of several, or a condition. */
    public Expectation has(Object has, Object... others) {
        return with("match", "has", filter("has", has, others));
    }

    /** A filter by {@code since}: a value, any of several, or a condition. */
    public Expectation since(Object since, Object... others) {
        return with("match", "since", filter("since", since, others));
    }

    /** A filter by {@code until}: a value, any of several, or a condition. */
    public Expectation until(Object until, Object... others) {
        return with("match", "until", filter("until", until, others));
    }

    /** A filter by {@code text}: a value, any of several, or a condition. */
    public Expectation text(Object text, Object... others) {
        return with("match", "text", filter("text", text, others));
    }

    /** What is at a JSON pointer of the payload. Several values: any of them. */
    public Expectation payload(String pointer, Object value, Object... others) {
        return withNamed("match", "payload", pointer, filter("payload", value, others));
    }

    /** What the payload has, maybe among other things. */
    public Expectation payloadIncludes(Object part) {
        return with("match", "payloadIncludes", part);
    }

    /** A header by its name. Several values: any of them. */
    public Expectation header(String header, Object value, Object... others) {
        return withNamed("match", "headers", header, filter("headers", value, others));
    }

    /** What is at a JSON pointer of the screen. Several values: any of them. */
    public Expectation screen(String pointer, Object value, Object... others) {
        return withNamed("match", "screen", pointer, filter("screen", value, others));
    }

    /** What is at a JSON pointer of the webPush. Several values: any of them. */
    public Expectation webPush(String pointer, Object value, Object... others) {
        return withNamed("match", "webPush", pointer, filter("webPush", value, others));
    }

    /** A query in the language of lists. */
    public Expectation q(String query) {
        return with("match", "q", query);
    }
}
