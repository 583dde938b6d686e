internal import COpenSSL

/// A failed call of OpenSSL, with OpenSSL's error queue.
struct OpenSSLError: Error, CustomStringConvertible {
    /// The name of the C function.
    let call: String
    /// OpenSSL's error queue, oldest first; may be empty.
    let lines: [String]

    /// Takes the error queue of this thread and leaves it empty.
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

    /// Whether the loaded library lacks an algorithm.
    var isUnsupported: Bool { lines.contains { $0.contains("unsupported") || $0.contains("unknown cipher") } }

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

extension TrustError {
    init(_ error: OpenSSLError) {
        self.init(.cryptography, "OpenSSL failed: \(error)", remedy: "")
    }

    /// Runs calls of OpenSSL that no input of the user can make fail.
    static func wrapping<Result: ~Copyable>(_ body: () throws(OpenSSLError) -> Result) throws(TrustError) -> Result {
        do {
            return try body()
        } catch {
            throw TrustError(error)
        }
    }
}
