// What to paste into each client, so that it reaches this server and trusts its CA.

const productionName = "api.push.apple.com";
const sandboxName = "api.sandbox.push.apple.com";

/** Apple's name of the server's environment. */
function appleName(at) {
    return at.environment === "production" ? productionName : sandboxName;
}

/** The file's name in the state folder and as a download. */
const ca = "ca.pem";
/** The same with the system's roots, which SSL_CERT_FILE replaces; beside it in the state folder. */
const bundle = "ca-bundle.pem";

/** For clients with a constant host: DNS points Apple's name to this server. */
function byName(at) {
    return [
        ["Point Apple's host name to this server (/etc/hosts, or a network alias in Compose)",
            `127.0.0.1 ${productionName} ${sandboxName}`],
        ["Listen on the client's port",
            at.has443 ? "# this server already listens on 443" : `mynah serve --port ${at.port} --port 443`],
    ];
}

const goRoots = ["Trust the CA", `export SSL_CERT_FILE=${bundle}`];
const pythonRoots = ["Trust the CA", `export SSL_CERT_FILE=${bundle}`];
const nodeRoots = ["Trust the CA, before the process starts", `export NODE_EXTRA_CA_CERTS=${ca}`];
const storeLines = `keytool -importcert -noprompt -alias mynah -file ${ca} \\
  -keystore mynah.p12 -storetype PKCS12 -storepass mynah-test
java -Djavax.net.ssl.trustStore=mynah.p12 -Djavax.net.ssl.trustStorePassword=mynah-test …`;

/**
 * The clients by language. `lines(at)` returns pairs of a title and a text; `at` has `host`, `port`, `urlFlag`,
 * `cleartext` and `proxy` (ports or null), `has443`, `environment`, `keyId`, `teamId` and `topic`.
 */
