internal import APNsRules
internal import MynahWire
internal import NIOCore
internal import Synchronization

/// The open connections of a server, by number.
///
/// Holds channels, never handlers: commands travel to the loop through the channel.
final class ConnectionTable: Sendable {
    private let channels = Mutex<[UInt64: any Channel]>([:])
    private let numbers = Atomic<UInt64>(0)

    /// The next connection's number; they begin at 1.
    func takeNumber() -> UInt64 {
        numbers.add(1, ordering: .relaxed).newValue
    }

    /// Adds a connection until its channel closes.
    func add(_ channel: any Channel, _ number: UInt64) {
        channels.withLock { $0[number] = channel }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.channels.withLock { _ = $0.removeValue(forKey: number) }
        }
    }

    /// How many are open.
    var count: Int { channels.withLock { $0.count } }

    /// Sends GOAWAY on all that are open now and returns when they are closed; answers how many there were.
    @discardableResult
    func shutDown(reason: Reason, grace: Duration) async -> Int {
        let open = channels.withLock { Array($0.values) }
        for channel in open {
            channel.triggerUserOutboundEvent(ConnectionCommand.shutDown(reason: reason, grace: grace), promise: nil)
        }
        for channel in open {
            // A close never fails; it may only have happened already.
            try? await channel.closeFuture.get()
        }
        return open.count
    }
}
