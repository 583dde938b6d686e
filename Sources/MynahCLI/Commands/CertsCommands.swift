import APNsRules
import ArgumentParser
import Logging
import Mynah
import MynahClient
import MynahControl
import MynahCore
import MynahSystem
import MynahTrust

struct CertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certs",
        abstract: "Makes and shows the CA, certificates and the signing key without starting a server.",
        subcommands: [CertsInitCommand.self, CertsProviderCommand.self, CertsListCommand.self, CertsRevokeCommand.self])
}

struct CertsInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Makes what is missing in the state folder; prints the paths.",
        discussion: """
            Before building an image or setting up a client:

              mynah certs init
              mynah certs init --state-dir /var/lib/mynah --tls-name push.test

            A new CA, which clients have to trust instead of the present one:

              mynah certs init --renew-ca
            """)

    @Option(help: .setting("state-dir", value: "dir")) var stateDir: String?
    @Option(help: .setting("tls-name", value: "name"))
    var tlsName: [String] = []
    @Option(help: .setting("export-dir", value: "dir"))
    var exportDir: String?
    @Option(help: .setting("team-id", value: "team")) var teamId: String?
    @Flag(help: "Make the server's certificates and their key anew, under the same CA.") var renew = false
    @Flag(help: "Make the CA anew, and with it the server's certificates.") var renewCa = false
    @Flag(help: "Print the result as JSON.") var json = false

    func validate() throws { try require(!renew || !renewCa, "--renew and --renew-ca: give one of them") }

    func run() async throws {
        // Resolved like the settings of serve, so that variables and mynah.yaml count too.
        let options = [QueryItem](given: [
            "state-dir": stateDir, "export-dir": exportDir, "team-id": teamId, "tls-name": tlsName,
        ])
        let resolved = try SettingsResolver.ofThisProcess.resolve(options.map { "--\($0.name)=\($0.value)" })
        let renewal: TrustMaterial.Renewal = renewCa ? .authority : renew ? .serverCertificate : .nothing
        let made = try CertsInitCommand.make(resolved.settings.server, renew: renewal, logger: resolved.logger())
        try Terminal.out(made, asJSON: json, text: CertsInitCommand.text)
    }

    /// Makes what is missing in the state folder or is to be renewed, and fills the export folder if there is one;
    /// returns the members of `--json`.
    static func make(
        _ settings: Settings, renew: TrustMaterial.Renewal = .nothing, logger: Logger
    ) throws -> JSONValue {
        let trust = try TrustMaterial.kept(settings, logger, renew: renew)
        if let directory = settings.exportDirectory { try trust.exportFolder(directory) }
        return [
            "caFile": .text(trust.caFile), "caBundleFile": .text(trust.caBundleFile),
            "keyFile": .text(trust.keyFile), "keyId": .string(trust.primaryKey.keyID),
            "teamId": .string(trust.primaryKey.team), "names": .texts(trust.serverNames),
        ]
    }

    private static func text(_ made: JSONValue) -> String {
        TextTable.rows(
            [
                ("CA file", made["caFile"]?.string), ("CA bundle", made["caBundleFile"]?.string),
                ("key file", made["keyFile"]?.string), ("key id", made["keyId"]?.string),
                ("team id", made["teamId"]?.string),
                ("names", made["names"]?.array?.compactMap(\.string).joined(separator: ", ")),
            ], width: 11)
    }
}

