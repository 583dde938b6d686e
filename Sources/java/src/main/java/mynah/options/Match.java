// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** Filters of pushes: a step of {@code inOrder}, or what {@code otherThan} leaves out. */
public final class Match extends Options<Match> {
    /** None of them. */
    public Match() {}

    private Match(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected Match copy(Map<String, Map<String, Object>> groups) {
        return new Match(groups);
    }

    /** A filter by {@code token}: a value, any of several, or a condition. */
    public Match token(Object token, Object... others) {
        return with("match", "token", filter("token", token, others));
    }

    /** A filter by {@code device}: a value, any of several, or a condition. */
    public Match device(Object device, Object... others) {
        return with("match", "device", filter("device", device, others));
    }

    /** A filter by {@code topic}: a value, any of several, or a condition. */
    public Match topic(Object topic, Object... others) {
        return with("match", "topic", filter("topic", topic, others));
    }

    /** A filter by {@code channel}: a value, any of several, or a condition. */
    public Match channel(Object channel, Object... others) {
        return with("match", "channel", filter("channel", channel, others));
    }

    /** A filter by {@code team}: a value, any of several, or a condition. */
    public Match team(Object team, Object... others) {
        return with("match", "team", filter("team", team, others));
    }

    /** A filter by {@code keyId}: a value, any of several, or a condition. */
    public Match keyId(Object keyId, Object... others) {
        return with("match", "keyId", filter("keyId", keyId, others));
    }

    /** A filter by {@code apnsId}: a value, any of several, or a condition. */
    public Match apnsId(Object apnsId, Object... others) {
        return with("match", "apnsId", filter("apnsId", apnsId, others));
    }

    /** A filter by {@code uniqueId}: a value, any of several, or a condition. */
    public Match uniqueId(Object uniqueId, Object... others) {
        return with("match", "uniqueId", filter("uniqueId", uniqueId, others));
    }

    /** A filter by {@code collapseId}: a value, any of several, or a condition. */
    public Match collapseId(Object collapseId, Object... others) {
        return with("match", "collapseId", filter("collapseId", collapseId, others));
    }

    /** A filter by {@code pushType}: a value, any of several, or a condition. */
    public Match pushType(Object pushType, Object... others) {
        return with("match", "pushType", filter("pushType", pushType, others));
    }

    /** A filter by {@code priority}: a value, any of several, or a condition. */
    public Match priority(Object priority, Object... others) {
        return with("match", "priority", filter("priority", priority, others));
    }

    /** A filter by {@code environment}: a value, any of several, or a condition. */
    public Match environment(Object environment, Object... others) {
        return with("match", "environment", filter("environment", environment, others));
    }

    /** A filter by {@code connection}: a value, any of several, or a condition. */
    public Match connection(Object connection, Object... others) {
        return with("match", "connection", filter("connection", connection, others));
    }

    /** A filter by {@code kind}: a value, any of several, or a condition. */
    public Match kind(Object kind, Object... others) {
        return with("match", "kind", filter("kind", kind, others));
    }

    /** A filter by {@code status}: a value, any of several, or a condition. */
    public Match status(Object status, Object... others) {
        return with("match", "status", filter("status", status, others));
    }

    /** A filter by {@code reason}: a value, any of several, or a condition. */
    public Match reason(Object reason, Object... others) {
        return with("match", "reason", filter("reason", reason, others));
    }

    /** A filter by {@code outcome}: a value, any of several, or a condition. */
    public Match outcome(Object outcome, Object... others) {
        return with("match", "outcome", filter("outcome", outcome, others));
    }

    /** A filter by {@code shown}: a value, any of several, or a condition. */
    public Match shown(Object shown, Object... others) {
        return with("match", "shown", filter("shown", shown, others));
    }

    /** A filter by {@code sounded}: a value, any of several, or a condition. */
    public Match sounded(Object sounded, Object... others) {
        return with("match", "sounded", filter("sounded", sounded, others));
    }

    /** A filter by {@code fault}: a value, any of several, or a condition. */
    public Match fault(Object fault, Object... others) {
        return with("match", "fault", filter("fault", fault, others));
    }

    /** A filter by {@code has}: a value, any of several, or a condition. */
    public Match has(Object has, Object... others) {
        return with("match", "has", filter("has", has, others));
    }

    /** A filter by {@code since}: a value, any of several, or a condition. */
    public Match since(Object since, Object... others) {
        return with("match", "since", filter("since", since, others));
    }

    /** A filter by {@code until}: a value, any of several, or a condition. */
    public Match until(Object until, Object... others) {
        return with("match", "until", filter("until", until, others));
    }

    /** A filter by {@code text}: a value, any of several, or a condition. */
    public Match text(Object text, Object... others) {
        return with("match", "text", filter("text", text, others));
    }

    /** What is at a JSON pointer of the payload. Several values: any of them. */
    public Match payload(String pointer, Object value, Object... others) {
        return withNamed("match", "payload", pointer, filter("payload", value, others));
    }

    /** What the payload has, maybe among other things. */
    public Match payloadIncludes(Object part) {
        return with("match", "payloadIncludes", part);
    }

    /** A header by its name. Several values: any of them. */
    public Match header(String header, Object value, Object... others) {
        return withNamed("match", "headers", header, filter("headers", value, others));
    }

    /** What is at a JSON pointer of the screen. Several values: any of them. */
    public Match screen(String pointer, Object value, Object... others) {
        return withNamed("match", "screen", pointer, filter("screen", value, others));
    }

    /** What is at a JSON pointer of the webPush. Several values: any of them. */
    public Match webPush(String pointer, Object value, Object... others) {
        return withNamed("match", "webPush", pointer, filter("webPush", value, others));
    }

    /** A query in the language of lists. */
    public Match q(String query) {
        return with("match", "q", query);
    }
}
