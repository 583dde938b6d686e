// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code CategoryActions} of the control API. */
public final class CategoryActions extends JsonRecord {
    public CategoryActions(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}. */
    public String id() {
        return text("id");
    }

    /** The member {@code title}, or null. */
    @Nullable
    public String title() {
        return text("title");
    }

    /** The member {@code destructive}, or null. */
    @Nullable
    public Boolean destructive() {
        return flag("destructive");
    }

    /** The member {@code foreground}, or null. */
    @Nullable
    public Boolean foreground() {
        return flag("foreground");
    }

    /** The member {@code authenticationRequired}, or null. */
    @Nullable
    public Boolean authenticationRequired() {
        return flag("authenticationRequired");
    }

    /** The member {@code textInput}, or null. */
    @Nullable
    public Boolean textInput() {
        return flag("textInput");
    }

    /** The member {@code textInputButtonTitle}, or null. */
    @Nullable
    public String textInputButtonTitle() {
        return text("textInputButtonTitle");
    }

    /** The member {@code textInputPlaceholder}, or null. */
    @Nullable
    public String textInputPlaceholder() {
        return text("textInputPlaceholder");
    }
}
