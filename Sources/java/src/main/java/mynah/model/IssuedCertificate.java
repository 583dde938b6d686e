// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code IssuedCertificate} of the control API. */
public final class IssuedCertificate extends JsonRecord {
    public IssuedCertificate(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code serialNumber}. */
    public String serialNumber() {
        return text("serialNumber");
    }

    /** The member {@code subject}. */
    public String subject() {
        return text("subject");
    }

    /** The member {@code topics}. */
    public List<CertificateTopics> topics() {
        return objects("topics", CertificateTopics::new);
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}, {@code both}. */
    public String environment() {
        return text("environment");
    }

    /** The member {@code notBefore}. */
    public Instant notBefore() {
        return time("notBefore");
    }

    /** The member {@code notAfter}. */
    public Instant notAfter() {
        return time("notAfter");
    }

    /** The member {@code issuedAt}. */
    public Instant issuedAt() {
        return time("issuedAt");
    }

    /** The member {@code revokedAt}, or null. */
    @Nullable
    public Instant revokedAt() {
        return time("revokedAt");
    }

    /** The member {@code certificate}. */
    public String certificate() {
        return text("certificate");
    }

    /** The member {@code authority}. */
    public String authority() {
        return text("authority");
    }

    /** The member {@code privateKey}, or null. */
    @Nullable
    public String privateKey() {
        return text("privateKey");
    }

    /** The member {@code pkcs12}, or null. */
    @Nullable
    public Object pkcs12() {
        return value("pkcs12");
    }

    /** The member {@code password}, or null. */
    @Nullable
    public String password() {
        return text("password");
    }
}
