package mynah;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import mynah.model.Channel;
import mynah.model.Credentials;
import mynah.model.Scenario;
import mynah.model.Status;
import mynah.options.ChannelsFilter;
import mynah.options.ServerSettings;

/** A server, for the code under test and its tests. */
public final class MynahServer extends MynahServerCalls implements AutoCloseable {
    /**
     * The lifetime of a provider token here: APNs accepts it for an hour, and refuses a new one within 20 minutes
     * (TooManyProviderTokenUpdates).
     */
    private static final long TOKEN_SECONDS = 50 * 60;
    /** The longest name of a scope, and how much of it makes it unique. */
    private static final int SCOPE_CHARACTERS = 64;
    private static final int UNIQUE_CHARACTERS = 12;

    private final String host;
    private final int port;
    private final Credentials credentials;
    @Nullable private final ServerProcess process;
    @Nullable private CredentialFiles files;
    @Nullable private String issued;
    private long issuedAt;

    private MynahServer(
        ControlApi control, @Nullable String host, @Nullable Integer port, @Nullable ServerProcess process
    ) {
        super(control);
        Status status = answeredBy(control);
        this.host = host == null ? control.host() : host;
        this.port = port == null ? Math.toIntExact(status.ports().apns().get(0)) : port;
        this.credentials = credentials();
        this.process = process;
    }

    /**
     * Starts a server on free ports, with the program at {@code MYNAH_BINARY} or on the {@code PATH}.
     *
     * <p>It ends with this process, if it isn't closed before.
     */
    public static MynahServer start() {
        return start(settings -> settings);
    }

    /** The same with the flags of {@code mynah serve}: {@code start(it -> it.devices("strict"))}. */
    public static MynahServer start(UnaryOperator<ServerSettings> settings) {
        ServerProcess process = ServerProcess.start(settings.apply(new ServerSettings()));
        try {
            ControlApi control = new ControlApi(process.url(), process.token());
            return new MynahServer(control, process.host(), process.port(), process);
        } catch (RuntimeException error) {
            process.kill();
            throw error;
        }
    }

    /** A server that was started elsewhere: by {@code mynah exec}, in a container, by hand. */
    public static MynahServer connect(String url) {
        return connect(new ControlApi(url), null, null);
    }

    /**
     * The same, where host and port for pushes differ from the URL's host and the port that the server binds, as a
     * container's published port does.
     */
    public static MynahServer connect(ControlApi control, @Nullable String host, @Nullable Integer port) {
        return new MynahServer(control, host, port, null);
    }

    /** The server at {@code MYNAH_URL}, which {@code mynah exec} sets, with the other variables of it. */
    public static MynahServer connectFromEnvironment() {
        return connectFromEnvironment(System.getenv());
    }

    /** The same with other variables. */
    public static MynahServer connectFromEnvironment(Map<String, String> variables) {
        Environment environment = new Environment(variables);
        ControlApi control = new ControlApi(environment.url(), environment.text("MYNAH_CONTROL_TOKEN"));
        return connect(control, environment.text("MYNAH_APNS_HOST"), environment.port());
    }

    /** The one at {@code MYNAH_URL}, or without that one that is started. */
    public static MynahServer find() {
        boolean isNamed = new Environment(System.getenv()).text("MYNAH_URL") != null;
        return isNamed ? connectFromEnvironment() : start();
    }

    // For the code under test

    ControlApi control() {
        return control;
    }

    /** The URL of the control API. */
    public String url() {
        return control.url();
    }

    /** The control API, for any other call. */
    public ControlApi controlApi() {
        return control;
    }

    /** The host for pushes. */
    public String host() {
        return host;
    }

    /** The port for pushes. */
    public int port() {
        return port;
    }

