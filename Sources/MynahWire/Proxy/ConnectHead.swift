internal import APNsRules

/// The head of a request to a proxy, as far as it was received (RFC 9112 §2, §3, §5; RFC 9110 §9.3.6).
///
/// A value without I/O. The target is in the first line. Fields are only checked for their form, and for a body, which
/// would move the start of the tunnel's bytes; `host` and `proxy-authorization` are ignored.
struct ConnectHead: Sendable {
    private static let carriageReturn: UInt8 = 0x0D
    private static let lineFeed: UInt8 = 0x0A

    private let bytesMax: Int
    private var byteCount = 0
    private var line: [UInt8] = []
    private var target: ConnectTarget?

    init(bytesMax: Int) { self.bytesMax = bytesMax }
    var isEmpty: Bool { byteCount == 0 }

    /// Takes the head from the front of `bytes`, and leaves the tunnel's bytes; returns the target once it is complete.
    mutating func read(_ bytes: inout ArraySlice<UInt8>) throws(ProxyRefusal) -> ConnectTarget? {
        while let byte = bytes.popFirst() {
            byteCount += 1
            guard byteCount <= bytesMax else { throw .headTooLong(bytesMax) }
            if let target = try read(byte) { return target }
        }
        return nil
    }

    /// Reads one byte; returns the target if it was the last one of the head.
    private mutating func read(_ byte: UInt8) throws(ProxyRefusal) -> ConnectTarget? {
        if byte == ConnectHead.lineFeed {
            // A line feed alone also ends a line (RFC 9112 §2.2).
            if line.last == ConnectHead.carriageReturn { line.removeLast() }
            defer { line.removeAll(keepingCapacity: true) }
            return try endLine()
        }
        guard line.last != ConnectHead.carriageReturn else {
            throw .malformed("there is a carriage return within a line")
        }
        if target == nil, line.isEmpty, byte != ConnectHead.carriageReturn, !ConnectHead.isTokenByte(byte) {
            throw byte == TLSRecord.handshake ? .startsTLS : .notHTTP
        }
        guard byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == ConnectHead.carriageReturn
        else { throw target == nil ? .notHTTP : .malformed("there is a control character in a field") }
        line.append(byte)
        return nil
    }

    private mutating func endLine() throws(ProxyRefusal) -> ConnectTarget? {
        guard !line.isEmpty else { return target }
        if target == nil {
            target = try ConnectHead.target(ofRequestLine: String(decoding: line, as: UTF8.self))
        } else {
            try ConnectHead.checkField(line[...])
        }
        return nil
    }

    private static func target(ofRequestLine line: String) throws(ProxyRefusal) -> ConnectTarget {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), parts[0].utf8.allSatisfy(isTokenByte)
        else { throw .malformed("the first line \(ProxyRefusal.quoted(line)) is not method, target and version") }
        let method = String(parts[0])
        let target = String(parts[1])
        let version = String(parts[2])
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw version.hasPrefix("HTTP/")
                ? .version(version) : .malformed("\(ProxyRefusal.quoted(version)) is not a version of HTTP")
        }
        guard method == "CONNECT" else { throw .method(method) }
        return try ConnectTarget(target)
    }

    private static func checkField(_ line: ArraySlice<UInt8>) throws(ProxyRefusal) {
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex, line[..<colon].allSatisfy(isTokenByte)
        else {
            // What follows may be a credential.
            let name = ProxyRefusal.quoted(text.prefix { $0 != " " })
            throw .malformed("the line that begins with \(name) is not a field: a name and a colon were expected")
        }
        // The tunnel's bytes would begin after the content (RFC 9112 §6.3).
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "transfer-encoding": throw .malformed("a CONNECT has no content, and this one has a transfer-encoding")
        case "content-length":
            let value = line[(colon + 1)...].filter { $0 != 0x20 && $0 != 0x09 }
            guard !value.isEmpty, value.allSatisfy({ $0 == 0x30 }) else {
                throw .malformed("a CONNECT has no content, and the length of this one is not 0")
            }
        default: break
        }
    }

    /// Whether a byte may stand in a method or a field's name (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case _ where byte.isASCIIAlphanumeric: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
