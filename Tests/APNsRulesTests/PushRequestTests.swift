import APNsRules
import Testing

@Suite("A request's fields and body in one piece")
struct PushRequestTests {
    private static func fields() -> HeaderBlock {
        var headers = HeaderBlock()
        headers.append(":method", "POST")
        headers.append(":path", "/3/device/00")
        return headers
    }

    private static let body = Array(#"{"aps":{"alert":"hi"}}"#.utf8)

    @Test("a body that came at once stays where it is")
    func whole() {
        let request = PushRequest(headers: PushRequestTests.fields(), body: PushRequestTests.body)
        #expect(request.joined == request.headers.bytes + PushRequestTests.body)
        #expect(address(of: request.joined) == address(of: request.piece))
        #expect(Array(request.body) == PushRequestTests.body)
        #expect(request.bodyByteCount == PushRequestTests.body.count)
    }

    @Test("a body that came in parts leaves no room behind it")
    func parts() {
        var request = PushRequest(headers: PushRequestTests.fields())
        request.beginBody(byteCount: 1)
        for _ in 0..<3000 { request.piece.append(contentsOf: PushRequestTests.body) }
        let joined = request.joined
        #expect(joined.count == request.headers.byteCount + 3000 * PushRequestTests.body.count)
        #expect(joined.capacity - joined.count < 64)
        #expect(Array(request.body) == Array(joined.dropFirst(request.headers.byteCount)))
    }

    @Test("fields that are added after the body are before it")
    func late() {
        var request = PushRequest(headers: PushRequestTests.fields(), body: PushRequestTests.body)
        request.headers.append("apns-topic", "com.example.app")
        #expect(request.joined == request.headers.bytes + PushRequestTests.body)
    }

    @Test("without a body there are the fields alone, also where there was one before")
    func nothing() {
        var request = PushRequest(headers: PushRequestTests.fields(), body: PushRequestTests.body)
        request.removeBody()
        #expect(request.body.isEmpty)
        #expect(request.joined == request.headers.bytes)
    }

    private func address(of bytes: [UInt8]) -> UInt {
        bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
