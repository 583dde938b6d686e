// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.model.JsonRecord;
import mynah.model.NotificationTimeline;
import mynah.model.NotificationWebPush;

/** The members of a {@link Notification}. */
public abstract class NotificationMembers extends JsonRecord {
    NotificationMembers(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code sequence}. */
    public long sequence() {
        return integer("sequence");
    }

    /** The member {@code apnsId}. */
    public String apnsId() {
        return text("apnsId");
    }

    /** The member {@code kind}, one of {@code push}, {@code broadcast}, {@code webPush}. */
    public String kind() {
        return text("kind");
    }

    /** The member {@code attempt}. */
    public long attempt() {
        return integer("attempt");
    }

    /** The member {@code repeats}, or null. */
    @Nullable
    public Long repeats() {
        return integer("repeats");
    }

    /** The member {@code uniqueId}, or null. */
    @Nullable
    public String uniqueId() {
        return text("uniqueId");
    }

    /** The member {@code receivedAt}. */
    public Instant receivedAt() {
        return time("receivedAt");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}. */
    public String environment() {
        return text("environment");
    }

    /** The member {@code connection}. */
    public long connection() {
        return integer("connection");
    }

    /** The member {@code stream}. */
    public long stream() {
        return integer("stream");
    }

    /** The member {@code credential}, or null. */
    @Nullable
    public Object credential() {
        return value("credential");
    }

    /** The member {@code token}, or null. */
    @Nullable
    public String token() {
        return text("token");
    }

    /** The member {@code device}, or null. */
    @Nullable
    public String device() {
        return text("device");
    }

    /** The member {@code scope}, or null. */
    @Nullable
    public String scope() {
        return text("scope");
    }

    /** The member {@code topic}, or null. */
    @Nullable
    public String topic() {
        return text("topic");
    }

    /** The member {@code channel}, or null. */
    @Nullable
    public String channel() {
        return text("channel");
    }

    /** The member {@code devices}, or null. */
    @Nullable
    public Long devices() {
        return integer("devices");
    }

    /** The member {@code pushType}, or null. */
    @Nullable
    public String pushType() {
        return text("pushType");
    }

    /** The member {@code priority}, or null. */
    @Nullable
    public Long priority() {
        return integer("priority");
    }

    /** The member {@code expiration}, or null. */
    @Nullable
    public Object expiration() {
        return value("expiration");
    }

    /** The member {@code collapseId}, or null. */
    @Nullable
    public String collapseId() {
        return text("collapseId");
    }

    /** The member {@code method}, or null. */
    @Nullable
    public String method() {
        return text("method");
    }

    /** The member {@code path}, or null. */
    @Nullable
    public String path() {
        return text("path");
    }

    /** The member {@code headers}. */
    public List<List<String>> headers() {
        return collection("headers");
    }

    /** The member {@code payload}, or null. */
    @Nullable
    public Object payload() {
        return value("payload");
    }

    /** The member {@code payloadBase64}, or null. */
    @Nullable
    public String payloadBase64() {
        return text("payloadBase64");
    }

    /** The member {@code webPush}, or null. */
    @Nullable
    public NotificationWebPush webPush() {
        return object("webPush", NotificationWebPush::new);
    }

    /** The member {@code payloadSize}. */
    public long payloadSize() {
        return integer("payloadSize");
    }

    /** The member {@code warnings}. */
    public List<String> warnings() {
        return collection("warnings");
    }

    /** The member {@code status}, or null. */
    @Nullable
    public Long status() {
        return integer("status");
    }

    /** The member {@code reason}, or null. */
    @Nullable
    public String reason() {
        return text("reason");
    }

    /** The member {@code timestamp}, or null. */
    @Nullable
    public Long timestamp() {
        return integer("timestamp");
    }

    /** The member {@code fault}, or null. */
    @Nullable
    public String fault() {
        return text("fault");
    }

    /**
     * The member {@code outcome}, one of {@code pending}, {@code stored}, {@code deferred}, {@code delivered}, {@code
     * coalesced}, {@code discarded}, {@code expired}, {@code refused}, {@code lost}, {@code unanswered}.
     */
    public String outcome() {
        return text("outcome");
    }

    /** The member {@code shown}. */
    public boolean shown() {
        return flag("shown");
    }

    /** The member {@code sounded}. */
    public boolean sounded() {
        return flag("sounded");
    }

    /** The member {@code timeline}. */
    public List<NotificationTimeline> timeline() {
        return objects("timeline", NotificationTimeline::new);
    }
}
