package import APNsRules
package import Mynah
package import MynahCore

/// What a fixtures file gives a server before it is ready (`ControlAPI#Fixtures`): the objects of the API
/// under the names of its lists.
package struct Fixtures: Sendable {
    package static let schema: Schema = [
        Member("devices", .array(of: .any())), Member("clock", .any()), Member("keys", .array(of: .any())),
        Member("faults", .array(of: .any())),
    ]

    package let devices: [DeviceSpecification]
    package let clock: ClockChange?
    package let keys: [NewKey]
    /// The last one is the newest.
    package let faults: [FaultDraft]

    /// Reads a document; `readFile` returns the text of a file that it names, or why that can't be read, as the end of
    /// a sentence.
    /// - Throws: ``InputError`` whose field is a JSON pointer.
    package init(
        _ document: JSONValue, tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts,
        readFile: @escaping FileReading
    ) throws(InputError) {
        let reader = try ObjectReader(document, Fixtures.schema)
        devices = try reader.elements("devices").map { json, place throws(InputError) in
            try DeviceSpecification(json: json, at: place, tokenByteCounts: tokenByteCounts)
        }
        clock = try reader.map("clock") { json, place throws(InputError) in
            try ClockChange(ObjectReader(json, at: place, ClockChange.schema))
        }
        keys = try reader.elements("keys").map { json, place throws(InputError) in
            try NewKey(json: json, at: place, readFile: readFile)
        }
        faults = try reader.elements("faults").map { json, place throws(InputError) in
            try FaultDraft(json: json, at: place)
        }
    }
}

extension ClockChange {
    /// The clock of a server that starts when the wall says `wall`.
    ///
    /// Without a mode it runs ahead of the wall's. A clock that stands may stand in the past, since nothing has
    /// happened yet; one that runs is at least as late as the wall's.
    package func state(wall: Instant) throws(InputError) -> ClockState {
        let mode = mode ?? .offset
        var clock = ClockState()
        do throws(ClockState.Backwards) {
            try clock.set(mode, now: now, wall: mode == .frozen ? min(wall, now ?? wall) : wall)
        } catch {
            throw InputError(
                at: "/clock/now",
                "now is in the past, where only a frozen clock can stand; the wall says \(wall.rfc3339)")
        }
        return clock
    }
}
