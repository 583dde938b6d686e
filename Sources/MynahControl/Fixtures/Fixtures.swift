package import APNsRules
package import Mynah
package import MynahCore

/// The content of a fixtures file, which is loaded before the server is ready (`ControlAPI#Fixtures`): objects of the API
/// under the names of its lists.
package struct Fixtures: Sendable {
    package static let schema = RequestSchemas.fixtures

    package let devices: [DeviceSpecification]
    package let clock: ClockChange?
    package let keys: [NewKey]
    package let channels: [ChannelSpecification]
    /// The last one is the newest.
    package let faults: [FaultDraft]

    /// Reads a document for a server; `environment` is that of devices and channels that name none, and `readFile` returns
    /// the text of a file that the document names, or the reason why it can't be read.
    /// - Throws: ``InputError`` whose field is a JSON pointer.
    package init(
        _ document: JSONValue, tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts,
        environment: APNsEnvironment = .sandbox, readFile: @escaping FileReading
    ) throws(InputError) {
        let reader = try ObjectReader(document, Fixtures.schema)
        devices = try reader.elements("devices").map { json, place throws(InputError) in
            try DeviceSpecification(
                json: json, at: place, tokenByteCounts: tokenByteCounts, environment: environment)
        }
        clock = try reader.map("clock") { json, place throws(InputError) in
            try ClockChange(ObjectReader(json, at: place, ClockChange.schema))
        }
        keys = try reader.elements("keys").map { json, place throws(InputError) in
            try NewKey(json: json, at: place, readFile: readFile)
        }
        channels = try reader.elements("channels").map { json, place throws(InputError) in
            try ChannelSpecification(json: json, at: place, environment: environment)
        }
        faults = try reader.elements("faults").map { json, place throws(InputError) in
            let draft = try FaultDraft(json: json, at: place)
            try draft.checkTokens(tokenByteCounts, at: place)
            return draft
        }
    }
}

extension ClockChange {
    /// The clock of a server that starts at the system's time `wall`.
    ///
    /// Without a mode it runs ahead of the system's clock. A frozen clock may be in the past, because nothing has happened
    /// yet; a running one may not.
    package func state(wall: Instant) throws(InputError) -> ClockState {
        let mode = mode ?? .offset
        var clock = ClockState()
        do throws(InputError) {
            try clock.set(mode, now: now, wall: mode == .frozen ? min(wall, now ?? wall) : wall)
        } catch {
            throw InputError(
                at: "/clock/now",
                "now is in the past: expected the present, \(wall.rfc3339), or later, unless mode is frozen")
        }
        return clock
    }
}
