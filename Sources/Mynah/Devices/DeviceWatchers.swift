internal import APNsRules
internal import MynahCore
internal import Synchronization

/// The readers of devices' deliveries, which get signals and read the deliveries: a slow one costs no memory.
final class DeviceWatchers: Sendable {
    private struct State {
        var streams: [String: [UInt64: AsyncStream<Void>.Continuation]] = [:]
        var isEnded = false
    }

    private let state = Mutex(State())
    // So that a push to a device without readers costs one load.
    private let count = Atomic<Int>(0)
    private let tickets = Atomic<UInt64>(0)

    /// Returns a stream of signals; several deliveries may be one signal.
    func watch(_ device: String) -> AsyncStream<Void> {
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { [weak self] _ in self?.remove(device, ticket) }
        let isEnded = state.withLock { state in
            guard !state.isEnded else { return true }
            state.streams[device, default: [:]][ticket] = continuation
            count.add(1, ordering: .relaxed)
            return false
        }
        if isEnded { continuation.finish() }
        return stream
    }

    /// Signals that something arrived on a device, or that it is gone.
    func wake(_ device: String) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        let continuations = state.withLock { $0.streams[device].map { Array($0.values) } ?? [] }
        for continuation in continuations { continuation.yield() }
    }

    func wake(_ decision: Decision) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        wake(decision.device ?? decision.token.hex)
    }

    /// Signals that something may have arrived on any device.
    func wakeAll() {
        for continuation in state.withLock({ $0.streams.values.flatMap(\.values) }) { continuation.yield() }
    }

    func endAll() {
        let continuations = state.withLock { state in
            state.isEnded = true
            return state.streams.values.flatMap(\.values)
        }
        for continuation in continuations { continuation.finish() }
    }

    private func remove(_ device: String, _ ticket: UInt64) {
        state.withLock { state in
            guard state.streams[device]?.removeValue(forKey: ticket) != nil else { return }
            if state.streams[device]?.isEmpty == true { state.streams[device] = nil }
            count.subtract(1, ordering: .relaxed)
        }
    }
}
