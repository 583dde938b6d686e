internal import Mynah
internal import NIOCore
internal import Synchronization

/// The connections of the control API, so that a shutdown can close them.
///
/// A caller that never closes its side, or never reads its answer, would otherwise delay the shutdown forever.
final class OpenConnections: Sendable {
    private let limits: ListenerLimits
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    // Open connections, except those above the limit.
    private let taken = Atomic<Int>(0)
    // The connections above the limit, the oldest first, except those that have been asked to make room.
    private let above = Mutex<[any Channel]>([])
    // The most that were open since memory was last given back.
    private let peak = Mutex(0)
    /// The fewest connections whose end gives memory back to the system.
    private static let peakMin = 16
    init(_ limits: ListenerLimits) { self.limits = limits }

    /// Whether another connection may be accepted, if only for a probe or to be refused.
    var hasRoom: Bool { channels.withLock { $0.count } < limits.connectionsMax + ListenerLimits.connectionsAboveMax }

    /// The log message for when there is no room.
    var fullWarning: String {
        let open = "new connections to the control API wait: \(limits.connectionsMax) are open, the most there may be"
        guard limits.connectionsMax < ListenerLimits.connectionsLimit else { return "\(open); close some" }
        return "\(open) with the \(FileDescriptors.limit) file descriptors that this process may have; close some, or "
            + "raise the limit (ulimit -n, docker run --ulimit nofile=N)"
    }

    /// The handler of a new connection, which registers it here and enforces the time limits.
    func handler() -> RequestDeadlines {
        let hasPlace = taken.add(1, ordering: .relaxed).newValue <= limits.connectionsMax
        if !hasPlace { taken.subtract(1, ordering: .relaxed) }
        return RequestDeadlines(limits, hasPlace: hasPlace) { channel in
            self.add(channel)
            if hasPlace {
                channel.closeFuture.whenComplete { _ in self.taken.subtract(1, ordering: .relaxed) }
            } else {
                self.addAbove(channel)
            }
        }
    }

    /// Registers a connection above the limit; the oldest of them make room before there is none for the next one.
    private func addAbove(_ channel: any Channel) {
        let oldest = above.withLock { above in
            above.append(channel)
            return above.count > ListenerLimits.connectionsAboveMax / 2 ? above.removeFirst() : nil
        }
        channel.closeFuture.whenComplete { [weak self] _ in self?.above.withLock { $0.removeAll { $0 === channel } } }
        oldest?.pipeline.fireUserInboundEventTriggered(RoomIsWanted())
    }

    /// Registers a connection until it is closed: on its listener's loop, which would otherwise accept many more than
    /// ``hasRoom`` allows before their own loops come to them; and on its own, if the listener was faster than its gate.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let (isKnown, count) = channels.withLock { ($0.updateValue(channel, forKey: id) != nil, $0.count) }
        guard !isKnown else { return }
        peak.withLock { $0 = max($0, count) }
        channel.closeFuture.whenComplete { [weak self] _ in self?.remove(id) }
    }

    private func remove(_ id: ObjectIdentifier) {
        let count = channels.withLock { channels in
            channels[id] = nil
            return channels.count
        }
        let hasHalved = peak.withLock { peak in
            guard peak >= OpenConnections.peakMin, count <= peak / 2 else { return false }
            peak = count
            return true
        }
        if hasHalved { FreedMemory.giveBack() }
    }

    func closeAll() { for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) } }
}

/// Tells a connection above the limit that its place is needed, if it isn't being answered.
struct RoomIsWanted: Sendable {}

/// Limits of the control API, so that no caller can keep others out.
struct ListenerLimits: Hashable, Sendable {
    /// The most connections on all addresses; on further ones only probes and metrics are answered, and all else is
    /// refused with 503, so that some file descriptors are left to connections of providers and to files.
    var connectionsMax = min(connectionsLimit, FileDescriptors.limit / descriptorsDivisor)
    /// The most connections if there are enough file descriptors; far more than tests need.
    static let connectionsLimit = 512
    /// The part of the file descriptors that connections to the control API may use.
    private static let descriptorsDivisor = 4
    /// The most connections above the limit: for probes, and for those that are being refused.
    static let connectionsAboveMax = 16
    /// How long a connection above the limit may take to send the head of a request before it is refused.
    var headAboveTimeout: Duration = .seconds(1)
    /// The most bytes of requests that wait on a connection for the answer to an earlier one; then it is read no
    /// further.
    static let heldBytesMax = 64 * 1024
    /// How long a new connection may take to send the head of a request; browsers open some in advance.
    ///
    /// As long as a busy machine may keep a caller from its processor.
    var firstHeadTimeout: Duration = .seconds(60)
    /// How long a body may take after its head: 5 MB at 85 kB/s.
    var bodyTimeout: Duration = .seconds(60)
    /// How long a connection may be idle; one that waits for an answer is not idle.
    var idleTimeout: Duration = .seconds(120)
    /// How long a caller may take to close its side after its last answer.
    var closeTimeout: Duration = .seconds(5)
    static let fieldBytesMax = 32 * 1024
    static let fieldsBytesMax = 64 * 1024
    /// Header fields; browsers send about twenty.
    static let fieldsMax = 100
    /// Bytes of a URL's query: some hundred conditions, each of which is tried on every push of the journal.
    static let queryBytesMax = 16 * 1024
}
