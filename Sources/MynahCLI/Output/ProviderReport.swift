import APNsRules
import Mynah

/// What `mynah certs provider` says of what it made.
struct ProviderReport: Sendable {
    let issued: IssuedCertificate
    let files: ProviderFiles
    let caFile: String
    /// The first port of a server with these settings; 0 where it takes a free one.
    let port: Int

    /// Where everything is, what it is good for, and lines to paste.
    var text: String {
        let identity = issued.certificate.identity
        let rows = [
            ("certificate", files.certificate), ("key", files.key),
            ("PKCS #12", "\(files.pkcs12) (password: \(issued.password))"),
            ("serial number", identity.serialNumber),
            ("topics", identity.topics.map(\.name).joined(separator: ", ")),
            ("environment", identity.environment.rawValue),
            ("valid", "\(CertificateTable.day(identity.notBefore)) to \(CertificateTable.day(identity.notAfter))"),
        ]
        return ([CertificateTable.rows(rows), "", "Send a push with it:", ""] + commands).joined(separator: "\n")
    }

    private var commands: [String] {
        let topic = issued.certificate.identity.defaultTopic == nil ? issued.certificate.identity.topics.first : nil
        let (certificate, key) = (Banner.quoted(files.certificate), Banner.quoted(files.key))
        return [
            "  mynah send --certificate \(certificate) --certificate-key \(key) \\",
            "    \(topic.map { "--topic \($0.name) " } ?? "")--alert hi --to \(Banner.exampleToken)",
            "  curl --http2 --cacert \(Banner.quoted(caFile)) --cert \(certificate) --key \(key) \\",
            "    \(topic.map { "-H \"apns-topic: \($0.name)\" " } ?? "")-H \"apns-push-type: alert\" "
                + "-d '{\"aps\":{\"alert\":\"hi\"}}' \\",
            "    https://localhost:\(port == 0 ? 2197 : port)/3/device/\(Banner.exampleToken)",
        ]
    }

    /// The same as one object.
    var json: JSONValue {
        .object(
            (issued.certificate.json.object ?? []) + [
                JSONMember(
                    "files",
                    [
                        "certificate": .string(files.certificate), "key": .string(files.key),
                        "pkcs12": .string(files.pkcs12), "ca": .string(caFile),
                    ]),
                JSONMember("password", .string(issued.password)),
            ])
    }
}
