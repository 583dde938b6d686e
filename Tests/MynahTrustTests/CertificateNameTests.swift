import Testing

@testable import MynahTrust

@Suite("Names for certificates")
struct CertificateNameTests {
    @Test("names and addresses are distinguished and normalised")
    func forms() {
        #expect(CertificateName("Push.Example.TEST") == .dns("push.example.test"))
        #expect(CertificateName("*.example.test") == .dns("*.example.test"))
        #expect(CertificateName("my_host-1") == .dns("my_host-1"))
        #expect(CertificateName("192.168.1.5") == .address([192, 168, 1, 5]))
        #expect(CertificateName("0:0::1") == CertificateName("::1"))
        #expect(CertificateName("fd00::0005")?.text == "fd00::5")
        #expect(CertificateName("3com.example") == .dns("3com.example"))
    }

    @Test(
        "invalid names, and text with a meaning in OpenSSL's configuration, are refused",
        arguments: [
            "", ".", "a..b", "a.", ".a", "*", "a.*.b", "a*.b", "-a.b", "a-.b", "1.2.3.4.5", "1.2.3", "a.1", "a b",
            "a,DNS:b",
            "a:80", "https://a", "ä.test", "[::1]", String(repeating: "a", count: 64),
            String(repeating: "abcdefg.", count: 32) + "de",
        ])
    func refused(text: String) throws {
        #expect(CertificateName(text) == nil)
        let error = try trustError { _ = try ServerNames.parse(["good.test", text]) }
        #expect(error.code == .badSetting)
        #expect(error.problem.contains("\"\(text)\""))
    }

    @Test("each wanted name occurs once, including Apple's and the host's")
    func wanted() throws {
        let names = ServerNames.wanted(try ServerNames.parse(["localhost", "a.test", "A.test"]), host: "Build-7")
        let texts = names.map(\.text)
        #expect(Set(texts).count == texts.count)
        for name in [
            "localhost", "127.0.0.1", "::1", "mynah", "host.docker.internal", "host.testcontainers.internal", "build-7",
            "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
            "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
            "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com", "a.test",
        ] {
            #expect(texts.contains(name), "\(name)")
        }
    }

    @Test("a host without a usable name is left out", arguments: [nil, "", "a b"])
    func oddHost(host: String?) {
        #expect(ServerNames.wanted([], host: host).count == ServerNames.wanted([], host: nil).count)
    }
}
