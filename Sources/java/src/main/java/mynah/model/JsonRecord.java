package mynah.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import mynah.Json;
import mynah.Nullable;

/** A part of an answer, which can't be changed; equal to others of the same members. */
public abstract class JsonRecord {
    private final Map<String, Object> document;

    protected JsonRecord(Map<String, Object> document) {
        this.document = Collections.unmodifiableMap(document);
    }

    /** The answer itself: maps, lists, texts, {@code Long}, {@code Double}, {@code Boolean}, null. */
    public final Map<String, Object> document() {
        return document;
    }

    /** A member as it is. */
    @Nullable
    protected final Object value(String name) {
        return document.get(name);
    }

    @Nullable
    protected final String text(String name) {
        return (String) document.get(name);
    }

    @Nullable
    protected final Long integer(String name) {
        Number number = (Number) document.get(name);
        return number == null ? null : (Long) number.longValue();
    }

    @Nullable
    protected final Double decimal(String name) {
        Number number = (Number) document.get(name);
        return number == null ? null : (Double) number.doubleValue();
    }

    @Nullable
    protected final Boolean flag(String name) {
        return (Boolean) document.get(name);
    }

    @Nullable
    protected final Instant time(String name) {
        String text = text(name);
        return text == null ? null : Instant.parse(text);
    }

    /** A list or a map of values without a class of their own. */
    @Nullable
    @SuppressWarnings("unchecked")
    protected final <T> T collection(String name) {
        return (T) document.get(name);
    }

    @Nullable
    protected final <T> T object(String name, Function<Map<String, Object>, T> make) {
        Map<String, Object> member = collection(name);
        return member == null ? null : make.apply(member);
    }

    @Nullable
    protected final <T> List<T> objects(String name, Function<Map<String, Object>, T> make) {
        List<Map<String, Object>> members = collection(name);
        return members == null ? null : members.stream().map(make).collect(Collectors.toUnmodifiableList());
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && document.equals(((JsonRecord) other).document);
    }

    @Override
    public final int hashCode() {
        return document.hashCode();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " " + Json.write(document);
    }
}
