package import APNsRules

/// An active Focus, and the apps and people that it lets through (`DeviceBehaviour#Focus`).
package struct Focus: Sendable, Hashable {
    /// The most apps, and the most people, of one Focus.
    private static let allowedMax = 1000
    /// `work`, `Do Not Disturb`.
    let name: String
    /// Topics whose notifications come through.
    private(set) var allowedApps: Set<String> = []
    /// The names of senders whose communication notifications come through, whichever the app.
    private(set) var allowedPeople: Set<String> = []

    /// Whether the Focus lets a notification through whatever its interruption level; `sender` is a communication
    /// notification's.
    func allows(topic: String, sender: String?) -> Bool {
        allowedApps.contains(topic) || sender.map { allowedPeople.contains($0) } == true
    }
}

extension Focus: DocumentValue {
    /// A device's `focus`: a name, or `{"name", "apps": [topics], "people": [names]}`.
    package static let form = Form.named("Focus", .either(.someText, .object(fields.making)))

    private static let fields: Fields<Focus> = [
        Field(Member("name", .someText, summary: "The name of the Focus.", isRequired: true)) { .string($0.name) },
        Field(
            Member(
                "apps", .array(of: .topic, 0...allowedMax),
                summary: "The topics of the apps whose notifications come through."),
            given: { $0.allowedApps.isEmpty ? nil : .texts($0.allowedApps.sorted()) }),
        Field(
            Member(
                "people", .array(of: .someText, 0...allowedMax),
                summary: "The senders whose communication notifications come through, by the name on the card."),
            given: { $0.allowedPeople.isEmpty ? nil : .texts($0.allowedPeople.sorted()) }),
    ]

    package init(json: JSONValue, at place: String) {
        name = json.string ?? json["name"]?.string ?? ""
        allowedApps = Focus.names(json["apps"])
        allowedPeople = Focus.names(json["people"])
    }

    private static func names(_ json: JSONValue?) -> Set<String> { Set((json?.array ?? []).compactMap(\.string)) }

    /// The Focus as JSON: its name alone if it allows no person and no app.
    package var json: JSONValue {
        allowedApps.isEmpty && allowedPeople.isEmpty
            ? .string(name) : .object(Focus.fields.remakingMembers(of: self))
    }
}

extension Focus: ByteRecord {
    package static let members = ByteMembers(Focus.init) { ($0.name, $0.allowedApps, $0.allowedPeople) }
}
