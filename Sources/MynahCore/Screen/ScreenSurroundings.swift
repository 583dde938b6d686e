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
    /// Apps that may be let through one Focus; more are an error.
    package static let appsMax = 1000

    /// Its name: `work`, `Do Not Disturb`.
    package let name: String
    /// Topics whose notifications come through.
    package let allowedApps: Set<String>

    /// A Focus.
    package init(name: String, allowedApps: Set<String> = []) {
        self.name = name
        self.allowedApps = allowedApps
    }

    /// Reads a device's `focus`: a name, or `{"name", "apps": [topics]}`.
    ///
    /// - Throws: ``QueryError`` whose field is a JSON pointer.
    package init(json: JSONValue, at pointer: JSONPointer) throws(QueryError) {
        if let name = json.string, !name.isEmpty {
            self.init(name: name)
            return
        }
        guard json.object != nil else {
            throw QueryError(pointer.description, "a Focus' name was expected, or an object with name and apps")
        }
        let reader = try MemberReader(json, at: pointer, names: ["name", "apps"])
        self.init(
            name: try reader.requiredText("name"),
            allowedApps: Set(try reader.texts("apps", max: Focus.appsMax) ?? []))
    }

    /// The Focus as it is written: its name alone when no app is let through.
    package var json: JSONValue {
        guard !allowedApps.isEmpty else { return .string(name) }
        return ["name": .string(name), "apps": .array(allowedApps.sorted().map { .string($0) })]
    }
}
