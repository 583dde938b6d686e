package mynah;

/** What a test awaited did not happen in time; test frameworks report a failed assertion. */
public class UnmetError extends AssertionError {
    private static final long serialVersionUID = 1;

    UnmetError(String message) {
        super(message);
    }
}
