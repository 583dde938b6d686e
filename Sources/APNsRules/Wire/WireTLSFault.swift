/// What goes wrong in TLS (`Documents#Actions`).
package enum WireTLSFault: Sendable, Hashable {
    /// A certificate that a provider must not accept.
    package enum Certificate: String, CaseIterable, Sendable {
        /// Of our CA and with the right names, out of date.
        case expired
        /// Of our CA, for names of another service.
        case wrongHost
        /// With the right names, of a CA that nobody has been told of.
        case untrusted
    }

    /// When an alert is sent.
    package enum AlertTime: String, CaseIterable, Sendable {
        /// In answer to the ClientHello.
        case duringHandshake
        /// Behind the server's Finished: a client of TLS 1.3 believes itself connected then.
        case afterHandshake
    }

    /// A fatal alert; then the connection is closed.
    case alert(TLSAlert, AlertTime)
    /// Another certificate.
    case certificate(Certificate)
    /// The ClientHello is read and never answered.
    case stall
    /// The ClientHello is answered so much later.
    case slow(Duration)
}
