// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.options;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The flags of {@code mynah serve}, and how it is started. */
public final class ServerSettings extends Options<ServerSettings> {
    /** None of them. */
    public ServerSettings() {}

    private ServerSettings(Map<String, Map<String, Object>> groups) {
        super(groups);
    }

    @Override
    protected ServerSettings copy(Map<String, Map<String, Object>> groups) {
        return new ServerSettings(groups);
    }

    /** The program, by default {@code MYNAH_BINARY} or {@code mynah} on the {@code PATH}. */
    public ServerSettings binary(Path binary) {
        return with("own", "binary", binary);
    }

    /** Where the server keeps its keys, by default a folder that is removed at the end. */
    public ServerSettings folder(Path folder) {
        return with("own", "folder", folder);
    }

    /** Variables {@code MYNAH_…} for the server. */
    public ServerSettings variables(Map<String, String> variables) {
        return with("own", "variables", variables);
    }

    /** The flag {@code --host}. */
    public ServerSettings host(String host) {
        return with("flags", "host", host);
    }

    /** The flag {@code --port}. */
    public ServerSettings port(long... port) {
        return with("flags", "port", all(port));
    }

    /** The flag {@code --port}. */
    public ServerSettings port(String... port) {
        return with("flags", "port", all(port));
    }

    /** The flag {@code --channels-port}. */
    public ServerSettings channelsPort(long... channelsPort) {
        return with("flags", "channels-port", all(channelsPort));
    }

    /** The flag {@code --channels-port}. */
    public ServerSettings channelsPort(String... channelsPort) {
        return with("flags", "channels-port", all(channelsPort));
    }

    /** The flag {@code --web-push-port}. */
    public ServerSettings webPushPort(long webPushPort) {
        return with("flags", "web-push-port", webPushPort);
    }

    /** The flag {@code --web-push-port}. */
    public ServerSettings webPushPort(String webPushPort) {
        return with("flags", "web-push-port", webPushPort);
    }

    /** The flag {@code --cleartext-port}. */
    public ServerSettings cleartextPort(long cleartextPort) {
        return with("flags", "cleartext-port", cleartextPort);
    }

    /** The flag {@code --cleartext-port}. */
    public ServerSettings cleartextPort(String cleartextPort) {
        return with("flags", "cleartext-port", cleartextPort);
    }

    /** The flag {@code --proxy-port}. */
    public ServerSettings proxyPort(long proxyPort) {
        return with("flags", "proxy-port", proxyPort);
    }

    /** The flag {@code --proxy-port}. */
    public ServerSettings proxyPort(String proxyPort) {
        return with("flags", "proxy-port", proxyPort);
    }

    /** The flag {@code --state-dir}. */
    public ServerSettings stateDir(String stateDir) {
        return with("flags", "state-dir", stateDir);
    }

    /** The flag {@code --tls-name}. */
    public ServerSettings tlsName(String... tlsName) {
        return with("flags", "tls-name", all(tlsName));
    }

    /** The flag {@code --export-dir}. */
    public ServerSettings exportDir(String exportDir) {
        return with("flags", "export-dir", exportDir);
    }

    /** The flag {@code --export-host}. */
    public ServerSettings exportHost(String exportHost) {
        return with("flags", "export-host", exportHost);
    }

    /** The flag {@code --auth}: {@code strict}, {@code structural}. */
    public ServerSettings auth(String auth) {
        return with("flags", "auth", auth);
    }

    /** The flag {@code --auth-key}. */
    public ServerSettings authKey(String... authKey) {
        return with("flags", "auth-key", all(authKey));
    }

    /** The flag {@code --provider-ca}. */
    public ServerSettings providerCa(String... providerCa) {
        return with("flags", "provider-ca", all(providerCa));
    }

    /** The flag {@code --team-id}. */
    public ServerSettings teamId(String teamId) {
        return with("flags", "team-id", teamId);
    }

    /** The flag {@code --team-topics}. */
    public ServerSettings teamTopics(String... teamTopics) {
        return with("flags", "team-topics", all(teamTopics));
    }

    /** The flag {@code --broadcast-apps}. */
    public ServerSettings broadcastApps(String... broadcastApps) {
        return with("flags", "broadcast-apps", all(broadcastApps));
    }

    /** The flag {@code --environment}: {@code sandbox}, {@code production}. */
    public ServerSettings environment(String environment) {
        return with("flags", "environment", environment);
    }

    /** The flag {@code --devices}: {@code open}, {@code strict}. */
    public ServerSettings devices(String devices) {
        return with("flags", "devices", devices);
    }

    /** The flag {@code --fixtures}. */
    public ServerSettings fixtures(String fixtures) {
        return with("flags", "fixtures", fixtures);
    }

