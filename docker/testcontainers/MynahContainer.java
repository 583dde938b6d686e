import java.time.Duration;
import mynah.ControlApi;
import mynah.MynahServer;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * Mynah in a container for tests in Java, with Mynah's package for Java (Sources/java).
 *
 * <pre>{@code
 * try (MynahContainer container = new MynahContainer("mynah")) {
 *     container.start();
 *     try (MynahServer server = container.server(); Mynah mynah = server.openScope("news")) {
 *         // …
 *         mynah.expect(it -> it.topic("com.example.app"));
 *     }
 * }
 * }</pre>
 */
public class MynahContainer extends GenericContainer<MynahContainer> {
    private static final int APNS_PORT = 2197;
    private static final int CONTROL_PORT = 8197;

    public MynahContainer(String image) {
        super(DockerImageName.parse(image));
        withExposedPorts(APNS_PORT, CONTROL_PORT);
        // 503 until the fixtures are loaded.
        waitingFor(Wait.forHttp("/readyz").forPort(CONTROL_PORT).withStartupTimeout(Duration.ofSeconds(30)));
    }

    /** The server, once the container has started. */
    public MynahServer server() {
        String url = "http://" + getHost() + ":" + getMappedPort(CONTROL_PORT);
        return MynahServer.connect(new ControlApi(url), getHost(), getMappedPort(APNS_PORT));
    }
}
