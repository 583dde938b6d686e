import APNsRules
import Testing

@testable import MynahTrust

@Suite("Making provider certificates")
struct ProviderIssuingTests {
    let trust: TrustMaterial

    init() throws { trust = try TrustMaterial.open(stateDirectory: nil, now: testNow) }

    private func request(
        _ topics: [String] = ["com.example.app"], voip: Bool = false, complication: Bool = false,
        _ environment: EnvironmentScope = .both, from: Instant = testNow,
        to: Instant = testNow.advanced(by: .seconds(398 * 24 * 3600))
    ) throws -> ProviderCertificateRequest {
        try ProviderCertificateRequest(
            topics: topics, voip: voip, complication: complication, environment: environment, notBefore: from,
            notAfter: to)
    }

    private func chain(_ issued: IssuedProviderCertificate) -> [[UInt8]] {
        PEM.blocks(in: issued.certificatePEM + issued.authorityPEM).compactMap(\.der)
    }

    @Test("the verdict has what was requested", arguments: EnvironmentScope.allCases)
    func roundTrip(environment: EnvironmentScope) throws {
        let issued = try trust.issueProvider(
            request(
                ["com.example.app", "com.example.app.pushkit.fileprovider"], voip: true, complication: true, environment
            ))
        #expect(issued.authorityPEM == trust.caPEM)
        #expect(trust.providerAuthorities.verdict(on: chain(issued), at: testNow) == .success(issued.identity))
        #expect(trust.providerAuthorities.verdict(on: [chain(issued)[0]], at: testNow) == .success(issued.identity))
        let identity = issued.identity
        #expect(identity.subject == "UID=com.example.app,CN=Apple Push Services: com.example.app,O=Mynah")
        #expect(identity.subjectID == "com.example.app")
        #expect(identity.environment == environment)
        #expect(
            identity.topics == [
                .init("com.example.app", kind: "app"),
                .init("com.example.app.pushkit.fileprovider", kind: "pushkit.fileprovider"),
                .init("com.example.app.voip", kind: "voip"),
                .init("com.example.app.complication", kind: "complication"),
            ])
        #expect(identity.notBefore == testNow)
        #expect(identity.notAfter == testNow.advanced(by: .seconds(398 * 24 * 3600)))
        #expect(identity.issuer == trust.providerAuthorities.authorities.first.map(ProviderAuthorities.named))
    }

    @Test("a certificate of one topic has a default topic, and the VoIP extension if requested")
    func single() throws {
        let plain = try trust.issueProvider(request())
        #expect(plain.identity.defaultTopic == "com.example.app")
        let voip = try trust.issueProvider(request(["com.example.app.voip"]))
        #expect(voip.identity.topics == [.init("com.example.app.voip", kind: "app")])
        let extended = try Certificate(der: chain(trust.issueProvider(request(voip: true)))[0])
        #expect(extended.extensions(ProviderExtension.voip.rawValue) == [[0x05, 0x00]])
        #expect(extended.extensions(ProviderExtension.production.rawValue) == [[0x05, 0x00]])
    }

    @Test(
        "the kind is the part after the bundle id, or another app's suffix",
        arguments: [
            ("a.b", "app"), ("a.b.voip", "voip"), ("a.b.complication", "complication"), ("a.b.", "app"),
            ("a.b.push-type.liveactivity", "push-type.liveactivity"), ("a.bc", "app"), ("c.d.voip", "voip"),
            ("c.d.voip-ptt", "voip-ptt"), ("c.d", "app"),
        ])
    func kinds(topic: String, kind: String) {
        #expect(ProviderCertificateRequest.kind(of: topic, app: "a.b") == kind)
    }

    @Test("a bundle id of 255 bytes fits, although X.520 limits CN to 64")
    func longBundleID() throws {
        let topic = "com." + String(repeating: "a", count: 251)
        let issued = try trust.issueProvider(request([topic]))
        #expect(issued.identity.subjectID == topic)
        #expect(trust.providerAuthorities.verdict(on: chain(issued), at: testNow) == .success(issued.identity))
    }

    @Test("an expired certificate can be made, and is refused as expired")
    func expired() throws {
        let day: Duration = .seconds(24 * 3600)
        let issued = try trust.issueProvider(
            request(from: testNow.advanced(by: .zero - day - day), to: testNow.advanced(by: .zero - day)))
        guard case .failure(let fault) = trust.providerAuthorities.verdict(on: chain(issued), at: testNow) else {
            Issue.record("the certificate was accepted")
            return
        }
        #expect(fault.alert == .certificateExpired)
    }

    @Test("impossible requests are errors that name what is wrong")
    func badRequests() throws {
        let cases: [(topics: [String], from: Instant, to: Instant, piece: String)] = [
            ([], testNow, testNow.advanced(by: .seconds(1)), "a certificate needs a topic"),
            ([""], testNow, testNow.advanced(by: .seconds(1)), "\"\" is not a well-formed topic"),
            (["a b"], testNow, testNow.advanced(by: .seconds(1)), "\"a b\" is not a well-formed topic"),
            ((0...100).map { "a.\($0)" }, testNow, testNow.advanced(by: .seconds(1)), "101 topics"),
            (["a.b"], testNow, testNow, "is not after its beginning"),
            (["a.b"], testNow, testNow.advanced(by: .seconds(-1)), "is not after its beginning"),
            (["a.b"], testNow, Instant(seconds: 253_402_300_800), "a certificate can't be valid from"),
            (["a.b"], Instant(milliseconds: .min), testNow, "a certificate can't be valid from"),
        ]
        for (topics, from, to, piece) in cases {
            let error = try trustError { _ = try request(topics, from: from, to: to) }
            #expect(error.code == .badSetting && error.problem.contains(piece), "\(error)")
        }
    }

    @Test("a certificate that would outlive its CA is an error")
    func outlives() throws {
        let error = try trustError {
            _ = try trust.issueProvider(request(to: testNow.advanced(by: .seconds(11 * 365 * 24 * 3600))))
        }
        #expect(error.code == .badSetting && error.problem.contains("would outlive its CA"))
    }

    @Test("without the CA's key issuing is an error that names the missing file")
    func withoutKey() throws {
        let folder = try TemporaryFolder()
        _ = try TrustMaterial.open(stateDirectory: folder.path, now: testNow)
        try folder.remove("ca-key.pem")
        let keyless = try TrustMaterial.open(stateDirectory: folder.path, now: testNow)
        let error = try trustError { _ = try keyless.issueProvider(request()) }
        #expect(error.problem.contains("the CA's key is missing") && error.remedy.contains("ca-key.pem"))
    }

    @Test("printing, dumping and mirroring never show a key")
    func secrecy() throws {
        let issued = try trust.issueProvider(request())
        var dumped = ""
        dump(issued, to: &dumped)
        dump(trust.authority, to: &dumped)
        let printed = "\(issued) \(trust.authority) " + dumped
        let secrets = try [#require(issued.keyPEM), #require(trust.authority.key).pem].map { pem in
            try #require(PEM.blocks(in: pem).first?.der)
        }
        for secret in secrets {
            #expect(!printed.contains(Base64.encode(secret).prefix(40)))
            #expect(!printed.contains("\(secret[40]), \(secret[41]), \(secret[42]), \(secret[43]), \(secret[44])"))
        }
        #expect(!dumped.contains("pkcs8"))
    }

    @Test("a renewed CA does not accept certificates of the previous one")
    func renewed() throws {
        let folder = try TemporaryFolder()
        let first = try TrustMaterial.open(stateDirectory: folder.path, now: testNow)
        let issued = try first.issueProvider(request())
        let second = try TrustMaterial.open(stateDirectory: folder.path, now: testNow, renew: .authority)
        guard case .failure(let fault) = second.providerAuthorities.verdict(on: chain(issued), at: testNow) else {
            Issue.record("the certificate was accepted")
            return
        }
        #expect(fault.alert == .unknownCA)
    }

    // MARK: - PKCS#12

    @Test(
        "PKCS#12 opens to certificate and key with its password, even an empty one",
        arguments: ["secret", "", "pä ß"], ProviderKeyType.allCases)
    func archive(password: String, keyType: ProviderKeyType) throws {
        let issued = try trust.issueProvider(request(), keyType: keyType)
        let archive = try PKCS12Archive(opening: #require(try issued.pkcs12(password: password)), password: password)
        #expect(archive.certificate == chain(issued)[0])
        #expect(archive.others.isEmpty)
        let key = PEM.encode(try #require(archive.key), label: "PRIVATE KEY")
        // OpenSSL writes keys on a curve in another form.
        #expect(try (keyType == .ec ? P256PrivateKey(pem: key).pem : key) == issued.keyPEM)
    }

    @Test("PKCS#12 stays closed without its password")
    func wrongPassword() throws {
        let bytes = try #require(try trust.issueProvider(request()).pkcs12(password: "secret"))
        for password in [nil, "", "Secret"] {
            let given = password == nil ? "password, but none was given" : "different password"
            #expect(throws: TrustError(.badSetting, "is PKCS#12 with a \(given)", remedy: "Give its password")) {
                _ = try PKCS12Archive(opening: bytes, password: password)
            }
        }
    }
}
