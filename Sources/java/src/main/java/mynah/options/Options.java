package mynah.options;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import mynah.ArgumentException;
import mynah.Filter;
import mynah.Nullable;

/**
 * Named arguments of a call, which can't be changed: each method gives a copy with one more.
 *
 * <p>What was not given is not sent; a null that was given is.
 */
public abstract class Options<T extends Options<T>> {
    private static final long SECONDS_OF_MINUTE = 60;
    private static final int NANOSECONDS_OF_MILLISECOND = 1_000_000;

    private final Map<String, Map<String, Object>> groups;

    Options() {
        this(Map.of());
    }

    Options(Map<String, Map<String, Object>> groups) {
        this.groups = groups;
    }

    /** What was given, by where it goes: {@code query}, {@code body} and others. */
    public final Map<String, Object> group(String name) {
        return Collections.unmodifiableMap(groups.getOrDefault(name, Map.of()));
    }

    /** A copy with other values. */
    protected abstract T copy(Map<String, Map<String, Object>> others);

    final T with(String group, String name, @Nullable Object value) {
        Map<String, Object> members = new LinkedHashMap<>(group(group));
        members.put(name, value);
        Map<String, Map<String, Object>> others = new LinkedHashMap<>(groups);
        others.put(group, members);
        return copy(others);
    }

    final T withNamed(String group, String name, String key, Object value) {
        Map<String, Object> named = new LinkedHashMap<>();
        Object given = group(group).get(name);
        if (given != null) {
            ((Map<?, ?>) given).forEach((one, other) -> named.put((String) one, other));
        }
        named.put(key, value);
        return with(group, name, named);
    }

    /** The filters of each of these. */
    static List<Map<String, Object>> matches(UnaryOperator<Match>[] matches) {
        List<Map<String, Object>> found = new ArrayList<>();
        for (UnaryOperator<Match> one : matches) {
            found.add(one.apply(new Match()).group("match"));
        }
        return found;
    }

    static Object filter(String name, @Nullable Object value, Object... others) {
        return Filter.value(name, value, others);
    }

    static Object listed(String name, @Nullable Object value, Object... others) {
        return Filter.listed(name, value, others);
    }

    static List<String> values(String value, String... others) {
        List<String> all = new ArrayList<>(List.of(value));
        all.addAll(Arrays.asList(others));
        return all;
    }

    @SafeVarargs
    static <V> List<String> all(V... values) {
        List<String> texts = new ArrayList<>();
        for (V one : values) {
            texts.add(String.valueOf(one));
        }
        return texts;
    }

    static List<String> all(long... values) {
        List<String> texts = new ArrayList<>();
        for (long one : values) {
            texts.add(String.valueOf(one));
        }
        return texts;
    }

    /** A duration in the API's form: in the largest unit that is exact. */
    public static String text(Duration duration) {
        if (duration.getNano() % NANOSECONDS_OF_MILLISECOND != 0) {
            throw new ArgumentException("wrong duration " + duration + ": expected whole milliseconds");
        }
        if (duration.getNano() != 0) {
            return duration.toMillis() + "ms";
        }
        long seconds = duration.getSeconds();
        boolean isMinutes = seconds != 0 && seconds % SECONDS_OF_MINUTE == 0;
        return isMinutes ? seconds / SECONDS_OF_MINUTE + "m" : seconds + "s";
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + " " + groups;
    }
}
