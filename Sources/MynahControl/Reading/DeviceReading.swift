internal import APNsRules
internal import MynahCore

extension Problem {
    /// What is wrong with a body or a parameter; a field that is no JSON pointer is a parameter of the URL.
    init(_ error: InputError) {
        let isParameter = !error.field.isEmpty && !error.field.hasPrefix("/")
        let kind: Kind =
            switch error.kind {
            case .invalid: isParameter ? .invalidParameter : .invalidField
            case .unknownName: isParameter ? .unknownParameter : .unknownField
            case .notFound: .notFound
            case .conflict: .conflict
            case .forbidden: .forbidden
            }
        self.init(kind, error.problem, field: error.place, allowed: error.allowed.isEmpty ? nil : error.allowed)
    }
}

extension Call {
    /// A named part of the path, percent-decoded.
    ///
    /// - Throws: ``Problem`` where percent-encoding or UTF-8 is broken.
    func pathText(_ name: String) throws(Problem) -> String {
        try PathText.decoded(parameters[name] ?? "", field: name)
    }

    /// A named part of the path that is a sequence number.
    ///
    /// - Throws: ``Problem`` when it is none.
    func pathSequence() throws(Problem) -> UInt64 {
        let text = try pathText("sequence")
        guard let sequence = UInt64(text), sequence > 0 else {
            throw Problem(
                .invalidParameter, "\(text) is no sequence number; it is a whole number from 1", field: "sequence")
        }
        return sequence
    }

    /// Runs a call about a device, and turns its error into a problem document.
    func aboutDevices<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch let error as InputError {
            throw Problem(error)
        }
    }

    /// Reads something about a device, and turns its error into a problem document.
    func reading<Answer>(_ body: () throws -> Answer) throws -> Answer {
        do {
            return try body()
        } catch let error as InputError {
            throw Problem(error)
        }
    }
}

/// A part of a URL's path.
enum PathText {
    /// Percent-decodes a part; `+` is itself there.
    ///
    /// - Throws: ``Problem`` where percent-encoding or UTF-8 is broken.
    static func decoded(_ text: String, field: String?) throws(Problem) -> String {
        guard text.utf8.contains(0x25) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != 0x2B
            else {
                throw Problem(
                    .invalidParameter, "\(text) is not percent-encoded: % takes two hexadecimal digits", field: field)
            }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw Problem(.invalidParameter, "\(text) is not UTF-8 when decoded", field: field)
        }
        return decoded
    }

    /// Percent-encodes an id or a topic for a `Location`; what they may consist of needs it only for what is not
    /// allowed in a path.
    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x3A, 0x40:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }
}
