// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import mynah.model.AddedKey;
import mynah.model.Channel;
import mynah.model.ClosedConnection;
import mynah.model.Connection;
import mynah.model.Credentials;
import mynah.model.FailedHandshake;
import mynah.model.Fixtures;
import mynah.model.Fleet;
import mynah.model.Index;
import mynah.model.IssuedCertificate;
import mynah.model.MagicToken;
import mynah.model.Scenario;
import mynah.model.ScopeUse;
import mynah.model.Status;
import mynah.options.CertificateSettings;
import mynah.options.CertificatesOptions;
import mynah.options.ChannelSettings;
import mynah.options.CloseConnectionOptions;
import mynah.options.ClosedConnectionsOptions;
import mynah.options.ConnectionsOptions;
import mynah.options.FailedHandshakesOptions;
import mynah.options.FixturesOptions;
import mynah.options.FleetsOptions;
import mynah.options.KeySettings;
import mynah.options.KeysOptions;
import mynah.options.MagicTokensOptions;
import mynah.options.RemoveScenarioOptions;
import mynah.options.RemoveScenariosOptions;
import mynah.options.ResetSettings;
import mynah.options.ScenarioOptions;
import mynah.options.ScenariosOptions;
import mynah.options.ScopesOptions;

/** The calls of {@link MynahServer} that are one request each. */
public abstract class MynahServerCalls {
    static final long LIST_MAX = 1000;

    final ControlApi control;

    MynahServerCalls(ControlApi control) {
        this.control = control;
    }

    /** What it is and does: version, ports, clock, counts. */
    public Status status() {
        Call call = new Call(control, "GET", "/v1/status");
        return new Status(call.object());
    }

    /** Its counters, in Prometheus's text format. */
    public String metrics() {
        Call call = new Call(control, "GET", "/metrics");
        return call.text();
    }

    /** The OpenAPI document of the control API. */
    public Map<String, Object> openapi() {
        Call call = new Call(control, "GET", "/openapi.json");
        return call.object();
    }

    /** The paths of the control API. */
    public Index index() {
        Call call = new Call(control, "GET", "/v1/");
        return new Index(call.object());
    }

    /** What is there now, or in a {@code scope}, as a document for {@code mynah serve --fixtures}. */
    public Fixtures fixtures(UnaryOperator<FixturesOptions> options) {
        Call call = new Call(control, "GET", "/v1/fixtures")
            .with(options.apply(new FixturesOptions()));
        return new Fixtures(call.object());
    }

    /** What is there now, or in a {@code scope}, as a document for {@code mynah serve --fixtures}. */
    public Fixtures fixtures() {
        return fixtures(options -> options);
    }

    /** The CA, and the development key with its ids. */
    public Credentials credentials() {
        Call call = new Call(control, "GET", "/v1/credentials");
        return new Credentials(call.object());
    }

    /** The CA, PEM. */
    public String certificateAuthority() {
        Call call = new Call(control, "GET", "/ca.pem");
        return call.text();
    }

    /**
     * Returns to the state of the start, of everything or of some kinds ({@code only}), or of a {@code scope}; gives
     * how many of each kind were removed.
     */
    public Map<String, Long> reset(UnaryOperator<ResetSettings> options) {
        Call call = new Call(control, "POST", "/v1/reset")
            .with(options.apply(new ResetSettings()));
        return call.counts("removed");
    }

    /**
     * Returns to the state of the start, of everything or of some kinds ({@code only}), or of a {@code scope}; gives
     * how many of each kind were removed.
     */
    public Map<String, Long> reset() {
        return reset(options -> options);
    }

    /** The scopes in use. */
    public Page<ScopeUse> scopes(UnaryOperator<ScopesOptions> options) {
        Call call = new Call(control, "GET", "/v1/scopes")
            .with(options.apply(new ScopesOptions()));
        return Page.of(call.object(), ScopeUse::new);
    }

    /** The scopes in use. */
    public Page<ScopeUse> scopes() {
        return scopes(options -> options);
    }

    /** The fleets of devices, of all scopes. */
    public Page<Fleet> fleets(UnaryOperator<FleetsOptions> options) {
        Call call = new Call(control, "GET", "/v1/fleets")
            .with(options.apply(new FleetsOptions()));
        return Page.of(call.object(), Fleet::new);
    }

    /** The fleets of devices, of all scopes. */
    public Page<Fleet> fleets() {
        return fleets(options -> options);
    }

    /** Creates a broadcast channel, as a provider does, but with an {@code id} of one's choice if that is given. */
    public Channel createChannel(String bundleId, UnaryOperator<ChannelSettings> options) {
        Call call = new Call(control, "POST", "/v1/channels")
            .member("bundleId", bundleId)
            .with(options.apply(new ChannelSettings()));
        return new Channel(call.object());
    }

    /** Creates a broadcast channel, as a provider does, but with an {@code id} of one's choice if that is given. */
    public Channel createChannel(String bundleId) {
        return createChannel(bundleId, options -> options);
    }

