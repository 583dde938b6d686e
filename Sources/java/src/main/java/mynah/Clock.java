package mynah;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import mynah.model.ClockReport;
import mynah.options.Options;

/** The clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's. */
public final class Clock extends ClockCalls {
    Clock(ControlApi control, @Nullable String scope) {
        super(control, scope);
    }

    /** Advances by a duration; everything due is in journals and inboxes when this is done. */
    public ClockReport advance(Duration by) {
        return advance(Options.text(by));
    }

    /** Advances by a duration with its unit: {@code 2h}. */
    public ClockReport advance(String by) {
        return advanced("by", by);
    }

    /** Advances to a time. */
    public ClockReport advanceTo(Instant to) {
        return advanced("to", to);
    }

    /** Advances to the next event due. */
    public ClockReport advanceToNext() {
        return advanced("to", "next");
    }

    private ClockReport advanced(String name, Object value) {
        Map<String, Object> report = new Call(control, "POST", "/v1/clock/advance")
            .member(name, value)
            .member("scope", scope)
            .object();
        return new ClockReport(report);
    }
}
