import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahSystem
import MynahTrust

struct CertsRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes provider certificates, also on running servers.",
        discussion: """
            By serial number, or by a file that has the certificate:

              mynah certs revoke 5A7F00C3D1E94B62A0917C55E8D3F412
              mynah certs revoke com.example.app.pem

            When the command ends, all running servers of this user with the state folder
            refuse the certificate in handshakes, and answer BadCertificate to pushes on
            its open connections. Name a server in memory, or of another user, with --url.
            These revoke only certificates that they have issued.

            Exit codes: 0 success, 66 unknown certificate, 69 a server did not answer, 78
            unusable file.
            """, aliases: ["rm"])

    @Argument(help: .value("serial|file", "Serial numbers, and files with certificates.")) var certificates: [String]
    @OptionGroup var password: PasswordOptions
    @Flag(help: "Print the certificates, and the servers that know of it, as JSON.") var json = false
    @OptionGroup var folder: StateFolderOption
    @OptionGroup var server: ServerOptions

    private enum Target {
        case serialNumber(String)
        /// From a file, so it may be another CA's.
        case certificate(CertificateIdentity, pem: String)

        var serialNumber: String {
            switch self {
            case .serialNumber(let serialNumber): serialNumber
            case .certificate(let identity, _): identity.serialNumber
            }
        }
    }

    func run() async throws {
        let targets = try targets()
        let serialNumbers = targets.map(\.serialNumber)
        var done = Revocation(isShown: !json)
        var failure: CommandFailure?
        if server.isGiven {
            try await revoke(targets, by: server.server(), &done)
        } else {
            let trust = try revokeInStateFolder(targets, &done)
            failure = try await CertsRevokeCommand.update(serialNumbers, of: trust, &done)
        }
        try Terminal.out(done.json, asJSON: json)
        if let failure { throw failure }
    }

    /// What a call has done so far, and which part is shown at once unless all is JSON.
    private struct Revocation {
        let isShown: Bool
        private var certificates: [JSONValue] = []
        private var servers: [String] = []

        init(isShown: Bool) { self.isShown = isShown }

        /// What `--json` prints; it is by hand because no call answers it, and so no schema describes it.
        var json: JSONValue { ["revoked": .array(certificates), "updated": .texts(servers)] }

        mutating func revoked(_ certificate: JSONValue) throws {
            certificates.append(certificate)
            guard isShown else { return }
            let topics = certificate.topics.joined(separator: ", ")
            try Terminal.out("revoked \(certificate.text("serialNumber")) (\(topics))")
        }

        /// Records a server that refuses them now; `place` also names its process.
        mutating func updated(_ url: String, _ place: String? = nil) throws(ClientError) {
            servers.append(url)
            if isShown { try Terminal.out("updated \(place ?? url)") }
        }
    }

    // This and the next function aren't inlined: Swift 6.3.1 crashes when it optimises `run` with them.
    @inline(never)
    private func targets() throws -> [Target] {
        let password = try password.text()
        return try certificates.map { try CertsRevokeCommand.target($0, password) }
    }

    /// Revokes on a server, which changes its ledger itself.
    private func revoke(
        _ targets: [Target], by server: ServerLocator.Server, _ done: inout Revocation
    ) async throws {
        let client = ControlClient(server)
        for target in targets { try done.revoked(try await CertsRevokeCommand.revoke(target, by: client, server)) }
        try done.updated("\(client.url)")
    }

    private static func revoke(
        _ target: Target, by client: ControlClient, _ server: ServerLocator.Server
    ) async throws -> JSONValue {
        do throws(ClientError) { return try await client.documents.revokeCertificate(target.serialNumber) } catch {
            // Before it is revoked, a certificate of another CA is in no server's ledger.
            guard error.status == 404, case .certificate(let identity, let pem) = target else { throw error }
            guard let folder = try stateFolder(of: server) else {
                throw CommandFailure(
                    .notFound,
                    "\(client.url) has not issued \(identity.serialNumber), and has no state folder here: expected a "
                        + "certificate that it has issued, or a server of this user with a state folder")
            }
            let now = Terminal.now
            var ledger = LedgerFile(stateDirectory: folder)
            try ledger.append([CertificateRecord(identity: identity, pem: pem, issuedAt: now, revokedAt: now)])
            return try await client.documents.revokeCertificate(identity.serialNumber)
        }
    }

    /// The state folder of a server that runs on this machine for this user; `nil` of any other, and of one in memory.
    private static func stateFolder(of server: ServerLocator.Server) throws -> String? {
        let ready = try server.ready ?? running(at: server.url)
        guard let caFile = ready?.caFile, let slash = caFile.lastIndex(of: "/") else { return nil }
        let folder = String(caFile[..<slash])
        // Folders that show the CA to others, such as that of mynah exec, have no key of it.
        return FileAccess.exists("\(folder)/\(LedgerFile.authorityKeyName)") ? folder : nil
    }

    private static func running(at url: ControlURL) throws -> ReadyFile? {
        try LocatorFolder(environment: ProcessEnvironment.variables).servers(of: LocatorFolder.Owner.allCases)
            .first { (try? ControlURL($0.controlURL)) == url }
    }

    @inline(never)
    private func revokeInStateFolder(_ targets: [Target], _ done: inout Revocation) throws -> TrustMaterial {
        let resolved = try folder.settings()
        try DescribedStateFolder(resolved.settings.server).checkAuthority()
        let trust = try TrustMaterial.kept(resolved.settings.server, resolved.logger())
        for certificate in try CertsRevokeCommand.revoke(targets, in: trust) { try done.revoked(certificate.json) }
        return trust
    }

    private static func target(_ argument: String, _ password: String?) throws -> Target {
        if FileAccess.exists(argument) {
            let read = try ProviderIdentityFile.readCertificate(argument, password: password)
            return .certificate(read.identity, pem: read.certificatePEM)
        }
        guard let serialNumber = CertificateRecord.serialNumber(argument) else {
            throw CommandFailure(.usage, "\(argument): expected a file or a serial number in hexadecimal digits")
        }
        return .serialNumber(serialNumber)
    }

    /// Revokes all of them in the state folder's ledger, or none.
    private static func revoke(_ targets: [Target], in trust: TrustMaterial) throws -> [CertificateRecord] {
        let now = Terminal.now
        do throws(TrustError) {
            let ledger = try trust.updateLedger { (ledger) throws(TrustError) in
                for target in targets {
                    switch target {
                    case .certificate(let identity, let pem): ledger.revoke(identity, pem: pem, at: now)
                    case .serialNumber(let serialNumber):
                        guard ledger.revoke(serialNumber: serialNumber, at: now) != nil else {
                            throw TrustError(
                                .badSetting, "unknown serial number \(serialNumber)",
                                remedy: "`mynah certs list` shows those issued; name another CA's by its file")
                        }
                    }
                }
            }
            return targets.compactMap { ledger[$0.serialNumber] }
        } catch {
            guard error.code == .badSetting else { throw error }
            throw CommandFailure(.notFound, error.description)
        }
    }

    /// Revokes on every running server with the folder; returns a failure if one doesn't answer.
    private static func update(
        _ serialNumbers: [String], of trust: TrustMaterial, _ done: inout Revocation
    ) async throws -> CommandFailure? {
        let environment = ProcessEnvironment.variables
        var silent: [String] = []
        let servers = try LocatorFolder(environment: environment).servers(of: LocatorFolder.Owner.allCases)
        for ready in servers where ready.caFile == trust.caFile {
            let place = "\(ready.controlURL) (process \(ready.pid))"
            do throws(ClientError) {
                let client = ControlClient(try ServerLocator(url: ready.controlURL, environment: environment).find())
                for serialNumber in serialNumbers { _ = try await client.documents.revokeCertificate(serialNumber) }
                try done.updated(ready.controlURL, place)
            } catch {
                silent.append("\(place) was not updated: \(error.message)\n")
            }
        }
        guard !silent.isEmpty else { return nil }
        let rest = "The certificate is revoked in the state folder; that server refuses it after its next start."
        return CommandFailure(.unavailable, silent.joined() + rest)
    }
}
