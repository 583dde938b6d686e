internal import APNsRules

/// A file of `--provider-ca`: PEM with the certificates of one or more CAs (`ControlAPI`).
enum ProviderAuthorityFile {
    private static let remedy =
        "Give a PEM file with the CA's certificate with --provider-ca; to convert DER to PEM, run "
        + "`openssl x509 -inform der -in FILE -out FILE.pem`"

    /// Reads the CAs of some files, each CA once; an error names the first file with a fault.
    static func read(_ files: [String], now: Instant) throws(TrustError) -> [[UInt8]] {
        var authorities: [[UInt8]] = []
        for file in files {
            for der in try read(file, now: now) where !authorities.contains(der) { authorities.append(der) }
        }
        return authorities
    }

    private static func read(_ file: String, now: Instant) throws(TrustError) -> [[UInt8]] {
        let text = try FileSystem.text(of: file, remedy: "Check --provider-ca")
        guard !text.allSatisfy(\.isWhitespace) else { throw fault(file, "is empty") }
        let blocks = PEM.blocks(in: text)
        guard !blocks.isEmpty else { throw fault(file, "is not PEM: no complete BEGIN and END lines") }
        var authorities: [[UInt8]] = []
        for (index, block) in blocks.enumerated() {
            guard block.label == "CERTIFICATE" else {
                throw fault(file, "holds a \(block.label); only a CERTIFICATE was expected")
            }
            guard let der = block.der else {
                throw fault(file, "has a CERTIFICATE (number \(index + 1)) whose text is not base64")
            }
            try check(der, "number \(index + 1)", file, now)
            authorities.append(der)
        }
        return authorities
    }

    private static func check(
        _ der: [UInt8], _ place: String, _ file: String, _ now: Instant
    ) throws(TrustError) {
        func unreadable(_ error: TrustError) -> TrustError {
            fault(file, "has a certificate (\(place)) that OpenSSL cannot read (\(error.problem))")
        }
        let certificate = try attempt(Certificate(der: der), orThrow: unreadable)
        let from = try attempt(certificate.notBefore(), orThrow: unreadable)
        let to = try attempt(certificate.notAfter(), orThrow: unreadable)
        let who = "has a certificate (\(place), \(certificate.subjectLine ?? "a subject that cannot be read"))"
        guard certificate.isDeclaredAuthority else {
            throw fault(file, "\(who) that is not a CA's: it lacks the basic constraint CA:TRUE")
        }
        guard certificate.maySignCertificates else {
            throw fault(file, "\(who) whose key usage lacks keyCertSign, so it may not sign certificates")
        }
        guard now <= to else {
            throw TrustError(
                .expired, file: file, "\(who) that has expired on \(to.rfc3339)",
                remedy: "Give the CA's present certificate with --provider-ca")
        }
        guard now >= from else {
            throw TrustError(
                .expired, file: file, "\(who) that is not valid before \(from.rfc3339), and it is \(now.rfc3339) now",
                remedy: "Check the clock, or give the CA's present certificate with --provider-ca")
        }
    }

    private static func fault(_ file: String, _ problem: String) -> TrustError {
        TrustError(.malformed, file: file, problem, remedy: remedy)
    }
}
