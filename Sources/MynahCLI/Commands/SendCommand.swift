import APNsRules
import ArgumentParser
import MynahClient
import MynahControl
import MynahCore
import MynahSystem
import MynahTrust

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Sends one push over HTTP/2 and TLS; prints status, headers and reason.",
        discussion: """
            To a new token, which works unless the server has --devices strict:

              mynah send --topic com.example.app --alert hi --to \\
            00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0

            With a complete payload as JSON, from a file, or from standard input:

              mynah send --to 00fc… --topic com.example.app --push-type background \\
                --priority 5 --body '{"aps":{"content-available":1}}'
              mynah send --to 00fc… --topic com.example.app --body @payload.json
              generate | mynah send --to 00fc… --topic com.example.app --body @-

            To a Live Activity, or to those that follow a channel of an app:

              mynah send --to 00fc… --topic com.example.app.push-type.liveactivity \\
                --content-state '{"score":1}'
              mynah send --broadcast tvI2UK0vEfEAAA6GFnjo2Q== \\
                --topic com.example.app --content-state '{"score":1}'

            A web push, to the subscription that a browser, or a device here, hands out:

              mynah send --web subscription.json --vapid-key key.pem \\
                --subject mailto:you@example.com --title Hello --alert World

            With a certificate instead of a token (mynah certs provider makes one):

              mynah send --certificate app.pem --certificate-key app-key.pem \\
                --alert hi --to 00fc…
              mynah send --certificate app.p12 --password mynah --alert hi --to 00fc…

            What APNs accepts although it is wrong by Apple's documents is printed as
            warnings on standard error, and so is why a web push was refused or can't be
            decrypted.

            Exit codes: 0 answered 200, or 201 for a web push; 1 answered otherwise; 69 no
            answer (no server, or the certificate refused in the handshake); others: mynah
            help exit-codes.
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Key") var signing: SigningOptions
    @OptionGroup(title: "Certificate") var certificate: CertificateOptions
    @OptionGroup(title: "Web push") var webPush: WebPushOptions

    @Option(help: .member("token", of: NewNotification.schema, value: "token")) var to: String?
    @Option(help: .member("channel", of: NewNotification.schema, value: "channel"))
    var broadcast: String?
    @Option(
        help: .member(
            "topic", of: NewNotification.schema, " (default: the certificate's topic); Topic of a web push"))
    var topic: String?
    @Option(
        help: .member(
            "pushType", of: NewNotification.schema,
            " (default: background with --background, liveactivity for a Live Activity, else the topic's)"))
    var pushType: String?
    @Option(
        help: .member(
            "priority", of: NewNotification.schema,
            ": \(InputError.alternatives(Priority.allCases.map { "\($0.rawValue)" }))"))
    var priority: String?
    @Option(help: .member("collapseId", of: NewNotification.schema)) var collapseId: String?
    @Option(
        help: .member("expiration", of: NewNotification.schema, "; 0: do not store (default of --broadcast: 0)"))
    var expiration: String?
    @Option(help: .member("apnsId", of: NewNotification.schema)) var id: String?
    @Option(
        help: .value("name: value", "A further header, repeatable."),
        transform: NamedValue.reading("a name, a colon and a value", separator: ":"))
    var header: [NamedValue] = []
    @Option(help: .value("json", "The payload; @FILE reads a file, @- standard input.")) var body: String?
    @Option(help: "The alert's text.") var alert: String?
    @Option(help: "The alert's title.") var title: String?
    @Option(help: "The number on the icon.") var badge: Int?
    @Option(help: "The sound's name.") var sound: String?
    @Flag(help: "A background push: content-available 1.") var background = false
    @Option(help: .value("json", "What a Live Activity shows, an object."), transform: JSONArgument.read)
    var contentState: JSONValue?
    @Option(
        help: "The event of a Live Activity: \(Form.choice(ActivityEvent.self).expected) (default: update).",
        transform: Choice.read)
    var event: ActivityEvent?
    @Option(help: .value("host", "APNs' host (MYNAH_APNS_HOST; default: the control API's).")) var host: String?
    @Option(help: .value("port", "APNs' port (MYNAH_APNS_PORT; default: the server's).")) var port: Int?
    @Option(help: .value("file", "The CA (MYNAH_CA_FILE; default: the server's).")) var caFile: String?
    @Option(help: .value("token", "A provider token to send as it is; an empty one sends none."))
    var providerToken: String?
    @Option(
        help: .value(
            "version",
            "The only TLS version to use: \(Form.choice(Provider.TLSVersion.self).expected) (default: the newest)."),
        transform: Choice.read)
    var tlsVersion: Provider.TLSVersion?
    @Flag(help: "Print the answer as JSON.") var json = false

    func validate() throws {
        let targets = [("--to", to), ("--broadcast", broadcast), ("--web", webPush.web)].filter { $0.1 != nil }.map(\.0)
        try require(!targets.isEmpty, "expected --to TOKEN, --broadcast CHANNEL, or --web SUBSCRIPTION")
        try require(targets.count == 1, "\(targets.joined(separator: " and ")): give one of them")
        if webPush.web != nil { try validateWebPush() }
        if broadcast != nil {
            try require(topic != nil, "--broadcast needs --topic, the app's bundle id")
            try require(
                body != nil || isForActivity,
                "--broadcast needs --content-state JSON, --event end, or --body: a payload with event, timestamp and "
                    + "content-state")
            try require(collapseId == nil, "--broadcast has no --collapse-id: leave it out")
        }
        let makesPayload =
            alert != nil || title != nil || badge != nil || sound != nil || background || isForActivity
        try require(
            webPush.web != nil && !makesPayload || (body != nil) != makesPayload,
            body == nil
                ? "missing payload: expected --alert TEXT, --background, --content-state JSON, or --body JSON"
                : "--body is the complete payload: leave out --alert, --title, --badge, --sound, --background, "
                    + "--content-state and --event")
        if isForActivity {
            try require(
                badge == nil && !background, "a Live Activity has no --badge and no --background: leave them out")
            try require(
                contentState.map { $0.object != nil } ?? true, "--content-state is no object: expected one, in JSON")
            try require(
                contentState != nil || event == .end, "missing --content-state: expected it, or --event end alone")
        }
        if let port, !(1...65_535).contains(port) { throw ValidationError("--port \(port): expected 1 to 65535") }
    }

    private func validateWebPush() throws {
        let unused: [(option: String, isGiven: Bool)] = [
            ("--push-type", pushType != nil), ("--priority", priority != nil), ("--collapse-id", collapseId != nil),
            ("--expiration", expiration != nil), ("--id", id != nil), ("--sound", sound != nil),
            ("--background", background), ("--content-state", contentState != nil), ("--event", event != nil),
            ("--provider-token", providerToken != nil), ("--certificate", certificate.certificate != nil),
            ("--key", signing.key != nil),
        ]
        for (option, isGiven) in unused {
            try require(!isGiven, "a web push has no \(option): leave it out")
        }
    }

    private var isForActivity: Bool { contentState != nil || event != nil }

    func run() async throws {
        guard let subscription = webPush.web else { return try await sendPush() }
        try await sendWebPush(to: subscription)
    }

    /// Sends to the endpoint of a subscription, and trusts the CA of the options or of the running server.
    private func sendWebPush(to file: String) async throws {
        let subscription = try webPush.subscription(file)
        let server = server.found
        let push = try webPush.push(
            to: subscription, plaintext: webPayload(), topic: topic, further: furtherHeaders,
            now: await SigningOptions.now(of: server))
        let host = subscription.origin.host
        let port = subscription.origin.port
        let target = try await SendTarget.find(self, server, host: host, port: port)
        let provider = Provider(host: target.host, port: target.port, caPEM: target.caPEM, tlsVersion: tlsVersion)
        try await report(try await sent(push, by: provider), target.owner(server))
    }

    /// The text of a web push: the body, or title, alert and badge as a service worker reads them; empty without any.
    private func webPayload() throws(CommandFailure) -> [UInt8] {
        guard body == nil else { return try payload(at: Terminal.now) }
        let members = [JSONMember](given: ["title": title, "body": alert, "badge": badge])
        return members.isEmpty ? [] : JSONValue.object(members).encoded
    }

    private func sendPush() async throws {
        let payload = try payload(at: isForActivity ? await SigningOptions.now(of: server.found) : Terminal.now)
        let file = try certificate.file()
        let identity = file.map { Provider.Certificate(chainPEM: $0.chainPEM, keyPEM: $0.keyPEM) }
        let server = server.found
        let target = try await SendTarget.find(self, server)
        let provider = Provider(
            host: target.host, port: target.port, caPEM: target.caPEM, certificate: identity, tlsVersion: tlsVersion)
        let push = Provider.Push(path: path, headers: try await headers(server, file?.identity), body: payload)
        try await report(try await sent(push, by: provider), target.owner(server))
    }

    /// Prints an answer, of a server of ours or of another service.
    private func report(_ answer: Provider.Answer, _ server: ServerLocator.Server?) async throws {
        let push = await journaled(answer, server)
        try Terminal.out(json ? SendReport.json(answer, push) : SendReport.text(answer))
        if !json { for note in push.map(SendReport.notes) ?? [] { Terminal.error(note) } }
        if !Reply.isAcceptance(answer.status) { throw ExitCode(CommandStatus.unmet.rawValue) }
    }

    /// The push that was answered, of the server's journal; `nil` if no server of ours has it.
    private func journaled(_ answer: Provider.Answer, _ server: ServerLocator.Server?) async -> JSONValue? {
        let names = ["apns-id", "apns-request-id"]
        guard let id = answer.headers.first(where: { names.contains($0.name) })?.value, let server else { return nil }
        return try? await ControlClient(server).documents.notification(id)
    }

    private func sent(_ push: Provider.Push, by provider: Provider) async throws -> Provider.Answer {
        do throws(ClientError) { return try await provider.send(push) } catch {
            // OpenSSL's words, the more special ones first.
            let remedies: KeyValuePairs = [
                "certificate verify failed: certificate has expired":
                    "the server's certificate has expired, or a fault shows such a one: see mynah fault list",
                "mismatch":
                    "the server's certificate is for other names, or a fault shows such a one: see mynah fault list",
                "certificate verify failed":
                    "the CA is another server's: leave out --ca-file and MYNAH_CA_FILE, or give that of the server; or a "
                    + "fault shows a certificate of another CA: see mynah fault list",
                "wrong version number":
                    "nothing speaks TLS there: expected a port for pushes, such as 2197, not that of the control API",
            ]
            guard let remedy = remedies.first(where: { error.message.contains($0.key) })?.value else { throw error }
            throw CommandFailure(CommandStatus(of: error), "\(error.message); \(remedy)")
        }
    }

    private var path: String {
        broadcast == nil ? "/3/device/\(to ?? "")" : "/4/broadcasts/apps/\(topic ?? "")"
    }

    /// The request's headers, without pseudo-headers, in the order in which providers send them.
    private func headers(
        _ server: ServerOptions.Found, _ certificate: CertificateIdentity?
    ) async throws -> [(name: String, value: String)] {
        let token = try await authorization(server)
        let credential = ("authorization", token.flatMap { $0.isEmpty ? nil : "bearer \($0)" })
        let given: [(name: String, value: String?)] =
            broadcast == nil
            ? [
                credential, ("apns-topic", topic),
                ("apns-push-type", pushType ?? usualPushType(certificate)),
                ("apns-priority", priority ?? (background ? "5" : nil)), ("apns-collapse-id", collapseId),
                ("apns-expiration", expiration), ("apns-id", id),
            ]
            : [
                credential, ("apns-channel-id", broadcast), ("apns-push-type", pushType ?? "liveactivity"),
                ("apns-priority", priority), ("apns-expiration", expiration ?? "0"), ("apns-request-id", id),
            ]
        return given.compactMap { name, value in value.map { (name, $0) } } + furtherHeaders
    }

    private var furtherHeaders: [(name: String, value: String)] {
        header.map { ($0.name.lowercased(), TextFile.trimmed($0.value)) }
    }

    /// The push type of a push for which none is given; `nil` for the update of a pass, which needs none.
    private func usualPushType(_ certificate: CertificateIdentity?) -> String? {
        if background { return PushType.background.rawValue }
        if isForActivity { return PushType.liveactivity.rawValue }
        let topic = Array((topic ?? certificate?.defaultTopic ?? "").utf8)
        if TopicKind(topic.span) == .pass { return nil }
        return (Topic.impliedPushType(of: topic.span) ?? .alert).rawValue
    }

    /// The provider token to send; `nil` if a certificate identifies the provider and no key was given.
    private func authorization(_ server: ServerOptions.Found) async throws -> String? {
        if let providerToken { return TextFile.trimmed(providerToken) }
        if certificate.certificate != nil, signing.key == nil { return nil }
        return try await signing.token(server)
    }

    /// The payload; that of a Live Activity has `now` as its timestamp.
    func payload(at now: Instant) throws(CommandFailure) -> [UInt8] {
        if let body {
            guard body.hasPrefix("@") else { return Array(body.utf8) }
            // No JSON begins with the mark, and no provider sends one.
            let bytes = try NamedFile.bytes(String(body.dropFirst()), from: "--body", orStandardInput: true)
            return Array(TextFile.withoutMark(bytes))
        }
        if isForActivity { return activityPayload(at: now) }
        let texts = JSONValue.object([JSONMember](given: ["title": title, "body": alert]))
        let aps = [JSONMember](given: [
            "alert": title == nil ? alert?.given : texts, "badge": badge, "sound": sound,
            "content-available": background ? 1 : nil,
        ])
        return JSONValue.object([JSONMember("aps", .object(aps))]).encoded
    }

    private func activityPayload(at now: Instant) -> [UInt8] {
        let alert = [JSONMember](given: ["title": title, "body": alert, "sound": sound])
        let aps = [JSONMember](given: [
            "timestamp": Int(now.milliseconds / 1000), "event": (event ?? .update).rawValue,
            "content-state": contentState,
        ])
        let alerting = alert.isEmpty ? [] : [JSONMember("alert", .object(alert))]
        return JSONValue.object([JSONMember("aps", .object(aps + alerting))]).encoded
    }
}

/// What a push of `mynah send` asks of a Live Activity; a start has more members than options.
enum ActivityEvent: String, CaseIterable { case update, end }

struct SendTarget {
    let host: String
    let port: Int
    let caPEM: String

    /// Finds it by flags, by the environment of `mynah exec`, or by asking the running server, in this order.
    ///
    /// - Parameters:
    ///   - knownHost: the host of a subscription's endpoint, and likewise the port.
    static func find(
        _ command: SendCommand, _ server: ServerOptions.Found, host knownHost: String? = nil, port knownPort: Int? = nil
    ) async throws -> SendTarget {
        let environment = ProcessEnvironment.variables
        let host = command.host ?? knownHost ?? environment.nonEmpty("MYNAH_APNS_HOST")
        let port = try command.port ?? knownPort ?? port(environment)
        let caPEM = try (command.caFile ?? environment.nonEmpty("MYNAH_CA_FILE")).map { path in
            try NamedFile.authorities(path, from: command.caFile == nil ? "MYNAH_CA_FILE" : "--ca-file")
        }
        if let host, let port, let caPEM { return SendTarget(host: host, port: port, caPEM: caPEM) }

        let server = try server.get()
        let foundCA = if let caPEM { caPEM } else { try await ControlClient(server).certificateAuthority() }
        let foundPort = if let port { port } else { try await SendTarget.port(of: server) }
        return SendTarget(host: host ?? server.url.host, port: foundPort, caPEM: foundCA)
    }

    /// The server that was found, unless its ready file shows that the target is none of its ports: there is then nothing
    /// to ask it about the push.
    func owner(_ server: ServerOptions.Found) -> ServerLocator.Server? {
        guard let server = try? server.get() else { return nil }
        return server.ready.map { $0.listens(on: port) } == false ? nil : server
    }

    /// Host and port of a server for pushes, as in a URL; the environment of `mynah exec` comes first.
    static func authority(of server: ServerLocator.Server) async throws -> String {
        let environment = ProcessEnvironment.variables
        let host = environment.nonEmpty("MYNAH_APNS_HOST") ?? server.url.host
        let port = if let port = try port(environment) { port } else { try await SendTarget.port(of: server) }
        return ControlURL.authority(host, port)
    }

    private static func port(of server: ServerLocator.Server) async throws -> Int {
        if let port = server.ready?.port { return port }
        let status = try await ControlClient(server).documents.status()
        guard let port = status["ports"]?["apns"]?.array?.first?.integer.flatMap({ Int(exactly: $0) }) else {
            throw CommandFailure(.unavailable, "the server doesn't report its port for pushes: give --port")
        }
        return port
    }

    /// `MYNAH_APNS_PORT`, which Kubernetes sets to a URL where a service is named `mynah-apns`.
    private static func port(_ environment: [String: String]) throws(CommandFailure) -> Int? {
        let name = "MYNAH_APNS_PORT"
        guard let text = environment.nonEmpty(name) else { return nil }
        guard !InjectedVariable.matches(name, text) else {
            Terminal.error("mynah: ignored \(name)=\(text), which Kubernetes or a container link set for a service")
            return nil
        }
        guard let port = Int(text), (1...65_535).contains(port) else {
            throw CommandFailure(.configuration, "\(name): invalid value \"\(text)\": expected a port from 1 to 65535")
        }
        return port
    }
}

enum SendReport {
    static func text(_ answer: Provider.Answer) -> String {
        var lines = [
            "\(answer.status) " + (Reply.isAcceptance(answer.status) ? "accepted" : reason(answer) ?? "refused")
        ]
        lines += answer.headers.map { "\($0.name): \($0.value)" }
        if !answer.body.isEmpty { lines += ["", String(decoding: answer.body, as: UTF8.self)] }
        return lines.joined(separator: "\n")
    }

    /// - Parameter push: The push of the journal; `nil` if it is unknown.
    static func json(_ answer: Provider.Answer, _ push: JSONValue?) -> String {
        var members: [JSONMember] = [
            JSONMember("status", .number(JSONNumber(answer.status))),
            JSONMember("reason", reason(answer).map { .string($0) } ?? .null),
            JSONMember("headers", .array(answer.headers.map { [.string($0.name), .string($0.value)] })),
            JSONMember("body", .string(String(decoding: answer.body, as: UTF8.self))),
            JSONMember("warnings", push.map { .array($0.elements("warnings")) } ?? .null),
        ]
        if let web = push?["webPush"] { members.append(JSONMember("webPush", web)) }
        return JSONValue.object(members).encodedText
    }

    /// What the journal says against a push, a line each.
    static func notes(on push: JSONValue) -> [String] {
        let web = push["webPush"]
        let causes = (web?.elements("refusals") ?? []).map { refusal in
            "cause: \(refusal.text("reason")) (\(refusal.text("evidence"))): \(refusal.text("cause"))"
        }
        let problems = [
            ("the browser can't decrypt it", web?["problem"]), ("it is not declarative", web?["notDeclarative"]),
        ]
        return causes + problems.compactMap { name, problem in problem?.string.map { "warning: \(name): \($0)" } }
            + push.elements("warnings").compactMap { $0.string.map { "warning: \($0)" } }
    }

    private static func reason(_ answer: Provider.Answer) -> String? {
        (try? JSONValue(parsing: answer.body))?["reason"]?.string
    }
}

/// The certificate that `mynah send` presents instead of a provider token (`ProviderAPI#Certificates`).
struct CertificateOptions: ParsableArguments {
    @Option(help: .value("file", "Present this certificate instead of a provider token: PEM or PKCS #12."))
    var certificate: String?
    @Option(help: .value("file", "The certificate's key, if it is in a separate file.")) var certificateKey: String?
    @OptionGroup var password: PasswordOptions

    func validate() throws {
        try require(certificate != nil || certificateKey == nil, "--certificate-key needs --certificate")
        try require(certificate != nil || !password.isGiven, "--password needs --certificate")
    }

    func file() throws -> ProviderIdentityFile? {
        try certificate.map {
            try NamedFile.require($0, from: "--certificate")
            if let certificateKey { try NamedFile.require(certificateKey, from: "--certificate-key") }
            return try ProviderIdentityFile.read(certificate: $0, key: certificateKey, password: try password.text())
        }
    }
}

/// The password of a PKCS #12 file or an encrypted key, from the command line or a file.
struct PasswordOptions: ParsableArguments {
    @Option(help: "The password of the PKCS #12 file or the encrypted key.") var password: String?
    @Option(help: .value("file", "A file with that password in its first line.")) var passwordFile: String?

    var isGiven: Bool { password != nil || passwordFile != nil }

    func validate() throws {
        try require(password == nil || passwordFile == nil, "--password and --password-file: give one of them")
    }

    func text() throws(CommandFailure) -> String? {
        guard let passwordFile else { return password }
        // Editors end the line; a password may have any other character.
        return TextFile.firstLine(of: try NamedFile.text(passwordFile, from: "--password-file"))
    }
}
