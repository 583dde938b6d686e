// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Collection;
import java.util.Map;
import mynah.Nullable;

/** What {@code change} may be given. */
public final class DeviceChanges extends Options<DeviceChanges> {
    /** None of them. */
    public DeviceChanges() {}

    private DeviceChanges(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected DeviceChanges copy(Map<String, Map<String, Object>> groups) {
        return new DeviceChanges(groups);
    }

    /** {@code user}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges user(@Nullable String user) {
        return with("body", "user", user);
    }

    /** {@code name}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges name(@Nullable String name) {
        return with("body", "name", name);
    }

    /** {@code osVersion}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges osVersion(@Nullable String osVersion) {
        return with("body", "osVersion", osVersion);
    }

    /** {@code locale}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges locale(@Nullable String locale) {
        return with("body", "locale", locale);
    }

    /** {@code online}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges online(@Nullable Boolean online) {
        return with("body", "online", online);
    }

    /** {@code power}: {@code normal}, {@code low}, {@code asleep}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges power(@Nullable Object power) {
        return with("body", "power", power);
    }

    /** {@code focus}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges focus(@Nullable Object focus) {
        return with("body", "focus", focus);
    }

    /** {@code languages}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges languages(@Nullable Collection<String> languages) {
        return with("body", "languages", languages);
    }

    /** {@code locked}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges locked(@Nullable Boolean locked) {
        return with("body", "locked", locked);
    }

    /** {@code muted}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges muted(@Nullable Boolean muted) {
        return with("body", "muted", muted);
    }

    /** {@code watch}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges watch(@Nullable Object watch) {
        return with("body", "watch", watch);
    }

    /** {@code summary}. Null clears it, or is the same as leaving it out. */
    public DeviceChanges summary(@Nullable Object summary) {
        return with("body", "summary", summary);
    }
}
