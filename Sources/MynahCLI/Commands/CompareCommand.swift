import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahComparison
import MynahControl
import MynahCore
import MynahTrust
import MynahWire
import NIOCore

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Sends the same requests to Mynah and another APNs; prints where they differ.",
        discussion: """
            With Apple's service, with a key or a certificate of your own:

              mynah compare --host api.sandbox.push.apple.com \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 \\
                --topic com.example.app
              mynah compare --host api.sandbox.push.apple.com --certificate app.p12

            With any other server:

              mynah compare --host localhost:2197 --ca-file ca.pem \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 \\
                --topic com.example.app

            Mynah runs in this process. No request can reach a device: device tokens
            belong to none, so a good push is answered BadDeviceToken, or credentials
            are bad. To deliver the good pushes to a device of yours, and to see how many
            it gets before any is sent:

              mynah compare ... --device-token 00fc13ad... --deliver --dry-run
              mynah compare ... --device-token 00fc13ad... --deliver

            A service that isn't on this machine gets \(Pace.requestsPerSecond) requests a second, and no \
            more
            once it answers 429 or refuses a connection.

            Exit codes: 0 nothing differs, 1 something does, 69 the service does not
            answer, ended the comparison or took longer than --timeout, also if something
            differs, 78 it refuses the credential.
            """)

    @Option(
        help: .value("host", "The other service: a name or an address, with a port unless it is 443."),
        transform: ServiceAddress.read)
    var host: ServiceAddress
    @Option(help: .value("file", "The CA of its certificate, PEM (default: the system's CAs).")) var caFile: String?
    @Flag(help: "Speak HTTP/2 without TLS to the other service.") var cleartext = false
    @Option(
        help: .value(
            "environment",
            "\(Form.choice(APNsEnvironment.self).expected) (default: that of Apple's name, else sandbox)."),
        transform: Choice.read)
    var environment: APNsEnvironment?
    @Option(help: .value("bundleid", "An app of the key's team (default: the certificate's).")) var topic: String?
    @Flag(help: "The app has the broadcast capability: compare broadcasts too.") var broadcasts = false
    @OptionGroup(title: "Key") var signing: SigningOptions
    @OptionGroup(title: "Certificate") var certificate: CertificateOptions
    @Option(help: .value("token", "The token of a device of yours, for --deliver.")) var deviceToken: String?
    @Flag(help: "Send the good pushes to --device-token, which then gets them.") var deliver = false
    @Option(
        help: .value(
            "duration",
            "How long all of it may take (default: \(DurationText.text(ComparisonRun.defaultTotal))); the rest is "
                + "not tried."),
        transform: DurationArgument.read)
    var timeout: DurationArgument?
    @Flag(help: "Send nothing; print what would be sent, and what is left out.") var dryRun = false
    @Flag(help: "List the cases that were not tried, not only how many.") var notTried = false
    @Flag(help: "Print the results as JSON.") var json = false
    @Option(help: .value("file", "Write the results as JUnit XML to this file; its folders are made."))
    var report: String?
    @Option(
        help: .value(
            "file", "Write the results as JSON to this file, without keys, tokens and topics; its folders are made."))
    var results: String?

    func validate() throws {
        try require(
            deviceToken == nil || deliver, "--device-token is for a device that gets the pushes: expected --deliver too"
        )
        try require(!deliver || deviceToken != nil, "--deliver needs a device: expected --device-token too")
        if let deviceToken {
            let sizes = DeviceToken.defaultByteCounts
            try require(
                deviceToken.allSatisfy { $0.isASCII && $0.isHexDigit } && deviceToken.count.isMultiple(of: 2)
                    && sizes.contains(deviceToken.count / 2),
                "--device-token: expected \(2 * sizes.lowerBound) to \(2 * sizes.upperBound) hexadecimal digits")
        }
        try require(
            timeout.map { $0.duration > .zero } ?? true,
            "--timeout \(timeout?.text ?? ""): expected a duration above zero, like 90s or 10m")
        try require(!cleartext || caFile == nil, "--cleartext has no certificate to check: leave out --ca-file")
        try require(
            !cleartext || certificate.certificate == nil,
            "--cleartext can't present a certificate: leave out --certificate"
        )
    }

    func run() async throws {
        let identity = try certificate.file()
        let key = try signing.ownKey(isOptional: identity != nil)
        let topics = identity.map { $0.identity?.topics.map(\.name) ?? [] }
        guard let bundleID = topic ?? topics?.first else {
            throw CommandFailure(.usage, "missing --topic: expected the bundle id of an app of the key's team")
        }
        let topicBytes = bundleID.utf8Span.span
        guard Topic.isWellFormed(topicBytes), Topic.suffixedPushType(of: topicBytes) == nil else {
            throw CommandFailure(.usage, "--topic \(bundleID): expected a bundle id, without a suffix")
        }
        let premise = ComparisonPremise(
            bundleID: bundleID, hasKey: key != nil, certificateTopics: topics,
            environment: environment ?? APNsEnvironment(serverName: host.name) ?? .sandbox, hasBroadcasts: broadcasts,
            deviceToken: deviceToken)
        let plan = ComparisonPlan(try FixtureCase.all(), for: premise)
        guard !dryRun else {
            return try Terminal.out(
                ComparisonReport.text(of: plan, other: host.description, listsNotTried: notTried))
        }
        if deliver { Terminal.error("mynah: the device gets up to \(plan.deliveries) pushes") }
        try await compare(plan, premise, key, identity)
    }

    private func compare(
        _ plan: ComparisonPlan, _ premise: ComparisonPremise, _ key: SigningKey?, _ identity: ProviderIdentityFile?
    ) async throws {
        let clientIdentity = identity.map {
            ClientIdentity(chainPEM: Array($0.chainPEM.utf8), keyPEM: Array($0.keyPEM.utf8))
        }
        let other = ComparisonRun.Service(target: try target(), identity: clientIdentity)
        for path in [report, results].compactMap(\.self) { try checkWritable(path) }
        let token = premise.deviceToken ?? ""
        let redaction = Redaction(
            [
                (premise.bundleID, "com.example.app"), (token.lowercased(), "(device token)"),
                (token.uppercased(), "(device token)"), (key?.keyID ?? "", "(key id)"), (key?.team ?? "", "(team id)"),
            ]
                + (premise.certificateTopics ?? []).filter { !$0.hasPrefix(premise.bundleID) }.map { ($0, "(topic)") })
        let signer = try CaseSigner(key)
        let total = timeout?.duration ?? ComparisonRun.defaultTotal
        let startedAt = Terminal.now
        let started = ContinuousClock.now
        let result = try await ComparisonServer.with(
            premise, key: key, chain: identity?.chain ?? [], isCleartext: cleartext
        ) { server in
            var target = other.target
            target.host = server.boundHost
            target.port = (cleartext ? server.cleartextPort : server.ports.first) ?? 0
            target.caPEM = cleartext ? nil : Array(server.trust.caPEM.utf8)
            var run = ComparisonRun(
                plan: plan, premise: premise, mynah: .init(target: target, identity: clientIdentity), other: other,
                redaction: redaction, pace: host.isLocal ? nil : Pace(),
                signer: signer, total: total)
            return try await run.play()
        }
        let duration = ContinuousClock.now - started
        try show(result, document(result, premise, startedAt), startedAt: startedAt, duration: duration)
        let status = CompareCommand.status(of: result)
        if status != .success { throw ExitCode(status.rawValue) }
    }

    /// The status of a comparison: that it ended early counts more than what it found until then.
    static func status(of result: ComparisonResult) -> CommandStatus {
        if result.stopped != nil { return .unavailable }
        return result.differing.isEmpty ? .success : .unmet
    }

    private func show(
        _ result: ComparisonResult, _ document: JSONValue, startedAt: Instant, duration: Duration
    ) throws {
        let report = ComparisonReport(other: host.description, result: result, listsNotTried: notTried)
        if let path = self.report {
            try write(report.junit(startedAt: startedAt, duration: duration), to: path)
        }
        if let results { try write(document.encodedText + "\n", to: results) }
        try Terminal.out(json ? document.encodedText : report.text)
    }

    /// Fails before anything is sent, rather than after it.
    private func checkWritable(_ path: String) throws(ClientError) {
        try FileAccess.makeFolders(of: path)
        let exists = FileAccess.exists(path)
        try FileAccess.append([], to: path)
        if !exists { try FileAccess.remove(path) }
    }

    private func write(_ text: String, to path: String) throws(ClientError) {
        try FileAccess.makeFolders(of: path)
        try FileAccess.writeAtomically(Array(text.utf8), to: path, mode: 0o644)
    }

    private func document(_ result: ComparisonResult, _ premise: ComparisonPremise, _ startedAt: Instant) -> JSONValue {
        result.json([
            JSONMember("mynah", .string(MynahVersion.current)), JSONMember("other", .string(host.description)),
            JSONMember("day", .string(String(startedAt.rfc3339.prefix(10)))),
            JSONMember("environment", .string(premise.environment.rawValue)),
            JSONMember("cleartext", .bool(cleartext)), JSONMember("key", .bool(premise.hasKey)),
            JSONMember("certificate", .bool(premise.certificateTopics != nil)),
            JSONMember("delivered", .bool(deliver)),
        ])
    }

    private func target() throws -> ProviderConnection.Target {
        let path = caFile ?? TrustMaterial.systemRootsFile
        let caPEM =
            try cleartext ? nil : Array(NamedFile.authorities(path, from: caFile == nil ? nil : "--ca-file").utf8)
        return ProviderConnection.Target(
            host: host.name, port: host.port, caPEM: caPEM, timeout: TimeAmount(ComparisonRun.timeout))
    }
}

