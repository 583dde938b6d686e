// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code FaultAction} of the control API. */
public final class FaultAction extends JsonRecord {
    public FaultAction(Map<String, Object> document) {
        super(document);
    }

    /**
     * The member {@code type}, one of {@code pass}, {@code respond}, {@code stall}, {@code lose}, {@code deliverLate},
     * {@code duplicate}, {@code resetStream}, {@code goaway}, {@code settings}, {@code withholdWindow}, {@code
     * ignorePing}, {@code truncate}, {@code malformedFrame}, {@code oversizedFrame}, {@code tls}, {@code close},
     * {@code throttle}, {@code refuse}.
     */
    public String type() {
        return text("type");
    }

    /** The member {@code delay}, or null. */
    @Nullable
    public Object delay() {
        return value("delay");
    }

    /** The member {@code clock}, one of {@code wall}, {@code virtual}, or null. */
    @Nullable
    public Object clock() {
        return value("clock");
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

    /** The member {@code body}, or null. */
    @Nullable
    public String body() {
        return text("body");
    }

    /** The member {@code answerHeaders}, or null. */
    @Nullable
    public Map<String, String> answerHeaders() {
        return collection("answerHeaders");
    }

    /** The member {@code apnsId}, or null. */
    @Nullable
    public String apnsId() {
        return text("apnsId");
    }

    /** The member {@code deliver}, or null. */
    @Nullable
    public Boolean deliver() {
        return flag("deliver");
    }

    /** The member {@code by}, or null. */
    @Nullable
    public Object by() {
        return value("by");
    }

    /** The member {@code times}, or null. */
    @Nullable
    public Long times() {
        return integer("times");
    }

    /**
     * The member {@code code}, one of {@code NO_ERROR}, {@code PROTOCOL_ERROR}, {@code INTERNAL_ERROR}, {@code
     * FLOW_CONTROL_ERROR}, {@code SETTINGS_TIMEOUT}, {@code STREAM_CLOSED}, {@code FRAME_SIZE_ERROR}, {@code
     * REFUSED_STREAM}, {@code CANCEL}, {@code COMPRESSION_ERROR}, {@code CONNECT_ERROR}, {@code ENHANCE_YOUR_CALM},
     * {@code INADEQUATE_SECURITY}, {@code HTTP_1_1_REQUIRED}, or null.
     */
    @Nullable
    public Object code() {
        return value("code");
    }

    /**
     * The member {@code when}, one of {@code beforeHeaders}, {@code afterHeaders}, {@code duringHandshake}, {@code
     * afterHandshake}, or null.
     */
    @Nullable
    public Object when() {
        return value("when");
    }

    /** The member {@code debug}, or null. */
    @Nullable
    public String debug() {
        return text("debug");
    }

    /** The member {@code lastStreamId}, one of {@code processed}, {@code lower}, or null. */
    @Nullable
    public Object lastStreamId() {
        return value("lastStreamId");
    }

    /** The member {@code twoStep}, or null. */
    @Nullable
    public Boolean twoStep() {
        return flag("twoStep");
    }

    /** The member {@code frames}, or null. */
    @Nullable
    public Long frames() {
        return integer("frames");
    }

    /** The member {@code close}, one of {@code afterStreams}, {@code now}, {@code never}, or null. */
    @Nullable
    public Object close() {
        return value("close");
    }

    /** The member {@code afterPushes}, or null. */
    @Nullable
    public Long afterPushes() {
        return integer("afterPushes");
    }

    /** The member {@code maxConcurrentStreams}, or null. */
    @Nullable
    public Long maxConcurrentStreams() {
        return integer("maxConcurrentStreams");
    }

    /** The member {@code initialWindowSize}, or null. */
    @Nullable
    public Long initialWindowSize() {
        return integer("initialWindowSize");
    }

    /** The member {@code headerTableSize}, or null. */
    @Nullable
    public Long headerTableSize() {
        return integer("headerTableSize");
    }

    /** The member {@code maxFrameSize}, or null. */
    @Nullable
    public Long maxFrameSize() {
        return integer("maxFrameSize");
    }

    /** The member {@code withhold}, or null. */
    @Nullable
    public Boolean withhold() {
        return flag("withhold");
    }

    /**
     * The member {@code alert}, one of {@code close_notify}, {@code unexpected_message}, {@code bad_record_mac},
     * {@code record_overflow}, {@code handshake_failure}, {@code bad_certificate}, {@code unsupported_certificate},
     * {@code certificate_revoked}, {@code certificate_expired}, {@code certificate_unknown}, {@code
     * illegal_parameter}, {@code unknown_ca}, {@code access_denied}, {@code decode_error}, {@code decrypt_error},
     * {@code protocol_version}, {@code insufficient_security}, {@code internal_error}, {@code inappropriate_fallback},
     * {@code user_canceled}, {@code missing_extension}, {@code unsupported_extension}, {@code unrecognized_name},
     * {@code bad_certificate_status_response}, {@code unknown_psk_identity}, {@code certificate_required}, {@code
     * no_application_protocol}, or null.
     */
    @Nullable
    public Object alert() {
        return value("alert");
    }

    /** The member {@code certificate}, one of {@code expired}, {@code wrongHost}, {@code untrusted}, or null. */
    @Nullable
    public Object certificate() {
        return value("certificate");
    }

    /** The member {@code stall}, or null. */
    @Nullable
    public Boolean stall() {
        return flag("stall");
    }

    /** The member {@code slow}, or null. */
    @Nullable
    public Object slow() {
        return value("slow");
    }

    /** The member {@code how}, one of {@code fin}, {@code rst}, {@code halfOpen}, or null. */
    @Nullable
    public Object how() {
        return value("how");
    }

    /** The member {@code afterBytes}, or null. */
    @Nullable
    public Long afterBytes() {
        return integer("afterBytes");
    }

    /** The member {@code afterIdle}, or null. */
    @Nullable
    public Object afterIdle() {
        return value("afterIdle");
    }

    /** The member {@code bytesPerSecond}, or null. */
    @Nullable
    public Long bytesPerSecond() {
        return integer("bytesPerSecond");
    }

    /** The member {@code chunk}, or null. */
    @Nullable
    public Long chunk() {
        return integer("chunk");
    }
}