    /** The URL for pushes: {@code https://localhost:2197}. */
    public String apnsUrl() {
        return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** What trusts the server: {@code HttpClient.newBuilder().sslContext(…)}. */
    public SSLContext sslContext() {
        return Trust.contextOf(ca());
    }

    /** The CA to trust, PEM, for what reads it from a stream. */
    public InputStream caStream() {
        return streamOf(ca());
    }

    /** The CA to trust, PEM. */
    public String ca() {
        return credentials.ca();
    }

    /** A file with the CA. */
    public Path caFile() {
        return files().authority();
    }

    /** The development key that signs provider tokens, PEM; an error if the server uses its user's own keys. */
    public String signingKey() {
        return own(credentials.key());
    }

    /** The same, for what reads it from a stream. */
    public InputStream signingKeyStream() {
        return streamOf(signingKey());
    }

    /** A file with the development key, an {@code AuthKey_<KEYID>.p8}. */
    public Path keyFile() {
        own(credentials.key());
        return files().key();
    }

    /** The id of the development key. */
    public String keyId() {
        return own(credentials.keyId());
    }

    /** The team of the development key. */
    public String teamId() {
        return own(credentials.teamId());
    }

    /**
     * A provider token that the server accepts, for {@code authorization: bearer …}.
     *
     * <p>It stays the same for 50 minutes of the server's clock, as APNs requires.
     */
    public synchronized String providerToken() {
        long now = status().now().getEpochSecond();
        if (issued == null || now < issuedAt || now - issuedAt >= TOKEN_SECONDS) {
            issued = Trust.providerToken(signingKey(), keyId(), teamId(), Instant.ofEpochSecond(now));
            issuedAt = now;
        }
        return issued;
    }

    // The server itself

    /** {@code ready}, by the probe {@code readyz}; a {@link ControlException} with status 503 unless it is. */
    public String probe() {
        return probe("readyz");
    }

    /** {@code starting}, {@code ready} or {@code stopping}, by {@code livez}, {@code healthz} or {@code readyz}. */
    public String probe(String name) {
        return (String) new Call(control, "GET", "/", name).object().get("status");
    }

    /** The server's clock, which all tests share. */
    public Clock clock() {
        return new Clock(control, null);
    }

    /** The server's log; empty for a server that was not started here. */
    public List<String> logLines() {
        return process == null ? List.of() : process.logLines();
    }

    /** The server as one test sees it. */
    public Mynah scope(String name) {
        return new Mynah(this, name);
    }

    /** A scope with a name of its own, which begins with this one: that of a test. */
    public Mynah openScope(String test) {
        String unique = UUID.randomUUID().toString().replace("-", "").substring(0, UNIQUE_CHARACTERS);
        String readable = test.replaceAll("[^A-Za-z0-9._-]+", "-");
        int most = SCOPE_CHARACTERS - UNIQUE_CHARACTERS - 1;
        String name = readable.substring(0, Math.min(readable.length(), most));
        return scope(name.isEmpty() ? unique : name + "-" + unique);
    }

    /** All broadcast channels; those of providers too, in the order of creation. */
    public List<Channel> channels() {
        return channels(options -> options);
    }

    /** The broadcast channels of an app or an environment. */
    public List<Channel> channels(UnaryOperator<ChannelsFilter> options) {
        ChannelsFilter given = options.apply(new ChannelsFilter());
        List<Channel> channels = new ArrayList<>();
        String cursor = null;
        do {
            Call call = new Call(control, "GET", "/v1/channels").with(given).query("limit", LIST_MAX);
            Page<Channel> page = Page.of(call.query("cursor", cursor).object(), Channel::new);
            channels.addAll(page.items());
            cursor = page.nextCursor();
        } while (cursor != null);
        return channels;
    }

    /** Starts a scenario of the program by its name, for the whole server. */
    public Scenario startScenario(String scenario) {
        return startScenario(scenario, null);
    }

    /** The same for a scope. */
    public Scenario startScenario(String scenario, @Nullable String scope) {
        return startScenario(Map.of("name", scenario), scope);
    }

    /** Starts a scenario of one's own, as the API has it, for the whole server or for a scope. */
    public Scenario startScenario(Map<String, ?> scenario, @Nullable String scope) {
        Call call = new Call(control, "POST", "/v1/scenarios");
        scenario.forEach(call::member);
        return new Scenario(call.member("scope", scope).object());
    }

    // The end

    /** Stops the server if it was started here. */
    @Override
    public void close() {
        if (files != null) {
            files.remove();
        }
        if (process != null) {
            process.stop();
        }
    }

    @Override
    public String toString() {
        return "MynahServer at " + url();
    }

    private synchronized CredentialFiles files() {
        if (files == null) {
            files = new CredentialFiles(credentials);
        }
        return files;
    }

    private static String own(@Nullable String value) {
        if (value == null) {
            throw new MynahException("the server uses its user's own keys, which it doesn't hand out");
        }
        return value;
    }

    private static InputStream streamOf(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The status of a server that this package knows. */
    private static Status answeredBy(ControlApi control) {
        Object answer = control.call("GET", "/v1/status");
        if (!(answer instanceof Map) || !"mynah".equals(((Map<?, ?>) answer).get("name"))) {
            throw new UnavailableException("the server at " + control.url() + " is not Mynah");
        }
        @SuppressWarnings("unchecked")
        Status status = new Status((Map<String, Object>) answer);
        String version = status.version();
        if (!release(version).equals(release(Words.VERSION))) {
            String found = "the server at " + control.url() + " is mynah " + version;
            String hint = "install version " + version + " of the package, or start mynah " + Words.VERSION;
            String expected = ": expected " + Words.VERSION + ", as this package; ";
            throw new UnavailableException(found + expected + hint);
        }
        return status;
    }

    /** The part of a version within which the API stays the same. */
    private static String release(String version) {
        return version.replaceFirst("^(\\d+\\.\\d+).*", "$1");
    }
}
