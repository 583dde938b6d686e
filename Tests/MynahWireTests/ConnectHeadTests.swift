import Testing

@testable import MynahWire

/// How the proxy parses the head of a request.
struct ConnectHeadTests {
    /// The result so far: the head's target, `nil` if it is incomplete, or why it is refused.
    private typealias Progress = Result<ConnectTarget?, ProxyRefusal>

    private func expect(_ progress: Progress, rest: ArraySlice<UInt8>, _ given: ConnectHeadCase) {
        switch (progress, given.expected) {
        case (.success(let target?), .target(let text, let hex)):
            #expect(target.description == text)
            let left = rest.map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }
            #expect(left.joined() == hex)
        case (.success(nil), .incomplete): #expect(rest.isEmpty)
        case (.failure(let refusal), .refused(let status, let says)):
            #expect(refusal.status == status)
            #expect(refusal.description.contains(says))
        default: Issue.record("\(progress) in place of \(given.expected)")
        }
    }

    private static func take(_ bytes: inout ArraySlice<UInt8>, _ head: inout ConnectHead) -> Progress {
        do throws(ProxyRefusal) { return .success(try head.read(&bytes)) } catch { return .failure(error) }
    }

    @Test("a head in one piece gives the expected result", arguments: try ConnectHeadCase.all())
    func atOnce(given: ConnectHeadCase) {
        var head = ConnectHead(bytesMax: ProxyLimits().headBytesMax)
        var bytes = given.bytes[...]
        let progress = Self.take(&bytes, &head)
        expect(progress, rest: bytes, given)
    }

    @Test("a head byte by byte gives the same result", arguments: try ConnectHeadCase.all())
    func byteByByte(given: ConnectHeadCase) {
        var head = ConnectHead(bytesMax: ProxyLimits().headBytesMax)
        for index in given.bytes.indices {
            var bytes = given.bytes[index...index]
            let progress = Self.take(&bytes, &head)
            guard case .success(nil) = progress else {
                return expect(progress, rest: given.bytes[(index + 1)...], given)
            }
            #expect(bytes.isEmpty)
        }
        expect(.success(nil), rest: [], given)
    }

    @Test("an answer is one line of visible ASCII, fields, and a body of the declared length")
    func answers() throws {
        for given in try ConnectHeadCase.all() {
            var head = ConnectHead(bytesMax: ProxyLimits().headBytesMax)
            var bytes = given.bytes[...]
            guard case .failure(let refusal) = Self.take(&bytes, &head) else { continue }
            let parts = refusal.answer.split(separator: "\r\n\r\n", maxSplits: 1)
            try #require(parts.count == 2)
            let lines = parts[0].split(separator: "\r\n")
            #expect(lines[0].hasPrefix("HTTP/1.1 \(refusal.status) "))
            #expect(lines.allSatisfy { line in line.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
            #expect(lines.contains("content-length: \(parts[1].utf8.count)"))
            #expect(lines.contains("allow: CONNECT") == (refusal.status == 405))
            #expect(String(parts[1]) == refusal.description + "\n")
        }
    }
}
