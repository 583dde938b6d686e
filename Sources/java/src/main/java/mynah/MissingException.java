package mynah;

import java.util.NoSuchElementException;

/** What was asked for is not there, or is not the only one. */
public final class MissingException extends NoSuchElementException {
    private static final long serialVersionUID = 1;

    MissingException(String message) {
        super(message);
    }
}
