import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahTrust

/// `mynah certs revoke`: makes provider certificates worthless, also where they are in use.
struct CertsRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes provider certificates, and tells the servers that run.",
        discussion: """
            By serial number, or by a file that has the certificate:

              mynah certs revoke 5A7F00C3D1E94B62A0917C55E8D3F412
              mynah certs revoke com.example.app.pem

            Every running server of this user that uses the state folder is told, and
            only then this command ends: handshakes with the certificate fail from then
            on, and pushes on its open connections are refused with BadCertificate. A
            server that runs in memory, or elsewhere, is named by --url.

            Exit codes: 0 done, 64 no such certificate, 69 a server could not be told, 78
            a file that can't be used.
            """)

    @Argument(help: ArgumentHelp("Serial numbers, and files with certificates.", valueName: "serial|file"))
    var certificates: [String]
    @OptionGroup var password: PasswordOptions
    @OptionGroup var folder: StateFolderOption
    @OptionGroup var server: ServerOptions

    /// What an argument means.
    private enum Target {
        case serialNumber(String)
        /// In a file, and so known whoever issued it.
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
            // That server keeps its ledger itself.
            let client = try server.client()
            for serialNumber in serialNumbers {
                try Terminal.out(CertificateTable.revoked(try await client.revokeCertificate(serialNumber)))
            }
            try Terminal.out("told \(client.url)")
            return
        }
        let resolved = try folder.settings()
        try StateFolderContents.checkAuthority(in: resolved.settings.server)
        let trust = try TrustMaterial.kept(resolved.settings.server, resolved.logger(label: "mynah"))
        for certificate in try CertsRevokeCommand.revoke(targets, in: trust) {
            try Terminal.out(CertificateTable.revoked(certificate.json))
        }
        try await CertsRevokeCommand.tell(serialNumbers, of: trust, environment)
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
            throw CommandFailure(.usage, "\(argument) is neither a file nor a serial number in hexadecimal digits")
        }
        return .serialNumber(serialNumber)
    }

    /// Enters all of them in the state folder's ledger, or none.
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
                                .badSetting, "no certificate with the serial number \(serialNumber) was issued here",
                                remedy: "`mynah certs list` shows those that were; another CA's is named by its file")
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

    /// Tells every server that uses the folder; says which were told, and ends with a failure when one was not.
    private static func tell(
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
                try Terminal.out("told \(place)")
            } catch {
                silent.append("\(place) could not be told: \(error.message)")
            }
        }
        guard silent.isEmpty else {
            throw CommandFailure(
                .unavailable,
                silent.joined(separator: "\n")
                    + "\nThe certificate is revoked in the state folder; a server that was not told knows it from "
                    + "its next start on.")
        }
    }
}

extension ServerOptions {
    /// Whether a server is named, so that none has to be looked for.
    func names(in environment: [String: String]) -> Bool {
        url != nil || readyFile != nil || environment.nonEmpty("MYNAH_URL") != nil
            || environment.nonEmpty("MYNAH_READY_FILE") != nil
    }
}
