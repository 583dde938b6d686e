internal import COpenSSL

/// A call of OpenSSL that failed, with all that OpenSSL had to say about it.
struct OpenSSLError: Error, CustomStringConvertible {
    /// The C function.
    let call: String
    /// OpenSSL's error queue, oldest first; may be empty.
    let lines: [String]

    /// Takes the error queue of this thread, and leaves it empty.
    init(_ call: String) {
        self.call = call
        var lines: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            lines.append(OpenSSLError.text(of: code))
        }
        self.lines = lines
    }

    /// Empties the error queue of this thread; to be called before a call whose errors count.
    static func clearQueue() { ERR_clear_error() }

    /// Whether an algorithm is missing that the library as it is loaded does not have.
    var isUnsupported: Bool { lines.contains { $0.contains("unsupported") || $0.contains("unknown cipher") } }

    /// One line.
    var description: String { lines.isEmpty ? "\(call) failed" : "\(call): \(lines.joined(separator: "; "))" }

    // OpenSSL asks for at least 256 bytes (ERR_error_string_n(3)).
    private static func text(of code: UInt) -> String {
        let buffer = [CChar](unsafeUninitializedCapacity: 256) { buffer, count in
            ERR_error_string_n(code, buffer.baseAddress, buffer.count)
            count = buffer.firstIndex(of: 0) ?? 0
        }
        return String(decoding: buffer.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
