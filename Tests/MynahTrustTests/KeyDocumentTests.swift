import APNsRules
import Testing

@testable import MynahTrust

@Suite("Reading keys")
struct KeyDocumentTests {
    @Test("a key survives being written and read")
    func roundTrip() throws {
        let key = try P256PrivateKey.generate()
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try P256PrivateKey(pem: key.pem).publicKey == key.publicKey)
        #expect(try P256PublicKey(pem: key.publicKey.pem) == key.publicKey)
    }

    @Test("Windows line ends, indentation and text around the block are accepted")
    func tolerated() throws {
        let key = try P256PrivateKey.generate()
        let windows = key.pem.split(separator: "\n").joined(separator: "\r\n")
        #expect(try P256PrivateKey(pem: windows).publicKey == key.publicKey)
        let indented = "a comment\n" + key.pem.split(separator: "\n").map { "   \($0)\n" }.joined() + "more"
        #expect(try P256PrivateKey(pem: indented).publicKey == key.publicKey)
    }

    @Test("a VAPID key is PEM, or the number alone as libraries for Web Push print it")
    func vapidKey() throws {
        let key = try P256PrivateKey.generate()
        let number = try PKey.pkcs8(key.pkcs8).privateNumber()
        for text in [key.pem, Base64.encode(number, url: true), Base64.encode(number)] {
            #expect(try P256PrivateKey(vapid: text).publicKey == key.publicKey)
        }
        let point = Base64.encode(key.publicKey.point, url: true)
        for (text, problem) in [
            (point, "is a public key only; the private key was expected"), ("AAAA", "is base64url of 3 bytes"),
            (Base64.encode([UInt8](repeating: 0, count: 32)), "is no number of a key on P-256"),
            ("{}", "is not PEM: it has no BEGIN line"), ("", "is empty, not PEM"),
        ] {
            let error = #expect(throws: TrustError.self) { try P256PrivateKey(vapid: text) }
            #expect(error?.problem == problem)
            #expect(error?.remedy.hasPrefix("A VAPID key is PEM, ") == true)
        }
    }

    @Test("a key without its public half, as `openssl` can write it, is completed")
    func withoutPublicHalf() throws {
        let key = try P256PrivateKey(pem: KeyFixtures.withoutPublicHalf)
        let expected = try P256PublicKey(pem: KeyFixtures.publicHalf)
        #expect(key.publicKey == expected)
    }

    @Test("a generated key has the form of Apple's: its curve is inside of it as well")
    func form() throws {
        let block = try #require(PEM.blocks(in: P256PrivateKey.generate().pem).first?.der)
        #expect(block.count == 150)
        #expect(Base64.encode(block).hasPrefix("MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQg"))
        // [0] with the curve, then [1] with the point.
        #expect(Hex.text(Array(block[68..<86])) == "a00a06082a8648ce3d030107a14403420004")
    }

    @Test("a key in the form of SEC 1 is read, with and without parameters before it")
    func sec1() throws {
        let key = try P256PrivateKey(pem: KeyFixtures.sec1)
        let alone = try #require(KeyFixtures.sec1.firstRange(of: "-----BEGIN EC PRIVATE"))
        #expect(try P256PrivateKey(pem: String(KeyFixtures.sec1[alone.lowerBound...])).publicKey == key.publicKey)
        #expect(try P256PrivateKey(pem: key.pem).publicKey == key.publicKey)
        let parameters = String(KeyFixtures.sec1[..<alone.lowerBound])
        let error = try trustError { _ = try P256PrivateKey(pem: parameters) }
        #expect(error.problem == "holds the parameters of a key, and no key")
    }

    @Test(
        "line ends, quotes and marks around the block don't matter",
        arguments: ["\r\n", "\r", " ", "\t", "\u{2028}", ""])
    func separators(separator: String) throws {
        let key = try P256PrivateKey.generate()
        let joined = key.pem.split(separator: "\n").joined(separator: separator)
        for text in [joined, "\"\(joined)\"", "\u{FEFF}\(joined)", "'\(joined)'\r\n"] {
            #expect(try P256PrivateKey(pem: text).publicKey == key.publicKey)
        }
    }

    @Test("damage is named by what it is, with what mends it")
    func damage() throws {
        let pem = try P256PrivateKey.generate().pem
        let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
        let cases: [(text: String, problem: String, remedy: String)] = [
            (pem.replacing("\n", with: "\\n"), "has \\n, a backslash and a letter", "awk '"),
            (pem.replacing("\n", with: "\\r\\n"), "has \\n, a backslash and a letter", "awk '"),
            (pem.replacing("\n", with: "\\\\n"), "has \\n, a backslash and a letter", "awk '"),
            (pem.replacing("\nM", with: "\n\\/M"), "has backslashes, as text of JSON has before a slash", "awk '"),
            ("{\\rtf1 " + pem.replacing("\n", with: "\\\n") + "}", "(RTF)", "plain text"),
            (Base64.encode(Array(pem.utf8)), "is PEM in base64", "base64 -d"),
            (body, "without a BEGIN and an END line", "base64 -d"),
            (pem.replacing("-----", with: "—"), "its BEGIN line is not -----BEGIN", "word processors"),
            (String(pem.dropLast(20)), "the BEGIN line of a PRIVATE KEY has no END line", "AuthKey"),
            (pem.replacing("END PRIVATE", with: "END PUBLIC"), "an END line for a PUBLIC KEY after it", "AuthKey"),
            (String(pem.dropFirst(3)), "has an END line without a BEGIN line", "AuthKey"),
            (pem.replacing("\nM", with: "\n>M"), "it has the character \">\"", "AuthKey"),
            (pem.replacing("\n-----END", with: "-_\n-----END"), "it has the character \"-\"", "AuthKey"),
        ]
        for (text, problem, remedy) in cases {
            let error = try trustError { _ = try P256PrivateKey(pem: text) }
            #expect(error.problem.contains(problem), "\(error)")
            #expect(error.remedy.contains(remedy), "\(error)")
        }
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
        ("-----BEGIN EC PRIVATE KEY-----\nMIGH\n-----END EC PRIVATE KEY-----\n", "has an EC PRIVATE KEY that OpenSSL"),
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
        #expect(["PKCS#8", "openssl pkcs8 -topk8 -nocrypt"].contains { error.remedy.contains($0) }, "\(error)")
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
