internal import MynahSystem
package import NIOCore

extension Channel {
    /// Chooses whether the peer's half-close is reported, by `ChannelEvent.inputClosed`, or closes the channel.
    func allowHalfClosure(_ isAllowed: Bool) {
        // A channel that is already closed refuses the option.
        try? syncOptions?.setOption(.allowRemoteHalfClosure, value: isAllowed)
    }

    /// Closes by a TCP reset, on the channel's loop; drops unsent bytes.
    package func resetAndClose(_ promise: EventLoopPromise<Void>? = nil) {
        if let options = self as? any SocketOptionProvider {
            // A socket that refuses the option is already closed, or is closed without the reset.
            _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        close(promise: promise)
    }
}

extension ChannelHandlerContext {
    /// Calls `work` on the channel's loop after a time.
    @discardableResult
    func schedule(in time: TimeAmount, _ work: @escaping () -> Void) -> Scheduled<Void> {
        eventLoop.assumeIsolated().scheduleTask(in: time, work)
    }

    /// Calls `work` on the channel's loop after a time, and again and again until it returns `false`.
    func schedule(every time: TimeAmount, _ work: @escaping () -> Bool) {
        schedule(in: time) { if work() { self.schedule(every: time, work) } }
    }

    /// Calls `work` when everything written so far has been sent or has failed.
    func afterWrites(_ work: @escaping () -> Void) {
        // An empty write completes after everything before it.
        let end = NIOAny(channel.allocator.buffer(capacity: 0))
        writeAndFlush(end).assumeIsolated().whenComplete { _ in work() }
    }
}
