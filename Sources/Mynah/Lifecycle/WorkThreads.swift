internal import NIOCore
internal import NIOPosix

/// Threads for work that may take seconds, such as compiling thousands of regular expressions, so that the threads
/// that answer calls and pushes stay free.
package enum WorkThreads {
    /// Runs `work`; there is a thread for each processor.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOSingletons.posixBlockingThreadPool.runIfActive(work)
    }
}
