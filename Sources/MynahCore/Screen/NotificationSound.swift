package import APNsRules

/// What a notification sounds like (`DeviceBehaviour#What-the-user-sees`).
package struct NotificationSound: Sendable, Hashable {
    /// The name of the system's own sound.
    package static let defaultName = "default"

    /// The file in the app, or ``defaultName``.
    package let name: String
    /// Whether it sounds through mute and Focus.
    package let isCritical: Bool
    /// How loud a critical sound is, 0 to 1; `nil` for the device's own volume.
    package let volume: Double?

    /// A sound.
    package init(name: String, isCritical: Bool = false, volume: Double? = nil) {
        self.name = name
        self.isCritical = isCritical
        self.volume = volume
    }

    /// The sound as the control API prints it.
    package var json: JSONValue {
        ["name": .string(name), "critical": .bool(isCritical), "volume": .fraction(volume)]
    }

    /// Reads `aps.sound`; `nil` when there is none.
    ///
    /// The empty string, which providers send for silence, is silent (inferred).
    init?(_ value: JSONValue?, app: AppPresentation, warnings: inout [String]) {
        switch value {
        case nil: return nil
        case .string(""):
            warnings.append("aps.sound is empty; leave it out for silence")
            return nil
        case .string(let name):
            self.init(name: NotificationSound.playable(name, app, &warnings))
        case .object?:
            var reader = PayloadReader(value ?? .null, called: "aps.sound")
            let name = reader.text("name") ?? NotificationSound.defaultName
            let wantsCritical = reader.isOne("critical")
            let volume = reader.number("volume", in: 0...1)
            reader.warnOfMisspelling(among: PayloadNames.sound)
            warnings += reader.warnings
            let isCritical = wantsCritical && app.permissions.critical
            if wantsCritical, !isCritical {
                warnings.append("the app may not send critical alerts; its sound is an ordinary one")
            }
            self.init(
                name: NotificationSound.playable(name, app, &warnings), isCritical: isCritical,
                volume: isCritical ? volume : nil)
        case .some(let value):
            warnings.append("aps.sound is \(value.kind); a string or an object was expected")
            return nil
        }
    }

    // A file that the app does not have, or that is too long, is the default sound (archived).
    private static func playable(_ name: String, _ app: AppPresentation, _ warnings: inout [String]) -> String {
        guard name != defaultName else { return name }
        guard let sound = app.sounds.first(where: { $0.name == name }) else {
            warnings.append("the app has no sound \(name); the default one is played")
            return defaultName
        }
        guard sound.isPlayable else {
            warnings.append("the sound \(name) is longer than 30 s; the default one is played")
            return defaultName
        }
        return name
    }
}

extension JSONValue {
    /// A number, or `null`; whole ones without a fraction.
    static func fraction(_ number: Double?) -> JSONValue {
        guard let number else { return .null }
        return Int64(exactly: number).map { .number(JSONNumber($0)) } ?? .number(JSONNumber(text: "\(number)"))
    }
}
