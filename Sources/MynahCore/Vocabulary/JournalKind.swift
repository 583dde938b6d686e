/// What a push is, by the service that it was sent to.
package enum JournalKind: String, CaseIterable, Sendable {
    /// To a device token.
    case push
    /// To a channel.
    case broadcast
    /// To the subscription of a web app.
    case webPush
}
