// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;
import mynah.Nullable;

/** {@code Status} of the control API. */
public final class Status extends JsonRecord {
    public Status(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code name}, one of {@code mynah}. */
    public String name() {
        return text("name");
    }

    /** The member {@code version}. */
    public String version() {
        return text("version");
    }

    /** The member {@code startedAt}. */
    public Instant startedAt() {
        return time("startedAt");
    }

    /** The member {@code now}. */
    public Instant now() {
        return time("now");
    }

    /** The member {@code clock}, one of {@code real}, {@code offset}, {@code frozen}. */
    public String clock() {
        return text("clock");
    }

    /** The member {@code seed}. */
    public long seed() {
        return integer("seed");
    }

    /** The member {@code ports}. */
    public StatusPorts ports() {
        return object("ports", StatusPorts::new);
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}. */
    public String environment() {
        return text("environment");
    }

    /** The member {@code counts}. */
    public StatusCounts counts() {
        return object("counts", StatusCounts::new);
    }

    /** The member {@code journal}. */
    public Map<String, Long> journal() {
        return collection("journal");
    }

    /** The member {@code memory}. */
    public StatusMemory memory() {
        return object("memory", StatusMemory::new);
    }

    /** The member {@code recorded}, or null. */
    @Nullable
    public Object recorded() {
        return value("recorded");
    }
}
