internal import MynahSystem
package import NIOCore

/// Stops a listener from accepting while the process is out of file descriptors, or has no room for a connection; new
/// ones wait in the kernel, and NIO doesn't poll the failing listener in a busy loop.
package final class AcceptGate: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    /// How long nothing is accepted before the next attempt.
    static let backOff: TimeAmount = .milliseconds(100)
    private let warnings: ClientWarnings
    private let onAccept: @Sendable (any Channel) -> Void
    private let hasRoom: @Sendable () -> Bool
    private let fullWarning: @Sendable () -> String
    private var resumption: Scheduled<Void>?

    /// - Parameters:
    ///   - onAccept: Called with each accepted connection, before `hasRoom`.
    ///   - hasRoom: Also asked before accepting is resumed. `Listener` checks for free descriptors
    ///     (``FileDescriptors/hasUnreserved``), the control API its limit of connections.
    ///   - fullWarning: What is logged without room.
    package init(
        warnings: ClientWarnings, onAccept: @escaping @Sendable (any Channel) -> Void = { _ in },
        hasRoom: @escaping @Sendable () -> Bool = { true },
        fullWarning: @escaping @Sendable () -> String = { AcceptGate.sentence(EMFILE) }
    ) {
        self.warnings = warnings
        self.onAccept = onAccept
        self.hasRoom = hasRoom
        self.fullWarning = fullWarning
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        onAccept(AcceptGate.unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if !hasRoom() { pause(context, warning: fullWarning()) }
        context.fireChannelReadComplete()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error as? IOError)?.errnoCode {
        // The client disconnected before it was accepted.
        case ECONNABORTED: break
        case .some(let errno) where [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno):
            pause(context, warning: AcceptGate.sentence(errno))
        default: context.fireErrorCaught(error)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        resumption?.cancel()
        context.fireChannelInactive()
    }

    private func pause(_ context: ChannelHandlerContext, warning: String) {
        guard resumption == nil else { return }
        accept(false, context)
        scheduleResumption(context)
        warnings.warn(warning)
    }

    private func scheduleResumption(_ context: ChannelHandlerContext) {
        resumption = context.eventLoop.assumeIsolated().scheduleTask(in: AcceptGate.backOff) {
            guard self.hasRoom() else { return self.scheduleResumption(context) }
            self.resumption = nil
            self.accept(true, context)
        }
    }

    // Set by the channel's option: NIO doesn't ask handlers again for the read that has failed.
    private func accept(_ isAccepting: Bool, _ context: ChannelHandlerContext) {
        // Setting the option fails only for a closed channel.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isAccepting)
    }

    package static func sentence(_ errno: Int32) -> String {
        let waiting = "new connections wait"
        return switch errno {
        case EMFILE:
            "\(waiting): nearly all of the \(FileDescriptors.limit) file descriptors that this process may have are in "
                + "use; close connections, or raise the limit (ulimit -n, docker run --ulimit nofile=N)"
        case ENFILE: "\(waiting): the system's table of open files is full (sysctl fs.file-max)"
        default: "\(waiting): \(String(cString: strerror(errno)))"
        }
    }
}
