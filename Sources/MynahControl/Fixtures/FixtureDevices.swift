internal import APNsRules
internal import Mynah
package import MynahCore
internal import Synchronization

/// The devices of `--fixtures`: made at the start, and again after each reset.
final class FixtureDevices: Sendable {
    private let specifications = Mutex<[DeviceSpecification]>([])

    /// Makes the devices, and remembers them.
    ///
    /// A device without an id gets one, which it keeps.
    /// - Throws: ``DeviceFixtureFault``, at the first device that the server does not take.
    func load(_ given: [DeviceSpecification], _ server: Server) async throws(DeviceFixtureFault) {
        for (index, device) in given.enumerated() {
            var device = device
            if device.id == nil { device.id = server.freshDeviceID() }
            do throws(DeviceError) {
                try await server.makeDevices(device)
            } catch {
                throw DeviceFixtureFault(index: index, error: error)
            }
            specifications.withLock { [device] in $0.append(device) }
        }
    }

    /// Makes the devices of a scope, or all, again.
    ///
    /// - Throws: `DeviceError` when somebody took an id or a token of theirs meanwhile.
    func make(ofScope scope: String?, _ server: Server) async throws {
        for device in specifications.withLock({ $0 }) where scope == nil || device.scope == scope {
            try await server.makeDevices(device)
        }
    }
}

/// A device of fixtures that the server does not take.
package struct DeviceFixtureFault: Error, Sendable {
    /// Which of the devices that were given, from 0.
    package let index: Int
    /// Why not; its field is a JSON pointer into the device's object.
    package let error: DeviceError
}

extension ControlServer {
    /// Makes the devices of fixtures, now and after each reset.
    ///
    /// - Throws: ``DeviceFixtureFault``, at the first device that the server does not take.
    package func load(_ devices: [DeviceSpecification]) async throws(DeviceFixtureFault) {
        try await state.fixtureDevices.load(devices, state.server)
    }
}
