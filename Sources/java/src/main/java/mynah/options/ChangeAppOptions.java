// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Collection;
import java.util.Map;
import mynah.Nullable;

/** What {@code changeApp} may be given. */
public final class ChangeAppOptions extends Options<ChangeAppOptions> {
    /** None of them. */
    public ChangeAppOptions() {}

    private ChangeAppOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ChangeAppOptions copy(Map<String, Map<String, Object>> groups) {
        return new ChangeAppOptions(groups);
    }

    /** {@code environment}: {@code sandbox}, {@code production}. */
    public ChangeAppOptions environment(String environment) {
        return with("query", "environment", environment);
    }

    /** {@code backgroundRefresh}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions backgroundRefresh(@Nullable Boolean backgroundRefresh) {
        return with("body", "backgroundRefresh", backgroundRefresh);
    }

    /**
     * {@code worker}: {@code shows}, {@code silent}, {@code none}. Null clears it, or is the same as leaving it out.
     */
    public ChangeAppOptions worker(@Nullable Object worker) {
        return with("body", "worker", worker);
    }

    /**
     * {@code appState}: {@code foreground}, {@code background}, {@code suspended}, {@code forceQuit}. Null clears it,
     * or is the same as leaving it out.
     */
    public ChangeAppOptions appState(@Nullable Object appState) {
        return with("body", "appState", appState);
    }

    /** {@code permissions}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions permissions(@Nullable Object permissions) {
        return with("body", "permissions", permissions);
    }

    /** {@code presentInForeground}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions presentInForeground(@Nullable Collection<String> presentInForeground) {
        return with("body", "presentInForeground", presentInForeground);
    }

    /** {@code appName}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions appName(@Nullable String appName) {
        return with("body", "appName", appName);
    }

    /** {@code sounds}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions sounds(@Nullable Collection<?> sounds) {
        return with("body", "sounds", sounds);
    }

    /** {@code categories}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions categories(@Nullable Collection<? extends Map<String, ?>> categories) {
        return with("body", "categories", categories);
    }

    /** {@code strings}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions strings(@Nullable Map<String, ?> strings) {
        return with("body", "strings", strings);
    }

    /** {@code developmentLanguage}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions developmentLanguage(@Nullable String developmentLanguage) {
        return with("body", "developmentLanguage", developmentLanguage);
    }

    /** {@code serviceExtension}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions serviceExtension(@Nullable Object serviceExtension) {
        return with("body", "serviceExtension", serviceExtension);
    }

    /** {@code focusFilter}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions focusFilter(@Nullable Map<String, ?> focusFilter) {
        return with("body", "focusFilter", focusFilter);
    }

    /** {@code reportsCalls}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions reportsCalls(@Nullable Boolean reportsCalls) {
        return with("body", "reportsCalls", reportsCalls);
    }

    /** {@code frequentUpdates}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions frequentUpdates(@Nullable Boolean frequentUpdates) {
        return with("body", "frequentUpdates", frequentUpdates);
    }

    /** {@code backgroundFetch}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions backgroundFetch(@Nullable Object backgroundFetch) {
        return with("body", "backgroundFetch", backgroundFetch);
    }

    /** {@code backgroundModes}. Null clears it, or is the same as leaving it out. */
    public ChangeAppOptions backgroundModes(@Nullable Collection<String> backgroundModes) {
        return with("body", "backgroundModes", backgroundModes);
    }
}