struct CertsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Describes the state folder, or certificates and keys in files.",
        discussion: """
            The CA, the server's certificate, the keys, and the issued provider
            certificates, including revoked ones:

              mynah certs list
              mynah certs list --json

            Any certificate or key, in PEM, a certificate also in DER or PKCS #12:

              mynah certs list com.example.app.pem
              mynah certs list com.example.app.p12 --password mynah

            Exit codes: 0 success, 78 unusable file.
            """, aliases: ["ls"])

    @Argument(help: .value("file", "Files to describe, instead of the state folder.")) var files: [String] = []
    @OptionGroup var password: PasswordOptions
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var folder: StateFolderOption

    func run() async throws {
        guard !files.isEmpty else {
            let folder = DescribedStateFolder(try folder.settings().settings.server)
            return try Terminal.out(try folder.description(asJSON: json, now: Terminal.now))
        }
        let password = try password.text()
        let described = try files.map { try DescribedFile($0, password: password) }
        try Terminal.out(["files": .array(described.map(\.json))], asJSON: json) { _ in
            described.map(\.text).joined(separator: "\n\n")
        }
    }
}

struct StateFolderOption: ParsableArguments {
    @Option(help: .setting("state-dir", value: "dir")) var stateDir: String?

    /// The settings by flag, environment and `mynah.yaml`, as for serve.
    func settings() throws(CommandFailure) -> ResolvedSettings {
        try SettingsResolver.ofThisProcess.resolve(stateDir.map { ["--state-dir=\($0)"] } ?? [])
    }
}

extension TrustMaterial {
    /// Reads the trust material in the state folder and makes what is missing.
    /// - Throws: ``TrustError`` also for a folder that can't be written, because everything made would be lost.
    static func kept(
        _ settings: Settings, _ logger: Logger, renew: Renewal = .nothing
    ) throws(TrustError) -> TrustMaterial {
        let trust = try TrustMaterial.open(
            stateDirectory: settings.stateDirectory, tlsNames: settings.tlsNames,
            authKeyFiles: settings.authKeyFiles, teamID: settings.teamID, now: Terminal.now,
            renew: renew)
        trust.logRemarks(to: logger)
        guard trust.caFile != nil else {
            throw TrustError(
                .unwritable, file: settings.stateDirectory, "nothing could be kept there",
                remedy: "Give permission, or name another folder by --state-dir")
        }
        return trust
    }
}

