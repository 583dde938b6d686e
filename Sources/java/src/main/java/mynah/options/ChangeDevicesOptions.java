// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Collection;
import java.util.Map;
import mynah.Nullable;

/** What {@code changeDevices} may be given. */
public final class ChangeDevicesOptions extends Options<ChangeDevicesOptions> {
    /** None of them. */
    public ChangeDevicesOptions() {}

    private ChangeDevicesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ChangeDevicesOptions copy(Map<String, Map<String, Object>> groups) {
        return new ChangeDevicesOptions(groups);
    }

    /** The scope, by default one's own; null is the whole server. */
    public ChangeDevicesOptions scope(@Nullable String scope) {
        return with("query", "scope", scope);
    }

    /** {@code user}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions user(@Nullable String user) {
        return with("body", "user", user);
    }

    /** {@code name}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions name(@Nullable String name) {
        return with("body", "name", name);
    }

    /** {@code osVersion}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions osVersion(@Nullable String osVersion) {
        return with("body", "osVersion", osVersion);
    }

    /** {@code locale}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions locale(@Nullable String locale) {
        return with("body", "locale", locale);
    }

    /** {@code online}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions online(@Nullable Boolean online) {
        return with("body", "online", online);
    }

    /** {@code power}: {@code normal}, {@code low}, {@code asleep}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions power(@Nullable Object power) {
        return with("body", "power", power);
    }

    /** {@code focus}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions focus(@Nullable Object focus) {
        return with("body", "focus", focus);
    }

    /** {@code languages}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions languages(@Nullable Collection<String> languages) {
        return with("body", "languages", languages);
    }

    /** {@code locked}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions locked(@Nullable Boolean locked) {
        return with("body", "locked", locked);
    }

    /** {@code muted}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions muted(@Nullable Boolean muted) {
        return with("body", "muted", muted);
    }

    /** {@code watch}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions watch(@Nullable Object watch) {
        return with("body", "watch", watch);
    }

    /** {@code summary}. Null clears it, or is the same as leaving it out. */
    public ChangeDevicesOptions summary(@Nullable Object summary) {
        return with("body", "summary", summary);
    }
}
