internal import NIOCore
internal import NIOPosix

/// Work that an event loop puts off until the answers that it is about to give have arrived.
enum AfterAnswers {
    // Waking a thread takes longer than answering a push, and on a machine with few processors the thread then runs
    // instead of the client.
    private static let pause = TimeAmount.milliseconds(1)

    /// Calls `work` later if this thread is an event loop, otherwise at once.
    static func run(_ work: @escaping @Sendable () -> Void) {
        guard let loop = MultiThreadedEventLoopGroup.currentEventLoop else { return work() }
        // A loop that ends first fails the task, and `work` is called then.
        loop.scheduleTask(in: pause) {}.futureResult.whenComplete { _ in work() }
    }
}