export const clients = [
    {
        id: "curl", name: "curl", language: "Shell",
        lines: (at) => [["A push", `curl --http2 --cacert ${ca} -i \\
  -H "authorization: bearer $(mynah token${at.urlFlag})" \\
  -H "apns-topic: ${at.topic}" -H "apns-push-type: alert" \\
  -d '{"aps":{"alert":"hi"}}' \\
  https://${at.host}:${at.port}/3/device/DEVICE_TOKEN`],
        ["With Apple's own name",
            `curl --http2 --cacert ${ca} --connect-to ${appleName(at)}:443:${at.host}:${at.port} \\
  https://${appleName(at)}/3/device/DEVICE_TOKEN …`]],
    },
    {
        id: "aioapns", name: "aioapns 4", language: "Python",
        lines: (at) => [["Host, port, CA and key", `import ssl
from pathlib import Path
from aioapns import APNs
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol

APNsDevelopmentClientProtocol.APNS_SERVER = "${at.host}"
APNsTLSClientProtocol.APNS_PORT = ${at.port}

async def connect():    # in a coroutine, because it keeps the event loop
    return APNs(
        key=Path("${at.keyFile}").read_text(), key_id="${at.keyId}", team_id="${at.teamId}",
        topic="${at.topic}", use_sandbox=True,
        ssl_context=ssl.create_default_context(cafile="${ca}"),
    )`]],
        note: "It has no request timeout: wrap calls in asyncio.wait_for when you test stalls.",
    },
    {
        id: "kalyke", name: "kalyke-apns 1.5", language: "Python",
        lines: (at) => [["Override the constant host", `from kalyke import ApnsClient

class LocalClient(ApnsClient):
    _base_url = "https://${at.host}:${at.port}"`], pythonRoots],
        note: "One connection and one provider token per push.",
    },
    {
        id: "httpx", name: "httpx", language: "Python",
        lines: (at) => [["Host, port and CA", `import httpx, ssl

client = httpx.Client(
    http2=True, base_url="https://${at.host}:${at.port}",
    verify=ssl.create_default_context(cafile="${ca}"),
)`]],
    },
    {
        id: "node-apn", name: "@parse/node-apn 7, node-apn 3", language: "Node",
        lines: (at) => [["Host, port and CA", `const provider = new apn.Provider({
    token: { key: "${at.keyFile}", keyId: "${at.keyId}", teamId: "${at.teamId}" },
    address: "${at.host}",
    port: ${at.port},
    ca: ["${ca}"],
    production: false,
});`]],
        note: "A port in address is ignored. Version 7 repeats a push three times at once on 408, 429, 5xx and "
            + "ExpiredProviderToken: the journal shows four.",
    },
    {
        id: "apns2-node", name: "apns2 12 (AndrewBarba)", language: "Node",
        lines: (at) => [["Host; the port is always 443", `const client = new ApnsClient({
    host: "${at.host}", team: "${at.teamId}", keyId: "${at.keyId}", signingKey, defaultTopic: "${at.topic}",
});`], byName(at)[1], nodeRoots],
    },
    {
        id: "apns2", name: "sideshow/apns2 0.25", language: "Go",
        lines: (at) => [["Host and port", `client := apns2.NewTokenClient(token)
client.Host = "https://${at.host}:${at.port}"`], goRoots],
        note: "It retries refused streams and GOAWAY by itself. On macOS add the CA to the keychain or to RootCAs.",
    },
    {
        id: "pushy", name: "pushy 0.15", language: "Java",
        lines: (at) => [["Host, port and CA", `ApnsClient client = new ApnsClientBuilder()
    .setApnsServer("${at.host}", ${at.port})
    .setTrustedServerCertificateChain(new File("${ca}"))
    .setSigningKey(ApnsSigningKey.loadFromPkcs8File(new File("${at.keyFile}"), "${at.teamId}", "${at.keyId}"))
    .build();`]],
        note: "It lets a push expire after a day, unless it is told otherwise.",
    },
    {
        id: "clevertap", name: "CleverTap apns-http2 4", language: "Java",
        lines: (at) => [["Host and port", `.withGatewayUrl("https://${at.host}:${at.port}")`],
            ["Trust the CA", storeLines]],
    },
    {
        id: "apnswift", name: "APNSwift 6, vapor/apns 4", language: "Swift",
        lines: (at) => [["Host and port", `environment: .custom(url: "https://${at.host}", port: ${at.port})`],
            ["Trust the CA, on Debian or Ubuntu",
                `cp ${ca} /usr/local/share/ca-certificates/mynah.crt && update-ca-certificates`],
            ["Or without TLS", at.cleartext ? `environment: .custom(url: "http://127.0.0.1", port: ${at.cleartext})`
                : "mynah serve --cleartext-port 2198   # then .custom(url: \"http://127.0.0.1\", port: 2198)"]],
        note: "It has no request deadline by default.",
    },
    {
        id: "a2", name: "a2 0.10", language: "Rust",
        lines: (at) => byName(at),
        note: "Host and roots are compiled in (webpki-roots), so it needs a patched copy, or another client such as "
            + "apns-h2, which trusts SSL_CERT_FILE.",
    },
    {
        id: "apns-h2", name: "apns-h2 0.11", language: "Rust",
        lines: (at) => [...byName(at), ["Trust the CA", `export SSL_CERT_FILE=${bundle}`]],
    },
    {
        id: "pushok", name: "pushok 0.18", language: "PHP",
        lines: (at) => [["Host, port and CA", `$client = new Pushok\\Client($authProvider, false, [
    CURLOPT_CONNECT_TO => ["::${at.host}:${at.port}"],
    CURLOPT_CAINFO => "${ca}",
]);`]],
        note: "SSL_CERT_FILE has no effect in PHP. A stall ends the whole batch after 10 s.",
    },
    {
        id: "laravel", name: "laravel-notification-channels/apn 6", language: "PHP",
        lines: (at) => [["In a service provider", `use Pushok\\Client;

$this->app->bind(Client::class, fn ($app) => new Client(
    $app->make(Pushok\\AuthProvider\\Token::class), false,
    [CURLOPT_CONNECT_TO => ["::${at.host}:${at.port}"], CURLOPT_CAINFO => "${ca}"],
));`]],
    },
    {
        id: "apnotic", name: "apnotic 1.8", language: "Ruby",
        lines: (at) => [["Host and port; the certificate is not checked", `connection = Apnotic::Connection.new(
  url: "https://${at.host}:${at.port}",
  auth_method: :token, cert_path: "${at.keyFile}", key_id: "${at.keyId}", team_id: "${at.teamId}"
)
connection.on(:error) { |error| warn error }`]],
    },
    {
        id: "rpush", name: "rpush 9", language: "Ruby",
        lines: (at) => [
            ["In an initializer; the certificate is not checked",
            `Rpush::Daemon::Dispatcher::Apnsp8Http2::URLS[:development] = "https://${at.host}:${at.port}"`]],
        note: "It sends no push type and no apns-id.",
    },
    {
        id: "pigeon", name: "pigeon 2", language: "Elixir",
        lines: (at) => [
            ["Host and port", `config :my_app, MyApp.APNS, adapter: Pigeon.APNS, uri: "${at.host}", port: ${at.port}`],
            ["Trust the CA, before it starts", `:public_key.cacerts_load(~c"${ca}")`]],
        note: "Exceeding the stream limit or losing the connection ends its worker: start the server with "
            + "--stream-limits 1000,1000, and supervise the client.",
    },
    {
        id: "apns4erl", name: "apns4erl 2.6", language: "Erlang",
        lines: (at) => [
            ["In sys.config; with a token, the certificate is not checked",
            `{apns, [{apple_host, "${at.host}"}, {apple_port, ${at.has443 ? 443 : at.cleartext ?? 443}}]}`]],
        note: "It speaks TLS on port 443 alone: start the server with --port 443, or with --cleartext-port and give that "
            + "port here. With a certificate it doesn't connect on OTP 25.",
    },
    {
        id: "hapns", name: "hapns 1", language: "Node",
        lines: (at) => [nodeRoots, ["The device", `const device = { ...Device(token), getBaseUrl: () => "https://${at.host}:${at.port}" };`]],
    },
    {
        id: "dotapns", name: "dotAPNS 4.5", language: ".NET",
        lines: (at) => [["A handler that connects to this server", `var handler = new SocketsHttpHandler
{
    ConnectCallback = async (context, cancel) =>
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync("${at.host}", ${at.port}, cancel);
        return new NetworkStream(socket, ownsSocket: true);
    },
};
var client = new HttpClient(handler);`], ["Trust the CA, on Linux", `export SSL_CERT_FILE=${bundle}`]],
        note: "It renews its token after exactly 20 minutes.",
    },
    {
        id: "corepush", name: "CorePush 3", language: ".NET",
        lines: (at) => [...byName(at), ["Trust the CA, on Linux", `export SSL_CERT_FILE=${bundle}`]],
        note: "It throws on unknown reasons. Its HttpClient can have a ConnectCallback, too.",
    },
    {
        id: "intercepted", name: "Sygnal, nanomdm", language: "Push servers",
        lines: () => [["They honour HTTPS_PROXY and SSL_CERT_FILE", "mynah exec --intercept -- COMMAND"]],
    },
    {
        id: "servers", name: "gorush, Zulip, Mattermost", language: "Push servers",
        lines: (at) => [...byName(at), ["Trust the CA", `export SSL_CERT_FILE=${bundle}`]],
    },
    {
        id: "other", name: "any program with a constant host", language: "Push servers",
        lines: (at) => [
            ["Use Mynah's proxy, if the program honours HTTPS_PROXY",
                at.proxy ? `export HTTPS_PROXY=http://127.0.0.1:${at.proxy}` : "mynah exec --intercept -- COMMAND"],
            ...byName(at),
        ],
        note: "Use the proxy, or the other two together. Mynah's certificate has Apple's names, and the requested name "
            + "(SNI) selects the environment. How to trust the CA depends on the program's runtime.",
    },
];
