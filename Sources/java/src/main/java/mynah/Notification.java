package mynah;

import java.util.List;
import java.util.Map;

/** A push, accepted or refused, with its outcome. */
public final class Notification extends NotificationMembers {
    public Notification(Map<String, Object> document) {
        super(document);
    }

    /** The first value of a header, by its name in lower case; null without one. */
    @Nullable
    public String header(String name) {
        for (List<String> one : headers()) {
            if (one.get(0).equals(name)) {
                return one.get(1);
            }
        }
        return null;
    }
}