struct CertsProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider", abstract: "Makes a provider certificate; prints how to push with it.",
        discussion: """
            For an app, like Apple's "Sandbox & Production" certificates, and for one with
            VoIP and complication services:

              mynah certs provider --topic com.example.app
              mynah certs provider --topic com.example.app --voip --complication

            To test a certificate for the wrong environment, or an expired one:

              mynah certs provider --topic com.example.app --environment sandbox
              mynah certs provider --topic com.example.app --expired

            NAME.pem has the certificate, NAME-key.pem its key, and NAME.p12 both of them,
            encrypted with the printed password, as Keychain Access exports them.

            For a key that the provider has made itself, and for MDM and Wallet, whose
            certificates are for production unless --environment is given:

              mynah certs provider --topic com.example.app --csr provider.csr
              mynah certs provider --topic com.apple.mgmt.External.UUID --csr mdm.csr
              mynah certs provider --topic pass.com.example.ticket

            The CA is that of the server of --url, --ready-file or MYNAH_URL, or that of
            the state folder. If the folder has none, a running server of this user
            signs; without a server, a CA is made for the next one.
            """, aliases: ["issue", "create"])

    @Option(help: .member("topics", of: CertificateOrder.schema)) var topic: [String]
    @Flag(help: .member("voip", of: CertificateOrder.schema)) var voip = false
    @Flag(help: .member("complication", of: CertificateOrder.schema)) var complication = false
    @Option(help: .member("environment", of: CertificateOrder.schema), transform: Choice.read)
    var environment: EnvironmentScope?
    @Option(help: .member("days", of: CertificateOrder.schema, showsDefault: false))
    var days = CertificateOrder.daysDefault
    @Flag(help: .member("expired", of: CertificateOrder.schema)) var expired = false
    @Option(help: .member("keyType", of: CertificateOrder.schema), transform: Choice.read)
    var keyType: ProviderKeyType?
    @Option(
        help: .value("file", "A certificate signing request, for whose key the certificate is: makes only NAME.pem."))
    var csr: String?
    @Option(help: .value("dir", "The folder for the files; made if it is missing.")) var out = "."
    @Option(help: "The name of the files (default: the first topic).") var name: String?
    @Option(help: .member("password", of: CertificateOrder.schema))
    var password: String?
    @Flag(help: "Replace existing files.") var force = false
    @Flag(help: "Print the result as JSON.") var json = false
    @OptionGroup var folder: StateFolderOption
    @OptionGroup var server: ServerOptions

    func validate() throws {
        try require(
            folder.stateDir == nil || server.url == nil && server.readyFile == nil,
            "--state-dir: leave out --url and --ready-file")
        try require(!topic.isEmpty, "missing --topic: expected the app's bundle id")
        try require(
            topic.count <= CertificateOrder.topicsMax,
            "--topic: a certificate has at most \(CertificateOrder.topicsMax) topics")
        for (index, topic) in topic.enumerated() {
            try require(
                CertificateOrder.isTopic(topic),
                "--topic \"\(topic)\": expected 1 to \(Limits.topicBytesMax) letters, digits, hyphens and periods")
            try require(!self.topic[..<index].contains(topic), "--topic \(topic) is given twice")
        }
        try require(
            (1...CertificateOrder.daysMax).contains(days), "--days \(days): expected 1 to \(CertificateOrder.daysMax)")
        try require(
            password != "",
            "--password is empty: expected a password, which Java and macOS need to open a PKCS #12 file")
        try require(
            csr == nil || keyType == nil && password == nil,
            "--csr: leave out --key-type and --password, because the key is the requester's")
        if let name, name.isEmpty || name.contains("/") || name.hasPrefix(".") {
            throw ValidationError("--name \"\(name)\": expected the name of a file; --out is for the folder")
        }
    }

    func run() async throws {
        let files = ProviderFiles(folder: out, name: name ?? defaultName, hasKey: csr == nil)
        if !force { try files.checkAbsent() }
        let order = try order()
        let resolved = try folder.settings()
        let stateFolder = DescribedStateFolder(resolved.settings.server)
        let issued =
            if try asksServer(stateFolder) {
                try await issueByServer(order)
            } else {
                try issueByFolder(order, resolved.settings.server, isNew: !stateFolder.hasAuthority, resolved.logger())
            }
        try files.write(issued)
        try Terminal.out(issued.json(files), asJSON: json) { _ in issued.text(files) }
    }

    /// Whether a running server issues the certificate: one that the user named, or any one if the state folder has no
    /// CA, because no running server would accept certificates of a new CA.
    private func asksServer(_ stateFolder: DescribedStateFolder) throws -> Bool {
        guard folder.stateDir == nil else { return false }
        return try server.isGiven
            || !stateFolder.hasAuthority && !LocatorFolder(environment: ProcessEnvironment.variables).servers().isEmpty
    }

    private func issueByServer(_ order: CertificateOrder) async throws -> IssuedCertificate {
        let found = try server.server()
        let issued = try await ControlClient(found).documents.issueCertificate(order.json)
        let files = [ProcessEnvironment.variables.nonEmpty("MYNAH_CA_FILE"), found.ready?.caFile].compactMap(\.self)
        return IssuedCertificate(
            document: issued, caFile: files.first(where: FileAccess.exists), controlURL: "\(found.url)",
            apnsAuthority: try await SendTarget.authority(of: found))
    }

    private func issueByFolder(
        _ order: CertificateOrder, _ settings: Settings, isNew: Bool, _ logger: Logger
    ) throws -> IssuedCertificate {
        let trust = try TrustMaterial.kept(settings, logger)
        let issued = try trust.issue(order, for: order.subject(), at: Terminal.now)
        // In the ledger before the files are written, so that it can be revoked in any case.
        try trust.record(issued.certificate)
        if isNew, let caFile = trust.caFile {
            logger.notice("made a new CA, \(caFile): only servers with this --state-dir accept the certificate")
        }
        let port = settings.ports.first.flatMap { $0.port == 0 ? nil : $0.port } ?? 2197
        return IssuedCertificate(
            document: issued.json, caFile: trust.caFile, controlURL: nil, apnsAuthority: "localhost:\(port)")
    }

    private func order() throws -> CertificateOrder {
        var order = CertificateOrder(topics: topic)
        order.voip = voip
        order.complication = complication
        order.isExpired = expired
        order.environment = environment
        order.days = days
        order.keyType = keyType ?? order.keyType
        order.password = password ?? order.password
        guard let csr else { return order }
        let bytes = try NamedFile.bytes(csr, from: "--csr")
        do throws(TrustError) {
            let text = try ProviderSubject.requestText(bytes)
            _ = try ProviderSubject(request: text)
            order.signingRequest = text
        } catch {
            throw CommandFailure(.configuration, "--csr: \(error.inFile(csr))")
        }
        return order
    }

    // Certificates of one app for different purposes have different names.
    private var defaultName: String {
        let scope = environment.flatMap { $0 == .both ? nil : "-\($0.rawValue)" }
        return (topic.first ?? "provider") + (scope ?? "") + (expired ? "-expired" : "")
    }
}

