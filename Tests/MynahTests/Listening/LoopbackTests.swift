import Testing

@testable import Mynah

struct LoopbackTests {
    @Test(
        "addresses of loopback and names of localhost are reachable from this machine only",
        arguments: [
            "localhost", "LOCALHOST", "mynah.localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]", "0:0:0:0:0:0:0:1",
            "::ffff:127.0.0.1",
        ])
    func loopback(host: String) {
        #expect(Loopback.contains(host))
    }

    @Test(
        "anything else may be reachable from other machines",
        arguments: [
            "127.evil.com", "127.0.0.1.evil.com", "127.0.0", "localhost.evil.com", "evillocalhost", "0.0.0.0", "::", "",
            "[::]", "10.0.0.1", "128.0.0.1", "::ffff:10.0.0.1", "[127.0.0.1", "::2",
        ])
    func others(host: String) {
        #expect(!Loopback.contains(host))
    }
}
