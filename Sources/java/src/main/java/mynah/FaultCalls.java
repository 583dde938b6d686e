// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import mynah.model.FaultAction;
import mynah.model.FaultMatch;
import mynah.model.FaultWords;
import mynah.model.JsonRecord;
import mynah.options.FaultChanges;

/** The calls of {@link Fault} that are one request each. */
public abstract class FaultCalls extends JsonRecord {
    final ControlApi control;

    FaultCalls(Map<String, Object> document, ControlApi control) {
        super(document);
        this.control = control;
    }

    /** The member {@code id}. */
    public String id() {
        return text("id");
    }

    /** The member {@code name}, or null. */
    @Nullable
    public String name() {
        return text("name");
    }

    /** The member {@code scope}, or null. */
    @Nullable
    public String scope() {
        return text("scope");
    }

    /** The member {@code enabled}. */
    public boolean enabled() {
        return flag("enabled");
    }

    /** The member {@code rulePriority}. */
    public long rulePriority() {
        return integer("rulePriority");
    }

    /** The member {@code match}. */
    public FaultMatch match() {
        return object("match", FaultMatch::new);
    }

    /** The member {@code skip}. */
    public long skip() {
        return integer("skip");
    }

    /** The member {@code times}, or null. */
    @Nullable
    public Long times() {
        return integer("times");
    }

    /** The member {@code every}. */
    public long every() {
        return integer("every");
    }

    /** The member {@code probability}. */
    public double probability() {
        return decimal("probability");
    }

    /** The member {@code connections}, or null. */
    @Nullable
    public Object connections() {
        return value("connections");
    }

    /** The member {@code keys}, or null. */
    @Nullable
    public Object keys() {
        return value("keys");
    }

    /** The member {@code rateOver}, or null. */
    @Nullable
    public Object rateOver() {
        return value("rateOver");
    }

    /** The member {@code activeFrom}, or null. */
    @Nullable
    public Instant activeFrom() {
        return time("activeFrom");
    }

    /** The member {@code activeUntil}, or null. */
    @Nullable
    public Instant activeUntil() {
        return time("activeUntil");
    }

    /** The member {@code action}, or null. */
    @Nullable
    public Object action() {
        return value("action");
    }

    /** The member {@code actions}, or null. */
    @Nullable
    public List<FaultAction> actions() {
        return objects("actions", FaultAction::new);
    }

    /** The member {@code then}, one of {@code pass}, {@code repeat}, {@code last}. */
    public String then() {
        return text("then");
    }

    /** The member {@code matched}. */
    public long matched() {
        return integer("matched");
    }

    /** The member {@code fired}. */
    public long fired() {
        return integer("fired");
    }

    /** The member {@code remaining}, or null. */
    @Nullable
    public Long remaining() {
        return integer("remaining");
    }

    /** The member {@code createdAt}. */
    public Instant createdAt() {
        return time("createdAt");
    }

    /** The member {@code words}. */
    public FaultWords words() {
        return object("words", FaultWords::new);
    }

    /** The member {@code timedOut}, or null. */
    @Nullable
    public Boolean timedOut() {
        return flag("timedOut");
    }

    /** A new snapshot of the rule. */
    public Fault refresh() {
        Call call = new Call(control, "GET", "/v1/faults/", id());
        return new Fault(call.object(), control);
    }

    /** Changes members of the rule; gives the changed rule. */
    public Fault change(UnaryOperator<FaultChanges> options) {
        Call call = new Call(control, "PATCH", "/v1/faults/", id())
            .with(options.apply(new FaultChanges()));
        return new Fault(call.object(), control);
    }

    /** Removes the rule. */
    public void remove() {
        new Call(control, "DELETE", "/v1/faults/", id())
            .send();
    }
}
