internal import APNsRules

/// A sound file that lies in an app (`DeviceBehaviour#What-the-user-sees`).
package struct RegisteredSound: Sendable, Hashable {
    /// Sounds of one app; more are an error.
    package static let soundsMax = 1000
    /// A longer file is not played; the default sound is (archived).
    package static let durationMax: Duration = .seconds(30)

    /// The file's name, as a payload's `sound` names it.
    package let name: String
    /// How long it plays; `nil` when nobody said, and then short enough.
    package let duration: Duration?

    /// A sound.
    package init(name: String, duration: Duration? = nil) {
        self.name = name
        self.duration = duration
    }

    /// Whether the system plays it.
    var isPlayable: Bool { duration.map { $0 <= RegisteredSound.durationMax } ?? true }

    init(_ json: JSONValue, at pointer: JSONPointer) throws(QueryError) {
        if let name = json.string, !name.isEmpty {
            self.init(name: name)
            return
        }
        guard json.object != nil else {
            throw QueryError(
                pointer.description, "a file's name was expected, or an object with name and duration")
        }
        let reader = try MemberReader(json, at: pointer, names: ["name", "duration"])
        self.init(name: try reader.requiredText("name"), duration: try reader.duration("duration"))
    }

    // In the form in which it was written: a name alone, or with its duration.
    var json: JSONValue {
        guard let duration else { return .string(name) }
        return ["name": .string(name), "duration": .string(DurationText.text(duration))]
    }
}
