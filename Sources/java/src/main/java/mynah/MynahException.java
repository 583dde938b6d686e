package mynah;

/** The server did not start, does not answer, or refused a call. */
public class MynahException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MynahException(String message) {
        super(message);
    }

    MynahException(String message, Throwable cause) {
        super(message, cause);
    }
}
