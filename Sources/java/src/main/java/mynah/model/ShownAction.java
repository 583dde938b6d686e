// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.util.Map;
import mynah.Nullable;

/** {@code ShownAction} of the control API. */
public final class ShownAction extends JsonRecord {
    public ShownAction(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code id}. */
    public String id() {
        return text("id");
    }

    /** The member {@code title}. */
    public String title() {
        return text("title");
    }

    /** The member {@code destructive}. */
    public boolean destructive() {
        return flag("destructive");
    }

    /** The member {@code foreground}. */
    public boolean foreground() {
        return flag("foreground");
    }

    /** The member {@code authenticationRequired}. */
    public boolean authenticationRequired() {
        return flag("authenticationRequired");
    }

    /** The member {@code textInput}. */
    public boolean textInput() {
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
