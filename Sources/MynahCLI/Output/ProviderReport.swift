import APNsRules

/// The output of `mynah certs provider`.
struct ProviderReport: Sendable {
    /// The certificate's CA, and a server that accepts the certificate.
    struct Issuer: Sendable {
        /// The CA's certificate; `nil` if only the control API has it.
        let caFile: String?
        /// The control API of the issuing server; `nil` for the state folder's CA.
        let controlURL: String?
        /// Host and port for pushes: `localhost:2197`.
        let apnsAuthority: String
    }

    /// The answer of `POST /v1/certificates`.
    let issued: JSONValue
    let files: ProviderFiles
    let issuer: Issuer

    /// The files, the certificate's contents, and commands to paste.
    var text: String {
        let rows = [
            ("certificate", files.certificate), ("key", files.key),
            ("PKCS #12", "\(files.pkcs12) (password: \(member("password")))"),
            ("issued by", issuer.controlURL ?? issuer.caFile ?? ""),
            ("serial number", member("serialNumber")), ("topics", topics.joined(separator: ", ")),
            ("environment", member("environment")),
            // Only the days.
            ("valid", "\(member("notBefore").prefix(10)) to \(member("notAfter").prefix(10))"),
        ]
        return ([CertificateTable.rows(rows), "", "Send a push with it:", ""] + commands).joined(separator: "\n")
    }

    private func member(_ name: String) -> String { issued[name]?.string ?? "" }

    private var topics: [String] { (issued["topics"]?.array ?? []).compactMap { $0["topic"]?.string } }

    private var commands: [String] {
        let topic = topics.count > 1 ? topics.first : nil
        let (certificate, key) = (Banner.quoted(files.certificate), Banner.quoted(files.key))
        let download = issuer.controlURL.map { "  curl -s \($0)/ca.pem -o ca.pem" }
        return [
            "  mynah send --certificate \(certificate) --certificate-key \(key) \\",
            "    \(topic.map { "--topic \($0) " } ?? "")--alert hi --to \(Banner.exampleToken)",
        ] + [issuer.caFile == nil ? download : nil].compactMap(\.self) + [
            "  curl --http2 --cacert \(Banner.quoted(issuer.caFile ?? "ca.pem")) --cert \(certificate) --key \(key) \\",
            "    \(topic.map { "-H \"apns-topic: \($0)\" " } ?? "")-H \"apns-push-type: alert\" "
                + "-d '{\"aps\":{\"alert\":\"hi\"}}' \\",
            "    https://\(issuer.apnsAuthority)/3/device/\(Banner.exampleToken)",
        ]
    }

    /// The same as one object, without the contents of the files.
    var json: JSONValue {
        let kept = (issued.object ?? []).filter { !["authority", "privateKey", "pkcs12"].contains($0.name) }
        let file = JSONMember(
            "files",
            [
                "certificate": .string(files.certificate), "key": .string(files.key),
                "pkcs12": .string(files.pkcs12), "ca": issuer.caFile.map { .string($0) } ?? .null,
            ])
        return .object(kept + [file])
    }
}
