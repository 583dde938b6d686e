// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code RegistrationSpecification} of the control API. */
public final class RegistrationSpecification extends JsonRecord {
    public RegistrationSpecification(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code kind}, one of {@code app}, {@code web}, or null. */
    @Nullable
    public Object kind() {
        return value("kind");
    }

    /** The member {@code applicationServerKey}, or null. */
    @Nullable
    public String applicationServerKey() {
        return text("applicationServerKey");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}, or null. */
    @Nullable
    public Object environment() {
        return value("environment");
    }

    /** The member {@code token}, or null. */
    @Nullable
    public String token() {
        return text("token");
    }

    /** The member {@code launched}, or null. */
    @Nullable
    public Boolean launched() {
        return flag("launched");
    }

    /** The member {@code entitled}, or null. */
    @Nullable
    public Boolean entitled() {
        return flag("entitled");
    }

    /** The member {@code rotate}, one of {@code reinstall}, {@code restore}, {@code osReinstall}, or null. */
    @Nullable
    public Object rotate() {
        return value("rotate");
    }

    /** The member {@code backgroundRefresh}, or null. */
    @Nullable
    public Boolean backgroundRefresh() {
        return flag("backgroundRefresh");
    }

    /** The member {@code worker}, one of {@code shows}, {@code silent}, {@code none}, or null. */
    @Nullable
    public Object worker() {
        return value("worker");
    }

    /**
     * The member {@code appState}, one of {@code foreground}, {@code background}, {@code suspended}, {@code
     * forceQuit}, or null.
     */
    @Nullable
    public Object appState() {
        return value("appState");
    }

    /** The member {@code permissions}, or null. */
    @Nullable
    public Object permissions() {
        return value("permissions");
    }

    /** The member {@code presentInForeground}, or null. */
    @Nullable
    public List<String> presentInForeground() {
        return collection("presentInForeground");
    }

    /** The member {@code appName}, or null. */
    @Nullable
    public String appName() {
        return text("appName");
    }

    /** The member {@code sounds}, or null. */
    @Nullable
    public List<Object> sounds() {
        return collection("sounds");
    }

    /** The member {@code categories}, or null. */
    @Nullable
    public List<Category> categories() {
        return objects("categories", Category::new);
    }

    /** The member {@code strings}, or null. */
    @Nullable
    public Map<String, Object> strings() {
        return collection("strings");
    }

    /** The member {@code developmentLanguage}, or null. */
    @Nullable
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

    /** The member {@code reportsCalls}, or null. */
    @Nullable
    public Boolean reportsCalls() {
        return flag("reportsCalls");
    }

    /** The member {@code frequentUpdates}, or null. */
    @Nullable
    public Boolean frequentUpdates() {
        return flag("frequentUpdates");
    }

    /** The member {@code backgroundFetch}, or null. */
    @Nullable
    public Object backgroundFetch() {
        return value("backgroundFetch");
    }

    /** The member {@code backgroundModes}, or null. */
    @Nullable
    public List<String> backgroundModes() {
        return collection("backgroundModes");
    }

    /**
     * The member {@code state}, one of {@code active}, {@code unregistered}, {@code expired}, {@code notLaunched},
     * {@code waitingForNetwork}, or null.
     */
    @Nullable
    public Object state() {
        return value("state");
    }

    /** The member {@code since}, or null. */
    @Nullable
    public Instant since() {
        return time("since");
    }

    /** The member {@code endedAt}, or null. */
    @Nullable
    public Instant endedAt() {
        return time("endedAt");
    }

    /** The member {@code webPush}, or null. */
    @Nullable
    public Object webPush() {
        return value("webPush");
    }

    /** The member {@code unregisteredAt}, or null. */
    @Nullable
    public Instant unregisteredAt() {
        return time("unregisteredAt");
    }
}
