// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code NotificationWebPush} of the control API. */
public final class NotificationWebPush extends JsonRecord {
    public NotificationWebPush(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code refusals}. */
    public List<NotificationWebPushRefusals> refusals() {
        return objects("refusals", NotificationWebPushRefusals::new);
    }

    /** The member {@code claims}, or null. */
    @Nullable
    public Map<String, Object> claims() {
        return collection("claims");
    }

    /** The member {@code applicationServerKey}, or null. */
    @Nullable
    public String applicationServerKey() {
        return text("applicationServerKey");
    }

    /** The member {@code ttl}, or null. */
    @Nullable
    public Long ttl() {
        return integer("ttl");
    }

    /** The member {@code urgency}, or null. */
    @Nullable
    public String urgency() {
        return text("urgency");
    }

    /** The member {@code topic}, or null. */
    @Nullable
    public String topic() {
        return text("topic");
    }

    /** The member {@code encoding}, or null. */
    @Nullable
    public String encoding() {
        return text("encoding");
    }

    /** The member {@code plaintext}, or null. */
    @Nullable
    public String plaintext() {
        return text("plaintext");
    }

    /** The member {@code problem}, or null. */
    @Nullable
    public String problem() {
        return text("problem");
    }

    /** The member {@code declarative}, or null. */
    @Nullable
    public Boolean declarative() {
        return flag("declarative");
    }

    /** The member {@code notDeclarative}, or null. */
    @Nullable
    public String notDeclarative() {
        return text("notDeclarative");
    }

    /** The member {@code navigate}, or null. */
    @Nullable
    public String navigate() {
        return text("navigate");
    }
}
