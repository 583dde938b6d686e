import MynahTrust
import Testing

@Suite("Reading keys")
struct KeyDocumentTests {
    @Test("a key survives being written and read")
    func roundTrip() throws {
        let key = try P256PrivateKey.generate()
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try P256PrivateKey(pem: key.pem).publicKey == key.publicKey)
        #expect(try P256PublicKey(pem: key.publicKey.pem()) == key.publicKey)
    }

    @Test("Windows line ends, indentation and text around the block are accepted")
    func tolerated() throws {
        let key = try P256PrivateKey.generate()
        let windows = key.pem.split(separator: "\n").joined(separator: "\r\n")
        #expect(try P256PrivateKey(pem: windows).publicKey == key.publicKey)
        let indented = "a comment\n" + key.pem.split(separator: "\n").map { "   \($0)\n" }.joined() + "more"
        #expect(try P256PrivateKey(pem: indented).publicKey == key.publicKey)
    }

    @Test("a key without its public half, as `openssl` can write it, is completed")
    func withoutPublicHalf() throws {
        let key = try P256PrivateKey(pem: KeyFixtures.withoutPublicHalf)
        let expected = try P256PublicKey(pem: KeyFixtures.publicHalf)
        #expect(key.publicKey == expected)
    }

    static let faults: [(text: String, fault: String)] = [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("hello", "not PEM"),
        ("0\u{1}\u{2}", "binary (DER)"),
        ("-----BEGIN PRIVATE KEY-----\nMIGH\n", "cut off"),
        ("-----BEGIN PRIVATE KEY-----\n%%%\n-----END PRIVATE KEY-----\n", "not base64"),
        ("-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n", "OpenSSL cannot read"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGH\n-----END ENCRYPTED PRIVATE KEY-----\n", "encrypted"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIGH\n-----END RSA PRIVATE KEY-----\n", "RSA"),
        ("-----BEGIN EC PRIVATE KEY-----\nMIGH\n-----END EC PRIVATE KEY-----\n", "SEC 1"),
        ("-----BEGIN CERTIFICATE-----\nMIGH\n-----END CERTIFICATE-----\n", "certificate"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nMIGH\n-----END OPENSSH PRIVATE KEY-----\n", "OPENSSH"),
        (KeyFixtures.publicHalf, "public key only"),
        (KeyFixtures.rsa, "type RSA"),
        (KeyFixtures.ed25519, "type ED25519"),
        (KeyFixtures.p384, "secp384r1"),
        (KeyFixtures.withoutPublicHalf + KeyFixtures.withoutPublicHalf, "holds 2 keys"),
    ]

    @Test("anything but a private key on P-256 is refused by a message that names it", arguments: faults.indices)
    func refused(index: Int) throws {
        let (text, fault) = KeyDocumentTests.faults[index]
        let error = try trustError { _ = try P256PrivateKey(pem: text) }
        #expect(error.code == .malformed)
        #expect(error.problem.contains(fault), "\(error)")
        #expect(error.description.contains("PKCS#8"))
    }

    @Test("a private key where a public one is expected is refused")
    func publicExpected() throws {
        let key = try P256PrivateKey.generate()
        let error = try trustError { _ = try P256PublicKey(pem: key.pem) }
        #expect(error.problem.contains("private key"))
    }

    @Test("a private key's text never shows its bytes")
    func neverPrinted() throws {
        let key = try P256PrivateKey.generate()
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "a private key on P-256")
        #expect(!dumped.contains("pkcs8"))
    }

    static let names: [(name: String, keyID: String?)] = [
        ("AuthKey_ABCDE12345.p8", "ABCDE12345"),
        ("AuthKey_abcde12345.p8", "abcde12345"),
        ("AuthKey_ABCDE1234.p8", nil),
        ("AuthKey_ABCDE123456.p8", nil),
        ("AuthKey_ABCDE 2345.p8", nil),
        ("AuthKey_ABCDE12345.pem", nil),
        ("key.p8", nil),
        ("", nil),
    ]

    @Test("the key id is taken from the name that Apple gives the file", arguments: names.indices)
    func fileNames(index: Int) {
        let (name, keyID) = KeyDocumentTests.names[index]
        #expect(SigningKey.keyID(inFileName: name) == keyID)
    }

    @Test(
        "ids that are not 10 letters or digits are refused",
        arguments: ["", "SHORT", "ELEVENCHARS", "ABCDE-2345", "ÄBCDE1234"])
    func identifiers(identifier: String) throws {
        let key = try P256PrivateKey.generate()
        let forKey = try trustError { _ = try SigningKey(keyID: identifier, team: "TEAM123456", privateKey: key) }
        #expect(forKey.problem.contains("key id"))
        let forTeam = try trustError { _ = try SigningKey(keyID: "ABCDE12345", team: identifier, privateKey: key) }
        #expect(forTeam.problem.contains("team id"))
    }
}
