// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code Registration} of the control API. */
public final class Registration extends JsonRecord {
    public Registration(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code kind}, one of {@code app}, {@code web}. */
    public String kind() {
        return text("kind");
    }

    /** The member {@code token}, or null. */
    @Nullable
    public String token() {
        return text("token");
    }

    /** The member {@code applicationServerKey}, or null. */
    @Nullable
    public String applicationServerKey() {
        return text("applicationServerKey");
    }

    /** The member {@code webPush}, or null. */
    @Nullable
    public Object webPush() {
        return value("webPush");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}. */
    public String environment() {
        return text("environment");
    }

    /**
     * The member {@code state}, one of {@code active}, {@code unregistered}, {@code expired}, {@code notLaunched},
     * {@code waitingForNetwork}.
     */
    public String state() {
        return text("state");
    }

    /** The member {@code since}. */
    public Instant since() {
        return time("since");
    }

    /** The member {@code endedAt}, or null. */
    @Nullable
    public Instant endedAt() {
        return time("endedAt");
    }

    /** The member {@code unregisteredAt}, or null. */
    @Nullable
    public Instant unregisteredAt() {
        return time("unregisteredAt");
    }

    /** The member {@code backgroundRefresh}. */
    public boolean backgroundRefresh() {
        return flag("backgroundRefresh");
    }

    /** The member {@code worker}, one of {@code shows}, {@code silent}, {@code none}. */
    public String worker() {
        return text("worker");
    }

    /**
     * The member {@code appState}, one of {@code foreground}, {@code background}, {@code suspended}, {@code forceQuit}.
     */
    public String appState() {
        return text("appState");
    }

    /** The member {@code permissions}. */
    public RegistrationPermissions permissions() {
        return object("permissions", RegistrationPermissions::new);
    }

    /** The member {@code presentInForeground}. */
    public List<String> presentInForeground() {
        return collection("presentInForeground");
    }

    /** The member {@code appName}, or null. */
    @Nullable
    public String appName() {
        return text("appName");
    }

    /** The member {@code sounds}. */
    public List<Object> sounds() {
        return collection("sounds");
    }

    /** The member {@code categories}. */
    public List<Category> categories() {
        return objects("categories", Category::new);
    }

    /** The member {@code strings}. */
    public Map<String, String> strings() {
        return collection("strings");
    }

    /** The member {@code developmentLanguage}. */
    public String developmentLanguage() {
        return text("developmentLanguage");
    }

    /** The member {@code serviceExtension}, or null. */
    @Nullable
    public Object serviceExtension() {
        return value("serviceExtension");
    }

    /** The member {@code focusFilter}, or null. */
    @Nullable
    public Map<String, List<String>> focusFilter() {
        return collection("focusFilter");
    }

    /** The member {@code reportsCalls}. */
    public boolean reportsCalls() {
        return flag("reportsCalls");
    }

    /** The member {@code frequentUpdates}. */
    public boolean frequentUpdates() {
        return flag("frequentUpdates");
    }

    /** The member {@code backgroundFetch}. */
    public BackgroundFetch backgroundFetch() {
        return object("backgroundFetch", BackgroundFetch::new);
    }

    /** The member {@code backgroundModes}. */
    public List<String> backgroundModes() {
        return collection("backgroundModes");
    }
}
