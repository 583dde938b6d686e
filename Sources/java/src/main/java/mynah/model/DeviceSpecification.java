// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code DeviceSpecification} of the control API. */
public final class DeviceSpecification extends JsonRecord {
    public DeviceSpecification(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}, or null. */
    @Nullable
    public String id() {
        return text("id");
    }

    /** The member {@code count}, or null. */
    @Nullable
    public Long count() {
        return integer("count");
    }

    /** The member {@code scope}, or null. */
    @Nullable
    public String scope() {
        return text("scope");
    }

    /** The member {@code user}, or null. */
    @Nullable
    public String user() {
        return text("user");
    }

    /** The member {@code name}, or null. */
    @Nullable
    public String name() {
        return text("name");
    }

    /** The member {@code model}, or null. */
    @Nullable
    public String model() {
        return text("model");
    }

    /**
     * The member {@code platform}, one of {@code iOS}, {@code iPadOS}, {@code macOS}, {@code watchOS}, {@code tvOS},
     * {@code visionOS}, or null.
     */
    @Nullable
    public Object platform() {
        return value("platform");
    }

    /** The member {@code osVersion}, or null. */
    @Nullable
    public String osVersion() {
        return text("osVersion");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}, or null. */
    @Nullable
    public Object environment() {
        return value("environment");
    }

    /** The member {@code locale}, or null. */
    @Nullable
    public String locale() {
        return text("locale");
    }

    /** The member {@code online}, or null. */
    @Nullable
    public Boolean online() {
        return flag("online");
    }

    /** The member {@code power}, one of {@code normal}, {@code low}, {@code asleep}, or null. */
    @Nullable
    public Object power() {
        return value("power");
    }

    /** The member {@code focus}, or null. */
    @Nullable
    public Object focus() {
        return value("focus");
    }

    /** The member {@code languages}, or null. */
    @Nullable
    public List<String> languages() {
        return collection("languages");
    }

    /** The member {@code locked}, or null. */
    @Nullable
    public Boolean locked() {
        return flag("locked");
    }

    /** The member {@code muted}, or null. */
    @Nullable
    public Boolean muted() {
        return flag("muted");
    }

    /** The member {@code watch}, or null. */
    @Nullable
    public Object watch() {
        return value("watch");
    }

    /** The member {@code summary}, or null. */
    @Nullable
    public Object summary() {
        return value("summary");
    }

    /** The member {@code registrations}, or null. */
    @Nullable
    public List<RegistrationSpecification> registrations() {
        return objects("registrations", RegistrationSpecification::new);
    }

    /** The member {@code activities}, or null. */
    @Nullable
    public List<LiveActivity> activities() {
        return objects("activities", LiveActivity::new);
    }

    /** The member {@code stored}, or null. */
    @Nullable
    public Object stored() {
        return value("stored");
    }

    /** The member {@code deferred}, or null. */
    @Nullable
    public Object deferred() {
        return value("deferred");
    }

    /** The member {@code inbox}, or null. */
    @Nullable
    public Object inbox() {
        return value("inbox");
    }
}
