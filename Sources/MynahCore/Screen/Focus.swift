internal import APNsRules

/// An active Focus, and the apps that it lets through (`DeviceBehaviour#What-the-user-sees`).
package struct Focus: Sendable, Hashable {
    /// `work`, `Do Not Disturb`.
    let name: String
    /// Topics whose notifications come through.
    var allowedApps: Set<String> = []
}

extension Focus {
    /// A device's `focus`: a name, or `{"name", "apps": [topics]}`.
    package static let form = Form.either(
        .someText,
        .object([Member("name", .someText, isRequired: true), Member("apps", .array(of: .anyText, 0...1000))]))

    /// Reads a device's `focus`, which has been checked.
    init(checked json: JSONValue) {
        name = json.string ?? json["name"]?.string ?? ""
        allowedApps = Set((json["apps"]?.array ?? []).compactMap(\.string))
    }

    /// The Focus as it is written: its name alone if no app is let through.
    var json: JSONValue {
        allowedApps.isEmpty ? .string(name) : ["name": .string(name), "apps": .texts(allowedApps.sorted())]
    }
}
