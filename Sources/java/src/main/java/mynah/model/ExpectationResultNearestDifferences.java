// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code ExpectationResultNearestDifferences} of the control API. */
public final class ExpectationResultNearestDifferences extends JsonRecord {
    public ExpectationResultNearestDifferences(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code field}. */
    public String field() {
        return text("field");
    }

    /** The member {@code expected}, or null. */
    @Nullable
    public Object expected() {
        return value("expected");
    }

    /** The member {@code actual}, or null. */
    @Nullable
    public Object actual() {
        return value("actual");
    }
}
