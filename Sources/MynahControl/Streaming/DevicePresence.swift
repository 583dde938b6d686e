internal import Logging
internal import Mynah
internal import MynahCore
internal import Synchronization

/// Holds a device online for as long as somebody listens (`?connect=true`).
///
/// Whatever becomes of the answer, even when nobody ever begins to read it, the device is let go once.
final class DevicePresence: Sendable {
    private let server: Server
    private let id: String
    private let isHeld = Mutex(true)

    /// Takes the device online; what was stored for it arrives.
    ///
    /// - Throws: `DeviceError` when there is no such device.
    init(_ id: String, _ server: Server) async throws(DeviceError) {
        try await server.connectDevice(id)
        self.server = server
        self.id = id
    }

    deinit {
        guard isHeld.withLock({ $0 }) else { return }
        Task { [server, id] in await server.disconnectDevice(id) }
    }

    /// Lets the device go; the last one to do so takes it offline.
    func end() async {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { await server.disconnectDevice(id) }
    }
}
