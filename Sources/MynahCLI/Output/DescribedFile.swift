import APNsRules
import Mynah
import MynahClient
import MynahTrust

/// A file of trust material, with its description.
struct DescribedFile: Sendable {
    private let file: String
    private let kind: String
    private let facts: TrustFile?
    private let identity: CertificateIdentity?

    /// Reads a file in PEM or PKCS #12.
    ///
    /// - Throws: ``CommandFailure`` that names the file and its fault.
    init(_ file: String, password: String?) throws(CommandFailure) {
        self.file = file
        let bytes = try NamedFile.bytes(file)
        do throws(TrustError) {
            // PKCS #12 is DER, which begins with a sequence.
            if bytes.first == 0x30 {
                identity = try ProviderIdentityFile.readCertificate(file, password: password).identity
                facts = nil
                kind = "pkcs12"
            } else {
                let read = try TrustFile(String(decoding: bytes, as: UTF8.self), file: file)
                (facts, identity, kind) = (read, read.identity, read.kind.rawValue)
            }
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    private var serialNumber: String? { identity?.serialNumber ?? facts?.serialNumber }

    /// A paragraph, for people.
    var text: String {
        var rows = [("file", file), ("kind", name)]
        if let subject = identity?.subject ?? facts?.subject { rows.append(("subject", subject)) }
        if let serialNumber { rows.append(("serial number", serialNumber)) }
        if let identity {
            rows.append(("topics", identity.topics.map(\.name).joined(separator: ", ")))
            rows.append(("environment", identity.environment.rawValue))
        }
        if let (from, to) = validity {
            rows.append(("valid", "\(CertificateTable.day(from)) to \(CertificateTable.day(to))"))
        }
        return CertificateTable.rows(rows)
    }

    private var name: String {
        switch kind {
        case "authority": "CA"
        case "provider": "provider certificate"
        case "pkcs12": "provider certificate with its key, PKCS #12"
        case "key": "private key, \(facts?.algorithm ?? "")"
        default: kind
        }
    }

    private var validity: (Instant, Instant)? {
        if let identity { return (identity.notBefore, identity.notAfter) }
        guard let from = facts?.notBefore, let to = facts?.notAfter else { return nil }
        return (from, to)
    }

    /// An object with the members that this kind of file has.
    var json: JSONValue {
        var members = [JSONMember("file", .string(file)), JSONMember("kind", .string(kind))]
        if let algorithm = facts?.algorithm { members.append(JSONMember("algorithm", .string(algorithm))) }
        if let serialNumber { members.append(JSONMember("serialNumber", .string(serialNumber))) }
        if let subject = identity?.subject ?? facts?.subject { members.append(JSONMember("subject", .string(subject))) }
        if let identity {
            members.append(JSONMember("topics", CertificateRecord.json(identity.topics)))
            members.append(JSONMember("environment", .string(identity.environment.rawValue)))
        }
        if let (from, to) = validity {
            members.append(JSONMember("notBefore", .string(from.rfc3339)))
            members.append(JSONMember("notAfter", .string(to.rfc3339)))
        }
        return .object(members)
    }
}