    /** The flag {@code --watch}. */
    public ServerSettings watch(boolean watch) {
        return with("flags", "watch", watch);
    }

    /** The flag {@code --magic-tokens}. */
    public ServerSettings magicTokens(boolean magicTokens) {
        return with("flags", "magic-tokens", magicTokens);
    }

    /** The flag {@code --scenario}. */
    public ServerSettings scenario(String... scenario) {
        return with("flags", "scenario", all(scenario));
    }

    /** The flag {@code --seed}. */
    public ServerSettings seed(long seed) {
        return with("flags", "seed", seed);
    }

    /** The flag {@code --seed}. */
    public ServerSettings seed(String seed) {
        return with("flags", "seed", seed);
    }

    /** The flag {@code --payload-check}: {@code lenient}, {@code strict}. */
    public ServerSettings payloadCheck(String payloadCheck) {
        return with("flags", "payload-check", payloadCheck);
    }

    /** The flag {@code --push-type-check}: {@code lenient}, {@code strict}. */
    public ServerSettings pushTypeCheck(String pushTypeCheck) {
        return with("flags", "push-type-check", pushTypeCheck);
    }

    /** The flag {@code --error-content-type}. */
    public ServerSettings errorContentType(boolean errorContentType) {
        return with("flags", "error-content-type", errorContentType);
    }

    /** The flag {@code --documented-reasons}. */
    public ServerSettings documentedReasons(boolean documentedReasons) {
        return with("flags", "documented-reasons", documentedReasons);
    }

    /** The flag {@code --stream-limits}. */
    public ServerSettings streamLimits(String streamLimits) {
        return with("flags", "stream-limits", streamLimits);
    }

    /** The flag {@code --idle-timeout}. */
    public ServerSettings idleTimeout(Duration idleTimeout) {
        return with("flags", "idle-timeout", text(idleTimeout));
    }

    /** The flag {@code --idle-timeout}. */
    public ServerSettings idleTimeout(String idleTimeout) {
        return with("flags", "idle-timeout", idleTimeout);
    }

    /** The flag {@code --request-timeout}. */
    public ServerSettings requestTimeout(Duration requestTimeout) {
        return with("flags", "request-timeout", text(requestTimeout));
    }

    /** The flag {@code --request-timeout}. */
    public ServerSettings requestTimeout(String requestTimeout) {
        return with("flags", "request-timeout", requestTimeout);
    }

    /** The flag {@code --max-errors}. */
    public ServerSettings maxErrors(long maxErrors) {
        return with("flags", "max-errors", maxErrors);
    }

    /** The flag {@code --max-errors}. */
    public ServerSettings maxErrors(String maxErrors) {
        return with("flags", "max-errors", maxErrors);
    }

    /** The flag {@code --reconnect-limit}. */
    public ServerSettings reconnectLimit(String reconnectLimit) {
        return with("flags", "reconnect-limit", reconnectLimit);
    }

    /** The flag {@code --request-limit}. */
    public ServerSettings requestLimit(String requestLimit) {
        return with("flags", "request-limit", requestLimit);
    }

    /** The flag {@code --token-length}. */
    public ServerSettings tokenLength(String tokenLength) {
        return with("flags", "token-length", tokenLength);
    }

    /** The flag {@code --issued-token-length}. */
    public ServerSettings issuedTokenLength(long issuedTokenLength) {
        return with("flags", "issued-token-length", issuedTokenLength);
    }

    /** The flag {@code --issued-token-length}. */
    public ServerSettings issuedTokenLength(String issuedTokenLength) {
        return with("flags", "issued-token-length", issuedTokenLength);
    }

    /** The flag {@code --unregister-delay}. */
    public ServerSettings unregisterDelay(String unregisterDelay) {
        return with("flags", "unregister-delay", unregisterDelay);
    }

    /** The flag {@code --background-budget}. */
    public ServerSettings backgroundBudget(long backgroundBudget) {
        return with("flags", "background-budget", backgroundBudget);
    }

    /** The flag {@code --background-budget}. */
    public ServerSettings backgroundBudget(String backgroundBudget) {
        return with("flags", "background-budget", backgroundBudget);
    }

    /** The flag {@code --activity-budget}. */
    public ServerSettings activityBudget(long activityBudget) {
        return with("flags", "activity-budget", activityBudget);
    }

    /** The flag {@code --activity-budget}. */
    public ServerSettings activityBudget(String activityBudget) {
        return with("flags", "activity-budget", activityBudget);
    }

    /** The flag {@code --deferral-max}. */
    public ServerSettings deferralMax(Duration deferralMax) {
        return with("flags", "deferral-max", text(deferralMax));
    }

