internal import APNsRules

/// What Wallet, Safari and device management expect of a payload, as warnings
/// (`ProviderAPI#Topics-that-are-no-bundle-ids`).
enum TopicWarnings {
    /// The warnings of a payload that is JSON, to a topic of a kind.
    static func warnings(of payload: JSONValue, to kind: TopicKind, pushType: String?) -> [String] {
        guard let members = payload.object else { return [] }
        switch kind {
        case .app: return []
        case .pass: return ofPass(members)
        case .website: return pushType == PushType.alert.rawValue ? ofWebsite(payload["aps"]) : []
        case .management: return ofManagement(payload["mdm"], members.map(\.name).filter { $0 != "mdm" })
        }
    }

    /// An empty `aps` is as good as none.
    private static func ofPass(_ members: [JSONMember]) -> [String] {
        let read = members.filter { $0.name != "aps" || $0.value.object?.isEmpty != true }
        guard let first = read.first else { return [] }
        return ["\(first.name) is of no use to Wallet: expected the payload {}"]
    }

    private static func ofWebsite(_ aps: JSONValue?) -> [String] {
        let expected = "expected an array of strings, which Safari puts into the website's URL"
        guard let values = aps?["url-args"] else { return ["aps has no url-args: \(expected)"] }
        guard let values = values.array else { return ["aps.url-args is \(values.kind): \(expected)"] }
        let wrong = values.first { value in
            switch value {
            case .string, .number: false
            default: true
            }
        }
        return wrong.map { ["aps.url-args has \($0.kind): \(expected)"] } ?? []
    }

    private static func ofManagement(_ magic: JSONValue?, _ others: [String]) -> [String] {
        let expected = "expected the string that the device gave its MDM server as PushMagic"
        guard let magic else { return ["payload has no mdm: \(expected)"] }
        let wrong = magic.string == nil ? ["mdm is \(magic.kind): \(expected)"] : []
        return others.isEmpty ? wrong : wrong + ["\(others.joined(separator: " and ")) beside mdm: expected mdm alone"]
    }
}
