extension JSONValue {
    /// This value as compact JSON in UTF-8, members in their order.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// This value as compact JSON.
    public var encodedText: String { String(decoding: encoded, as: UTF8.self) }

    /// Appends this value as compact JSON.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let value): bytes.append(contentsOf: value.text.utf8)
        case .string(let value): JSONValue.write(value, to: &bytes)
        case .raw(let value): bytes.append(contentsOf: value)
        case .array(let elements):
            bytes.append(0x5B)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                element.write(to: &bytes)
            }
            bytes.append(0x5D)
        case .object(let members):
            bytes.append(0x7B)
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                JSONValue.write(member.name, to: &bytes)
                bytes.append(0x3A)
                member.value.write(to: &bytes)
            }
            bytes.append(0x7D)
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Hex.lowercase(byte >> 4))
                bytes.append(Hex.lowercase(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