    /** One broadcast channel. */
    public Channel channel(String id) {
        Call call = new Call(control, "GET", "/v1/channels/", id);
        return new Channel(call.object());
    }

    /** Deletes a broadcast channel: a broadcast to it is ChannelNotRegistered from then on. */
    public Channel deleteChannel(String id) {
        Call call = new Call(control, "DELETE", "/v1/channels/", id);
        return new Channel(call.object());
    }

    /** Deletes all broadcast channels; gives how many. */
    public long deleteChannels() {
        Call call = new Call(control, "DELETE", "/v1/channels");
        return call.counts("removed").get("channels");
    }

    /** The keys of provider tokens that the server accepts, and those that were revoked. */
    public Page<AddedKey> keys(UnaryOperator<KeysOptions> options) {
        Call call = new Call(control, "GET", "/v1/keys")
            .with(options.apply(new KeysOptions()));
        return Page.of(call.object(), AddedKey::new);
    }

    /** The keys of provider tokens that the server accepts, and those that were revoked. */
    public Page<AddedKey> keys() {
        return keys(options -> options);
    }

    /** One key. */
    public AddedKey key(String keyId) {
        Call call = new Call(control, "GET", "/v1/keys/", keyId);
        return new AddedKey(call.object());
    }

    /**
     * Adds a key; without a {@code publicKey} or {@code privateKey}, a new one, whose {@code privateKey} is in the
     * answer.
     */
    public AddedKey addKey(UnaryOperator<KeySettings> options) {
        Call call = new Call(control, "POST", "/v1/keys")
            .with(options.apply(new KeySettings()));
        return new AddedKey(call.object());
    }

    /**
     * Adds a key; without a {@code publicKey} or {@code privateKey}, a new one, whose {@code privateKey} is in the
     * answer.
     */
    public AddedKey addKey() {
        return addKey(options -> options);
    }

    /** Adds a key with this id, or replaces the one that has it. */
    public AddedKey putKey(String keyId, UnaryOperator<KeySettings> options) {
        Call call = new Call(control, "PUT", "/v1/keys/", keyId)
            .with(options.apply(new KeySettings()));
        return new AddedKey(call.object());
    }

    /** Adds a key with this id, or replaces the one that has it. */
    public AddedKey putKey(String keyId) {
        return putKey(keyId, options -> options);
    }

    /** Revokes a key: its tokens are InvalidProviderToken from then on. */
    public AddedKey revokeKey(String keyId) {
        Call call = new Call(control, "DELETE", "/v1/keys/", keyId);
        return new AddedKey(call.object());
    }

    /** The provider certificates that the server issued. */
    public Page<IssuedCertificate> certificates(UnaryOperator<CertificatesOptions> options) {
        Call call = new Call(control, "GET", "/v1/certificates")
            .with(options.apply(new CertificatesOptions()));
        return Page.of(call.object(), IssuedCertificate::new);
    }

    /** The provider certificates that the server issued. */
    public Page<IssuedCertificate> certificates() {
        return certificates(options -> options);
    }

    /** One provider certificate. */
    public IssuedCertificate certificate(String serialNumber) {
        Call call = new Call(control, "GET", "/v1/certificates/", serialNumber);
        return new IssuedCertificate(call.object());
    }

    /** Issues a provider certificate for topics, with its private key. */
    public IssuedCertificate issueCertificate(Collection<String> topics, UnaryOperator<CertificateSettings> options) {
        Call call = new Call(control, "POST", "/v1/certificates")
            .member("topics", topics)
            .with(options.apply(new CertificateSettings()));
        return new IssuedCertificate(call.object());
    }

    /** Issues a provider certificate for topics, with its private key. */
    public IssuedCertificate issueCertificate(Collection<String> topics) {
        return issueCertificate(topics, options -> options);
    }

    /** Issues a provider certificate for topics, with its private key. */
    public IssuedCertificate issueCertificate(String topics, UnaryOperator<CertificateSettings> options) {
        return issueCertificate(List.of(topics), options);
    }

    /** Issues a provider certificate for topics, with its private key. */
    public IssuedCertificate issueCertificate(String topics) {
        return issueCertificate(List.of(topics), options -> options);
    }

    /** Revokes a provider certificate: a handshake with it fails from then on. */
    public IssuedCertificate revokeCertificate(String serialNumber) {
        Call call = new Call(control, "DELETE", "/v1/certificates/", serialNumber);
        return new IssuedCertificate(call.object());
    }

    /**
     * The open connections of providers by filters; with {@code wait}, once {@code count} match or with {@code
     * timedOut}.
     */
    public Page<Connection> connections(UnaryOperator<ConnectionsOptions> options) {
        Call call = new Call(control, "GET", "/v1/connections")
            .with(options.apply(new ConnectionsOptions().limit(LIST_MAX)));
        return Page.of(call.object(), Connection::new);
    }

