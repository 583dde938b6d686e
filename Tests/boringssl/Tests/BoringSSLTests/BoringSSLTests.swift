import NIOSSL
import Testing

@Suite("Providers on BoringSSL")
struct BoringSSLTests {
    @Test("a push by a host name is accepted, with the server verified in full")
    func hostName() async throws {
        let (applicationProtocol, status) = try await Provider().push(host: "localhost")
        #expect(applicationProtocol == "h2")
        #expect(status == "200")
    }

    @Test("an address is refused, because BoringSSL can't check the CA's constraints on addresses")
    func address() async throws {
        let error = try await #require(throws: NIOSSLError.self) {
            _ = try await Provider().push(host: "127.0.0.1")
        }
        guard case .handshakeFailed(let reason) = error else {
            Issue.record("\(error) is not a failed handshake")
            return
        }
        #expect("\(reason)".contains("CERTIFICATE_VERIFY_FAILED"))
    }
}
