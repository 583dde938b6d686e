import APNsRules
import Foundation
import Testing

@testable import MynahTrust

@Suite("Files of CAs and providers")
struct ProviderFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func pem(_ der: [UInt8]) -> String { PEM.encode(der, label: "CERTIFICATE") }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
    }

    private func archive(_ base64: String) throws -> [UInt8] {
        try #require(Base64.decode(base64.utf8.filter { $0 != 0x0A && $0 != 0x20 })?.bytes)
    }

    // MARK: - --provider-ca

    private func authorities(_ text: String) throws -> [[UInt8]] {
        try folder.write(text, to: "ca.pem")
        return try ProviderAuthorityFile.read([folder("ca.pem")], now: testNow)
    }

    @Test("several CAs in several files are read, each once, text around them skipped")
    func several() throws {
        let one = try Workshop("1")
        let two = try Workshop("2")
        try folder.write(pem(one.der), to: "one.pem")
        #expect(try authorities("Subject: 1\n" + pem(one.der) + "\n" + pem(two.der)) == [one.der, two.der])
        #expect(
            try ProviderAuthorityFile.read([folder("one.pem"), folder("ca.pem")], now: testNow) == [one.der, two.der])
    }

    @Test("a file that is missing, empty or without certificates in PEM is an error that names it")
    func noAuthorities() throws {
        let missing = try trustError { _ = try ProviderAuthorityFile.read([folder("none.pem")], now: testNow) }
        #expect(missing.code == .unreadable && missing.file == folder("none.pem"))
        #expect(missing.remedy.contains("--provider-ca"))
        let cases = [
            ("", "is empty"), (" \n", "is empty"), ("hello", "is not PEM"),
            (String(pem(try Workshop("1").der).dropLast(40)), "is cut off"),
            (CertificateFixtures.key, "holds a PRIVATE KEY; only a CERTIFICATE was expected"),
            ("-----BEGIN CERTIFICATE-----\n%\n-----END CERTIFICATE-----\n", "(number 1) whose text is not base64"),
            (pem([0x30, 0]), "has a certificate (number 1) that OpenSSL cannot read"),
        ]
        for (text, problem) in cases {
            let error = try trustError { _ = try authorities(text) }
            #expect(error.code == .malformed && error.file == folder("ca.pem"))
            #expect(error.problem.contains(problem), "\(error)")
            #expect(error.remedy.contains("--provider-ca"))
        }
    }

    @Test("a certificate that is not a CA's, may not sign or is not valid now is an error")
    func unfitAuthorities() throws {
        let good = try Workshop("good")
        let second: Duration = .seconds(1)
        let withoutSigning: Workshop.Extensions = [("basicConstraints", "CA:TRUE"), ("keyUsage", "cRLSign")]
        let cases: [([UInt8], TrustError.Code, String)] = [
            (try good.sign(), .malformed, "UID=com.example.app,CN=x) that is not a CA's"),
            (try Workshop("old", extensions: []).der, .malformed, "CN=old) that is not a CA's"),
            (try Workshop("x", extensions: withoutSigning).der, .malformed, "whose key usage lacks keyCertSign"),
            (try Workshop("x", to: testNow.advanced(by: .zero - second)).der, .expired, "that expired on"),
            (try Workshop("x", from: testNow.advanced(by: second)).der, .expired, "that is not valid before"),
        ]
        for (der, code, problem) in cases {
            let error = try trustError { _ = try authorities(pem(good.der) + pem(der)) }
            #expect(error.code == code)
            #expect(error.problem.contains("(number 2, ") && error.problem.contains(problem), "\(error)")
        }
        let withoutUsage = try Workshop("x", extensions: [("basicConstraints", "CA:TRUE")])
        #expect(try authorities(pem(withoutUsage.der)) == [withoutUsage.der])
    }

    @Test("a bad --provider-ca prevents the start")
    func bootstrapping() throws {
        let error = try trustError {
            _ = try TrustMaterial.open(stateDirectory: nil, providerCAFiles: [folder("none.pem")], now: testNow)
        }
        #expect(error.file == folder("none.pem"))
    }

    // MARK: - A provider's certificate and key

    private func read(
        _ certificate: String, _ key: String? = nil, _ password: String? = nil
    ) throws -> ProviderIdentityFile {
        try ProviderIdentityFile.read(certificate: folder(certificate), key: key.map { folder($0) }, password: password)
    }

    private func expectKept(_ identity: ProviderIdentityFile) {
        #expect(identity.chainPEM == CertificateFixtures.certificate)
        #expect(PEM.blocks(in: identity.keyPEM).map(\.label) == ["PRIVATE KEY"])
        #expect(identity.identity?.topics.map(\.name) == ["com.example.kept"])
        #expect(!"\(identity)".contains("PRIVATE KEY"))
    }

    @Test("PEM in one file or two, the key encrypted or not")
    func pemFiles() throws {
        try folder.write(CertificateFixtures.certificate, to: "certificate.pem")
        try folder.write(CertificateFixtures.key, to: "key.pem")
        try folder.write(CertificateFixtures.key + CertificateFixtures.certificate, to: "both.pem")
        try folder.write(CertificateFixtures.encryptedKey, to: "encrypted.pem")
        try folder.write(CertificateFixtures.encryptedTraditionalKey, to: "traditional.pem")
        try expectKept(read("certificate.pem", "key.pem"))
        try expectKept(read("both.pem"))
        try expectKept(read("both.pem", "both.pem", "unneeded"))
        for name in ["encrypted.pem", "traditional.pem"] {
            try expectKept(read("certificate.pem", name, "secret"))
            for password in [nil, "", "Secret"] {
                let error = try trustError { _ = try read("certificate.pem", name, password) }
                #expect(error.code == .badSetting && error.file == folder(name))
                let words = password == nil ? "no password was given" : "a different password"
                #expect(error.problem.contains(words), "\(error)")
            }
        }
    }

    @Test("the certificate may be DER, as Apple issues it")
    func der() throws {
        try write(#require(PEM.blocks(in: CertificateFixtures.certificate).first?.der), to: "aps.cer")
        try folder.write(CertificateFixtures.key, to: "key.pem")
        try expectKept(read("aps.cer", "key.pem"))
        let error = try trustError { _ = try read("aps.cer") }
        #expect(error.problem == "holds no private key")
    }

    @Test("the chain begins with the key's certificate, regardless of its place in the file")
    func chainOrder() throws {
        let root = try Workshop()
        let key = try #require(PEM.blocks(in: CertificateFixtures.rsa).first?.der)
        let own = try root.sign(key: key)
        try folder.write(pem(root.der) + pem(own) + CertificateFixtures.rsa, to: "all.pem")
        let read = try read("all.pem")
        #expect(PEM.blocks(in: read.chainPEM).map(\.der) == [own, root.der])
        #expect(read.identity?.subjectID == "com.example.app")
    }

    @Test("a certificate that is not a provider's has no identity, but can be presented")
    func noProvider() throws {
        let key = try #require(PEM.blocks(in: CertificateFixtures.rsa).first?.der)
        try folder.write(pem(Workshop().sign(subject: [("CN", "x")], key: key)) + CertificateFixtures.rsa, to: "x.pem")
        #expect(try read("x.pem").identity == nil)
        let error = try trustError { _ = try ProviderIdentityFile.readCertificate(folder("x.pem")) }
        #expect(
            error.problem.contains("does not hold a provider certificate") && error.problem.contains("names no topic"))
    }

    @Test("PKCS#12 opens with its password, even with old algorithms")
    func archives() throws {
        let cases = [
            (CertificateFixtures.legacyArchive, "secret"), (CertificateFixtures.archiveWithEmptyPassword, nil),
            (CertificateFixtures.archiveWithEmptyPassword, ""),
        ]
        for (base64, password) in cases {
            try write(archive(base64), to: "a.p12")
            try expectKept(read("a.p12", nil, password))
            #expect(
                try ProviderIdentityFile.readCertificate(folder("a.p12"), password: password).certificatePEM
                    == CertificateFixtures.certificate)
        }
    }

    @Test("PKCS#12 with a wrong password and without a password gives different errors")
    func archivePasswords() throws {
        try write(archive(CertificateFixtures.legacyArchive), to: "a.p12")
        let missing = try trustError { _ = try read("a.p12") }
        #expect(missing.code == .badSetting && missing.problem == "is PKCS#12 with a password, but none was given")
        let wrong = try trustError { _ = try read("a.p12", nil, "Secret") }
        #expect(wrong.problem == "is PKCS#12 with a different password", "\(wrong)")
        try write(archive(CertificateFixtures.archiveWithoutMAC), to: "a.p12")
        let open = try trustError { _ = try read("a.p12", nil, "secret") }
        #expect(open.code == .malformed && open.problem.contains("mac absent"), "\(open)")
    }

    @Test("Mynah reads the PKCS#12 and PEM that it makes")
    func ownFiles() throws {
        let trust = try TrustMaterial.open(stateDirectory: nil, now: testNow)
        let issued = try trust.issueProvider(
            ProviderCertificateRequest(
                topics: ["a.b"], notBefore: testNow, notAfter: testNow.advanced(by: .seconds(60))))
        try write(#require(try issued.pkcs12(password: "secret")), to: "a.p12")
        try folder.write(#require(issued.keyPEM) + issued.certificatePEM, to: "a.pem")
        for identity in [try read("a.p12", nil, "secret"), try read("a.pem")] {
            #expect(identity.chainPEM == issued.certificatePEM)
            // OpenSSL writes the key in another form.
            #expect(try P256PrivateKey(pem: identity.keyPEM).pem == issued.keyPEM)
            #expect(identity.identity == issued.identity)
        }
        try folder.write(issued.certificatePEM, to: "certificate.pem")
        let alone = try ProviderIdentityFile.readCertificate(folder("certificate.pem"))
        #expect(alone.identity == issued.identity && alone.certificatePEM == issued.certificatePEM)
    }

    @Test("a file with the wrong thing in it is an error that names it and what is wrong")
    func wrongFiles() throws {
        try folder.write(CertificateFixtures.certificate, to: "certificate.pem")
        try folder.write(CertificateFixtures.key, to: "key.pem")
        try folder.write(CertificateFixtures.rsa, to: "other.pem")
        try folder.write("hello", to: "text")
        try folder.write("", to: "empty")
        try write([0x30, 0x82, 0x00, 0x01, 0x00], to: "asn1")
        try folder.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: "bad.pem")
        try folder.write("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", to: "badkey.pem")
        let cases: [(certificate: String, key: String?, file: String, code: TrustError.Code, problem: String)] = [
            ("none", nil, "none", .unreadable, "does not exist"),
            ("text", nil, "text", .malformed, "is neither PKCS#12 nor PEM"),
            ("empty", nil, "empty", .malformed, "is empty"),
            ("asn1", nil, "asn1", .malformed, "is neither PKCS#12 nor PEM"),
            ("key.pem", nil, "key.pem", .malformed, "holds no certificate"),
            ("certificate.pem", nil, "certificate.pem", .malformed, "holds no private key"),
            ("certificate.pem", "certificate.pem", "certificate.pem", .malformed, "holds no private key"),
            ("certificate.pem", "none", "none", .unreadable, "does not exist"),
            (
                "certificate.pem", "other.pem", "other.pem", .mismatch,
                "holds a key that does not belong to the certificate of UID=com.example.kept"
            ),
            ("bad.pem", "key.pem", "bad.pem", .malformed, "has a certificate (number 1) that OpenSSL cannot read"),
            ("certificate.pem", "badkey.pem", "badkey.pem", .malformed, "has a private key that OpenSSL cannot read"),
        ]
        for (certificate, key, file, code, problem) in cases {
            let error = try trustError { _ = try read(certificate, key) }
            #expect(error.code == code && error.file == folder(file), "\(error)")
            #expect(error.problem.contains(problem), "\(error)")
        }
        let error = try trustError { _ = try ProviderIdentityFile.readCertificate(folder("key.pem")) }
        #expect(error.problem == "holds no certificate")
    }
}
