import APNsRules
import Mynah
import MynahClient
import MynahTrust

/// The state folder of the settings, as the commands of `mynah certs` describe it; the server's own is
/// `MynahTrust.StateFolder`.
struct DescribedStateFolder {
    private let path: String

    init(_ settings: Settings) { path = FileAccess.absolute(settings.stateDirectory ?? "./certs") }
    var hasAuthority: Bool { FileAccess.exists(path + "/ca.pem") }

    /// Throws if the folder has no CA, for commands that must not make one.
    func checkAuthority() throws(CommandFailure) {
        guard hasAuthority else {
            throw CommandFailure(
                .configuration,
                "\(path) has no CA: make one with `mynah certs init`, or name another folder with --state-dir")
        }
    }

    /// The folder's files and the issued certificates, for `mynah certs list`.
    func description(asJSON: Bool, now: Instant) throws -> String {
        try checkAuthority()
        let names = try FileAccess.names(in: path) ?? []
        func file(_ name: String) throws -> DescribedFile { try DescribedFile("\(path)/\(name)", password: nil) }
        let authority = try file("ca.pem")
        let server = names.contains("server.pem") ? try file("server.pem") : nil
        let keys = try names.filter { SigningKey.keyID(inFileName: $0) != nil }.map(file)
        var ledger = LedgerFile(stateDirectory: path)
        try ledger.readOn()
        let certificates = ledger.ledger.items
        if asJSON {
            let json: JSONValue = [
                "stateDirectory": .string(path), "authority": authority.json, "server": server?.json ?? .null,
                "keys": .array(keys.map(\.json)), "certificates": .array(certificates.map(\.json)),
            ]
            return json.encodedText
        }
        let files = [authority] + [server].compactMap(\.self) + keys
        return (files.map(\.text) + [DescribedStateFolder.table(certificates, now: now)]).joined(separator: "\n\n")
    }

    private static func table(_ certificates: [CertificateRecord], now: Instant) -> String {
        guard !certificates.isEmpty else { return "no provider certificates: `mynah certs provider` makes one" }
        let rows = certificates.map { certificate in
            let identity = certificate.identity
            return [
                identity.serialNumber, identity.environment.rawValue, identity.notAfter.day,
                certificate.revokedAt.map { "revoked \($0.day)" } ?? (now > identity.notAfter ? "expired" : "good"),
                identity.topics.map(\.name).joined(separator: ", "),
            ]
        }
        return TextTable.text(["SERIAL NUMBER", "ENVIRONMENT", "VALID UNTIL", "STATE", "TOPICS"], rows)
    }
}

struct DescribedFile {
    private let file: String
    private let kind: String
    private let facts: TrustFile
    /// Whether a PKCS #12 has the key of its certificate.
    private let hasKey: Bool

    init(_ file: String, password: String?) throws {
        self.file = file
        let bytes = try NamedFile.bytes(file)
        if ProviderIdentityFile.isDER(bytes) {
            let read = try ProviderIdentityFile.describe(file, password: password)
            facts = read.facts
            hasKey = read.hasKey
            kind = read.isArchive ? "pkcs12" : read.facts.kind.rawValue
        } else {
            facts = try TrustFile(FileAccess.text(bytes, of: file, isOfKeys: true), file: file)
            hasKey = false
            kind = facts.kind.rawValue
        }
    }

    var text: String {
        let rows: [(String, String?)] = [
            ("file", file), ("kind", name), ("subject", facts.subject),
            ("serial number", facts.serialNumber),
            ("topics", facts.identity?.topics.map(\.name).joined(separator: ", ")),
            ("environment", facts.identity?.environment.rawValue),
            ("valid", facts.notBefore.flatMap { from in facts.notAfter.map { "\(from.day) to \($0.day)" } }),
        ]
        return TextTable.rows(rows)
    }

    private var name: String {
        let content =
            switch facts.kind {
            case .authority: "CA"
            case .provider: "provider certificate"
            case .key: "private key, \(facts.algorithm ?? "")"
            case .certificate: "certificate"
            }
        return kind == "pkcs12" ? "\(content)\(hasKey ? " with its key" : ""), PKCS #12" : content
    }

    /// What `--json` prints; it is by hand because no call answers it, and so no schema describes it.
    var json: JSONValue {
        .object(
            [JSONMember](given: [
                "file": file, "kind": kind, "algorithm": facts.algorithm, "serialNumber": facts.serialNumber,
                "subject": facts.subject, "topics": facts.identity.map { CertificateRecord.json($0.topics) },
                "environment": facts.identity?.environment.rawValue, "notBefore": facts.notBefore?.rfc3339,
                "notAfter": facts.notAfter?.rfc3339,
            ]))
    }
}

extension Instant {
    fileprivate var day: String { String(rfc3339.prefix(10)) }
}