struct ProviderFiles {
    let folder: String
    /// The file of the certificate alone.
    let certificate: String
    /// The file of the key; `nil` for a signing request, whose key is elsewhere.
    let key: String?
    /// The file with the certificate and the key; `nil` for a signing request.
    let pkcs12: String?

    init(folder: String, name: String, hasKey: Bool) {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        self.folder = folder
        let path = folder == "." ? name : folder == "/" ? "/" + name : folder + "/" + name
        certificate = path + ".pem"
        key = hasKey ? path + "-key.pem" : nil
        pkcs12 = hasKey ? path + ".p12" : nil
    }

    func checkAbsent() throws(CommandFailure) {
        for file in [certificate, key, pkcs12].compactMap(\.self) where FileAccess.exists(file) {
            throw CommandFailure(
                .configuration, "\(file) exists: choose another --name or --out, or replace it with --force")
        }
    }

    /// Writes the files, the certificate last, so that it implies the others.
    fileprivate func write(_ issued: IssuedCertificate) throws(ClientError) {
        let incomplete = ClientError(.notMynah, "the answer to POST /v1/certificates lacks the certificate or its key")
        guard let leaf = issued.document["certificate"]?.string else { throw incomplete }
        if !FileAccess.exists(folder) { try FileAccess.makePrivateFolder(folder) }
        if let key, let pkcs12 {
            guard let privateKey = issued.document["privateKey"]?.string,
                let bundle = issued.document["pkcs12"]?.string.flatMap({ Base64.decode($0.utf8) })
            else { throw incomplete }
            try FileAccess.writeAtomically(Array(privateKey.utf8), to: key, mode: 0o600)
            try FileAccess.writeAtomically(bundle.bytes, to: pkcs12, mode: 0o600)
        }
        try FileAccess.writeAtomically(Array(leaf.utf8), to: certificate, mode: 0o644)
    }
}

/// A new provider certificate, its CA, and a server that accepts it.
private struct IssuedCertificate {
    /// The answer to `POST /v1/certificates`.
    let document: JSONValue
    /// The CA's certificate; `nil` if only the control API has it.
    let caFile: String?
    /// The control API of the issuing server; `nil` for the state folder's CA.
    let controlURL: String?
    /// Host and port for pushes: `localhost:2197`.
    let apnsAuthority: String

    /// The files, the certificate's contents, and commands to paste.
    func text(_ files: ProviderFiles) -> String {
        let rows: [(name: String, value: String?)] = [
            ("certificate", files.certificate), ("key", files.key),
            ("PKCS #12", files.pkcs12.map { "\($0) (password: \(document.text("password")))" }),
            ("issued by", controlURL), ("CA", caFile ?? controlURL.map { "\($0)/ca.pem" }),
            ("serial number", document.text("serialNumber")),
            ("topics", document.topics.joined(separator: ", ")), ("environment", document.text("environment")),
            // Only the days.
            ("valid", "\(document.text("notBefore").prefix(10)) to \(document.text("notAfter").prefix(10))"),
        ]
        return ([TextTable.rows(rows), ""] + commands(files)).joined(separator: "\n")
    }

