// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;

/** {@code CertificateTopics} of the control API. */
public final class CertificateTopics extends JsonRecord {
    public CertificateTopics(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code kind}. */
    public String kind() {
        return text("kind");
    }
}
