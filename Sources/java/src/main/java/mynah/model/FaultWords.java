// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;

/** {@code FaultWords} of the control API. */
public final class FaultWords extends JsonRecord {
    public FaultWords(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code does}. */
    public List<String> does() {
        return collection("does");
    }

    /** The member {@code matches}. */
    public List<String> matches() {
        return collection("matches");
    }

    /** The member {@code fires}. */
    public List<String> fires() {
        return collection("fires");
    }
}
