internal import APNsRules

/// A file of `--provider-ca`: PEM with the certificates of one or more CAs (`ControlAPI`).
enum ProviderAuthorityFile {
    private static let remedy =
        "Give a PEM file with the CA's certificate with --provider-ca; to convert DER to PEM, run "
        + "`openssl x509 -inform der -in FILE -out FILE.pem`"

    /// Reads the CAs of some files, each CA once.
    ///
    /// - Throws: ``TrustError`` that names the first file with a fault: unreadable, not PEM, without a certificate, or
    ///   with a certificate that isn't a CA's, may not sign, has expired or isn't valid yet.
    static func read(_ files: [String], now: Instant) throws(TrustError) -> [[UInt8]] {
        var authorities: [[UInt8]] = []
        for file in files {
            for der in try read(file, now: now) where !authorities.contains(der) { authorities.append(der) }
        }
        return authorities
    }

    private static func read(_ file: String, now: Instant) throws(TrustError) -> [[UInt8]] {
        let text = try FileSystem.text(of: file, remedy: "Check --provider-ca")
        guard !text.allSatisfy(\.isWhitespace) else { throw fault(.malformed, file, "is empty") }
        let blocks = PEM.blocks(in: text)
        guard !blocks.isEmpty else { throw fault(.malformed, file, "is not PEM: no complete BEGIN and END lines") }
        var authorities: [[UInt8]] = []
        for (index, block) in blocks.enumerated() {
            guard block.label == "CERTIFICATE" else {
                throw fault(.malformed, file, "holds a \(block.label); only a CERTIFICATE was expected")
            }
            guard let der = block.der else {
                throw fault(.malformed, file, "has a CERTIFICATE (number \(index + 1)) whose text is not base64")
            }
            try check(der, "number \(index + 1)", file, now)
            authorities.append(der)
        }
        return authorities
    }

    private static func check(
        _ der: [UInt8], _ place: String, _ file: String, _ now: Instant
    ) throws(TrustError) {
        let facts: (subject: String, from: Instant, to: Instant, isAuthority: Bool, maySign: Bool)
        do {
            let certificate = try Certificate(der: der)
            facts = try (
                certificate.subjectLine ?? "a subject that cannot be read", certificate.notBefore(),
                certificate.notAfter(), certificate.isDeclaredAuthority, certificate.maySignCertificates
            )
        } catch {
            throw fault(.malformed, file, "has a certificate (\(place)) that OpenSSL cannot read (\(error))")
        }
        let who = "has a certificate (\(place), \(facts.subject))"
        guard facts.isAuthority else {
            throw fault(.malformed, file, "\(who) that is not a CA's: it lacks the basic constraint CA:TRUE")
        }
        guard facts.maySign else {
            throw fault(.malformed, file, "\(who) whose key usage lacks keyCertSign, so it may not sign certificates")
        }
        guard now <= facts.to else {
            throw TrustError(
                .expired, file: file, "\(who) that has expired on \(facts.to.rfc3339)",
                remedy: "Give the CA's present certificate with --provider-ca")
        }
        guard now >= facts.from else {
            throw TrustError(
                .expired, file: file,
                "\(who) that is not valid before \(facts.from.rfc3339), and it is \(now.rfc3339) now",
                remedy: "Check the clock, or give the CA's present certificate with --provider-ca")
        }
    }

    private static func fault(_ code: TrustError.Code, _ file: String, _ problem: String) -> TrustError {
        TrustError(code, file: file, problem, remedy: remedy)
    }
}
