import APNsRules
import Logging
import Testing

@testable import Mynah
@testable import MynahWire

@Suite("Log lines about connections")
struct ConnectionLogTests {
    @Test(
        "a client without TLS is told of the port without TLS where that takes its requests",
        arguments: [
            (APNsService.pushes, "use https, or the cleartext port"), (.channels, "use https, or the cleartext port"),
            (.webPush, "use https"),
        ])
    func plaintext(service: APNsService, remedy: String) {
        let log = ConnectionLog(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let failure = HandshakeFailure(cause: .notTLS, detail: "http request")
        let sentence = log.sentence(.handshakeFailed(failure), service: service, serverName: nil)
        #expect(sentence == "TLS handshake failed: http request; the client speaks no TLS: \(remedy)")
    }
}
