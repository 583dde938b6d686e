internal import Mynah
internal import MynahCore
internal import Synchronization

/// Keeps a device online while a reader is connected (`?connect=true`).
///
/// The device is released exactly once, also when the answer is never read.
final class DevicePresence: Sendable {
    private let server: Server
    private let id: String
    private let client: UInt64
    private let isHeld = Mutex(true)

    /// Brings the device online; its stored pushes arrive.
    ///
    /// - Throws: `InputError` for an unknown device.
    init(_ id: String, _ server: Server) async throws(InputError) {
        self.client = try await server.connectDevice(id)
        self.server = server
        self.id = id
    }

    deinit {
        guard isHeld.withLock({ $0 }) else { return }
        Task { [server, id, client] in await server.disconnectDevice(id, client: client) }
    }

    /// Releases the device, which goes offline with its last client.
    func end() async {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { await server.disconnectDevice(id, client: client) }
    }
}
