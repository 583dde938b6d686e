package mynah;

/** A server did not start; the message has its output. */
public final class StartException extends MynahException {
    private static final long serialVersionUID = 1;

    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
