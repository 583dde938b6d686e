internal import APNsRules
internal import NIOCore

/// Acts below HTTP/2.
extension ConnectionHandler {
    /// Ends the connection.
    func performTransport(_ act: WireAct, _ context: ChannelHandlerContext) {
        switch act {
        case .close(.rst, _):
            lifecycle.closed()
            context.channel.resetAndClose()
        case .close: close(context)
        default: break
        }
    }
}
