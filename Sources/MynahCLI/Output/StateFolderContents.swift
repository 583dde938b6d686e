import APNsRules
import Mynah
import MynahClient
import MynahTrust

/// The contents of a state folder.
struct StateFolderContents: Sendable {
    private let folder: String
    private let authority: DescribedFile
    private let server: DescribedFile?
    private let keys: [DescribedFile]
    private let certificates: [CertificateRecord]

    /// Reads a folder by its absolute path.
    ///
    /// - Throws: ``CommandFailure`` that names the folder or the file.
    init(_ folder: String) throws {
        self.folder = folder
        guard let names = try FileAccess.names(in: folder), names.contains("ca.pem") else {
            throw StateFolderContents.noAuthority(folder)
        }
        authority = try DescribedFile(folder + "/ca.pem", password: nil)
        server = names.contains("server.pem") ? try DescribedFile(folder + "/server.pem", password: nil) : nil
        keys = try names.filter { SigningKey.keyID(inFileName: $0) != nil }
            .map { try DescribedFile(folder + "/" + $0, password: nil) }
        do throws(TrustError) {
            certificates = try CertificateLedger.read(stateDirectory: folder).items.map(CertificateRecord.init)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    /// Throws if the folder has no CA, for commands that must not make one.
    static func checkAuthority(in settings: Settings) throws(CommandFailure) {
        guard hasAuthority(in: settings) else { throw noAuthority(folder(settings)) }
    }

    static func hasAuthority(in settings: Settings) -> Bool { FileAccess.exists(folder(settings) + "/ca.pem") }

    private static func folder(_ settings: Settings) -> String {
        FileAccess.absolute(settings.stateDirectory ?? "./certs")
    }

    private static func noAuthority(_ folder: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            "\(folder) has no CA: make one with `mynah certs init`, or name another folder with --state-dir")
    }

    /// Paragraphs, for people.
    func text(now: Instant) -> String {
        var parts = [authority.text]
        if let server { parts.append(server.text) }
        parts += keys.map(\.text)
        parts.append(
            certificates.isEmpty
                ? "no provider certificates: `mynah certs provider` makes one"
                : CertificateTable.text(certificates, now: now))
        return parts.joined(separator: "\n\n")
    }

    var json: JSONValue {
        [
            "stateDirectory": .string(folder),
            "authority": authority.json,
            "server": server?.json ?? .null,
            "keys": .array(keys.map(\.json)),
            "certificates": .array(certificates.map(\.json)),
        ]
    }
}
