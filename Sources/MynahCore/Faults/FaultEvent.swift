/// When a fault rule is asked (`Documents#Fault-rules`: `event`).
public enum FaultEvent: String, CaseIterable, Sendable {
    /// A TCP connection has been accepted, and nothing has been read from it.
    case accept
    /// The TLS handshake begins, with its ClientHello read; without TLS, the connection's first bytes.
    case handshake
    /// A request is complete, and nothing has judged it.
    case request

    /// The filter keys that have a value at this event.
    ///
    /// A connection names its environment by its port, at the handshake also by the server name; a push names all
    /// else. What only an answer has (`status`, `outcome`…) no event has.
    package var filterKeys: [FilterKey] {
        switch self {
        case .accept, .handshake: [.connection, .environment]
        case .request:
            [
                .token, .device, .scope, .topic, .team, .keyId, .apnsId, .collapseId, .pushType, .priority,
                .environment, .connection, .text,
            ]
        }
    }

    /// The names that a `match` of this event may have.
    package var memberNames: [String] {
        filterKeys.map(\.rawValue) + (self == .request ? ["payload", "payloadIncludes", "headers"] : []) + ["event"]
    }
}
