internal import APNsRules
internal import Synchronization

/// The tokens that application server keys used last, for the advice on how often they change.
final class VapidTokenUses: Sendable {
    /// The most keys that are remembered.
    static let keysMax = 1024

    private let memory = Mutex(RecentValues<[UInt8], VapidTokenUse>(countMax: keysMax))

    func last(of key: [UInt8]) -> VapidTokenUse? { memory.withLock { $0[key] } }

    /// Records the token that a key uses.
    func record(_ use: VapidTokenUse, of key: [UInt8]) {
        memory.withLock { memory in memory.change(key, orNew: use) { $0 = use } }
    }
}
