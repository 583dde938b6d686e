package mynah;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A part of a list. */
public final class Page<T> implements Iterable<T> {
    private final List<T> items;
    private final Map<String, Object> document;

    private Page(List<T> items, Map<String, Object> document) {
        this.items = items;
        this.document = document;
    }

    @SuppressWarnings("unchecked")
    static <T> Page<T> of(Map<String, Object> document, Function<Map<String, Object>, T> make) {
        List<Map<String, Object>> items = (List<Map<String, Object>>) document.get("items");
        return new Page<>(items.stream().map(make).collect(Collectors.toUnmodifiableList()), document);
    }

    /** The items of this part. */
    public List<T> items() {
        return items;
    }

    /** How many there are in all. */
    public long matched() {
        return (Long) document.get("matched");
    }

    /** As {@code cursor}, what gives the next part; null if this is the last one. */
    @Nullable
    public String nextCursor() {
        return (String) document.get("nextCursor");
    }

    /** Whether a wait ended before there were enough. */
    public boolean timedOut() {
        return (Boolean) document.get("timedOut");
    }

    /** How many are no longer kept. */
    public long evicted() {
        return (Long) document.get("evicted");
    }

    /** The newest sequence number; as {@code after}, it selects later pushes. */
    public long lastSequence() {
        return (Long) document.get("lastSequence");
    }

    public Stream<T> stream() {
        return items.stream();
    }

    @Override
    public Iterator<T> iterator() {
        return items.iterator();
    }

    @Override
    public String toString() {
        return items.toString();
    }
}
