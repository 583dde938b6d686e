// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code ChannelSpecification} of the control API. */
public final class ChannelSpecification extends JsonRecord {
    public ChannelSpecification(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}, or null. */
    @Nullable
    public String id() {
        return text("id");
    }

    /** The member {@code bundleId}. */
    public String bundleId() {
        return text("bundleId");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}, or null. */
    @Nullable
    public Object environment() {
        return value("environment");
    }

    /** The member {@code messageStoragePolicy}, or null. */
    @Nullable
    public Long messageStoragePolicy() {
        return integer("messageStoragePolicy");
    }
}
