// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.util.Map;

/** What {@code certificates} may be given. */
public final class CertificatesOptions extends Options<CertificatesOptions> {
    /** None of them. */
    public CertificatesOptions() {}

    private CertificatesOptions(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected CertificatesOptions copy(Map<String, Map<String, Object>> groups) {
        return new CertificatesOptions(groups);
    }

    /** {@code order}: {@code asc}, {@code desc}. */
    public CertificatesOptions order(String order) {
        return with("query", "order", order);
    }

    /** {@code limit}. */
    public CertificatesOptions limit(long limit) {
        return with("query", "limit", limit);
    }

    /** {@code cursor}. */
    public CertificatesOptions cursor(String cursor) {
        return with("query", "cursor", cursor);
    }
}
