/// The device that a push's token names, and the device's scope; a class so that it takes one word of an entry, since
/// most entries have none.
package final class DeviceLabel: Sendable, Equatable {
    package let device: String
    package let scope: String?
    package init(device: String, scope: String?) {
        self.device = device
        self.scope = scope
    }

    package static func == (one: DeviceLabel, other: DeviceLabel) -> Bool {
        one.device == other.device && one.scope == other.scope
    }
}

extension DeviceLabel: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(device)
        writer.write(scope)
    }

    package convenience init(from reader: inout ByteReader) throws(CodingProblem) {
        let device = try String(from: &reader)
        self.init(device: device, scope: try reader.read())
    }
}
