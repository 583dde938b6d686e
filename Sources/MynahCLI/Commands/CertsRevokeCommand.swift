import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahTrust

struct CertsRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes provider certificates, also on running servers.",
        discussion: """
            By serial number, or by a file that has the certificate:

              mynah certs revoke 5A7F00C3D1E94B62A0917C55E8D3F412
              mynah certs revoke com.example.app.pem

            When the command ends, all running servers of this user with the state folder
            refuse the certificate in handshakes, and answer BadCertificate to pushes on
            its open connections. Name a server in memory, or of another user, with --url.

            Exit codes: 0 success, 64 unknown certificate, 69 a server did not answer, 78
            unusable file.
            """)

    @Argument(help: ArgumentHelp("Serial numbers, and files with certificates.", valueName: "serial|file"))
    var certificates: [String]
    @OptionGroup var password: PasswordOptions
    @OptionGroup var folder: StateFolderOption
    @OptionGroup var server: ServerOptions

    /// What an argument means.
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
        let password = try password.text()
        let targets = try certificates.map { try CertsRevokeCommand.target($0, password) }
        let serialNumbers = targets.map(\.serialNumber)
        let environment = ProcessEnvironment.variables
        if server.names(in: environment) {
            // That server changes its ledger itself.
            let client = try server.client()
            for serialNumber in serialNumbers {
                try Terminal.out(CertificateTable.revoked(try await client.revokeCertificate(serialNumber)))
            }
            try Terminal.out("updated \(client.url)")
            return
        }
        let resolved = try folder.settings()
        try StateFolderContents.checkAuthority(in: resolved.settings.server)
        let trust = try TrustMaterial.kept(resolved.settings.server, resolved.logger(label: "mynah"))
        for certificate in try CertsRevokeCommand.revoke(targets, in: trust) {
            try Terminal.out(CertificateTable.revoked(certificate.json))
        }
        try await CertsRevokeCommand.update(serialNumbers, of: trust, environment)
    }

    private static func target(_ argument: String, _ password: String?) throws -> Target {
        if FileAccess.exists(argument) {
            do throws(TrustError) {
                let read = try ProviderIdentityFile.readCertificate(argument, password: password)
                return .certificate(read.identity, pem: read.certificatePEM)
            } catch {
                throw CommandFailure(.configuration, error.description)
            }
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
            return targets.compactMap { target in
                ledger.items.first { $0.identity.serialNumber == target.serialNumber }.map(CertificateRecord.init)
            }
        } catch {
            throw CommandFailure(error.code == .badSetting ? .usage : .configuration, error.description)
        }
    }

    /// Revokes on every running server with the folder; throws if one doesn't answer.
    private static func update(
        _ serialNumbers: [String], of trust: TrustMaterial, _ environment: [String: String]
    ) async throws {
        var silent: [String] = []
        let servers = try LocatorFolder(environment: environment).servers(of: LocatorFolder.Owner.allCases)
        for ready in servers where ready.caFile == trust.caFile {
            let place = "\(ready.controlURL) (process \(ready.pid))"
            do throws(ClientError) {
                let client = ControlClient(
                    try ServerLocator(url: ready.controlURL, environment: environment).find())
                for serialNumber in serialNumbers { _ = try await client.revokeCertificate(serialNumber) }
                try Terminal.out("updated \(place)")
            } catch {
                silent.append("\(place) was not updated: \(error.message)")
            }
        }
        guard silent.isEmpty else {
            throw CommandFailure(
                .unavailable,
                silent.joined(separator: "\n")
                    + "\nThe certificate is revoked in the state folder; that server refuses it after its next start.")
        }
    }
}

extension ServerOptions {
    /// Whether the user named a server.
    func names(in environment: [String: String]) -> Bool {
        url != nil || readyFile != nil || environment.nonEmpty("MYNAH_URL") != nil
            || environment.nonEmpty("MYNAH_READY_FILE") != nil
    }
}
