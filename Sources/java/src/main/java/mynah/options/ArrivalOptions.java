// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Duration;
import java.util.Map;

/** How many arrivals are awaited. */
public final class ArrivalOptions extends Options<ArrivalOptions> {
    /** None of them. */
    public ArrivalOptions() {}

    private ArrivalOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ArrivalOptions copy(Map<String, Map<String, Object>> groups) {
        return new ArrivalOptions(groups);
    }

    /** Any of these kinds. */
    public ArrivalOptions kind(String kind, String... others) {
        return with("query", "kind", values(kind, others));
    }

    /** So many; by default 1. */
    public ArrivalOptions count(long count) {
        return with("query", "count", count);
    }

    /** How long to wait, with its unit: {@code 5s}. */
    public ArrivalOptions within(String within) {
        return with("query", "wait", within);
    }

    /** How long to wait; by default 5 s. */
    public ArrivalOptions within(Duration within) {
        return with("query", "wait", text(within));
    }
}
