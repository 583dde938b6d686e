// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.List;
import java.util.Map;
import mynah.Nullable;

/** {@code Category} of the control API. */
public final class Category extends JsonRecord {
    public Category(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}. */
    public String id() {
        return text("id");
    }

    /** The member {@code actions}, or null. */
    @Nullable
    public List<CategoryActions> actions() {
        return objects("actions", CategoryActions::new);
    }

    /** The member {@code customDismiss}, or null. */
    @Nullable
    public Boolean customDismiss() {
        return flag("customDismiss");
    }

    /** The member {@code summaryFormat}, or null. */
    @Nullable
    public String summaryFormat() {
        return text("summaryFormat");
    }

    /** The member {@code hiddenPreviewsBodyPlaceholder}, or null. */
    @Nullable
    public String hiddenPreviewsBodyPlaceholder() {
        return text("hiddenPreviewsBodyPlaceholder");
    }
}
