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
    package let clock: FixtureClock?
    package let keys: [NewKey]
    /// The last one is the newest.
    package let faults: [FaultDraft]

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - tokenByteCounts: How long a device's token may be (`--token-length`).
    ///   - readFile: The text of a file that the document names, or why it can't be had, as the end of a sentence.
    /// - Throws: ``InputError`` whose field is a JSON pointer.
    package init(
        _ document: JSONValue, tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts,
        readFile: @escaping KeyReading.FileReading
    ) throws(InputError) {
        let reader = try ObjectReader(document, Fixtures.schema)
        devices = try reader.elements("devices").map { json, place throws(InputError) in
            try DeviceSpecification(json: json, at: place, tokenByteCounts: tokenByteCounts)
        }
        clock = try reader.map("clock") { json, place throws(InputError) in try FixtureClock(json, at: place) }
        keys = try reader.elements("keys").map { json, place throws(InputError) in
            try KeyReading(json, at: place, readFile: readFile).newKey()
        }
        faults = try reader.elements("faults").map { json, place throws(InputError) in
            try FaultDraft(json: json, at: place)
        }
    }
}
