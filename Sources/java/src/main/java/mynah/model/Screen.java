// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** {@code Screen} of the control API. */
public final class Screen extends JsonRecord {
    public Screen(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code at}. */
    public Instant at() {
        return time("at");
    }

    /** The member {@code badges}. */
    public Map<String, Long> badges() {
        return collection("badges");
    }

    /** The member {@code notifications}. */
    public List<ScreenNotification> notifications() {
        return objects("notifications", ScreenNotification::new);
    }

    /** The member {@code groups}. */
    public List<NotificationGroup> groups() {
        return objects("groups", NotificationGroup::new);
    }

    /** The member {@code summary}. */
    public List<Long> summary() {
        return collection("summary");
    }

    /** The member {@code held}. */
    public List<ScreenHeld> held() {
        return objects("held", ScreenHeld::new);
    }

    /** The member {@code activities}. */
    public List<LiveActivity> activities() {
        return objects("activities", LiveActivity::new);
    }

    /** The member {@code wakes}. */
    public List<Wake> wakes() {
        return objects("wakes", Wake::new);
    }

    /** The member {@code responses}. */
    public List<AppResponse> responses() {
        return objects("responses", AppResponse::new);
    }

    /** The member {@code sounds}. */
    public List<PlayedSound> sounds() {
        return objects("sounds", PlayedSound::new);
    }

    /** The member {@code evicted}. */
    public long evicted() {
        return integer("evicted");
    }
}
