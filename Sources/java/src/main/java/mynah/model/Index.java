// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;

/** {@code Index} of the control API. */
public final class Index extends JsonRecord {
    public Index(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code version}. */
    public String version() {
        return text("version");
    }

    /** The member {@code openapi}. */
    public String openapi() {
        return text("openapi");
    }

    /** The member {@code paths}. */
    public List<String> paths() {
        return collection("paths");
    }
}
