// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code RegistrationPermissions} of the control API. */
public final class RegistrationPermissions extends JsonRecord {
    public RegistrationPermissions(Map<String, Object> document) {
        super(document);
    }

    /**
     * The member {@code authorization}, one of {@code authorized}, {@code denied}, {@code notDetermined}, {@code
     * provisional}, {@code ephemeral}.
     */
    public String authorization() {
        return text("authorization");
    }

    /** The member {@code alert}. */
    public boolean alert() {
        return flag("alert");
    }

    /** The member {@code badge}. */
    public boolean badge() {
        return flag("badge");
    }

    /** The member {@code sound}. */
    public boolean sound() {
        return flag("sound");
    }

    /** The member {@code critical}. */
    public boolean critical() {
        return flag("critical");
    }

    /** The member {@code timeSensitive}. */
    public boolean timeSensitive() {
        return flag("timeSensitive");
    }

    /** The member {@code location}. */
    public boolean location() {
        return flag("location");
    }

    /** The member {@code lockScreen}. */
    public boolean lockScreen() {
        return flag("lockScreen");
    }

    /** The member {@code notificationCenter}. */
    public boolean notificationCenter() {
        return flag("notificationCenter");
    }

    /** The member {@code liveActivities}. */
    public boolean liveActivities() {
        return flag("liveActivities");
    }

    /** The member {@code frequentPushes}. */
    public boolean frequentPushes() {
        return flag("frequentPushes");
    }

    /** The member {@code alertStyle}, one of {@code none}, {@code banner}, {@code alert}. */
    public String alertStyle() {
        return text("alertStyle");
    }

    /** The member {@code showPreviews}, one of {@code always}, {@code whenUnlocked}, {@code never}. */
    public String showPreviews() {
        return text("showPreviews");
    }
}
