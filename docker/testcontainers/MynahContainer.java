import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * Mynah in a container for tests in Java.
 *
 * <pre>{@code
 * try (MynahContainer mynah = new MynahContainer("mynah")) {
 *     mynah.start();
 *     ApnsClient client = new ApnsClientBuilder()
 *             .setApnsServer(mynah.getHost(), mynah.getApnsPort())
 *             .setTrustedServerCertificateChain(new ByteArrayInputStream(mynah.getCa().getBytes(US_ASCII)))
 *             .setSigningKey(ApnsSigningKey.loadFromInputStream(
 *                     new ByteArrayInputStream(mynah.getKey().getBytes(US_ASCII)),
 *                     mynah.getTeamId(), mynah.getKeyId()))
 *             .build();
 *     // …
 *     String answer = mynah.post("/v1/expectations", "{\"match\": {\"topic\": \"com.example.app\"}}");
 *     assertTrue(answer.contains("\"met\":true"), answer);
 * }
 * }</pre>
 */
public class MynahContainer extends GenericContainer<MynahContainer> {
    private static final int APNS_PORT = 2197;
    private static final int CONTROL_PORT = 8197;

    // The control API speaks HTTP/1.1; requesting another version costs a header in each call.
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public MynahContainer(String image) {
        super(DockerImageName.parse(image));
        withExposedPorts(APNS_PORT, CONTROL_PORT);
        // 503 until the fixtures are loaded.
        waitingFor(Wait.forHttp("/readyz").forPort(CONTROL_PORT).withStartupTimeout(Duration.ofSeconds(30)));
    }

    /** Where pushes go, beside {@link #getHost()}. */
    public int getApnsPort() {
        return getMappedPort(APNS_PORT);
    }

    /** The control API. */
    public String getControlUrl() {
        return "http://" + getHost() + ":" + getMappedPort(CONTROL_PORT);
    }

    /** The certificate to trust, PEM. */
    public String getCa() throws IOException, InterruptedException {
        return get("/ca.pem");
    }

    /** The development key that signs provider tokens, PKCS #8 in PEM. */
    public String getKey() throws IOException, InterruptedException {
        return credential("key");
    }

    /** The key's id. */
    public String getKeyId() throws IOException, InterruptedException {
        return credential("keyId");
    }

    /** The key's team. */
    public String getTeamId() throws IOException, InterruptedException {
        return credential("teamId");
    }

    /** The answer to a GET of the control API. */
    public String get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(getControlUrl() + path)).GET().build());
    }

    /** The answer to a POST of JSON to the control API. */
    public String post(String path, String json) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(getControlUrl() + path))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    // Of PEM and ids, JSON escapes only line ends.
    private String credential(String name) throws IOException, InterruptedException {
        String credentials = get("/v1/credentials");
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(credentials);
        if (!found.find()) {
            throw new IOException("Mynah hands out no " + name + ", since its keys are its user's own");
        }
        return found.group(1).replace("\\n", "\n");
    }

    private String send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw new IOException(request.method() + " " + request.uri() + ": " + response.body());
        }
        return response.body();
    }
}
