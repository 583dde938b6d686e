package import APNsRules

/// What of a device decides how it shows a notification (`Documents#Devices`).
package struct ScreenSurroundings: Sendable, Hashable {
    /// The user's language and region: `en-GB`, `pt_BR`.
    package let locale: String
    /// The Focus that is on.
    package let focus: Focus?

    /// The surroundings of a push.
    package init(locale: String = "en", focus: Focus? = nil) {
        self.locale = locale
        self.focus = focus
    }
}

/// A Focus that is on, and the apps that may disturb nevertheless (`DeviceBehaviour#What-the-user-sees`).
package struct Focus: Sendable, Hashable {
    /// Its name: `work`, `Do Not Disturb`.
    package let name: String
    /// Topics whose notifications come through.
    package let allowedApps: Set<String>

    /// A Focus.
    package init(name: String, allowedApps: Set<String> = []) {
        self.name = name
        self.allowedApps = allowedApps
    }

    /// A device's `focus`: a name, or `{"name", "apps": [topics]}`.
    package static let form = Form.either(
        .someText,
        .object([
            Member("name", .someText, isRequired: true), Member("apps", .array(of: .anyText, 0...1000)),
        ]))

    /// Reads a device's `focus`, which has been checked.
    init(checked json: JSONValue) {
        self.init(
            name: json.string ?? json["name"]?.string ?? "",
            allowedApps: Set((json["apps"]?.array ?? []).compactMap(\.string)))
    }

    /// The Focus as it is written: its name alone when no app is let through.
    package var json: JSONValue {
        guard !allowedApps.isEmpty else { return .string(name) }
        return ["name": .string(name), "apps": .array(allowedApps.sorted().map { .string($0) })]
    }
}
