package mynah;

import java.util.Map;
import java.util.logging.Logger;

/** The variables of {@code mynah exec}. */
final class Environment {
    private static final int PORT_MAX = 65_535;

    private final Map<String, String> variables;

    Environment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** A variable; null if it is not there or empty. */
    @Nullable
    String text(String name) {
        // Docker leaves the CR of a file of variables with Windows' line ends.
        String value = variables.getOrDefault(name, "").trim();
        return value.isEmpty() ? null : value;
    }

    String url() {
        String url = text("MYNAH_URL");
        if (url == null) {
            String hint = "expected the URL of a control API, as `mynah exec` sets it";
            throw new MynahException("MYNAH_URL is not set: " + hint);
        }
        return url;
    }

    /** The port for pushes; null if it is not there. */
    @Nullable
    Integer port() {
        String port = text("MYNAH_APNS_PORT");
        if (port == null) {
            return null;
        }
        if (port.contains("://")) {
            String why = ", which Kubernetes or a container link set for a service";
            Logger.getLogger("mynah").warning("ignored MYNAH_APNS_PORT=" + port + why);
            return null;
        }
        try {
            int number = Integer.parseInt(port);
            if (number > 0 && number <= PORT_MAX) {
                return number;
            }
        } catch (NumberFormatException error) {
            // What follows says what a port is.
        }
        throw new MynahException("invalid MYNAH_APNS_PORT=" + port + ": expected a port from 1 to " + PORT_MAX);
    }
}
