internal import APNsRules

/// The conditions of a filter that are decided by an entry in place, before anything of it is copied or decoded: for a
/// reader that waits, nearly all pushes have another topic, device or scope.
package struct EntryPrefilter: Sendable {
    // ASCII only: other texts can be equal although their bytes differ.
    private var topics: [[UInt8]]?
    private var tokens: Set<DeviceToken>?
    private var scopes: Set<String>?

    package init(_ filter: Filter = Filter()) {
        for condition in filter.conditions {
            guard let values = condition.matcher.exactValues else { continue }
            let texts = values.compactMap(\.string)
            guard texts.count == values.count else { continue }
            switch condition.field {
            case .key(.topic) where texts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }:
                topics = texts.map { Array($0.utf8) }
            case .key(.token):
                tokens = Set(texts.compactMap { DeviceToken($0, byteCounts: 1...DeviceToken.byteCountMax) })
            case .key(.scope): scopes = Set(texts)
            default: break
            }
        }
    }

    /// Whether an entry may pass the filter; `false` is certain.
    package func mayPass(_ entry: borrowing Entry) -> Bool {
        if let tokens {
            guard let token = entry.token, tokens.contains(token) else { return false }
        }
        if let scopes {
            guard let scope = entry.label?.scope, scopes.contains(scope) else { return false }
        }
        return topics.map { EntryPrefilter.hasTopic(entry, among: $0) } ?? true
    }

    // Without the field, the topic may be that of a certificate.
    private static func hasTopic(_ entry: borrowing Entry, among topics: [[UInt8]]) -> Bool {
        let block = entry.headers
        var offset = 0
        while let field = block.field(at: &offset) {
            guard case .apnsTopic = field.name else { continue }
            return topics.contains { $0.count == field.value.count && $0.elementsEqual(block.bytes[field.value]) }
        }
        return true
    }
}
