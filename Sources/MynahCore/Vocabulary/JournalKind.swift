/// What a push is, by the service that it was sent to.
package enum JournalKind: String, CaseIterable, Sendable {
    /// A push to a device token.
    case push
    /// A broadcast to a channel.
    case broadcast
    /// A web push to the subscription of a web app.
    case webPush
}
