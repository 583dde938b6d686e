// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code ScopeUse} of the control API. */
public final class ScopeUse extends JsonRecord {
    public ScopeUse(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code name}. */
    public String name() {
        return text("name");
    }

    /** The member {@code devices}. */
    public long devices() {
        return integer("devices");
    }

    /** The member {@code faults}. */
    public long faults() {
        return integer("faults");
    }
}
