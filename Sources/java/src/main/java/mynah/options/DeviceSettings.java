// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Collection;
import java.util.Map;
import mynah.Nullable;

/** What {@code addDevices} may be given. */
public final class DeviceSettings extends Options<DeviceSettings> {
    /** None of them. */
    public DeviceSettings() {}

    private DeviceSettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected DeviceSettings copy(Map<String, Map<String, Object>> groups) {
        return new DeviceSettings(groups);
    }

    /** {@code id}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings id(@Nullable String id) {
        return with("body", "id", id);
    }

    /** {@code user}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings user(@Nullable String user) {
        return with("body", "user", user);
    }

    /** {@code name}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings name(@Nullable String name) {
        return with("body", "name", name);
    }

    /** {@code model}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings model(@Nullable String model) {
        return with("body", "model", model);
    }

    /**
     * {@code platform}: {@code iOS}, {@code iPadOS}, {@code macOS}, {@code watchOS}, {@code tvOS}, {@code visionOS}.
     * Null clears it, or is the same as leaving it out.
     */
    public DeviceSettings platform(@Nullable Object platform) {
        return with("body", "platform", platform);
    }

    /** {@code osVersion}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings osVersion(@Nullable String osVersion) {
        return with("body", "osVersion", osVersion);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code locale}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings locale(@Nullable String locale) {
        return with("body", "locale", locale);
    }

    /** {@code power}: {@code normal}, {@code low}, {@code asleep}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings power(@Nullable Object power) {
        return with("body", "power", power);
    }

    /** {@code focus}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings focus(@Nullable Object focus) {
        return with("body", "focus", focus);
    }

    /** {@code languages}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings languages(@Nullable Collection<String> languages) {
        return with("body", "languages", languages);
    }

    /** {@code locked}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings locked(@Nullable Boolean locked) {
        return with("body", "locked", locked);
    }

    /** {@code muted}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings muted(@Nullable Boolean muted) {
        return with("body", "muted", muted);
    }

    /** {@code watch}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings watch(@Nullable Object watch) {
        return with("body", "watch", watch);
    }

    /** {@code summary}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings summary(@Nullable Object summary) {
        return with("body", "summary", summary);
    }

    /** {@code registrations}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings registrations(@Nullable Collection<? extends Map<String, ?>> registrations) {
        return with("body", "registrations", registrations);
    }

    /** {@code activities}. Null clears it, or is the same as leaving it out. */
    public DeviceSettings activities(@Nullable Collection<? extends Map<String, ?>> activities) {
        return with("body", "activities", activities);
    }
}
