// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Duration;
import java.util.Map;

/** How often a rule has to fire. */
public final class HitOptions extends Options<HitOptions> {
    /** None of them. */
    public HitOptions() {}

    private HitOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected HitOptions copy(Map<String, Map<String, Object>> groups) {
        return new HitOptions(groups);
    }

    /** So often in all; by default once. */
    public HitOptions hits(long hits) {
        return with("query", "hits", hits);
    }

    /** How long to wait, with its unit: {@code 5s}. */
    public HitOptions within(String within) {
        return with("query", "wait", within);
    }

    /** How long to wait; by default 5 s. */
    public HitOptions within(Duration within) {
        return with("query", "wait", text(within));
    }
}
