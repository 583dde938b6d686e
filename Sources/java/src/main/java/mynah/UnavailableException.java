package mynah;

/** No control API answers at the address, or not one that this package knows. */
public final class UnavailableException extends MynahException {
    private static final long serialVersionUID = 1;

    UnavailableException(String message) {
        super(message);
    }

    UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
