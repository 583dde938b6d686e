// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code StatusMemory} of the control API. */
public final class StatusMemory extends JsonRecord {
    public StatusMemory(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code resident}, or null. */
    @Nullable
    public Long resident() {
        return integer("resident");
    }
}
