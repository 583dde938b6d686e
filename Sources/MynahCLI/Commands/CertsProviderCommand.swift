import APNsRules
import ArgumentParser
import Logging
import Mynah
import MynahClient
import MynahTrust

struct CertsProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Makes a provider certificate; prints how to push with it.",
        discussion: """
            For an app, like Apple's "Sandbox & Production" certificates, and for one with
            VoIP and complication services:

              mynah certs provider --topic com.example.app
              mynah certs provider --topic com.example.app --voip --complication

            To test a certificate for the wrong environment, or an expired one:

              mynah certs provider --topic com.example.app --environment sandbox
              mynah certs provider --topic com.example.app --expired

            NAME.pem has the certificate and the CA's, NAME-key.pem its key, and NAME.p12
            all of them, encrypted with the printed password.

            The CA is that of the server of --url, --ready-file or MYNAH_URL, or that of
            the state folder. If the folder has none, a running server of this user
            signs; without a server, a CA is made for the next one.
            """)

    @Option(help: ArgumentHelp("A topic, repeatable; the first is the app's bundle id.", valueName: "topic"))
    var topic: [String]
    @Flag(help: "Add the app's VoIP topic.") var voip = false
    @Flag(help: "Add the app's complication topic.") var complication = false
    @Option(
        help: ArgumentHelp("sandbox, production or both (default: both).", valueName: "environment"),
        transform: Choice.read)
    var environment = EnvironmentScope.both
    @Option(help: ArgumentHelp("How many days it is valid.", valueName: "days"))
    var days = CertificateOrder.daysDefault
    @Flag(help: "Make it expired.") var expired = false

    @Option(help: ArgumentHelp("The folder for the three files; made if it is missing.", valueName: "dir"))
    var out = "."
    @Option(help: ArgumentHelp("The name of the files (default: the first topic).", valueName: "name"))
    var name: String?
    @Option(help: ArgumentHelp("The password of the PKCS #12 file.", valueName: "password"))
    var password = CertificateOrder.passwordDefault
    @Flag(help: "Replace existing files.") var force = false
    @Flag(help: "Print the result as JSON.") var json = false
    @OptionGroup var folder: StateFolderOption
    @OptionGroup var server: ServerOptions

    func validate() throws {
        if folder.stateDir != nil, server.url != nil || server.readyFile != nil {
            throw ValidationError("--state-dir: leave out --url and --ready-file")
        }
        guard !topic.isEmpty else { throw ValidationError("missing --topic: expected the app's bundle id") }
        guard topic.count <= CertificateOrder.topicsMax else {
            throw ValidationError("--topic: a certificate has at most \(CertificateOrder.topicsMax) topics")
        }
        for (index, topic) in topic.enumerated() {
            guard CertificateOrder.isTopic(topic) else {
                throw ValidationError(
                    "--topic \"\(topic)\": expected 1 to \(Limits.topicBytesMax) letters, digits, hyphens and periods")
            }
            guard !self.topic[..<index].contains(topic) else {
                throw ValidationError("--topic \(topic) is given twice")
            }
        }
        guard (1...CertificateOrder.daysMax).contains(days) else {
            throw ValidationError("--days \(days): expected 1 to \(CertificateOrder.daysMax)")
        }
        guard !password.isEmpty else {
            throw ValidationError(
                "--password is empty: expected a password, which Java and macOS need to open a PKCS #12 file")
        }
        if let name, name.isEmpty || name.contains("/") || name.hasPrefix(".") {
            throw ValidationError("--name \"\(name)\": expected the name of a file; --out is for the folder")
        }
    }

    func run() async throws {
        let files = ProviderFiles(folder: out, name: name ?? defaultName)
        if !force { try files.checkAbsent() }
        let resolved = try folder.settings()
        let settings = resolved.settings.server
        let (issued, issuer) =
            if try asksServer(settings) {
                try await issueByServer()
            } else {
                try issueByFolder(settings, resolved.logger(label: "mynah"))
            }
        try files.write(issued)
        let report = ProviderReport(issued: issued, files: files, issuer: issuer)
        try Terminal.out(json ? report.json.encodedText : report.text)
    }

    /// Whether a running server issues the certificate: one that the user named, or any one if the state folder has no
    /// CA, because no running server would accept certificates of a new CA.
    private func asksServer(_ settings: Settings) throws -> Bool {
        guard folder.stateDir == nil else { return false }
        let environment = ProcessEnvironment.variables
        return try server.names(in: environment)
            || !StateFolderContents.hasAuthority(in: settings)
                && !LocatorFolder(environment: environment).servers().isEmpty
    }

    private func issueByServer() async throws -> (JSONValue, ProviderReport.Issuer) {
        let found = try server.server()
        let client = ControlClient(found)
        let issued = try await client.issueCertificate(order.json)
        let target = try await SendTarget.authority(of: found)
        let files = [ProcessEnvironment.variables.nonEmpty("MYNAH_CA_FILE"), found.ready?.caFile].compactMap(\.self)
        let issuer = ProviderReport.Issuer(
            caFile: files.first(where: FileAccess.exists), controlURL: "\(found.url)", apnsAuthority: target)
        return (issued, issuer)
    }

    private func issueByFolder(
        _ settings: Settings, _ logger: Logger
    ) throws(CommandFailure) -> (JSONValue, ProviderReport.Issuer) {
        let isNew = !StateFolderContents.hasAuthority(in: settings)
        let trust = try TrustMaterial.kept(settings, logger)
        do throws(TrustError) {
            let issued = try trust.issue(order, at: Terminal.now)
            // In the ledger before it is written, so that it can be revoked in any case.
            let item = issued.certificate.item
            _ = try trust.updateLedger { $0.add(item) }
            if isNew, let caFile = trust.caFile {
                logger.notice("made a new CA, \(caFile): only servers with this --state-dir accept the certificate")
            }
            let port = settings.ports.first.flatMap { $0.port == 0 ? nil : $0.port } ?? 2197
            let issuer = ProviderReport.Issuer(
                caFile: trust.caFile, controlURL: nil, apnsAuthority: "localhost:\(port)")
            return (issued.json, issuer)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    private var order: CertificateOrder {
        var order = CertificateOrder(topics: topic)
        order.voip = voip
        order.complication = complication
        order.environment = environment
        order.days = days
        order.isExpired = expired
        order.password = password
        return order
    }

    // Certificates of one app for different purposes have different names.
    private var defaultName: String {
        (topic.first ?? "provider") + (environment == .both ? "" : "-\(environment.rawValue)")
            + (expired ? "-expired" : "")
    }
}
