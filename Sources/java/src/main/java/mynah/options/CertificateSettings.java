// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;
import mynah.Nullable;

/** What {@code issueCertificate} may be given. */
public final class CertificateSettings extends Options<CertificateSettings> {
    /** None of them. */
    public CertificateSettings() {}

    private CertificateSettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected CertificateSettings copy(Map<String, Map<String, Object>> groups) {
        return new CertificateSettings(groups);
    }

    /** {@code voip}. Null clears it, or is the same as leaving it out. */
    public CertificateSettings voip(@Nullable Boolean voip) {
        return with("body", "voip", voip);
    }

    /** {@code complication}. Null clears it, or is the same as leaving it out. */
    public CertificateSettings complication(@Nullable Boolean complication) {
        return with("body", "complication", complication);
    }

    /**
     * {@code environment}: {@code sandbox}, {@code production}, {@code both}. Null clears it, or is the same as
     * leaving it out.
     */
    public CertificateSettings environment(@Nullable Object environment) {
        return with("body", "environment", environment);
    }

    /** {@code days}. Null clears it, or is the same as leaving it out. */
    public CertificateSettings days(@Nullable Number days) {
        return with("body", "days", days);
    }

    /** {@code expired}. Null clears it, or is the same as leaving it out. */
    public CertificateSettings expired(@Nullable Boolean expired) {
        return with("body", "expired", expired);
    }

    /** {@code keyType}: {@code rsa}, {@code ec}. Null clears it, or is the same as leaving it out. */
    public CertificateSettings keyType(@Nullable Object keyType) {
        return with("body", "keyType", keyType);
    }

    /** {@code password}. Null clears it, or is the same as leaving it out. */
    public CertificateSettings password(@Nullable String password) {
        return with("body", "password", password);
    }

    /** {@code csr}. Null clears it, or is the same as leaving it out. */
    public CertificateSettings csr(@Nullable String csr) {
        return with("body", "csr", csr);
    }
}
