internal import APNsRules
internal import MynahCore

/// A file of the web page, embedded into the binary by the plugin `EmbedFiles`, or made of what the server knows.
struct PageFile: Sendable {
    let name: String
    let text: String
    /// Differs for every version of the text.
    let tag: String

    init(name: String, text: String) {
        self.name = name
        self.text = text
        tag = String(FNV1a.hash(of: text.utf8), radix: 16)
    }

    /// The files that are made of what the server knows, by their names.
    private static let made = Dictionary(
        uniqueKeysWithValues: [
            made("made/presets.js", "export const presetGroups = \(FaultPreset.formGroups.encodedText);\n"),
            made("made/filters.js", "export const filterKeys = \(FilterKey.suggestions.encodedText);\n"),
            made(
                "made/devices.js",
                """
                export const deviceMembers = \(DeviceProfile.formMembers.encodedText);
                export const appMembers = \(AppSettings.formMembers.encodedText);
                export const permissionMembers = \(NotificationPermissions.formMembers.encodedText);

                """),
        ].map { ($0.name, $0) })

    /// A file that was embedded, or is made; `nil` if the page has no such file.
    static func named(_ name: String) -> PageFile? { made[name] ?? embedded[name] }

    private static func made(_ name: String, _ text: String) -> PageFile { PageFile(name: name, text: text) }

    /// The media type of the file, or `nil` for a file that no page asks for.
    var contentType: String? {
        let types = [
            ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
            ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
        ]
        return types.first { name.hasSuffix($0.key) }?.value
    }
}

extension FilterKey {
    /// What the search box suggests, first what is looked for most: each key with its meaning, the words that it can be, and
    /// whether it may begin or cease to match a push that is in the list.
    fileprivate static var suggestions: JSONValue {
        let first: [FilterKey] = [.topic, .device] + allCases.filter(\.isOfOutcome) + [.has, .pushType, .text]
        let others = allCases.filter { $0 != .token && !first.contains($0) }
        return .array(first.map(\.suggestion) + [payloadSuggestion, token.suggestion] + others.map(\.suggestion))
    }

    private static let payloadSuggestion: JSONValue = [
        "key": "payload",
        "text": "A field of the payload: payload:/aps/category:NEWS, or a part: payload:/aps/alert~:rain",
        "values": [], "changes": false,
    ]

    private var suggestion: JSONValue {
        [
            "key": .string(rawValue), "text": .string(String(sentence.dropLast())), "values": .texts(words),
            "changes": .bool(known != .onArrival),
        ]
    }
}
