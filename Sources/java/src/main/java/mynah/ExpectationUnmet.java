package mynah;

/** An unmet expectation; the message shows the nearest pushes. */
public final class ExpectationUnmet extends UnmetError {
    private static final long serialVersionUID = 1;

    private final transient ExpectationResult result;

    ExpectationUnmet(ExpectationResult result) {
        super(result.toString());
        this.result = result;
    }

    /** The result, with all that the message says. */
    public ExpectationResult result() {
        return result;
    }
}
