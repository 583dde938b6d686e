// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code ConnectionStreams} of the control API. */
public final class ConnectionStreams extends JsonRecord {
    public ConnectionStreams(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code open}. */
    public long open() {
        return integer("open");
    }

    /** The member {@code limit}. */
    public long limit() {
        return integer("limit");
    }

    /** The member {@code total}. */
    public long total() {
        return integer("total");
    }
}