    /** The flag {@code --deferral-max}. */
    public ServerSettings deferralMax(String deferralMax) {
        return with("flags", "deferral-max", deferralMax);
    }

    /** The flag {@code --token-updates}: {@code connection}, {@code key}. */
    public ServerSettings tokenUpdates(String tokenUpdates) {
        return with("flags", "token-updates", tokenUpdates);
    }

    /** The flag {@code --retain}. */
    public ServerSettings retain(long retain) {
        return with("flags", "retain", retain);
    }

    /** The flag {@code --retain}. */
    public ServerSettings retain(String retain) {
        return with("flags", "retain", retain);
    }

    /** The flag {@code --retain-bytes}. */
    public ServerSettings retainBytes(String retainBytes) {
        return with("flags", "retain-bytes", retainBytes);
    }

    /** The flag {@code --data}. */
    public ServerSettings data(String data) {
        return with("flags", "data", data);
    }

    /** The flag {@code --sync}: {@code full}, {@code normal}. */
    public ServerSettings sync(String sync) {
        return with("flags", "sync", sync);
    }

    /** The flag {@code --keep}: {@code journal}, {@code all}. */
    public ServerSettings keep(String keep) {
        return with("flags", "keep", keep);
    }

    /** The flag {@code --leave-out}. */
    public ServerSettings leaveOut(String... leaveOut) {
        return with("flags", "leave-out", all(leaveOut));
    }

    /** The flag {@code --cluster}. */
    public ServerSettings cluster(String... cluster) {
        return with("flags", "cluster", all(cluster));
    }

    /** The flag {@code --cluster-name}. */
    public ServerSettings clusterName(String clusterName) {
        return with("flags", "cluster-name", clusterName);
    }

    /** The flag {@code --cluster-server}. */
    public ServerSettings clusterServer(String clusterServer) {
        return with("flags", "cluster-server", clusterServer);
    }

    /** The flag {@code --cluster-replicas}. */
    public ServerSettings clusterReplicas(long clusterReplicas) {
        return with("flags", "cluster-replicas", clusterReplicas);
    }

    /** The flag {@code --cluster-replicas}. */
    public ServerSettings clusterReplicas(String clusterReplicas) {
        return with("flags", "cluster-replicas", clusterReplicas);
    }

    /** The flag {@code --cluster-ca}. */
    public ServerSettings clusterCa(String clusterCa) {
        return with("flags", "cluster-ca", clusterCa);
    }

    /** The flag {@code --cluster-credentials}. */
    public ServerSettings clusterCredentials(String clusterCredentials) {
        return with("flags", "cluster-credentials", clusterCredentials);
    }

    /** The flag {@code --control-port}. */
    public ServerSettings controlPort(long controlPort) {
        return with("flags", "control-port", controlPort);
    }

    /** The flag {@code --control-port}. */
    public ServerSettings controlPort(String controlPort) {
        return with("flags", "control-port", controlPort);
    }

    /** The flag {@code --control-host}. */
    public ServerSettings controlHost(String controlHost) {
        return with("flags", "control-host", controlHost);
    }

    /** The flag {@code --control-token}. */
    public ServerSettings controlToken(String controlToken) {
        return with("flags", "control-token", controlToken);
    }

    /** The flag {@code --insecure-control}. */
    public ServerSettings insecureControl(boolean insecureControl) {
        return with("flags", "insecure-control", insecureControl);
    }

    /** The flag {@code --allowed-host}. */
    public ServerSettings allowedHost(String... allowedHost) {
        return with("flags", "allowed-host", all(allowedHost));
    }

    /** The flag {@code --cors-origin}. */
    public ServerSettings corsOrigin(String... corsOrigin) {
        return with("flags", "cors-origin", all(corsOrigin));
    }

    /** The flag {@code --shutdown-grace}. */
    public ServerSettings shutdownGrace(Duration shutdownGrace) {
        return with("flags", "shutdown-grace", text(shutdownGrace));
    }

    /** The flag {@code --shutdown-grace}. */
    public ServerSettings shutdownGrace(String shutdownGrace) {
        return with("flags", "shutdown-grace", shutdownGrace);
    }

    /** The flag {@code --log-level}. */
    public ServerSettings logLevel(String logLevel) {
        return with("flags", "log-level", logLevel);
    }

    /** The flag {@code --log-format}: {@code text}, {@code json}. */
    public ServerSettings logFormat(String logFormat) {
        return with("flags", "log-format", logFormat);
    }

    /** The flag {@code --quiet}. */
    public ServerSettings quiet(boolean quiet) {
        return with("flags", "quiet", quiet);
    }

    /** The flag {@code --log-pushes}. */
    public ServerSettings logPushes(boolean logPushes) {
        return with("flags", "log-pushes", logPushes);
    }
}
