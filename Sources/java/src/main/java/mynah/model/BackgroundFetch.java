// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code BackgroundFetch} of the control API. */
public final class BackgroundFetch extends JsonRecord {
    public BackgroundFetch(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code result}, one of {@code newData}, {@code noData}, {@code failed}, or null. */
    @Nullable
    public Object result() {
        return value("result");
    }

    /** The member {@code takes}, or null. */
    @Nullable
    public Object takes() {
        return value("takes");
    }
}
