internal import APNsRules

/// What a notification sounds like (`DeviceBehaviour#What-the-user-sees`).
package struct NotificationSound: Sendable, Hashable {
    /// The name of the system's own sound.
    private static let defaultName = "default"

    /// A file in the app, or `default`.
    let name: String
    /// Whether the sound is heard through mute and Focus.
    var isCritical = false
    /// How loud a critical sound is, 0 to 1; `nil` for the device's own volume.
    var volume: Double?

    /// The system's own sound.
    static let standard = NotificationSound(name: defaultName)
}

extension NotificationSound {
    /// Reads `sound` of `aps`, or of a Live Activity's alert; `nil` for silence, which the empty string asks for, too (inferred).
    init?(_ aps: inout PayloadReader, app: AppPresentation?) {
        guard let value = aps["sound"] else { return nil }
        switch value {
        case .string(""):
            aps.warn("\(aps.name).sound is empty; leave it out for silence")
            return nil
        case .string(let name): self.name = NotificationSound.playable(name, in: app, with: &aps)
        case .object:
            var reader = PayloadReader(value, called: "\(aps.name).sound")
            let name = reader.text("name") ?? NotificationSound.defaultName
            let wantsCritical = reader.isOne("critical")
            let volume = reader.number("volume", in: 0...1)
            reader.warnOfMisspelling(among: ["critical", "name", "volume"])
            aps.warn(reader.warnings)
            isCritical = wantsCritical && app?.permissions.critical != false
            if wantsCritical, !isCritical {
                aps.warn("the app may not send critical alerts; its sound is an ordinary one")
            }
            self.name = NotificationSound.playable(name, in: app, with: &aps)
            self.volume = isCritical ? volume : nil
        default:
            aps.warn("\(aps.name).sound is \(value.kind): expected a string or an object")
            return nil
        }
    }

    // For a file that the app doesn't have, or that can't be played, the default sound is played (archived).
    private static func playable(_ name: String, in app: AppPresentation?, with reader: inout PayloadReader) -> String {
        guard let app, name != defaultName else { return name }
        let sound = app.sounds.first { $0.name == name }
        guard let problem = sound == nil ? "the app has no sound \(name)" : sound?.problem else { return name }
        reader.warn("\(problem); the default one is played")
        return defaultName
    }

    var json: JSONValue { .object(NotificationSound.fields.members(of: self)) }

    static let fields: Fields<NotificationSound> = [
        Field(shown: "name", .anyText, "The name of the sound.") { .string($0.name) },
        Field(shown: "critical", .bool, "Whether it is heard although the device is muted.") { .bool($0.isCritical) },
        Field(
            shown: "volume", .nullable(.number), "The volume of a critical sound, from 0 to 1; null for any other."
        ) { .fraction($0.volume) },
    ]

    /// The sound as a timeline shows it: `ping.caf`, `alarm.caf, critical, volume 0.5`.
    var text: String {
        let parts = [name, isCritical ? "critical" : nil, volume.map { "volume \($0)" }]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

/// A sound file in an app (`DeviceBehaviour#What-the-user-sees`).
struct RegisteredSound: Sendable, Hashable {
    /// The most sounds of an app.
    static let soundsMax = 1000
    /// The longest file that is played (archived).
    private static let durationMax: Duration = .seconds(30)

    let name: String
    /// The file's duration; `nil` if unknown, and then taken as short enough.
    var duration: Duration?

    /// Why the file can't be played; `nil` if it can.
    var problem: String? {
        let types = [".aiff", ".aif", ".wav", ".caf"]
        guard types.contains(where: name.lowercased().hasSuffix) else {
            return "the sound \(name) is not an aiff, wav or caf file"
        }
        guard let duration, duration > RegisteredSound.durationMax else { return nil }
        return "the sound \(name) is longer than 30 s"
    }
}

extension RegisteredSound {
    /// A file's name, or an object with the duration.
    static let form = Form.either(.someText, .object(fields.making))

    private static let fields: Fields<RegisteredSound> = [
        Field(Member("name", .someText, summary: "The name of the file.", isRequired: true)) { .string($0.name) },
        Field(
            Member(
                "duration", .duration(.zero...Form.durationMax),
                summary: "How long it is; longer than 30 s can't be played.")
        ) { $0.duration.json },
    ]

    /// Reads the `sounds` of a registration.
    static func all(_ reader: ObjectReader) throws(InputError) -> [RegisteredSound] {
        var sounds: [RegisteredSound] = []
        var names: Set<String> = []
        for (value, place) in reader.elements("sounds") {
            let sound = RegisteredSound(value)
            guard names.insert(sound.name).inserted else {
                throw InputError(at: place, "the sound \(sound.name) is given twice: expected it once")
            }
            sounds.append(sound)
        }
        return sounds
    }

    // Reads a sound whose document has been checked.
    private init(_ json: JSONValue) {
        name = json.string ?? json["name"]?.string ?? ""
        duration = json["duration"]?.string.flatMap { DurationText.parse($0) }
    }

    /// The sound file as JSON: its name alone, or with its duration.
    var json: JSONValue {
        duration == nil ? .string(name) : .object(RegisteredSound.fields.remakingMembers(of: self))
    }
}

extension NotificationSound: ByteRecord {
    package static let members = ByteMembers(NotificationSound.init) { ($0.name, $0.isCritical, $0.volume) }
}

extension RegisteredSound: ByteRecord {
    static let members = ByteMembers(RegisteredSound.init) { ($0.name, $0.duration) }
}
