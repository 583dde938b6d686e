// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code NotificationWebPushRefusals} of the control API. */
public final class NotificationWebPushRefusals extends JsonRecord {
    public NotificationWebPushRefusals(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code status}. */
    public long status() {
        return integer("status");
    }

    /** The member {@code reason}. */
    public String reason() {
        return text("reason");
    }

    /** The member {@code cause}. */
    public String cause() {
        return text("cause");
    }

    /** The member {@code evidence}, one of {@code documented}, {@code observed}, {@code inferred}. */
    public String evidence() {
        return text("evidence");
    }
}
