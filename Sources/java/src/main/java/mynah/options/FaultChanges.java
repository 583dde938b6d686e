// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import mynah.Nullable;

/** What {@code change} may be given. */
public final class FaultChanges extends Options<FaultChanges> {
    /** None of them. */
    public FaultChanges() {}

    private FaultChanges(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected FaultChanges copy(Map<String, Map<String, Object>> groups) {
        return new FaultChanges(groups);
    }

    /** {@code name}. Null clears it, or is the same as leaving it out. */
    public FaultChanges name(@Nullable String name) {
        return with("body", "name", name);
    }

    /** {@code scope}. Null clears it, or is the same as leaving it out. */
    public FaultChanges scope(@Nullable String scope) {
        return with("body", "scope", scope);
    }

    /** {@code enabled}. Null clears it, or is the same as leaving it out. */
    public FaultChanges enabled(@Nullable Boolean enabled) {
        return with("body", "enabled", enabled);
    }

    /** {@code rulePriority}. Null clears it, or is the same as leaving it out. */
    public FaultChanges rulePriority(@Nullable Number rulePriority) {
        return with("body", "rulePriority", rulePriority);
    }

    /** {@code match}. Null clears it, or is the same as leaving it out. */
    public FaultChanges match(@Nullable Map<String, ?> match) {
        return with("body", "match", match);
    }

    /** {@code skip}. Null clears it, or is the same as leaving it out. */
    public FaultChanges skip(@Nullable Number skip) {
        return with("body", "skip", skip);
    }

    /** {@code times}. Null clears it, or is the same as leaving it out. */
    public FaultChanges times(@Nullable Number times) {
        return with("body", "times", times);
    }

    /** {@code every}. Null clears it, or is the same as leaving it out. */
    public FaultChanges every(@Nullable Number every) {
        return with("body", "every", every);
    }

    /** {@code probability}. Null clears it, or is the same as leaving it out. */
    public FaultChanges probability(@Nullable Number probability) {
        return with("body", "probability", probability);
    }

    /** {@code connections}. Null clears it, or is the same as leaving it out. */
    public FaultChanges connections(@Nullable Object connections) {
        return with("body", "connections", connections);
    }

    /** {@code keys}. Null clears it, or is the same as leaving it out. */
    public FaultChanges keys(@Nullable Object keys) {
        return with("body", "keys", keys);
    }

    /** {@code rateOver}. Null clears it, or is the same as leaving it out. */
    public FaultChanges rateOver(@Nullable Object rateOver) {
        return with("body", "rateOver", rateOver);
    }

    /** {@code activeFrom}. Null clears it, or is the same as leaving it out. */
    public FaultChanges activeFrom(@Nullable Instant activeFrom) {
        return with("body", "activeFrom", activeFrom);
    }

    /** {@code activeUntil}. Null clears it, or is the same as leaving it out. */
    public FaultChanges activeUntil(@Nullable Instant activeUntil) {
        return with("body", "activeUntil", activeUntil);
    }

    /** {@code action}. Null clears it, or is the same as leaving it out. */
    public FaultChanges action(@Nullable Object action) {
        return with("body", "action", action);
    }

    /** {@code actions}. Null clears it, or is the same as leaving it out. */
    public FaultChanges actions(@Nullable Collection<? extends Map<String, ?>> actions) {
        return with("body", "actions", actions);
    }

    /** {@code then}: {@code pass}, {@code repeat}, {@code last}. Null clears it, or is the same as leaving it out. */
    public FaultChanges then(@Nullable Object then) {
        return with("body", "then", then);
    }
}