    private func commands(_ files: ProviderFiles) -> [String] {
        let push = ExamplePush(topics: document.topics)
        let certificate = ShellWord.quoted(files.certificate)
        let key = files.key.map(ShellWord.quoted) ?? "KEY.pem"
        let environment = APNsEnvironment(rawValue: document.text("environment"))
        let name = environment.map { "api\($0 == .sandbox ? ".sandbox" : "").push.apple.com" }
        let send = [
            "  mynah send --certificate \(certificate) --certificate-key \(key) \\",
            "    \(push.flags) --to \(push.token)",
        ]
        var curl: [String] = []
        if caFile == nil, let controlURL { curl.append("  curl -s \(controlURL)/ca.pem -o ca.pem") }
        curl += [
            "  curl --http2 --cacert \(ShellWord.quoted(caFile ?? "ca.pem")) --cert \(certificate) --key \(key) \\",
            "    \(push.curlFlags) \\",
        ]
        if let name {
            curl.append("    --connect-to \(name):443:\(apnsAuthority) https://\(name)/3/device/\(push.token)")
        } else {
            curl.append("    https://\(apnsAuthority)/3/device/\(push.token)")
        }
        guard let environment else { return ["Send a push with it:", ""] + send + curl }
        return [
            "Send a push with it by the name of Apple's \(environment.rawValue) service, as every server has:", "",
        ] + curl + ["", "Or to a server with --environment \(environment.rawValue):", ""] + send
    }

    func json(_ files: ProviderFiles) -> JSONValue {
        let kept = (document.object ?? []).filter { !["authority", "privateKey", "pkcs12"].contains($0.name) }
        let paths: JSONValue = [
            "certificate": .string(files.certificate), "key": files.key.map { .string($0) } ?? .null,
            "pkcs12": files.pkcs12.map { .string($0) } ?? .null, "ca": caFile.map { .string($0) } ?? .null,
        ]
        return .object(kept + [JSONMember("files", paths)])
    }
}

/// A push of the kind that a certificate is for.
private struct ExamplePush {
    /// The flags of `mynah send`, without the device token.
    let flags: String
    /// The headers and the body for curl.
    let curlFlags: String
    let token: String

    init(topics: [String]) {
        let first = topics.first ?? ""
        let kind = ProviderCertificateKind(topic: first)
        let type = Topic.impliedPushType(of: first.utf8Span.span)
        // Without a type, as senders of passes do it.
        let typeHeader = kind == .wallet ? "" : "-H \"apns-push-type: \((type ?? .alert).rawValue)\" "
        let (payload, alert): (String, String?) =
            switch kind {
            case .app: (#"{"aps":{"alert":"hi"}}"#, "--alert hi")
            case .management: (#"{"mdm":"PUSH-MAGIC"}"#, nil)
            case .wallet: ("{}", nil)
            case .website: (#"{"aps":{"alert":{"title":"hi","body":"hi"},"url-args":[]}}"#, nil)
            }
        let typeFlag = type.map { "--push-type \($0.rawValue) " } ?? ""
        let topicFlag = topics.count > 1 ? "--topic \(first) " : ""
        flags = topicFlag + typeFlag + (alert ?? "--body '\(payload)'")
        curlFlags = (topics.count > 1 ? "-H \"apns-topic: \(first)\" " : "") + typeHeader + "-d '\(payload)'"
        // A token belongs to the environment of its first push, and that of other examples is an app's.
        token = (kind == .app ? "00" : "01") + Banner.exampleToken.dropFirst(2)
    }
}

extension JSONValue {
    /// The names in a certificate's `topics`.
    var topics: [String] { elements("topics").compactMap { $0["topic"]?.string } }
}
