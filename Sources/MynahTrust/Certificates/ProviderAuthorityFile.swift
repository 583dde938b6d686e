internal import APNsRules

/// A file of `--provider-ca`: PEM with the certificates of one or more CAs (`ControlAPI`).
enum ProviderAuthorityFile {
    private static let remedy =
        "Give a PEM file with the CA's certificate with --provider-ca; to convert DER to PEM, run "
        + "`openssl x509 -inform der -in FILE -out FILE.pem`"

    /// Reads the CAs from files, each CA once; an error names the first faulty file.
    static func read(_ files: [String], now: Instant) throws(TrustError) -> [[UInt8]] {
        var authorities: [[UInt8]] = []
        for file in files {
            for der in try read(file, now: now) where !authorities.contains(der) { authorities.append(der) }
        }
        return authorities
    }

    private static func read(_ file: String, now: Instant) throws(TrustError) -> [[UInt8]] {
        let text = try FileSystem.text(of: file, remedy: "Check --provider-ca")
        do throws(TrustError) {
            var authorities: [[UInt8]] = []
            for (index, block) in try PEM.requiredBlocks(in: text).enumerated() {
                let certificate = try Certificate(block, number: index + 1)
                try check(certificate, number: index + 1, at: now)
                authorities.append(try certificate.der())
            }
            return authorities
        } catch {
            throw error.withRemedy(remedy).inFile(file)
        }
    }

    private static func check(_ certificate: borrowing Certificate, number: Int, at now: Instant) throws(TrustError) {
        let subject = certificate.subjectLine ?? "a subject that cannot be read"
        let phrase = "has a certificate (number \(number), \(subject))"
        guard certificate.isDeclaredAuthority else {
            throw .malformed("\(phrase) that is not a CA's: it lacks the basic constraint CA:TRUE")
        }
        guard certificate.maySignCertificates else {
            throw .malformed("\(phrase) whose key usage lacks keyCertSign, so it may not sign certificates")
        }
        guard let fault = try certificate.timeFault(at: now) else { return }
        throw TrustError(
            .expired, "\(phrase) that \(fault)",
            remedy: "Check the clock, or give the CA's current certificate with --provider-ca")
    }
}

/// A file of CAs that a client trusts (`--ca-file`), in any form of PEM that ``PEM`` reads.
package enum AuthorityText {
    /// The certificates of a text in the form that OpenSSL reads; an error is a clause about the text.
    package static func pem(_ text: String) throws(TrustError) -> String {
        let remedy = "Give a PEM file with the CA's certificate"
        do throws(TrustError) {
            var certificates = ""
            for (index, block) in try PEM.requiredBlocks(in: text).enumerated() where block.isCertificate {
                certificates += PEM.certificate(try Certificate(block, number: index + 1).der())
            }
            guard !certificates.isEmpty else { throw .malformed("holds no certificate") }
            return certificates
        } catch {
            throw error.withRemedy(remedy)
        }
    }
}
