import APNsRules
import Testing

@testable import MynahWire

@Suite("Errors of a provider's request without an answer")
struct HTTP2ClientSessionTests {
    private static let empty: [UInt8] = frame(type: 4, flags: 0, payload: [])

    /// A frame on stream 0 (RFC 9113 §4.1).
    private static func frame(type: UInt8, flags: UInt8, payload: [UInt8]) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, 0] + payload
    }

    /// GOAWAY NO_ERROR (RFC 9113 §6.8).
    private static func goAway(lastStream: UInt8, _ debug: String) -> [UInt8] {
        frame(type: 7, flags: 0, payload: [0, 0, 0, lastStream, 0, 0, 0, 0] + Array(debug.utf8))
    }

    private func session() throws -> HTTP2ClientSession {
        try HTTP2ClientSession(
            fields: [
                HTTPField(":method", "POST"), HTTPField(":scheme", "https"), HTTPField(":authority", "localhost"),
                HTTPField(":path", "/3/device/00"),
            ], body: [0x7B, 0x7D])
    }

    private func receive(_ bytes: [UInt8], _ session: inout HTTP2ClientSession) throws {
        try session.receive(bytes.span.bytes)
    }

    @Test("a GOAWAY before the request fails it with the server's reason", arguments: [true, false])
    func goAwayFirst(requestIsSent: Bool) throws {
        var session = try session()
        if requestIsSent { _ = try session.takeOutput() }
        try receive(Self.empty + Self.goAway(lastStream: 0, #"{"reason":"BadCertificateEnvironment"}"#), &session)
        _ = try session.takeOutput()
        #expect(session.goAway == "the server ended the connection: BadCertificateEnvironment")
        guard case .failed(let problem) = session.outcome else {
            Issue.record("the request is not over")
            return
        }
        #expect(problem.contains("REFUSED_STREAM"))
    }

    @Test("a request that a GOAWAY does not deny still waits for its answer")
    func goAwayBehind() throws {
        var session = try session()
        _ = try session.takeOutput()
        try receive(Self.empty + Self.goAway(lastStream: 1, #"{"reason":"Shutdown"}"#), &session)
        guard case .pending = session.outcome else {
            Issue.record("the request is over")
            return
        }
        #expect(session.goAway == "the server ended the connection: Shutdown")
    }

    @Test(
        "a reason of any form is in the error, and the first one counts",
        arguments: [("", "NO_ERROR"), ("bye", "bye"), ("{}", "{}"), (#"{"reason":7}"#, #"{"reason":7}"#)])
    func goAwayForms(debug: String, reason: String) throws {
        var session = try session()
        _ = try session.takeOutput()
        try receive(Self.empty + Self.goAway(lastStream: 1, debug) + Self.goAway(lastStream: 1, "later"), &session)
        #expect(session.goAway == "the server ended the connection: \(reason)")
    }
}
