/// What goes wrong in TLS (`Documents#Actions`).
public enum WireTLSFault: Sendable, Hashable {
    /// A certificate that a provider must not accept.
    public enum Certificate: String, CaseIterable, Sendable {
        /// Of the server's CA and with the right names, but expired.
        case expired
        /// Of the server's CA, for names of another service.
        case wrongHost
        /// With the right names, of an unknown CA.
        case untrusted
    }

    /// When an alert is sent.
    public enum AlertTime: String, CaseIterable, Sendable {
        /// In answer to the ClientHello.
        case duringHandshake
        /// After the server's Finished, when a client of TLS 1.3 considers itself connected.
        case afterHandshake
    }

    /// A fatal alert; then the connection is closed.
    case alert(TLSAlert, AlertTime)
    /// A certificate that a provider must not accept.
    case certificate(Certificate)
    /// The ClientHello is read and never answered.
    case stall
    /// The ClientHello is answered after this time.
    case slow(Duration)
}
