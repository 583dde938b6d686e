internal import NIOCore
internal import Synchronization

/// The connections of the control API, so that none outlasts it: a caller that never closes its side, or never
/// reads its answer, would hold up a shutdown for ever.
final class OpenConnections: Sendable {
    private let limits: ListenerLimits
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    // Connections that have a place and are not closed.
    private let taken = Atomic<Int>(0)

    init(_ limits: ListenerLimits) {
        self.limits = limits
    }

    /// What a new connection's pipeline gets so that the connection is known here, and asks in time.
    func handlers() -> [any RemovableChannelHandler] {
        let hasPlace = taken.add(1, ordering: .relaxed).newValue <= limits.connectionsMax
        // One that is refused keeps out nobody while it goes.
        if !hasPlace { taken.subtract(1, ordering: .relaxed) }
        return [Tracker(self, hasPlace: hasPlace), RequestPace(limits, hasPlace: hasPlace)]
    }

    /// Closes all, whatever they are doing.
    func closeAll() {
        for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }

    private func add(_ channel: any Channel, hasPlace: Bool) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { [weak self] _ in
            guard let self else { return }
            channels.withLock { _ = $0.removeValue(forKey: id) }
            if hasPlace { taken.subtract(1, ordering: .relaxed) }
        }
    }

    private final class Tracker: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let connections: OpenConnections
        private let hasPlace: Bool

        init(_ connections: OpenConnections, hasPlace: Bool) {
            self.connections = connections
            self.hasPlace = hasPlace
        }

        func handlerAdded(context: ChannelHandlerContext) {
            connections.add(context.channel, hasPlace: hasPlace)
        }
    }
}
