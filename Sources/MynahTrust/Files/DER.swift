/// Writes elements of DER (ITU-T X.690).
enum DER {
    enum Tag {
        case integer
        case bitString
        case octetString
        case objectIdentifier
        case utf8String
        case sequence
        /// Context-specific and explicit: `[number]`, below 31.
        case tagged(UInt8)

        fileprivate var byte: UInt8 {
            switch self {
            case .integer: 0x02
            case .bitString: 0x03
            case .octetString: 0x04
            case .objectIdentifier: 0x06
            case .utf8String: 0x0C
            case .sequence: 0x30
            case .tagged(let number): 0xA0 | number
            }
        }
    }

    // Tag, length in its shortest form, content (X.690 §8.1, §10.1).
    static func element(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag.byte, UInt8(content.count)] + content }
        let length = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [tag.byte, 0x80 | UInt8(length.count)] + length + content
    }
}
