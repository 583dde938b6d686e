import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahTrust

/// `mynah certs provider`: a certificate to push with instead of tokens.
struct CertsProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Makes a provider certificate, and prints how to push with it.",
        discussion: """
            For an app, as Apple's "Sandbox & Production" certificates are, and for one
            with its VoIP and complication services:

              mynah certs provider --topic com.example.app
              mynah certs provider --topic com.example.app --voip --complication

            For a test of what happens when it is for the wrong environment, or too old:

              mynah certs provider --topic com.example.app --environment sandbox
              mynah certs provider --topic com.example.app --expired

            NAME.pem has the certificate and the CA's behind it, NAME-key.pem its key,
            NAME.p12 all of it, encrypted with the password that is printed. Servers that
            use the state folder believe it at once.
            """)

    @Option(help: ArgumentHelp("A topic, repeatable; the first is the app's bundle id.", valueName: "topic"))
    var topic: [String]
    @Flag(help: "The app's VoIP topic too.") var voip = false
    @Flag(help: "The app's complication topic too.") var complication = false
    @Option(
        help: ArgumentHelp("Where it is good: sandbox, production or both (default: both).", valueName: "environment"),
        transform: Choice.read)
    var environment = EnvironmentScope.both
    @Option(help: ArgumentHelp("For how many days it is good.", valueName: "days"))
    var days = CertificateOrder.daysDefault
    @Flag(help: "Its time is over already.") var expired = false

    @Option(help: ArgumentHelp("The folder for the three files; made where it is missing.", valueName: "dir"))
    var out = "."
    @Option(help: ArgumentHelp("What the files are called (default: the first topic).", valueName: "name"))
    var name: String?
    @Option(help: ArgumentHelp("The password of the PKCS #12 file.", valueName: "password"))
    var password = CertificateOrder.passwordDefault
    @Flag(help: "Replace files that are there.") var force = false
    @Flag(help: "Print what was made as JSON.") var json = false
    @OptionGroup var folder: StateFolderOption

    func validate() throws {
        guard !topic.isEmpty else { throw ValidationError("--topic: the app's bundle id was expected") }
        guard topic.count <= CertificateOrder.topicsMax else {
            throw ValidationError("--topic: a certificate has at most \(CertificateOrder.topicsMax) topics")
        }
        for (index, topic) in topic.enumerated() {
            guard CertificateOrder.isTopic(topic) else {
                throw ValidationError(
                    "--topic \"\(topic)\": expected 1 to \(Limits.topicBytesMax) letters, digits, hyphens and periods")
            }
            guard !self.topic[..<index].contains(topic) else {
                throw ValidationError("--topic \(topic) is there twice")
            }
        }
        guard (1...CertificateOrder.daysMax).contains(days) else {
            throw ValidationError("--days \(days): expected 1 to \(CertificateOrder.daysMax)")
        }
        guard !password.isEmpty else {
            throw ValidationError(
                "--password: Java and macOS open no PKCS #12 file without one; give one, or none here")
        }
        if let name, name.isEmpty || name.contains("/") || name.hasPrefix(".") {
            throw ValidationError("--name \"\(name)\": expected a file's name; the folder is --out")
        }
    }

    func run() async throws {
        let files = ProviderFiles(folder: out, name: name ?? defaultName)
        if !force { try files.checkAbsent() }
        let resolved = try folder.settings()
        let trust = try TrustMaterial.kept(resolved.settings.server, resolved.logger(label: "mynah"))
        let issued: IssuedCertificate
        do throws(TrustError) {
            issued = try trust.issue(order, at: Terminal.now)
            // In the ledger before anybody has it, so that it can be revoked whatever happens.
            let item = issued.certificate.item
            _ = try trust.updateLedger { $0.add(item) }
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
        try files.write(issued)
        let report = ProviderReport(
            issued: issued, files: files, caFile: trust.caFile ?? "ca.pem",
            port: resolved.settings.server.ports.first?.port ?? 0)
        try Terminal.out(json ? report.json.encodedText : report.text)
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

    // Certificates of one app for different purposes lie side by side.
    private var defaultName: String {
        (topic.first ?? "provider") + (environment == .both ? "" : "-\(environment.rawValue)")
            + (expired ? "-expired" : "")
    }
}