    /**
     * The open connections of providers by filters; with {@code wait}, once {@code count} match or with {@code
     * timedOut}.
     */
    public Page<Connection> connections() {
        return connections(options -> options);
    }

    /** One open connection, by the number that pushes have as {@code connection}. */
    public Connection connection(long id) {
        Call call = new Call(control, "GET", "/v1/connections/", id);
        return new Connection(call.object());
    }

    /** Closes a connection with GOAWAY, or with {@code abort} resets it. */
    public void closeConnection(long connection, UnaryOperator<CloseConnectionOptions> options) {
        new Call(control, "DELETE", "/v1/connections/", connection)
            .with(options.apply(new CloseConnectionOptions()))
            .send();
    }

    /** Closes a connection with GOAWAY, or with {@code abort} resets it. */
    public void closeConnection(long connection) {
        closeConnection(connection, options -> options);
    }

    /** Closes a connection with GOAWAY, or with {@code abort} resets it. */
    public void closeConnection(Connection connection, UnaryOperator<CloseConnectionOptions> options) {
        closeConnection(connection.id(), options);
    }

    /** Closes a connection with GOAWAY, or with {@code abort} resets it. */
    public void closeConnection(Connection connection) {
        closeConnection(connection.id(), options -> options);
    }

    /** The newest connections that ended before their first request, and why. */
    public Page<FailedHandshake> failedHandshakes(UnaryOperator<FailedHandshakesOptions> options) {
        Call call = new Call(control, "GET", "/v1/failed-handshakes")
            .with(options.apply(new FailedHandshakesOptions()));
        return Page.of(call.object(), FailedHandshake::new);
    }

    /** The newest connections that ended before their first request, and why. */
    public Page<FailedHandshake> failedHandshakes() {
        return failedHandshakes(options -> options);
    }

    /** The latest connections of providers that have closed. */
    public Page<ClosedConnection> closedConnections(UnaryOperator<ClosedConnectionsOptions> options) {
        Call call = new Call(control, "GET", "/v1/closed-connections")
            .with(options.apply(new ClosedConnectionsOptions()));
        return Page.of(call.object(), ClosedConnection::new);
    }

    /** The latest connections of providers that have closed. */
    public Page<ClosedConnection> closedConnections() {
        return closedConnections(options -> options);
    }

    /**
     * The scenarios that run, all or those of a {@code scope}, or with {@code shipped} those that are part of the
     * program.
     */
    public Page<Scenario> scenarios(UnaryOperator<ScenariosOptions> options) {
        Call call = new Call(control, "GET", "/v1/scenarios")
            .with(options.apply(new ScenariosOptions()));
        return Page.of(call.object(), Scenario::new);
    }

    /**
     * The scenarios that run, all or those of a {@code scope}, or with {@code shipped} those that are part of the
     * program.
     */
    public Page<Scenario> scenarios() {
        return scenarios(options -> options);
    }

    /** A scenario that runs, for the whole server or in a {@code scope}. */
    public Scenario scenario(String name, UnaryOperator<ScenarioOptions> options) {
        Call call = new Call(control, "GET", "/v1/scenarios/", name)
            .with(options.apply(new ScenarioOptions()));
        return new Scenario(call.object());
    }

    /** A scenario that runs, for the whole server or in a {@code scope}. */
    public Scenario scenario(String name) {
        return scenario(name, options -> options);
    }

    /** Ends a scenario, and removes its rules; gives how many of each kind. */
    public Map<String, Long> removeScenario(String name, UnaryOperator<RemoveScenarioOptions> options) {
        Call call = new Call(control, "DELETE", "/v1/scenarios/", name)
            .with(options.apply(new RemoveScenarioOptions()));
        return call.counts("removed");
    }

    /** Ends a scenario, and removes its rules; gives how many of each kind. */
    public Map<String, Long> removeScenario(String name) {
        return removeScenario(name, options -> options);
    }

    /** Ends all scenarios, or those of a {@code scope}, and removes their rules; gives how many of each kind. */
    public Map<String, Long> removeScenarios(UnaryOperator<RemoveScenariosOptions> options) {
        Call call = new Call(control, "DELETE", "/v1/scenarios")
            .with(options.apply(new RemoveScenariosOptions()));
        return call.counts("removed");
    }

    /** Ends all scenarios, or those of a {@code scope}, and removes their rules; gives how many of each kind. */
    public Map<String, Long> removeScenarios() {
        return removeScenarios(options -> options);
    }

    /** The device tokens and channels that are always answered the same. */
    public Page<MagicToken> magicTokens(UnaryOperator<MagicTokensOptions> options) {
        Call call = new Call(control, "GET", "/v1/magic-tokens")
            .with(options.apply(new MagicTokensOptions()));
        return Page.of(call.object(), MagicToken::new);
    }

    /** The device tokens and channels that are always answered the same. */
    public Page<MagicToken> magicTokens() {
        return magicTokens(options -> options);
    }
}
