package mynah;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON.
 *
 * <p>Objects are maps in their order, arrays lists, numbers {@code Long} or {@code Double}, or {@code BigInteger} where
 * neither is exact; null is null.
 */
public final class Json {
    /** How deep a document may be, so that none overflows the stack. */
    private static final int DEPTH_MAX = 500;

    private final String text;
    private int place;

    private Json(String text) {
        this.text = text;
    }

    /** The value of a text; an {@link ArgumentException} if it isn't JSON. */
    @Nullable
    public static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.value(0);
        reader.skipSpaces();
        if (reader.place < text.length()) {
            throw reader.wrong("the end");
        }
        return value;
    }

    /** The text of a value: also of times, other numbers and other objects by their texts. */
    public static String write(@Nullable Object value) {
        StringBuilder written = new StringBuilder();
        write(value, written);
        return written.toString();
    }

    private static void write(Object value, StringBuilder written) {
        if (value instanceof Map) {
            written.append('{');
            String separator = "";
            for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                written.append(separator);
                quote(String.valueOf(member.getKey()), written);
                written.append(':');
                write(member.getValue(), written);
                separator = ",";
            }
            written.append('}');
        } else if (value instanceof Collection) {
            written.append('[');
            String separator = "";
            for (Object item : (Collection<?>) value) {
                written.append(separator);
                write(item, written);
                separator = ",";
            }
            written.append(']');
        } else if (value instanceof Object[]) {
            write(List.of((Object[]) value), written);
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            written.append(number(value));
        } else if (value instanceof Filter) {
            write(((Filter) value).condition(), written);
        } else {
            quote(value.toString(), written);
        }
    }

    private static String number(Object value) {
        boolean isReal = value instanceof Double || value instanceof Float;
        if (isReal && !Double.isFinite(((Number) value).doubleValue())) {
            throw new ArgumentException("wrong number " + value + ": expected one that JSON has");
        }
        return value instanceof BigDecimal ? ((BigDecimal) value).toPlainString() : String.valueOf(value);
    }

    private static void quote(String value, StringBuilder written) {
        written.append('"');
        for (int index = 0; index < value.length(); index++) {
            char one = value.charAt(index);
            int escape = "\"\\\n\r\t\b\f".indexOf(one);
            if (escape >= 0) {
                written.append('\\').append("\"\\nrtbf".charAt(escape));
            } else if (one < ' ' || isLone(value, index)) {
                written.append(String.format("\\u%04x", (int) one));
            } else {
                written.append(one);
            }
        }
        written.append('"');
    }

    /** Whether it is half of a character without the other half, which UTF-8 can't have. */
    private static boolean isLone(String value, int index) {
        char one = value.charAt(index);
        if (Character.isHighSurrogate(one)) {
            return index + 1 == value.length() || !Character.isLowSurrogate(value.charAt(index + 1));
        }
        return Character.isLowSurrogate(one) && (index == 0 || !Character.isHighSurrogate(value.charAt(index - 1)));
    }

    private Object value(int depth) {
        if (depth > DEPTH_MAX) {
            throw wrong("at most " + DEPTH_MAX + " levels");
        }
        skipSpaces();
        char next = peek();
        switch (next) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        place++;
        skipSpaces();
        if (peek() == '}') {
            place++;
            return Collections.unmodifiableMap(members);
        }
        while (true) {
            skipSpaces();
            String name = string();
            skipSpaces();
            expect(':');
            members.put(name, value(depth + 1));
            skipSpaces();
            if (peek() != ',') {
                expect('}');
                return Collections.unmodifiableMap(members);
            }
            place++;
        }
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        place++;
        skipSpaces();
        if (peek() == ']') {
            place++;
            return Collections.unmodifiableList(items);
        }
        while (true) {
            items.add(value(depth + 1));
            skipSpaces();
            if (peek() != ',') {
                expect(']');
                return Collections.unmodifiableList(items);
            }
            place++;
        }
    }

    private String string() {
        expect('"');
        StringBuilder read = new StringBuilder();
        while (peek() != '"') {
            char one = text.charAt(place++);
            if (one < ' ') {
                throw wrong("no control character in a text");
            }
            read.append(one == '\\' ? escaped() : one);
        }
        place++;
        return read.toString();
    }

    private char escaped() {
        char one = peek();
        place++;
        if (one == 'u') {
            try {
                char read = (char) Integer.parseInt(text.substring(place, place + 4), 16);
                place += 4;
                return read;
            } catch (IndexOutOfBoundsException | NumberFormatException error) {
                throw wrong("four hexadecimal digits");
            }
        }
        int index = "\"\\/nrtbf".indexOf(one);
        if (index < 0) {
            throw wrong("an escape of JSON");
        }
        return "\"\\/\n\r\t\b\f".charAt(index);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, place)) {
            throw wrong(word);
        }
        place += word.length();
        return value;
    }

    private Object number() {
        int start = place;
        while (place < text.length() && "+-.0123456789eE".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
        String digits = text.substring(start, place);
        if (!digits.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) {
            place = start;
            throw wrong("a value");
        }
        if (!digits.matches("-?\\d+")) {
            return Double.valueOf(digits);
        }
        BigInteger whole = new BigInteger(digits);
        return whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : whole;
    }

    private void skipSpaces() {
        while (place < text.length() && " \t\r\n".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
    }

    private char peek() {
        if (place >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(place);
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw wrong(String.valueOf(wanted));
        }
        place++;
    }

    private ArgumentException wrong(String expected) {
        return new ArgumentException("wrong JSON at character " + place + ": expected " + expected);
    }
}
