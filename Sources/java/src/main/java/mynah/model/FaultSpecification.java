// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code FaultSpecification} of the control API. */
public final class FaultSpecification extends JsonRecord {
    public FaultSpecification(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}, or null. */
    @Nullable
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

    /** The member {@code enabled}, or null. */
    @Nullable
    public Boolean enabled() {
        return flag("enabled");
    }

    /** The member {@code rulePriority}, or null. */
    @Nullable
    public Long rulePriority() {
        return integer("rulePriority");
    }

    /** The member {@code match}, or null. */
    @Nullable
    public FaultMatch match() {
        return object("match", FaultMatch::new);
    }

    /** The member {@code skip}, or null. */
    @Nullable
    public Long skip() {
        return integer("skip");
    }

    /** The member {@code times}, or null. */
    @Nullable
    public Long times() {
        return integer("times");
    }

    /** The member {@code every}, or null. */
    @Nullable
    public Long every() {
        return integer("every");
    }

    /** The member {@code probability}, or null. */
    @Nullable
    public Double probability() {
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

    /** The member {@code then}, one of {@code pass}, {@code repeat}, {@code last}, or null. */
    @Nullable
    public Object then() {
        return value("then");
    }

    /** The member {@code matched}, or null. */
    @Nullable
    public Long matched() {
        return integer("matched");
    }

    /** The member {@code fired}, or null. */
    @Nullable
    public Long fired() {
        return integer("fired");
    }

    /** The member {@code remaining}, or null. */
    @Nullable
    public Long remaining() {
        return integer("remaining");
    }

    /** The member {@code createdAt}, or null. */
    @Nullable
    public Instant createdAt() {
        return time("createdAt");
    }

    /** The member {@code words}, or null. */
    @Nullable
    public Object words() {
        return value("words");
    }
}
