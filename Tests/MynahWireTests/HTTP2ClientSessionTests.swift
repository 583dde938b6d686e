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

    // MARK: Servers that mean harm

    /// A frame on the request's stream.
    private static func frame(type: UInt8, flags: UInt8 = 0, onRequest payload: [UInt8]) -> [UInt8] {
        let size = [UInt8(payload.count >> 16 & 0xFF), UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF)]
        return size + [type, flags, 0, 0, 0, 1] + payload
    }

    /// HEADERS without END_STREAM: `:status` as a literal without indexing (RFC 7541 §6.2.2), and further bytes.
    private static func headers(_ status: String, further: [UInt8] = []) -> [UInt8] {
        frame(type: 1, flags: 4, onRequest: [0x08, UInt8(status.utf8.count)] + Array(status.utf8) + further)
    }

    private func problem(after bytes: [[UInt8]]) throws -> String? {
        var session = try session()
        _ = try session.takeOutput()
        try receive(Self.empty, &session)
        do {
            for bytes in bytes {
                try receive(bytes, &session)
                _ = try session.takeOutput()
            }
        } catch let error as HTTP2Error {
            return session.problem(of: error)
        }
        return nil
    }

    @Test("a server that sends interim answers without end is given up")
    func interimAnswers() throws {
        let interim = Self.headers("100")
        #expect(try problem(after: Array(repeating: interim, count: 100)) == nil)
        #expect(
            try problem(after: Array(repeating: interim, count: 101))
                == "the server sent more than 100 interim answers (1xx) to one request")
    }

    @Test("the fields of an interim answer are none of the answer")
    func interimFields() throws {
        var session = try session()
        _ = try session.takeOutput()
        try receive(Self.empty + Self.headers("103", further: [0x00, 1, 0x61, 1, 0x62]), &session)
        try receive(Self.headers("200") + Self.frame(type: 0, flags: 1, onRequest: [0x7B]), &session)
        guard case .answered(let fields, let body) = session.outcome else {
            Issue.record("there is no answer")
            return
        }
        #expect(fields.map { [$0.name, $0.value] } == [[":status", "200"]])
        #expect(body == [0x7B])
    }

    @Test("header fields that grow by decompression are given up")
    func headerBomb() throws {
        // A field of 4,000 bytes for the dynamic table (RFC 7541 §6.2.1), then its index, 62, many times over.
        let value = [UInt8](repeating: 0x61, count: 3900)
        let length: [UInt8] = [0x7F, 0xBD, 0x1D]
        let block = [0x40, 1, 0x78] + length + value + [UInt8](repeating: 0x80 | 62, count: 10_000)
        #expect(
            try problem(after: [Self.headers("200", further: block)])
                == "the server sent more than 65536 bytes of header fields")
    }

    @Test("a body without end is given up")
    func endlessBody() throws {
        let piece = Self.frame(type: 0, onRequest: [UInt8](repeating: 0x61, count: 16_000))
        #expect(
            try problem(after: [Self.headers("200")] + Array(repeating: piece, count: 66))
                == "the server sent a body of more than 1048576 bytes")
    }

    @Test("frames without end are given up")
    func endlessFrames() throws {
        // An unknown type, which is ignored (RFC 9113 §4.1).
        let piece = Self.frame(type: 0xBE, onRequest: [UInt8](repeating: 0, count: 16_000))
        #expect(
            try problem(after: Array(repeating: piece, count: 263))
                == "the server sent more than 4194304 bytes for one request")
        #expect(
            try problem(after: Array(repeating: Self.empty, count: 101))
                == "the server sent more than 100 SETTINGS frames for one request")
    }

    @Test("the limits are those of one request, not of a connection")
    func nextRequest() throws {
        var session = try session()
        _ = try session.takeOutput()
        try receive(Self.empty, &session)
        for _ in 0..<60 { try receive(Self.headers("100"), &session) }
        try receive(Self.headers("200") + Self.frame(type: 0, flags: 1, onRequest: []), &session)
        try session.begin([HTTPField(":method", "GET"), HTTPField(":scheme", "https"), HTTPField(":path", "/")], [])
        _ = try session.takeOutput()
        // The second request's stream is 3.
        for _ in 0..<60 {
            var interim = Self.headers("100")
            interim[8] = 3
            try receive(interim, &session)
        }
        guard case .pending = session.outcome else {
            Issue.record("the second request is over")
            return
        }
    }
}
