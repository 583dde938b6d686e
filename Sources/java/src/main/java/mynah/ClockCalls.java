// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah;

import java.time.Instant;
import mynah.model.ClockReport;

/** The calls of {@link Clock} that are one request each. */
public abstract class ClockCalls {
    final ControlApi control;
    @Nullable final String scope;

    ClockCalls(ControlApi control, @Nullable String scope) {
        this.control = control;
        this.scope = scope;
    }

    /** The present time. */
    public Instant now() {
        Call call = new Call(control, "GET", "/v1/clock")
            .query("scope", scope);
        return Instant.parse((String) call.object().get("now"));
    }

    /** {@code real}, {@code offset} or {@code frozen}. */
    public String mode() {
        Call call = new Call(control, "GET", "/v1/clock")
            .query("scope", scope);
        return (String) call.object().get("mode");
    }

    /** Freezes the clock, now or at a time. */
    public ClockReport freeze(@Nullable Instant at) {
        Call call = new Call(control, "PUT", "/v1/clock")
            .member("scope", scope)
            .member("now", at)
            .member("mode", "frozen");
        return new ClockReport(call.object());
    }

    /** Freezes the clock, now or at a time. */
    public ClockReport freeze() {
        return freeze(null);
    }

    /** Lets the clock run again from its present time. */
    public ClockReport run() {
        Call call = new Call(control, "PUT", "/v1/clock")
            .member("scope", scope)
            .member("mode", "offset");
        return new ClockReport(call.object());
    }
}
