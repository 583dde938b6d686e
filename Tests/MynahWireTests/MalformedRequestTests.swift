import APNsRules
import Testing

@testable import MynahWire

@Suite("Requests that break HTTP/2 alone")
struct MalformedRequestTests {
    @Test(
        "the stream is reset, and the problem names the field without its value",
        arguments: [
            ([("Apns-Topic", "secret")], "Invalid HTTP header field was received, named Apns-Topic"),
            ([(":path", "/secret")], "Invalid HTTP header field was received, named :path"),
            ([("te", "gzip")], "Invalid HTTP header field was received, named te"),
        ])
    func field(_ further: [(String, String)], reason: String) throws {
        let client = try FrameClient.greeted()
        let frames = try client.send(FrameClient.open(1, further: further))
        #expect(frames == [.rstStream(1, .protocolError)])
        #expect(client.responder.problems == [.requestMalformed(stream: 1, reason)])
        try client.send(FrameClient.push(3))
        #expect(client.responder.requests == [3])
        #expect(client.responder.problems.count == 1)
    }

    @Test("a field that is missing is told as well")
    func missing() throws {
        let client = try FrameClient.greeted()
        let block: [UInt8] = [0, 7] + Array(":method".utf8) + [4] + Array("POST".utf8)
        let frame = Frame(kind: .headers, flags: Frame.endHeaders, stream: 1, payload: block)
        #expect(try client.send(frame.bytes) == [.rstStream(1, .protocolError)])
        #expect(client.responder.problems == [.requestMalformed(stream: 1, "Violation in HTTP messaging rule")])
    }
}
