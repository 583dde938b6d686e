package import APNsRules

/// What is done about one request.
package enum Answer: Sendable {
    /// The reply is sent.
    case reply(Reply)
    /// Nothing is sent until ``ConnectionCommand/answer(stream:_:)``.
    ///
    /// When the stream or the connection ends before that, ``PushResponder/requestAbandoned(stream:)`` is called.
    case withheld
    /// As ``withheld``, but an answer may never come: a peer that ends its side isn't kept waiting for it.
    case stalled
    /// The fault is carried out, with a reply where one is to be sent whole or in part.
    case act(WireAct, Reply?)
}
