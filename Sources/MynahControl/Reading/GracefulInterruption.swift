internal import Mynah
internal import ServiceLifecycle

extension JournalWait.Interruption {
    /// The control plane shuts down gracefully: what waits is answered as it is by then.
    static let gracefulShutdown = JournalWait.Interruption(
        hasCome: { Task.isShuttingDownGracefully },
        whileNone: { work in try await cancelWhenGracefulShutdown { try await work() } })
}
