package mynah;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A condition on a value of a push: {@code status(Filter.gte(400))}; lists have {@link #not} and {@link #contains}. */
public final class Filter {
    private final Map<String, Object> condition;

    private Filter(String operator, Object value) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put(operator, value);
        condition = Collections.unmodifiableMap(one);
    }

    /** A text that begins with this one. */
    public static Filter prefix(String text) {
        return new Filter("prefix", text);
    }

    /** A text that has this one in it. */
    public static Filter contains(String text) {
        return new Filter("contains", text);
    }

    /** A text in which this regular expression is found. */
    public static Filter regex(String expression) {
        return new Filter("regex", expression);
    }

    /** Another value, or none of several. */
    public static Filter not(Object value, Object... others) {
        return new Filter("not", value("not", value, others));
    }

    /** Any value, or with false none. */
    public static Filter exists(boolean exists) {
        return new Filter("exists", exists);
    }

    /** A value that is at least this one. */
    public static Filter gte(Object value) {
        return new Filter("gte", value("gte", value));
    }

    /** A value that is at most this one. */
    public static Filter lte(Object value) {
        return new Filter("lte", value("lte", value));
    }

    /** The condition in the API's form. */
    public Map<String, Object> condition() {
        return condition;
    }

    /** A value, or several; null is an error, because ignoring it would match more than is meant. */
    public static Object value(String name, @Nullable Object value, Object... others) {
        if (value == null || others == null || Arrays.asList(others).contains(null)) {
            String hint = "expected a value, or Filter.exists(false) for pushes without one";
            throw new ArgumentException("wrong filter " + name + ": null: " + hint);
        }
        if (others.length == 0) {
            return value;
        }
        Object[] all = Arrays.copyOf(new Object[] {value}, others.length + 1);
        System.arraycopy(others, 0, all, 1, others.length);
        return List.of(all);
    }

    /** The same in a list, which of other conditions has {@link #not} and {@link #contains} alone. */
    public static Object listed(String name, @Nullable Object value, Object... others) {
        Object given = value(name, value, others);
        boolean isNot = given instanceof Filter && ((Filter) given).condition.containsKey("not");
        Object values = isNot ? ((Filter) given).condition.get("not") : given;
        for (Object one : values instanceof List ? (List<?>) values : List.of(values)) {
            if (one instanceof Filter && !((Filter) one).condition.containsKey("contains")) {
                String hint = "expected a value, Filter.contains(…) or Filter.not(…)";
                String elsewhere = "; only expect() has the other matchers";
                throw new ArgumentException("wrong filter " + name + ": " + one + ": " + hint + elsewhere);
            }
        }
        return given;
    }

    @Override
    public String toString() {
        return Json.write(condition);
    }
}
