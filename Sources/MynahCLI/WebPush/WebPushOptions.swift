import APNsRules
import ArgumentParser
import MynahClient
import MynahCore
import MynahSystem
import MynahTrust

/// The options of `mynah send --web`, besides those that a push of either kind has.
struct WebPushOptions: ParsableArguments {
    /// What `TTL` is if nothing is said: enough for a phone that is online.
    private static let usualTimeToLive = "60"
    /// For how long commands make the same token, in seconds.
    private static let tokenPeriod: Int64 = 12 * 3600
    /// How many seconds it is valid after that: so few that the next one doesn't come too soon (`WebPush#VAPID`).
    private static let tokenRest: Int64 = 1800

    /// When the token of a command expires, at most 12.5 hours later.
    ///
    /// A command keeps no token; but those of a period have the same claims, and so are one token, as Apple advises.
    static func tokenExpiry(at now: Instant) -> Instant {
        let seconds = now.milliseconds / 1000
        return Instant(seconds: (seconds / tokenPeriod + 1) * tokenPeriod + tokenRest)
    }

    @Option(help: .value("file", "Send a web push to this subscription: a browser's JSON, - is standard input."))
    var web: String?
    @Option(
        help: .value(
            "file", "The private key of the subscription's applicationServerKey: PEM, or 32 bytes in base64url."))
    var vapidKey: String?
    @Option(help: .value("url", "How to reach you: mailto: with an address, or an https: URL."))
    var subject: String?
    @Option(help: .value("seconds", "TTL (default: \(WebPushOptions.usualTimeToLive)).")) var ttl: String?
    @Option(help: "Urgency: \(Form.choice(WebPushUrgency.self).expected).") var urgency: String?

    func validate() throws {
        let given = [("--vapid-key", vapidKey), ("--subject", subject), ("--ttl", ttl), ("--urgency", urgency)]
        let others = given.filter { $0.1 != nil }.map(\.0)
        try require(web != nil || others.isEmpty, "\(others.joined(separator: " and ")): expected --web FILE too")
        if web != nil {
            try require(vapidKey != nil, "--web needs --vapid-key: the private key of the applicationServerKey")
            try require(subject != nil, "--web needs --subject, such as mailto:you@example.com")
        }
    }

    /// The subscription in a file.
    func subscription(_ path: String) throws(CommandFailure) -> Subscription {
        let bytes = try NamedFile.bytes(path, from: "--web", orStandardInput: true)
        let json = try? JSONValue(parsing: Array(TextFile.withoutMark(bytes)))
        guard let endpoint = json?["endpoint"]?.string, let address = URLParts(endpoint),
            let origin = WebPushOrigin(authority: address.authority),
            let publicKey = json?["keys"]?["p256dh"]?.string,
            let secret = json?["keys"]?["auth"]?.string.flatMap({ Base64.decode($0.utf8)?.bytes })
        else {
            throw CommandFailure(
                .configuration,
                "--web: \(path) is no subscription: expected the JSON of a browser, with endpoint, keys.p256dh and keys.auth"
            )
        }
        guard address.scheme == "https" else {
            throw CommandFailure(
                .configuration, "--web: the endpoint of \(path) is \(endpoint): expected one that begins with https://")
        }
        func unusable(_ problem: String) -> CommandFailure {
            CommandFailure(
                .configuration, "--web: keys.p256dh of \(path) \(problem): expected \(P256Point.expected)")
        }
        let key: [UInt8]
        switch P256Point(publicKey) {
        case .bytes(let bytes) where P256PublicKey.isPoint(bytes): key = bytes
        case .bytes: throw unusable("is no point on the curve")
        case .problem(let problem): throw unusable(problem)
        }
        guard secret.count == WebPushLimits.authenticationSecretBytes else {
            throw CommandFailure(
                .configuration, "--web: keys.auth of \(path) has \(secret.count) bytes: expected 16")
        }
        return Subscription(
            origin: origin, path: address.target, publicKey: key, authenticationSecret: secret)
    }

    struct Subscription {
        let origin: WebPushOrigin
        let path: String
        let publicKey: [UInt8]
        let authenticationSecret: [UInt8]
    }

    /// The push, encrypted for the subscription, with a token of the key.
    func push(
        to subscription: Subscription, plaintext: [UInt8], topic: String?, further: [(name: String, value: String)],
        now: Instant
    ) throws(CommandFailure) -> Provider.Push {
        let text = try TextFile.trimmed(NamedFile.text(vapidKey ?? "", from: "--vapid-key", isOfKeys: true))
        do throws(TrustError) {
            let key = try P256PrivateKey(vapid: text)
            let authorization = try key.vapidAuthorization(
                audience: subscription.origin, expiresAt: WebPushOptions.tokenExpiry(at: now),
                subject: subject ?? "")
            let message =
                plaintext.isEmpty
                ? nil
                : try EncryptedMessage(
                    encrypting: plaintext, publicKey: subscription.publicKey,
                    authenticationSecret: subscription.authenticationSecret)
            let given: [(name: String, value: String?)] = [
                ("authorization", authorization), ("ttl", ttl ?? WebPushOptions.usualTimeToLive), ("urgency", urgency),
                ("topic", topic),
            ]
            let fields = given.compactMap { name, value in value.map { (name, $0) } }
            return Provider.Push(
                path: subscription.path,
                headers: fields + (message?.fields ?? []).map { ($0.name, $0.value) } + further,
                body: message?.body ?? [])
        } catch {
            throw CommandFailure(.configuration, "\(error.inFile(vapidKey))")
        }
    }
}
