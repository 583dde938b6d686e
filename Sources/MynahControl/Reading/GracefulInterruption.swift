internal import Mynah
internal import ServiceLifecycle

extension JournalWait.Interruption {
    /// The control plane shuts down: waiting calls are answered with what there is.
    static let gracefulShutdown = JournalWait.Interruption(
        hasCome: { Task.isShuttingDownGracefully },
        whileNone: { work in try await cancelWhenGracefulShutdown { try await work() } })
}
