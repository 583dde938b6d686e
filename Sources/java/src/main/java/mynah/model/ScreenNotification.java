// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code ScreenNotification} of the control API. */
public final class ScreenNotification extends JsonRecord {
    public ScreenNotification(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code sequence}. */
    public long sequence() {
        return integer("sequence");
    }

    /** The member {@code apnsId}. */
    public String apnsId() {
        return text("apnsId");
    }

    /** The member {@code identifier}. */
    public String identifier() {
        return text("identifier");
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code title}, or null. */
    @Nullable
    public String title() {
        return text("title");
    }

    /** The member {@code subtitle}, or null. */
    @Nullable
    public String subtitle() {
        return text("subtitle");
    }

    /** The member {@code body}, or null. */
    @Nullable
    public String body() {
        return text("body");
    }

    /** The member {@code previewHidden}. */
    public boolean previewHidden() {
        return flag("previewHidden");
    }

    /** The member {@code sound}, or null. */
    @Nullable
    public Object sound() {
        return value("sound");
    }

    /** The member {@code threadId}, or null. */
    @Nullable
    public String threadId() {
        return text("threadId");
    }

    /** The member {@code category}, or null. */
    @Nullable
    public String category() {
        return text("category");
    }

    /** The member {@code actions}. */
    public List<ShownAction> actions() {
        return objects("actions", ShownAction::new);
    }

    /** The member {@code actionTitle}, or null. */
    @Nullable
    public String actionTitle() {
        return text("actionTitle");
    }

    /**
     * The member {@code interruptionLevel}, one of {@code passive}, {@code active}, {@code time-sensitive}, {@code
     * critical}.
     */
    public String interruptionLevel() {
        return text("interruptionLevel");
    }

    /** The member {@code relevanceScore}, or null. */
    @Nullable
    public Double relevanceScore() {
        return decimal("relevanceScore");
    }

    /** The member {@code collapseId}, or null. */
    @Nullable
    public String collapseId() {
        return text("collapseId");
    }

    /** The member {@code mutableContent}, one of {@code none}, {@code modified}, {@code timedOut}. */
    public String mutableContent() {
        return text("mutableContent");
    }

    /** The member {@code shownAt}. */
    public Instant shownAt() {
        return time("shownAt");
    }

    /** The member {@code updatedAt}, or null. */
    @Nullable
    public Instant updatedAt() {
        return time("updatedAt");
    }

    /** The member {@code group}. */
    public String group() {
        return text("group");
    }

    /** The member {@code banner}, or null. */
    @Nullable
    public Object banner() {
        return value("banner");
    }

    /** The member {@code alertStyle}, one of {@code banner}, {@code alert}, or null. */
    @Nullable
    public Object alertStyle() {
        return value("alertStyle");
    }

    /** The member {@code lockScreen}. */
    public boolean lockScreen() {
        return flag("lockScreen");
    }

    /** The member {@code notificationCenter}. */
    public boolean notificationCenter() {
        return flag("notificationCenter");
    }

    /** The member {@code onWatch}. */
    public boolean onWatch() {
        return flag("onWatch");
    }

    /** The member {@code sender}, or null. */
    @Nullable
    public String sender() {
        return text("sender");
    }

    /** The member {@code attachments}. */
    public List<String> attachments() {
        return collection("attachments");
    }

    /** The member {@code details}. */
    public Map<String, Object> details() {
        return collection("details");
    }

    /** The member {@code warnings}. */
    public List<String> warnings() {
        return collection("warnings");
    }
}