/// A service on a command line: `name`, `name:port`, or an address, with IPv6 in brackets if a port follows.
struct ServiceAddress: CustomStringConvertible {
    private static let usualPort = 443

    let name: String
    let port: Int

    var description: String { ControlURL.authority(name, port) }
    /// Whether it can only be on this machine.
    var isLocal: Bool { ["localhost", "127.0.0.1", "::1"].contains(name.lowercased()) }

    static func read(_ text: String) throws -> ServiceAddress {
        guard let address = ServiceAddress(text) else {
            throw ValidationError("expected a name or an address, with a port from 1 to 65535 or without one")
        }
        return address
    }

    private init?(_ argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        var name = argument[...]
        var port = String(ServiceAddress.usualPort)
        if let end = argument.lastIndex(of: "]"), argument.hasPrefix("[") {
            name = argument[argument.index(after: argument.startIndex)..<end]
            let rest = argument[argument.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.isEmpty { port = String(rest.dropFirst()) }
        } else if parts.count == 2 {
            name = parts[0]
            port = String(parts[1])
        }
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_:".contains($0)) }
        // UInt16 alone would accept a plus sign.
        guard !name.isEmpty, isName, port.allSatisfy(\.isNumber), let number = UInt16(port), number > 0 else {
            return nil
        }
        self.name = String(name)
        self.port = Int(number)
    }
}
