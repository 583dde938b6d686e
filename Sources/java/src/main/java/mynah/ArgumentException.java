package mynah;

/** A call with a wrong argument, which was not sent. */
public final class ArgumentException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public ArgumentException(String message) {
        super(message);
    }
}
