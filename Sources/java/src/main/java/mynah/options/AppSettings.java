// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import mynah.Nullable;

/** What {@code install} may be given. */
public final class AppSettings extends Options<AppSettings> {
    /** None of them. */
    public AppSettings() {}

    private AppSettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected AppSettings copy(Map<String, Map<String, Object>> groups) {
        return new AppSettings(groups);
    }

    /** {@code kind}: {@code app}, {@code web}. Null clears it, or is the same as leaving it out. */
    public AppSettings kind(@Nullable Object kind) {
        return with("body", "kind", kind);
    }

    /** {@code applicationServerKey}. Null clears it, or is the same as leaving it out. */
    public AppSettings applicationServerKey(@Nullable String applicationServerKey) {
        return with("body", "applicationServerKey", applicationServerKey);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. Null clears it, or is the same as leaving it out. */
    public AppSettings environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code token}. Null clears it, or is the same as leaving it out. */
    public AppSettings token(@Nullable String token) {
        return with("body", "token", token);
    }

    /** {@code launched}. Null clears it, or is the same as leaving it out. */
    public AppSettings launched(@Nullable Boolean launched) {
        return with("body", "launched", launched);
    }

    /** {@code entitled}. Null clears it, or is the same as leaving it out. */
    public AppSettings entitled(@Nullable Boolean entitled) {
        return with("body", "entitled", entitled);
    }

    /**
     * {@code rotate}: {@code reinstall}, {@code restore}, {@code osReinstall}. Null clears it, or is the same as
     * leaving it out.
     */
    public AppSettings rotate(@Nullable Object rotate) {
        return with("body", "rotate", rotate);
    }

    /** {@code backgroundRefresh}. Null clears it, or is the same as leaving it out. */
    public AppSettings backgroundRefresh(@Nullable Boolean backgroundRefresh) {
        return with("body", "backgroundRefresh", backgroundRefresh);
    }

    /**
     * {@code worker}: {@code shows}, {@code silent}, {@code none}. Null clears it, or is the same as leaving it out.
     */
    public AppSettings worker(@Nullable Object worker) {
        return with("body", "worker", worker);
    }

    /**
     * {@code appState}: {@code foreground}, {@code background}, {@code suspended}, {@code forceQuit}. Null clears it,
     * or is the same as leaving it out.
     */
    public AppSettings appState(@Nullable Object appState) {
        return with("body", "appState", appState);
    }

    /** {@code permissions}. Null clears it, or is the same as leaving it out. */
    public AppSettings permissions(@Nullable Object permissions) {
        return with("body", "permissions", permissions);
    }

    /** {@code presentInForeground}. Null clears it, or is the same as leaving it out. */
    public AppSettings presentInForeground(@Nullable Collection<String> presentInForeground) {
        return with("body", "presentInForeground", presentInForeground);
    }

    /** {@code appName}. Null clears it, or is the same as leaving it out. */
    public AppSettings appName(@Nullable String appName) {
        return with("body", "appName", appName);
    }

    /** {@code sounds}. Null clears it, or is the same as leaving it out. */
    public AppSettings sounds(@Nullable Collection<?> sounds) {
        return with("body", "sounds", sounds);
    }

    /** {@code categories}. Null clears it, or is the same as leaving it out. */
    public AppSettings categories(@Nullable Collection<? extends Map<String, ?>> categories) {
        return with("body", "categories", categories);
    }

    /** {@code strings}. Null clears it, or is the same as leaving it out. */
    public AppSettings strings(@Nullable Map<String, ?> strings) {
        return with("body", "strings", strings);
    }

    /** {@code developmentLanguage}. Null clears it, or is the same as leaving it out. */
    public AppSettings developmentLanguage(@Nullable String developmentLanguage) {
        return with("body", "developmentLanguage", developmentLanguage);
    }

    /** {@code serviceExtension}. Null clears it, or is the same as leaving it out. */
    public AppSettings serviceExtension(@Nullable Object serviceExtension) {
        return with("body", "serviceExtension", serviceExtension);
    }

    /** {@code focusFilter}. Null clears it, or is the same as leaving it out. */
    public AppSettings focusFilter(@Nullable Map<String, ?> focusFilter) {
        return with("body", "focusFilter", focusFilter);
    }

    /** {@code reportsCalls}. Null clears it, or is the same as leaving it out. */
    public AppSettings reportsCalls(@Nullable Boolean reportsCalls) {
        return with("body", "reportsCalls", reportsCalls);
    }

    /** {@code frequentUpdates}. Null clears it, or is the same as leaving it out. */
    public AppSettings frequentUpdates(@Nullable Boolean frequentUpdates) {
        return with("body", "frequentUpdates", frequentUpdates);
    }

    /** {@code backgroundFetch}. Null clears it, or is the same as leaving it out. */
    public AppSettings backgroundFetch(@Nullable Object backgroundFetch) {
        return with("body", "backgroundFetch", backgroundFetch);
    }

    /** {@code backgroundModes}. Null clears it, or is the same as leaving it out. */
    public AppSettings backgroundModes(@Nullable Collection<String> backgroundModes) {
        return with("body", "backgroundModes", backgroundModes);
    }

    /**
     * {@code state}: {@code active}, {@code unregistered}, {@code expired}, {@code notLaunched}, {@code
     * waitingForNetwork}. Null clears it, or is the same as leaving it out.
     */
    public AppSettings state(@Nullable Object state) {
        return with("body", "state", state);
    }

    /** {@code since}. Null clears it, or is the same as leaving it out. */
    public AppSettings since(@Nullable Instant since) {
        return with("body", "since", since);
    }

    /** {@code endedAt}. Null clears it, or is the same as leaving it out. */
    public AppSettings endedAt(@Nullable Instant endedAt) {
        return with("body", "endedAt", endedAt);
    }

    /** {@code webPush}. Null clears it, or is the same as leaving it out. */
    public AppSettings webPush(@Nullable Object webPush) {
        return with("body", "webPush", webPush);
    }

    /** {@code unregisteredAt}. Null clears it, or is the same as leaving it out. */
    public AppSettings unregisteredAt(@Nullable Instant unregisteredAt) {
        return with("body", "unregisteredAt", unregisteredAt);
    }
}
