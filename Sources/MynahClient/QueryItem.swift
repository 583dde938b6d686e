/// A parameter of a URL: a filter key, `limit`, `after`, `wait` (`ControlAPI#Filters`).
public struct QueryItem: Hashable, Sendable {
    /// The key; with `!` in front it negates the filter.
    public let name: String
    /// The value, not encoded.
    public let value: String

    /// A parameter.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// A path with a query; everything except RFC 3986's unreserved characters is percent-encoded.
    package static func target(_ path: String, _ items: [QueryItem]) -> String {
        guard !items.isEmpty else { return path }
        return path + "?" + items.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
    }

    /// Percent-encodes one component of a path or a query.
    package static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }
}
