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

    /// A file's name, or an object with the duration.
    static let form = Form.either(
        .someText,
        .object([
            Member("name", .someText, isRequired: true),
            Member("duration", .duration(.zero...Form.durationMax)),
        ]))

    /// Reads a sound that has been checked.
    init(_ json: JSONValue) {
        name = json.string ?? json["name"]?.string ?? ""
        duration = json["duration"]?.string.flatMap { DurationText.parse($0) }
    }

    // In the form in which it was written: a name alone, or with its duration.
    var json: JSONValue {
        guard let duration else { return .string(name) }
        return ["name": .string(name), "duration": .duration(duration)]
    }
}
