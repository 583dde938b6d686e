package mynah;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mynah.options.Options;

/** One request as it is put together. */
final class Call {
    /** Stands behind the name of a filter whose value is a part of the field's text. */
    private static final String PART_MARK = "~";

    private final ControlApi control;
    private final String method;
    private final String path;
    private final List<Map.Entry<String, String>> query = new ArrayList<>();
    private final Map<String, Object> body = new LinkedHashMap<>();
    private Duration time = ControlApi.ANSWER_TIME;

    /** A call of a path: texts, and by turns what is escaped in it. */
    Call(ControlApi control, String method, Object... path) {
        this.control = control;
        this.method = method;
        StringBuilder written = new StringBuilder();
        for (int index = 0; index < path.length; index++) {
            written.append(index % 2 == 0 ? path[index] : Texts.escaped(path[index].toString()));
        }
        this.path = written.toString();
    }

    /** A parameter of the query; null is left out. */
    Call query(String name, @Nullable Object value) {
        if (value instanceof Collection) {
            ((Collection<?>) value).forEach(one -> query(name, one));
        } else if (value instanceof Map) {
            ((Map<?, ?>) value).forEach((pointer, one) -> query(name + "." + pointer, one));
        } else if (value instanceof Filter) {
            Map<String, Object> condition = ((Filter) value).condition();
            boolean isPart = condition.containsKey("contains");
            query(isPart ? name + PART_MARK : "!" + name, condition.get(isPart ? "contains" : "not"));
        } else if (value != null) {
            query.add(Map.entry(name, value.toString()));
        }
        return this;
    }

    /** A member of the body; null is left out. */
    Call member(String name, @Nullable Object value) {
        if (value != null) {
            body.put(name, value);
        }
        return this;
    }

    /** Members of the body, with those that are null. */
    Call members(Map<String, Object> values) {
        body.putAll(values);
        return this;
    }

    /** Named arguments of the query and of the body. */
    Call with(Options<?> options) {
        options.group("query").forEach(this::query);
        return members(options.group("body"));
    }

    /** The apps of a new device, before those that the body already has. */
    Call apps(Collection<String> topics) {
        List<Object> all = new ArrayList<>();
        topics.forEach(topic -> all.add(Map.of("topic", topic)));
        Object given = body.get("registrations");
        if (given != null) {
            all.addAll((Collection<?>) given);
        }
        body.put("registrations", all);
        return this;
    }

    /** Waits longer for the answer. */
    Call within(Duration longest) {
        time = longest;
        return this;
    }

    /** The answer, or null if it has no body. */
    @Nullable
    Object send() {
        boolean hasBody = List.of("POST", "PUT", "PATCH").contains(method);
        return control.call(method, path, query, hasBody ? body : null, time);
    }

    /** The answer, an object. */
    @SuppressWarnings("unchecked")
    Map<String, Object> object() {
        return (Map<String, Object>) send();
    }

    /** The answer, a text. */
    String text() {
        return (String) send();
    }

    /** Numbers of an answer, under one member. */
    @SuppressWarnings("unchecked")
    Map<String, Long> counts(String member) {
        return (Map<String, Long>) object().get(member);
    }

    /** The answer, a stream. */
    EventStream events() {
        return control.events(path, query);
    }
}
