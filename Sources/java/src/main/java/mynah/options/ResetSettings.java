// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Collection;
import java.util.Map;
import mynah.Nullable;

/** What {@code reset} may be given. */
public final class ResetSettings extends Options<ResetSettings> {
    /** None of them. */
    public ResetSettings() {}

    private ResetSettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ResetSettings copy(Map<String, Map<String, Object>> groups) {
        return new ResetSettings(groups);
    }

    /** {@code only}. Null clears it, or is the same as leaving it out. */
    public ResetSettings only(@Nullable Collection<String> only) {
        return with("body", "only", only);
    }

    /** {@code scope}. Null clears it, or is the same as leaving it out. */
    public ResetSettings scope(@Nullable String scope) {
        return with("body", "scope", scope);
    }
}
