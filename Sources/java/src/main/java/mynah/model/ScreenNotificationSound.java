// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code ScreenNotificationSound} of the control API. */
public final class ScreenNotificationSound extends JsonRecord {
    public ScreenNotificationSound(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code name}. */
    public String name() {
        return text("name");
    }

    /** The member {@code critical}. */
    public boolean critical() {
        return flag("critical");
    }

    /** The member {@code volume}, or null. */
    @Nullable
    public Double volume() {
        return decimal("volume");
    }
}
